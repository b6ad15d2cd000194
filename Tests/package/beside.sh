# Checks of the packages beside adhand, adhand-display and adhand-companion among them, and of adhand inside a session. Sourced by
# run.sh after checks.sh, with a container running and adhand purged.
# shellcheck shell=bash disable=SC2016 # single quotes hold scripts for the inner shell

# The checks of the bridge and the hooks need an installed adhand.
check_house() {
    is 'the bridge installs, is off, and runs once its file is there' bridge_installed
    is "its exposure is 1.4 or less: $(exposure_of adhan-bridge)" within 'systemd-analyze security --threshold=14 adhan-bridge'
    check_bridge_faults
    is 'the address for messages: its socket is there for the phone page alone, asked 60 times' messages_asked
    is 'removed and purged, no queue and no user of it is left' bridge_purged
    is 'an earlier version, whose program was a file and no link, is upgraded' hooks_from_file
    is 'the hooks install, are off, and switch once their file is there' hooks_installed
    is "their exposure is 0.9 or less: $(exposure_of adhan-hooks)" within 'systemd-analyze security --threshold=9 adhan-hooks'
    check_hooks_faults
    is 'removed and purged, no user of them is left' hooks_purged
}

check_packages_beside() {
    edition=adhand
    is 'the display installs beside adhand, and answers' display_installed
    is 'its page comes to a browser of this machine alone' display_page
    is 'the box'"'"'s own display, taps and the socket to the network are off' display_off
    is 'its units are without mistakes' within \
        'output=$(systemd-analyze verify adhan-display.service adhan-display.socket adhan-display-lan.socket adhan-kiosk.service adhan-touch.socket 2>&1 | grep -v "man page"'"$only_newer"'); echo "$output"; test -z "$output"'
    is "its exposure is 1.2 or less: $(exposure_of adhan-display)" within 'systemd-analyze security --threshold=12 adhan-display'
    is "the exposure of the browser's unit is 2.7 or less: $(exposure_of adhan-kiosk)" within 'systemd-analyze security --threshold=27 adhan-kiosk'
    is 'a real browser, its own sandbox on, draws under what the browser'"'"'s unit allows' browser_confined
    is 'its user is in no group that may change or play anything' within \
        'id adhan-display; test "$(id -nG adhan-display)" = adhan-display; if id -nG adhan-kiosk | tr " " "\n" | grep -xE "audio|adhan"; then exit 1; fi'
    is '"display enable" says what a screen of its own lacks' display_enable
    is 'adhand away and back, the display killed: it reports it, and is back' display_faults
    is 'a mistake in display.toml is reported, and ends no screen for good' display_mistake
    is 'the three commands of the guide open the socket to the network' display_network
    check_display_faults
    is 'an upgrade keeps its configuration and its state' display_upgrade
    edition=newer
    is 'and the socket to the network, and the screen of this machine, where they are on' display_upgrade_on
    is 'the phone page installs, is off, and answers when it is enabled' remote_installed
    is "its exposure is 1.2 or less: $(exposure_of adhan-remote)" within 'systemd-analyze security --threshold=12 adhan-remote'
    is "and that of what looks into uploads: $(exposure_of adhan-intake@x)" within 'systemd-analyze security --threshold=12 adhan-intake@x'
    is "that of the names in a box's own network is 1.0 or less: $(exposure_of adhan-hotspot-dns)" within 'systemd-analyze security --threshold=10 adhan-hotspot-dns'
    is 'enabled, it has a name on the network, and pairs a phone that it forgets when told' remote_enabled
    is 'what phones send comes to adhand'"'"'s user alone, however often it is cut off' remote_intake
    is 'disabled, it answers nobody, and its name is gone' remote_disabled
    check_remote_faults
    is 'removed and purged, no paired phone and no socket of it is left' remote_purged
    check_house
    is 'the companion installs, with manual pages and completions' companion_installed
    is 'a person marks a prayer, and nobody else reads it' companion_log
    is 'its service runs off the network, is back when killed, and tells the journal nothing' companion_service
    is 'setup starts adhand in a session, and lets it stay without one' session_setup
    check_session_faults
    is 'an upgrade keeps the log' companion_upgrade
    is 'removed, the configuration of the display and the log stay' beside_removed
    is 'purged, nothing of the display is left but people'"'"'s logs' beside_purged
    is 'removed and purged in every order, nothing listens and nothing is left' purge_orders
}

