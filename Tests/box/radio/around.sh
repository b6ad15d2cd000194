#!/bin/sh
# The radio environment of the box: three radios on one channel. The first is the box's own, the second is a phone, the third is
# the home network.
# usage: around.sh radios                 moves the radios into their network namespaces
#        around.sh home KEY [WORDS]       starts the home network with a DHCP server; "wpa3": WPA3 only; "silent": no DHCP server;
#                                         "hidden": the name is not broadcast
#        around.sh gone                   stops the home network
#        around.sh seen                   prints the network names that the phone sees
#        around.sh join NAME KEY          connects the phone, and prints its address
#        around.sh leave                  disconnects the phone
#        around.sh phone COMMAND...       runs a command on the phone
set -u
here=${0%/*}
run=$here/run
mkdir -p "$run"

apart() {
    ip netns add "$1"
    "$here/iw" phy "$2" set netns name "$1"
    ip -n "$1" link set lo up
}
phone() { ip netns exec phone "$@"; }
# within_30s WHAT COMMAND...: waits until the command succeeds.
within_30s() {
    what=$1
    shift
    for _ in $(seq 150); do
        ! "$@" || return 0
        sleep 0.2
    done
    echo "$what: not within 30 s" >&2
    exit 1
}

case ${1:-} in
    radios)
        # The kernel has loaded the radios early, as it does on a board.
        within_30s "the third radio" test -d /sys/class/net/wlan2
        apart phone "$(cat /sys/class/net/wlan1/phy80211/name)"
        apart home "$(cat /sys/class/net/wlan2/phy80211/name)"
        ;;
    home)
        key=$2
        shift 2
        case " $* " in *' wpa3 '*) by='SAE\n ieee80211w=2' ;; *) by='WPA-PSK' ;; esac
        hidden=
        case " $* " in *' hidden '*) hidden=' ignore_broadcast_ssid=1\n' ;; esac
        printf 'ctrl_interface=%s/home\nnetwork={\n ssid="Home"\n mode=2\n frequency=2437\n%b key_mgmt=%b\n proto=RSN\n pairwise=CCMP\n psk="%s"\n}\n' \
            "$run" "$hidden" "$by" "$key" > "$run/home.conf"
        ip -n home address replace 192.168.44.1/24 dev wlan2
        ip netns exec home wpa_supplicant -B -i wlan2 -c "$run/home.conf" > "$run/home.log"
        printf 'start 192.168.44.20\nend 192.168.44.60\ninterface wlan2\nlease_file %s/leases\npidfile %s/udhcpd.pid\nopt subnet 255.255.255.0\nopt router 192.168.44.1\n' \
            "$run" "$run" > "$run/udhcpd.conf"
        : > "$run/leases"
        case " $* " in *' silent '*) ;; *) ip netns exec home busybox udhcpd "$run/udhcpd.conf" ;; esac
        ;;
    gone)
        [ ! -e "$run/udhcpd.pid" ] || kill "$(cat "$run/udhcpd.pid")"
        rm -f "$run/udhcpd.pid"
        ip netns exec home wpa_cli -p "$run/home" -i wlan2 terminate
        # A new home network could not start while the old one still runs.
        within_30s "the end of the network at home" test ! -e "$run/home/wlan2"
        ;;
    seen)
        phone ip link set wlan1 up
        phone "$here/iw" dev wlan1 scan | sed -n 's/^\tSSID: //p'
        ;;
    join)
        "$0" leave
        printf 'ctrl_interface=%s/phone\nnetwork={\n ssid="%s"\n scan_ssid=1\n psk="%s"\n}\n' "$run" "$2" "$3" > "$run/phone.conf"
        printf '#!/bin/sh\n[ "$1" != bound ] || { ip address flush dev wlan1; ip address add "$ip/${mask:-24}" dev wlan1; echo "$ip" > %s/address; echo "$dns" > %s/dns; }\n' \
            "$run" "$run" > "$run/lease.sh"
        chmod 755 "$run/lease.sh"
        phone wpa_supplicant -B -i wlan1 -c "$run/phone.conf" -P "$run/phone.pid" -f "$run/phone.log" > /dev/null
        tries=40
        until phone wpa_cli -p "$run/phone" -i wlan1 status 2> /dev/null | grep -q '^wpa_state=COMPLETED'; do
            tries=$((tries - 1))
            [ "$tries" -gt 0 ] || exit 1
            sleep 0.5
        done
        phone busybox udhcpc -i wlan1 -n -q -t 8 -T 2 -s "$run/lease.sh" > "$run/lease.log" 2>&1 || exit 1
        phone ip route replace 224.0.0.0/4 dev wlan1
        cat "$run/address"
        ;;
    leave)
        [ ! -e "$run/phone.pid" ] || kill "$(cat "$run/phone.pid")" 2> /dev/null
        rm -f "$run/phone.pid" "$run/address" "$run/dns"
        phone ip address flush dev wlan1
        sleep 1
        ;;
    phone)
        shift
        phone "$@"
        ;;
    *) exit 64 ;;
esac
