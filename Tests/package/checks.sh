# The checks of the package, in the order of its life. Sourced by run.sh, with a container running.
# shellcheck shell=bash disable=SC2016 # single quotes hold scripts for the inner shell

# is WHAT CMD...: prints a row of the table. If the command fails, its output follows.
is() {
    local what=$1 output status=0
    shift
    output=$("$@" 2>&1) || status=$?
    if [ $status = 0 ]; then
        printf '  %-66s ok\n' "$what"
    else
        printf '  %-66s FAILED (%d)\n' "$what" $status
        printf '%s\n' "$output" | tail -20 | sed 's/^/      | /'
        failures=$((failures + 1))
    fi
}

# Runs a shell script inside. The first line that fails ends it, and is the last one that is printed.
within() { inside sh -euxc "$1"; }

# Hides the warnings of systemd before 254 about two newer settings of adhand.service that it does not know.
only_newer=' | grep -vE "Unknown key (name )?.Restart(Steps|MaxDelaySec). in section .Service., ignoring" || true'

check_package() {
    is 'an upgrade from a package that owned the configuration keeps it' upgrade_untouched
    is 'and one that was edited, noninteractive and with nobody to ask' upgrade_edited
    is 'installs with apt, on a machine without a sound card' install
    is 'the service and its socket run and start with the machine' units
    is 'user and groups are there' within 'id adhand; id -nG adhand | grep -qw audio; getent group adhan'
    is 'without a sound card it runs, and the preflight says so' no_card
    is 'no configuration is installed; the example is what holds without one' shipped_configuration
    is 'manual pages and completions are in their places' files
    is '"journalctl -x" explains the entries' within 'journalctl -x -u adhand > /tmp/x; cat /tmp/x; grep "adhand has started" /tmp/x'
    is 'the units are without mistakes' within \
        'output=$(systemd-analyze verify adhand.service adhand.socket adhand-again.timer 2>&1'"$only_newer"'); echo "$output"; test -z "$output"'
    is "exposure is 1.0 or less: $(exposure)" within 'systemd-analyze security --threshold=10 adhand'
    is 'what the service does not need is closed to it' sandbox
    within 'useradd -m volunteer; usermod -aG adhan volunteer; useradd -m stranger' 2> /dev/null
    is 'doctor names the missing card and place, with status 1' doctor_without_card
    is 'root looks and changes' within 'adhanctl status; adhanctl mute --for 5s; adhanctl unmute'
    is 'a member of adhan looks and changes' within \
        'runuser -u volunteer -- adhanctl status; runuser -u volunteer -- adhanctl mute; adhanctl unmute'
    is 'a stranger looks, and is refused a change with status 77' stranger
    is 'a stranger finds a town' within 'runuser -u stranger -- adhanctl city "kuala l" | grep "Malaysia.*Asia/Kuala_Lumpur"'
    is 'dhuhr is called, and heard on the sound card' dhuhr
    is 'setup saves and has it in force, doctor is content, undo undoes' setup
    is 'a recording is added, played by a member, and removed' recording
    is 'a bug report names neither machine nor user' diagnostics
    is 'a drop-in overrides the file, and check tells' drop_in
    is 'a broken file is refused on reload, and the old one stays' broken_reload
    is 'after SIGKILL it is back, muted as before' killed
    check_faults
    is 'an upgrade keeps configuration, mute, switches and history' upgrade
    is 'a service that was stopped and disabled stays so in an upgrade' disabled
    is 'stopped, adhanctl says with status 69 how to start it' stopped
    is 'removing it leaves configuration and state, and nothing running' removed
    is 'installed again, everything is as it was' again
    is 'purging leaves nothing' purged
    is 'Tab works in bash, zsh and fish' completions
}

# Writes as the service's user, in the service's own view of the file system.
sandbox() {
    within 'pid=$(systemctl show -P MainPID adhand)
        try() { nsenter --mount --target "$pid" setpriv --reuid adhand --regid adhand --clear-groups touch "$1/probe" 2>/dev/null; }
        try /var/lib/adhand; rm /var/lib/adhand/probe
        for closed in / /etc /usr /run /run/lock /dev /dev/shm /dev/mqueue /home /root; do
            if try $closed; then echo "$closed is writable"; exit 1; fi
        done'
}

# An earlier package, which has /etc/adhand/adhand.toml as a conffile. OLD_PACKAGE=FILE uses a real one.
old_package() {
    local tree
    [ -z "${OLD_PACKAGE:-}" ] || { cp "$OLD_PACKAGE" "$box_share/before.deb"; return; }
    tree=$(mktemp -d)
    mkdir -p "$tree/DEBIAN" "$tree/etc/adhand"
    cp Resources/adhand.toml "$tree/etc/adhand/adhand.toml"
    echo '# as it was' >> "$tree/etc/adhand/adhand.toml"
    echo /etc/adhand/adhand.toml > "$tree/DEBIAN/conffiles"
    printf '%s\n' 'Package: adhand' 'Version: 0.1.0~before' "Architecture: $architecture" \
        'Maintainer: adhand maintainers <maintainers@adhand.invalid>' 'Description: its configuration alone' \
        > "$tree/DEBIAN/control"
    chmod 755 "$tree"
    dpkg-deb --root-owner-group --build "$tree" "$box_share/before.deb"
    rm -r "$tree"
}