apt='apt-get install -y -qq -o Dpkg::Use-Pty=0 --no-install-recommends'
# The packages that are installed from here on: "adhand" for the present version, "newer" once a newer one is installed. All
# packages of a machine have the same version, because they depend on adhand-programs.
edition=adhand
# debs NAME...: prints the paths of the packages beside adhand and of adhand-programs.
debs() { for deb in "$@" programs; do printf '/share/%s-%s.deb ' "$edition" "$deb"; done; }

# waits SECONDS CONDITION: a function for scripts inside the container.
waits='waits() { local tries=0; until eval "$2"; do tries=$((tries + 1)); test $tries -lt $(($1 * 5)) || { echo "not within $1 s: $2"; return 1; }; sleep 0.2; done; }
    healthy() { adhanctl --json display status | tr -d " \n" | grep -q "\"healthy\":true"; }
    '

display_installed() {
    within "apt-get update -qq; $apt /share/adhand.deb $(debs display); test -z \"\$(dpkg --audit)\"
        $waits"'systemctl is-active adhan-display.service adhan-display.socket; systemctl is-enabled adhan-display.service adhan-display.socket
        waits 60 healthy; test "$(adhanctl display url)" = http://127.0.0.1:8787/; adhanctl display scene; adhanctl display status
        for p in adhan-display adhan-kiosk adhan-touch; do output=$(man --warnings $p 2>&1 > /tmp/page); test -z "$output"; test "$(wc -l < /tmp/page)" -gt 30; done
        test -z "$(systemctl --failed --no-legend)"'
}

# Functions for inside: they check that the page's answer redirects to the page for pairing. bash connects without other programs.
remote_page='asks() { bash -c "exec 3<>/dev/tcp/127.0.0.1/8790; cat >&3; cat <&3"; }
    paired() { printf "GET /r/ HTTP/1.1\r\nHost: localhost:8790\r\nConnection: close\r\n\r\n" | asks | grep -q "Location: /r/pair"; }
    '
remote_units='adhan-remote.socket adhan-remote-pairing.socket adhan-intake.socket adhan-remote.service'

remote_installed() {
    within "$apt $(debs remote); test -z \"\$(dpkg --audit)\"
        for u in $remote_units; do if systemctl is-enabled \$u; then exit 1; fi; test \"\$(systemctl is-active \$u)\" = inactive; done
        output=\$(systemd-analyze verify $remote_units 2>&1 | grep -v 'man page'$only_newer); echo \"\$output\"; test -z \"\$output\"
        test \"\$(stat -c %a:%U /var/lib/adhand-slides)\" = 755:adhand
        output=\$(systemd-analyze verify adhan-intake@x.service 2>&1 | grep -v 'man page'$only_newer); echo \"\$output\"; test -z \"\$output\"
        systemctl enable --now $remote_units; $waits$remote_page"'waits 30 paired
        test "$(stat -c %a:%G /run/adhan-remote/pairing.sock)" = 660:adhan; test "$(stat -c %a /var/lib/adhan-remote)" = 700
        for p in adhan-remote adhan-hotspot-dns; do output=$(man --warnings $p 2>&1 > /tmp/page); test -z "$output"; test "$(wc -l < /tmp/page)" -gt 30; done
        test -z "$(systemctl --failed --no-legend)"'
}

