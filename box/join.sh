#!/bin/sh
# Joins a network that a phone on the box's own network submitted as one line of JSON on the connection. The box leaves its own
# network, tries the other one for 45 s, and comes back with the reason if that failed.
# usage: join.sh      environment variables replace paths in tests
set -u
run=${ADHAN_BOX_RUN:-/run/adhan-box}
etc=${ADHAN_BOX_ETC:-/etc}
patience=${ADHAN_BOX_PATIENCE:-45}
radio=wlan0
known=$etc/wpa_supplicant/wpa_supplicant-$radio.conf
# The log lines for a wrong password of WPA2 and of WPA3.
wrong='SSID-TEMP-DISABLED .*reason=WRONG_KEY$|AUTH-REJECT .* auth_type=3 auth_transaction=2 status_code=(1|15)( |$)'

# Seconds since the boot: a loop takes longer than the sum of its pauses.
uptime() { read -r seconds rest < "${ADHAN_BOX_UPTIME:-/proc/uptime}" && echo "${seconds%.*}"; }

adhanctl card join || { echo refused; exit 0; }
# Create the file before the pause: if the hotspot ended during it, for instance because of a cable, the known networks would
# start beside the trial.
: > "$run/joining"
echo ok
# Close the connection, so that the phone has its answer before the network goes away.
exec > /dev/null
sleep "${ADHAN_BOX_PAUSE:-3}"
adhanctl card network-state joining > "$run/network.json.new" && mv -f "$run/network.json.new" "$run/network.json"
systemctl stop adhan-box-hotspot.service
umask 077
: > "$run/join.log"
# With -f each line is written to the log immediately.
wpa_supplicant -i "$radio" -c "$run/join.conf" -f "$run/join.log" > /dev/null 2>&1 &
trying=$!
networkctl reconfigure "$radio"
address=
end=$(($(uptime) + patience))
while [ "$(uptime)" -lt "$end" ]; do
    sleep 1
    # One failure may be chance, but two mean a wrong password, so stop waiting. JoinVerdict checks for the same two events.
    [ "$(grep -cE "^$radio: CTRL-EVENT-($wrong)" "$run/join.log")" -lt 2 ] || break
    # Require a dynamic address: the hotspot's own static one may remain for a moment.
    address=$(ip -4 -o address show dev "$radio" scope global dynamic | sed -n 's/.* inet \([0-9.]*\).*/\1/p')
    [ -z "$address" ] || break
done
# Keep the trial's scan: the box's own network comes back sooner without another, for which a radio may need 40 s.
looked=
if wpa_cli -i "$radio" scan_results > "$run/scan.new" 2> /dev/null && grep -q '^bssid /' "$run/scan.new"; then
    mv -f "$run/scan.new" "$run/scan"
    looked=yes
fi
kill "$trying"
wait "$trying" 2> /dev/null
# Without a verdict the submitted network may be wrong, so keep the known network.
joined=
if reason=$(adhanctl card join-verdict --log "$run/join.log" --scan "$run/scan" ${address:+--address}); then
    [ -n "$reason" ] || joined=yes
else
    reason=
    echo 'whether the network was joined is not known: the box goes back to its own' >&2
fi
rm -f "$run/join.log" "$run/last" "$run/scan.new"
# Saves the network as wifi.txt would be; changed content on the card overrides it again.
keep() {
    mkdir -p "${known%/*}" && cp "$run/join.conf" "$known.new" && sync "$known.new" && mv -f "$known.new" "$known" && sync "${known%/*}"
}
if [ -n "$joined" ] && ! keep; then
    # Fail: otherwise the box would join the previous network or none, and its own would not come back.
    echo 'the network cannot be written down: the box goes back to its own' >&2
    rm -f "$known.new"
    joined=
fi
if [ -n "$joined" ]; then
    adhanctl card network-state joined > "$run/network.json.new" && chmod 644 "$run/network.json.new" &&
        mv -f "$run/network.json.new" "$run/network.json"
    systemctl --no-block start "wpa_supplicant@$radio.service"
    systemctl --no-block restart adhan-box-answer.service
else
    [ -z "$reason" ] || printf '%s\n' "$reason" > "$run/last"
    [ -z "$looked" ] || : > "$run/looked"
    systemctl --no-block start adhan-box-hotspot.service
fi
# Do this last: if the script ends earlier, the box's own network comes back.
rm -f "$run/join.conf" "$run/joining"
