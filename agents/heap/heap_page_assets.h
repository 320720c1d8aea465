/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heap_page_assets.h - style and script of the heap pages, as text.
 *
 * Colours follow the system without the script; its button (key t) overrides them. Keys: / filters the tables, n and p go to
 * the next part and the one before, arrows walk a tree as in a file manager.
 */
#ifndef GRAFT_HEAP_PAGE_ASSETS_H
#define GRAFT_HEAP_PAGE_ASSETS_H

#define HEAP_DARK \
    "--bg:#0f141b;--card:#171d27;--ink:#e6eaf2;--dim:#93a0b4;--line:#28303d;--accent:#8aa4ff;--bar:#3b5bb5;--more:#ff8a8d;--less:#3ecf7b;--shadow:none"

/* clang-format off */
static const char heap_page_style[] =
    ":root{--bg:#f6f7f9;--card:#fff;--ink:#1c2330;--dim:#667085;--line:#e4e7ec;--accent:#3457d5;--bar:#9db3f5;--more:#c7353a;--less:#12804a;\n"
    "--shadow:0 1px 2px #1018280d,0 4px 16px #1018280a;color-scheme:light dark}\n"
    "@media(prefers-color-scheme:dark){:root:not([data-theme=light]){" HEAP_DARK "}}\n"
    ":root[data-theme=dark]{" HEAP_DARK ";color-scheme:dark}:root[data-theme=light]{color-scheme:light}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0;background:var(--bg);color:var(--ink);font:15px/1.5 system-ui,-apple-system,\"Segoe UI\",Roboto,\"DejaVu Sans\",sans-serif}\n"
    "header{display:flex;gap:14px;align-items:center;flex-wrap:wrap;padding:12px 28px;background:var(--card);border-bottom:1px solid var(--line);position:sticky;top:0;z-index:5}\n"
    "header b{font-weight:650}header span{color:var(--dim);overflow:hidden;text-overflow:ellipsis;white-space:nowrap;min-width:0;flex:1}\n"
    "nav{display:flex;gap:14px;flex-wrap:wrap;margin:0 0 18px}a{color:var(--accent);text-decoration:none}a:hover{text-decoration:underline}\n"
    "input,button{font:inherit;color:inherit;background:var(--bg);border:1px solid var(--line);border-radius:8px;padding:5px 11px}\n"
    "input{width:230px}button{cursor:pointer}button:hover{border-color:var(--accent)}\n"
    ":focus-visible{outline:2px solid var(--accent);outline-offset:1px}\n"
    "main{max-width:1320px;margin:0 auto;padding:24px 28px 60px}\n"
    "h1{font-size:23px;margin:2px 0 16px;font-weight:680;overflow-wrap:anywhere}h2{font-size:17px;margin:32px 0 6px;scroll-margin-top:70px}h3{font-size:15px;margin:20px 0 6px}\n"
    "p{margin:0 0 10px}.box+p{margin:6px 14px}.dim{color:var(--dim)}\n"
    ".tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(150px,1fr));gap:14px;margin-bottom:18px}\n"
    ".tile,.box{background:var(--card);border:1px solid var(--line);border-radius:14px;box-shadow:var(--shadow)}\n"
    ".tile{padding:12px 16px}.tile span{display:block;color:var(--dim);font-size:13px}.tile b{font-size:22px;font-weight:680;font-variant-numeric:tabular-nums}\n"
    ".box{overflow:auto;padding:6px 0}\n"
    "table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}\n"
    "th,td{padding:6px 14px;text-align:right;border-bottom:1px solid var(--line);white-space:nowrap}tr:last-child td{border-bottom:0}\n"
    "th{font-size:12.5px;color:var(--dim);font-weight:600}th:first-child,td:first-child{text-align:left;width:55%;white-space:normal;overflow-wrap:anywhere}\n"
    ".sortable th{cursor:pointer;user-select:none}.sortable th:hover{color:var(--ink)}th[aria-sort=descending]:after{content:\" \\2193\"}th[aria-sort=ascending]:after{content:\" \\2191\"}\n"
    "tbody tr:hover,.row:hover{background:var(--bg)}\n"
    ".row{display:flex;gap:10px;align-items:baseline;padding:3px 16px 3px 12px;list-style:none}summary.row{cursor:pointer}summary.row::-webkit-details-marker{display:none}\n"
    ".row:before{content:\"\";flex:none;width:10px;color:var(--dim)}summary.row:before{content:\"\\25b8\"}details[open]>summary.row:before{content:\"\\25be\"}\n"
    "details>.in{margin-left:17px;border-left:1px solid var(--line)}\n"
    ".size{flex:none;width:82px;text-align:right;font-variant-numeric:tabular-nums}.share{flex:none;width:96px;text-align:right;color:var(--dim);font-size:13px;font-variant-numeric:tabular-nums;\n"
    " background:linear-gradient(var(--bar),var(--bar)) 0 100%/var(--w,0) 4px no-repeat}\n"
    ".what{overflow-wrap:anywhere;min-width:200px}.what em,.path em{font-style:normal;color:var(--dim)}.what small{color:var(--dim)}\n"
    ".more{color:var(--more)}.less{color:var(--less)}\n"
    ".path{margin:4px 16px 12px 40px;padding:0;list-style:none}.path li{padding:1px 0 1px 18px;position:relative;overflow-wrap:anywhere}\n"
    ".path li:before{content:\"\\2192\";position:absolute;left:0;color:var(--dim)}.path li:first-child:before{content:\"\\25cf\";color:var(--accent)}.path small{color:var(--dim);margin-left:10px}\n"
    "kbd{font:12px ui-monospace,monospace;border:1px solid var(--line);border-bottom-width:2px;border-radius:5px;padding:0 5px;background:var(--card)}\n"
    "footer{color:var(--dim);font-size:12.5px;margin-top:30px}\n"
    "@media(max-width:700px){main{padding:16px}.share{display:none}header input{display:none}}\n"
    "@media print{header{position:static}header input,header button{display:none}}\n";