# The units are already enabled; "enable" sees that, and links the service's name.
remote_enabled() {
    within "$waits$remote_page"'adhanctl remote enable; adhanctl remote enable
        test "$(readlink /etc/systemd/dnssd/adhan-remote.dnssd)" = /usr/share/adhand/adhan-remote.dnssd
        waits 30 paired; adhanctl remote url | grep -q ":8790/r/"; adhanctl --json remote status | tr -d " \n" | grep -q "\"answers\":true.*\"phones\":0"
        (adhanctl --json remote pair --seconds 30 > /tmp/pairing) & waiting=$!; waits 10 "grep -q code /tmp/pairing"
        code=$(sed -n "s/.*\"code\":\"\([0-9]*\)\".*/\1/p" /tmp/pairing); form="code=$code&name=Kitchen"
        printf "POST /r/pair HTTP/1.1\r\nHost: localhost:8790\r\nOrigin: http://localhost:8790\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${#form}\r\nConnection: close\r\n\r\n$form" | asks | grep -q "adhan_remote="; wait $waiting; grep -q "\"name\":\"Kitchen\"" /tmp/pairing
        adhanctl remote phones | grep -q Kitchen; adhanctl remote revoke Kitchen; adhanctl remote phones | grep -q "no phone is paired"
        output=$(setpriv --reuid nobody --clear-groups adhanctl remote phones 2>&1) && exit 1; test $? = 77; echo "$output" | grep -q usermod'
}

# Sends silent connections, connections that end at once, and junk. Then the socket is still open, and no process is left.
remote_intake() {
    within 'test "$(stat -c %a:%U:%G /run/adhand/intake.sock)" = 660:root:adhan-remote
        perl -e "
use IO::Socket::UNIX; alarm 120; \$SIG{PIPE} = q{IGNORE};
for my \$round (0 .. 59) {
    my \$line = IO::Socket::UNIX->new(Peer => q{/run/adhand/intake.sock}) or die;
    if (\$round % 3) { print {\$line} q{junk} x \$round, chr 0; \$line->flush; \$line->shutdown(1); sysread \$line, my \$answer, 4096 }
    close \$line;
}
"; systemctl is-active adhan-intake.socket; test -z "$(systemctl --failed --no-legend)"
        test -z "$(ls -A /var/lib/adhand-slides)"; adhanctl status > /dev/null'
}

remote_disabled() {
    within "$waits$remote_page"'adhanctl remote disable; test ! -e /etc/systemd/dnssd/adhan-remote.dnssd; if paired 2> /dev/null; then exit 1; fi
        for u in '"$remote_units"'; do test "$(systemctl is-active $u)" = inactive; if systemctl is-enabled $u; then exit 1; fi; done
        adhanctl remote phones && exit 1; test $? = 69; adhanctl remote enable; waits 30 paired'
}

remote_purged() {
    within 'apt-get purge -y -qq -o Dpkg::Use-Pty=0 adhand-remote; test ! -e /var/lib/adhan-remote; test ! -e /run/adhan-remote
        test ! -e /var/lib/adhand-slides; test ! -e /etc/systemd/dnssd/adhan-remote.dnssd; test ! -e /run/adhand/intake.sock
        if getent passwd adhan-remote || getent group adhan-remote; then exit 1; fi
        test -z "$(systemctl list-units --no-legend "adhan-remote*" "adhan-intake*")"; adhanctl status > /dev/null'
}

bridge_installed() {
    within "$apt $(debs bridge); test -z \"\$(dpkg --audit)\"
        test \"\$(systemctl is-active adhan-bridge)\" = inactive; systemctl start adhan-bridge; test \"\$(systemctl is-active adhan-bridge)\" = inactive
        output=\$(systemd-analyze verify adhan-bridge.service 2>&1 | grep -v 'man page'$only_newer); echo \"\$output\"; test -z \"\$output\"
        $waits"'printf "name = \"Test\"\n" > /etc/adhand/bridge.toml; chgrp adhan-bridge /etc/adhand/bridge.toml; chmod 640 /etc/adhand/bridge.toml
        systemctl enable --now adhan-bridge; waits 30 "grep -q adhand_up /run/adhan-bridge/adhand.prom"
        systemctl reload adhan-bridge; sleep 1; systemctl is-active adhan-bridge
        test "$(id -nG adhan-bridge)" = adhan-bridge; test "$(stat -c %a:%U /var/lib/adhan-bridge)" = 700:adhan-bridge
        ls /usr/share/adhand/homeassistant/blueprints/automation/adhand/quiet-the-house.yaml
        output=$(man --warnings adhan-bridge 2>&1 > /tmp/page); test -z "$output"; test -z "$(systemctl --failed --no-legend)"'
}

