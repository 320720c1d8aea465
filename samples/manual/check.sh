#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Each example of the manual pages is run and prints what expected.txt says; the examples in the heads of the headers, taken
# from there, compile and run.
set -u
jdk=$1 scratch=$3 failed=0
here=$(cd "$(dirname "$0")" && pwd) top=$(cd "$(dirname "$0")/../.." && pwd)
"$jdk/bin/javac" -g -d "$scratch" "$here/Demo.java" || exit 1
"$BUILD/samples/manual" "$scratch/Demo.class" >"$scratch/out" 2>&1 || { echo "exit code $?"; failed=1; }
diff "$here/expected.txt" "$scratch/out" || failed=1
# what is no class file, and a class without the methods the examples look for, is left alone
mkdir -p "$scratch/other" && echo 'class Other { }' >"$scratch/other/Other.java" && "$jdk/bin/javac" -d "$scratch/other" "$scratch/other/Other.java" || exit 1
head -c 100 "$scratch/Demo.class" >"$scratch/other/cut"
for file in Other.class cut; do
    "$BUILD/samples/manual" "$scratch/other/$file" >"$scratch/out" 2>&1 || { echo "$file: exit code $?"; failed=1; }
    grep -q 'left as it is' "$scratch/out" || { echo "$file: nothing is told"; failed=1; }
done

# head_example HEADER TEXT: the indented lines behind the line that has TEXT.
head_example() {
    awk -v text="$2" 'index($0, text) { found = 1; next }
        found && /^ \*     / { print substr($0, 8); seen = 1; next }
        found && /^ \*$/ { print ""; next }
        seen { exit }' "$top/$1"
}
compile() { # OUTPUT SOURCE OPTION...
    "${CC:-gcc}" -std=gnu11 -Wall -Wextra -Werror -Wno-unused-parameter -Wno-unused-variable -Wno-unused-but-set-variable \
        ${SANITIZE-} -I"$top/bci-lib" -I"$top/classfile" -I"$top/classfile/base" -I"$jdk/include" -I"$jdk/include/linux" \
        "$2" "$BUILD/libbci.a" "$BUILD/libclassfile.a" -o "$1" "${@:3}" 2>"$scratch/err" ||
        { head -5 "$scratch/err"; failed=1; return 1; }
}
in_head() { # HEADER TEXT: as the body of a function that is given a class file
    {
        printf '#include <stdlib.h>\n#include "bci_plan.h"\n#include "cf_types.h"\n'
        printf 'static int used;\nstatic void use(const void *p, size_t n) { used += p && n; }\n'
        printf 'static void example(const uint8_t *bytes, size_t len, size_t size, CfClass *c, CfArena *arena,\n'
        printf '    const CfMember *method, CfCode code, const CfHierarchy *oracle, bool strict)\n{\n'
        printf '    uint32_t pc = 0; CfInsn i = {0}; (void)use;\n    {\n'
        head_example "$1" "$2" | sed 's/pc, &i)) {/pc, \&i)) { pc += i.len;/'
        printf '    }\n}\nint main(int argc, char **argv)\n{\n    static uint8_t b[65536];\n    FILE *f = fopen(argv[1], "rb");\n'
        printf '    size_t n = fread(b, 1, sizeof b, f);\n    CfArena a; CfClass *c; CfCode code;\n    cf_arena_init(&a, "", 0);\n'
        printf '    if (cf_parse(&c, b, n, &a, NULL, NULL) != CF_OK || cf_code(c, &c->methods[0], &a, &code, NULL) != CF_OK)\n'
        printf '        return 1;\n    example(b, n, n, c, &a, &c->methods[0], code, NULL, false);\n    return 0;\n}\n'
    } >"$scratch/head.c"
    [ "$(head_example "$1" "$2" | grep -c .)" -ge 5 ] || { echo "$1 has no example behind \"$2\""; failed=1; }
    compile "$scratch/head" "$scratch/head.c" && { "$scratch/head" "$scratch/Demo.class" >"$scratch/said" 2>&1 ||
        { echo "$1: exit code $?"; cat "$scratch/said"; failed=1; }; }
}
in_head bci-lib/bci.h "THE SHORTEST USEFUL EDIT"
in_head bci-lib/bci_plan.h "any number of classes from any thread"
in_head classfile/classfile.h " * EXAMPLE"
grep -q '^sum$' "$scratch/said" || { echo "the example of classfile.h prints no names"; failed=1; }
in_head classfile/cf_types.h " * USE"

# The agent of bci_agent.h: a library that the reference VM loads and runs with.
{
    printf '#include <stdio.h>\n#include "bci_agent.h"\n'
    head_example bci-lib/bci_agent.h "links against nothing" | sed 's/{ \.\.\. }/{ puts("entered"); fflush(stdout); }/; s/"\*\*"/"HelloManual"/'
} >"$scratch/agent.c"
cat >"$scratch/HelloManual.java" <<'J'
class HelloManual { public static void main(String[] a) { } }
J
"$jdk/bin/javac" -d "$scratch" "$scratch/HelloManual.java"
case ${SANITIZE-} in
"") compile "$scratch/libagent.so" "$scratch/agent.c" -shared -fPIC &&
    [ "$("$jdk/bin/java" -agentpath:"$scratch/libagent.so" -cp "$scratch" HelloManual)" = entered ] ||
        { echo "the example of bci_agent.h does not say that main was entered"; failed=1; } ;;
esac
exit $failed
