# Tab in bash, as the installed completions answer it. usage: bash completions.bash, with bash-completion installed
. /usr/share/bash-completion/bash_completion
failures=0

# offers WANTED LINE...: what is offered for the last word of the line, which may be empty
offers() {
    local wanted=$1 answer
    shift
    # Debian 12's bash-completion has the first name, 13's the second.
    if declare -F _comp_load > /dev/null; then _comp_load "$1"; else __load_completion "$1"; fi
    answer=$(complete -p "$1" | sed 's/.*-F \([^ ]*\).*/\1/')
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMP_TYPE=9 COMP_KEY=9 COMPREPLY=()
    COMP_POINT=${#COMP_LINE}
    "$answer" "$1" "${@: -1}" "${@: -2:1}"
    [ "${COMPREPLY[*]}" = "$wanted" ] && return
    echo "bash: \"$*\" offers \"${COMPREPLY[*]}\", not \"$wanted\""
    failures=$((failures + 1))
}

offers mute adhanctl mu
offers maghrib adhanctl mute --until m
offers 'signal standard standard-ar' adhanctl sound play ''
offers fajr adhanctl sound play standard --prayer f
offers Asia/Kuala_Lumpur adhanctl times --timezone Asia/Kua
offers 'mwl moonsighting macedonia maldives morocco' adhanctl setup --method m
offers --config adhand --conf
exit $((failures > 0))
