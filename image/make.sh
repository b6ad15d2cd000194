#!/bin/bash
# Makes a card image from Debian's archive and adhand's packages, without mounting anything:
# dist/adhan-box_VERSION_ARCHITECTURE.img, its SHA-256, and the list of its contents; for a Raspberry Pi also the compressed
# image, and the list with which Imager offers it. The image must not depend on the time or the place of the build.
# usage: make.sh ARCHITECTURE [display]          MIRROR=URL uses another mirror of Debian
#        IMAGE_URL=URL is where the packed image will be published (manifest.sh)
set -euo pipefail
cd "$(dirname "$0")/.."
PATH=$PATH:/usr/sbin:/sbin
[ "$(id -u)" = 0 ] || { echo 'please run as root: a root file system is made' >&2; exit 1; }
architecture=$1
display=${2:-}
. image/packages.sh
suite=trixie
version=$(sed -n 's/.*adhandVersion = "\(.*\)"/\1/p' Sources/Texts/Version.swift)
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || stat -c %Y CHANGELOG.md)}
export SOURCE_DATE_EPOCH LC_ALL=C.UTF-8 TZ=UTC
mirror=${MIRROR:-$(. image/mirror.sh)}
name=adhan-box${display:+-display}_${version}_$architecture
out=dist/$name.img
ours=("dist/adhand_${version}_$architecture.deb" "dist/adhand-programs_${version}_$architecture.deb" "dist/adhand-remote_${version}_$architecture.deb" "dist/adhand-bridge_${version}_$architecture.deb" "dist/adhand-box_${version}_all.deb")
if [ -n "$display" ]; then
    packages+=("${display_packages[@]}")
    ours+=("dist/adhand-display_${version}_$architecture.deb")
fi
# Without the archive's address, the box installs only Debian's updates.
keyring=dist/adhand-archive-keyring_${version}_all.deb
[ ! -e "$keyring" ] || ours+=("$keyring")
for file in "${ours[@]}"; do
    [ -e "$file" ] || { echo "$file is not there; run \"make deb ARCH=$architecture\" first" >&2; exit 1; }
done

# The FAT partition has room for the firmware, the kernels and the files that people add.
fat_mb=256
pi5=()
if [ "$architecture" = arm64 ]; then
    fat_mb=384
    pi5=(--customize-hook="image/pi5.sh \"\$1\" $suite")
fi
# Partitions are found by this number; it need not differ between cards.
disk_id=ad4a9b0c