# A package as it was before adhand-programs: /usr/bin/adhan-hooks is a file, and depends on no other package.
hooks_from_file() {
    within 'cd /tmp; dpkg-deb -R /share/'"$edition"'-hooks.deb early; sed -i "s/^Version: .*/Version: 0.0.9/; s/, adhand-programs ([^)]*)//" early/DEBIAN/control
        grep "^Depends:" early/DEBIAN/control; if grep -q adhand-programs early/DEBIAN/control; then exit 1; fi
        rm early/usr/bin/adhan-hooks; printf "#!/bin/sh\nexit 3\n" > early/usr/bin/adhan-hooks; chmod 755 early/usr/bin/adhan-hooks
        dpkg-deb --root-owner-group -b early early.deb; '"$apt"' ./early.deb; status=0; adhan-hooks || status=$?; test $status = 3
        '"$apt $(debs hooks)"'; test "$(readlink -f /usr/bin/adhan-hooks)" = /usr/lib/adhand/adhan-programs; adhan-hooks --version | grep adhan-hooks
        rm -r early early.deb'
}

# A relay of two scripts, whose output is in the journal.
hooks_installed() {
    within "$apt $(debs hooks); test -z \"\$(dpkg --audit)\"
        test \"\$(systemctl is-active adhan-hooks)\" = inactive; systemctl start adhan-hooks; test \"\$(systemctl is-active adhan-hooks)\" = inactive
        output=\$(systemd-analyze verify adhan-hooks.service 2>&1 | grep -v 'man page'$only_newer); echo \"\$output\"; test -z \"\$output\"
        $waits"'printf "#!/bin/sh\necho relay is \$1\n" > /usr/local/bin/relay; chmod 755 /usr/local/bin/relay
        printf "[[relay]]\nname = \"amplifier\"\non = [\"/usr/local/bin/relay\", \"on\"]\noff = [\"/usr/local/bin/relay\", \"off\"]\n" > /etc/adhand/hooks.toml
        chgrp adhan-hooks /etc/adhand/hooks.toml; chmod 640 /etc/adhand/hooks.toml; systemctl enable --now adhan-hooks
        waits 30 "journalctl -u adhan-hooks -o cat | grep -q \"relay is off\""
        systemctl reload adhan-hooks; sleep 1; systemctl is-active adhan-hooks; test "$(id -nG adhan-hooks)" = adhan-hooks
        output=$(man --warnings adhan-hooks 2>&1 > /tmp/page); test -z "$output"; test -z "$(systemctl --failed --no-legend)"'
}

hooks_purged() {
    within 'apt-get purge -y -qq -o Dpkg::Use-Pty=0 adhand-hooks; test ! -e /etc/adhand/hooks.toml; rm /usr/local/bin/relay
        if getent passwd adhan-hooks || getent group adhan-hooks; then exit 1; fi; adhanctl status > /dev/null'
}

# The socket starts a program for each request, and must not close after many requests.
messages_asked() {
    within 'test "$(stat -c %a:%U:%G /run/adhan-messages.sock)" = 660:root:adhan-remote
        printf "import socket\nline = socket.socket(socket.AF_UNIX)\nline.settimeout(20)\nline.connect(\"/run/adhan-messages.sock\")\nline.sendall(b\"{\\\"act\\\":\\\"show\\\"}\" + bytes([10]))\nprint(line.recv(65536).decode())\n" > /tmp/ask.py
        chmod 644 /tmp/ask.py
        if runuser -u nobody -- python3 /tmp/ask.py; then exit 1; fi
        for turn in $(seq 60); do runuser -u nobody -g adhan-remote -- python3 /tmp/ask.py | grep -q "\"isRunning\"" || exit 1; done
        systemctl is-active adhan-messages.socket adhan-messages.path'
}

