#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
#
# What natives ask of JNI, the references they leave, the arguments they get and give, on both VMs: exact numbers, and the program
# behaves as without the agent.
. "$(dirname "$0")/../jvmti/common.sh"
natives=$BUILD/agents/libgraft-natives.so
compile "$here/../natives/Asking.java"
bad() { echo "$side: $*"; failed=1; }
functions() { # native: its functions and their numbers
    awk -v n="$1" '/^JNI functions/{on = 1} /^References/{on = 0} on && !/^ *[0-9.]+ +[0-9.]+ +[0-9]+     /{inside = substr($0, 38) == n}
        on && inside && /^ *[0-9.]+ +[0-9.]+ +[0-9]+     /{$1 = $2 = ""; print}' table | sed 's/^ *//' | sort
}
is() { # what expected found
    compared=$((compared + 1))
    diff <(printf '%s\n' "$2" | sed 's/^ *//') <(printf '%s\n' "$3") >diff || { bad "$1:"; head -20 diff; }
}
for side in hotspot graft; do
    [ $side = graft ] || ! settled || continue
    home=$jdk; [ $side = graft ] && home=$tested
    java() { "$home/bin/java" $([ $side = graft ] && echo "${MODE_OPTIONS-}") -cp classes -Djava.library.path="$native" "$@"; }
    java Asking >plain 2>&1 || bad "exit code $?"
    java "-agentpath:$natives=include=Asking.*,jni,refs,args=Asking.told:Asking.of:Asking.add:Asking.<init>:Asking.fail,file=table" Asking >out 2>&1 || bad "exit code $?"
    is output "$(cat plain)" "$(cat out)"
    is callBack '1 CallStaticVoidMethod Asking.fail(int)
        1 GetStaticMethodID
        2 GetMethodID
        50 CallVoidMethod Asking.back(int)
        50 CallVoidMethodA Asking.back(int)' "$(functions 'Asking.callBack(Asking, int)')"
    is callStatics '1 GetStaticFieldID
        1 GetStaticMethodID
        1 SetStaticDoubleField
        2 CallStaticDoubleMethod Asking.add(byte, float, double, long, char)' "$(functions 'Asking.callStatics(double, long)')"
    is make '1 GetMethodID
        1 NewObject Asking.<init>(java.lang.String)' "$(functions 'Asking.make(java.lang.String)')"
    is keep '2030 NewGlobalRef
        4 NewWeakGlobalRef' "$(functions 'Asking.keep(java.lang.Object, boolean)')"
    is drop '1 DeleteWeakGlobalRef
        2010 DeleteGlobalRef' "$(functions 'Asking.drop(long, boolean)')"
    is references 'Asking.keep(java.lang.Object, boolean); one is of a int[]
        from Asking.leak(int)
        from Asking.main(java.lang.String[])
        Asking.keep(java.lang.Object, boolean); one is of a Asking
        from Asking.main(java.lang.String[])' "$(sed -n '/^References/,$p' table | grep -A2 Asking.keep | grep -E ' Asking|from ' | sed -E 's/^ *[0-9]+ +[0-9]+ +[0-9]+ (global|weak) +//; s/^ *//')"
    is "numbers of references" '20 30 10 global
        3 4 1 weak' "$(awk '/^References/{on = 1} on && /Asking.keep.*one is of/{print $1, $2, $3, $4}' table)"
    is arguments '10 Asking.of("text 0")
        10 Asking.of("text 1")
        10 Asking.of("text 2")
        10 Asking.of("text 3")
        10 Asking.of("text 4")
        1 Asking.told(false, 0, '"'\\n'"', 0, 0, 0, 0, 0, "'"$(printf 'l%.0s' {1..60})"'"..., byte[100], null, java.lang.Object[][2], java.lang.String[3])
        1 Asking.told(true, -1, '"'c'"', 2, 3, 4, 1.5, 0.25, "line\n\"\xe9\u20ac", byte[5] "a\x00b", int[9], a Asking, null)
        1 Asking.<init>("made") by Asking.make(java.lang.String)
        1 Asking.add(-1, -0.5, 0.5, 7, '"'y'"') by Asking.callStatics(double, long)
        1 Asking.add(3, 1.5, 0.5, 7, '"'x'"') by Asking.callStatics(double, long)
        1 Asking.fail(-1) by Asking.callBack(Asking, int)' \
        "$(sed -n '/^Arguments/,/^$/p' table | sed 's/^ *//' | grep Asking)"
    grep -q '^ *[0-9.]* .* 2034 .* Asking.keep(java.lang.Object, boolean)$' table || bad "the table of natives"
    java "-agentpath:$natives=refs,top=1,include=Nothing" Asking >out 2>table || bad "refs alone: exit code $?"
    grep -qE '^ +and [0-9]+ more places$' table && ! grep -q 'JNI functions' table || { bad "refs alone"; cat table; }
    java "-agentpath:$natives=args=Asking.*,top=3,include=Asking.*" Asking >out 2>table || bad "args alone: exit code $?"
    grep -q '^ *2000 Asking.keep("x", false)$' table && grep -qE '^ +and [0-9]+ more texts$' table || { bad "args alone"; cat table; }
    java "-agentpath:$natives=jni,args=Asking.back,include=Nothing,top=2000" Asking >out 2>table || bad "upcalls: exit code $?"
    [ "$(grep -cE '^ +1 Asking.back\([0-9]+\) by Asking.callBack\(Asking, int\)$' table)" = 100 ] || { bad upcalls; grep back table | head -3; }
    java "-agentpath:$natives=jni,format=csv" Asking >out 2>&1 && bad "jni with format=csv is accepted"
    grep -q '^\[natives\] args, jni and refs are told in text only' out || bad "no message for jni with format=csv"
    [ $side = graft ] || settle
done
echo "$compared comparisons"
exit $failed
