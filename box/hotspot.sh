#!/bin/sh
# The box's own network, by wpa_supplicant and networkd, and when the box is to have it. Channel, configuration and verdict are adhanctl's.
# usage: hotspot.sh boot      one more boot is counted, early
#        hotspot.sh look      a minute after it: this boot has lasted, and the network comes up where it is wanted
#        hotspot.sh up|down   of adhan-box-hotspot.service
# The variables are for trials on a folder.
set -u
run=${ADHAN_BOX_RUN:-/run/adhan-box}
state=${ADHAN_BOX_STATE:-/var/lib/adhan-box}
networks=${ADHAN_BOX_NETWORKS:-/run/systemd/network}
net=${ADHAN_BOX_NET:-/sys/class/net}
pause=${ADHAN_BOX_PAUSE:-10}
radio=wlan0
unit=adhan-box-hotspot.service

unplaced() { answer=$(timeout 10 adhanctl --json status 2>/dev/null) && printf '%s' "$answer" | jq -e '.awaiting == "place"' > /dev/null; }

allowed() { [ "$(cat "$state/hotspot" 2>/dev/null)" != off ]; }

wired() {
    for carrier in "$net"/e*/carrier; do [ "$(cat "$carrier" 2>/dev/null)" != 1 ] || return 0; done
    return 1
}

joined() { [ "$(cat "$net/$radio/operstate" 2>/dev/null)" = up ]; }

# Boots in a row that each ended before a minute. The file is replaced as a whole.
count() { printf '%s\n' "$1" > "$state/boots.new" && sync "$state/boots.new" && mv -f "$state/boots.new" "$state/boots" && sync "$state"; }
counted() { case $(cat "$state/boots" 2>/dev/null) in [0-9]) cat "$state/boots" ;; *) echo 0 ;; esac; }

# Why it is wanted now; nothing where it is not. On a claimed box nothing but a person's wish is a reason.
wish() {
    allowed && ! wired && ! joined || return 0
    if [ -e "$run/hotspot-asked" ]; then echo asked; elif unplaced; then echo unplaced; fi
}

# It goes when it is not used for half an hour, or for ten minutes on a box that has a place; at once with a cable.
watch() {
    idle=0
    while sleep "$pause"; do
        ! wired || { echo 'a cable is plugged in: the hotspot goes'; return; }
        allowed || return 0
        if [ -n "$(wpa_cli -i "$radio" all_sta 2>/dev/null)" ]; then idle=0; else idle=$((idle + pause)); fi
        if unplaced; then most=1800; else most=600; fi
        [ "$idle" -lt "$most" ] || { echo 'nobody uses the hotspot: it goes'; return; }
    done
}

look_around() {
    ip link set "$radio" up
    wpa_supplicant -B -i "$radio" -C /run/wpa_supplicant -P "$run/scan.pid" > /dev/null 2>&1 &&
        wpa_cli -i "$radio" scan > /dev/null && sleep 4 && wpa_cli -i "$radio" scan_results > "$run/scan"
    [ ! -e "$run/scan.pid" ] || kill "$(cat "$run/scan.pid")"
}

case ${1:-} in
    boot)
        boots=$(counted)
        if [ "$boots" -ge 3 ]; then
            : > "$run/hotspot-asked"
            boots=0
        fi
        count $((boots + 1))
        ;;
    look)
        count 0
        [ -n "$(wish)" ] || exit 0
        [ -d "$net/$radio" ] || { echo 'no hotspot with this radio: use a cable or the card' >&2; exit 0; }
        # The time server comes by the networks that the box knows.
        tries=${ADHAN_BOX_TRIES:-60}
        while [ "$tries" -gt 0 ] && [ -e /etc/wpa_supplicant/wpa_supplicant-$radio.conf ] && ! joined; do
            sleep 1
            tries=$((tries - 1))
        done
        [ -z "$(wish)" ] || systemctl --no-block start "$unit"
        rm -f "$run/hotspot-asked"
        ;;
    up)
        umask 077
        # One radio cannot look and serve at once.
        look_around 2> /dev/null || echo 'nothing was seen around' >&2
        adhanctl card hotspot-configuration --scan "$run/scan" > "$run/hotspot.conf" || exit 1
        umask 022
        mkdir -p "$networks"
        cp "${ADHAN_BOX_LIB:-/usr/lib/adhand-box}/hotspot.network" "$networks/30-adhan-box-hotspot.network"
        networkctl reload
        wpa_supplicant -i "$radio" -c "$run/hotspot.conf" -P "$run/hotspot.pid" -B || {
            echo 'no hotspot with this radio: use a cable or the card' >&2
            exit 1
        }
        networkctl reconfigure "$radio"
        last=$(cat "$run/last" 2>/dev/null) || last=
        adhanctl card network-state hotspot --scan "$run/scan" ${last:+--last "$last"} > "$run/network.json.new"
        mv -f "$run/network.json.new" "$run/network.json"
        cat "${ADHAN_BOX_ETC:-/etc}/hostname" > "$run/hotspot"
        watch
        ;;
    down)
        [ ! -e "$run/hotspot.pid" ] || kill "$(cat "$run/hotspot.pid")" 2> /dev/null
        rm -f "$run/hotspot" "$run/hotspot.conf" "$run/hotspot.pid" "$networks/30-adhan-box-hotspot.network"
        networkctl reload
        networkctl reconfigure "$radio"
        # The box goes on with the networks that it knows.
        [ -e "$run/joining" ] || systemctl --no-block start "wpa_supplicant@$radio.service"
        ;;
    *) echo 'usage: hotspot.sh boot|look|up|down' >&2; exit 64 ;;
esac
