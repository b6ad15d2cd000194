# The checks of adhand-fleet, the package of a fleet's server, which works without adhand. Sourced by run.sh after beside.sh, with
# a container running and adhand purged.
# shellcheck shell=bash disable=SC2016 # single quotes hold scripts for the inner shell

check_fleet() {
    is 'the watch installs without adhand, is off, and runs once there is a fleet' fleet_installed
    is "its exposure is 1.5 or less: $(exposure_of adhan-fleet)" within 'systemd-analyze security --threshold=15 adhan-fleet'
    is 'an upgrade restarts it, and keeps the fleet' fleet_upgrade
    is 'one that was stopped and disabled stays so in an upgrade' fleet_disabled
    is 'removed, nothing runs, and all files of the fleet stay' fleet_removed
    is 'installed again, it goes on with them' fleet_again
    is 'purged, the boxes keep their places, which belong to root' fleet_purged
    is 'a server that never had a fleet is purged without a trace' fleet_unused
}

# Reads the overview from inside. No program listens at the broker's port, so the overview says that the broker is silent.
fleet_page='page() { printf "GET $1 HTTP/1.1\r\nHost: 127.0.0.1:8791\r\nConnection: close\r\n\r\n" | bash -c "exec 3<>/dev/tcp/127.0.0.1/8791; cat >&3; cat <&3"; }
    watches() { page /metrics | grep -q "^adhan_fleet_up 0"; }
    '

fleet_installed() {
    within "$apt /share/adhand-fleet.deb /share/adhand-programs.deb; test -z \"\$(dpkg --audit)\"
        output=\$(systemd-analyze verify adhan-fleet.service adhan-fleet-again.timer adhan-fleet-reload.path adhan-fleet-reload.service 2>&1 | grep -v 'man page'$only_newer); echo \"\$output\"; test -z \"\$output\"
        $waits$fleet_page"'if dpkg -s adhand; then exit 1; fi; systemctl is-enabled adhan-fleet
        test "$(systemctl is-active adhan-fleet)" = inactive; systemctl start adhan-fleet; test "$(systemctl is-active adhan-fleet)" = inactive
        test "$(id -nG adhan-fleet)" = adhan-fleet; cd /etc/adhan-fleet
        test "$(stat -c %U:%a . rollouts published enrol passwords reprepro/public | tr "\n" " ")" = "root:755 adhan-fleet:755 adhan-fleet:755 adhan-fleet:750 adhan-fleet:640 adhan-fleet:755 "
        adhan-fleet init --org noor --broker mqtt://127.0.0.1:1899; adhan-fleet keys --out /root/keys --json > /root/public
        key=$(sed -n "s/.*\"signing\" *: *\"\([^\"]*\)\".*/\1/p" /root/public); sed -i "s|^# signing-key = .*|signing-key = \"$key\"|" fleet.toml
        echo word > broker-password; chgrp adhan-fleet broker-password; chmod 640 broker-password
        systemctl start adhan-fleet; waits 30 watches; systemctl is-active adhan-fleet
        test "$(stat -c %U "/proc/$(systemctl show -P MainPID adhan-fleet)")" = adhan-fleet
        page / | grep -q "Content-Security-Policy"; page /healthz | head -1 | grep 503
        output=$(man --warnings adhan-fleet 2>&1 > /tmp/page); test -z "$output"; test "$(wc -l < /tmp/page)" -gt 100
        test -e /usr/share/doc/adhand-fleet/FLEET.md
        bash -n /usr/share/bash-completion/completions/adhan-fleet; grep -q "^#compdef adhan-fleet" /usr/share/zsh/vendor-completions/_adhan-fleet
        test -e /usr/share/fish/vendor_completions.d/adhan-fleet.fish; test -z "$(systemctl --failed --no-legend)"'
}

# The files that an owner must not lose.
fleet_files='places() { (cd /etc/adhan-fleet && cat fleet.toml mosquitto.conf acl broker-password passwords enrol/state.json published/kept rollouts/kept) | sha256sum; }
    '

fleet_upgrade() {
    within "$waits$fleet_page$fleet_files"'cd /etc/adhan-fleet
        adhan-fleet enrol new --count 5 --until "$(date -u -d "+9 days" +%Y-%m-%d)" --broker mqtts://fleet.example.org:8883 -o /root/card.toml
        for file in published/kept rollouts/kept; do echo kept > $file; chown adhan-fleet:adhan-fleet $file; done; sleep 6; test -s passwords
        places > /tmp/places; before=$(systemctl show -P MainPID adhan-fleet)
        '"$apt"' /share/newer-fleet.deb /share/newer-programs.deb; dpkg-query -W -f "\${Version}" adhand-fleet | grep -q +test
        waits 30 watches; test "$(systemctl show -P MainPID adhan-fleet)" != "$before"; systemctl is-active adhan-fleet; systemctl is-enabled adhan-fleet
        places | cmp - /tmp/places; test "$(stat -c %U:%a passwords)" = adhan-fleet:640; test -z "$(systemctl --failed --no-legend)"'
}

fleet_disabled() {
    within "$waits$fleet_page"'systemctl disable --now adhan-fleet; '"$apt"' --reinstall /share/newer-fleet.deb
        if systemctl is-enabled adhan-fleet; then exit 1; fi; test "$(systemctl is-active adhan-fleet)" = inactive
        systemctl enable --now adhan-fleet; waits 30 watches'
}

fleet_removed() {
    within "$waits$fleet_files"'apt-get remove -y -qq -o Dpkg::Use-Pty=0 adhand-fleet > /tmp/said 2>&1; cat /tmp/said; if grep "Warning: Stopping" /tmp/said; then exit 1; fi
        test ! -e /usr/bin/adhan-fleet; waits 10 "! grep -qx adhan-fleet /proc/[0-9]*/comm"
        test -z "$(systemctl list-units --no-legend "adhan-fleet*")"; test -z "$(systemctl --failed --no-legend)"; places | cmp - /tmp/places'
}

fleet_again() {
    within "$waits$fleet_page$fleet_files"''"$apt"' /share/newer-fleet.deb; systemctl start adhan-fleet; waits 30 watches; places | cmp - /tmp/places'
}

fleet_purged() {
    within 'apt-get purge -y -qq -o Dpkg::Use-Pty=0 adhand-fleet adhand-programs; cd /etc/adhan-fleet; test ! -e published; test ! -e rollouts
        for file in fleet.toml mosquitto.conf acl adhan-fleet.rules.yml alertmanager.yml broker-password passwords enrol/state.json; do test -s $file; done
        if getent passwd adhan-fleet || getent group adhan-fleet; then exit 1; fi
        left=$(find . ! -user root -o ! -group root); echo "$left"; test -z "$left"; test "$(stat -c %a passwords)" = 640
        test -z "$(find / -xdev \( -nouser -o -nogroup \) -not -path "/proc/*" -print)"; cd /; rm -r /etc/adhan-fleet /root/keys /root/public /root/card.toml'
}

fleet_unused() {
    within "$apt"' /share/adhand-fleet.deb /share/adhand-programs.deb; apt-get purge -y -qq -o Dpkg::Use-Pty=0 adhand-fleet adhand-programs
        left=$(find / -xdev -path /proc -prune -o -path /sys -prune -o -path /share -prune -o -path /var/cache/man -prune -o -iname "*adhan*" -print)
        echo "$left"; test -z "$left"; if getent passwd adhan-fleet || getent group adhan-fleet; then exit 1; fi'
}
