#!/bin/bash
# The bridge and the hooks run as services of a real systemd, over this machine's own root. Tests the question of setup about
# messages and the files that it writes, whether the report of a failure reaches a web server at loopback, and how much the units
# are exposed. Takes one minute.
# usage: service.sh RELEASE     RELEASE is the folder of the released programs; needs root and systemd-nspawn
set -u
cd "$(dirname "$0")/../.." || exit 1
[ "$(id -u)" = 0 ] || { echo 'please run as root: a container is started' >&2; exit 1; }
. Tests/package/box.sh
. Tests/package/checks.sh

failures=0
trap box_down EXIT
box_boot here || exit 1
for part in install install-bridge install-hooks; do
    make -s $part RELEASE="$1" DESTDIR="$box_dir/root" PREFIX=/usr > "$box_share/make.log" 2>&1 || { cat "$box_share/make.log" >&2; exit 1; }
done

# The web server writes each message as one line: path, title, text.
cat > "$box_share/sink.py" << 'SINK'
import http.server

class Sink(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        with open("/share/posts", "a") as posts:
            print(self.path, self.headers["Title"], body, sep="\t", file=posts)
        self.send_response(200)
        self.end_headers()

http.server.ThreadingHTTPServer(("127.0.0.1", 8099), Sink).serve_forever()
SINK

ready() {
    within 'rm -rf /etc/adhand /var/lib/adhand /var/lib/adhan-bridge
        systemd-sysusers; systemd-tmpfiles --create /usr/lib/tmpfiles.d/adhand.conf || true; systemctl daemon-reload
        systemctl enable --now adhand
        ip link set lo up; systemd-run --quiet --unit=sink /usr/bin/python3 /share/sink.py; sleep 1; systemctl is-active sink
        test "$(systemctl is-active adhan-bridge)" = inactive; systemctl start adhan-bridge; test "$(systemctl is-active adhan-bridge)" = inactive'
}

# shellcheck disable=SC2016 # for the inner shell
asked() {
    within 'adhanctl setup --city "london ontario" --device null --alert http://127.0.0.1:8099/ours --yes --json > /share/setup.json || test $? = 1
        cat /share/setup.json; grep -q "\"saved\":true" /share/setup.json; grep -q "\"delivered\":true" /share/setup.json
        grep -P "^/ours\t.*test" /share/posts'
}

written() {
    within 'test "$(stat -c %a:%U:%G /etc/adhand/bridge.toml)" = 640:root:adhan-bridge; grep "^url = \"http://127.0.0.1:8099/ours\"" /etc/adhand/bridge.toml
        systemctl is-enabled adhan-bridge; systemctl is-active adhan-bridge; systemctl is-active adhand
        test "$(ps -o user= -C adhan-bridge)" = adhan-bridge
        adhan-bridge status; adhan-bridge alert | grep 8099'
}

failed() {
    within 'mkdir -p /etc/adhand/adhand.toml.d; printf "[audio]\ndevices = [\"nowhere\"]\n[adhan]\nlate-grace = \"5s\"\n[debug]\ntriggers = true\n" > /etc/adhand/adhand.toml.d/trial.toml
        adhanctl reload; rm -f /share/posts; adhanctl debug trigger asr --in 2s
        for turn in $(seq 120); do grep -q "Asr.*was not heard" /share/posts && break; sleep 0.1; done; cat /share/posts; grep "Asr.*was not heard" /share/posts'
}

again() {
    # The bridge counts a message as sent once it has recorded the answer, a moment after the message arrived.
    within 'for turn in $(seq 100); do adhan-bridge status --json | grep -qE "\"queued\": ?0" && break; sleep 0.1; done; adhan-bridge status --json | grep -E "\"queued\": ?0"
        systemctl kill -s KILL adhan-bridge; for turn in $(seq 100); do systemctl is-active -q adhan-bridge && adhan-bridge status | grep "adhand: answers" && break; sleep 0.1; done
        sleep 1; adhan-bridge status | grep "adhand: answers"; test "$(grep -c "Asr.*was not heard" /share/posts)" = 1'
}

taken_out() {
    within 'adhanctl setup --alert none --yes --json; ! grep -q "^\[\[alert\]\]" /etc/adhand/bridge.toml; systemctl is-active adhan-bridge'
}

# The requests of the phone page, from another user with its group. The bridge refuses local addresses; the trial has no other
# network, so it overrides that with --near.
cat > "$box_share/phone.py" << 'PHONE'
import json, socket, sys

line = socket.socket(socket.AF_UNIX)
line.settimeout(60)
line.connect("/run/adhan-messages.sock")
line.sendall(json.dumps(dict(zip(("act", "address"), sys.argv[1:]))).encode() + b"\n")
print(line.makefile().readline())
PHONE

# shellcheck disable=SC2016 # for the inner shell
phoned() {
    within 'systemctl stop adhan-bridge adhan-bridge-again.timer; rm -f /etc/adhand/bridge.toml* /share/posts /var/lib/adhan-bridge/open.json; chmod 644 /share/phone.py
        systemctl enable --now adhan-messages.socket adhan-messages.path
        ask() { runuser -u nobody -g adhan-remote -- python3 /share/phone.py "$@"; }
        if runuser -u nobody -- python3 /share/phone.py show; then exit 1; fi
        ask show | grep "\"isRunning\":false"; ask set http://127.0.0.1:8099/page | grep "\"error\":\"address\""
        unit=/etc/systemd/system/adhan-messages@.service.d; mkdir -p $unit
        { echo "[Service]"; echo "ExecStart="; sed -n "s/^ExecStart=.*/& --near/p" /usr/lib/systemd/system/adhan-messages@.service /lib/systemd/system/adhan-messages@.service 2>/dev/null | head -1; } > $unit/near.conf
        systemctl daemon-reload
        ask set http://127.0.0.1:8099/page | tee /dev/stderr | grep "\"address\":\"http://127.0.0.1:8099/page\""; grep -P "^/page\t.*test" /share/posts
        for turn in $(seq 100); do systemctl is-active -q adhan-bridge && break; sleep 0.1; done; systemctl is-active adhan-bridge
        test "$(stat -c %a:%U /var/lib/adhan-bridge/page.json)" = 600:adhan-bridge
        sleep 1; ask show | grep "\"isRunning\":true"'
}

phone_told() {
    within 'adhanctl debug trigger asr --in 2s
        for turn in $(seq 200); do grep -q "^/page.*Asr.*was not heard" /share/posts && break; sleep 0.1; done; cat /share/posts; grep "^/page.*Asr.*was not heard" /share/posts
        runuser -u nobody -g adhan-remote -- python3 /share/phone.py remove; test ! -e /var/lib/adhan-bridge/page.json; systemctl is-active adhan-bridge'
}

# Through the phone page's socket, root may make the bridge forget a fleet; the phone page's program may not.
# shellcheck disable=SC2016 # for the inner shell
forgotten() {
    within 'mine=/var/lib/adhan-bridge/fleet-password.json; echo "{}" > $mine; chown adhan-bridge: $mine; chmod 600 $mine
        runuser -u nobody -g adhan-remote -- python3 /share/phone.py forget-fleet | tee /dev/stderr | grep "\"error\":\"not-permitted\""; test -e $mine
        python3 /share/phone.py forget-fleet | tee /dev/stderr | grep "the fleet is forgotten"; test ! -e $mine'
}

# The bridge runs with only the card of a fleet, and without a network.
# shellcheck disable=SC2016 # for the inner shell
left() {
    within 'cd /etc/adhand; mkdir -p adhand.toml.d bridge.toml.d; echo 0123456789abcdef0123456789abcdef > fleet-token; chgrp adhan-bridge fleet-token; chmod 640 fleet-token
        printf "[fleet]\nbroker = [\"mqtt://127.0.0.1:9\"]\ntoken-file = \"/etc/adhand/fleet-token\"\n" > bridge.toml.d/fleet.toml
        printf "[fleet]\norg = \"noor\"\nsigning-key = \"ed25519:qBTmYq9uXayAo87x2zka7P6V+BGHAhQXN8yX920ebHU=\"\n" > adhand.toml.d/fleet.toml
        adhanctl reload; systemctl restart adhan-bridge; mine=/var/lib/adhan-bridge/fleet-password.json
        for turn in $(seq 100); do test -e $mine && break; sleep 0.1; done; test -e $mine
        adhanctl fleet leave | tee /dev/stderr | grep "whose word is still open"
        test ! -e $mine; test ! -e fleet-token; test ! -e bridge.toml.d/fleet.toml; adhanctl fleet status | grep "no fleet"
        test "$(systemctl is-active adhan-bridge)" = inactive; test -z "$(systemctl --failed --no-legend "adhan-bridge*")"
        if adhanctl fleet leave; then exit 1; else test $? = 64; fi'
}

exposure_of() { inside systemd-analyze security --no-pager "$1" | sed -n 's/.*Overall exposure level.*: \([0-9.]*\).*/\1/p'; }

is 'the services are off until their files are there' ready
is 'setup --alert writes the address, and a test message arrives' asked
is 'the file is for root and the service, which runs and starts with the machine' written
is 'a failed adhan arrives, 5 s after its grace of 5 s at the latest' failed
is 'a bridge that is killed is back, and says nothing twice' again
is 'setup --alert none takes it out' taken_out
is 'an address from the phone page is tried and kept, and starts the bridge without a file' phoned
is 'a failed adhan arrives there; then it is removed' phone_told
is 'root has the bridge forget a fleet, and the phone page has not' forgotten
is 'adhanctl fleet leave leaves nothing of a fleet, and a bridge that ran for it alone ends' left
is "exposure of the phone page's requests is 1.4 or less: $(exposure_of adhan-messages@1.service)" within 'systemd-analyze security --threshold=14 adhan-messages@1.service'
is "exposure of the bridge is 1.4 or less: $(exposure_of adhan-bridge)" within 'systemd-analyze security --threshold=14 adhan-bridge'
is "exposure of the hooks is 0.9 or less: $(exposure_of adhan-hooks)" within 'systemd-analyze security --threshold=9 adhan-hooks'
is 'the units are without mistakes' within \
    'output=$(systemd-analyze verify adhan-bridge.service adhan-hooks.service adhan-messages.socket adhan-messages.path adhan-messages@1.service 2>&1 | grep -v "man page"'"$only_newer"'); echo "$output"; test -z "$output"'
# When a hook ends, the daemon process that it left behind ends too; the unit keeps the rights for that.
orphans() {
    within 'printf "#!/bin/sh\nsetsid -f sleep 976546\ntouch /run/adhan-hooks/ran\n" > /usr/local/bin/leaves; chmod 755 /usr/local/bin/leaves
        printf "[[hook]]\nname = \"leaves\"\non = \"mute-changed\"\ncommand = \"/usr/local/bin/leaves\"\n" > /etc/adhand/hooks.toml
        chgrp adhan-hooks /etc/adhand/hooks.toml; chmod 640 /etc/adhand/hooks.toml; systemctl start adhan-hooks; sleep 2
        adhanctl mute --for 1m; adhanctl unmute; for turn in $(seq 50); do test -e /run/adhan-hooks/ran && break; sleep 0.1; done
        ls /run/adhan-hooks/ran; sleep 1; journalctl -u adhan-hooks -o cat; ! pgrep -f "sleep 976546"; systemctl is-active adhan-hooks'
}
is 'what a hook leaves in a session of its own ends with it' orphans
[ $failures = 0 ] || { echo "$failures failed" >&2; exit 1; }
