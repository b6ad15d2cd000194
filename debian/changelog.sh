#!/bin/sh
# Prints the Debian changelog of a version, from CHANGELOG.md: one entry for each "## VERSION – DATE" there.
# usage: changelog.sh VERSION     VERSION may end in +SOMETHING, for a build that replaces another one
set -eu
cd "$(dirname "$0")/.."
version=$1
# The date is that of the last commit, so the same source makes the same package.
stamp=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}
maintainer=$(sed -n 's/^Maintainer: //p' debian/control)

LC_ALL=C awk -v version="$version" -v now="$(LC_ALL=C date -u -R -d "@$stamp")" -v maintainer="$maintainer" '
# Prints an item in lines of at most 80 columns.
function item(    words, count, i, line) {
    count = split(text, words, " ")
    line = "  *"
    for (i = 1; i <= count; i++) {
        if (length(line) + 1 + length(words[i]) > 80) {
            print line
            line = "   "
        }
        line = line " " words[i]
    }
    if (count) print line
    text = ""
}
function finish() {
    item()
    if (open) printf "\n -- %s  %s\n\n", maintainer, date
    open = 0
}
/^## / {
    finish()
    name = $2
    date = now
    if ($NF ~ /^[0-9]+-[0-9]+-[0-9]+$/) {
        command = "LC_ALL=C date -u -R -d " $NF
        command | getline date
        close(command)
    }
    plain = version
    sub(/\+.*/, "", plain)
    if (!seen++ && name != plain) {
        print "CHANGELOG.md begins with " name ", but the version is " plain > "/dev/stderr"
        exit failed = 1
    }
    printf "adhand (%s) unstable; urgency=medium\n\n", (seen == 1 ? version : name)
    open = 1
    next
}
open && /^\* / {
    item()
    text = substr($0, 3)
    next
}
open && /^  / { text = text " " $0 }
END { if (!failed) finish(); exit failed }
' CHANGELOG.md