work=$(mktemp -d "${TMPDIR:-/tmp}/adhan-image.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir "$work/debs" "$work/fat" "$work/boot"
cp "${ours[@]}" "$work/debs/"

echo "1/5 Debian $suite for $architecture"
[ "$architecture" = "$(dpkg --print-architecture)" ] || image/emulation.sh "$architecture"
# Downloaded packages are kept for the next build.
fetched=.build-image/$architecture
mkdir -p "$fetched"
includes=$(IFS=,; echo "${packages[*]}")
# Packages must not make an initramfs each time they are installed; customize.sh makes the final one.
INITRD=No mmdebstrap --mode=root --variant=essential --architectures="$architecture" --format=tar --include="$includes" \
    --aptopt='Apt::Install-Recommends "false"' \
    --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-include=/usr/share/man/man[158]/adhan*' \
    --dpkgopt='path-exclude=/usr/share/locale/*' --dpkgopt='path-exclude=/usr/share/info/*' \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-include=/usr/share/doc/*/copyright' \
    --dpkgopt='path-exclude=/usr/lib/linux-image-*/*' --dpkgopt='path-include=/usr/lib/linux-image-*/broadcom/*' \
    --dpkgopt='path-exclude=/usr/lib/modules/*/dtb/*' --dpkgopt='path-include=/usr/lib/modules/*/dtb/broadcom/*' \
    --skip=download/empty,essential/unlink \
    --setup-hook="mkdir -p \"\$1/var/cache/apt/archives\"" --setup-hook="sync-in $fetched /var/cache/apt/archives" \
    --setup-hook="mkdir -p \"\$1/boot/firmware\"" \
    "${pi5[@]}" \
    --customize-hook="find \"\$1/var/cache/apt/archives\" -name '*.deb' -exec cp -u -t $fetched {} +" \
    --customize-hook="copy-in $work/debs /" \
    --customize-hook="image/customize.sh \"\$1\" '$components' ${display:-none}" \
    --customize-hook="rm -rf \"\$1\"/var/cache/apt/archives/*" \
    --customize-hook="sync-out /boot $work/boot" \
    --customize-hook="rm -rf \"\$1\"/boot/* \"\$1\"/usr/lib/modules/*/vmlinuz \"\$1/debs\" && mkdir \"\$1/boot/firmware\"" \
    "$suite" "$work/root.tar" \
    "deb $mirror $suite $components" "deb $mirror $suite-updates $components" \
    "deb ${SECURITY_MIRROR:-$mirror-security} $suite-security $components" \
    ${pi5:+"deb $mirror $suite-backports main"}

echo '2/5 the root, packed'
mksquashfs - "$work/root.sqfs" -tar -noappend -no-progress -quiet -comp zstd -Xcompression-level 15 -b 256K < "$work/root.tar"

echo '3/5 the FAT partition'
image/firmware.sh "$architecture" "$work" "$disk_id" "$version"
image/fat.sh "$work/fat" "$work/fat.img" "$fat_mb"

echo '4/5 the partition for settings'
. box/lib/settings.sh
truncate -s 64M "$work/data.img"
E2FSPROGS_FAKE_TIME=$SOURCE_DATE_EPOCH make_settings "$work/data.img" \
    hash_seed=a9d4a9b0-c000-4000-8000-0000000000db,lazy_itable_init=0,lazy_journal_init=0,root_owner=0:0 -U a9d4a9b0-c000-4000-8000-0000000000da

echo '5/5 the image'
root_sectors=$((($(stat -c %s "$work/root.sqfs") + 1048575) / 1048576 * 2048))
fat_sectors=$((fat_mb * 2048))
data_sectors=$(($(stat -c %s "$work/data.img") / 512))
start=8192
rm -f "$out"
truncate -s "$(((start + fat_sectors + root_sectors + data_sectors) * 512))" "$out"
sfdisk --quiet "$out" <<TABLE
label: dos
label-id: 0x$disk_id
start=$start, size=$fat_sectors, type=$([ "$architecture" = amd64 ] && echo ef || echo c), bootable
start=$((start + fat_sectors)), size=$root_sectors, type=83
start=$((start + fat_sectors + root_sectors)), size=$data_sectors, type=83
TABLE
put() { dd if="$1" of="$out" bs=1M seek=$(($2 / 2048)) conv=notrunc,sparse status=none; }
put "$work/fat.img" $start
put "$work/root.sqfs" $((start + fat_sectors))
put "$work/data.img" $((start + fat_sectors + root_sectors))
tar -xOf "$work/root.tar" ./usr/share/adhand-box/contents.txt > "dist/$name.contents.txt"
(cd dist && sha256sum "$name.img" > "$name.img.sha256")
if [ "$architecture" = arm64 ]; then
    # This option gives the same bytes with any number of processors.
    xz -T "+$(nproc)" -6 --block-size=16MiB -k -f "$out"
    cp Resources/display/page/icon.svg dist/adhan-box.svg
    image/manifest.sh "$version" "$out" "$out.xz" $display > "dist/$name.rpi-imager-manifest"
fi
tar -tvf "$work/root.tar" | awk '{ size += $3 } END { printf "the root: %.0f MB of files, ", size / 1e6 }'
stat -c '%s' "$work/root.sqfs" | awk '{ printf "%.0f MB packed\n", $1 / 1e6 }'
stat -c '%n %s' "$out" | awk '{ printf "%s: %.0f MB\n", $1, $2 / 1e6 }'
