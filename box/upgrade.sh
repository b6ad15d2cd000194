#!/bin/sh
# Installs Debian's security updates and adhand's own packages on a system that is never written to: into a layer beside the
# running one. A restart, once nothing is due for half an hour, switches to the new layer. If adhand's health is worse in it, the
# initramfs returns to the previous layer.
# usage: upgrade.sh make|restart|confirm|hold
set -eu
export LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive
here=$(dirname "$(readlink -f "$0")")
. "${ADHAN_BOX_LIB:-$here}/json.sh"
# Environment variables replace these in tests.
run=${ADHAN_BOX_RUN:-/run/adhan-box}
etc=${ADHAN_BOX_ETC:-/etc}
layers=$run/data/system
system=$run/system
root=$run/new-root
running=$(cat "$run/layer")
# The seconds within which an upgrade must have adhand working. A failing upgrade takes three boots, and a fourth to return to the
# old layer; nothing may be due during that time.
patience=${ADHAN_BOX_PATIENCE:-300}
quiet=${ADHAN_BOX_QUIET:-1800}
# The box never restarts within these seconds of an adhan, whatever the reason.
margin=600

# The chroot shows the system as on the card with its upgrades. Local changes in /etc are above both and not part of it.
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
    # Use the running box's package sources, as a copy that packages may change, because this layer may be abandoned.
    cp -a "$etc/apt" "$layers/new/apt/etc"
    cp -a "$etc/apt" "$layers/new/apt/etc-before"
    mount --bind "$layers/new/apt/etc" "$root/etc/apt"
    printf '#!/bin/sh\nexit 101\n' > "$root/run/policy-rc.d"
    chmod 755 "$root/run/policy-rc.d"
    : > "$root/usr/sbin/policy-rc.d"
    mount --bind "$root/run/policy-rc.d" "$root/usr/sbin/policy-rc.d"
}

inside() { chroot "$root" /usr/bin/env "$@"; }

# as_this_box PROGRAM ARGUMENT...: runs a program of apt. In a chroot, apt ignores phased updates and takes every version at once;
# and the chroot has no machine-id, from which each machine's phase is computed.
sources=/etc/apt/sources.list.d
as_this_box() {
    program=$1
    shift
    inside "$program" -o Dir::Bin::ischroot=/bin/false -o "APT::Machine-ID=$(cat "$etc/machine-id")" -o "Dir::Etc::SourceParts=$sources" "$@"
}

# By default apt falls back to old lists if an archive does not answer, and here there are none. A box may have no network.
update() { as_this_box apt-get -qq -o APT::Update::Error-Mode=any update; }

source=$etc/apt/sources.list.d/adhand.sources

# Continues without adhand's own archive.
debian_alone() {
    sources=/run/debian-sources
    rm -rf "$root$sources"
    mkdir -p "$root$sources"
    for file in "$etc"/apt/sources.list.d/*; do
        [ "${file##*/}" = adhand.sources ] || [ ! -e "$file" ] || cp "$file" "$root$sources/"
    done
}

