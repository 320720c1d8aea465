/* SPDX-License-Identifier: Apache-2.0 */
/* swap_http.c - see swap_http.h. */
#include "swap_http.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Events reach the page as "graft-swap", "graft-refused" and "graft-failure", too; who cancels the first keeps the page. */
static const char script[] =
    "(function () {\n"
    "  var lost = false, box = null;\n"
    "  function tell(name, data) {\n"
    "    return dispatchEvent(new CustomEvent('graft-' + name, {detail: data, cancelable: true}));\n"
    "  }\n"
    "  function show(text) {\n"
    "    if (!box) {\n"
    "      box = document.createElement('pre');\n"
    "      box.setAttribute('role', 'alert');\n"
    "      box.style.cssText = 'position:fixed;inset:auto 0 0 0;z-index:2147483647;margin:0;padding:1em;max-height:50vh;' +\n"
    "        'overflow:auto;background:#2b1010;color:#ffd9d9;font:13px/1.4 monospace;white-space:pre-wrap';\n"
    "      document.body.appendChild(box);\n"
    "    }\n"
    "    box.textContent = text;\n"
    "  }\n"
    "  function listen(name, then) {\n"
    "    events.addEventListener(name, function (e) {\n"
    "      var data = JSON.parse(e.data);\n"
    "      if (tell(name, data)) then(data);\n"
    "    });\n"
    "  }\n"
    "  var events = new EventSource(new URL('/events', document.currentScript.src));\n"
    "  listen('swap', function () { location.reload(); });\n"
    "  listen('failure', function (d) { show(d.text); });\n"
    "  listen('refused', function (d) {\n"
    "    show(d.refused.map(function (r) { return r['class'] + ': ' + r.reason; }).join('\\n'));\n"
    "  });\n"
    "  events.onerror = function () { lost = true; };\n"
    "  events.onopen = function () { if (lost) location.reload(); };\n"
    "})();\n";

bool swap_http_begins(SwapHttp *r, const char *line) {
    const char *version = strstr(line, " HTTP/"), *space = strchr(line, ' ');
    if (!version) return false;
    *r = (SwapHttp){.get = !strncmp(line, "GET ", 4), .origin_ok = true};
    if (space < version) {
        size_t n = strcspn(space + 1, " ?");
        if (n < sizeof r->path) memcpy(r->path, space + 1, n);
    }
    return true;
}

/* "localhost:8080", "[::1]", "127.0.0.1:80" and names that end in .localhost. */
static bool is_this_machine(const char *host) {
    static const char *const names[] = {"localhost", "127.0.0.1", "[::1]"};
    size_t n = *host == '[' ? strcspn(host, "]") + 1 : strcspn(host, ":");
    if (n > strlen(host)) return false;
    const char *rest = host + n;
    if (*rest && (*rest != ':' || rest[1 + strspn(rest + 1, "0123456789")])) return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == n && !strncasecmp(names[i], host, n)) return true;
    return n > 10 && !strncasecmp(host + n - 10, ".localhost", 10);
}

static bool is_local_origin(const char *origin) {
    if (!strncmp(origin, "http://", 7)) return is_this_machine(origin + 7);
    return !strncmp(origin, "https://", 8) && is_this_machine(origin + 8);
}

void swap_http_header(SwapHttp *r, const char *line) {
    const char *value = strchr(line, ':');
    if (!value) return;
    value++;
    while (*value == ' ' || *value == '\t') value++;
    if (!strncasecmp(line, "Host:", 5)) r->host_ok = is_this_machine(value);
    if (strncasecmp(line, "Origin:", 7) != 0) return;
    r->origin_ok = is_local_origin(value) && strlen(value) < sizeof r->origin;
    if (r->origin_ok) strcpy(r->origin, value);
}

static bool refuse(FILE *out, const char *status, const char *why) {
    fprintf(out, "HTTP/1.1 %s\r\nContent-Type: text/plain\r\nContent-Length: %zu\r\nConnection: close\r\n\r\n%s\n", status,
            strlen(why) + 1, why);
    return false;
}

bool swap_http_answer(const SwapHttp *r, FILE *out) {
    bool events = !strcmp(r->path, "/events");
    if (!r->host_ok || !r->origin_ok) return refuse(out, "403 Forbidden", "only for pages of this machine");
    if (!r->get) return refuse(out, "405 Method Not Allowed", "only GET");
    if (!events && strcmp(r->path, "/reload.js") != 0) return refuse(out, "404 Not Found", "/events and /reload.js are here");
    fprintf(out,
            "HTTP/1.1 200 OK\r\nContent-Type: %s; charset=utf-8\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
            "Vary: Origin\r\nConnection: close\r\n",
            events ? "text/event-stream" : "text/javascript");
    if (*r->origin) fprintf(out, "Access-Control-Allow-Origin: %s\r\n", r->origin);
    if (events) fputs("\r\nretry: 500\n\n", out);
    else fprintf(out, "Content-Length: %zu\r\n\r\n%s", sizeof script - 1, script);
    return events;
}