bridge_purged() {
    within 'apt-get purge -y -qq -o Dpkg::Use-Pty=0 adhand-bridge; test ! -e /var/lib/adhan-bridge; test ! -e /run/adhan-bridge; test ! -e /etc/adhand/bridge.toml
        test ! -e /run/adhan-messages.sock
        if getent passwd adhan-bridge || getent group adhan-bridge; then exit 1; fi; adhanctl status > /dev/null'
}

# Runs the browser in the kiosk's unit, without the settings that need a screen, its groups and the server, and without the
# policy, which would forbid the trial to read the drawn page.
browser_confined() {
    within "$apt chromium fonts-dejavu-core"'
        echo "<p id=x>no</p><script>document.getElementById(\"x\").textContent = \"drawn \" + 6 * 7</script>" > /srv/page.html
        sed -E "/^(Conflicts|ConditionPathExists|Wants|After|SupplementaryGroups|Restart|RestartSec|WatchdogSec|NotifyAccess|BindReadOnlyPaths)=/d; s/^Type=.*/Type=oneshot/
            s|^ExecStart=.*|ExecStart=chromium --headless=new --disable-gpu --user-data-dir=/run/adhan-kiosk/profile --dump-dom file:///srv/page.html|
            s|^StandardInput=.*|StandardOutput=truncate:/srv/dom|" /lib/systemd/system/adhan-kiosk.service > /run/systemd/system/browser.service
        systemctl daemon-reload; systemctl start browser.service; grep "drawn 42" /srv/dom
        systemctl show -P SystemCallFilter browser.service | grep seccomp; rm /run/systemd/system/browser.service /srv/page.html /srv/dom
        systemctl daemon-reload; apt-get purge -y -qq --auto-remove chromium fonts-dejavu-core'
}

display_page() {
    inside bash -euxc 'ask() { exec 3<>/dev/tcp/127.0.0.1/8787; printf "GET $1 HTTP/1.1\r\nHost: ${2:-localhost:8787}\r\nConnection: close\r\n\r\n" >&3; cat <&3; }
        ask / | grep "id=\"clock\""; ask /assets/languages/ar.json | grep "صلاة"; ask / evil.example | head -1 | grep 421
        ask /assets/../../../etc/passwd | head -1 | grep 404
        if (exec 3<>/dev/tcp/$(hostname -I | cut -d" " -f1)/8787); then exit 1; fi
        test "$(systemctl show -P PrivateNetwork adhan-display)" = yes'
}

display_off() {
    within 'for u in adhan-kiosk.service adhan-display-lan.socket; do if systemctl is-enabled $u; then exit 1; fi; done
        for u in adhan-kiosk.service adhan-display-lan.socket adhan-touch.socket; do test "$(systemctl is-active $u)" = inactive; done'
}

exposure_of() {
    inside systemd-analyze security "$1" 2>/dev/null | sed -n "s/.*exposure level for $1.service: \\([0-9.]*\\).*/\\1/p"
}

display_enable() {
    within 'status=0; output=$(adhanctl display enable 2>&1) || status=$?; echo "$output"; test $status = 1
        echo "$output" | grep "try: sudo apt install cage seatd xwayland chromium"; if systemctl is-enabled adhan-kiosk; then exit 1; fi
        useradd -m looker; if runuser -u looker -- adhanctl display disable; then exit 1; else test $? = 77; fi
        runuser -u looker -- adhanctl display status | grep "answers"'
}

display_faults() {
    within "$waits"'systemctl stop adhand; waits 5 "! healthy"; adhanctl display status | grep -i "no word from the prayer clock"
        systemctl start adhand; waits 60 healthy; systemctl kill -s KILL adhan-display; waits 60 healthy; systemctl is-active adhan-display'
}

