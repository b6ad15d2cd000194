# shellcheck shell=bash
# The packages of an image, by architecture. Sourced by make.sh.

# The system, and what a box needs besides adhand: network, clock, sound, and remote access for owners who want it.
packages=(
    busybox systemd systemd-sysv systemd-resolved systemd-timesyncd libpam-systemd dbus udev kmod
    initramfs-tools zstd e2fsprogs dosfstools fdisk mount passwd apt ca-certificates procps less
    alsa-utils libasound2-plugins tzdata jq
    iproute2 iputils-ping wpasupplicant wireless-regdb openssh-server
)
display_packages=(cage seatd xwayland chromium fonts-noto-core fonts-hosny-amiri)

case $architecture in
    amd64) packages+=(linux-image-amd64 systemd-boot-efi) components=main ;;
    arm64) packages+=(linux-image-arm64 raspi-firmware firmware-brcm80211) components='main non-free-firmware' ;;
    *) echo "there is no image for $architecture, only for amd64 and arm64" >&2; exit 1 ;;
esac
