#!/bin/sh
# Debian's security updates on a system that is never written: they are put into a layer beside the one that runs, and a restart,
# when nothing is due for half an hour, goes over to it. A layer that does not bring adhand up is left again by the initramfs.
# usage: upgrade.sh make|restart|confirm
set -eu
export LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive
here=$(dirname "$(readlink -f "$0")")
. "${ADHAN_BOX_LIB:-$here}/json.sh"
# The variables are for trials.
run=${ADHAN_BOX_RUN:-/run/adhan-box}
layers=$run/data/system
system=$run/system
root=$run/new-root
running=$(cat "$run/layer")
# How many seconds an upgrade has to bring adhand up in. What fails takes three boots of it and goes back in a fourth; so long nothing may
# be due.
patience=${ADHAN_BOX_PATIENCE:-300}
quiet=${ADHAN_BOX_QUIET:-1800}

# Everything in there is as on the card, and as upgrades have changed it. What somebody changed in /etc lies above both.
enter() {
    mkdir -p "$root" "$layers/new/upper" "$layers/new/work" "$layers/new/apt/lists/partial" "$layers/new/apt/cache/archives/partial"
    [ "$running" = none ] || cp -a "$layers/$running/upper/." "$layers/new/upper/"
    mount -t overlay -o "lowerdir=$system,upperdir=$layers/new/upper,workdir=$layers/new/work" overlay "$root"
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    mount -t tmpfs -o mode=755 tmpfs "$root/run"
    mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
    mkdir -p "$root/run/systemd/resolve" "$root/run/lock"
    cp -L /etc/resolv.conf "$root/run/systemd/resolve/stub-resolv.conf" 2>/dev/null || true
    mount --bind "$layers/new/apt/lists" "$root/var/lib/apt/lists"
    mount --bind "$layers/new/apt/cache" "$root/var/cache/apt"
    # Where packages come from is the box's own affair.
    mount --bind /etc/apt "$root/etc/apt"
    printf '#!/bin/sh\nexit 101\n' > "$root/run/policy-rc.d"
    chmod 755 "$root/run/policy-rc.d"
    : > "$root/usr/sbin/policy-rc.d"
    mount --bind "$root/run/policy-rc.d" "$root/usr/sbin/policy-rc.d"
}

inside() { chroot "$root" /usr/bin/env "$@"; }

make() {
    [ ! -e "$run/in-memory" ] || { echo 'nothing can be kept on this card: no upgrade' >&2; return 1; }
    rm -rf "$layers/new"
    free=$(df --output=avail -k "$layers" | tail -n 1)
    need=$(($(du -sk "$layers/$running" 2>/dev/null | cut -f 1 || echo 0) + 600000))
    [ "$free" -gt "${ADHAN_BOX_SPACE:-$need}" ] || { echo "no room for an upgrade: $((free / 1024)) MB are free, $((need / 1024)) are needed" >&2; return 1; }
    enter
    # By itself apt uses what it knew when an archive does not answer, which here is nothing. A box may live without a network.
    if ! inside apt-get -qq -o APT::Update::Error-Mode=any update; then
        echo 'no upgrade: where packages come from cannot be asked; tomorrow again' >&2
        leave
        return
    fi
    planned=$(inside apt-get -s -qq upgrade --with-new-pkgs)
    printf '%s\n' "$planned" | sed -n 's/^Inst //p' > "$run/upgrades"
    if [ ! -s "$run/upgrades" ]; then
        newer=$(inside apt list -qq --upgradable 2>/dev/null | sed -n 's|/.*||p' | paste -sd ' ')
        [ -z "$newer" ] && echo 'everything is up to date' || echo "no upgrade: these are newer and do not fit what is here: $newer" >&2
        leave
        return
    fi
    if failed_lately; then
        echo 'no upgrade: the one that there is did not bring adhand up; it is tried again in a week' >&2
        leave
        return
    fi
    inside apt-get -y -qq -o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold -o Dpkg::Use-Pty=0 upgrade --with-new-pkgs
    # It has to be whole, and able to start what it is for.
    [ -z "$(inside dpkg --audit)" ]
    inside adhand --version > /dev/null
    inside adhanctl times > /dev/null
    inside /lib/systemd/systemd --version > /dev/null
    name=upgrade-$(date -u +%Y%m%d-%H%M%S)
    umount -l "$root/usr/sbin/policy-rc.d"
    rm -f "$root/usr/sbin/policy-rc.d"
    leave keep
    cp "$run/upgrades" "$layers/new/plan"
    sync
    mv "$layers/new" "$layers/$name"
    chosen "$name"
    echo "upgraded in $name, which a restart goes over to: $(cut -d ' ' -f 1 "$run/upgrades" | paste -sd ' ')"
}