display_mistake() {
    within "$waits"'printf "languages = \"tr\"\ntitel = \"x\"\n" > /etc/adhand/display.toml; chmod 644 /etc/adhand/display.toml
        status=0; output=$(adhanctl check 2>&1) || status=$?; echo "$output"; test $status = 65; echo "$output" | grep "display.toml:2:1.*did you mean.*title"
        systemctl restart adhan-display; waits 60 healthy; journalctl -u adhan-display -n 9 | grep "titel"
        adhanctl display status | grep "settings have a mistake; the usual ones apply"
        printf "languages = \"tr\"\ntitle = \"Merkez Camii\"\n" > /etc/adhand/display.toml; systemctl restart adhan-display; waits 60 healthy
        adhanctl check 2>&1 | grep "display.toml: valid"'
}

display_network() {
    within "$waits"'systemctl enable adhan-display-lan.socket; systemctl stop adhan-display.socket adhan-display
        systemctl start adhan-display-lan.socket adhan-display.socket adhan-display; waits 60 healthy; adhanctl display url > /tmp/urls; cat /tmp/urls
        test "$(wc -l < /tmp/urls)" -ge 2; grep ":8788/" /tmp/urls' || return 1
    inside bash -euxc 'url=$(sed -n 2p /tmp/urls); host=${url#http://}; host=${host%%:*}
        exec 3<>/dev/tcp/$host/8788; printf "GET /state.json HTTP/1.1\r\nHost: $host:8788\r\nConnection: close\r\n\r\n" >&3; output=$(cat <&3)
        echo "$output" | grep "\"version\":\"\""; systemctl disable --now adhan-display-lan.socket'
}

display_upgrade() {
    within "$waits"'cp /etc/adhand/display.toml /tmp/shown
        '"$apt"' /share/newer.deb /share/newer-display.deb /share/newer-programs.deb; cmp /tmp/shown /etc/adhand/display.toml; waits 60 healthy
        systemctl is-active adhan-display.service adhan-display.socket; test -z "$(systemctl --failed --no-legend)"
        for u in adhan-kiosk.service adhan-display-lan.socket; do if systemctl is-enabled $u; then exit 1; fi; done
        systemctl disable --now adhan-display.service adhan-display.socket; '"$apt"' --reinstall /share/newer-display.deb
        if systemctl is-active adhan-display.service; then exit 1; fi; systemctl enable --now adhan-display.socket adhan-display; waits 60 healthy'
}

# Replaces the kiosk by a program that sleeps, because there is neither display nor browser here.
display_upgrade_on() {
    within "$waits"'mkdir /run/systemd/system/adhan-kiosk.service.d
        printf "[Unit]\nConditionPathExists=\n[Service]\nType=simple\nWatchdogSec=0\nSupplementaryGroups=\nExecStart=\nExecStart=/bin/sleep 1000\n" \
            > /run/systemd/system/adhan-kiosk.service.d/trial.conf; systemctl daemon-reload
        systemctl enable adhan-display-lan.socket; systemctl stop adhan-display.socket adhan-display
        systemctl start adhan-display-lan.socket adhan-display.socket adhan-display; waits 60 healthy
        systemctl start adhan-kiosk; before=$(systemctl show -P MainPID adhan-kiosk)
        '"$apt"' --reinstall /share/newer-display.deb; waits 60 healthy; systemctl is-active adhan-kiosk adhan-display-lan.socket adhan-display.socket
        test "$(systemctl show -P MainPID adhan-kiosk)" != "$before"; adhanctl display url | grep ":8788/"
        systemctl kill -s KILL adhan-kiosk; waits 10 "test \"\$(systemctl show -P NRestarts adhan-kiosk)\" = 1 && systemctl is-active -q adhan-kiosk"
        systemctl stop adhan-kiosk; rm -r /run/systemd/system/adhan-kiosk.service.d; systemctl disable --now adhan-display-lan.socket; systemctl daemon-reload'
}

