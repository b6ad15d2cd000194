# shellcheck shell=bash
# An emulated arm64 machine: Debian 13's own kernel, systemd, and a sound card (Intel HDA) whose sound is recorded in a WAV file.
# Sourced by run.sh.

machine_packages=systemd,systemd-sysv,udev,dbus,kmod,passwd,procps,libasound2t64,alsa-utils,libmpg123-0t64,libqrencode4,libsystemd0,libsodium23,libsqlite3-0,libstdc++6,tzdata,zlib1g,busybox-static

# Makes once what the machine boots from: the kernel, a small initrd that loads the drivers of the disk, and root.img.
make_machine() {
    local new=$cross/machine.new kernel name module
    rm -rf --one-file-system "$new"
    mkdir -p "$new"
    # Downloads the kernel in the same step, but keeps only the modules of hardware that the machine has.
    # shellcheck disable=SC2016 # for the shell of mmdebstrap
    box_sources trixie | unshare --mount mmdebstrap --quiet --mode=root --variant=minbase --architectures=arm64 \
        --aptopt='Apt::Install-Recommends "false"' --dpkgopt=force-unsafe-io --dpkgopt='path-exclude=/usr/share/doc/*' \
        --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' --include="$machine_packages" \
        --customize-hook='cd "$1"; export APT_CONFIG=$MMDEBSTRAP_APT_CONFIG
            apt-get download -qq $(apt-cache depends linux-image-arm64 | sed -n "s/.*Depends: //p" | head -1)' \
        trixie "$new/root" -
    dpkg-deb -x "$new"/root/linux-image-*.deb "$new/kernel"
    rm "$new"/root/linux-image-*.deb
    [ -e "$new/kernel/lib" ] || ln -s usr/lib "$new/kernel/lib"
    kernel=$(ls "$new/kernel/lib/modules")
    depmod -b "$new/kernel" "$kernel"
    cp "$new/kernel/boot/vmlinuz-$kernel" "$new/vmlinuz"

    mkdir -p "$new"/initrd/{bin,proc,dev,root,modules}
    cp "$new/root/usr/bin/busybox" "$new/initrd/bin/"
    {
        printf '#!/bin/busybox sh\n/bin/busybox mount -t proc none /proc; /bin/busybox mount -t devtmpfs none /dev\n'
        for name in virtio_pci virtio_blk ext4; do
            modprobe -d "$new/kernel" -S "$kernel" --show-depends "$name"
        done | awk '$1 == "insmod" && !seen[$2]++ { print $2 }' | while read -r module; do
            name=$(basename "$module" .xz)
            xz -dc "$module" > "$new/initrd/modules/$name"
            echo "/bin/busybox insmod /modules/$name"
        done
        printf 'until [ -b /dev/vda ]; do /bin/busybox sleep 0.1; done\n/bin/busybox mount -t ext4 /dev/vda /root\n'
        printf '/bin/busybox umount /proc\nexec /bin/busybox switch_root /root /sbin/init\n'
    } > "$new/initrd/init"
    chmod +x "$new/initrd/init"
    (cd "$new/initrd" && find . | cpio -o -H newc --quiet | gzip -1) > "$new/initrd.gz"

    local modules=$new/root/lib/modules/$kernel
    mkdir -p "$modules/kernel"
    cp -a "$new/kernel/lib/modules/$kernel/kernel/sound" "$modules/kernel/"
    cp "$new/kernel/lib/modules/$kernel"/modules.{order,builtin,builtin.modinfo} "$modules/"
    depmod -b "$new/root" "$kernel"
    # This unit unpacks the second disk and runs the trial that is on it.
    cat > "$new/root/etc/systemd/system/trial.service" <<'UNIT'
[Unit]
Description=Trial of the arm64 packages
After=multi-user.target
[Service]
Type=oneshot
StandardOutput=tty
StandardError=tty
TTYPath=/dev/ttyAMA0
ExecStart=/bin/bash -c 'mkdir -p /share && tar -xf /dev/vdb -C /share && exec bash /share/trial.sh'
ExecStopPost=/bin/systemctl poweroff --force --force
UNIT
    mkdir -p "$new/root/etc/systemd/system/multi-user.target.wants"
    ln -s ../trial.service "$new/root/etc/systemd/system/multi-user.target.wants/trial.service"
    for name in systemd-timesyncd.service serial-getty@.service apt-daily.timer apt-daily-upgrade.timer; do
        ln -sfn /dev/null "$new/root/etc/systemd/system/$name"
    done
    : > "$new/root/etc/apt/sources.list"
    rm -f "$new/root/usr/sbin/policy-rc.d" "$new"/root/etc/apt/sources.list.d/*
    mke2fs -q -t ext4 -d "$new/root" "$new/root.img" 1500M
    rm -rf --one-file-system "$new/root" "$new/kernel" "$new/initrd"
}

# MACHINE_CPU=cortex-a53 emulates the processor of a Raspberry Pi 3.
boot_machine() {
    local folder=$1
    qemu-img create -q -f qcow2 -b "$cross/machine/root.img" -F raw "$folder/disk.qcow2"
    timeout 1500 qemu-system-aarch64 -M virt -cpu "${MACHINE_CPU:-cortex-a72}" -accel tcg,thread=multi -smp 2 -m 1024 \
        -nodefaults -no-user-config -display none -no-reboot -kernel "$cross/machine/vmlinuz" -initrd "$cross/machine/initrd.gz" \
        -append 'console=ttyAMA0 quiet panic=-1 systemd.show_status=0' -serial "file:$folder/console" \
        -drive "if=none,id=disk,file=$folder/disk.qcow2,format=qcow2" -device virtio-blk-pci,drive=disk \
        -drive "if=none,id=trial,file=$folder/trial.tar,format=raw,readonly=on" -device virtio-blk-pci,drive=trial \
        -device intel-hda -device hda-output,audiodev=card -audiodev "wav,id=card,path=$folder/heard.wav" < /dev/null
}

# Checks that the card's recording contains at least one announcement.
sounded() {
    python3 - "$1" <<'PYTHON'
import array
import sys

samples = array.array("h", open(sys.argv[1], "rb").read()[44:])
loud = [at for at, sample in enumerate(samples) if abs(sample) > 300]
seconds = (loud[-1] - loud[0]) / 2 / 44100 if loud else 0
print(f"{seconds:.2f} s of sound, peak {max(map(abs, samples), default=0)}")
sys.exit(seconds < 2)
PYTHON
}

part_machine() {
    local folder=$scratch/machine newer
    cross_root machine || exit 1
    newer=$(package adhand +test)
    [ -e "$newer" ] && [ ! "$(package adhand)" -nt "$newer" ] ||
        make -s deb ARCH=arm64 BUILD=+test > $scratch/newer.log 2>&1 || { cat $scratch/newer.log >&2; exit 1; }
    rm -rf "$folder"
    mkdir -p "$folder/share"
    cp "$(package adhand)" "$folder/share/adhand.deb"
    cp "$newer" "$folder/share/newer.deb"
    cp Tests/package/checks.sh Tests/arm64/trial.sh "$folder/share"
    tar -cf "$folder/trial.tar" -C "$folder/share" .
    echo '== trixie, on an emulated machine'
    boot_machine "$folder" || true
    tr -d '\r' < "$folder/console"
    grep -q '^TRIAL DONE: 0 failed' "$folder/console" || failures=$((failures + 1))
    is "the card gave out: $(sounded "$folder/heard.wav")" sounded "$folder/heard.wav"
}
