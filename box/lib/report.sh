# shellcheck shell=sh
# adhand-report.txt, and how it comes onto a card that may be pulled at any moment. Sourced.

# The box itself comes first: there are as many lines of files as there are files.
report() {
    echo 'What adhand made of this card'
    echo
    of_the_box
    echo
    for told in "$state/said"/*; do
        case $told in */sounds:*) ;; *) said "$told" ;; esac
    done
    [ ! -s "$state/wifi-names" ] || printf '%-24s %s\n' 'Wireless network' "$(cat "$state/wifi-names")"
    misnamed
    of_the_sounds
}

# said FILE: what came of one file of the card.
said() {
    [ -e "$1" ] || return 0
    printf '%-24s %s\n' "$(basename "$1" | tr ':' '/')" "$(head -n 1 "$1")"
    tail -n +2 "$1" | sed 's/^/    /'
}

# Those that cannot be taken over first. Of the others a few dozen; the rest are counted.
of_the_sounds() {
    more=0 most=40
    for told in "$state/said"/sounds:*; do
        [ ! -e "$told" ] || head -n 1 "$told" | grep -q '^taken over' || said "$told"
    done
    for told in "$state/said"/sounds:*; do
        [ -e "$told" ] || continue
        head -n 1 "$told" | grep -q '^taken over' || continue
        if [ $most -gt 0 ]; then said "$told"; else more=$((more + 1)); fi
        most=$((most - 1))
    done
    [ $more = 0 ] || printf '%-24s %s more taken over\n' 'sounds' "$more"
}

# What was meant for the box, and has another name or another place.
misnamed() {
    { (cd "$card" && find . -mindepth 1 -maxdepth 1 ! -name '.*' ! -iname adhand-report.txt) | cut -c 3- | LC_ALL=C sort | head -n 500
        sound_files -type f \( ! -size -400000k -o -path './*/*/*' \); } > "$work/there"
    while IFS= read -r there; do
        why=$(not_read "$(printf '%s' "$there" | tr '[:upper:]' '[:lower:]')" "$card/$there")
        [ -z "$why" ] || printf '%s is not read%s\n' "$there" "$why"
    done < "$work/there"
}

# not_read NAME FILE: why, where a file of this name was meant for the box. On a Raspberry Pi the firmware's files are beside it.
not_read() {
    case $1 in
        sounds/*) echo ': a recording lies in sounds or in a folder there, and has less than 400 MB.' ;;
        adhand.toml | display.toml | wifi.txt | authorized_keys | timetable.csv | timetable.json | timetable.zip | sounds)
            case $1 in sounds) [ -d "$2" ] ;; *) [ -f "$2" ] ;; esac || echo ': sounds is to be a folder, and the others are to be files.' ;;
        adhand.toml.* | display.toml.* | wifi.txt.* | timetable.csv.* | timetable.json.* | timetable.zip.* | authorized_keys.*)
            echo ". Windows hides the end of a name: the file is to be called ${1%.*}, and nothing after it." ;;
        *.mp3 | *.wav | *.m4a | *.ogg | *.opus | *.flac | *.aac | *.wma) echo ': a recording goes into the folder "sounds".' ;;
        timetable* | *.csv | *.tsv | *.xls | *.xlsx | *.ods) echo ': a timetable is to be saved as CSV, and called timetable.csv.' ;;
        wifi* | wi-fi* | wlan*) echo ': the wireless network is to be in a plain text called wifi.txt.' ;;
        adhand*) echo ': the configuration is to be in a plain text called adhand.toml.' ;;
        display*.toml | display*.txt) echo ": the screen's settings are to be in a plain text called display.toml." ;;
        authorized* | *.pub) echo ': public SSH keys are to be in a plain text called authorized_keys, without an end.' ;;
        *) [ ! -d "$2" ] || case $1 in sound* | audio | music | adhan* | recording*) echo ': recordings go into a folder called "sounds".' ;; esac ;;
    esac
}

of_the_box() {
    [ ! -s "$etc/hostname" ] || echo "This box is $(cat "$etc/hostname"), on its network $(cat "$etc/hostname").local."
    worn
    if [ ! -e "$etc/adhand/adhand.toml" ]; then
        without_place
        return
    fi
    [ ! -e "$state/adhand.toml" ] || cmp -s "$state/adhand.toml" "$etc/adhand/adhand.toml" ||
        echo 'Since adhand.toml was taken over, the configuration was changed on the box itself.'
    if ! timeout 10 adhanctl --json status > "$work/status" 2>/dev/null; then
        if [ -e "$run/no-clock" ]; then
            echo 'PROBLEM: the time is not known, so nothing is called. Connect the box to the network, or fit a clock with a battery.'
        else
            echo 'PROBLEM: adhand does not run.'
        fi
        return
    fi
    if jq -e '.location.approximate' "$work/status" > /dev/null; then
        without_place
        return
    fi
    timeout 60 adhanctl --json check 2>/dev/null | jq -r '.problems[] | select(.severity == "problem") | "PROBLEM: " + .message'
    # What the running adhand holds for wrong: its files, its zone, a timetable or a time set by hand of another place.
    jq -r '[.configurationProblem.message, .zoneProblem.message, .exceptionProblem.message,
        (.timetable | select(.mismatch?) | .warning)][] | select(.) | "PROBLEM: " + .' "$work/status"
    jq -r '"Place        \(.location.name) (\(.location.latitude), \(.location.longitude))
Time zone    \(.location.timezone)
Method       \(.calculation.method), Asr \(.calculation.asr)"' "$work/status"
    echo
    timeout 20 adhanctl times 2>/dev/null | tail -n +4
}

without_place() {
    echo 'The box does not know where it is, and calls nothing. Open adhand.toml on this card with any editor, take away the "#"'
    echo 'before what is yours, save it, and start the box again.'
}

# What is wrong with the card, whatever is written on it.
worn() {
    [ ! -e "$run/in-memory" ] ||
        echo 'PROBLEM: the part of the card for settings cannot be used: nothing is remembered beyond a restart. Use another card.'
    [ -e "$run/in-memory" ] || case $(cat "$run/damaged" 2>/dev/null) in
        mended)
            echo 'PROBLEM: the part of the card for settings was damaged, and is mended as well as can be: look at what is set. Use another card.' ;;
        'made anew')
            echo 'PROBLEM: the part of the card for settings was damaged, and is made anew: what was set on the box itself is gone. Use another card.' ;;
    esac
}

# answer FILE: puts the text into adhand-report.txt on the card, if it says another thing. It goes over what the file held, whose
# size stays (empty lines fill it), so that a card pulled meanwhile loses words of it and never its list of files.
answer() {
    size=16384
    place=$(found "$card" adhand-report.txt)
    # What is beyond the size somebody else wrote there: it would differ at every boot.
    { iconv -c -f UTF-8 -t UTF-8 "$1" | visible | fitting $((size - 64)) | sed 's/$/\r/'; yes "$(printf '\r')" | head -n $size; } | head -c $size > "$work/answer"
    [ -z "$place" ] || ! head -c $size "$place" | cmp -s "$work/answer" - || return 0
    writable rw || { echo 'the card cannot be written: no report' >&2; return 0; }
    dd if="$work/answer" of="${place:-$card/adhand-report.txt}" conv=notrunc,fsync status=none || echo 'the report could not be written' >&2
    writable ro || true
}

# fitting BYTES: the lines that fit, each with a carriage return.
fitting() {
    LC_ALL=C awk -v room="$1" '{ used += length($0) + 2 } used > room { print "and more, for which there is no room here"; exit } { print }'
}