companion_installed() {
    within "$apt --allow-downgrades /share/adhand-companion.deb /share/adhand-display.deb /share/adhand-programs.deb libpam-systemd dbus-user-session; test -z \"\$(dpkg --audit)\""'
        for p in adhan-companion prayed; do output=$(man --warnings $p 2>&1 > /tmp/page); test -z "$output"; test "$(wc -l < /tmp/page)" -gt 50; done
        bash -n /usr/share/bash-completion/completions/adhan-companion; grep -q "^#compdef" /usr/share/zsh/vendor-completions/_adhan-companion
        test -e /usr/share/fish/vendor_completions.d/adhan-companion.fish
        output=$(XDG_RUNTIME_DIR=/tmp systemd-analyze --user verify adhan-companion.service 2>&1 | grep -v "man page"'"$only_newer"'); echo "$output"; test -z "$output"'
}

companion_log() {
    within 'useradd -m amina; useradd -m bilal; runuser -u amina -- prayed isha --date yesterday; runuser -u amina -- adhan-companion week | grep "✓"
        log=/home/amina/.local/share/adhand/prayers.sqlite; test "$(stat -c %a $log)" = 600; test "$(stat -c %a ${log%/*})" = 700
        chmod 755 /home/amina /home/amina/.local /home/amina/.local/share; if runuser -u bilal -- cat $log; then exit 1; fi
        runuser -u bilal -- adhan-companion week --json | grep unlogged; runuser -u bilal -- adhan-companion next'
}

# Runs a command as a person whose own service manager runs.
as_amina='loginctl enable-linger amina; uid=$(id -u amina); waits 20 "test -S /run/user/$uid/bus"
    amina() { runuser -u amina -- env HOME=/home/amina USER=amina XDG_RUNTIME_DIR=/run/user/$uid DBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/$uid/bus "$@"; }
    '

companion_service() {
    within "$waits$as_amina"'if amina systemctl --user is-enabled adhan-companion; then exit 1; fi
        amina systemctl --user start adhan-companion; sleep 2; amina systemctl --user is-active adhan-companion
        pid=$(amina systemctl --user show -P MainPID adhan-companion); if ls -l /proc/$pid/fd | grep -E "inet|tcp"; then exit 1; fi
        amina systemctl --user kill -s KILL adhan-companion; waits 15 "test \"\$(amina systemctl --user show -P NRestarts adhan-companion)\" = 1 && amina systemctl --user is-active adhan-companion"
        journalctl --no-hostname -o cat > /tmp/journal; if grep -iE "adhan-companion.*(marked|prayed|missed|isha)" /tmp/journal; then exit 1; fi
        adhanctl diagnostics > /tmp/report; if grep -E "amina|prayers.sqlite" /tmp/report; then exit 1; fi'
}

# A person at a desktop answers the questions of setup. An empty file with the name of PipeWire's socket makes setup find
# PipeWire.
session_setup() {
    within "$waits$as_amina"'loginctl disable-linger amina; waits 20 "! test -e /run/user/$uid/bus"; systemctl disable --now adhand.service adhand.socket
        runuser -l amina -c "sleep 60" > /dev/null 2>&1 & waits 20 "test -S /run/user/$uid/bus"; touch /run/user/$uid/pipewire-0
        test ! -e /var/lib/systemd/linger/amina
        (sleep 2; for i in 1 2 3 4 5 6 7 8 9 10 11 12; do echo; sleep 1; done) | amina script -qec "adhanctl setup --city \"kuala lumpur\" --volume 70 --device null --untested" /tmp/setup || true
        cat /tmp/setup; grep "PipeWire runs in your session" /tmp/setup; amina systemctl --user is-active adhand.service
        amina adhanctl status | grep "Kuala Lumpur"
        grep "starts with the machine" /tmp/setup || { grep "sudo loginctl enable-linger" /tmp/setup; loginctl enable-linger amina; }
        test -e /var/lib/systemd/linger/amina
        amina adhanctl doctor | grep -i "session" || true
        systemctl start adhand || true; amina systemctl --user stop adhand.service adhand.socket; systemctl enable --now adhand
        if amina systemctl --user start adhand.service && amina systemctl --user is-active adhand.service; then echo "two at once"; exit 1; fi'
}

