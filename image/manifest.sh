#!/bin/sh
# Prints the list with which Raspberry Pi Imager offers an image and asks for Wi-Fi, name and keys. A double click opens the list,
# or "rpi-imager --repo FILE". Imager asks only for images that a list names with an init_format.
# usage: manifest.sh VERSION IMAGE PACKED [display] > NAME.rpi-imager-manifest
# IMAGE_URL is the address of the folder where PACKED and adhan-box.svg are published; without it, the list refers to local files.
# Fields: doc/json-schema/os-list-schema.json and doc/os_customisation_formats.md of github.com/raspberrypi/rpi-imager.
set -eu
version=$1 image=$2 packed=$3 display=${4:-}
here=$(cd "$(dirname "$0")/.." && pwd)
# Prints the address of a local file, with special characters encoded.
address() {
    path=$(realpath -m "$1")
    case $path in *[!-A-Za-z0-9._~/+]*) path=$(printf %s "$path" | od -An -v -tx1 | tr -d ' \n' | sed 's/../%&/g; s|%2f|/|g') ;; esac
    echo "file://$path"
}
if [ -n "${IMAGE_URL:-}" ]; then
    url=${IMAGE_URL%/}/$(basename "$packed") icon=${IMAGE_URL%/}/adhan-box.svg
else
    url=$(address "$packed") icon=$(address "$here/Resources/display/page/icon.svg")
fi
# Refuses characters that would end a quoted string of the list.
for word in "$version" "$url" "$icon"; do
    case $word in *[!-A-Za-z0-9._~:/%+@]*) echo "this has signs that the list cannot have: $word" >&2; exit 1 ;; esac
done
for file in "$image" "$packed"; do
    [ -f "$file" ] || { echo "$file is not there; run \"make image\" first" >&2; exit 1; }
done
size() { stat -c %s "$1"; }
hash() { sha256sum < "$1" | cut -d ' ' -f 1; }
day=$(date -u -d "@${SOURCE_DATE_EPOCH:-$(stat -c %Y "$image")}" +%Y-%m-%d)
cat << MANIFEST
{
  "imager": {
    "devices": [
      {"name": "Raspberry Pi 5", "tags": ["pi5-64bit"]},
      {"name": "Raspberry Pi 4", "tags": ["pi4-64bit"]},
      {"name": "Raspberry Pi 3", "tags": ["pi3-64bit"]}
    ]
  },
  "os_list": [
    {
      "name": "adhand box $version${display:+ with a screen}",
      "description": "Calls the adhan",
      "url": "$url",
      "icon": "$icon",
      "release_date": "$day",
      "extract_size": $(size "$image"),
      "extract_sha256": "$(hash "$image")",
      "image_download_size": $(size "$packed"),
      "image_download_sha256": "$(hash "$packed")",
      "devices": ["pi3-64bit", "pi4-64bit", "pi5-64bit"],
      "architecture": "armv8",
      "init_format": "cloudinit-rpi"
    }
  ]
}
MANIFEST
