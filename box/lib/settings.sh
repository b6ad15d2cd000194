# shellcheck shell=sh
# The file system of the partition for settings: as an image has it, and as a box makes it again. Sourced, in the initramfs too.

# make_settings DEVICE [EXTENDED_OPTIONS [MKE2FS_OPTION...]]: small, as start.sh lets it grow with the card, to 512 GB without another layout:
# with the blocks and the room for descriptors (resize=, in blocks) of a large one.
make_settings() {
    device=$1
    extended=resize=134217728${2:+,$2}
    shift $(($# > 1 ? 2 : 1))
    mke2fs -q -F -t ext4 -b 4096 -E "$extended" -L adhan-data -m 1 -J size=16 -O metadata_csum,64bit "$@" "$device" 64M
}

# settings_left DIRECTORY: whether anything of what is kept is there, in a file system that was mended.
settings_left() {
    [ -e "$1/etc/adhand" ] || [ -e "$1/var/lib/adhand" ]
}

# find_lost_settings DIRECTORY: a file system that lost its root has what was in it under lost+found, by number. Each is known by what it
# holds, and takes its place again.
find_lost_settings() {
    for found in "$1"/lost+found/*; do
        for sign in etc/adhand/adhand.toml var/lib/adhand system/current etc-changes/machine-id; do
            place=$1/${sign%%/*}
            [ -e "$place" ] || [ ! -e "$found/${sign#*/}" ] || mv "$found" "$place"
        done
    done
}
