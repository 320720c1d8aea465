/* SPDX-License-Identifier: Apache-2.0 */
/*
 * flamegraph_page.h - style sheet, body and script of the flame graph page, as text.
 *
 * The script reads NAMES and ROWS (preorder: depth, name, own weight, own count), draws on a canvas, and does: zoom
 * by click, back by click on an ancestor, Escape or the button; search by text or /regular expression/
 * with the share of what matches; a tip with total, own weight and share; upside down (icicle); a table of the
 * heaviest frames; light and dark, following the system unless chosen. Keys: / search, Escape reset, i icicle,
 * t table, d dark; in the graph arrows go from frame to frame, Enter zooms, Backspace goes one frame back.
 */
#ifndef GRAFT_FLAMEGRAPH_PAGE_H
#define GRAFT_FLAMEGRAPH_PAGE_H

/* clang-format off */
static const char flame_style[] =
    ":root{--bg:#f6f7f9;--card:#fff;--ink:#1c2330;--dim:#667085;--line:#dfe3ea;--accent:#3457d5;--text:#1d1408;--hit:#7b2ff7}\n"
    ":root[data-theme=dark]{--bg:#0f141b;--card:#171d27;--ink:#e6eaf2;--dim:#93a0b4;--line:#28303d;--accent:#8aa4ff;--text:#0d0f14;--hit:#d29bff}\n"
    "*{box-sizing:border-box}html,body{height:100%}\n"
    "body{margin:0;background:var(--bg);color:var(--ink);font:14px/1.45 system-ui,-apple-system,\"Segoe UI\",Roboto,\"DejaVu Sans\",sans-serif;display:flex;flex-direction:column}\n"
    "header{display:flex;gap:10px;align-items:center;flex-wrap:wrap;padding:10px 18px;background:var(--card);border-bottom:1px solid var(--line)}\n"
    "h1{font-size:17px;margin:0 10px 0 0;font-weight:650}#note{color:var(--dim);flex:1 1 240px;min-width:0}\n"
    "input,button{font:inherit;color:inherit;background:var(--bg);border:1px solid var(--line);border-radius:8px;padding:4px 10px}\n"
    "input{width:260px}input:focus,button:focus-visible{outline:2px solid var(--accent);outline-offset:1px}button{cursor:pointer}button:hover{border-color:var(--accent)}\n"
    "#info{padding:6px 18px;color:var(--dim);min-height:32px;font-variant-numeric:tabular-nums;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}\n"
    "#info b{color:var(--ink);font-weight:600}\n"
    "#area{flex:1;overflow:auto;margin:0 18px 18px;background:var(--card);border:1px solid var(--line);border-radius:12px;padding:8px}\n"
    "canvas{display:block;width:100%;cursor:pointer}canvas:focus-visible,tbody tr:focus-visible{outline:2px solid var(--accent);outline-offset:-2px}\n"
    "#tip{position:fixed;pointer-events:none;background:var(--card);border:1px solid var(--line);border-radius:8px;padding:7px 10px;max-width:min(720px,90vw);box-shadow:0 6px 24px #0004;display:none;overflow-wrap:anywhere;z-index:9}\n"
    "#tip small{color:var(--dim);font-variant-numeric:tabular-nums}\n"
    "table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}td,th{text-align:right;padding:3px 10px;border-bottom:1px solid var(--line);white-space:nowrap}\n"
    "th{color:var(--dim);font-weight:500}td:last-child,th:last-child{text-align:left;white-space:normal;overflow-wrap:anywhere;width:100%}tbody tr{cursor:pointer}tbody tr:hover{background:var(--bg)}\n";

static const char flame_body[] =
    "<span id=\"note\"></span>\n"
    "<input id=\"q\" type=\"search\" placeholder=\"Search: text or /regex/  ( / )\" aria-label=\"Search\">\n"
    "<button id=\"reset\" title=\"Escape\">Reset</button><button id=\"flip\" title=\"i\">Flip</button>\n"
    "<button id=\"list\" title=\"t\">Table</button><button id=\"theme\" title=\"d\">Dark</button></header>\n"
    "<div id=\"info\" aria-live=\"polite\"></div><div id=\"area\"><canvas id=\"c\" tabindex=\"0\" role=\"application\" aria-label=\"Flame graph: arrows go from frame to frame, Enter zooms, Backspace goes back\"></canvas><table id=\"t\" hidden></table></div><div id=\"tip\"></div>\n"
    "<noscript>This page needs JavaScript.</noscript>\n";

