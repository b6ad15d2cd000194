#!/bin/sh
# Turns a Debian system that mmdebstrap has just made into a box.
# usage: customize.sh ROOT COMPONENTS display|none     COMPONENTS of Debian's archive, as "main non-free-firmware"
set -eu
root=$1 components=$2 display=$3
in_root() { chroot "$root" /usr/bin/env DEBIAN_FRONTEND=noninteractive "$@"; }

in_root sh -c 'apt-get -y -qq -o Dpkg::Use-Pty=0 --no-install-recommends install /debs/*.deb'
in_root systemctl --quiet enable systemd-networkd.service systemd-resolved.service systemd-timesyncd.service
in_root systemctl --quiet disable ssh.service ssh.socket wpa_supplicant.service e2scrub_reap.service apt-daily.timer apt-daily-upgrade.timer \
    dpkg-db-backup.timer e2scrub_all.timer fstrim.timer systemd-networkd-wait-online.service 2>/dev/null || true
in_root systemctl --quiet mask getty@tty1.service getty.target serial-getty@.service systemd-networkd-wait-online.service \
    apt-daily.service apt-daily-upgrade.service sleep.target suspend.target hibernate.target hybrid-sleep.target
# The phone page is on until the first phone has claimed the box; then its owner decides.
in_root systemctl --quiet enable adhan-remote.socket adhan-remote-pairing.socket adhan-remote-setup.socket adhan-intake.socket adhan-remote.service
mkdir -p "$root/etc/systemd/dnssd"
ln -s /usr/share/adhand/adhan-remote.dnssd "$root/etc/systemd/dnssd/adhan-remote.dnssd"
if [ "$display" = display ]; then
    in_root systemctl --quiet enable seatd.service adhan-kiosk.service adhan-display.service adhan-display.socket
fi

# The kernel and the firmware are on the FAT partition, which upgrades never write.
in_root dpkg-query -W -f '${db:Status-Abbrev}${Package}\n' | sed -n 's/^ii *\(linux-\(image\|base\|modules\|binary\)-.*\|raspi-firmware\)$/\1/p' |
    xargs chroot "$root" apt-mark hold > /dev/null
# Updates come from Debian, even if this image was made from a mirror; adhand's own come from the archive of its keyring.
rm -f "$root/etc/apt/sources.list"
find "$root/etc/apt/sources.list.d" -mindepth 1 ! -name adhand.sources -delete
suite=$(. "$root/etc/os-release" && echo "$VERSION_CODENAME")
debian() { printf 'Types: deb\nURIs: %s\nSuites: %s\nComponents: %s\nSigned-By: /usr/share/keyrings/debian-archive-keyring.gpg\n' "$1" "$2" "$components"; }
{ debian http://deb.debian.org/debian "$suite $suite-updates"; echo; debian http://deb.debian.org/debian-security "$suite-security"; } \
    > "$root/etc/apt/sources.list.d/debian.sources"
echo adhan > "$root/etc/hostname"
printf '127.0.0.1 localhost\n127.0.1.1 adhan\n::1 localhost\n' > "$root/etc/hosts"
ln -sfn ../run/systemd/resolve/stub-resolv.conf "$root/etc/resolv.conf"
ln -sfn /usr/share/zoneinfo/Etc/UTC "$root/etc/localtime"
: > "$root/etc/fstab"
in_root passwd --quiet --lock root

[ ! -e "$root/etc/default/raspi-firmware" ] || cp "$(dirname "$0")/raspi-firmware" "$root/etc/default/raspi-firmware"
# The initramfs contains the usual drivers for any machine, and the recipe of the root.
printf 'MODULES=most\nCOMPRESS=zstd\n' > "$root/etc/initramfs-tools/conf.d/adhan-box"
in_root update-initramfs -c -k all
sed -i 's/^update_initramfs=.*/update_initramfs=no/' "$root/etc/initramfs-tools/update-initramfs.conf"

# Lists the packages of the image: name, version, and the licences in the copyright file.
in_root dpkg-query -W -f '${Package} ${Version}\n' | LC_ALL=C sort | while read -r package version; do
    printf '%s %s %s\n' "$package" "$version" "$(sed -n 's/^License: *//p' "$root/usr/share/doc/$package/copyright" 2>/dev/null |
        tr '\t' ' ' | LC_ALL=C sort -u | paste -sd ';' | sed 's/;/; /g')"
done > "$root/usr/share/adhand-box/contents.txt"

# Removes files that must differ between boxes, and files that would differ in the next build of the same image.
rm -f "$root"/etc/ssh/ssh_host_* "$root/var/lib/dbus/machine-id" "$root/var/lib/systemd/random-seed" "$root/etc/.pwd.lock"
: > "$root/etc/machine-id"
mkdir -p "$root/var/lib/dbus" && ln -sfn /etc/machine-id "$root/var/lib/dbus/machine-id"
rm -rf "$root"/var/lib/apt/lists/* "$root"/var/cache/* "$root"/var/log/* "$root"/var/lib/adhand/* "$root"/var/lib/adhan-box
mkdir -p "$root/var/lib/adhan-box" "$root/var/lib/apt/lists/partial" "$root/var/lib/alsa" "$root/etc/adhand"
chmod 700 "$root/var/lib/adhan-box"
in_root install -d -o adhand -g adhand -m 750 /var/lib/adhand
in_root install -d -o adhan-remote -g adhan-remote -m 700 /var/lib/adhan-remote
in_root install -d -o adhand -g adhand -m 755 /var/lib/adhand-slides
in_root install -d -o adhan-bridge -g adhan-bridge -m 700 /var/lib/adhan-bridge
# These marks tell systemd that no update is pending. It would otherwise run its update services at every boot, because a box does
# not keep the marks that they leave in /var.
touch "$root/usr" "$root/etc/.updated" "$root/var/.updated"
