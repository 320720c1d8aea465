# SPDX-License-Identifier: Apache-2.0
#
# The part `programs` of run-jit: whole real programs, each some seconds on the reference, by the default VM and
# by Graft in turn. A program is a row of PROGRAMS; the last argument of most of them says how long it takes.
# Each run has a fresh folder; what a program prints and all files that it leaves must be the same on both. A
# server is asked by Load, in a VM of the reference for both.
#
# The part `languages` takes the programs whose last argument says how many rounds they make: what a round after the third takes.
import collections, glob, hashlib, os, re, shutil, statistics, subprocess, threading, time

HERE = os.path.dirname(os.path.abspath(__file__))
SHARE = "/usr/share/java/"
SECONDS = 300           # more is a failure
CONNECTIONS = "8"

# name, package, jars (patterns), drivers (compiled against the jars), arguments of java ({here}: this folder,
# {files}: a list of sources); requests: it is a server, asked so often; mask: what its output has of times.
Program = collections.namedtuple("Program", "name package jars drivers arguments requests mask", defaults=(0, None))
TOMCAT = "tomcat10-{catalina,coyote,util,util-scan,juli,api,servlet-api,jsp-api,el-api,annotations-api,jni,jaspic-api}"
JUNIT = ("junit-platform-{commons,engine,launcher,reporting,console} junit-jupiter-{api,engine,params} opentest4j apiguardian-api "
         "picocli univocity-parsers")
RUBY_OPENS = " ".join(f"--add-opens java.base/{p}=ALL-UNNAMED" for p in ("java.io", "java.nio.channels", "sun.nio.ch"))
KOTLIN = "/usr/share/kotlin/kotlinc/lib"
PROGRAMS = [
    Program("javac", "", "", "", "-Xms8m --add-modules ALL-DEFAULT -m jdk.compiler/com.sun.tools.javac.Main -g -nowarn -Xlint:none "
            "-encoding UTF-8 -d made @{files}"),
    Program("ecj", "ecj", "eclipse-jdt-core {eclipse-*,equinox-*,org.eclipse.*,ecj}", "", "org.eclipse.jdt.internal.compiler.batch.Main "
            "-11 -g -warn:none -proc:none -encoding UTF-8 -d made @{files}"),
    Program("Clojure", "clojure", "clojure {spec-alpha-clojure,spec.alpha} {core-specs-alpha-clojure,core.specs.alpha}", "",
            "clojure.main {here}/script.clj 3"),
    Program("Groovy", "groovy", "/usr/share/groovy/lib/*", "", "-Duser.home=. groovy.lang.GroovyShell {here}/script.groovy 3"),
    Program("JRuby", "jruby", "/usr/share/jruby/lib/*", "", "-Duser.home=. -Djruby.home=/usr/share/jruby "
            f"-Djruby.lib=/usr/share/jruby/lib {RUBY_OPENS} org.jruby.Main --disable-gems {{here}}/script.rb 3"),
    Program("Jython", "jython", "jython", "", "-Duser.home=. -Dpython.home=/usr/share/jython -Dpython.cachedir.skip=true "
            "org.python.util.jython -S {here}/script.py 3"),
    Program("Kotlin", "kotlin", f"{KOTLIN}/kotlin-stdlib", "Script.kt", "ScriptKt 3"),
    Program("Lucene", "liblucene4.10-java", "lucene-{core,analyzers-common,queryparser,queries}-4.10.4", "SearchIndex",
            "SearchIndex 8000 6000"),
    Program("H2", "libh2-java", "h2", "SqlLoad", "SqlLoad jdbc:h2:mem:t 60000"),
    Program("FOP", "libfop-java", "{fop,fop-core,fop-util,fop-events,batik-all,xmlgraphics-commons,commons-io,commons-logging,fontbox2,"
            "xml-apis-ext,xercesImpl,xalan2,serializer}", "Document", "-Djava.awt.headless=true Document 250"),
    Program("Tomcat", "libtomcat10-java", TOMCAT, "Page TomcatPages", "TomcatPages", 60000),
    Program("Jetty", "libjetty9-java libjetty9-extra-java", "jetty9-{server,servlet,util,http,io,security,util-ajax} servlet-api slf4j-api "
            "slf4j-nop", "Page JettyPages", "JettyPages", 60000),
    Program("JUnit", "junit5 libcommons-lang3-java", JUNIT + " commons-lang3", "LangTests", "-Dtests=3000 "
            "org.junit.platform.console.ConsoleLauncher --disable-banner --disable-ansi-colors --details=none -c LangTests",
            mask=rb"after \d+ ms"),
]
NAMES = [p.name for p in PROGRAMS]
LANGUAGES = ["Clojure", "Groovy", "JRuby", "Jython", "Kotlin"]
FEW, MANY = 3, 9        # rounds
Run = collections.namedtuple("Run", "told wall cpu peak rate late")


class Failed(Exception):
    pass


class Skipped(Exception):
    pass


