# SPDX-License-Identifier: Apache-2.0
# Completion of the command graft for bash: the command itself knows its words.
_graft() {
    local cur=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} sub=${COMP_WORDS[1]} i
    COMPREPLY=()
    if [ "$COMP_CWORD" = 1 ] || [ "$sub" = help ]; then
        mapfile -t COMPREPLY < <(compgen -W "$(graft help --words)" -- "$cur")
        return
    fi
    for ((i = 2; i < COMP_CWORD; i++)); do
        [ "${COMP_WORDS[i]}" != -- ] || { _command_offset $((i + 1)) 2>/dev/null || compopt -o default; return; }
    done
    case $cur,$before,$sub in
    -*) mapfile -t COMPREPLY < <(compgen -W "$(graft help --words "$sub") --help --" -- "$cur")
        [[ ${COMPREPLY-} != *= ]] || compopt -o nospace ;;
    *,--attach,* | *,top,top | *,redefine,redefine)
        mapfile -t COMPREPLY < <(compgen -W "$(graft ps 2>/dev/null | awk 'NR > 1 { print $1 }')" -- "$cur") ;;
    *) compopt -o default ;;
    esac
}
complete -F _graft graft
