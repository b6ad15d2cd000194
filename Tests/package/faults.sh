# A service that ends unexpectedly starts again, however often; one that a person stops stays stopped. Sourced by run.sh after
# beside.sh, with a container running. Tests/package/units.py names a row of this table for each unit that restarts.
# shellcheck shell=bash disable=SC2016 # single quotes hold scripts for the inner shell

# Needs an installed adhand and nothing else.
check_faults() {
    is 'eleven restarts in a row: it runs, and answers' restarted_often
    is 'twelve SIGKILLs in half a minute: it is back, and so is its socket' killed_often
    is 'killed twelve times while somebody asks it without a pause: both are back' asked_while_killed
    is 'ended with SIGTERM by somebody other than systemd, it is back' ended_politely
    is 'ten hangs in a row: the watchdog ends it, and it is back' hung_often
    is 'a configuration that is wrong, and none kept: tried every minute until it is right' refused_configuration
    is 'the box'"'"'s units start nothing on another machine; on a box adhand runs, and waits for its place' box_conditions
    is 'the sockets of the box'"'"'s own network go with it, whichever way it ends' box_sockets
}

# Needs an installed adhan-display.
check_display_faults() {
    is 'the display killed 25 times: it is back, and its port was never free' display_killed
    is 'a page that is broken: tried every minute until it is whole' display_refused
    is 'an address that another program has: tried every minute until it is free' display_locked_out
}

# Needs an installed adhan-companion and a person with a service manager.
check_session_faults() {
    is 'the companion killed twelve times is back; with a wrong setting it is tried again' companion_killed
    is 'adhand in a session, killed twelve times, is back with its socket' session_killed
}

both='systemctl is-active adhand.service adhand.socket adhand-again.timer; adhanctl status'
# The longest delay of a restart is 10 s.
back='waits 15 "systemctl is-active -q adhand.service adhand.socket && adhanctl status > /dev/null"'

restarted_often() {
    within "for i in 1 2 3 4 5 6 7 8 9 10 11; do systemctl restart adhand; done; $both
        test \"\$(systemctl show -P NRestarts adhand)\" = 0"'
        for i in 1 2 3 4 5 6 7 8; do systemctl stop adhand; systemctl start adhand; done; '"$both"
}

killed_often() {
    within "$waits"'before=$(systemctl show -P NRestarts adhand)
        for i in 1 2 3 4 5 6 7 8 9 10 11 12; do systemctl kill -s KILL adhand; sleep 2.4; done; '"$back; $both"'
        test "$(systemctl show -P NRestarts adhand)" -ge $((before + 3)); systemctl restart adhand'
}

# A screen or a status bar asks at the moment of the kill.
asked_while_killed() {
    within "$waits"'(while sleep 0.05; do timeout 2 adhanctl status > /dev/null 2>&1 || true; done) & asking=$!
        for i in 1 2 3 4 5 6 7 8 9 10 11 12; do systemctl kill -s KILL adhand || true; sleep 1; done; '"$back"'; kill $asking; '"$both"'
        systemctl restart adhand'
}

ended_politely() {
    within "$waits"'pid=$(systemctl show -P MainPID adhand); kill -TERM $pid; waits 5 "! test -e /proc/$pid"; '"$back; $both"
}

# Each hang takes two seconds instead of thirty, because the watchdog's time is shortened.
hung_often() {
    within "$waits"'mkdir -p /run/systemd/system/adhand.service.d
        printf "[Service]\nWatchdogSec=2s\nTimeoutAbortSec=1s\n" > /run/systemd/system/adhand.service.d/trial.conf
        systemctl daemon-reload; systemctl restart adhand; before=$(systemctl show -P NRestarts adhand)
        for i in 1 2 3 4 5 6 7 8 9 10; do
            waits 30 "test \"\$(systemctl show -P SubState adhand)\" = running"
            pid=$(systemctl show -P MainPID adhand); kill -STOP $pid; waits 15 "! test -e /proc/$pid"
        done
        '"$back"'; test "$(systemctl show -P NRestarts adhand)" -ge $((before + 10)); journalctl -u adhand | grep -q "Watchdog timeout"
        rm -r /run/systemd/system/adhand.service.d; systemctl daemon-reload; systemctl restart adhand; '"$both"
}

