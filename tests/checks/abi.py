# SPDX-License-Identifier: Apache-2.0
"""abi.py SONAME <INFO: the binary interface of the public headers, a line for each fact, out of what `readelf --debug-dump=info` says
of a file that includes them and names every exported function.

  function NAME: RESULT (PARAMETERS)       data NAME: TYPE            type NAME: TYPE
  struct NAME: BYTES                       struct NAME at OFFSET: FIELD, TYPE
  constant NAME: VALUE                     (of an enum)

Structs without a name are written as the type of their field, or by the name of their typedef.
"""
import re
import sys

OURS = re.compile(r"(cf|bci)", re.IGNORECASE)
KINDS = {"DW_TAG_structure_type": "struct", "DW_TAG_union_type": "union", "DW_TAG_enumeration_type": "enum"}


class Die:
    def __init__(self, tag, depth):
        self.tag, self.depth, self.attributes, self.children = tag, depth, {}, []

    def name(self):
        return self.attributes.get("name")

    def number(self, key):
        return int(self.attributes.get(key, "0").split()[0], 0)

    def reference(self):
        found = re.match(r"<0x(\w+)>", self.attributes.get("type", ""))
        return int(found[1], 16) if found else None


def read(lines):
    """All entries by their offset, and those of the top."""
    by_offset, open_dies, die = {}, [], None
    for line in lines:
        head = re.match(r" *<(\w+)><(\w+)>: Abbrev Number: \d+ \((\w+)\)", line)
        if head:
            die = Die(head[3], int(head[1], 16))
            by_offset[int(head[2], 16)] = die
            del open_dies[die.depth:]
            if open_dies:
                open_dies[-1].children.append(die)
            open_dies.append(die)
            continue
        # readelf tells the form in front or not: "(strp) (offset: 0x1): x", "(indirect string, offset: 0x1): x", "x"
        attribute = re.match(r" *<\w+> +DW_AT_(\w+) *: (?:\(\w+\) )?(?:\([^)]*offset: \w+\): )?(.*)", line)
        if attribute and die:
            die.attributes[attribute[1]] = attribute[2].strip()
    return by_offset, [d for d in by_offset.values() if d.depth == 1]


def parameters(die, types):
    parts = [types(c) for c in die.children if c.tag == "DW_TAG_formal_parameter"]
    if any(c.tag == "DW_TAG_unspecified_parameters" for c in die.children):
        parts.append("...")
    return "(" + (", ".join(parts) or "void") + ")"


def make_types(by_offset):
    """A function that writes the type of an entry (its DW_AT_type) down."""
    def spell(die):
        if die is None:
            return "void"
        inner = lambda: types(die)
        if die.tag == "DW_TAG_pointer_type":
            return inner() + "*"
        if die.tag == "DW_TAG_const_type":
            return inner() if inner().startswith("const ") else inner() + " const" if inner().endswith("*") else "const " + inner()
        if die.tag == "DW_TAG_volatile_type":
            return "volatile " + inner()
        if die.tag == "DW_TAG_array_type":
            bounds = [c.attributes.get("upper_bound") for c in die.children if c.tag == "DW_TAG_subrange_type"]
            return inner() + "".join("[]" if b is None else f"[{int(b.split()[0], 0) + 1}]" for b in bounds)
        if die.tag == "DW_TAG_subroutine_type":
            return f"{inner()} {parameters(die, types)}"
        if die.name():
            return die.name()
        if die.tag in KINDS:
            return KINDS[die.tag] + " { " + "; ".join(field(c) for c in die.children if c.tag == "DW_TAG_member") + " }"
        return die.tag

    def field(die):
        return f"{types(die)} {die.name() or ''} at {die.number('data_member_location')}".replace("  ", " ")

    def types(die):
        return spell(by_offset.get(die.reference()))

    return types


def facts(by_offset, top):
    types = make_types(by_offset)
    target = lambda die: by_offset.get(die.reference())
    aggregates = {}
    for die in top:
        if die.tag in KINDS and die.name():
            aggregates[id(die)] = die.name(), die
        elif die.tag == "DW_TAG_typedef" and target(die) and target(die).tag in KINDS and not target(die).name():
            aggregates[id(target(die))] = die.name(), target(die)
    for die in top:
        name = die.name() or ""
        if die.tag == "DW_TAG_enumeration_type":
            yield from (f"constant {c.name()}: {c.number('const_value')}" for c in die.children if OURS.match(c.name()))
        elif not OURS.match(name):
            continue
        elif die.tag == "DW_TAG_subprogram" and "external" in die.attributes:
            yield f"function {name}: {types(die)} {parameters(die, types)}"
        elif die.tag == "DW_TAG_variable" and "external" in die.attributes:
            yield f"data {name}: {types(die)}"
        elif die.tag == "DW_TAG_typedef" and types(die) != name and id(target(die)) not in aggregates:
            yield f"type {name}: {types(die)}"
    for name, die in aggregates.values():
        if OURS.match(name) and die.tag != "DW_TAG_enumeration_type" and "declaration" not in die.attributes:
            kind = KINDS[die.tag]
            yield f"{kind} {name}: {die.number('byte_size')} bytes"
            for c in (c for c in die.children if c.tag == "DW_TAG_member"):
                yield f"{kind} {name} at {c.number('data_member_location'):>3}: {c.name() or '(no name)'}, {types(c)}"


print(f"soname {sys.argv[1]}")
print("\n".join(sorted(set(facts(*read(sys.stdin))))))
