#!/bin/bash
# Fills the FAT partition: with the files that start the machine, and those that people edit.
# usage: firmware.sh ARCHITECTURE WORK DISK-ID VERSION     reads WORK/boot, the /boot of the image, and writes WORK/fat
set -euo pipefail
architecture=$1 work=$2 disk=$3 version=$4
fat=$work/fat
mapfile -t releases < <(find "$work/boot" -maxdepth 1 -name 'vmlinuz-*' -printf '%f\n' | sed 's/^vmlinuz-//' | sort -V)
# of COUNT: checks the number of kernels, because with one missing or one too many, some machines would not start.
of() { [ ${#releases[@]} = "$1" ] || { echo "there are not $1 kernels: ${releases[*]}" >&2; exit 1; }; }
# started_by RELEASE KERNEL INITRAMFS: copies a kernel and its initramfs to these names on the FAT partition.
started_by() {
    cp "$work/boot/vmlinuz-$1" "$fat/$2"
    cp "$work/boot/initrd.img-$1" "$fat/$3"
}
# There is no console= for the screen except tty1, because nobody reads kernel messages there.
line="root=PARTUUID=$disk-02 rootfstype=squashfs ro rootwait adhan.data=PARTUUID=$disk-03 adhan.card=PARTUUID=$disk-01"
line+=' quiet panic=10 systemd.show_status=no fsck.mode=skip net.ifnames=0'
case $architecture in
    amd64)
        of 1
        started_by "${releases[0]}" vmlinuz initrd.img
        mkdir -p "$fat/EFI/BOOT" "$fat/loader/entries"
        tar -xOf "$work/root.tar" ./usr/lib/systemd/boot/efi/systemd-bootx64.efi > "$fat/EFI/BOOT/BOOTX64.EFI"
        printf 'timeout 0\ndefault adhan.conf\n' > "$fat/loader/loader.conf"
        printf 'title adhan\nlinux /vmlinuz\ninitrd /initrd.img\noptions %s\n' "$line" > "$fat/loader/entries/adhan.conf"
        ;;
    arm64)
        of 2
        cp -r "$work/boot/firmware/." "$fat/"
        cp image/config.txt "$fat/config.txt"
        printf '%s console=tty1\n' "$line" > "$fat/cmdline.txt"
        # Debian's own kernel is for a Pi 3 and 4, that of its backports for a Pi 5. The firmware finds both by the same names as
        # in Raspberry Pi OS. No device tree is for machines of both kernels.
        own=${releases[0]} newer=${releases[1]}
        started_by "$own" kernel8.img initramfs8
        started_by "$newer" kernel_2712.img initramfs_2712
        trees=usr/lib/modules/$newer/dtb/broadcom
        tar -xf "$work/root.tar" -C "$work" "./usr/lib/linux-image-$own/broadcom" "./$trees"
        cp "$work/usr/lib/linux-image-$own"/broadcom/bcm27* "$work/usr/lib/linux-image-$own"/broadcom/bcm28* "$fat/"
        rm -f "$fat"/bcm2712*
        cp "$work/$trees"/bcm2712* "$fat/"
        dtc -q -O dtb -o "$fat/overlays/bcm2712d0.dtbo" image/bcm2712d0.dts
        fdtoverlay -i "$fat/bcm2712-rpi-5-b.dtb" -o "$work/d0.dtb" "$fat/overlays/bcm2712d0.dtbo"
        written() { dtc -q -s -I dtb -O dts "$1"; }
        diff <(written "$work/d0.dtb") <(written "$fat/bcm2712-d-rpi-5-b.dtb") ||
            { echo 'image/bcm2712d0.dts does not make the one device tree of the other' >&2; exit 1; }
        ;;
esac
echo "$line" > "$work/cmdline"
# Texts for people have the line ends of their editors.
tar -xf "$work/root.tar" -C "$work" ./usr/share/adhand-box/card
(cd "$work/usr/share/adhand-box/card" && find . -type f | while read -r file; do
    mkdir -p "$fat/$(dirname "$file")"
    sed 's/$/\r/' "$file" > "$fat/$file"
done)
# The file has its final size from the start, because it is overwritten in place.
{ printf 'adhand %s has not looked at this card yet. Edit adhand.toml and start the box.\r\n' "$version"
    for _ in $(seq 8192); do printf '\r\n'; done; } > "$work/report"
truncate -s 16384 "$work/report"
mv "$work/report" "$fat/adhand-report.txt"