# The Unix time at which the index of adhand's archive was signed. Without an InRelease, apt uses Release and its signature.
signed() {
    for index in "$layers"/new/apt/lists/*Release; do
        ! grep -q '^Origin: adhand$' "$index" 2>/dev/null || date -d "$(sed -n 's/^Date: //p' "$index" | head -n 1)" +%s
    done | sort -n | tail -n 1
}

# Whether every part of adhand's source has "Enabled: no", in any word that apt reads as "no".
is_source_disabled() {
    [ "$(grep -ciE '^Enabled:[[:space:]]*(no|false|without|off|disable|0)[[:space:]]*$' "$source")" -ge "$(grep -ci '^Types:' "$source")" ]
}

# Whether adhand keeps its version, because box.txt or the source says so.
is_adhand_kept() {
    [ "$(cat "${ADHAN_BOX_STATE:-/var/lib/adhan-box}/upgrades" 2>/dev/null)" = off ] || { [ -e "$source" ] && is_source_disabled; }
}

uses_own_archive() { [ -e "$source" ] && ! is_adhand_kept; }

# Records since when a box that has never had a valid index of adhand's archive has requested one in vain. Nothing is recorded
# while the time is unknown, and a record from the future, left by a clock that was ahead, is replaced.
note_silence() {
    [ ! -e "$run/no-clock" ] && [ ! -e "$layers/archive-date" ] || return 0
    now=$(date +%s)
    since=$(cat "$layers/archive-since" 2>/dev/null || true)
    ! [ "$since" -le "$now" ] 2>/dev/null || return 0
    printf '%s\n' "$now" > "$layers/archive-since.new"
    mv -f "$layers/archive-since.new" "$layers/archive-since"
}

# Fails if Debian's archive cannot be reached. An unreachable, expired or forged archive of adhand does not hold back Debian's
# updates.
update_lists() {
    if ! uses_own_archive; then
        rm -f "$layers/archive-since"
        debian_alone
        update
        return
    fi
    if ! update; then
        note_silence
        debian_alone
        update || return 1
        look "adhand's own archive does not answer, or its index is not valid: only Debian's updates are taken"
        return
    fi
    # An older index is valid for two weeks, but may list a version that was withdrawn.
    signed=$(signed)
    if [ -z "$signed" ]; then
        note_silence
        return
    fi
    if [ "$signed" -lt "$(cat "$layers/archive-date" 2>/dev/null || echo 0)" ]; then
        debian_alone
        look "the index of adhand's own archive is older than the last one: only Debian's updates are taken"
    else
        printf '%s\n' "$signed" > "$layers/archive-date.new"
        mv -f "$layers/archive-date.new" "$layers/archive-date"
        rm -f "$layers/archive-since"
    fi
}

# look SENTENCE: records the result of this search for upgrades, for the journal and the card's report.
look() {
    printf '%s\n' "$1"
    printf '%s %s\n' "$(date -u +%Y-%m-%d)" "$1" >> "$layers/last-look.new"
}

# minus A B: prints the lines of A that are not in B, on one line.
minus() { printf '%s\n' "$1" | grep -vxF -e "$2" | paste -sd ' '; }

packages() { sed -n 's/^Inst \([^ ]*\).*/\1/p'; }

# simulate OPTION...: prints apt's plan. If apt fails, the reason is the result of this search.
simulate() {
    failed=0
    as_this_box apt-get -s -qq "$@" upgrade --with-new-pkgs 2> "$run/apt-errors" || failed=$?
    cat "$run/apt-errors" >&2
    [ "$failed" != 0 ] || return 0
    why=$(sed -n 's/^E: //p' "$run/apt-errors" | head -n 1 | cut -c 1-300)
    look "no upgrade: apt cannot plan one (${why:-it ended with $failed}); the box tries again tomorrow" >&2
    return 1
}

# Logs newer versions that are not installed, and why.
tell_left_out() {
    taken=$(sed 's/ .*//' "$run/upgrades")
    later=$(simulate -o APT::Get::Always-Include-Phased-Updates=true) || return 0
    later=$(printf '%s\n' "$later" | packages)
    newer=$(as_this_box apt list -qq --upgradable 2>/dev/null | sed -n 's|/.*||p')
    turn=$(minus "$later" "$taken" || true)
    unfit=$(minus "$newer" "$(printf '%s\n%s' "$taken" "$later")" || true)
    [ -z "$turn" ] || look "newer, and waits for its turn, as not all boxes get a version on the same day: $turn"
    [ -z "$unfit" ] || look "newer, and does not fit the other packages of this box: $unfit"
    [ -n "$turn$unfit" ]
}

free_kilobytes() { df --output=avail -k "$layers" | tail -n 1; }

# Records a result when a failure ends the search.
end_make() {
    if [ -n "$unsaid" ]; then
        look "no upgrade: $unsaid; the box tries again tomorrow" || true
        looked || true
        leave || true
    fi
    tell
}

make() {
    [ ! -e "$run/in-memory" ] || { echo 'nothing can be kept on this card: no upgrade' >&2; return 1; }
    rm -rf "$layers/new" "$layers/last-look.new"
    remove_layers_but "$running"
    free=$(free_kilobytes)
    need=$(($(du -sk "$layers/$running" 2>/dev/null | cut -f 1 || echo 0) + 600000))
    if [ "$free" -le "${ADHAN_BOX_SPACE:-$need}" ]; then
        look "no room for an upgrade: $((free / 1024)) MB are free, $((need / 1024)) are needed" >&2
        looked
        return 1
    fi
    unsaid='a step of it failed, which the journal names'
    enter
    if ! update_lists; then
        look 'no upgrade: the archive of the packages does not answer; the box tries again tomorrow'
        looked
        leave
        return
    fi
    plan || { looked; leave; return 1; }
    if ours_failed_lately; then
        look "adhand was not well with its new version, which is tried again in a week; only Debian's updates are taken"
        debian_alone
        plan || { looked; leave; return 1; }
    fi
    if [ ! -s "$run/upgrades" ]; then
        tell_left_out || look 'everything is up to date'
        looked
        leave
        return
    fi
    if failed_lately; then
        look 'no upgrade: adhand was not well with the last one, which is tried again in a week'
        looked
        leave
        return
    fi
    tell_left_out || true
    if ! download; then
        look 'no upgrade: the packages did not arrive; the box tries again tomorrow'
        looked
        leave
        return
    fi
    if ! install || ! works; then
        if [ "$(free_kilobytes)" -lt "${ADHAN_BOX_LEAST:-20000}" ]; then
            look 'no upgrade: the card is full; the box tries again tomorrow'
            looked
            leave
            return 1
        fi
        look "no upgrade: these packages cannot be installed, or do not run: $(packages_of "$run/upgrades")"
        keep_plan unfit
        looked
        leave
        return 1
    fi
    keep_changes_of_apt
    name=upgrade-$(date -u +%Y%m%d-%H%M%S)
    # A clock that was set back may produce an existing name again.
    while [ -e "$layers/$name" ] || grep -qxF -e "$name" "$layers/failed" 2> /dev/null; do name=$name-more; done
    umount -l "$root/usr/sbin/policy-rc.d"
    rm -f "$root/usr/sbin/policy-rc.d"
    leave keep
    keep_plan "$name"
    cp "$run/upgrades" "$layers/new/plan"
    sync
    mv "$layers/new" "$layers/$name"
    remember_health
    chosen "$name"
    look "upgraded in $name, which a restart goes over to: $(packages_of "$run/upgrades")"
    looked
}

# Prints apt's plan: a line for each package, with its versions.
plan() {
    planned=$(simulate) || return 1
    printf '%s\n' "$planned" | sed -n 's/^Inst //p' > "$run/upgrades"
}

keep_plan() {
    mkdir -p "$layers/plans"
    cp "$run/upgrades" "$layers/plans/$1"
    rm -f "$layers/plans/$1.left"
    # Keep the plan of the layer that was abandoned last: tell reports its content.
    needed=$(left_plans; for name in "$1" "$running" "$(tail -n 1 "$layers/failed" 2>/dev/null)"; do echo "$layers/plans/$name"; done)
    for plan in "$layers"/plans/*; do
        printf '%s\n' "$needed" | grep -qxF -e "${plan%.left}" || rm -f "$plan"
    done
}

# Download before installing: packages that did not arrive must not mark the plan as failed.
download() { as_this_box apt-get -y -qq --download-only upgrade --with-new-pkgs; }

install() {
    as_this_box apt-get -y -qq -o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold -o Dpkg::Use-Pty=0 upgrade --with-new-pkgs
}

# Moves the files of /etc/apt that a package changed into the layer: they apply while it runs, and no longer if it is abandoned. A
# file that a person changed on the running box still overrides them.
keep_changes_of_apt() {
    umount -l "$root/etc/apt"
    (cd "$layers/new/apt" && find etc etc-before -type f -printf '%P\n') | sort -u | while IFS= read -r file; do
        new=$layers/new/apt/etc/$file
        if [ ! -e "$new" ]; then
            rm -f "$root/etc/apt/$file"
        elif ! cmp -s "$new" "$layers/new/apt/etc-before/$file"; then
            mkdir -p "$root/etc/apt/$(dirname "$file")"
            cp -a "$new" "$root/etc/apt/$file"
        fi
    done
}

# Checks that the new system is complete and can start adhand.
works() {
    [ -z "$(inside dpkg --audit)" ] && inside adhand --version > /dev/null && inside adhanctl times > /dev/null &&
        inside /lib/systemd/systemd --version > /dev/null
}

packages_of() { cut -d ' ' -f 1 "$1" | paste -sd ' '; }

looked() {
    unsaid=
    mv -f "$layers/last-look.new" "$layers/last-look"
}

# Saves adhand's health before the upgrade, for the comparison after it. If adhand does not answer, the last saved health stays.
remember_health() {
    if health > "$layers/health.new" && [ -s "$layers/health.new" ]; then
        cmp -s "$layers/health.new" "$layers/health" || { sync "$layers/health.new" && mv -f "$layers/health.new" "$layers/health"; }
    fi
    rm -f "$layers/health.new"
}

leave() {
    umount -R -l "$root"
    rm -rf "$layers/new/apt" "$layers/new/work"
    [ -n "${1:-}" ] || rm -rf "$layers/new"
}

# Lists plans that failed: those of abandoned layers, and of packages that did not run.
failed_plans() {
    { cat "$layers/failed" 2>/dev/null || true; echo unfit; } | while read -r name; do [ ! -f "$layers/plans/$name" ] || echo "$layers/plans/$name"; done
}

# Records since when the box has known each failed plan, because a layer may wait long for its restart and the initramfs has no
# clock. Records from the future, left by a clock that was ahead, are replaced.
note_failed_plans() {
    [ ! -e "$run/no-clock" ] || return 0
    now=$(date +%s)
    for plan in $(failed_plans); do
        ! [ "$(cat "$plan.left" 2>/dev/null)" -le "$now" ] 2>/dev/null || continue
        printf '%s\n' "$now" > "$plan.left.new" && sync "$plan.left.new" && mv -f "$plan.left.new" "$plan.left"
    done
}

# Lists the failed plans of the last week.
left_plans() {
    now=$(date +%s)
    for plan in $(failed_plans); do
        since=$(cat "$plan.left" 2>/dev/null || true)
        ! [ $((now - 604800)) -ge "$since" ] 2>/dev/null || continue
        echo "$plan"
    done
}

failed_lately() {
    for plan in $(left_plans); do
        ! cmp -s "$plan" "$run/upgrades" || return 0
    done
    return 1
}

# Whether adhand's own part of the plan is that of a plan that failed lately, whatever Debian's part is: Debian's updates do not
# wait for a fix.
ours_failed_lately() {
    ours=$(ours "$run/upgrades")
    [ -n "$ours" ] || return 1
    for plan in $(left_plans); do
        [ "$(ours "$plan")" != "$ours" ] || return 0
    done
    return 1
}

ours() { grep '^adhand[ -]' "$1" | sort || true; }

# Chooses a layer. The next boots try it three times, and return to the running layer if it fails.
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
}

# Whether the running layer is on trial: a layer chosen now would be confirmed with it. A power cut before a layer was chosen
# leaves a count as well.
on_trial() { [ -e "$layers/trial" ] && [ "$(cat "$layers/previous" 2>/dev/null)" != "$running" ]; }

# Removes other layers. While a count exists, the box may return to one of them.
remove_layers_but() {
    [ ! -e "$layers/trial" ] || return 0
    for layer in "$layers"/upgrade-*; do
        case ${layer##*/} in "$1") ;; *) rm -rf "$layer" ;; esac
    done
}

