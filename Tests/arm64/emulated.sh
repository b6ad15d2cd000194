# shellcheck shell=bash
# A fresh arm64 Debian whose programs run under user-mode emulation: it has no kernel of its own and no systemd. Sourced by
# run.sh.
#
#   emulated_root SUITE     makes the Debian once, as an archive in $cross
#   emulated_up SUITE       unpacks it in memory; $share is /share in it
#   inside CMD...           runs a command in it
#   emulated_down           ends the processes that still run in it, and removes it

# With binfmt, arm64 programs run like native ones, also in other roots. The package registers it where systemd runs.
register_emulator() {
    local registry=/proc/sys/fs/binfmt_misc
    [ -e $registry/register ] || mount -t binfmt_misc binfmt_misc $registry
    # The flag F opens the emulator now, so the root need not contain it.
    [ -e $registry/qemu-aarch64 ] || sed 's/:[A-Z]*$/:OPF/' /usr/lib/binfmt.d/qemu-aarch64.conf > $registry/register
}

emulated_root() {
    local archive=$cross/arm64-$1.tar
    [ ! -e "$archive" ] || return 0
    mkdir -p "$cross"
    echo "making an arm64 $1 (once)"
    box_sources "$1" | unshare --mount mmdebstrap --quiet --mode=root --variant=minbase --architectures=arm64 \
        --aptopt='Apt::Install-Recommends "false"' --dpkgopt=force-unsafe-io "$1" "$archive.new.tar" - || return 1
    mv "$archive.new.tar" "$archive"
}

emulated_up() {
    root=$(mktemp -d)
    mount -t tmpfs -o mode=755,size=2g none "$root"
    tar -C "$root" -xpf "$cross/arm64-$1.tar"
    share=$root/share
    mkdir -p "$share"
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    mount --make-rslave "$root/dev"
    cp -L /etc/resolv.conf "$root/etc/resolv.conf"
    # Keeps packages from starting services while they are installed.
    printf '#!/bin/sh\nexit 101\n' > "$root/usr/sbin/policy-rc.d"
    chmod +x "$root/usr/sbin/policy-rc.d"
}

inside() {
    chroot "$root" /usr/bin/env -i TERM=dumb NO_COLOR=1 LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive HOME=/root \
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"
}

emulated_down() {
    [ -n "${root:-}" ] || return 0
    local link pid
    for link in /proc/[0-9]*/root; do
        pid=${link#/proc/}
        [ "$(readlink "$link")" != "$root" ] || kill -KILL "${pid%/root}" 2> /dev/null || true
    done
    umount -R -l "$root" && rmdir "$root"
    root=
}