static const char heap_page_script[] =
    "(function(){'use strict';\n"
    "var root=document.documentElement,all=function(s,e){return[].slice.call((e||document).querySelectorAll(s))},find=document.getElementById('find'),theme=document.getElementById('theme');\n"
    "function store(v){try{if(v)localStorage.setItem('graft-theme',v);return localStorage.getItem('graft-theme')}catch(e){return null}}\n"
    "var old=store();if(old)root.dataset.theme=old;\n"
    "theme.onclick=function(){var d=root.dataset.theme?root.dataset.theme==='dark':matchMedia('(prefers-color-scheme: dark)').matches;root.dataset.theme=d?'light':'dark';store(root.dataset.theme)};\n"
    "// tables\n"
    "all('table').forEach(function(t){t.className='sortable';all('th',t).forEach(function(th,i){th.tabIndex=0;\n"
    " th.onclick=function(){var d=th.getAttribute('aria-sort')==='descending'?1:-1,v=function(r){var c=r.cells[i];return c.dataset.v===undefined?c.textContent:+c.dataset.v};\n"
    "  if(!th.hasAttribute('aria-sort')&&!i)d=1;all('th',t).forEach(function(x){x.removeAttribute('aria-sort')});th.setAttribute('aria-sort',d<0?'descending':'ascending');\n"
    "  all('tbody tr',t).map(function(r){return[v(r),r]}).sort(function(a,b){return(a[0]>b[0]?1:a[0]<b[0]?-1:0)*d}).forEach(function(p){t.tBodies[0].appendChild(p[1])})};\n"
    " th.onkeydown=function(e){if(e.key==='Enter'||e.key===' '){e.preventDefault();th.onclick()}}})});\n"
    "find.oninput=function(){var v=find.value.toLowerCase();all('tbody tr').forEach(function(r){r.hidden=r.cells[0].textContent.toLowerCase().indexOf(v)<0})};\n"
    "// trees\n"
    "function rows(){return all('summary').filter(function(s){return !s.parentNode.parentNode.closest('details:not([open])')})}\n"
    "function walk(e,s){var d=s.parentNode,list=rows(),i=list.indexOf(s),up;\n"
    " if(e.key==='ArrowDown')i++;else if(e.key==='ArrowUp')i--;\n"
    " else if(e.key==='ArrowRight'){if(!d.open){d.open=true;return true}i++}\n"
    " else if(e.key==='ArrowLeft'){if(d.open){d.open=false;return true}up=d.parentNode.closest('details');i=up?list.indexOf(up.firstElementChild):i}\n"
    " else return false;\n"
    " if(list[i])list[i].focus();return true}\n"
    "var parts=all('h2'),at=-1;\n"
    "addEventListener('keydown',function(e){if(e.target.tagName==='INPUT'){if(e.key==='Escape')e.target.blur();return}\n"
    " if(e.ctrlKey||e.metaKey||e.altKey)return;\n"
    " if(e.target.tagName==='SUMMARY'&&walk(e,e.target)){e.preventDefault();return}\n"
    " if(e.key==='/'){e.preventDefault();find.focus()}else if(e.key==='t')theme.click();\n"
    " else if((e.key==='n'||e.key==='p')&&parts.length){at=Math.max(0,Math.min(parts.length-1,at+(e.key==='n'?1:-1)));parts[at].scrollIntoView();\n"
    "  var s=parts[at].parentNode.querySelector('summary');if(s)s.focus({preventScroll:true})}});\n"
    "})();\n";
/* clang-format on */

#endif