# While adhand must keep its version, abandons a layer with a newer adhand that was never confirmed: the next boot uses the layer
# before it. The order of the steps is that of the initramfs: without a trial's count, a layer that does not come up would never
# be abandoned.
hold() {
    [ ! -e "$run/in-memory" ] && is_adhand_kept || return 0
    current=$(cat "$layers/current" 2>/dev/null || echo none)
    back=$running
    if [ "$current" = "$running" ]; then
        # A confirmed layer defines the version that this box keeps.
        [ -e "$layers/trial" ] || return 0
        back=$(cat "$layers/previous" 2>/dev/null || true)
        [ "$back" = none ] || [ -d "$layers/$back/upper" ] || return 0
    elif ! is_prepared; then
        return 0
    fi
    # Do this as well if a power cut came between the two steps.
    if [ "$back" != "$current" ]; then
        [ -f "$layers/$current/plan" ] && [ -n "$(ours "$layers/$current/plan")" ] || return 0
        rm -f "$layers/last-look.new"
        look "adhand stays as it is: $current, which has a newer one, is not used"
        looked
        printf '%s\n' "$current" >> "$layers/held"
        printf '%s\n' "$back" > "$layers/current.new"
        sync "$layers/held" "$layers/current.new"
        mv -f "$layers/current.new" "$layers/current"
        sync "$layers"
    fi
    rm -f "$layers/trial"
    sync "$layers"
}