# On a machine on which adhand never ran, there is no configuration in force. The file is then mended without any command of
# adhand, as by a disk that is mounted late or by an editor.
refused_configuration() {
    within "$waits"'systemctl stop adhand; mv /var/lib/adhand /var/lib/adhand.kept; cp -a /etc/adhand /tmp/settings
        printf "[locaton]\nlatitude = 1\n" > /etc/adhand/adhand.toml
        if systemctl start adhand; then exit 1; fi; test "$(systemctl show -P ExecMainStatus adhand)" = 65
        sleep 75; if systemctl is-active adhand.service; then exit 1; fi
        test "$(journalctl -u adhand --since -75s -o cat | grep -c "Starting adhand")" -le 4
        printf "[location]\nname = \"Mended\"\nlatitude = 1.0\nlongitude = 2.0\n" > /etc/adhand/adhand.toml
        waits 80 "adhanctl status 2> /dev/null | grep -q Mended"; '"$both"'
        printf "[locaton]\n" > /etc/adhand/adhand.toml; rm -r /var/lib/adhand/*; systemctl restart adhand || true
        systemctl stop adhand; printf "" > /etc/adhand/adhand.toml; sleep 70
        for u in adhand.service adhand.socket adhand-again.timer; do if systemctl is-active $u; then exit 1; fi; done
        rm -r /var/lib/adhand /etc/adhand; mv /var/lib/adhand.kept /var/lib/adhand; cp -a /tmp/settings /etc/adhand; rm -r /tmp/settings
        systemctl reset-failed adhand; systemctl start adhand; '"$both"
}

# This kernel command line has no mark of a box, so the conditions of all box units fail and nothing starts. As a box, adhand
# starts before it has a place, and waits for one.
box_conditions() {
    cp -r box/units box/drop-ins "$box_share/"
    within "$waits"'cp /share/units/* /run/systemd/system/; systemctl daemon-reload
        for file in /share/units/*; do
            unit=$(basename "$file" | sed "s/@\./@0./"); systemctl start "$unit"; test "$(systemctl show -P ActiveState "$unit")" = inactive
            test "$(systemctl show -P ConditionResult "$unit")" = no; done
        for file in /share/units/*; do rm "/run/systemd/system/$(basename "$file")"; done
        mkdir /run/systemd/system/adhand.service.d
        cp /share/drop-ins/adhand.service.conf /run/systemd/system/adhand.service.d/box.conf
        systemctl stop adhand; mv /var/lib/adhand /var/lib/adhand.kept; cp -a /etc/adhand /tmp/settings; rm -rf /etc/adhand/*
        systemctl daemon-reload; systemctl start adhand; systemctl is-active adhand
        adhanctl --json status | grep -q "\"awaiting\" *: *\"place\""; test "$(adhanctl --json status | grep -c "adhan:")" = 0
        printf "[location]\nlatitude = 1.0\nlongitude = 2.0\n" > /etc/adhand/adhand.toml; systemctl restart adhand
        mkdir -p /run/adhan-box; : > /run/adhan-box/no-clock
        if adhanctl --json status | grep -q "\"awaiting\" *: *\"place\""; then exit 1; fi
        systemctl stop adhand; rm /run/adhan-box/no-clock
        rm -r /var/lib/adhand /etc/adhand /run/systemd/system/adhand.service.d; mv /var/lib/adhand.kept /var/lib/adhand; cp -a /tmp/settings /etc/adhand
        printf "[Unit]\nDescription=killed\n[Service]\nExecStart=/bin/sleep 1000\n" > /run/systemd/system/wpa_supplicant@.service
        mkdir "/run/systemd/system/wpa_supplicant@wlan0.service.d" /etc/wpa_supplicant
        cp "/share/drop-ins/wpa_supplicant@wlan0.service.conf" "/run/systemd/system/wpa_supplicant@wlan0.service.d/box.conf"
        sed -i "s/RestartSec=5s/RestartSec=100ms/" "/run/systemd/system/wpa_supplicant@wlan0.service.d/box.conf"; systemctl daemon-reload
        systemctl start wpa_supplicant@wlan0; if systemctl is-active wpa_supplicant@wlan0; then exit 1; fi
        : > /etc/wpa_supplicant/wpa_supplicant-wlan0.conf; systemctl start wpa_supplicant@wlan0
        for i in 1 2 3 4 5 6 7 8; do systemctl kill -s KILL wpa_supplicant@wlan0; sleep 0.5; done; waits 5 "systemctl is-active -q wpa_supplicant@wlan0"
        systemctl stop wpa_supplicant@wlan0; rm -r /etc/wpa_supplicant /run/systemd/system/wpa_supplicant@*
        rm -r /tmp/settings; systemctl daemon-reload; systemctl start adhand; '"$both"
}

# Replaces the network by a program that sleeps.
box_sockets() {
    mkdir -p "$box_share/sockets"
    cp box/units/adhan-box-hotspot.service box/units/adhan-box-join* systemd/adhan-hotspot-dns.socket "$box_share/sockets/"
    within "$waits"'cp /share/sockets/* /run/systemd/system/; cd /run/systemd/system
        printf "[Service]\nExecStart=/bin/sleep 1000\n" > adhan-hotspot-dns.service; systemctl daemon-reload
        systemctl start adhan-box-join.socket; waits 5 "! systemctl is-active adhan-box-join.socket adhan-hotspot-dns.socket"
        sed -i "/^Condition/d; /^ExecStopPost=/d; /^SocketGroup=/d; /^BindToDevice=/d; s/^ExecStart=.*/ExecStart=\/bin\/sleep 2/" adhan-box-* adhan-hotspot-dns.socket
        systemctl daemon-reload
        for end in itself stop itself; do systemctl start --no-block adhan-box-hotspot
            waits 2 "systemctl is-active adhan-box-join.socket && systemctl is-active adhan-hotspot-dns.socket && test -e /run/adhan-box/join.sock"
            if [ $end = stop ]; then systemctl stop adhan-box-hotspot; fi
            waits 5 "! systemctl is-active adhan-box-join.socket adhan-hotspot-dns.socket"; test ! -e /run/adhan-box/join.sock; done
        rm adhan-box-* adhan-hotspot-dns.*; systemctl daemon-reload'
}

