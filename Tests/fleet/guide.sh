#!/bin/bash
# Runs every command of docs/FLEET.md in its order, in a fresh Debian under a real systemd, with the packages of dist and a box.
# The trial also does the steps that the page describes in words, such as putting keys into a file. Takes ten minutes.
# usage: guide.sh [SUITE]     SUITE is bookworm by default; its packages are downloaded once. DIST=FOLDER replaces dist
# shellcheck disable=SC2016,SC2155 # single quotes hold scripts for the inner shell; no declaration hides a failure
set -u
cd "$(dirname "$0")/../.." || exit 1
[ "$(id -u)" = 0 ] || { echo 'please run as root: a container is started' >&2; exit 1; }
. Tests/package/box.sh
. Tests/package/checks.sh

suite=${1:-bookworm}
dist=${DIST:-dist}
page=docs/FLEET.md
version=$(sed -n 's/.*adhandVersion = "\(.*\)"/\1/p' Sources/Texts/Version.swift)
architecture=$(dpkg --print-architecture)
packages=()
for name in adhand-fleet adhand-programs adhand adhand-bridge; do packages+=("$dist/${name}_${version}_$architecture.deb"); done
for package in "${packages[@]}"; do
    [ -e "$package" ] || { echo "$package is not there; run \"make deb\" first" >&2; exit 1; }
done