# Removes layers that hold has set aside, once they neither run nor are to be returned to.
forget_held() {
    [ -e "$layers/held" ] && ! waiting && [ ! -e "$layers/trial" ] || return 0
    previous=$(cat "$layers/previous" 2>/dev/null || true)
    while IFS= read -r layer; do
        case $layer in "$running" | "$previous") ;; upgrade-*) rm -rf "${layers:?}/$layer" ;; esac
    done < "$layers/held"
    rm -f "$layers/held"
}

# Whether something was due within the last ten minutes. If adhand does not answer, seconds_free fails anyway.
was_just_due() {
    now=$(date +%s)
    since=$((now - margin))
    said=$(timeout 10 adhanctl --json history --days 1 2>/dev/null) || return 1
    for at in $(printf '%s' "$said" | jq -r '.announcements[].scheduled'); do
        at=$(date -d "$at" +%s) || continue
        # Ignore times in the future, left by a clock that was ahead, which would block upgrades until then.
        [ "$at" -lt "$since" ] || [ "$at" -gt "$now" ] || return 0
    done
    return 1
}

is_writable() {
    { printf '3\n' > "$layers/written" && sync "$layers/written"; } 2> /dev/null && rm -f "$layers/written"
}

# Prints the obstacle to a restart; nothing if there is none. A box without a place calls nothing, and may restart at any time.
obstacle() {
    # On a read-only card, the initramfs could not count a trial's boots.
    if ! is_writable; then
        echo 'a card that can be written'
        return
    fi
    if answer=$(status) && printf '%s' "$answer" | jq -e '.awaiting == "place"' > /dev/null; then return; fi
    if ! free=$(seconds_free) || { [ "$free" != never ] && [ "$free" -lt "$quiet" ]; } || was_just_due; then
        echo 'a quiet half hour'
    # After a restart the box needs a source of the time.
    elif ! status | jq -e .clock.synchronized > /dev/null && [ ! -e "${ADHAN_BOX_CLOCK:-/sys/class/rtc/rtc0/hctosys}" ]; then
        echo 'the network, from which it gets the time after a restart'
    fi
}