# `check` accepts the text, but exits with 1, because there is no sound card and nothing can be played.
valid() { echo "adhanctl check $* > /tmp/check || test \$? = 1; grep -q 'valid' /tmp/check"; }

# The file is unchanged, has the same name, stands alone in its folder, and is in force.
kept='cmp /tmp/owned /etc/adhand/adhand.toml; test "$(ls -A /etc/adhand)" = adhand.toml; systemctl is-active adhand
    dpkg-query -W -f "\${Conffiles}" adhand | grep "adhand.toml .*obsolete$"; test -z "$(dpkg --audit)"
    '"$(valid)"'; adhanctl --json status | grep "\"configuration\": *\"/etc/adhand/adhand.toml\""'
purged='apt-get purge -y -qq -o Dpkg::Use-Pty=0 adhand; test ! -e /etc/adhand'

upgrade_untouched() {
    old_package || return 1
    within 'apt-get update -qq; apt-get install -y -qq -o Dpkg::Use-Pty=0 /share/before.deb; cp /etc/adhand/adhand.toml /tmp/owned
        apt-get install -y -qq -o Dpkg::Use-Pty=0 /share/adhand.deb < /dev/null'"
        $kept; $purged"
}

upgrade_edited() {
    within 'apt-get install -y -qq -o Dpkg::Use-Pty=0 /share/before.deb
        printf "[location]\nname = \"Our mosque\"\nlatitude = 3.1\nlongitude = 101.7\n" >> /etc/adhand/adhand.toml
        cp /etc/adhand/adhand.toml /tmp/owned
        apt-get install -y -qq -o Dpkg::Use-Pty=0 /share/adhand.deb < /dev/null'"
        $kept"'; adhanctl status | grep "Our mosque"
        dpkg -i --force-downgrade /share/before.deb < /dev/null; cmp /tmp/owned /etc/adhand/adhand.toml
        unset DEBIAN_FRONTEND; dpkg -i /share/adhand.deb < /dev/null'"
        $kept; apt-get remove -y -qq -o Dpkg::Use-Pty=0 adhand; cmp /tmp/owned /etc/adhand/adhand.toml
        $purged"
}

install() {
    within 'apt-get update -qq && apt-get install -y -qq -o Dpkg::Use-Pty=0 /share/adhand.deb && dpkg --audit && test -z "$(dpkg --audit)"'
}

units() {
    within 'systemctl is-active adhand.service adhand.socket; systemctl is-enabled adhand.service adhand.socket
        test -z "$(systemctl --failed --no-legend)"; test "$(systemctl show -P NRestarts adhand)" = 0'
}

no_card() {
    within 'test ! -e /dev/snd; adhanctl status; if output=$(adhanctl test-play fajr 2>&1); then exit 1; fi
        echo "$output"; echo "$output" | grep -q "cannot open"; systemctl is-active adhand'
}

doctor_without_card() {
    within 'status=0; adhanctl doctor > /tmp/doctor || status=$?; cat /tmp/doctor; test $status = 1
        test "$(grep -c "^problem" /tmp/doctor)" = 2; grep "^problem  Sound device" /tmp/doctor
        grep "^problem  Location" /tmp/doctor; grep "Try: sudo adhanctl setup" /tmp/doctor
        test "$(adhanctl --json doctor | grep -c "\"ok\":false")" = 1'
}

shipped_configuration() {
    within 'test -d /etc/adhand; test -z "$(ls -A /etc/adhand)"; adhanctl check | grep "embedded default"
        example=/usr/share/adhand/adhand.toml; '"$(valid '$example')"'; adhand --config $example --print-config > /tmp/shipped
        adhand --print-config > /tmp/embedded; cmp /tmp/shipped /tmp/embedded
        apt-get install -y -qq -o Dpkg::Use-Pty=0 --reinstall /share/adhand.deb | grep "sudo adhanctl setup"'
}

files() {
    within 'for f in man8/adhand.8 man1/adhanctl.1 man5/adhand.toml.5; do gzip -t /usr/share/man/$f.gz; done
        for p in adhand adhanctl adhand.toml; do
            output=$(man --warnings "$p" 2>&1 > /tmp/page); test -z "$output"; test "$(wc -l < /tmp/page)" -gt 50; done
        for p in adhand adhanctl; do
            bash -n /usr/share/bash-completion/completions/$p
            grep -q "^#compdef $p" /usr/share/zsh/vendor-completions/_$p
            grep -q "complete -c .$p" /usr/share/fish/vendor_completions.d/$p.fish; done'
}