def alternatives(pattern):
    """a-{b,c} as a shell has it."""
    m = re.match(r"(.*)\{(.*)\}(.*)", pattern)
    return [m[1] + word + m[3] for word in m[2].split(",")] if m else [pattern]


def class_path(program):
    """Jars of the program. Where nothing fits a pattern, its package is absent; of the alternatives in {} one is enough."""
    found = []
    for pattern in program.jars.split():
        jars = [j for a in alternatives(pattern) for j in sorted(glob.glob(os.path.join(SHARE, a + ".jar")))]
        if not jars:
            raise Skipped(f"{pattern}.jar is missing, of package {program.package}")
        found += jars
    return ":".join(dict.fromkeys(found))


def java_files(out):
    """The list of files for compilers: over 900 of commons-math3."""
    names = sorted(glob.glob("build/sources/math3/**/*.java", recursive=True))
    if len(names) < 500:
        raise Skipped("build/sources/math3 is missing: tests/sources.sh fetches it")
    with open(out + "/files", "w") as f:
        f.write("\n".join(map(os.path.abspath, names)))
    return out + "/files"


def compiled(jdk, drivers, cp, out):
    sources = [f"{HERE}/{d}" if d.endswith(".kt") else f"{HERE}/{d}.java" for d in drivers.split()]
    if not sources:
        return
    compiler = [jdk + "/bin/javac", "-nowarn", "-proc:none"]
    if sources[0].endswith(".kt"):
        compiler = [jdk + "/bin/java", "-cp", f"{KOTLIN}/kotlin-preloader.jar", "org.jetbrains.kotlin.preloading.Preloader", "-cp",
                    f"{KOTLIN}/kotlin-compiler.jar", "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler", "-kotlin-home", os.path.dirname(KOTLIN), "-nowarn"]
    p = subprocess.run(compiler + ["-cp", cp, "-d", out] + sources, stderr=subprocess.PIPE, text=True)
    if p.returncode:
        raise Failed("a driver does not compile: " + p.stderr[-500:])


def prepared(program, jdk, out):
    """Arguments of java, with everything they name in place."""
    os.makedirs(out)
    cp = class_path(program)
    compiled(jdk, program.drivers, cp, out)
    files = java_files(out) if "{files}" in program.arguments else ""
    return ["-cp", ":".join(filter(None, (cp, out)))] + program.arguments.format(here=HERE, files=files).split()


def digest(folder):
    """One word for names and contents of all files left behind."""
    total = hashlib.sha256()
    for path in sorted(glob.glob(folder + "/**", recursive=True)):
        if os.path.isfile(path):
            with open(path, "rb") as f:
                total.update(os.path.relpath(path, folder).encode() + b"\0" + hashlib.sha256(f.read()).digest())
    return total.hexdigest()


def ask(server, jdk, classes, requests):
    """Load on the server, which prints its port and ends with its standard input: answers' sum, requests a second, microseconds."""
    port = server.stdout.readline().decode().strip()
    if not port:
        return b"", 0, 0
    client = subprocess.run([jdk + "/bin/java", "-cp", classes, "Load", port, CONNECTIONS, str(requests)], stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, timeout=SECONDS)
    server.stdin.close()
    words = client.stdout.split()
    if client.returncode or len(words) != 3:
        raise Failed("the client: " + client.stdout.decode("utf-8", "replace")[-500:])
    return words[2], int(words[0]), int(words[1])


def run(program, jdk, vm, arguments, out):
    """One run in a fresh folder; Failed if it fails or takes too long."""
    folder = out + "/work"
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    rate = late = 0
    with open(out + "/err", "w+b") as err:
        started = time.monotonic()
        p = subprocess.Popen(vm + arguments, cwd=folder, stdout=subprocess.PIPE, stderr=err,
                             stdin=subprocess.PIPE if program.requests else subprocess.DEVNULL)
        watch = threading.Timer(SECONDS, p.kill)
        watch.start()
        try:
            told, rate, late = ask(p, jdk, out, program.requests) if program.requests else (b"", 0, 0)
            told += p.stdout.read()
        except BaseException:
            p.kill()
            raise
        finally:
            _, status, usage = os.wait4(p.pid, 0)
            p.returncode = os.waitstatus_to_exitcode(status)
            watch.cancel()
        wall = time.monotonic() - started
        err.seek(0)
        message = err.read().decode("utf-8", "replace")
    if p.returncode:
        raise Failed(f"exit code {p.returncode}: {' '.join(vm + program.arguments.split())}: {(str(told, 'utf-8', 'replace') + message)[-800:]}")
    if program.mask:
        told = re.sub(program.mask, b"", told)
    return Run((told, "" if program.requests else digest(folder)), wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, rate, late)


