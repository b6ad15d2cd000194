#!/bin/sh
# What somebody wrote on the card's FAT partition becomes what the box goes by, each file as a whole or not at all, and
# adhand-report.txt beside them says what came of it.
# usage: card before     before adhand starts: network, keys, configuration, screen
#        card after      when it runs: recordings, timetable, report
# The variables are for trials on a folder.
set -u
export LC_ALL=C.UTF-8
here=$(dirname "$(readlink -f "$0")")
lib=${ADHAN_BOX_LIB:-$here}
card=${ADHAN_BOX_CARD:-/run/adhan-box/card}
state=${ADHAN_BOX_STATE:-/var/lib/adhan-box}
etc=${ADHAN_BOX_ETC:-/etc}
run=${ADHAN_BOX_RUN:-/run/adhan-box}
. "$lib/files.sh"
. "$lib/wifi.sh"
. "$lib/take.sh"
. "$lib/report.sh"

# The partition is looked at in this unit's own mount namespace, and only while this runs.
mounted() {
    [ -z "${ADHAN_BOX_CARD:-}" ] || { [ -d "$card" ]; return; }
    device=$(sed -n 's/.*adhan\.card=\([^ ]*\).*/\1/p' /proc/cmdline)
    device=$(findfs "${device:-LABEL=ADHAN}" 2>/dev/null) || return 1
    # Left by a power cut while the report was written. Windows would offer its own repair at every visit.
    if fsck.fat -n "$device" 2>/dev/null | grep -q 'Dirty bit is set'; then fsck.fat -a "$device" > /dev/null 2>&1 || true; fi
    mkdir -p "$card"
    mount -t vfat -o ro,nosuid,nodev,noexec,umask=0077,utf8 "$device" "$card"
}

writable() {
    [ -n "${ADHAN_BOX_CARD:-}" ] || mount -o "remount,$1" "$card"
}

umask 077
mkdir -p "$state/seen" "$state/told" "$state/said" "$run"
work=$(mktemp -d "$run/work.XXXXXX")
trap 'rm -rf "$work"' EXIT
if ! mounted; then
    echo 'the FAT partition of the card cannot be read: the box goes by what it has' >&2
    exit 0
fi
case ${1:-} in
    before)
        # What was written of an earlier boot's files is written anew.
        rm -f "$state/said"/*
        take_all_before
        zone
        ;;
    after)
        take_all_after
        report > "$work/report"
        answer "$work/report"
        ;;
    *) echo 'usage: card before|after' >&2; exit 64 ;;
esac