# Writes the running, the prepared and the abandoned layer, for the card's report and adhan-bridge. The abandoned one is listed
# until a newer one is confirmed. "at" is the time when it was abandoned, else when the newest of the others was made. "adhand" is
# the version of adhand that the abandoned layer brought; if it brought none, Debian's packages alone were at fault.
tell() {
    failed=$(tail -n 1 "$layers/failed" 2>/dev/null || true)
    if [ -n "$failed" ] && [ ! -e "$layers/trial" ] && is_outdone "$failed"; then failed=; fi
    prepared=
    ! is_prepared || prepared=$(cat "$layers/current" 2>/dev/null || true)
    # The initramfs may abandon a layer before it knows the time; the time of its plan is then a lower bound.
    if [ -n "$failed" ]; then set -- "$layers/failed" "$layers/plans/$failed"; else set -- "$layers/${prepared:-$running}/plan"; fi
    at=$(stat -c %Y "$@" 2>/dev/null | sort -n | tail -n 1)
    [ -z "$at" ] || at=$(date -u -d "@$at" +%Y-%m-%dT%H:%M:%SZ)
    left_adhand=
    [ -z "$failed" ] || left_adhand=$(sed -n 's/^adhand [^(]*(\([^ )]*\).*/\1/p' "$layers/plans/$failed" 2>/dev/null | head -n 1)
    named=$running
    [ "$named" != none ] || named=image
    jq -n --arg running "$named" --arg prepared "$prepared" --arg failed "$failed" \
        --arg adhand "$left_adhand" \
        --arg at "$at" \
        'def known: if . == "" then null else . end;
         {running: $running, prepared: ($prepared | known), failed: ($failed | known), at: ($at | known),
          adhand: ($adhand | known)}' > "$run/upgrade.json.new"
    chmod 644 "$run/upgrade.json.new"
    mv -f "$run/upgrade.json.new" "$run/upgrade.json"
}