leave() {
    umount -R -l "$root"
    rm -rf "$layers/new/apt" "$layers/new/work"
    [ -n "${1:-}" ] || rm -rf "$layers/new"
}

# Whether what is to be done is what was tried, and left. A layer that failed lies there until another one is made.
failed_lately() {
    [ -e "$layers/failed" ] || return 1
    while read -r layer; do
        plan=$layers/$layer/plan
        [ -z "$(find "$plan" -mtime -7 2>/dev/null)" ] || ! cmp -s "$plan" "$run/upgrades" || return 0
    done < "$layers/failed"
    return 1
}

# The next boot tries it three times; what it goes back to is the layer that runs.
chosen() {
    printf '%s\n' "$running" > "$layers/previous.new"
    printf '3\n' > "$layers/trial.new"
    printf '%s\n' "$1" > "$layers/current.new"
    sync "$layers"/*.new
    mv -f "$layers/previous.new" "$layers/previous"
    mv -f "$layers/trial.new" "$layers/trial"
    sync "$layers"
    mv -f "$layers/current.new" "$layers/current"
    sync "$layers"
    for layer in "$layers"/upgrade-*; do
        case ${layer##*/} in "$1" | "$running") ;; *) rm -rf "$layer" ;; esac
    done
}

# What is in the way of a restart; nothing where nothing is. A box that nobody has set up calls nothing, and may restart at any time.
obstacle() {
    [ -e "${ADHAN_BOX_ETC:-/etc}/adhand/adhand.toml" ] || return 0
    if ! free=$(seconds_free) || { [ "$free" != never ] && [ "$free" -lt "$quiet" ]; }; then
        echo 'a quiet half hour'
    # After a restart the time has to come from somewhere.
    elif ! status | jq -e .clock.synchronized > /dev/null && [ ! -e "${ADHAN_BOX_CLOCK:-/sys/class/rtc/rtc0/hctosys}" ]; then
        echo 'the network, from which it gets the time after a restart'
    fi
}

# What runs, what is ready, and what was left, for whoever tells people: adhan-bridge. It names what was left until a newer one is well.
tell() {
    left=$(tail -n 1 "$layers/failed" 2>/dev/null || true)
    if [ -n "$left" ] && [ "$running" != none ] && [ ! -e "$layers/trial" ] && expr "$running" '>' "$left" > /dev/null; then left=; fi
    prepared=
    ! waiting || prepared=$(cat "$layers/current" 2>/dev/null || true)
    installed=$running
    [ "$installed" != none ] || installed=image
    jq -n --arg installed "$installed" --arg prepared "$prepared" --arg left "$left" \
        --arg at "$(date -u -r "$layers/failed" +%Y-%m-%dT%H:%M:%SZ 2>/dev/null || true)" \
        '{v: 1, installed: $installed, prepared: (if $prepared == "" then null else $prepared end),
          left: (if $left == "" then null else {layer: $left, at: (if $at == "" then null else $at end)} end)}' > "$run/upgrade.json.new"
    chmod 644 "$run/upgrade.json.new"
    mv -f "$run/upgrade.json.new" "$run/upgrade.json"
}

waiting() { [ "$(cat "$layers/current" 2>/dev/null || echo none)" != "$running" ]; }

case ${1:-} in
    make)
        waiting || make
        tell
        ;;
    restart)
        tell
        waiting || exit 0
        obstacle=$(obstacle)
        if [ -n "$obstacle" ]; then
            # Asked every quarter of an hour, said once.
            [ "$obstacle" = "$(cat "$run/obstacle" 2>/dev/null)" ] || echo "an upgrade waits for $obstacle"
            printf '%s\n' "$obstacle" > "$run/obstacle"
            exit 0
        fi
        echo 'restarting, as an upgrade is ready and nothing is due'
        systemctl --no-block reboot
        ;;
    confirm)
        # A box that nobody has set up does not run adhand, and is as well as it can be. One whose clock waits for the network is not: the
        # time was known when it went over to the upgrade, which may have taken the network away.
        if [ -e "${ADHAN_BOX_ETC:-/etc}/adhand/adhand.toml" ]; then
            until status > /dev/null; do
                [ "$(cut -d . -f 1 /proc/uptime)" -lt "$patience" ] || {
                    echo 'adhand does not answer: this upgrade is not confirmed, and the box starts again' >&2
                    exit 1
                }
                sleep 5
            done
        fi
        rm -f "$layers/trial" && sync "$layers" || echo 'it cannot be noted that this upgrade is well' >&2
        tell
        ;;
    *) echo 'usage: upgrade.sh make|restart|confirm' >&2; exit 64 ;;
esac
