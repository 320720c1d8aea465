# SPDX-License-Identifier: Apache-2.0
"""otlp_check.py FILE: checks that it is an ExportTraceServiceRequest in the protocol's JSON form, and prints its spans as "NAME PARENT STATUS",
sorted. Names of fields are those of opentelemetry/proto/{collector/trace,trace,resource,common}/v1 in lower camel case."""
import json
import re
import sys

FIELDS = {
    "request": {"resourceSpans": ["ResourceSpans"]},
    "ResourceSpans": {"resource": "Resource", "scopeSpans": ["ScopeSpans"], "schemaUrl": str},
    "Resource": {"attributes": ["KeyValue"], "droppedAttributesCount": int},
    "ScopeSpans": {"scope": "Scope", "spans": ["Span"], "schemaUrl": str},
    "Scope": {"name": str, "version": str, "attributes": ["KeyValue"], "droppedAttributesCount": int},
    "Span": {"traceId": "hex32", "spanId": "hex16", "traceState": str, "parentSpanId": "hex16", "flags": int, "name": str, "kind": int,
             "startTimeUnixNano": "int64", "endTimeUnixNano": "int64", "attributes": ["KeyValue"], "droppedAttributesCount": int,
             "events": ["Event"], "droppedEventsCount": int, "links": ["Link"], "droppedLinksCount": int, "status": "Status"},
    "Status": {"message": str, "code": int},
    "KeyValue": {"key": str, "value": "AnyValue"},
    "AnyValue": {"stringValue": str, "boolValue": bool, "intValue": "int64", "doubleValue": float},
}
FORMS = {"hex32": r"[0-9a-f]{32}", "hex16": r"[0-9a-f]{16}", "int64": r"-?\d+"}


def check(value, form, at):
    if isinstance(form, list):
        assert isinstance(value, list), at
        for i, v in enumerate(value):
            check(v, form[0], f"{at}[{i}]")
    elif isinstance(form, type):
        assert type(value) is form, at
    elif form in FORMS:
        assert isinstance(value, str) and re.fullmatch(FORMS[form], value) and (form == "int64" or not re.fullmatch("0+", value)), at
    else:
        for k, v in value.items():
            assert k in FIELDS[form], f"{at}: {form} has no field {k}"
            check(v, FIELDS[form][k], f"{at}.{k}")


request = json.load(open(sys.argv[1]))
check(request, "request", "")
lines = []
for resource in request["resourceSpans"]:
    keys = {a["key"]: a["value"] for a in resource["resource"]["attributes"]}
    assert "service.name" in keys
    for scope in resource["scopeSpans"]:
        spans = {s["spanId"]: s for s in scope["spans"]}
        assert len(spans) == len(scope["spans"])
        for s in spans.values():
            assert s["kind"] == 1 and int(s["startTimeUnixNano"]) <= int(s["endTimeUnixNano"])
            up = spans[s["parentSpanId"]] if "parentSpanId" in s else None
            if up:
                assert up["traceId"] == s["traceId"]
                assert int(up["startTimeUnixNano"]) <= int(s["startTimeUnixNano"]) <= int(s["endTimeUnixNano"]) <= int(up["endTimeUnixNano"])
            else:
                assert sum(t["traceId"] == s["traceId"] and "parentSpanId" not in t for t in spans.values()) == 1
            a = {x["key"]: list(x["value"].values())[0] for x in s["attributes"]}
            assert s["name"] == a["code.namespace"] + "." + a["code.function"] and a["graft.method"].startswith(s["name"] + "(")
            lines.append(f"{s['name']} {up['name'] if up else '-'} {s['status'].get('code', 0)} {a['thread.name'].split()[0]}")
print("\n".join(sorted(lines)))
