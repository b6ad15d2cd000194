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

# settled FILE: has FILE.new take its place, on the disk as well, whenever the power goes.
settled() {
    sync "$1.new" && mv -f "$1.new" "$1" && sync "$(dirname "$1")"
}

# says_nothing FILE: whether there is nothing in it but comments and empty lines.
says_nothing() {
    ! grep -qvE '^[[:space:]]*(#.*)?$' "$1"
}