# The trial has no network, so that no command of the page reaches anybody; the packages it needs are put into apt's cache first.
fleet_root() {
    local archive=$box_archives/$suite-fleet.tar made
    [ "$archive" -nt debian/control ] && return
    box_root "$suite" || return 1
    made=$(mktemp -d)
    tar -C "$made" -xpf "$box_archives/$suite.tar"
    cp /etc/resolv.conf "$made/etc/resolv.conf"
    cp "${packages[@]}" "$made/tmp"
        DEBIAN_FRONTEND=noninteractive chroot "$made" sh -euc 'apt-get update -qq; apt-get install -y -qq sudo procps
        apt-get install -y -qq --download-only mosquitto mosquitto-clients prometheus prometheus-alertmanager openssl curl jq git /tmp/*.deb
        rm /tmp/*.deb' > "$box_archives/$suite-fleet.log" 2>&1 || { tail -5 "$box_archives/$suite-fleet.log" >&2; rm -r "$made"; return 1; }
    tar -C "$made" -cf "$archive.new" . && mv "$archive.new" "$archive"
    rm -r "$made"
}

failures=0
trap box_down EXIT
fleet_root || exit 1
# shellcheck disable=SC2034 # box_boot reads it
box_more=--private-network
box_boot "$suite-fleet" || exit 1
nsenter --target "$box_leader" --net ip link set lo up
cp "${packages[@]}" "$box_share"

# Writes each block of commands of the page into a file of its own.
mkdir "$box_share/blocks"
awk -v folder="$box_share/blocks" '
    /^ *```/ && !inside { language = $0; sub(/^ *```/, "", language); inside = 1; indent = match($0, /`/)
        if (language != "sh") { language = "text"; file = sprintf("%s/text-%02d", folder, ++texts) } else file = sprintf("%s/%02d", folder, ++blocks)
        next }
    /^ *```$/ { inside = 0; close(file); next }
    inside { print substr($0, indent) > file }' "$page"
blocks=$(find "$box_share/blocks" -name '[0-9]*' | wc -l)
# text_with WORD: prints the file of the block without commands that contains the word.
text_with() { grep -l -- "$1" "$box_share"/blocks/text-* | head -1; }

# The names that a reader of the page replaces by their own.
declare -A names=()
put_names() {
    local name script="s|_0.1.0_amd64.deb|_${version}_$architecture.deb|g; s|2027-03-31|$(date -u -d '+120 days' +%F)|; s|REPOSITORY|/srv/noor.git|"
    for name in "${!names[@]}"; do script="$script; s|$name|${names[$name]}|g"; done
    sed -e "$script" "$1"
}

# Runs commands as the technician, who has sudo. Unlike an interactive shell, this one ends at the first command that fails.
technician() {
    local folder=$1
    inside sudo -u technician -H bash -euo pipefail -c "mkdir -p ~/$folder; cd ~/$folder; set -x; . /share/typed"
}

taken=0
# step FIRST-WORDS FOLDER: runs the next block of the page, which must begin with these words.
step() {
    local file
    taken=$((taken + 1))
    file=$(printf '%s/blocks/%02d' "$box_share" $taken)
    case "$(head -1 "$file")" in
        "$1"*) ;;
        *) echo "block $taken of $page begins with \"$(head -1 "$file")\", and \"$1\" was to come: this trial has to follow the page" >&2; exit 1 ;;
    esac
    put_names "$file" > "$box_share/typed"
    is "$(printf '%2d %s' $taken "$(head -1 "$box_share/typed" | cut -c1-58)")" technician "$2" < "${3:-/dev/null}"
}

# again N FOLDER [SED]: runs a block once more, with a change that the page describes in words.
again() {
    put_names "$(printf '%s/blocks/%02d' "$box_share" "$1")" | sed -e "${3:-}" > "$box_share/typed"
    is "   block $1 again" technician "$2" < "${4:-/dev/null}"
}

# Runs the steps that are no block of the page. If one fails, the trial fails.
quietly() { is "   $1" within "$2"; }

public() { inside sed -n "s/.*$1-key = \"\(.*\)\"/\1/p" "/home/technician/desk/$2"; }

# The box of the trial runs in the same container, and applies a card as a flashed box does.
cat > "$box_share/card.sh" <<'CARD'
card=$1
value() { sed -n "s/^$1 = \"\(.*\)\"$/\1/p" "$card"; }
list() { sed -n "s/^$1 = \(\[.*\]\)$/\1/p" "$card"; }
groups=$(list groups)
cat > /etc/adhand/adhand.toml <<TOML
timezone = "Europe/London"
[location]
name = "Trial"
latitude = 51.5
longitude = -0.1
[audio]
devices = ["file:/dev/null"]
[fleet]
org = "$(value org)"
signing-key = "$(value signing-key)"
recovery-key = "$(value recovery-key)"
TOML
[ -z "$groups" ] || echo "groups = $groups" >> /etc/adhand/adhand.toml
value token | install -m 640 -g adhan-bridge /dev/stdin /etc/adhand/fleet-token
printf '%b' "$(value ca)" > /etc/adhand/fleet-ca.pem
cat > /etc/adhand/bridge.toml <<TOML
[fleet]
broker = $(list broker)
token-file = "/etc/adhand/fleet-token"
ca-file = "/etc/adhand/fleet-ca.pem"
beat = "10s"
TOML
systemctl reload-or-restart adhand
systemctl restart adhan-bridge
CARD
until_online='for turn in $(seq 150); do adhan-fleet status | grep -q "1 box: 1 online" && break; sleep 1; done; adhan-fleet status | grep "1 box: 1 online"'

quietly 'a technician, a way to another machine, two sticks' '
    useradd -m -s /bin/bash technician; echo "technician ALL=(ALL) NOPASSWD: ALL" > /etc/sudoers.d/technician
    echo "APT::Get::Assume-Yes \"true\";" > /etc/apt/apt.conf.d/yes
    echo "127.0.0.1 localhost $(hostname) fleet.example.org" >> /etc/hosts
    mkdir -p /media/safe-1 /media/safe-2 /srv/backup; chown technician /media/safe-? /srv/backup
    install -m 755 /dev/stdin /usr/local/bin/ssh <<"SSH"
#!/bin/sh
# The ssh of the trial: runs the command as another machine would, the backup or the box.
case $1 in
    backup) cd /srv/backup && exec sh -c "$2" ;;
    root@*) exec sudo sh -c "$2" ;;
esac
SSH
    install -m 755 /dev/stdin /usr/local/bin/editor <<"EDITOR"
#!/bin/sh
cp /share/edited "$1"
EDITOR
    for folder in desk server second; do install -d -o technician /home/technician/$folder; install -o technician -m 644 /share/adhand-fleet_*.deb /share/adhand-programs_*.deb /home/technician/$folder; done'

echo "== the keys"
step 'sudo apt install ./adhand-fleet' desk
quietly 'the public keys, on paper' 'cd /home/technician/desk; for key in signing recovery; do
        printf "%s-key = \"ed25519:%s\"\n" $key "$(openssl pkey -in keys/$key.pem -pubout -outform DER | tail -c 32 | base64)"; done > paper'
step 'cp keys/recovery.pem' desk
step 'openssl ecparam' desk
step 'openssl x509 -enddate' desk
names=(['ed25519:\.\.\.']=$(public signing paper) [OLD-SIGNING]="$(public signing paper)")
quietly 'files move on a stick' 'cd /home/technician; install -o technician desk/ca.crt desk/server.crt desk/server.key server'

echo "== the server"
packages_block=$((taken + 1))
step 'sudo apt install mosquitto' server
quietly 'both keys are put in' 'cd /etc/adhan-fleet; sed -i "/^# signing-key/d; /^# recovery-key/d" fleet.toml
    { cat /home/technician/desk/paper; cat fleet.toml; } > /tmp/fleet.toml; cat /tmp/fleet.toml > fleet.toml; git init -q --bare /srv/noor.git'
step "printf '%s" server
step 'word=' server
step 'sudo install -m 644 server.crt' server
quietly 'the broker is up, encrypted' 'openssl s_client -connect fleet.example.org:8883 -CAfile /home/technician/desk/ca.crt -verify_return_error < /dev/null'

echo "== the people"
people() {
    within 'cp /etc/adhan-fleet/alertmanager.yml /share/edited; sed -i "/^receivers:/,\$d" /share/edited' && cat "$(text_with email_configs)" >> "$box_share/edited"
}
is '   people are named' people
step 'sudo cp /etc/adhan-fleet/alertmanager.yml' server
echo 'word of the mail' > "$box_share/mail"
step 'sudo install -m 640 -g prometheus' server "$box_share/mail"
cp "$(text_with web.listen-address)" "$box_share/arguments"
alone='cp /share/arguments /etc/default/prometheus-alertmanager'
quietly 'Alertmanager is alone' "$alone"
step 'amtool check-config' server
quietly 'the alarm is there' 'amtool --alertmanager.url=http://127.0.0.1:9093 alert | grep -w drill'
cp "$(text_with job_name)" "$box_share/scrape"
added='cd /etc/prometheus; awk "/^(rule_files|scrape_configs):/ { while ((getline line < \"/share/scrape\") > 0) { if (line ~ /^[a-z]/) part = line; else more[part] = more[part] line \"\n\" }
        print; printf \"%s\", more[\$1]; next } { print }" prometheus.yml > /tmp/prometheus.yml; cat /tmp/prometheus.yml > prometheus.yml; grep -q 8791 prometheus.yml; grep -q adhan-fleet.rules prometheus.yml'
quietly 'rules and figures are added' "$added"
step 'promtool' server
step 'sudo systemctl enable --now adhan-fleet' server
quietly 'Prometheus has the figures' 'for turn in $(seq 60); do curl -s "http://127.0.0.1:9090/api/v1/query?query=adhan_fleet_build_info" | grep -q 0.1.0 && break; sleep 1; done
    curl -s "http://127.0.0.1:9090/api/v1/query?query=adhan_fleet_build_info" | grep 0.1.0'

echo "== the first box"
step 'sudo adhan-fleet enrol new' server
quietly 'the card is put into the box' 'apt-get install -qq /share/adhand_*.deb /share/adhand-bridge_*.deb; sh -eux /share/card.sh /home/technician/server/fleet.toml'
quietly 'it is on the overview' "$until_online"
step 'sudo adhan-fleet enrol list --labels' server
quietly 'a label is written' 'grep -q svg /home/technician/server/labels.svg'
box=$(inside adhan-fleet enrol list --json | tr -d ' \n' | sed 's/.*"boxes":\[{[^}]*"box":"\([^"]*\)".*/\1/')
names[BOX]=$box

echo "== changes"
step "printf '[adhan]" desk
quietly 'the envelope moves' 'cd /home/technician; install -o technician desk/configuration-1.envelope server'
step 'adhan-fleet verify' server
quietly 'the box has it' 'for turn in $(seq 60); do adhanctl fleet status | grep -q "^configuration *1" && break; sleep 1; done; adhanctl fleet status | grep "^configuration *1"'
step 'sudo adhan-fleet status --json' server
quietly 'one is published by mistake' 'cd /home/technician/desk; printf "{\"pins\":{\"1449-09\":\"2028-01-29\"}}" > pins
    adhan-fleet sign --key keys/signing.pem --org noor --kind hijri --seq 1 pins -o pins.envelope; adhan-fleet publish pins.envelope'
names[DIGEST]=$(inside adhan-fleet verify --json /home/technician/desk/pins.envelope | tr -d ' \n' | sed 's/.*"digest":"\([^"]*\)".*/\1/')
step 'sudo adhan-fleet withdraw' server
# mosquitto_sub exits with status 27 if no message arrived in time.
quietly 'it is gone, and stays away' 'sleep 12; test -z "$(ls /etc/adhan-fleet/published/*.envelope 2>/dev/null)"; ls /etc/adhan-fleet/published/*.withdrawn
    status=0; output=$(mosquitto_sub -V 5 -h 127.0.0.1 -u fleet -P "$(cat /etc/adhan-fleet/broker-password)" -t adhand/v1/noor/all/down/hijri -C 1 -W 2) || status=$?
    test $status = 27; test -z "$output"'
step 'sudo tar' server

echo "== exercise: the server is stolen"
quietly 'the old server is gone' 'systemctl stop adhan-fleet mosquitto; apt-get purge -qq adhand-fleet mosquitto prometheus prometheus-alertmanager
    test -s /etc/adhan-fleet/passwords; test -s /etc/adhan-fleet/enrol/state.json; test ! -e /etc/adhan-fleet/published; test -z "$(find /etc/adhan-fleet -nouser -o -nogroup -o ! -user root)"
    rm -rf /etc/adhan-fleet /etc/mosquitto /etc/prometheus /var/lib/mosquitto /var/lib/prometheus /etc/systemd/system/mosquitto.service.d; systemctl daemon-reload'
again 3 desk '/server/!d' # only the commands that contain "server"
quietly 'files move on a stick' 'cd /home/technician; install -o technician desk/ca.crt desk/server.crt desk/server.key second'
step 'sudo git clone' second
again $packages_block second '/ init /d'
again $((packages_block + 2)) second
again $((packages_block + 3)) second
again $((packages_block + 4)) second
again $((packages_block + 5)) second '' "$box_share/mail"
quietly 'Alertmanager is alone' "$alone"
again $((packages_block + 6)) second
quietly 'rules and figures are added' "$added"
again $((packages_block + 7)) second
names[DAY]=$(inside date +%a)
step 'ssh backup' second
step 'sudo adhan-fleet enrol new' second
step 'sudo systemctl restart mosquitto' second
quietly 'the box is back by itself' "$until_online"
quietly 'a change that is newer than the backup' 'cd /home/technician/desk; adhan-fleet sign --key keys/signing.pem --org noor --kind hijri --seq 2 pins -o pins-2.envelope
    install -o technician pins-2.envelope ../second'
names[FILE]=pins-2.envelope
step 'sudo adhan-fleet rollout status' second
unset 'names[FILE]'
step 'sudo adhan-fleet status --json' second
quietly 'its new card' 'sh -eux /share/card.sh /home/technician/second/new.toml'
step 'ssh root@adhan' second
# A machine that has no board number, such as a PC, must be accepted by a person.
quietly 'it has another password, and is back' '
    for turn in $(seq 60); do adhan-fleet enrol list | grep -q "asks again" && break; sleep 1; done
    for box in $(adhan-fleet enrol list | sed -n "s/  asks again.*//p"); do adhan-fleet enrol accept "$box"; done
    sleep 5; '"$until_online"

echo "== exercise: the signing key is stolen"
# This block makes the keys and then names them, so the trial makes them first and fills in their names.
sed -n 1p "$(printf '%s/blocks/%02d' "$box_share" $((taken + 1)))" > "$box_share/typed"
is '   new keys are made first, to name them' technician desk < /dev/null
quietly 'and are written down' 'cd /home/technician/desk; printf "signing-key = \"ed25519:%s\"\n" "$(openssl pkey -in keys-2/signing.pem -pubout -outform DER | tail -c 32 | base64)" > paper-2'
names[NEW-SIGNING]=$(public signing paper-2)
for name in NEW-SIGNING OLD-SIGNING; do names["ed25519:$name"]=${names[$name]}; unset "names[$name]"; done
names['ed25519:RECOVERY']=$(public recovery paper)
sed -i 1d "$(printf '%s/blocks/%02d' "$box_share" $((taken + 1)))"
step 'shred -u keys-2' desk
quietly 'the envelope moves' 'cd /home/technician; install -o technician desk/keys-1.envelope second'
step 'sudo adhan-fleet publish keys-1' second
quietly 'the box obeys the new key' "$until_online"'
    for turn in $(seq 60); do adhanctl fleet status | grep -q "^keys *1 *confirmed" && break; sleep 1; done; adhanctl fleet status | grep "^keys *1 *confirmed"'
step 'sudo adhan-fleet status --json' second
step 'sudo adhan-fleet status --json' second
quietly 'what is to be' 'printf "[adhan]\nvolume = 50\n" > /home/technician/desk/good.toml'
step "printf '{\"verb\":\"unmute\"}'" desk
quietly 'the envelopes move' 'cd /home/technician; install -o technician desk/*.envelope second'
step 'sudo adhan-fleet publish unmute' second
quietly 'the box has them' 'for turn in $(seq 60); do adhanctl fleet status | grep -q "^configuration *43" && break; sleep 1; done; adhanctl fleet status | grep "^configuration *43"'
names[DIGEST]=$(inside sh -c 'basename /etc/adhan-fleet/rollouts/*.json .json')
# Status 3 means that the roll-out is paused; the command itself has not failed.
sed -i 's/^\(sudo adhan-fleet rollout status\)$/\1 || test $? = 3/' "$(printf '%s/blocks/%02d' "$box_share" $((taken + 1)))"
step 'sudo adhan-fleet rollout status' second
names[DIGEST]=$(inside sh -c 'cd /etc/adhan-fleet/published; ls *.envelope | head -1 | sed s/.envelope//')
step 'for file in' second

[ "$taken" = "$blocks" ] || { echo "$page has $blocks blocks of commands, and $taken were tried: this trial has to follow the page" >&2; exit 1; }
[ $failures = 0 ] || { echo "$failures failed" >&2; exit 1; }
