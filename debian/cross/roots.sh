# shellcheck shell=bash
# The Debian roots in which an amd64 machine builds adhand for arm64. Sourced by deb.sh and by Tests/arm64; needs root.
#
#   cross_root compiler     amd64, Debian sid: a root of its own for Swift, which needs a newer C library than Debian 12 has
#   cross_root sysroot      amd64 and arm64, Debian 12: the libraries to link against, and the tools that make the packages
#   in_root NAME CMD        runs a shell command in a root, with the checkout at /build and the sysroot at /sysroot
#
# Each root is made once, in $cross. It is made again if it was interrupted, or if its recipe has changed.

cross=${ADHAND_CROSS:-${XDG_CACHE_HOME:-$HOME/.cache}/adhand-cross}
checkout=$(pwd)
# The date of the last commit, so the same source makes the same programs.
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
. Tests/package/box.sh

# The tested version of Swift. The arm64 runtime must have exactly the same version, because a compiler loads no other modules.
swift_tried=6.2.3
# COMPILER_ARCHIVE=https://snapshot.debian.org/archive/debian/20261030T080801Z uses sid as it was at that time.
compiler_source() {
    if [ -n "${COMPILER_ARCHIVE:-}" ]; then
        echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $COMPILER_ARCHIVE sid main"
    else
        box_sources sid | grep -v -e ' sid-'
    fi
}

# Signed lists are accepted after their expiry, because outdated mirrors and snapshots are as good.
quiet_apt=(--aptopt='Acquire::Check-Valid-Until "false"' --aptopt='Apt::Install-Recommends "false"')

# strap NAME ARCHITECTURES SUITE PACKAGES < sources: makes a root.
strap() {
    rm -rf --one-file-system "${cross:?}/$1.new"
    # The mounts disappear with the namespace, even if this script is killed.
    unshare --mount mmdebstrap --quiet --mode=root --variant=minbase --architectures="$2" --include="$4" "${quiet_apt[@]}" \
        --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt=force-unsafe-io "$3" "$cross/$1.new" -
    mkdir -p "$cross/$1.new/build" "$cross/$1.new/sysroot"
}

make_compiler() {
    compiler_source | strap compiler amd64 sid \
        swiftlang,libc6-dev,libstdc++-15-dev,git,make,pkg-config,binutils-aarch64-linux-gnu,ca-certificates
    local version
    version=$(chroot "$cross/compiler.new" dpkg-query -W -f '${Version}' swiftlang)
    case $version in
    "$swift_tried"-*) ;;
    *)
        echo "Debian's Swift is $version by now, and arm64 packages were tried with $swift_tried. The one that was is in" \
            "Debian's snapshots: make deb ARCH=arm64 COMPILER_ARCHIVE=https://snapshot.debian.org/archive/debian/20261030T080801Z" >&2
        ;;
    esac
}

make_sysroot() {
    box_sources bookworm | strap sysroot amd64,arm64 bookworm "build-essential,debhelper,lintian,pkg-config,tzdata,qemu-user-static,$(
        )binutils-aarch64-linux-gnu,libc6-dev:arm64,libstdc++-12-dev:arm64,libasound2-dev:arm64,libmpg123-dev:arm64,$(
        )libcurl4-openssl-dev:arm64,libmosquitto-dev:arm64,libqrencode-dev:arm64,libsodium-dev:arm64,libsqlite3-dev:arm64,libsystemd-dev:arm64,zlib1g-dev:arm64"
    local new=$cross/sysroot.new apt=$cross/runtime link version
    # Links such as libm.so point to /lib/..., which is another folder in the compiler's root, and the linker would silently use
    # libm.a instead.
    find "$new/usr/lib/aarch64-linux-gnu" -type l -lname '/lib/aarch64-linux-gnu/*' | while read -r link; do
        ln -sfn "$(basename "$(readlink "$link")")" "$link"
    done
    # Unpacks only these files of Swift's arm64 runtime: its package cannot be installed beside the amd64 one.
    rm -rf "$apt"
    mkdir -p "$apt/lists/partial" "$apt/archives/partial"
    : > "$apt/status"
    compiler_source > "$apt/sources.list"
    local options=(-qq -o Dir::State="$apt" -o Dir::State::status="$apt/status" -o Dir::Cache="$apt" -o Dir::Etc::sourceparts=-
        -o Dir::Etc::sourcelist="$apt/sources.list" -o APT::Architecture=arm64 -o APT::Architectures=arm64
        -o APT::Sandbox::User=root -o Acquire::Check-Valid-Until=false)
    apt-get "${options[@]}" update
    version=$(chroot "$cross/compiler" dpkg-query -W -f '${Version}' swiftlang)
    (cd "$apt" && apt-get "${options[@]}" download "swiftlang=$version" "libswiftlang=$version") || {
        echo "the arm64 runtime of Swift $version is not in the archive any more: remove $cross and run this again" >&2
        return 1
    }
    dpkg-deb --fsys-tarfile "$apt"/swiftlang_*_arm64.deb | tar -x -C "$new/usr" --strip-components=4 \
        ./usr/libexec/swift/lib/swift ./usr/libexec/swift/lib/swift_static ./usr/libexec/swift/lib/clang
    # Tests/arm64 needs the shared objects.
    dpkg-deb --fsys-tarfile "$apt"/libswiftlang_*_arm64.deb | tar -x -C "$new/usr" --strip-components=4 ./usr/libexec/swift/lib/swift/linux
    rm -rf "$apt"
}

