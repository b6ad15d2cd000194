#!/bin/sh
# Debian's security updates and adhand's own packages on a system that is never written: they are put into a layer beside the one that
# runs, and a restart, when nothing is due for half an hour, goes over to it. A layer in which adhand is not as well as before is left
# again by the initramfs.
# usage: upgrade.sh make|restart|confirm|hold
set -eu
export LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive
here=$(dirname "$(readlink -f "$0")")
. "${ADHAN_BOX_LIB:-$here}/json.sh"
# The variables are for trials.
run=${ADHAN_BOX_RUN:-/run/adhan-box}
etc=${ADHAN_BOX_ETC:-/etc}
layers=$run/data/system
system=$run/system
root=$run/new-root
running=$(cat "$run/layer")
# How many seconds an upgrade has to bring adhand up in. What fails takes three boots of it and goes back in a fourth; for that time nothing may
# be due.
patience=${ADHAN_BOX_PATIENCE:-300}
quiet=${ADHAN_BOX_QUIET:-1800}
# No restart is so close to an adhan, whatever the reason.
margin=600

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
    # Where packages come from is as on the running box. Packages change a copy, since this layer may be left again.
    cp -a "$etc/apt" "$layers/new/apt/etc"
    cp -a "$etc/apt" "$layers/new/apt/etc-before"
    mount --bind "$layers/new/apt/etc" "$root/etc/apt"
    printf '#!/bin/sh\nexit 101\n' > "$root/run/policy-rc.d"
    chmod 755 "$root/run/policy-rc.d"
    : > "$root/usr/sbin/policy-rc.d"
    mount --bind "$root/run/policy-rc.d" "$root/usr/sbin/policy-rc.d"
}

inside() { chroot "$root" /usr/bin/env "$@"; }

# as_this_box PROGRAM ARGUMENT...: a program of apt. In a chroot apt ignores that versions go to one machine after another, and takes them
# at once; and the chroot has no machine-id, by which each machine draws its turn.
sources=/etc/apt/sources.list.d
as_this_box() {
    program=$1
    shift
    inside "$program" -o Dir::Bin::ischroot=/bin/false -o "APT::Machine-ID=$(cat "$etc/machine-id")" -o "Dir::Etc::SourceParts=$sources" "$@"
}

# By itself apt uses what it knew when an archive does not answer, which here is nothing. A box may live without a network.
update() { as_this_box apt-get -qq -o APT::Update::Error-Mode=any update; }

source=$etc/apt/sources.list.d/adhand.sources

# From here on without adhand's own archive.
debian_alone() {
    sources=/run/debian-sources
    rm -rf "$root$sources"
    mkdir -p "$root$sources"
    for file in "$etc"/apt/sources.list.d/*; do
        [ "${file##*/}" = adhand.sources ] || [ ! -e "$file" ] || cp "$file" "$root$sources/"
    done
}

