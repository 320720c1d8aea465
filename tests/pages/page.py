# SPDX-License-Identifier: Apache-2.0
"""page.py PAGE FOLDER: does in an empty folder what a page of docs/tasks tells its reader to do, and compares what it shows.

Fenced blocks of a page, by what stands behind the fence:
  sh             run by one bash for the whole page, each block until a command fails
  text           what the block before it prints, both outputs; "..." stands for any text in a line, alone in a line for any lines
  LANGUAGE FILE  a file the reader makes: its contents
  console        shown only (installing, what a terminal redraws)
A page without anything to run, or a `text` that follows no block, is an error: so no page can pass by being misread.
"""
import os
import re
import signal
import subprocess
import sys


def blocks(text):
    """(line, language, file, contents) of each fenced block."""
    found, lines, at = [], text.split("\n"), 0
    while at < len(lines):
        fence = re.fullmatch(r"```(\w*) ?(.*)", lines[at])
        at += 1
        if not fence:
            continue
        start = at
        while lines[at] != "```":
            at += 1
        found.append((start + 1, fence[1], fence[2], "\n".join(lines[start:at]) + "\n"))
        at += 1
    return found


def line_matches(want, line):
    return re.fullmatch(".*".join(map(re.escape, want.split("..."))), line) is not None


def shows(want, lines):
    """None, or the first wanted line that is not there."""
    if not want:
        return None if not lines else "(nothing more)"
    if want[0] == "...":
        rest = want[1:]
        if not rest:
            return None
        failures = [shows(rest, lines[i:]) for i in range(len(lines)) if line_matches(rest[0], lines[i])]
        return None if None in failures else (failures[0] if failures else rest[0])
    if lines and line_matches(want[0], lines[0]):
        return shows(want[1:], lines[1:])
    return want[0]


def main(page, folder):
    found = blocks(open(page, encoding="utf-8").read())
    steps = [b for b in found if b[1] == "sh" and not b[2]]
    passed = failed = 0
    if not steps:
        print("nothing to run")
        failed += 1
    script, step = ["set -u"], -1
    wanted = {}
    for line, language, file, contents in found:
        if language == "sh" and not file:
            step += 1
            script.append(f"exec >{folder}/step.{step} 2>&1; echo begun >{folder}/code.{step}\n( true; ) ; set -e\ntrap 'echo $? >{folder}/code.{step}' EXIT\n"
                          f"{contents}set +e; trap - EXIT; echo 0 >{folder}/code.{step}")
        elif language == "text":
            if step < 0 or step in wanted:
                print(f"line {line}: it is not clear what prints this")
                failed += 1
            wanted[step] = line, contents.rstrip("\n").split("\n")
        elif file:
            script.append(f"mkdir -p $(dirname {file}); cp {folder}/file.{line} {file}")
            open(f"{folder}/file.{line}", "w").write(contents)
    os.mkdir(folder + "/reader")
    with open(folder + "/script", "w") as f:
        f.write("\n".join(script) + "\n")
    shell = subprocess.Popen(["bash", folder + "/script"], cwd=folder + "/reader", stdin=subprocess.DEVNULL, start_new_session=True)
    shell.wait()
    try:
        os.killpg(shell.pid, signal.SIGKILL)  # what the page has started and left
    except ProcessLookupError:
        pass
    for n, (line, _, _, contents) in enumerate(steps):
        read = lambda name: open(f"{folder}/{name}.{n}", errors="replace").read() if os.path.exists(f"{folder}/{name}.{n}") else ""
        code, out = read("code").strip(), [s.rstrip() for s in read("step").replace("\r", "").split("\n")]
        while out and not out[-1]:
            out.pop()
        if code != "0":
            print(f"line {line}: ends with {code or 'nothing: a step before it failed'}: {contents.splitlines()[-1]}")
            print("\n".join("    " + s for s in out[-12:]))
            failed += 1
            continue
        missing = shows(wanted[n][1], out) if n in wanted else None
        if missing is not None:
            print(f"line {wanted[n][0]}: not shown: {missing}")
            print("\n".join("    " + s for s in out[:40]))
            failed += 1
        else:
            passed += 1
    print(f"{passed} passed, {failed} failed")
    return failed != 0


sys.setrecursionlimit(10000)
sys.exit(main(*sys.argv[1:]))