exposure() {
    inside systemd-analyze security adhand | sed -n 's/.*exposure level for adhand.service: \([0-9.]*\).*/\1/p'
}

stranger() {
    within 'runuser -u stranger -- adhanctl status; runuser -u stranger -- adhanctl times
        status=0; runuser -u stranger -- adhanctl mute || status=$?; test $status = 77
        test "$(adhanctl --json status | tr -d " \n" | grep -c "\"mute\":{\"active\":false")" = 1'
}

# Prints the longitude at which dhuhr is at the given second. It asks adhanctl and corrects by 240 s a degree.
longitude_for() {
    local want=$1 longitude got _
    longitude=$(awk -v t="$want" 'BEGIN { print (43200 - t % 86400) / 240 }')
    for _ in 1 2 3; do
        got=$(inside adhanctl times --json --rounding none --latitude 10 --longitude "$longitude" --timezone Etc/UTC \
            --date "$(date -u -d "@$want" +%F)" | tr -d ' \n' | sed -E 's/.*"dhuhr":"([^"]*)".*/\1/')
        longitude=$(awk -v l="$longitude" -v w="$want" -v g="$(date -d "$got" +%s.%N)" \
            'BEGIN { printf "%.5f", l - (w - g) / 240 }')
    done
    echo "$longitude"
}

dhuhr() {
    within 'cat > /etc/asound.conf' <<CONF || return 1
pcm_type.lab { lib "/share/libasound_module_pcm_lab.so" }
pcm.card { type lab file "/var/lib/adhand/heard.raw" speed 1.0 }
pcm.!default { type plug slave.pcm card }
CONF
    # ALSA reads the new configuration only when a program starts.
    within 'systemctl restart adhand' || return 1
    within 'cat >> /etc/adhand/adhand.toml' <<CONF || return 1
# Our mosque.
timezone = "Etc/UTC"
[location]
name = "Test box"
latitude = 10.0
longitude = $(longitude_for $(($(date +%s) + 20)))
[calculation]
method = "isna"
rounding = "none"
CONF
    within 'adhanctl check; systemctl reload adhand; adhanctl next | grep -q "in"; adhanctl status | grep -q "Test box"
        tries=0
        until adhanctl --json history | tr -d " \n" | grep -q "\"outcome\":\"played\""; do
            tries=$((tries + 1)); test $tries -lt 50 || { adhanctl status; adhanctl history; exit 1; }; sleep 1; done
        adhanctl history
        adhanctl --json history | tr -d " \n" | grep -q "\"prayer\":\"\(dhuhr\|jumua\)\""
        test "$(stat -c %s /var/lib/adhand/heard.raw)" -gt 100000
        journalctl -u adhand ADHAND_EVENT=prayer.finished | grep -q "no dropouts"'
}

setup() {
    within 'cp /etc/adhand/adhand.toml /tmp/good
        adhanctl setup --city "kuala lumpur" --volume 70 --yes | grep "it is in effect now"
        adhanctl check; adhanctl status | grep "Place .*Kuala Lumpur, Malaysia"; grep -q "^# Our mosque" /etc/adhand/adhand.toml
        adhanctl doctor || { adhanctl doctor; exit 1; }
        adhanctl setup --undo; cmp /tmp/good /etc/adhand/adhand.toml; adhanctl status | grep "Test box"'
}

recording() {
    within 'cd /usr/share/adhand/audio/standard; adhanctl sound add dhuhr.mp3 --name our-adhan
        adhanctl sound add fajr.mp3 --name our-adhan --prayer fajr; adhanctl sound list | grep our-adhan
        runuser -u volunteer -- adhanctl sound play our-adhan; adhanctl status | grep "^Playback .*our-adhan"
        runuser -u volunteer -- adhanctl stop
        tries=0; until adhanctl status | grep "^Playback *idle"; do tries=$((tries + 1)); test $tries -lt 20; sleep 0.5; done
        if runuser -u volunteer -- adhanctl sound add dhuhr.mp3 --name theirs; then exit 1; fi
        adhanctl sound remove our-adhan; if adhanctl sound list | grep our-adhan; then exit 1; fi'
}

diagnostics() {
    within 'adhanctl diagnostics > /tmp/report; test "$(wc -l < /tmp/report)" -gt 100; grep "finished, .* no dropouts" /tmp/report
        if grep -E "volunteer|stranger|$(hostname)" /tmp/report; then exit 1; fi'
}