# When the index of adhand's archive was signed, in seconds. Where there is no InRelease, apt takes Release and its signature.
signed() {
    for index in "$layers"/new/apt/lists/*Release; do
        ! grep -q '^Origin: adhand$' "$index" 2>/dev/null || date -d "$(sed -n 's/^Date: //p' "$index" | head -n 1)" +%s
    done | sort -n | tail -n 1
}

# Whether "Enabled: no" is in every part of adhand's source, by the words that apt takes for "no".
is_source_disabled() {
    [ "$(grep -ciE '^Enabled:[[:space:]]*(no|false|without|off|disable|0)[[:space:]]*$' "$source")" -ge "$(grep -ci '^Types:' "$source")" ]
}

# Whether adhand stays as it is: box.txt or the source says so.
is_adhand_kept() {
    [ "$(cat "${ADHAN_BOX_STATE:-/var/lib/adhan-box}/upgrades" 2>/dev/null)" = off ] || { [ -e "$source" ] && is_source_disabled; }
}

uses_own_archive() { [ -e "$source" ] && ! is_adhand_kept; }

# Since when adhand's archive has been asked in vain by a box that has never had a valid index of it. While the clock is not known nothing
# is noted, and what one noted that was ahead begins again.
note_silence() {
    [ ! -e "$run/no-clock" ] && [ ! -e "$layers/archive-date" ] || return 0
    now=$(date +%s)
    since=$(cat "$layers/archive-since" 2>/dev/null || true)
    ! [ "$since" -le "$now" ] 2>/dev/null || return 0
    printf '%s\n' "$now" > "$layers/archive-since.new"
    mv -f "$layers/archive-since.new" "$layers/archive-since"
}

# Fails where Debian cannot be asked. A dead, expired or forged archive of adhand's does not hold Debian's updates back.
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
    # An index of an earlier day is valid for two weeks, and may have a version that was withdrawn.
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

# look SENTENCE: the result of this look for upgrades, for the journal and the card's report.
look() {
    printf '%s\n' "$1"
    printf '%s %s\n' "$(date -u +%Y-%m-%d)" "$1" >> "$layers/last-look.new"
}

# minus A B: the lines of A that are not in B, in one line.
minus() { printf '%s\n' "$1" | grep -vxF -e "$2" | paste -sd ' '; }

packages() { sed -n 's/^Inst \([^ ]*\).*/\1/p'; }

# simulate OPTION...: what apt would do. Where it cannot say, the reason is the result of this look.
simulate() {
    failed=0
    as_this_box apt-get -s -qq "$@" upgrade --with-new-pkgs 2> "$run/apt-errors" || failed=$?
    cat "$run/apt-errors" >&2
    [ "$failed" != 0 ] || return 0
    why=$(sed -n 's/^E: //p' "$run/apt-errors" | head -n 1 | cut -c 1-300)
    look "no upgrade: apt cannot plan one (${why:-it ended with $failed}); the box tries again tomorrow" >&2
    return 1
}

# Newer versions that are not taken, and why.
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

# A look for upgrades that a failure ended has a result, too.
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
    # A clock that was set back gives one name twice.
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

# What apt would do: a line for each package, with its versions.
plan() {
    planned=$(simulate) || return 1
    printf '%s\n' "$planned" | sed -n 's/^Inst //p' > "$run/upgrades"
}

keep_plan() {
    mkdir -p "$layers/plans"
    cp "$run/upgrades" "$layers/plans/$1"
    rm -f "$layers/plans/$1.left"
    # Of the layer that was left last, tell says what it had brought.
    needed=$(left_plans; for name in "$1" "$running" "$(tail -n 1 "$layers/failed" 2>/dev/null)"; do echo "$layers/plans/$name"; done)
    for plan in "$layers"/plans/*; do
        printf '%s\n' "$needed" | grep -qxF -e "${plan%.left}" || rm -f "$plan"
    done
}

# Before anything is installed: packages that did not arrive are no reason to leave a plan alone.
download() { as_this_box apt-get -y -qq --download-only upgrade --with-new-pkgs; }

install() {
    as_this_box apt-get -y -qq -o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold -o Dpkg::Use-Pty=0 upgrade --with-new-pkgs
}

# The files of /etc/apt that a package changed belong to the layer: they count once it runs, and no longer where it is left. A file that
# somebody changed on the running box still lies above them.
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

# It has to be whole, and able to start what it is for.
works() {
    [ -z "$(inside dpkg --audit)" ] && inside adhand --version > /dev/null && inside adhanctl times > /dev/null &&
        inside /lib/systemd/systemd --version > /dev/null
}

packages_of() { cut -d ' ' -f 1 "$1" | paste -sd ' '; }

looked() {
    unsaid=
    mv -f "$layers/last-look.new" "$layers/last-look"
}

# How adhand is before the upgrade, which is to be no worse with it. Where it does not answer the last answer stays.
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

# Plans that came to nothing: of layers that were left, and of packages that did not run.
failed_plans() {
    { cat "$layers/failed" 2>/dev/null || true; echo unfit; } | while read -r name; do [ ! -f "$layers/plans/$name" ] || echo "$layers/plans/$name"; done
}

# Since when the box knows of each of them. A layer may wait long for its restart, and the initramfs knows no time. What a clock that was
# ahead noted begins again.
note_failed_plans() {
    [ ! -e "$run/no-clock" ] || return 0
    now=$(date +%s)
    for plan in $(failed_plans); do
        ! [ "$(cat "$plan.left" 2>/dev/null)" -le "$now" ] 2>/dev/null || continue
        printf '%s\n' "$now" > "$plan.left.new" && sync "$plan.left.new" && mv -f "$plan.left.new" "$plan.left"
    done
}

# Those of the last week.
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

# Whether adhand's own part of the plan is that of such a plan, whatever Debian's is by now: Debian's updates do not wait for a fix.
ours_failed_lately() {
    ours=$(ours "$run/upgrades")
    [ -n "$ours" ] || return 1
    for plan in $(left_plans); do
        [ "$(ours "$plan")" != "$ours" ] || return 0
    done
    return 1
}

ours() { grep '^adhand[ -]' "$1" | sort || true; }

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
}

# The layer that runs is on trial: what is chosen now would be confirmed with it. A power cut before a layer was chosen leaves a count, too.
on_trial() { [ -e "$layers/trial" ] && [ "$(cat "$layers/previous" 2>/dev/null)" != "$running" ]; }

# With a count somebody may go back to one of them.
remove_layers_but() {
    [ ! -e "$layers/trial" ] || return 0
    for layer in "$layers"/upgrade-*; do
        case ${layer##*/} in "$1") ;; *) rm -rf "$layer" ;; esac
    done
}

