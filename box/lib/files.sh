# shellcheck shell=sh
# Files as people's computers write them, and files that are replaced as a whole. Sourced.

# found DIRECTORY NAME: the file of that name, in whatever case it is written. Nothing where there is none.
found() {
    find "$1" -mindepth 1 -maxdepth 1 -type f -iname "$2" 2>/dev/null | LC_ALL=C sort | head -n 1
}

# plain FILE: its text as UTF-8 with plain line ends. Notepad writes UTF-16, a byte order mark, and carriage returns.
plain() {
    case $(head -c 4 "$1" | od -An -tx1 | tr -d ' \n') in
        fffe*) tail -c +3 "$1" | iconv -f UTF-16LE -t UTF-8 ;;
        feff*) tail -c +3 "$1" | iconv -f UTF-16BE -t UTF-8 ;;
        efbbbf*) tail -c +4 "$1" ;;
        ??00??00) iconv -f UTF-16LE -t UTF-8 "$1" ;;
        00??00??) iconv -f UTF-16BE -t UTF-8 "$1" ;;
        *) cat "$1" ;;
    esac | tr -d '\r'
}

# most_bytes NAME: how large a file of that name on the card may be. A larger one is none that anybody wrote for the box.
most_bytes() {
    case $1 in
        wifi.txt | authorized_keys) echo 65536 ;;
        adhand.toml | display.toml) echo 262144 ;;
        timetable.*) echo 16777216 ;;
        *) echo 419430400 ;;
    esac
}

# few_lines FILE: whether it has no more than 500 lines; fails with a sentence where each of them would take its time.
few_lines() {
    [ "$(wc -l < "$1")" -le 500 ] || { echo 'this has more than 500 lines: it is no file for this box'; return 1; }
}

# visible: standard input without what moves a cursor, turns the order of letters around, or is not seen at all. The same characters
# that adhanctl shows as escapes (PlainText.isHidden), as bytes of UTF-8.
visible() {
    LC_ALL=C tr '\t' ' ' | LC_ALL=C tr -d '\000-\010\013-\037\177' | LC_ALL=C sed '
        s/\xc2[\x80-\x9f]//g
        s/\xd8\x9c//g
        s/\xe2\x80[\x8b\x8e\x8f\xa8-\xae]//g
        s/\xe2\x81[\xa0-\xaf]//g
        s/\xef\xbb\xbf//g
        s/\xef\xbf[\xb9-\xbb]//g
        s/\xf3\xa0[\x80\x81][\x80-\xbf]//g'
}

# settled FILE: has FILE.new take its place, on the disk as well, whenever the power goes.
settled() {
    sync "$1.new" && mv -f "$1.new" "$1" && sync "$(dirname "$1")"
}

# says_nothing FILE: whether there is nothing in it but comments and empty lines.
says_nothing() {
    ! grep -qvE '^[[:space:]]*(#.*)?$' "$1"
}