# Needs an installed and enabled adhan-remote.
check_remote_faults() {
    is 'the phone page killed 25 times: it is back, and its port was never free' remote_killed
    is 'a mistake in remote.toml: tried every minute until it is mended' remote_refused
    is 'as on a box: without its codes the page starts all the same, and "phone = off" keeps it off' remote_of_box
}

remote_killed() {
    within "$waits$remote_page"'for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25; do
            systemctl kill -s KILL adhan-remote || true; systemctl is-active adhan-remote.socket adhan-remote-pairing.socket; sleep 0.7; done
        waits 15 paired; systemctl is-active adhan-remote.service'
}

remote_refused() {
    within "$waits$remote_page"'printf "[pairing]\ndayz = 3\n" > /etc/adhand/remote.toml; if systemctl restart adhan-remote; then exit 1; fi
        test "$(systemctl show -P ExecMainStatus adhan-remote)" = 65; rm /etc/adhand/remote.toml
        waits 80 paired; systemctl is-active adhan-remote.service adhan-remote-again.timer'
}

# Needs an installed adhan-bridge with its file.
check_bridge_faults() {
    is 'the bridge killed 25 times: it is back' bridge_killed
    is 'a mistake in bridge.toml: tried every minute until it is mended' bridge_refused
}

bridge_killed() {
    within "$waits"'for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25; do
            systemctl kill -s KILL adhan-bridge || true; sleep 0.7; done
        waits 15 "systemctl is-active -q adhan-bridge"; waits 30 "grep -q adhand_up /run/adhan-bridge/adhand.prom"'
}

bridge_refused() {
    within "$waits"'cp -p /etc/adhand/bridge.toml /tmp/bridge.toml; printf "nam = 3\n" >> /etc/adhand/bridge.toml
        if systemctl restart adhan-bridge; then exit 1; fi; test "$(systemctl show -P ExecMainStatus adhan-bridge)" = 65
        mv /tmp/bridge.toml /etc/adhand/bridge.toml
        waits 80 "systemctl is-active -q adhan-bridge"; systemctl is-active adhan-bridge-again.timer'
}

display_killed() {
    within "$waits"'for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25; do
            systemctl kill -s KILL adhan-display || true; systemctl is-active adhan-display.socket; sleep 0.7; done
        waits 15 healthy; systemctl is-active adhan-display.service adhan-display.socket
        for i in 1 2 3 4 5 6 7 8 9 10 11; do systemctl restart adhan-display; done; waits 15 healthy'
}

display_refused() {
    within "$waits"'mv /usr/share/adhand/display/index.html /tmp/; if systemctl restart adhan-display; then exit 1; fi
        test "$(systemctl show -P ExecMainStatus adhan-display)" = 65; mv /tmp/index.html /usr/share/adhand/display/
        waits 80 healthy; systemctl is-active adhan-display.service adhan-display.socket adhan-display-again.timer'
}