# Where adhand stays as it is, a layer with a newer one that was never confirmed is not for this box: the next boot goes over to the one
# before it. The order is that of the initramfs: without the count of a trial nothing would leave a layer that does not come up.
hold() {
    [ ! -e "$run/in-memory" ] && is_adhand_kept || return 0
    current=$(cat "$layers/current" 2>/dev/null || echo none)
    back=$running
    if [ "$current" = "$running" ]; then
        # A layer that was confirmed has the adhand that this box has.
        [ -e "$layers/trial" ] || return 0
        back=$(cat "$layers/previous" 2>/dev/null || true)
        [ "$back" = none ] || [ -d "$layers/$back/upper" ] || return 0
    elif ! is_prepared; then
        return 0
    fi
    # The same where a power cut came between the two steps.
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

# Layers that hold has put aside go once they neither run nor are gone back to.
forget_held() {
    [ -e "$layers/held" ] && ! waiting && [ ! -e "$layers/trial" ] || return 0
    previous=$(cat "$layers/previous" 2>/dev/null || true)
    while IFS= read -r layer; do
        case $layer in "$running" | "$previous") ;; upgrade-*) rm -rf "${layers:?}/$layer" ;; esac
    done < "$layers/held"
    rm -f "$layers/held"
}

# Whether something was due within the last ten minutes. Where adhand does not answer, seconds_free says so.
was_just_due() {
    now=$(date +%s)
    since=$((now - margin))
    said=$(timeout 10 adhanctl --json history --days 1 2>/dev/null) || return 1
    for at in $(printf '%s' "$said" | jq -r '.announcements[].scheduled'); do
        at=$(date -d "$at" +%s) || continue
        # What a clock that was ahead wrote down is yet to come, and would hold upgrades back until then.
        [ "$at" -lt "$since" ] || [ "$at" -gt "$now" ] || return 0
    done
    return 1
}

is_writable() {
    { printf '3\n' > "$layers/written" && sync "$layers/written"; } 2> /dev/null && rm -f "$layers/written"
}

