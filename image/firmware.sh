#!/bin/bash
# What the FAT partition holds: what the machine starts with, and what people write there.
# usage: firmware.sh ARCHITECTURE WORK DISK-ID VERSION     WORK/boot is the image's /boot, WORK/fat what becomes of it
set -euo pipefail
architecture=$1 work=$2 disk=$3 version=$4
fat=$work/fat
kernel=$(ls "$work"/boot/vmlinuz-* | sort -V | tail -n 1)
release=${kernel##*/vmlinuz-}
# No console= for the screen beyond tty1: what the kernel says there is for nobody.
line="root=PARTUUID=$disk-02 rootfstype=squashfs ro rootwait adhan.data=PARTUUID=$disk-03 adhan.card=PARTUUID=$disk-01"
line+=' quiet panic=10 systemd.show_status=no fsck.mode=skip net.ifnames=0'
case $architecture in
    amd64)
        cp "$kernel" "$fat/vmlinuz"
        cp "$work/boot/initrd.img-$release" "$fat/initrd.img"
        mkdir -p "$fat/EFI/BOOT" "$fat/loader/entries"
        tar -xOf "$work/root.tar" ./usr/lib/systemd/boot/efi/systemd-bootx64.efi > "$fat/EFI/BOOT/BOOTX64.EFI"
        printf 'timeout 0\ndefault adhan.conf\n' > "$fat/loader/loader.conf"
        printf 'title adhan\nlinux /vmlinuz\ninitrd /initrd.img\noptions %s\n' "$line" > "$fat/loader/entries/adhan.conf"
        ;;
    arm64)
        cp -r "$work/boot/firmware/." "$fat/"
        printf '%s console=tty1\n' "$line" > "$fat/cmdline.txt"
        [ -e "$fat/vmlinuz-$release" ] && [ -e "$fat/initrd.img-$release" ] || { ls "$fat"; echo 'the kernel is not there' >&2; exit 1; }
        ;;
esac
echo "$line" > "$work/cmdline"
# For people, with the line ends of their editors.
tar -xf "$work/root.tar" -C "$work" ./usr/share/adhand-box/card
(cd "$work/usr/share/adhand-box/card" && find . -type f | while read -r file; do
    mkdir -p "$fat/$(dirname "$file")"
    sed 's/$/\r/' "$file" > "$fat/$file"
done)
# As large as it will ever be: it is written over in its place.
{ printf 'adhand %s has not looked at this card yet. Edit adhand.toml and start the box.\r\n' "$version"
    for _ in $(seq 8192); do printf '\r\n'; done; } > "$work/report"
truncate -s 16384 "$work/report"
mv "$work/report" "$fat/adhand-report.txt"
