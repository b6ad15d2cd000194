#!/bin/bash
# `make release`: makes everything that is published of the last commit, in a folder: the packages of both architectures, the
# card's image if the checkout makes one, a list of the linked components (SPDX), the versions of the tools (WITH.txt, and
# SwiftPM's Package.resolved), the notes, and checksums of all files.
# The same commit, Swift and Debian packages must give the same bytes; WITH.txt lists their versions.
# usage: release.sh FOLDER [RESOLVED]     RESOLVED is the Package.resolved of an earlier run for the same release
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(realpath -m "$1")
resolved=${2:+$(realpath -e "$2")}
changed=$(git status --porcelain)
[ -z "$changed" ] || { printf 'a release is made of a commit, and these files differ from it:\n%s\n' "$changed" >&2; exit 1; }
if [ "$(id -u)" != 0 ]; then
    command -v sudo > /dev/null || { echo 'please run as root: Debian roots are made and entered' >&2; exit 1; }
    exec sudo --preserve-env=PATH,ADHAND_CROSS,COMPILER_ARCHIVE,XDG_CACHE_HOME,IMAGE,IMAGE_URL,ARCHIVE_URL env "PATH=$PATH" "$0" "$folder" ${resolved:+"$resolved"}
fi
export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0='*'
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
version=$(sed -n 's/.*adhandVersion = "\(.*\)"/\1/p' Sources/Texts/Version.swift)
# Fixes the commit, so that later commits are not part of this release.
commit=$(git rev-parse HEAD)

# Builds a clean checkout at a fixed path, in a mount namespace that no other process sees.
work=$(mktemp -d)
place=/usr/src/adhand
trap 'rm -rf "$work"' EXIT
git clone -q --no-local . "$work/source"
git -C "$work/source" checkout -q --detach "$commit"
# Without this file, SwiftPM may choose newer versions of the dependencies.
[ -z "$resolved" ] || cp "$resolved" "$work/source/Package.resolved"
# shellcheck disable=SC2016 # for the inner shell
unshare --mount bash -euo pipefail -c '
    mount -t tmpfs none "${2%/*}"
    mkdir "$2"
    mount --bind "$1" "$2"
    cd "$2"
    make deb
    make deb ARCH=arm64
    if [ "${IMAGE:-1}" = 1 ] && make -n image > /dev/null 2>&1; then make image; fi
' - "$work/source" $place

if [ -n "$resolved" ] && ! cmp -s "$resolved" "$work/source/Package.resolved"; then
    echo "it was not built by $resolved: SwiftPM has chosen other versions" >&2
    diff "$resolved" "$work/source/Package.resolved" >&2 || true
    exit 1
fi
rm -rf "$folder"
mkdir -p "$folder"
cp "$work/source/Package.resolved" "$folder"
cp "$work/source"/dist/*_"$version"_*.deb "$folder"
find "$work/source/dist" -maxdepth 1 \( -name '*.img*' -o -name '*.contents.txt' \) -exec cp --sparse=always {} "$folder" \;
# Without IMAGE_URL, the list of the image refers to files of this machine, so it is not published.
[ -z "${IMAGE_URL:-}" ] || find "$work/source/dist" -maxdepth 1 \( -name '*.rpi-imager-manifest' -o -name adhan-box.svg \) -exec cp {} "$folder" \;

# Lists the packages and the Swift version of the build.
. debian/cross/roots.sh
swift_of() { "$@" --version 2> /dev/null | sed -n 's/.*[Ss]wift version \([^ ]*\).*/\1/p' | head -1; }
packages() { dpkg-query --admindir="$1/var/lib/dpkg" -W -f '${binary:Package}\t${Version}\n'; }
{ packages ''; printf 'swift\t%s\n' "$(swift_of "${SWIFT:-swift}")"; } > "$work/amd64"
{ packages "$cross/sysroot"; printf 'swift\t%s\n' "$(dpkg-query --admindir="$cross/compiler/var/lib/dpkg" -W -f '${Version}' swiftlang)"; } > "$work/arm64"
{
    echo "commit $commit"
    for architecture in amd64 arm64; do
        printf '\n%s was built with:\n' $architecture
        cat "$work/$architecture"
    done
    printf '\ncompiler of arm64:\n'
    packages "$cross/compiler"
} > "$folder/WITH.txt"
debian/sbom.py "$version" "$work/source/Package.resolved" amd64="$work/amd64" arm64="$work/arm64" -- "$folder"/*.deb > "$folder/adhand-$version.spdx.json"
# The notes are this version's section of CHANGELOG.md.
awk -v version="$version" '/^## / { of = $2 == version } of' "$work/source/CHANGELOG.md" > "$folder/NOTES.md"
[ -s "$folder/NOTES.md" ] || { echo "CHANGELOG.md says nothing of $version" >&2; exit 1; }
(cd "$folder" && sha256sum -- * > "$work/sums" && mv "$work/sums" SHA256SUMS)
chown -R --reference=Makefile "$folder"
(cd "$folder" && ls -l && cat SHA256SUMS)
