#!/bin/sh
# The box's own network, by wpa_supplicant and networkd, and when the box is to have it. Channel, configuration and verdict are adhanctl's.
# usage: hotspot.sh boot      one more boot is counted, early
#        hotspot.sh look      a minute after it, and when a radio comes: this boot has lasted, and the network comes up where it is wanted
#        hotspot.sh up|down   of adhan-box-hotspot.service
# The variables are for trials on a folder.
set -u
run=${ADHAN_BOX_RUN:-/run/adhan-box}
state=${ADHAN_BOX_STATE:-/var/lib/adhan-box}
networks=${ADHAN_BOX_NETWORKS:-/run/systemd/network}
net=${ADHAN_BOX_NET:-/sys/class/net}
pause=${ADHAN_BOX_PAUSE:-10}
radio=wlan0
wireless=${ADHAN_BOX_ETC:-/etc}/wpa_supplicant/wpa_supplicant-$radio.conf
unit=adhan-box-hotspot.service

# The place of the box, by adhand: "missing"; "timeless" where it is known and the time is not; "known"; nothing while adhand does not
# answer.
place() {
    answer=$(timeout 10 adhanctl --json status 2>/dev/null) || return 0
    printf '%s' "$answer" | jq -r 'if .awaiting == "place" then "missing" elif .awaiting == "clock" then "timeless" else "known" end' 2>/dev/null
}
# Seconds since the boot: the clock of a box may be set meanwhile.
uptime() { read -r seconds rest < "${ADHAN_BOX_UPTIME:-/proc/uptime}" && echo "${seconds%.*}"; }

# The same of the moment at which the radio was found; 0 where nobody knows.
radio_since() {
    moment=$(systemctl show -P ActiveEnterTimestampMonotonic "sys-subsystem-net-devices-$radio.device" 2> /dev/null)
    case $moment in '' | *[!0-9]*) echo 0 ;; *) echo $((moment / 1000000)) ;; esac
}

# Without the phone page nobody could set the box up in its own network.
allowed() { [ "$(cat "$state/hotspot" 2>/dev/null)" != off ] && [ ! -e "$state/phone-off" ]; }

wired() {
    for carrier in "$net"/e*/carrier; do [ "$(cat "$carrier" 2>/dev/null)" != 1 ] || return 0; done
    return 1
}

joined() { [ "$(cat "$net/$radio/operstate" 2>/dev/null)" = up ]; }

# Boots in a row that each ended before a minute. The file is replaced as a whole.
count() { printf '%s\n' "$1" > "$state/boots.new" && sync "$state/boots.new" && mv -f "$state/boots.new" "$state/boots" && sync "$state"; }
counted() { case $(cat "$state/boots" 2>/dev/null) in [0-9]) cat "$state/boots" ;; *) echo 0 ;; esac; }

# The reason for which the box makes no network of its own now; nothing where it may. hotspotObstacle of adhanctl says the same.
obstacle() {
    if [ "$(cat "$state/hotspot" 2>/dev/null)" = off ]; then echo '"hotspot = off" in box.txt keeps it off'
    elif ! allowed; then echo '"phone = off" in box.txt keeps it off'
    elif wired; then echo 'a cable connects the box'
    elif [ -e "$run/hotspot" ]; then echo 'it is there already'
    elif [ -e "$run/joining" ]; then echo 'the box tries a network that a phone named'
    elif joined; then echo 'the box is in a wireless network'
    fi
}

# What a person asked for ends with a reason, if not with the network.
refuse() {
    [ ! -e "$run/hotspot-asked" ] || echo "the box was asked for its own network and does not make it: $1" >&2
    rm -f "$run/hotspot-asked"
}

# adhand may start slowly, and until it answers nobody knows whether the box has a place. The unit's own limit is five minutes.
awaited_place() {
    end=$(($(uptime) + ${ADHAN_BOX_LIMIT:-220}))
    while found=$(place) && [ -z "$found" ] && [ "$(uptime)" -lt "$end" ]; do sleep 1; done
    echo "$found"
}

# The report on the card says whether the radio can do it.
report_radio() {
    if [ "$1" = failed ]; then
        echo 'no hotspot with this radio: use a cable or the card' >&2
        [ ! -e "$run/hotspot-failed" ] || return 0
        : > "$run/hotspot-failed"
    else
        [ -e "$run/hotspot-failed" ] || return 0
        rm -f "$run/hotspot-failed"
    fi
    systemctl --no-block start adhan-box-answer.service
}

# A radio without that mode lets wpa_supplicant start, and never serves.
serves() {
    patience=${ADHAN_BOX_PATIENCE:-40}
    until wpa_cli -i "$radio" status 2>/dev/null | grep -q '^wpa_state=COMPLETED'; do
        [ "$patience" -gt 0 ] || return 1
        patience=$((patience - 1))
        sleep 1
    done
}

