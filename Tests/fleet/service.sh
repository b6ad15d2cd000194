#!/bin/bash
# The watch over a fleet runs as a service of a real systemd, over this machine's own root, beside its mosquitto. Tests that it is
# off until its file exists, that it survives kills, hangs and an invalid file, and that root can start a roll-out. Takes two
# minutes.
# usage: service.sh RELEASE     RELEASE is the folder of the released programs; needs root and systemd-nspawn
set -u
cd "$(dirname "$0")/../.." || exit 1
[ "$(id -u)" = 0 ] || { echo 'please run as root: a container is started' >&2; exit 1; }
. Tests/package/box.sh
. Tests/package/checks.sh

failures=0
trap box_down EXIT
box_boot here || exit 1
make -s install-fleet RELEASE="$1" DESTDIR="$box_dir/root" PREFIX=/usr > "$box_share/make.log" 2>&1 || { cat "$box_share/make.log" >&2; exit 1; }

# shellcheck disable=SC2016 # for the inner shell
ready() {
    within 'rm -rf /etc/adhan-fleet; systemd-sysusers; systemd-tmpfiles --create /usr/lib/tmpfiles.d/adhan-fleet.conf; systemctl daemon-reload; ip link set lo up
        test "$(stat -c %U:%a /etc/adhan-fleet/rollouts)" = adhan-fleet:755; test "$(stat -c %U:%a /etc/adhan-fleet/published)" = adhan-fleet:755; test "$(stat -c %U:%a /etc/adhan-fleet/passwords)" = adhan-fleet:640
        systemctl start adhan-fleet; test "$(systemctl is-active adhan-fleet)" = inactive'
}

# shellcheck disable=SC2016 # for the inner shell
started() {
    within 'adhan-fleet init --org noor --broker mqtt://127.0.0.1:1899
        adhan-fleet keys --out /root/keys --json > /root/keys.json; key=$(sed -n "s/.*\"signing\" *: *\"\([^\"]*\)\".*/\1/p" /root/keys.json)
        sed -i "s|^# signing-key = .*|signing-key = \"$key\"|; s|\[watch\]|[watch]\nsettle = \"10s\"|; s|rings = .*|rings = [100]\nsuccess = \"applied\"\nsoak = \"0s\"|" /etc/adhan-fleet/fleet.toml
        echo word > /etc/adhan-fleet/broker-password; chgrp adhan-fleet /etc/adhan-fleet/broker-password; chmod 640 /etc/adhan-fleet/broker-password
        mosquitto_passwd -c -b /root/passwords fleet word; cat /root/passwords > /etc/adhan-fleet/passwords; usermod -a -G adhan-fleet mosquitto
        printf "allow_anonymous false\npassword_file /etc/adhan-fleet/passwords\nacl_file /etc/adhan-fleet/acl\nlistener 1899 127.0.0.1\n" > /etc/mosquitto/mosquitto.conf
        cp -r /etc/adhan-fleet/mosquitto.service.d /etc/systemd/system/; systemctl daemon-reload
        systemctl restart mosquitto; sleep 1; systemctl is-active mosquitto; test "$(systemctl show -P LimitNOFILE mosquitto)" = 65536
        systemctl enable --now adhan-fleet; systemctl is-active adhan-fleet
        test "$(ps -o user= -C adhan-fleet)" = adhan-fleet
        for turn in $(seq 60); do curl -sf http://127.0.0.1:8791/healthz && break; sleep 0.5; done; curl -sf http://127.0.0.1:8791/healthz'
}

# shellcheck disable=SC2016 # for the inner shell
killed() {
    within 'for turn in $(seq 8); do systemctl kill -s KILL adhan-fleet; sleep 1.5; done
        for turn in $(seq 60); do curl -sf http://127.0.0.1:8791/healthz && break; sleep 0.5; done; systemctl is-active adhan-fleet; curl -sf http://127.0.0.1:8791/healthz'
}

# shellcheck disable=SC2016 # for the inner shell
hung() {
    within 'mkdir -p /etc/systemd/system/adhan-fleet.service.d; printf "[Service]\nWatchdogSec=5s\n" > /etc/systemd/system/adhan-fleet.service.d/trial.conf
        systemctl daemon-reload; systemctl restart adhan-fleet; before=$(systemctl show -P MainPID adhan-fleet); kill -STOP "$before"
        for turn in $(seq 60); do test "$(systemctl show -P MainPID adhan-fleet)" != "$before" && systemctl is-active -q adhan-fleet && break; sleep 0.5; done
        test "$(systemctl show -P MainPID adhan-fleet)" != "$before"; systemctl is-active adhan-fleet
        rm -r /etc/systemd/system/adhan-fleet.service.d; systemctl daemon-reload; systemctl restart adhan-fleet'
}

