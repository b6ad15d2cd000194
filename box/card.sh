#!/bin/sh
# Mounts the card's FAT partition for "adhanctl card", which imports the files that people put on it, each as a whole or not at
# all; and writes adhand-report.txt there with the results.
# usage: card before     before adhand starts: network, keys, configuration, screen
#        card after      when it runs: recordings, timetable, report
# Environment variables replace paths in tests.
set -u
export LC_ALL=C.UTF-8
card=${ADHAN_BOX_CARD:-/run/adhan-box/card}
run=${ADHAN_BOX_RUN:-/run/adhan-box}

# The partition is mounted in this unit's own mount namespace, and only while this script runs.
mounted() {
    [ -z "${ADHAN_BOX_CARD:-}" ] || { [ -d "$card" ]; return; }
    device=$(sed -n 's/.*adhan\.card=\([^ ]*\).*/\1/p' /proc/cmdline)
    device=$(findfs "${device:-LABEL=ADHAN}" 2>/dev/null) || return 1
    # A power cut during the report leaves the dirty bit set, and Windows would offer its own repair every time.
    if fsck.fat -n "$device" 2>/dev/null | grep -q 'Dirty bit is set'; then fsck.fat -a "$device" > /dev/null 2>&1 || true; fi
    mkdir -p "$card"
    mount -t vfat -o ro,nosuid,nodev,noexec,umask=0077,utf8 "$device" "$card"
}

writable() {
    [ -n "${ADHAN_BOX_CARD:-}" ] || mount -o "remount,$1" "$card"
}

# answer FILE: writes the report to adhand-report.txt on the card if it has changed. It overwrites the old content and keeps the
# file's size, so that pulling the card meanwhile damages only the report's text, not the card's list of files.
answer() {
    size=$(wc -c < "$1")
    place=$(find "$card" -mindepth 1 -maxdepth 1 -type f -iname adhand-report.txt | LC_ALL=C sort | head -n 1)
    # Compare only our part: people may have appended text, which would differ at every boot.
    [ -z "$place" ] || ! head -c "$size" "$place" | cmp -s "$1" - || return 0
    writable rw || { echo 'the card cannot be written: no report' >&2; return 0; }
    dd if="$1" of="${place:-$card/adhand-report.txt}" conv=notrunc,fsync status=none || echo 'the report could not be written' >&2
    writable ro || true
}

umask 077
mkdir -p "$run"
if ! mounted; then
    echo 'the FAT partition of the card cannot be read: the box uses the settings that it has' >&2
    exit 0
fi
case ${1:-} in
    before) adhanctl card before ;;
    after)
        adhanctl card after
        adhanctl card report > "$run/report" && answer "$run/report"
        rm -f "$run/report"
        ;;
    *) echo 'usage: card before|after' >&2; exit 64 ;;
esac
