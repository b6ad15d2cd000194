#!/bin/sh
# Installs those of the given Debian packages that are missing. If all are installed, it does nothing, and needs no root.
set -eu
missing=
for package in "$@"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
as_root=
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { echo "please install as root:$missing" >&2; exit 1; }
    as_root=sudo
fi
echo "installing:$missing"
# Two targets of one make may run this at once, and then apt fails in the second with "Could not get lock".
exec 9< "$0"
flock 9
$as_root apt-get -o DPkg::Lock::Timeout=300 update -qq
# shellcheck disable=SC2086 # the list must be split
$as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y -qq --no-install-recommends $missing >/dev/null