companion_upgrade() {
    within "$waits$as_amina"'amina adhan-companion export > /tmp/log; '"$apt"' '"$(debs companion display)"'; amina adhan-companion export | cmp - /tmp/log
        for p in companion display programs; do dpkg-query -W -f "\${Version}" adhand-$p | grep -q +test; done'
}

# Whether a program listens at port 8787 or 8788.
listens='listens() { awk "\$4 == \"0A\" && \$2 ~ /:225[34]\$/" /proc/net/tcp /proc/net/tcp6; }
    '

# Starts from an installation that is open to the network. A removed package stops and listens no more at once, without a warning,
# and a purged one leaves nothing. apt can purge a package as long as its settings exist.
purge_orders() {
    within "$waits$listens"'for order in "purge adhand" "purge adhand adhand-display" "remove adhand adhand-display,purge adhand" \
            "remove adhand-display,remove adhand,purge adhand-display" "purge adhand-display,remove adhand,purge adhand"; do
        '"$apt"' /share/adhand.deb /share/adhand-display.deb /share/adhand-programs.deb > /dev/null
        echo "title = \"Ours\"" > /etc/adhand/display.toml
        systemctl enable adhan-display-lan.socket; systemctl stop adhan-display.socket adhan-display
        systemctl start adhan-display-lan.socket adhan-display.socket adhan-display; waits 60 healthy; test "$(listens | wc -l)" = 2
        echo "$order" | tr , "\n" > /tmp/steps
        while read -r step; do
            apt-get $step -y -qq -o Dpkg::Use-Pty=0 < /dev/null > /tmp/said 2>&1; cat /tmp/said; if grep "Warning: Stopping" /tmp/said; then exit 1; fi
            test -z "$(systemctl list-units --no-legend "adhan-display*" "adhan-kiosk*" "adhan-touch*")"; test -z "$(listens)"
            case "$step " in "purge adhand "*) test ! -e /etc/adhand; esac
        done < /tmp/steps
        test -z "$(systemctl list-units --no-legend "adhan*")"
        dpkg --purge adhand-display adhand-programs adhand < /dev/null
        left=$(find / -xdev -path /proc -prune -o -path /sys -prune -o -path /share -prune -o -path /var/cache/man -prune -o -iname "*adhan*" -print)
        echo "$left"; test -z "$left"; if getent passwd | grep adhan; then exit 1; fi; if getent group | grep adhan; then exit 1; fi
    done'
}

beside_removed() {
    within "$waits"'loginctl disable-linger amina; apt-get remove -y -qq -o Dpkg::Use-Pty=0 adhand-display adhand-companion; test -e /etc/adhand/display.toml
        test -e /home/amina/.local/share/adhand/prayers.sqlite; test ! -e /usr/bin/adhan-display; test ! -e /usr/bin/prayed
        waits 10 "! grep -xE \"adhan-display|adhan-companion\" /proc/[0-9]*/comm"; test -z "$(systemctl --failed --no-legend)"; adhanctl status
        '"$apt"' '"$(debs display)"' || true; dpkg -s adhand-display | grep "ok installed"; waits 60 healthy'
}

beside_purged() {
    within 'apt-get purge -y -qq -o Dpkg::Use-Pty=0 adhand-display adhand-companion adhand-programs; test ! -e /etc/adhand/display.toml; adhanctl status
        if getent passwd adhan-display || getent passwd adhan-kiosk || getent group adhan-display || getent group adhan-kiosk; then exit 1; fi
        apt-get purge -y -qq -o Dpkg::Use-Pty=0 adhand
        left=$(find / -xdev -path /proc -prune -o -path /sys -prune -o -path /share -prune -o -path /home -prune -o -path /var/cache/man -prune -o -iname "*adhan*" -print)
        echo "$left"; test -z "$left"; test -e /home/amina/.local/share/adhand/prayers.sqlite
        loginctl terminate-user amina || true; for i in $(seq 50); do userdel -r amina && break; sleep 0.2; done; test ! -e /home/amina; userdel -r bilal; userdel -r looker; test -z "$(find / -xdev \( -nouser -o -nogroup \) -not -path "/proc/*" -print)"'
}
