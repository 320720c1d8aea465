#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 900
#
# The rewriting library as its users get it: installed, each public header compiles alone in C11, C++17 and
# C++20; the shared library exports exactly bci_exports.def, and a program built with pkg-config's flags runs.
set -u
jdk=$1 scratch=$(realpath -m "$3") bad=0
root=$scratch/root
rm -rf "$root"; mkdir -p "$root"
make -s install-lib BUILD="$BUILD" JDK="$jdk" PREFIX="$root" >"$scratch/log" 2>&1 || { tail "$scratch/log"; exit 1; }

# Others compile the headers with warnings of their own choice, in the language and with the sanitizer of their own choice.
languages=("${CC:-gcc} -xc -std=c11" "${CXX:-g++} -xc++ -std=c++17" "${CXX:-g++} -xc++ -std=c++20")
[ -z "$(command -v clang)" ] || languages+=("clang -xc -std=c11")
[ -z "$(command -v clang++)" ] || languages+=("clang++ -xc++ -std=c++17" "clang++ -xc++ -std=c++20")
for h in "$root"/include/graft/*.h; do
    for lang in "${languages[@]}"; do
        for sanitize in "" -fsanitize=address; do
            echo "#include \"$(basename "$h")\"" | $lang $sanitize -Wall -Wextra -pedantic -Werror -I"$root/include/graft" \
                -I"$jdk/include" -I"$jdk/include/linux" -fsyntax-only - 2>"$scratch/err" ||
                { echo "$(basename "$h"): $lang $sanitize"; head -3 "$scratch/err"; bad=1; }
        done
    done
done

listed=$(sed -n 's/^EXPORT(\(.*\))$/\1/p' bci-lib/bci_exports.def | sort)
exported=$(nm -D --defined-only "$root/lib/libbci.so" | awk '{print $3}' | sort)
[ "$listed" = "$exported" ] || { diff <(echo "$listed") <(echo "$exported"); bad=1; }

# The manual: each exported function and table has a page, each group of functions an example.
docs/mkmanual "$scratch/man" 0 bci-lib/bci{,_plan,_agent}.h classfile/{classfile,cf_types}.h classfile/base/*.h >"$scratch/missing"
[ ! -s "$scratch/missing" ] || { cat "$scratch/missing"; bad=1; }
for name in $listed; do
    [ -e "$root/share/man/man3/$name.3" ] || { echo "no manual page for $name"; bad=1; }
done
grep -q 'bci_on_edge(code, i' "$root/share/man/man3/bci-positions.3" || { echo "no example in bci-positions"; bad=1; }
[ "$(cat "$root/share/man/man3/bci_before.3")" = ".so man3/bci-positions.3" ] || { echo "bci_before leads nowhere"; bad=1; }

cat >"$scratch/user.c" <<'C'
#include <bci_plan.h>
#include <err.h> /* the system's: no header of ours may have a name of its */
#include <stdio.h>
int main(void)
{
    if (!cf_err_class(CF_ERR_FORMAT)) errx(1, "no name");
    BciPlan *p = bci_plan_new(0);
    bci_call(bci_rule(p, "**"), BCI_ENTRY, NULL, "P.enter(I)V", "name");
    puts(bci_plan_seal(p));
    bci_plan_free(p);
    return 0;
}
C
export PKG_CONFIG_PATH=$root/lib/pkgconfig
flags=$(pkg-config --cflags --libs bci 2>/dev/null) || flags="-I$root/include/graft -L$root/lib -lbci"
for static in "" "$root/lib/libbci.a $root/lib/libclassfile.a -pthread"; do
    # shellcheck disable=SC2086
    "${CC:-gcc}" "$scratch/user.c" ${static:--Wl,-rpath,$root/lib} -I"$root/include/graft" ${static:+} $flags -o "$scratch/user" ||
        { bad=1; continue; }
    got=$("$scratch/user")
    [ "$got" = 'P.enter(I)V: "name" does not fit parameter 0 of type I' ] || { echo "$got"; bad=1; }
done
exit $bad