# shellcheck disable=SC2016 # for the inner shell
rolled() {
    within 'say() { mosquitto_pub -V 5 -p 1899 -u fleet -P word -q 1 -r -t "adhand/v1/noor/$1" -m "$2"; }
        now=$(date -u +%Y-%m-%dT%H:%M:%SZ); later=$(date -u -d "+7 days" +%Y-%m-%dT%H:%M:%SZ)
        say box/up/plan "{\"v\":1,\"made\":\"$now\",\"until\":\"$later\",\"entries\":[]}"
        say box/up/status "{\"v\":1,\"state\":\"online\",\"at\":\"$now\",\"boot\":\"b\",\"version\":\"0.1.0\",\"image\":null,\"hardware\":\"h\",\"adhand\":\"up\",\"beat\":60,\"groups\":[]}"
        printf "[adhan]\nvolume = 40\n" > /root/body; adhan-fleet sign --key /root/keys/signing.pem --org noor --kind configuration --seq 1 /root/body -o /root/envelope
        adhan-fleet rollout start /root/envelope
        mosquitto_sub -V 5 -p 1899 -u fleet -P word -t adhand/v1/noor/box/down/configuration -C 1 -W 60 | cmp - /root/envelope || test $? = 1
        adhan-fleet rollout status; adhan-fleet rollout pause; adhan-fleet rollout abort; adhan-fleet rollout status | grep aborted
        adhan-fleet publish /root/envelope; adhan-fleet publish /root/envelope | grep already; ls -la /etc/adhan-fleet/published/*.envelope; sleep 6
        ls -la /etc/adhan-fleet/rollouts; ! journalctl -u adhan-fleet -o cat | grep -i "stand still\|left alone\|no roll-out"'
}

# shellcheck disable=SC2016 # for the inner shell
released() {
    within 'test "$(stat -c %U:%a /etc/adhan-fleet/reprepro/public)" = adhan-fleet:755
        for index in 100 stop; do
            suite=/etc/adhan-fleet/reprepro/rings/9.0.0/$index/dists/stable; mkdir -p $suite/main/binary-amd64; echo signed > $suite/InRelease
            test $index = stop || printf "Package: adhand\nVersion: 9.0.0\n" > $suite/main/binary-amd64/Packages
        done
        adhan-fleet rollout start adhand=9.0.0
        for turn in $(seq 60); do test -e /etc/adhan-fleet/reprepro/public/dists/stable/InRelease && break; sleep 0.5; done
        readlink /etc/adhan-fleet/reprepro/public/dists | grep -x ../rings/9.0.0/100/dists
        adhan-fleet rollout abort adhand=9.0.0
        for turn in $(seq 60); do readlink /etc/adhan-fleet/reprepro/public/dists | grep -qx ../rings/9.0.0/stop/dists && break; sleep 0.5; done
        readlink /etc/adhan-fleet/reprepro/public/dists | grep -x ../rings/9.0.0/stop/dists'
}

# shellcheck disable=SC2016 # for the inner shell
joined() {
    within 'adhan-fleet enrol new --count 1 --until $(date -u -d "+2 days" +%Y-%m-%d) --broker mqtts://fleet.example.org:8883 -o /root/card.toml; word=$(sed -n "s/^token = \"\(.*\)\"/\1/p" /root/card.toml)
        hash=$(python3 -c "import base64,hashlib,os; s=os.urandom(12); b=lambda x: base64.b64encode(x).decode(); print(\"\$7\$101\$\"+b(s)+\"\$\"+b(hashlib.pbkdf2_hmac(\"sha512\", b\"own\", s, 101)))")
        for turn in $(seq 40); do mosquitto_pub -V 5 -p 1899 -u enrol -P "$word" -q 1 -t adhand/v1/noor/enrol/newbox -m "{\"v\":1,\"box\":\"newbox\",\"hash\":\"$hash\",\"hardware\":\"h\",\"version\":\"0.1.0\"}" && break; sleep 0.5; done
        for turn in $(seq 60); do mosquitto_pub -V 5 -p 1899 -u newbox -P own -q 1 -t adhand/v1/noor/newbox/up/hb -m "{}" && break; sleep 0.5; done
        mosquitto_pub -V 5 -p 1899 -u newbox -P own -q 1 -t adhand/v1/noor/newbox/up/hb -m "{}"
        test "$(stat -c %U:%a /etc/adhan-fleet/passwords)" = adhan-fleet:640; adhan-fleet enrol list; adhan-fleet enrol revoke newbox; sleep 2
        if mosquitto_pub -V 5 -p 1899 -u newbox -P own -q 1 -t adhand/v1/noor/newbox/up/hb -m "{}"; then exit 1; fi; systemctl is-active mosquitto'
}

# shellcheck disable=SC2016 # for the inner shell
refused() {
    within 'cp /etc/adhan-fleet/fleet.toml /root/good; echo "org = 5" >> /etc/adhan-fleet/fleet.toml
        if systemctl restart adhan-fleet; then exit 1; fi; test "$(systemctl show -P ExecMainStatus adhan-fleet)" = 65; systemctl is-active adhan-fleet-again.timer
        cp /root/good /etc/adhan-fleet/fleet.toml
        for turn in $(seq 90); do systemctl is-active -q adhan-fleet && break; sleep 1; done; systemctl is-active adhan-fleet'
}

exposure_of() { inside systemd-analyze security --no-pager "$1" | sed -n 's/.*Overall exposure level.*: \([0-9.]*\).*/\1/p'; }

is 'the watch is off until there is a fleet' ready
is 'with its file it runs as a user of its own' started
is 'killed eight times it is back' killed
is 'one that hangs is started again' hung
is 'root begins a roll-out, which the watch carries out and root ends' rolled
is 'a release is served by rings that somebody else signed' released
is 'a box joins by its card, with nobody at the server, and leaves' joined
is 'a file that is not valid is tried again within a minute' refused
is "exposure of the watch is 1.5 or less: $(exposure_of adhan-fleet)" within 'systemd-analyze security --threshold=15 adhan-fleet'
is 'the unit is without mistakes' within \
    'output=$(systemd-analyze verify adhan-fleet.service adhan-fleet-reload.path adhan-fleet-reload.service 2>&1 | grep -v "man page"'"$only_newer"'); echo "$output"; test -z "$output"'
[ $failures = 0 ] || { echo "$failures failed" >&2; exit 1; }
