#!/bin/bash
# zbarimg reads QR codes of every length. Needs the built tests, and zbar-tools.
# usage: codes.sh          SWIFT is the command of the Swift driver
set -eu
swift=${SWIFT:-swift}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
QR_CODES=$folder "$swift" test --skip-build --filter '^PhoneRulesTests\.QRCodeTests/keep' >/dev/null
read=0
for picture in "$folder"/*.pbm; do
    text=$(cat "${picture%.pbm}.txt")
    # zbarimg has an exit status of its own if it finds nothing, and prints a warning if there is no D-Bus.
    found=$(zbarimg --quiet --raw -Sdisable -Sqrcode.enable "$picture" 2>/dev/null) || found=
    [ "$found" = "$text" ] || { echo "$(basename "$picture") is read as: $found" >&2; exit 1; }
    read=$((read + 1))
done
[ "$read" -eq 213 ] || { echo "$read codes were made, not 213" >&2; exit 1; }
echo "zbarimg reads all $read codes"
