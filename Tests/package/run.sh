#!/bin/bash
# The Debian package on a fresh Debian under a real systemd: it is installed, used by root, by a member of the group and by a
# stranger, calls dhuhr, is killed, misconfigured, upgraded, removed and purged. Prints a table; exits 1 if anything fails.
# usage: run.sh [SUITE...]     Debian 12 and 13 by default; SUITES_TESTED="bookworm trixie" selects suites as well
set -u
cd "$(dirname "$0")/../.." || exit 1
[ "$(id -u)" = 0 ] || { echo 'please run as root: a container is started' >&2; exit 1; }
. Tests/package/box.sh
. Tests/package/checks.sh
. Tests/package/beside.sh
. Tests/package/faults.sh
. Tests/package/fleet.sh

# shellcheck disable=SC2206 # the list must be split
suites=(${*:-${SUITES_TESTED:-bookworm trixie}})
version=$(sed -n 's/.*adhandVersion = "\(.*\)"/\1/p' Sources/Texts/Version.swift)
architecture=$(dpkg --print-architecture)
package=dist/adhand_${version}_$architecture.deb
newer=dist/adhand_$version+test_$architecture.deb
[ -e "$package" ] || { echo "$package is not there; run \"make deb\" first" >&2; exit 1; }
# PART=house checks only the bridge and the hooks, which need no upgrade. PART=fleet checks only the package of a fleet's server.
# PART=beside checks only the packages beside adhand.
part=${PART:-}
[ "$part" = house ] || make -s deb BUILD=+test > "dist/test-build.log" 2>&1 || { cat dist/test-build.log >&2; exit 1; }

trap box_down EXIT
failures=0
for suite in "${suites[@]}"; do
    box_root "$suite" || exit 1
    box_boot "$suite" || exit 1
    cp "$package" "$box_share/adhand.deb"
    [ "$part" = house ] || cp "$newer" "$box_share/newer.deb"
    for program in programs display companion remote bridge hooks fleet; do
        cp "${package/adhand_/adhand-${program}_}" "$box_share/adhand-$program.deb"
        [ "$part" = house ] || cp "${newer/adhand_/adhand-${program}_}" "$box_share/newer-$program.deb"
    done
    gcc -shared -fPIC -O2 -DPIC Tests/Lab/pcm_lab.c -o "$box_share/libasound_module_pcm_lab.so" -lasound || exit 1
    echo "== $suite"
    if [ "$part" = house ]; then
        is 'adhand installs' within "apt-get update -qq; $apt /share/adhand.deb"
        check_house
    elif [ "$part" = fleet ]; then
        is 'the lists of packages are there' within 'apt-get update -qq'
        check_fleet
    else
        [ "$part" = beside ] || check_package
        check_packages_beside
        check_fleet
    fi
    box_down
done
rm -f "$newer" dist/adhand-*_"$version"+test_*.deb dist/test-build.log
[ $failures = 0 ] || { echo "$failures failed" >&2; exit 1; }