# Prints why this upgrade is not confirmed yet; nothing if it is healthy.
trouble() {
    answer=$(status) || { echo 'adhand does not answer'; return; }
    # The time was known before the switch to this upgrade, which may have broken the network.
    ! printf '%s' "$answer" | jq -e '.awaiting == "clock"' > /dev/null || { echo 'the time is not known'; return; }
    worse=$(adhanctl card health --before "$layers/health" 2>/dev/null) || echo "adhand is worse than before: ${worse:-it does not say how}"
}

# Whether an adhan is close, or plays. A box calls none if its adhand does not answer, or waits for its place or a clock.
is_adhan_close() {
    answer=$(status) || return 1
    ! printf '%s' "$answer" | jq -e '.awaiting != null and .playback.state == "idle"' > /dev/null || return 1
    free=$(seconds_free) || return 0
    [ "$free" != never ] && [ "$free" -lt "$margin" ]
}

uptime_seconds() { cut -d . -f 1 /proc/uptime; }

waiting() { [ "$(cat "$layers/current" 2>/dev/null || echo none)" != "$running" ]; }

# Whether the waiting layer was made from the running one. If hold has set the running layer aside, the one before it
# waits. Layers are named after the clock, which may have been wrong, so names do not decide.
is_prepared() {
    waiting && [ "$(cat "$layers/current" 2>/dev/null || echo none)" != none ] &&
        [ "$(cat "$layers/previous" 2>/dev/null || echo "$running")" = "$running" ]
}

# is_outdone LAYER: whether a newer layer was confirmed after this one was abandoned. Before the first such record, the names
# decide.
is_outdone() {
    if [ -e "$layers/outdone" ]; then
        [ "$(cat "$layers/outdone")" = "$1" ]
    else
        [ "$running" != none ] && expr "$running" '>' "$1" > /dev/null
    fi
}

# The running layer is healthy, so layers abandoned before need no attention any more.
note_outdone() {
    tail -n 1 "$layers/failed" > "$layers/outdone.new" 2>/dev/null || true
    sync "$layers/outdone.new" && mv -f "$layers/outdone.new" "$layers/outdone"
}

case ${1:-} in
    make)
        unsaid=
        trap end_make EXIT
        note_failed_plans || true
        waiting || on_trial || make
        ;;
    restart)
        hold
        forget_held
        note_failed_plans || true
        tell
        waiting || exit 0
        remember_health
        obstacle=$(obstacle)
        if [ -n "$obstacle" ]; then
            # This runs every quarter of an hour, but the reason is logged once.
            [ "$obstacle" = "$(cat "$run/obstacle" 2>/dev/null)" ] || echo "an upgrade waits for $obstacle"
            printf '%s\n' "$obstacle" > "$run/obstacle"
            exit 0
        fi
        echo 'restarting, as an upgrade is ready and nothing is due'
        systemctl --no-block reboot
        ;;
    confirm)
        while trouble=$(trouble) && [ -n "$trouble" ]; do
            # An unhealthy adhand may still play an adhan; let it finish.
            if [ "$(uptime_seconds)" -ge "$patience" ] && ! is_adhan_close; then
                echo "$trouble: this upgrade is not confirmed, and the box starts again" >&2
                exit 1
            fi
            sleep "${ADHAN_BOX_PAUSE:-5}"
        done
        note_outdone || true
        rm -f "$layers/trial" && sync "$layers" || echo 'it cannot be noted that this upgrade is well' >&2
        tell
        ;;
    # If the layer is not the running one, restart removes it, because a boot has no time for that.
    hold)
        # Update the report at the boot, instead of at the next search.
        trap tell EXIT
        hold
        ;;
    *) echo 'usage: upgrade.sh make|restart|confirm|hold' >&2; exit 64 ;;
esac
