#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""mutants.py SAMPLES BIN N [SEED]: each kind of file that a tool reads, damaged N times, given to the tools that read it.

SAMPLES is what mutants.sh makes. A tool must end by itself with one of its exit codes and, if it failed, say why, in lines that a terminal
can show. The damaged file and what stood where the result was to go stay as they are.
"""
import os, random, re, shutil, subprocess, sys

samples, tools, rounds = sys.argv[1], os.path.realpath(sys.argv[2]), int(sys.argv[3])
random.seed(int(sys.argv[4]) if len(sys.argv) > 4 else 5)
os.chdir(samples)
COVERAGE, HEAP, CLASS = (tools + '/graft-' + t for t in ('coverage', 'heap', 'class'))
OLD = 'kept before'
LIMIT = 120
CONTROL = re.compile(rb'(?!\x1b\[[0-9;]*m)[\x00-\x08\x0b-\x1f]')  # a colour does no harm
REPORTS = ['--html=o/html'] + ['--%s=o/%s' % (f, f) for f in ('lcov', 'xml', 'cobertura', 'csv', 'json', 'sarif', 'annotations')]


def coverage_commands(bad):
    return [[COVERAGE] + words for words in (
        ['report', bad], ['report', '--source=src', bad] + REPORTS, ['epochs', bad], ['epochs', '--at=Hit:4', bad],
        ['report', '--epoch=p.A.*', bad], ['dump', bad], ['info', bad], ['merge', '--out=o/merged', bad, 'plain.dat'],
        ['compare', bad, 'plain.dat'], ['compare', 'plain.dat', bad, '--html=o/html'], ['affected', '--since=change.diff', bad],
        ['report', '--diff=change.diff', bad], ['report', bad, 'plain.dat', '--fail-under=line=10'])]


def report(bad, option, *more):
    return [COVERAGE, 'report', option + bad, 'plain.dat', '--html=o/html'] + list(more)


KINDS = {
    'plain.dat': coverage_commands, 'counts.dat': coverage_commands, 'tests.dat': coverage_commands, 'all.dat': coverage_commands,
    'a.heap': lambda bad: [[HEAP, bad, 'b.heap'], [HEAP, 'b.heap', bad, '--html=o/html']],
    'Hit.class': lambda bad: [[CLASS, 'dump', bad], [CLASS, 'verify', bad], [CLASS, 'stats', bad], [CLASS, 'diff', bad, 'Hit.class'],
                              [CLASS, 'dump', '-j', bad], [CLASS, 'diff', '-j', 'Hit.class', bad], report('bad', '--classes=')],
    'all.jar': lambda bad: [report(bad, '--classes='), report(bad, '--source=')],
    'change.diff': lambda bad: [report(bad, '--diff=', '--source=src'), report(bad, '--diff=', '--json=o/json', '--annotations=o/ann'),
                                [COVERAGE, 'affected', '--since=' + bad, 'tests.dat']],
    'gates.txt': lambda bad: [report(bad, '--fail-under=@')],
    'src/Hit.java': lambda bad: [report('bad', '--source='), report('bad', '--source=', '--diff=change.diff')],
}
WORDS = [b'0', b'-1', b'99999999999999999999', b'\x1b[2J', b'\xff\xfe', b'%s%n', b'<', b'\x00', b'2147483648', b'\n', b'../../x', b'\r']


def damaged(data, told):
    """`told`: where it is not zero, which is most of what means anything."""
    data = bytearray(data)
    for _ in range(random.choice([1, 1, 2, 5, 30])):
        n, how = len(data), random.random()
        if not n:
            break
        at = random.choice(told) if random.random() < .8 else random.randrange(n)
        at = min(at + random.choice([0, 0, 0, 1, -1]), n - 1) % n
        if how < .5:
            data[at] = random.choice([0, 1, 255, 127, 128, random.randrange(256), data[at] ^ 1 << random.randrange(8)])
        elif how < .65:
            width = random.choice([2, 4, 8])
            data[at:at + width] = random.choice([b'\xff' * width, bytes(width), (1 << 31).to_bytes(8, 'little')[:width]])
        elif how < .75:
            data[at:at] = random.choice(WORDS)
        elif how < .85:
            del data[at:at + random.choice([1, 2, 17, 4096])]
        elif how < .93:
            data[at:at] = data[at:at + random.choice([1, 8, 100, 4096])]
        else:
            del data[at:]
    return bytes(data)


def place(kind, mutant):
    """The mutant by its name, and by that of the sample in a folder."""
    bad = 'bad' + os.path.splitext(kind)[1]
    for folder in ('o', 'bad'):
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
    for name in (bad, 'bad/' + os.path.basename(kind)):
        with open(name, 'wb') as f:
            f.write(mutant)
    with open('o/merged', 'w') as f:
        f.write(OLD)
    return bad


def read(name):
    with open(name, 'rb') as f:
        return f.read()


def judge(words):
    try:
        done = subprocess.run(words, capture_output=True, timeout=LIMIT)
        code, out, err = done.returncode, done.stdout, done.stderr
    except subprocess.TimeoutExpired:
        code, out, err = 'too long', b'', b''
    wrong = []
    if code not in (0, 1, 2, 3, 4) or b'Sanitizer' in err or b'runtime error' in err:
        wrong.append('exit code %s' % code)
    if code in (1, 2) and not (err + out).strip():
        wrong.append('nothing is said')
    if CONTROL.search(err) or CONTROL.search(out):
        wrong.append('control characters')
    if code != 0 and read('o/merged') != OLD.encode():
        wrong.append('the file of before is gone')
    if [p for p in os.listdir('o') if p.startswith('merged') and p != 'merged']:
        wrong.append('files are left behind: %s' % os.listdir('o'))
    return wrong, (err or out)[-600:]


count = failed = 0
for kind, commands in KINDS.items():
    data = read(kind)
    told = [k for k, b in enumerate(data) if b]
    for i in range(rounds):
        mutant = damaged(data, told) if i else b''
        bad = place(kind, mutant)
        words = commands(bad)[i % len(commands(bad))]
        wrong, said = judge(words)
        if read(bad) != mutant:
            wrong.append('the damaged file was changed')
        count += 1
        if wrong:
            failed += 1
            print(kind, i, ' '.join(words), wrong, ascii(said.decode(errors='replace')))
print('%d mutants, %d failed' % (count, failed))
sys.exit(failed > 0)