# Measured on a machine with two processors.
cross_costs() {
    case $1 in
    compiler) echo '3.3 GB, 4 minutes' ;;
    sysroot) echo '2.1 GB, 6 minutes' ;;
    *) echo '0.2 GB, 6 minutes' ;;
    esac
}

cross_root() {
    local name=$1 recipe began
    # The sysroot's Swift files have the version of the compiler, so its recipe includes the compiler's.
    recipe=$(declare -f "make_$name" compiler_source; echo "${COMPILER_ARCHIVE:-}"
        [ "$name" != sysroot ] || cat "$cross/compiler.made")
    [ "$(cat "$cross/$name.recipe" 2>/dev/null)" != "$recipe" ] || return 0
    mkdir -p "$cross"
    began=$(date +%s)
    echo "making the $name in $cross, once: $(cross_costs "$name")"
    rm -rf --one-file-system "${cross:?}/$name" "$cross/$name.recipe"
    # A shell of its own keeps "set -e" in force, which a caller's condition would disable.
    bash -euo pipefail -c "$(declare -p cross swift_tried quiet_apt machine_packages 2> /dev/null); $(declare -f); make_$name" || {
        echo "the $name could not be made" >&2
        return 1
    }
    mv "$cross/$name.new" "$cross/$name"
    date -u > "$cross/$name.made"
    printf '%s\n' "$recipe" > "$cross/$name.recipe"
    echo "made the $name: $(du -sm "$cross/$name" | cut -f1) MB in $(($(date +%s) - began)) s"
}

# Prints settings for git in a root: this machine may be configured to read Swift packages from local folders ("url PREFIX").
git_settings() {
    local key value n=0
    while read -r key value; do
        printf 'GIT_CONFIG_KEY_%d=%s\nGIT_CONFIG_VALUE_%d=%s\n' $n "$key" $n "$value"
        n=$((n + 1))
    done < <(git config --get-regexp '^url\..*\.insteadof$'; echo 'safe.directory *')
    echo "GIT_CONFIG_COUNT=$n"
}
git_folders() {
    git config --get-regexp '^url\..*\.insteadof$' | sed -n 's#^url\.\(file://\)\{0,1\}\(/.*\)\.insteadof .*#\2#p' | sort -u
}

in_root() {
    local name=$1 command=$2 settings
    mapfile -t settings < <(git_settings)
    mapfile -t folders < <(git_folders)
    # The mounts are in a namespace of their own, and disappear with it.
    unshare --mount bash -eu -c '
        sysroot=$1/sysroot root=$1/$2 checkout=$3 command=$4 count=$5
        shift 5
        mount -t proc proc "$root/proc"
        mount --rbind /dev "$root/dev"
        mount --bind "$checkout" "$root/build"
        mount --bind "$sysroot" "$root/sysroot"
        for folder in "${@:1:count}"; do
            mkdir -p "$root$folder"
            mount --bind "$folder" "$root$folder"
        done
        shift "$count"
        exec chroot "$root" /usr/bin/env -i HOME=/root LANG=C.UTF-8 TERM=dumb \
            PATH=/usr/libexec/swift/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@" bash -eu -c "cd /build; $command"
    ' - "$cross" "$name" "$checkout" "$command" "${#folders[@]}" "${folders[@]}" "${settings[@]}" "SOURCE_DATE_EPOCH=$SOURCE_DATE_EPOCH"
}