display_locked_out() {
    within "$waits"'systemctl stop adhan-display.service adhan-display.socket
        systemd-socket-activate -l 127.0.0.1:8787 /bin/true & other=$!; sleep 1
        if systemctl start adhan-display; then exit 1; fi; if systemctl is-active adhan-display.service; then exit 1; fi
        kill $other; waits 80 healthy; systemctl is-active adhan-display.service adhan-display.socket'
}

companion_killed() {
    within "$waits$as_amina"'amina systemctl --user start adhan-companion
        for i in 1 2 3 4 5 6 7 8 9 10 11 12; do amina systemctl --user kill -s KILL adhan-companion || true; sleep 1; done
        waits 65 "amina systemctl --user is-active -q adhan-companion"
        mkdir -p /home/amina/.config/adhand; echo "nothing = [" > /home/amina/.config/adhand/companion.toml; chown -R amina: /home/amina/.config
        amina systemctl --user restart adhan-companion || true; waits 5 "! amina systemctl --user is-active -q adhan-companion"
        test "$(amina systemctl --user show -P ExecMainStatus adhan-companion)" = 65; rm /home/amina/.config/adhand/companion.toml
        waits 80 "amina systemctl --user is-active -q adhan-companion"; amina systemctl --user stop adhan-companion'
}

# Stops the machine's own adhand, beside which this one would not start.
session_killed() {
    within "$waits$as_amina"'systemctl stop adhand; amina systemctl --user start adhand
        for i in 1 2 3 4 5 6 7 8 9 10 11 12; do amina systemctl --user kill -s KILL adhand || true; sleep 1; done
        waits 15 "amina systemctl --user is-active -q adhand.service adhand.socket"; waits 5 "amina adhanctl status > /dev/null"
        for i in 1 2 3 4 5 6 7 8 9 10 11; do amina systemctl --user restart adhand; done; amina systemctl --user is-active adhand.service adhand.socket
        amina systemctl --user stop adhand; for u in adhand.service adhand.socket adhand-again.timer; do
            if amina systemctl --user is-active $u; then exit 1; fi; done
        systemctl start adhand'
}

# Needs an installed adhan-hooks with its file.
check_hooks_faults() {
    is 'the hooks killed 25 times: they are back, and each time the relay was switched off' hooks_killed
    is 'a mistake in hooks.toml: tried every minute until it is mended' hooks_refused
}

hooks_killed() {
    within "$waits"'before=$(journalctl -u adhan-hooks -o cat | grep -c "relay is off"); for i in $(seq 25); do
            systemctl kill -s KILL adhan-hooks || true; sleep 0.7; done
        waits 15 "systemctl is-active -q adhan-hooks"
        after=$(journalctl -u adhan-hooks -o cat | grep -c "relay is off"); echo "$before $after"; test "$after" -gt "$before"'
}

hooks_refused() {
    within "$waits"'cp -p /etc/adhand/hooks.toml /tmp/hooks.toml; printf "nam = 3\n" >> /etc/adhand/hooks.toml
        if systemctl restart adhan-hooks; then exit 1; fi; test "$(systemctl show -P ExecMainStatus adhan-hooks)" = 65
        mv /tmp/hooks.toml /etc/adhand/hooks.toml
        waits 80 "systemctl is-active -q adhan-hooks"; systemctl is-active adhan-hooks-again.timer'
}

# The service starts although the box has no pairing codes.
remote_of_box() {
    cp -r box/drop-ins "$box_share/remote-drop-ins"
    within "$waits$remote_page"'mkdir -p /run/systemd/system/adhan-remote.service.d /var/lib/adhan-box
        cp /share/remote-drop-ins/adhan-remote.service.conf /run/systemd/system/adhan-remote.service.d/box.conf; systemctl daemon-reload
        systemctl restart adhan-remote; systemctl is-active adhan-remote; waits 15 paired
        : > /var/lib/adhan-box/phone-off; systemctl restart adhan-remote || true; if systemctl is-active adhan-remote; then exit 1; fi
        rm -r /var/lib/adhan-box /run/systemd/system/adhan-remote.service.d; systemctl daemon-reload; systemctl start adhan-remote
        waits 15 paired; systemctl is-active adhan-remote'
}
