#!/bin/sh
# The box's own network, run by wpa_supplicant and networkd, and the decision when to start it. Channel, configuration and verdict
# come from adhanctl.
# usage: hotspot.sh boot      early in the boot: counts it
#        hotspot.sh look      a minute later, and when a radio appears: resets the count, and starts the network if it is wanted
#        hotspot.sh up|down   run by adhan-box-hotspot.service
# Environment variables replace paths in tests.
set -u
run=${ADHAN_BOX_RUN:-/run/adhan-box}
state=${ADHAN_BOX_STATE:-/var/lib/adhan-box}
networks=${ADHAN_BOX_NETWORKS:-/run/systemd/network}
net=${ADHAN_BOX_NET:-/sys/class/net}
pause=${ADHAN_BOX_PAUSE:-10}
radio=wlan0
wireless=${ADHAN_BOX_ETC:-/etc}/wpa_supplicant/wpa_supplicant-$radio.conf
unit=adhan-box-hotspot.service

# The box's place as reported by adhand: "missing"; "timeless" if the place is known but not the time; "known"; empty while adhand
# does not answer.
place() {
    answer=$(timeout 10 adhanctl --json status 2>/dev/null) || return 0
    printf '%s' "$answer" | jq -r 'if .awaiting == "place" then "missing" elif .awaiting == "clock" then "timeless" else "known" end' 2>/dev/null
}
# Seconds since the boot, because the wall clock may be set meanwhile.
uptime() { read -r seconds rest < "${ADHAN_BOX_UPTIME:-/proc/uptime}" && echo "${seconds%.*}"; }

# Seconds from the boot to the detection of the radio; 0 if unknown.
radio_since() {
    moment=$(systemctl show -P ActiveEnterTimestampMonotonic "sys-subsystem-net-devices-$radio.device" 2> /dev/null)
    case $moment in '' | *[!0-9]*) echo 0 ;; *) echo $((moment / 1000000)) ;; esac
}

# Without the phone page, the box's own network would be useless for setting it up.
allowed() { [ "$(cat "$state/hotspot" 2>/dev/null)" != off ] && [ ! -e "$state/phone-off" ]; }

wired() {
    for carrier in "$net"/e*/carrier; do [ "$(cat "$carrier" 2>/dev/null)" != 1 ] || return 0; done
    return 1
}

joined() { [ "$(cat "$net/$radio/operstate" 2>/dev/null)" = up ]; }

# Saves the number of consecutive boots that each ended within a minute. The file is replaced as a whole.
count() { printf '%s\n' "$1" > "$state/boots.new" && sync "$state/boots.new" && mv -f "$state/boots.new" "$state/boots" && sync "$state"; }
counted() { case $(cat "$state/boots" 2>/dev/null) in [0-9]) cat "$state/boots" ;; *) echo 0 ;; esac; }

# The reason why the box does not make its own network now; empty if it may. hotspotObstacle of adhanctl has the same conditions.
obstacle() {
    if [ "$(cat "$state/hotspot" 2>/dev/null)" = off ]; then echo '"hotspot = off" in box.txt keeps it off'
    elif ! allowed; then echo '"phone = off" in box.txt keeps it off'
    elif wired; then echo 'a cable connects the box'
    elif [ -e "$run/hotspot" ]; then echo 'it is there already'
    elif [ -e "$run/joining" ]; then echo 'the box tries a network that a phone named'
    elif joined; then echo 'the box is in a wireless network'
    fi
}

# A person's request that does not lead to the network ends with a reason.
refuse() {
    [ ! -e "$run/hotspot-asked" ] || echo "the box was asked for its own network and does not make it: $1" >&2
    rm -f "$run/hotspot-asked"
}

# adhand may start slowly, and the place is unknown until it answers. The unit's own limit is five minutes.
awaited_place() {
    end=$(($(uptime) + ${ADHAN_BOX_LIMIT:-220}))
    while found=$(place) && [ -z "$found" ] && [ "$(uptime)" -lt "$end" ]; do sleep 1; done
    echo "$found"
}

# Records for the card's report whether the radio can make a network.
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

# On a radio without access point mode, wpa_supplicant starts but never serves.
serves() {
    patience=${ADHAN_BOX_PATIENCE:-40}
    until wpa_cli -i "$radio" status 2>/dev/null | grep -q '^wpa_state=COMPLETED'; do
        [ "$patience" -gt 0 ] || return 1
        patience=$((patience - 1))
        sleep 1
    done
}

# Ends the network after half an hour without use, after ten minutes on a box with a place, and at once if a cable is plugged in.
# A box that has a place and knows a network returns to it after an hour, because a phone that joins by itself and stays would
# block that for ever.
watch() {
    idle=0
    began=$(uptime)
    known=missing
    while sleep "$pause"; do
        ! wired || { echo 'a cable is plugged in: the hotspot goes'; return; }
        allowed || return 0
        if [ -n "$(wpa_cli -i "$radio" all_sta 2>/dev/null)" ]; then idle=0; else idle=$((idle + pause)); fi
        # While adhand is busy or restarting, assume that the place has not changed.
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

# Waits for a scan; a slow radio needs eight seconds for all channels.
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
        # A set-up that was interrupted before a network was given leaves a silent box, because it has no way to learn the time.
        if [ "$place" = missing ] || { [ "$place" = timeless ] && [ ! -e "$wireless" ]; }; then
            # Give the known networks a minute since the radio was found.
            tries=$((60 + $(radio_since) - $(uptime)))
        else
            if [ -z "$asked" ]; then
                [ -n "$place" ] || echo 'adhand does not answer, so whether the box has a place is unknown: no network of its own' >&2
                exit 0
            fi
            # The time server is reached through the known networks.
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
        # A radio cannot scan and serve at once. A trial of a network that just failed leaves its scan.
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
            # Remove these, or the page in the next network would explain a former failure, with a link to this one.
            rm -f "$run/last" "$run/network.json"
            # Continue with the known networks.
            systemctl --no-block start "wpa_supplicant@$radio.service"
        fi
        ;;
    *) echo 'usage: hotspot.sh boot|look|up|down' >&2; exit 64 ;;
esac
