#!/bin/bash
# Makes a FAT32 file system of a folder's files. Sorted names and a fixed date make the result reproducible.
# usage: fat.sh FOLDER IMAGE MEGABYTES
set -euo pipefail
PATH=$PATH:/usr/sbin:/sbin
folder=$1 image=$2
truncate -s 0 "$image"
truncate -s "$3M" "$image"
mkfs.fat --invariant -F 32 -n ADHAN -i ad4a9b0c "$image" > /dev/null
find "$folder" -exec touch -d "@$SOURCE_DATE_EPOCH" {} +
export MTOOLS_SKIP_CHECK=1
(cd "$folder" && find . -mindepth 1 -type d | LC_ALL=C sort | while read -r sub; do mmd -i "$image" "::${sub#.}"; done
    find . -type f | LC_ALL=C sort | while read -r file; do mcopy -m -i "$image" "$file" "::${file#.}"; done)
