#!/bin/sh
# A network that a phone named on the box's own one: one line of JSON on the connection. The box leaves its own network, tries the other
# one for 45 s, and comes back with the reason where that failed.
# usage: join.sh      the variables are for trials on a folder
set -u
run=${ADHAN_BOX_RUN:-/run/adhan-box}
etc=${ADHAN_BOX_ETC:-/etc}
patience=${ADHAN_BOX_PATIENCE:-45}
radio=wlan0
known=$etc/wpa_supplicant/wpa_supplicant-$radio.conf
# A wrong password of WPA2, and of WPA3.
wrong='SSID-TEMP-DISABLED .*reason=WRONG_KEY$|AUTH-REJECT .* auth_type=3 auth_transaction=2 status_code=(1|15)( |$)'

# Seconds since the boot: a loop with its programs takes longer than its pause.
uptime() { read -r seconds rest < "${ADHAN_BOX_UPTIME:-/proc/uptime}" && echo "${seconds%.*}"; }

adhanctl card join || { echo refused; exit 0; }
# Before the pause: a hotspot that ends in it, as for a cable, would start the box's own networks beside the trial.
: > "$run/joining"
echo ok
# The phone gets its answer before the network goes.
exec > /dev/null
sleep "${ADHAN_BOX_PAUSE:-3}"
adhanctl card network-state joining > "$run/network.json.new" && mv -f "$run/network.json.new" "$run/network.json"
systemctl stop adhan-box-hotspot.service
umask 077
: > "$run/join.log"
# By -f each line is there at once.
wpa_supplicant -i "$radio" -c "$run/join.conf" -f "$run/join.log" > /dev/null 2>&1 &
trying=$!
networkctl reconfigure "$radio"
address=
end=$(($(uptime) + patience))
while [ "$(uptime)" -lt "$end" ]; do
    sleep 1
    # Once may be chance; twice it is the password, and nobody has to wait for it. JoinVerdict knows the same two events.
    [ "$(grep -cE "^$radio: CTRL-EVENT-($wrong)" "$run/join.log")" -lt 2 ] || break
    # One of the hotspot's own may be left for a moment.
    address=$(ip -4 -o address show dev "$radio" scope global dynamic | sed -n 's/.* inet \([0-9.]*\).*/\1/p')
    [ -z "$address" ] || break
done
# The trial has looked around. The box's own network comes back sooner without another look, which a radio may need 40 s for.
looked=
if wpa_cli -i "$radio" scan_results > "$run/scan.new" 2> /dev/null && grep -q '^bssid /' "$run/scan.new"; then
    mv -f "$run/scan.new" "$run/scan"
    looked=yes
fi
kill "$trying"
wait "$trying" 2> /dev/null
# Without a verdict nothing is known to be right, and the network that the box knows stays.
joined=
if reason=$(adhanctl card join-verdict --log "$run/join.log" --scan "$run/scan" ${address:+--address}); then
    [ -n "$reason" ] || joined=yes
else
    reason=
    echo 'whether the network was joined is not known: the box goes back to its own' >&2
fi
rm -f "$run/join.log" "$run/last" "$run/scan.new"
# Kept as wifi.txt would be; a card that says another thing comes first again.
keep() {
    mkdir -p "${known%/*}" && cp "$run/join.conf" "$known.new" && sync "$known.new" && mv -f "$known.new" "$known" && sync "${known%/*}"
}
if [ -n "$joined" ] && ! keep; then
    # By itself the box would join the one of before, or none, and its own would not come back.
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
# Last: until here an end of this script brings the box's own network back.
rm -f "$run/join.conf" "$run/joining"
