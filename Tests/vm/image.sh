#!/bin/sh
# Builds once what a virtual machine boots from: a Debian kernel, an initrd that finds the disk, and a root file system.
# usage: image.sh DIRECTORY
set -eu
PATH=$PATH:/usr/sbin:/sbin
out=$1
# shellcheck disable=SC3013 # dash supports -nt
[ "$out/complete" -nt "$0" ] && exit 0
[ "$(dpkg --print-architecture)" = amd64 ] || { echo 'the virtual machine is an amd64 one only' >&2; exit 1; }
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. /etc/os-release

# The kernel is Debian's own, with the dummy sound card.
package=$(apt-cache depends linux-image-amd64 | awk '/Depends:/ { print $2; exit }')
(cd "$work" && apt-get download -qq "$package")
dpkg-deb -x "$work/$package"_*.deb "$work/kernel"
version=$(ls "$work/kernel/lib/modules")
depmod -b "$work/kernel" "$version"
cp "$work/kernel/boot/vmlinuz-$version" "$out/vmlinuz"

# The initrd loads the driver of the disk and switches to the root.
mkdir -p "$work/initrd/bin" "$work/initrd/proc" "$work/initrd/dev" "$work/initrd/root" "$work/initrd/modules"
cp /bin/busybox "$work/initrd/bin/busybox"
{
    printf '#!/bin/busybox sh\n/bin/busybox mount -t proc none /proc; /bin/busybox mount -t devtmpfs none /dev\n'
    for name in virtio_pci virtio_blk ext4; do
        modprobe -d "$work/kernel" -S "$version" --show-depends "$name"
    done | awk '$1 == "insmod" && !seen[$2]++ { print $2 }' | while read -r module; do
        cp "$module" "$work/initrd/modules/"
        echo "/bin/busybox insmod /modules/$(basename "$module")"
    done
    cat <<'INIT'
tries=0
until [ -b /dev/vda ]; do
    tries=$((tries + 1))
    [ $tries -lt 600 ] || { echo "no disk within a minute"; /bin/busybox poweroff -f; }
    /bin/busybox sleep 0.1
done
/bin/busybox mount -t ext4 /dev/vda /root
/bin/busybox umount /proc
exec /bin/busybox switch_root /root /sbin/init
INIT
} > "$work/initrd/init"
chmod +x "$work/initrd/init"
(cd "$work/initrd" && find . | cpio -o -H newc --quiet | gzip -1) > "$out/initrd"

# The root contains what adhand needs to run under systemd. Besides that, only a script of the tests starts.
mmdebstrap -q --variant=minbase \
    --include=systemd,systemd-sysv,udev,dbus,kmod,libasound2,libmpg123-0,libqrencode4,libsystemd0,libstdc++6,libmosquitto1,libcurl4,libsodium23,libsqlite3-0,v4l-utils,python3,tzdata \
    "$VERSION_CODENAME" "$work/root"
modules=$work/root/lib/modules/$version
mkdir -p "$modules/kernel/drivers" "$modules/extra"
cp -a "$work/kernel/lib/modules/$version/kernel/sound" "$modules/kernel/"
# The trials simulate a television, keys and GPIO lines. Debian does not build gpio-sim, so it is built from Debian's own source.
for folder in drivers/media drivers/input drivers/gpio fs/configfs lib; do
    mkdir -p "$modules/kernel/$folder"
    cp -a "$work/kernel/lib/modules/$version/kernel/$folder/." "$modules/kernel/$folder/"
done
"$(dirname "$0")/gpio-sim.sh" "$version" "$modules/extra"
cp "$work/kernel/lib/modules/$version"/modules.order "$work/kernel/lib/modules/$version"/modules.builtin* "$modules/"
depmod -b "$work/root" "$version"
echo snd-dummy > "$work/root/etc/modules-load.d/sound.conf"
cat > "$work/root/etc/systemd/system/trial.service" <<'UNIT'
[Unit]
Description=Trials of adhand
After=multi-user.target sound.target
[Service]
Type=oneshot
StandardOutput=tty
StandardError=tty
TTYPath=/dev/ttyS1
ExecStart=/bin/sh -c '[ -e /trial ] || tar -xf /dev/vdb -C /; exec python3 /trial/guest.py'
ExecStopPost=/bin/systemctl poweroff --force --force
[Install]
WantedBy=default.target
UNIT
mkdir -p "$work/root/etc/systemd/system/multi-user.target.wants"
ln -s ../trial.service "$work/root/etc/systemd/system/multi-user.target.wants/trial.service"
# A box without a network has no time source, and the trials set the clock themselves.
rm -f "$work/root/.dockerenv" "$work/root/etc/localtime"
ln -s /usr/share/zoneinfo/Asia/Riyadh "$work/root/etc/localtime"
ln -sf /dev/null "$work/root/etc/systemd/system/systemd-timesyncd.service"
ln -sf /dev/null "$work/root/etc/systemd/system/apt-daily.timer"
mke2fs -q -t ext4 -d "$work/root" "$out/root.img" 1200M
touch "$out/complete"