# It goes when it is not used for half an hour, or for ten minutes on a box that has a place; at once with a cable. One that has a place
# and knows a network goes back to that after an hour: a phone that joins by itself and stays would keep the box from it for ever.
watch() {
    idle=0
    began=$(uptime)
    known=missing
    while sleep "$pause"; do
        ! wired || { echo 'a cable is plugged in: the hotspot goes'; return; }
        allowed || return 0
        if [ -n "$(wpa_cli -i "$radio" all_sta 2>/dev/null)" ]; then idle=0; else idle=$((idle + pause)); fi
        # adhand may be busy, or start again: until it answers, the place is as before.
        found=$(place)
        [ -z "$found" ] || known=$found
        if [ "$known" = missing ]; then
            most=1800
        else
            most=600
            [ ! -e "$wireless" ] || [ $(($(uptime) - began)) -lt 3600 ] ||
                { echo 'the hotspot was there for an hour: the box goes back to the networks that it knows'; return; }
        fi
        [ "$idle" -lt "$most" ] || { echo 'nobody uses the hotspot: it goes'; return; }
    done
}

# A slow radio needs eight seconds for all channels.
looked() {
    patience=${ADHAN_BOX_PATIENCE:-40}
    sleep 2
    while [ "$patience" -gt 0 ] && wpa_cli -i "$radio" status | grep -q '^wpa_state=SCANNING'; do
        patience=$((patience - 1))
        sleep 1
    done
}

look_around() {
    ip link set "$radio" up
    wpa_supplicant -B -i "$radio" -C /run/wpa_supplicant -P "$run/scan.pid" > /dev/null 2>&1 &&
        wpa_cli -i "$radio" scan > /dev/null && looked && wpa_cli -i "$radio" scan_results > "$run/scan"
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
        early=$((60 - $(uptime)))
        [ "$early" -le 0 ] || sleep "$early"
        count 0
        why=$(obstacle)
        [ -z "$why" ] || { refuse "$why"; exit 0; }
        if [ ! -d "$net/$radio" ]; then
            echo 'no hotspot with this radio: use a cable or the card' >&2
            rm -f "$run/hotspot-asked"
            exit 0
        fi
        if [ -e "$run/hotspot-asked" ]; then
            asked=yes
            place=$(place)
        else
            asked=
            place=$(awaited_place)
        fi
        # A set-up that was cut off before the network was named leaves a box that is silent, as nothing will tell it the time.
        if [ "$place" = missing ] || { [ "$place" = timeless ] && [ ! -e "$wireless" ]; }; then
            # The networks that it knows are tried since the radio was found.
            tries=$((60 + $(radio_since) - $(uptime)))
        else
            if [ -z "$asked" ]; then
                [ -n "$place" ] || echo 'adhand does not answer, so whether the box has a place is unknown: no network of its own' >&2
                exit 0
            fi
            # The time server comes by the networks that the box knows.
            tries=${ADHAN_BOX_TRIES:-60}
        fi
        while [ "$tries" -gt 0 ] && [ -e "$wireless" ] && ! joined; do
            sleep 1
            tries=$((tries - 1))
        done
        why=$(obstacle)
        if [ -z "$why" ]; then systemctl --no-block start "$unit"; else refuse "$why"; fi
        rm -f "$run/hotspot-asked"
        ;;
    up)
        umask 077
        # One radio cannot look and serve at once. A trial of a network that has just failed leaves what it saw.
        if [ -e "$run/looked" ]; then
            rm -f "$run/looked"
        else
            look_around 2> /dev/null || echo 'nothing was seen around' >&2
        fi
        adhanctl card hotspot-configuration --scan "$run/scan" > "$run/hotspot.conf" || exit 1
        umask 022
        mkdir -p "$networks"
        cp "${ADHAN_BOX_LIB:-/usr/lib/adhand-box}/hotspot.network" "$networks/30-adhan-box-hotspot.network"
        networkctl reload
        wpa_supplicant -i "$radio" -c "$run/hotspot.conf" -P "$run/hotspot.pid" -B && serves || { report_radio failed; exit 1; }
        report_radio works
        networkctl reconfigure "$radio"
        last=$(cat "$run/last" 2>/dev/null) || last=
        adhanctl card network-state hotspot --scan "$run/scan" ${last:+--last "$last"} > "$run/network.json.new"
        mv -f "$run/network.json.new" "$run/network.json"
        adhanctl card hotspot-name > "$run/hotspot.new" && mv -f "$run/hotspot.new" "$run/hotspot"
        watch
        ;;
    down)
        [ ! -e "$run/hotspot.pid" ] || kill "$(cat "$run/hotspot.pid")" 2> /dev/null
        rm -f "$run/hotspot" "$run/hotspot.conf" "$run/hotspot.pid" "$networks/30-adhan-box-hotspot.network"
        networkctl reload
        networkctl reconfigure "$radio"
        if [ ! -e "$run/joining" ]; then
            # In the next network the page would say why an earlier one was not joined, with a link to this one.
            rm -f "$run/last" "$run/network.json"
            # The box goes on with the networks that it knows.
            systemctl --no-block start "wpa_supplicant@$radio.service"
        fi
        ;;
    *) echo 'usage: hotspot.sh boot|look|up|down' >&2; exit 64 ;;
esac
