# SPDX-License-Identifier: Apache-2.0
# Part of the scripts in this folder.

# read_forms OBJDUMP OPTIONS FOLDER: is FOLDER/code what FOLDER/text says?  There, | is between instructions, and @ for the target of a branch.
read_forms() {
    # shellcheck disable=SC2086
    $1 -D -b binary $2 "$3/code" | awk -F'\t' '
        NF > 2 {
            t = NF > 3 ? $3 " " $4 : $3
            sub(/ *(#|\/\/) .*/, "", t); gsub(/, +/, ",", t); gsub(/ +/, " ", t); sub(/ $/, "", t)
            if (t ~ /^(b|bl|b\.|cbn?z|adr)[a-z]* /) sub(/0x[0-9a-f]+$/, "@", t)
            print t
        }' >"$3/read"
    tr '|' '\n' <"$3/text" >"$3/wanted"
    [ -s "$3/wanted" ] && diff "$3/wanted" "$3/read"
}
