# A fresh Debian in a container, with systemd as its first process. Sourced by run.sh; needs root.
#
#   box_root SUITE      makes the root file system once, as an archive under .build-package
#   box_boot SUITE      starts it from that archive, in memory; $box_share is /share in it
#                       (box_more=--private-network: without a network)
#   box_boot here       starts a container over this machine's own root, which stays as it is: it has no network, and none of the
#                       machine's enabled units
#   inside CMD...       runs a command in the container
#   box_down            stops the container
# shellcheck shell=bash

box_archives=.build-package
box_pid=
box_leader=

# Prints the machine's own Debian sources for another suite.
box_sources() {
    local own
    own=$(. /etc/os-release && echo "$VERSION_CODENAME")
    # shellcheck disable=SC2016 # apt's own variables
    apt-get indextargets --format '$(REPO_URI) $(CODENAME) $(COMPONENT) $(ORIGIN)' 'Created-By: Packages' |
        awk -v own="$own" -v suite="$1" '$4 == "Debian" && index($2, own) == 1 {
            sub(own, suite, $2); print "deb", $1, $2, $3 }' | sort -u
}

box_root() {
    local archive=$box_archives/$1.tar
    [ -e "$archive" ] && return
    mkdir -p "$box_archives"
    [ -n "$(ls /var/lib/apt/lists/*Packages* 2>/dev/null)" ] || apt-get update -qq
    box_sources "$1" > "$box_archives/$1.list"
    echo "making a fresh $1 (once)"
    mmdebstrap --quiet --mode=root --variant=minbase --include=systemd,systemd-sysv,dbus,man-db "$1" "${archive%.tar}.new.tar" \
        "$box_archives/$1.list"
    mv "${archive%.tar}.new.tar" "$archive"
}

box_boot() {
    box_dir=$(mktemp -d)
    box_name=adhand-$$
    box_share=$box_dir/share
    mount -t tmpfs -o mode=755,size=3g none "$box_dir"
    mkdir "$box_dir/root" "$box_share"
    local target=multi-user.target more=${box_more:-}
    if [ "$1" = here ]; then
        mkdir "$box_dir/upper" "$box_dir/work"
        mount -t overlay -o "lowerdir=/,upperdir=$box_dir/upper,workdir=$box_dir/work" overlay "$box_dir/root"
        target=basic.target more=--private-network
    else
        tar -C "$box_dir/root" -xpf "$box_archives/$1.tar"
    fi
    : > "$box_dir/root/etc/machine-id"
    # The container's cgroup, wherever this machine has mounted the unified hierarchy.
    box_group=/sys/fs/cgroup/$box_name
    [ ! -d /sys/fs/cgroup/unified ] || box_group=/sys/fs/cgroup/unified/$box_name
    mkdir "$box_group"
    # adhand asks the kernel how well the clock is synchronised, which a container may not do by default. The network is the
    # machine's, because apt downloads the package's dependencies.
    (
        echo "$BASHPID" > "$box_group/cgroup.procs"
        export SYSTEMD_NSPAWN_UNIFIED_HIERARCHY=1
        # shellcheck disable=SC2086 # zero or one word
        exec systemd-nspawn $more --quiet --boot --directory="$box_dir/root" --machine="$box_name" --register=no --keep-unit \
            --link-journal=no --console=pipe --resolv-conf=replace-host --system-call-filter=@clock \
            --bind="$box_share:/share" -- systemd.unit=$target
    ) > "$box_dir/console" 2>&1 < /dev/null &
    box_pid=$!
    local tries
    for tries in $(seq 300); do
        box_leader=$(pgrep -P $box_pid | head -1)
        [ -n "$box_leader" ] && nsenter -t "$box_leader" -m -p test -S /run/systemd/private 2>/dev/null && break
        if ! kill -0 $box_pid 2>/dev/null || [ "$tries" = 300 ]; then
            cat "$box_dir/console" >&2
            echo "the container did not start" >&2
            return 1
        fi
        sleep 0.1
    done
    inside systemctl is-system-running --wait > /dev/null || true
}

# From systemd 257 on, logind does not answer a process outside the container's cgroup ("Protocol driver not attached").
inside() {
    (
        echo "$BASHPID" > "${box_group%/"$box_name"}$(sed -n 's/^0:://p' "/proc/$box_leader/cgroup")/cgroup.procs"
        exec nsenter -t "$box_leader" -m -u -i -n -p -C --root --wd env -i TERM=dumb LC_ALL=C.UTF-8 SYSTEMD_PAGER= SYSTEMD_COLORS=0 \
            PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive "$@"
    )
}

box_down() {
    [ -n "$box_pid" ] || return 0
    # SIGRTMIN+4 asks systemd to power off.
    [ -z "$box_leader" ] || kill -s RTMIN+4 "$box_leader" 2>/dev/null || true
    local tries
    for tries in $(seq 100); do
        kill -0 $box_pid 2>/dev/null || break
        sleep 0.1
    done
    kill -KILL $box_pid 2>/dev/null || true
    wait $box_pid 2>/dev/null || true
    box_pid="" box_leader=""
    ! mountpoint -q "$box_dir/root" || umount -l "$box_dir/root"
    umount -l "$box_dir" && rmdir "$box_dir"
    find "/sys/fs/cgroup/systemd/$box_name" "$box_group" -depth -type d -exec rmdir {} \; 2>/dev/null || true
}