def measured(program, jdk, vms, runs, out):
    """Runs by VM, the VMs in turn."""
    arguments = prepared(program, jdk, out)
    if program.requests:
        compiled(jdk, "Load", "", out)
    seen = {vm: [] for vm in vms}
    for _ in range(runs):
        for vm in vms:
            r = run(program, jdk, vms[vm], arguments, out)
            want = next((rows[0] for rows in seen.values() if rows), r)
            if r.told != want.told:
                raise Failed(f"{vm} tells {r.told[0][-200:]!r} {r.told[1][:8]}, not {want.told[0][-200:]!r} {want.told[1][:8]}")
            seen[vm].append(r)
    return seen


def spread(values):
    """By how much the runs differ: quartiles to the median."""
    values, n = sorted(values), len(values)
    return (values[3 * n // 4] - values[n // 4]) / statistics.median(values) if n > 1 else 0


def row(name, seen, ratios):
    line = f"{name:10}"
    of = lambda vm, figure: [getattr(r, figure) for r in seen[vm]]
    for figure, scale in (("wall", 1), ("cpu", 1), ("peak", 1)):
        d, g = (statistics.median(of(vm, figure)) for vm in ("default", "graft"))
        line += f"{d:9.1f}{g:8.1f}{g / d:6.2f}{spread(of('default', figure)):6.0%}"
        ratios[figure].append((g / d, name))
    print(line, flush=True)
    if seen["graft"][0].rate:
        d, g, dl, gl = (statistics.median(of(vm, figure)) for figure in ("rate", "late") for vm in ("default", "graft"))
        print(f"{'':10} requests a second {d:.0f} to {g:.0f} ({g / d:.2f}), 99th percentile {dl / 1000:.1f} to {gl / 1000:.1f} ms ({gl / dl:.2f})"
              f", noise {spread(of('default', 'rate')):.0%}, {spread(of('default', 'late')):.0%}", flush=True)


def table(jdk, vms, runs, out, chosen, summary):
    """vms: name -> command, of default and graft; chosen: names of programs."""
    print(f"{'programs':10}{'wall (s)':>9}{'graft':>8}{'/def':>6}{'noise':>6}{'CPU (s)':>9}{'graft':>8}{'/def':>6}{'noise':>6}"
          f"{'MB':>9}{'graft':>8}{'/def':>6}{'noise':>6}   goals: wall <= 1.1, CPU <= 1.0; medians of {runs}", flush=True)
    ratios = {"wall": [], "cpu": [], "peak": []}
    for program in PROGRAMS:
        if program.name not in chosen:
            continue
        try:
            row(program.name, measured(program, jdk, vms, runs, f"{out}/programs/{program.name}"), ratios)
        except Skipped as reason:
            print(f"{program.name:10} skipped: {reason}", flush=True)
        except (Failed, OSError, subprocess.TimeoutExpired) as reason:
            print(f"{program.name:10} failed: {reason}", flush=True)
    summary("programs", ratios, {"wall": "<= 1.1", "cpu": "<= 1.0", "peak": "-"})


def rounds(program, jdk, vms, runs, out):
    """Seconds and processor seconds of a round after the first ones, by VM: medians of (many rounds - few) / those between."""
    arguments, seen, told = prepared(program, jdk, out), {vm: [] for vm in vms}, {}
    for _ in range(runs):
        for vm in vms:
            few, many = (run(program, jdk, vms[vm], arguments[:-1] + [str(n)], out) for n in (FEW, MANY))
            for n, r in ((FEW, few), (MANY, many)):
                if told.setdefault(n, r.told[0]) != r.told[0]:
                    raise Failed(f"{vm} tells {r.told[0][-200:]!r}, not {told[n][-200:]!r}")
            seen[vm].append([(getattr(many, f) - getattr(few, f)) / (MANY - FEW) for f in ("wall", "cpu")])
    return {vm: [max(statistics.median(r[i] for r in rows), 1e-3) for i in (0, 1)] for vm, rows in seen.items()}


def languages(jdk, vms, runs, out, summary):
    print(f"{'languages':10}{'wall (s)':>9}{'graft':>8}{'/def':>6}{'CPU (s)':>9}{'graft':>8}{'/def':>6}   a round after the first {FEW}; medians of {runs}",
          flush=True)
    ratios = {"wall": [], "cpu": []}
    for program in (p for p in PROGRAMS if p.name in LANGUAGES):
        try:
            m = rounds(program, jdk, vms, runs, f"{out}/languages/{program.name}")
        except Skipped as reason:
            print(f"{program.name:10} skipped: {reason}", flush=True)
            continue
        except (Failed, OSError, subprocess.TimeoutExpired) as reason:
            print(f"{program.name:10} failed: {reason}", flush=True)
            continue
        line = f"{program.name:10}"
        for i, figure in enumerate(ratios):
            d, g = m["default"][i], m["graft"][i]
            line += f"{d:9.2f}{g:8.2f}{g / d:6.2f}"
            ratios[figure].append((g / d, program.name))
        print(line, flush=True)
    summary("languages", ratios, {"wall": "<= 1.3", "cpu": "<= 1.3"})
