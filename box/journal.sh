#!/bin/sh
# The journal lives in memory; its end is copied to the card periodically: for this boot and the previous one.
# usage: journal.sh begin|copy
set -eu
kept=/run/adhan-box/data/journal
[ ! -e /run/adhan-box/in-memory ] || exit 0
mkdir -p "$kept"
chmod 750 "$kept"
case $1 in
    begin) [ ! -e "$kept/this-boot.txt" ] || mv -f "$kept/this-boot.txt" "$kept/boot-before.txt" ;;
    copy)
        journalctl -b -q --no-pager -o short-iso -n 8000 | tail -c 1000000 > "$kept/this-boot.txt.new"
        sync "$kept/this-boot.txt.new"
        mv -f "$kept/this-boot.txt.new" "$kept/this-boot.txt"
        ;;
esac