# What is in the way of a restart; nothing where nothing is. A box that waits for its place calls nothing, and may restart at any time.
obstacle() {
    # The initramfs could not count the boots of a trial either.
    if ! is_writable; then
        echo 'a card that can be written'
        return
    fi
    if answer=$(status) && printf '%s' "$answer" | jq -e '.awaiting == "place"' > /dev/null; then return; fi
    if ! free=$(seconds_free) || { [ "$free" != never ] && [ "$free" -lt "$quiet" ]; } || was_just_due; then
        echo 'a quiet half hour'
    # After a restart the time has to come from somewhere.
    elif ! status | jq -e .clock.synchronized > /dev/null && [ ! -e "${ADHAN_BOX_CLOCK:-/sys/class/rtc/rtc0/hctosys}" ]; then
        echo 'the network, from which it gets the time after a restart'
    fi
}

# The layer that runs, the one that is ready and the one that was left, for the card's report and adhan-bridge. The one that was left is
# named until a newer one is well. "at" is when it was left, else when the newest of the others was made. "adhand" is the version that the
# layer which was left had brought of it: where it brought none, Debian's packages alone were at fault.
tell() {
    failed=$(tail -n 1 "$layers/failed" 2>/dev/null || true)
    if [ -n "$failed" ] && [ ! -e "$layers/trial" ] && is_outdone "$failed"; then failed=; fi
    prepared=
    ! is_prepared || prepared=$(cat "$layers/current" 2>/dev/null || true)
    # The initramfs may have left a layer before it knew the time: that was not before the layer was made.
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

# The reason why this upgrade is not well yet; nothing where it is.
trouble() {
    answer=$(status) || { echo 'adhand does not answer'; return; }
    # It was known when the box went over to this upgrade, which may have taken the network away.
    ! printf '%s' "$answer" | jq -e '.awaiting == "clock"' > /dev/null || { echo 'the time is not known'; return; }
    worse=$(adhanctl card health --before "$layers/health" 2>/dev/null) || echo "adhand is worse than before: ${worse:-it does not say how}"
}

# Whether an adhan is close, or plays. A box whose adhand does not answer, or waits for its place or a clock, calls none.
is_adhan_close() {
    answer=$(status) || return 1
    ! printf '%s' "$answer" | jq -e '.awaiting != null and .playback.state == "idle"' > /dev/null || return 1
    free=$(seconds_free) || return 0
    [ "$free" != never ] && [ "$free" -lt "$margin" ]
}

uptime_seconds() { cut -d . -f 1 /proc/uptime; }

waiting() { [ "$(cat "$layers/current" 2>/dev/null || echo none)" != "$running" ]; }

# Whether the layer that waits was made from the one that runs. Where hold has put that one aside, the one before it waits. The clock by
# which layers are named may have been wrong.
is_prepared() {
    waiting && [ "$(cat "$layers/current" 2>/dev/null || echo none)" != none ] &&
        [ "$(cat "$layers/previous" 2>/dev/null || echo "$running")" = "$running" ]
}

# is_outdone LAYER: whether a newer one was well after this one was left. Before the first confirmation that notes it the names decide.
is_outdone() {
    if [ -e "$layers/outdone" ]; then
        [ "$(cat "$layers/outdone")" = "$1" ]
    else
        [ "$running" != none ] && expr "$running" '>' "$1" > /dev/null
    fi
}

# The layer that runs is well: what was left before needs no attention any more.
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
            # Asked every quarter of an hour, said once.
            [ "$obstacle" = "$(cat "$run/obstacle" 2>/dev/null)" ] || echo "an upgrade waits for $obstacle"
            printf '%s\n' "$obstacle" > "$run/obstacle"
            exit 0
        fi
        echo 'restarting, as an upgrade is ready and nothing is due'
        systemctl --no-block reboot
        ;;
    confirm)
        while trouble=$(trouble) && [ -n "$trouble" ]; do
            # One that is not well may still call, and is heard out.
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
    # Where it is not the layer that runs, restart removes it: a boot has no time for that.
    hold)
        # Whoever asks after a boot finds what was left before it, and need not wait for the next look.
        trap tell EXIT
        hold
        ;;
    *) echo 'usage: upgrade.sh make|restart|confirm|hold' >&2; exit 64 ;;
esac
