# shellcheck shell=sh
# adhand-report.txt, and how it comes onto a card that may be pulled at any moment. Sourced.

report() {
    echo 'What adhand made of this card'
    echo
    for told in "$state/said"/*; do
        [ -e "$told" ] || continue
        name=$(basename "$told" | tr ':' '/')
        printf '%-24s %s\n' "$name" "$(head -n 1 "$told")"
        tail -n +2 "$told" | sed 's/^/    /'
    done
    [ ! -s "$state/wifi-names" ] || printf '%-24s %s\n' 'Wireless network' "$(cat "$state/wifi-names")"
    misnamed
    echo
    of_the_box
}

# What was meant for the box and has another name.
misnamed() {
    find "$card" -mindepth 1 -maxdepth 1 -type f \( -iname 'adhand.toml.*' -o -iname 'wifi.txt.*' -o -iname 'display.toml.*' \
        -o -iname 'timetable.*.*' -o -iname 'adhand*.toml' -o -iname 'authorized_keys.*' \) ! -iname adhand.toml | LC_ALL=C sort |
        while IFS= read -r file; do
            echo "$(basename "$file") is not read. Windows hides the end of a name: the file is to be called adhand.toml, display.toml,"
            echo '    wifi.txt or timetable.csv, and nothing after it.'
        done
}

of_the_box() {
    if [ ! -e "$etc/adhand/adhand.toml" ]; then
        echo 'The box does not know where it is, and calls nothing. Open adhand.toml on this card with any editor, take away the "#"'
        echo 'before what is yours, save it, and start the box again.'
        return
    fi
    [ ! -e "$state/adhand.toml" ] || cmp -s "$state/adhand.toml" "$etc/adhand/adhand.toml" ||
        echo 'Since adhand.toml was taken over, the configuration was changed on the box itself.'
    [ ! -e "$run/in-memory" ] ||
        echo 'PROBLEM: the part of the card for settings cannot be used: nothing is remembered beyond a restart. Use another card.'
    [ -e "$run/in-memory" ] || case $(cat "$run/damaged" 2>/dev/null) in
        mended)
            echo 'PROBLEM: the part of the card for settings was damaged, and is mended as well as can be: look at what is set. Use another card.' ;;
        'made anew')
            echo 'PROBLEM: the part of the card for settings was damaged, and is made anew: what was set on the box itself is gone. Use another card.' ;;
    esac
    if ! timeout 10 adhanctl --json status > "$work/status" 2>/dev/null; then
        if [ -e "$run/no-clock" ]; then
            echo 'PROBLEM: the time is not known, so nothing is called. Connect the box to the network, or fit a clock with a battery.'
        else
            echo 'PROBLEM: adhand does not run.'
        fi
        return
    fi
    timeout 60 adhanctl --json check 2>/dev/null | jq -r '.problems[] | select(.severity == "problem") | "PROBLEM: " + .message'
    jq -r '"Place        \(.location.name) (\(.location.latitude), \(.location.longitude))
Time zone    \(.location.timezone)
Method       \(.calculation.method), Asr \(.calculation.asr)"' "$work/status"
    echo
    timeout 20 adhanctl times 2>/dev/null | tail -n +4
}

# answer FILE: puts the text into adhand-report.txt on the card, if it says another thing. It goes over what the file held, whose
# size stays (empty lines fill it), so that a card pulled meanwhile loses words of it and never its list of files.
answer() {
    size=16384
    place=$(found "$card" adhand-report.txt)
    { sed 's/$/\r/' "$1"; yes "$(printf '\r')" | head -n $size; } | head -c $size > "$work/answer"
    [ -z "$place" ] || ! cmp -s "$work/answer" "$place" || return 0
    writable rw || { echo 'the card cannot be written: no report' >&2; return 0; }
    dd if="$work/answer" of="${place:-$card/adhand-report.txt}" conv=notrunc,fsync status=none || echo 'the report could not be written' >&2
    writable ro || true
}