drop_in() {
    within 'mkdir /etc/adhand/adhand.toml.d; printf "adhan.volume = 41\n" > /etc/adhand/adhand.toml.d/10-quiet.toml
        adhanctl check | grep "adhan.volume = 41"; systemctl reload adhand; adhanctl status | grep "volume 41"
        adhand --check | grep "adhan.volume = 41"
        rm -r /etc/adhand/adhand.toml.d; systemctl reload adhand; if adhanctl status | grep "volume 41"; then exit 1; fi'
}

broken_reload() {
    within 'cp /etc/adhand/adhand.toml /tmp/good; printf "[locaton]\nlatitude = 1\n" > /etc/adhand/adhand.toml
        status=0; adhanctl check || status=$?; test $status = 65
        if systemctl reload adhand; then exit 1; fi; systemctl is-active adhand; adhanctl status | grep -q "Test box"
        journalctl -u adhand ADHAND_EVENT=config.rejected | grep -q location
        cp /tmp/good /etc/adhand/adhand.toml; systemctl reload adhand'
}

killed() {
    within 'adhanctl mute; adhanctl disable asr; systemctl kill -s KILL adhand
        tries=0; until test "$(systemctl show -P NRestarts adhand)" = 1 && systemctl is-active -q adhand; do
            tries=$((tries + 1)); test $tries -lt 20; sleep 0.5; done
        adhanctl --json status | tr -d " \n" | grep -q "\"mute\":{\"active\":true"'
}

upgrade() {
    within 'cp /etc/adhand/adhand.toml /tmp/before; adhanctl --json history > /tmp/history
        apt-get install -y -qq -o Dpkg::Use-Pty=0 /share/newer.deb; dpkg-query -W -f "\${Version}" adhand | grep -q +test
        systemctl is-active adhand.service adhand.socket; cmp /tmp/before /etc/adhand/adhand.toml
        adhanctl --json status | tr -d " \n" | grep -q "\"mute\":{\"active\":true"
        adhanctl --json status | tr -d " \n" | grep -qE "\"prayer\":\"asr\"[^}]*\"enabled\":false|\"enabled\":false[^}]*\"prayer\":\"asr\""
        adhanctl --json history | cmp - /tmp/history; test -z "$(systemctl --failed --no-legend)"
        systemctl show -P ExecMainStartTimestamp adhand'
}

disabled() {
    within 'systemctl disable --now adhand.service adhand.socket; apt-get install -y -qq -o Dpkg::Use-Pty=0 --reinstall /share/newer.deb
        for u in adhand.service adhand.socket; do
            if systemctl is-enabled $u; then exit 1; fi; done
        systemctl enable --now adhand; systemctl is-active adhand.service adhand.socket'
}

stopped() {
    within 'systemctl stop adhand; status=0; output=$(adhanctl status 2>&1) || status=$?; echo "$output"; test $status = 69
        echo "$output" | grep -q "systemctl"; test ! -e /run/adhand/control.sock
        systemctl start adhand; adhanctl status'
}

removed() {
    within 'apt-get remove -y -qq -o Dpkg::Use-Pty=0 adhand; test -e /etc/adhand/adhand.toml; test -e /var/lib/adhand/state.json
        test ! -e /run/adhand; test ! -e /usr/bin/adhand; test -z "$(systemctl --failed --no-legend)"
        if grep -x adhand /proc/[0-9]*/comm; then exit 1; fi'
}

again() {
    within 'apt-get install -y -qq -o Dpkg::Use-Pty=0 /share/adhand.deb; journalctl -n 20 --no-hostname
        systemctl is-active adhand.service adhand.socket
        cmp /tmp/before /etc/adhand/adhand.toml; adhanctl --json status | tr -d " \n" | grep -q "\"mute\":{\"active\":true"'
}

purged() {
    within 'apt-get purge -y -qq -o Dpkg::Use-Pty=0 adhand; rm -f /etc/asound.conf
        left=$(find / -xdev -path /proc -prune -o -path /sys -prune -o -path /share -prune -o -path /var/cache/man -prune -o -iname "*adhan*" -print)
        echo "$left"; test -z "$left"
        if getent passwd adhand || getent group adhand || getent group adhan; then exit 1; fi
        test -z "$(find / -xdev \( -nouser -o -nogroup \) -not -path "/proc/*" -print)"
        test -z "$(systemctl list-units --all --no-legend "adhand*")"
        if grep -q "adhand has started" /var/lib/systemd/catalog/database; then exit 1; fi'
}

# This check comes last, because it installs shells. It needs only the package's programs and completion files.
completions() {
    cp Tests/package/completions.* "$box_share"
    within 'apt-get install -y -qq -o Dpkg::Use-Pty=0 --no-install-recommends /share/adhand.deb bash-completion zsh fish > /tmp/apt
        export HOME=/root; bash /share/completions.bash; zsh -f /share/completions.zsh; fish /share/completions.fish'
}