static const char flame_script[] =
    "'use strict';\n"
    "const $=i=>document.getElementById(i),H=19,c=$('c'),g=c.getContext('2d');\n"
    "// ---- the tree: arrays in preorder; end[i] is one past the last descendant\n"
    "const N=ROWS.length/4|0,depth=new Uint32Array(N),name=new Uint32Array(N),self=new Float64Array(N),cnt=new Float64Array(N),\n"
    "  total=new Float64Array(N),tc=new Float64Array(N),end=new Uint32Array(N),par=new Int32Array(N);\n"
    "let maxDepth=0;{const st=[];for(let i=0;i<N;i++){const d=depth[i]=ROWS[4*i];name[i]=ROWS[4*i+1];self[i]=ROWS[4*i+2];cnt[i]=ROWS[4*i+3];\n"
    "  st.length=d;par[i]=d?st[d-1]:-1;st[d]=i;if(d>maxDepth)maxDepth=d;}\n"
    "  for(let i=N-1;i>=0;i--){total[i]+=self[i];tc[i]+=cnt[i];if(!end[i])end[i]=i+1;const p=par[i];if(p>=0){total[p]+=total[i];tc[p]+=tc[i];if(end[i]>end[p])end[p]=end[i];}}}\n"
    "// children of each node, heaviest first\n"
    "const kids=new Map();for(let i=1;i<N;i++){const p=par[i];let k=kids.get(p);if(!k)kids.set(p,k=[]);k.push(i);}\n"
    "for(const k of kids.values())k.sort((a,b)=>total[b]-total[a]);\n"
    "let zoom=0,flip=false,hit=null,hitShare=0,boxes=[],hover=-1;\n"
    "const fmt=v=>{if(UNIT==='bytes'){const u=['B','kB','MB','GB','TB'];let k=0;while(v>=1000&&k<4){v/=1000;k++;}return (k?v.toFixed(v<10?2:1):v)+' '+u[k];}\n"
    "  if(UNIT==='ns'){const u=['ns','us','ms','s'];let k=0;while(v>=1000&&k<3){v/=1000;k++;}return (k?v.toFixed(2):v)+' '+u[k];}return v.toLocaleString('en')+' '+UNIT;};\n"
    "const pct=(a,b)=>(b?100*a/b:0).toFixed(2)+'%';\n"
    "const head=s=>s.indexOf('(')<0?s:s.slice(0,s.indexOf('(')); /* of a method: without its parameters */\n"
    "function brief(s,room){const h=head(s),own=h.split('.').slice(-2).join('.'),method=own.split('.').pop(),args=s.slice(h.length).replace(/[\\w$]+\\./g,'');\n"
    "  for(const t of [own+args,own,method])if(t.length<=room)return t;\n"
    "  return method.slice(0,Math.max(room-1,1))+'\\u2026';}\n"
    "function colour(i){const s=head(NAMES[name[i]]);let h=0;const pkg=s.slice(0,Math.max(s.lastIndexOf('.'),0))||s;for(let k=0;k<pkg.length;k++)h=(h*31+pkg.charCodeAt(k))>>>0;\n"
    "  let v=0;for(let k=0;k<s.length;k++)v=(v*33+s.charCodeAt(k))>>>0;const dark=document.documentElement.dataset.theme==='dark';\n"
    "  const hue=s.endsWith(']')?205:8+h%48,l=(dark?58:68)+v%10;return 'hsl('+hue+','+(dark?62:82)+'%,'+l+'%)';}\n"
    "const css=v=>getComputedStyle(document.documentElement).getPropertyValue(v).trim();\n"
    "function visible(){let m=0;for(let i=zoom;i<end[zoom];i++)if(total[i]>=total[zoom]/4000&&depth[i]>m)m=depth[i];return m;}\n"
    "function draw(){const w=c.clientWidth||800,rows=visible()+1,dpr=window.devicePixelRatio||1,h=rows*H;c.style.height=h+'px';c.width=w*dpr;c.height=h*dpr;\n"
    "  g.setTransform(dpr,0,0,dpr,0,0);g.font='12px system-ui,sans-serif';g.textBaseline='middle';boxes=[];const text=css('--text'),hc=css('--hit'),line=css('--card');\n"
    "  const box=(i,x,bw,faded)=>{const d=depth[i],y=flip?d*H:h-(d+1)*H;boxes.push([x,y,bw,i]);g.globalAlpha=faded?.45:hit&&!hit.has(name[i])?.5:1;\n"
    "    g.fillStyle=hit&&hit.has(name[i])?hc:colour(i);g.fillRect(x,y,Math.max(bw-.6,.4),H-1);g.globalAlpha=1;\n"
    "    if(i===hover){g.strokeStyle=css('--ink');g.lineWidth=1.5;g.strokeRect(x+.75,y+.75,Math.max(bw-2,1),H-2.5);}\n"
    "    if(bw>28){let s=NAMES[name[i]];const room=(bw-8)/7.1|0;if(s.length>room){s=brief(s,room);}g.fillStyle=text;g.fillText(s,x+4,y+H/2);}};\n"
    "  for(let p=par[zoom];p>=0;p=par[p])box(p,0,w,true);\n"
    "  const todo=[[zoom,0,w]];while(todo.length){const [i,x,bw]=todo.pop();box(i,x,bw,false);let at=x;for(const k of kids.get(i)||[]){const kw=total[i]?bw*total[k]/total[i]:0;if(kw<.3)break;todo.push([k,at,kw]);at+=kw;}}\n"
    "  info();}\n"
    "function info(){const i=hover>=0?hover:zoom;let s='<b></b> &nbsp;'+fmt(total[i])+' ('+pct(total[i],total[0])+')';if(hit)s+=' &nbsp;|&nbsp; matches: '+fmt(hitShare)+' ('+pct(hitShare,total[zoom])+' of what is shown)';\n"
    "  $('info').innerHTML=s;$('info').firstChild.textContent=NAMES[name[i]];}\n"
    "function find(e){const r=c.getBoundingClientRect(),x=e.clientX-r.left,y=e.clientY-r.top;for(let k=boxes.length-1;k>=0;k--){const b=boxes[k];if(y>=b[1]&&y<b[1]+H&&x>=b[0]&&x<b[0]+b[2])return b[3];}return -1;}\n"
    "function search(){const q=$('q').value;hit=null;hitShare=0;if(q){let f=s=>s.toLowerCase().includes(q.toLowerCase());const m=/^\\/(.+?)\\/?$/.exec(q);if(m)try{const r=new RegExp(m[1],'i');f=s=>r.test(s);}catch(e){}\n"
    "  hit=new Set();NAMES.forEach((s,i)=>{if(f(s))hit.add(i);});for(let i=zoom;i<end[zoom];)if(hit.has(name[i])){hitShare+=total[i];i=end[i];}else i++;}draw();}\n"
    "function go(i){zoom=i;hover=-1;search();const a=$('area');a.scrollTop=flip?0:a.scrollHeight;}\n"
    "function table(){const t=$('t'),own=new Map(),all=new Map(),n=new Map();for(let i=0;i<N;i++){const k=name[i];own.set(k,(own.get(k)||0)+self[i]);\n"
    "  let p=par[i];while(p>=0&&name[p]!==k)p=par[p];if(p<0){all.set(k,(all.get(k)||0)+total[i]);n.set(k,(n.get(k)||0)+tc[i]);}}\n"
    "  const keys=[...all.keys()].sort((a,b)=>own.get(b)-own.get(a)||all.get(b)-all.get(a)).slice(0,300);\n"
    "  t.innerHTML='<thead><tr><th>own</th><th>%</th><th>total</th><th>%</th><th>count</th><th>frame</th></tr></thead><tbody></tbody>';const b=t.tBodies[0];\n"
    "  for(const k of keys){const r=b.insertRow();for(const s of [fmt(own.get(k)),pct(own.get(k),total[0]),fmt(all.get(k)),pct(all.get(k),total[0]),n.get(k).toLocaleString('en'),NAMES[k]])r.insertCell().textContent=s;\n"
    "    r.tabIndex=0;r.onclick=()=>{$('q').value=NAMES[k];show(false);search();};r.onkeydown=e=>{if(e.key==='Enter')r.click();};}}\n"
    "function show(list){$('t').hidden=!list;c.hidden=list;c.style.display=list?'none':'block';$('list').textContent=list?'Graph':'Table';if(list&&!$('t').rows.length)table();if(!list)draw();const a=$('area');a.scrollTop=list||flip?0:a.scrollHeight;}\n"
    "function theme(t){document.documentElement.dataset.theme=t;$('theme').textContent=t==='dark'?'Light':'Dark';draw();}\n"
    "c.onmousemove=e=>{const i=find(e),t=$('tip');if(i!==hover){hover=i;draw();}if(i<0){t.style.display='none';return;}\n"
    "  t.innerHTML='<div></div><small></small>';t.firstChild.textContent=NAMES[name[i]];t.lastChild.textContent=fmt(total[i])+' total ('+pct(total[i],total[0])+'), '+fmt(self[i])+' own, '+tc[i].toLocaleString('en')+' samples';\n"
    "  t.style.display='block';t.style.left=Math.min(e.clientX+14,innerWidth-t.offsetWidth-8)+'px';t.style.top=Math.min(e.clientY+16,innerHeight-t.offsetHeight-8)+'px';};\n"
    "c.onmouseleave=()=>{hover=-1;$('tip').style.display='none';draw();};\n"
    "c.onclick=e=>{const i=find(e);if(i>=0)go(i);};\n"
    "const holds=(a,b)=>a<=b&&end[a]>b; /* b is a or above it */\n"
    "function step(key){const i=hover<0?zoom:hover,below=holds(i,zoom),near=below?[i]:kids.get(par[i]),up=(kids.get(i)||[]).filter(k=>!below||i===zoom||holds(k,zoom)),n=near.indexOf(i);\n"
    "  switch(key){case flip?'ArrowDown':'ArrowUp':return up.length?up[0]:i;case flip?'ArrowUp':'ArrowDown':return Math.max(par[i],0);\n"
    "  case 'ArrowRight':return near[Math.min(n+1,near.length-1)];case 'ArrowLeft':return near[Math.max(n-1,0)];}return -1;}\n"
    "c.onkeydown=e=>{const to=step(e.key);if(e.key==='Enter'){if(hover>=0)go(hover);}else if(e.key==='Backspace')go(Math.max(par[zoom],0));else if(to<0)return;\n"
    "  else{hover=to;draw();const a=$('area'),y=flip?depth[to]*H:parseFloat(c.style.height)-(depth[to]+1)*H;if(y<a.scrollTop||y+2*H>a.scrollTop+a.clientHeight)a.scrollTop=y-a.clientHeight/2;}e.preventDefault();};\n"
    "$('q').oninput=search;$('reset').onclick=()=>{$('q').value='';go(0);};$('flip').onclick=()=>{flip=!flip;go(zoom);};\n"
    "$('list').onclick=()=>show($('t').hidden);$('theme').onclick=()=>theme(document.documentElement.dataset.theme==='dark'?'light':'dark');\n"
    "onkeydown=e=>{if(e.target.tagName==='INPUT'){if(e.key==='Escape'){e.target.blur();$('reset').click();}return;}\n"
    "  if(e.key==='/'){e.preventDefault();$('q').focus();}else if(e.key==='Escape')$('reset').click();else if(e.key==='i')$('flip').click();else if(e.key==='t')$('list').click();else if(e.key==='d')$('theme').click();};\n"
    "onresize=draw;$('note').textContent=NOTE;\n"
    "theme(matchMedia('(prefers-color-scheme: dark)').matches?'dark':'light');go(0);\n";
/* clang-format on */

#endif
