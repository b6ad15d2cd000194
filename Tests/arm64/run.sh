#!/bin/bash
# Tests the arm64 packages on an amd64 machine: the programs under emulation in fresh Debians, their prayer times against those of
# amd64, the test suites that need nothing else, and an emulated machine with a real systemd and a sound card.
# Prints a table; exits 1 if anything fails.
# usage: run.sh RELEASE-DIRECTORY [programs|times|suites|machine]...     the folder of the amd64 programs; all parts by default
set -u
PATH=$PATH:/usr/sbin:/sbin
cd "$(dirname "$0")/../.." || exit 1
[ "$(id -u)" = 0 ] || { echo 'please run as root: Debian roots are made and entered' >&2; exit 1; }
. debian/cross/roots.sh
. Tests/package/checks.sh
. Tests/arm64/emulated.sh
. Tests/arm64/machine.sh

release=$(realpath "$1")
shift
version=$(sed -n 's/.*adhandVersion = "\(.*\)"/\1/p' Sources/Texts/Version.swift)
package() { echo "dist/$1_$version${2:-}_arm64.deb"; }
[ -e "$(package adhand)" ] || { echo "$(package adhand) is not there; run \"make deb ARCH=arm64\" first" >&2; exit 1; }
scratch=.build-arm64/trial
mkdir -p $scratch
# The packages support Debian 12 and 13.
read -ra suites_of_debian <<< "${DEBIANS:-bookworm trixie}"
failures=0
trap emulated_down EXIT

build_lab() {
    in_root compiler "clang --target=aarch64-unknown-linux-gnu --sysroot=/sysroot --ld-path=/usr/bin/aarch64-linux-gnu-ld \
        -shared -fPIC -O2 -DPIC Tests/Lab/pcm_lab.c -o $scratch/libasound_module_pcm_lab.so -lasound"
}

install_emulated() {
    cp "$(package adhand)" "$(package adhand-programs)" "$(package adhand-companion)" "$(package adhand-display)" "$share"
    within 'apt-get update -qq; apt-get install -y -qq -o Dpkg::Use-Pty=0 /share/*.deb; test -z "$(dpkg --audit)"
        test "$(dpkg --print-architecture)" = arm64'
}

programs_start() {
    within 'for p in adhand adhanctl adhan-companion adhan-display /usr/libexec/adhan-kiosk; do
            $p --version | grep -q "'"$version"'"; done
        /usr/libexec/adhan-touch < /dev/null | grep -q "^HTTP/1.1 400"; adhand --check || test $? = 1'
}

# The screen's page uses swift-nio, and marking a prayer uses SQLite.
page() {
    within 'adhan-display --listen 127.0.0.1:8788 > /share/display.log 2>&1 & echo $! > /share/display.pid' &&
        python3 - <<'PYTHON'
import time
import urllib.request

for left in range(30, -1, -1):
    try:
        answer = urllib.request.urlopen("http://127.0.0.1:8788/", timeout=20)
        break
    except OSError as error:
        if not left:
            raise SystemExit(f"no answer: {error}") from error
        time.sleep(1)
assert answer.status == 200 and b"<html" in answer.read().lower()
PYTHON
    local status=$?
    cat "$share/display.log"
    kill "$(cat "$share/display.pid")"
    return $status
}
log_of_prayers() {
    within 'prayed fajr --date 2026-11-20; prayed dhuhr --date 2026-11-20 --late; adhan-companion export > /tmp/log
        cat /tmp/log; test "$(grep -c 2026-11-20 /tmp/log)" -ge 2'
}

# A prayer is called on time on the tests' sound device, which records what it receives.
called() {
    cp $scratch/libasound_module_pcm_lab.so "$share"
    within 'cat > /etc/asound.conf; mkdir -p /etc/adhand' <<'CONF' || return 1
pcm_type.lab { lib "/share/libasound_module_pcm_lab.so" }
pcm.card { type lab file "/tmp/heard.raw" speed 1.0 }
pcm.!default { type plug slave.pcm card }
CONF
    within 'cat > /etc/adhand/adhand.toml' <<CONF || return 1
timezone = "Etc/UTC"
[location]
name = "Test box"
latitude = 10.0
longitude = $(longitude_for $(($(date +%s) + 45)))
[calculation]
rounding = "none"
CONF
    within 'adhand --state-dir /tmp/state --socket /tmp/control.sock --audio-dir /usr/share/adhand/audio 2> /tmp/adhand.log & pid=$!
        export ADHAND_SOCKET=/tmp/control.sock; tries=0
        until adhanctl --json history | tr -d " \n" | grep -q "\"outcome\":\"played\""; do
            tries=$((tries + 1)); test $tries -lt 60 || { adhanctl status; tail -20 /tmp/adhand.log; exit 1; }; sleep 1; done
        adhanctl --json history > /share/history; adhanctl --json history | tr -d " \n" | grep -q "\"prayer\":\"\(dhuhr\|jumua\)\""
        kill -TERM $pid; wait $pid; test "$(stat -c %s /tmp/heard.raw)" -gt 100000
        test "$(tr -d "\000" < /tmp/heard.raw | wc -c)" -gt 50000'
}
lateness() { tr -d ' \n' < "$share/history" | sed -E 's/.*"latenessMs":([0-9.]+).*/\1 ms/'; }

purged_emulated() {
    within 'apt-get purge -y -qq -o Dpkg::Use-Pty=0 adhand adhand-programs adhand-companion adhand-display
        test ! -e /usr/bin/adhand; test ! -e /etc/adhand; test ! -e /var/lib/adhand; test -z "$(dpkg --audit)"'
}

# Both architectures use this machine's time zones: another Debian's may be newer, and lack old names.
share_zones() { mount --bind /usr/share/zoneinfo "$root/usr/share/zoneinfo"; }

# Asks both architectures the same questions, and compares every byte of the answers.
PLACES=${PLACES:-280}
answers() { # COMMAND...: prints the answers to all questions
    while read -r question; do
        # shellcheck disable=SC2086 # options, to be split
        "$@" $question 2> /dev/null || echo "status $?: $question"
    done
}
days_asked() { grep -o '"events"' $scratch/times.amd64 | wc -l; }
same_times() {
    [ -e "$scratch/times.amd64" ] || {
        "$release/adhanctl" methods --json | Tests/arm64/questions.py "$PLACES" > $scratch/questions || return 1
        answers "$release/adhanctl" < $scratch/questions > $scratch/times.amd64 || return 1
    }
    cp $scratch/questions "$share"
    share_zones
    inside bash -c "$(declare -f answers); answers adhanctl < /share/questions > /share/times" || return 1
    [ "$(days_asked)" -gt 1000 ] && cmp $scratch/times.amd64 "$share/times"
}

# The project's tests, built for arm64. Swift's runtime and testing libraries are shared objects, which need a newer C library
# than Debian 12 has. The overlay between Testing and Foundation is missing, and no test needs it. PlaybackTests and AdhandTests
# are left out because they measure sound in real time, which an emulated processor cannot keep; AdhanDisplayTests and
# CompanionTests, because they start their programs and measure the time. The tests are optimised, because an emulated processor
# is slow.
SUITES_TESTED=${SUITES_TESTED:-PrayerEngineTests TextsTests SettingsTests TimesTests PlacesTests ProtocolTests DaemonTests ConsoleTests SimulatorTests TimetableImportTests PrayerLogTests ScreenPlanTests HostTests AdhanctlTests}
# The emulator starts a program that does not exist, and then exits with 127.
NOT_EMULATED='ChildProcessTests/missing'
suites_scratch=.build-arm64/tests
build_suites() {
    in_root compiler "export PKG_CONFIG_LIBDIR=/sysroot/usr/lib/aarch64-linux-gnu/pkgconfig:/sysroot/usr/share/pkgconfig
        debian/cross/swift build --build-tests --scratch-path $suites_scratch -Xlinker --allow-shlib-undefined \
            -Xswiftc -Xfrontend -Xswiftc -disable-cross-import-overlays -Xswiftc -O"
}
# The tests look for the checkout at the path where they were built.
share_checkout() {
    mkdir -p "$root/build" "$root/runtime"
    mount --bind . "$root/build"
    mount --bind "$cross/sysroot/usr/lib/swift/linux" "$root/runtime"
}
# The time zone tests compare with zdump, which searches a century for every second at which a zone changes. That takes hours on
# an emulated processor, so the emulated Debian gets this machine's own zdump.
share_zdump() {
    local file
    for file in /usr/bin/zdump $(ldd /usr/bin/zdump | grep -o '/[^ ]*'); do
        mkdir -p "$root${file%/*}" && cp -L --remove-destination "$file" "$root$file" || return 1
    done
}
# As in a checkout, the programs and their libraries are present, but adhand is not installed: setup and set look for the service.
programs_alone() {
    within 'apt-get update -qq; apt-get install -y -qq -o Dpkg::Use-Pty=0 /share/adhand*.deb libsqlite3-0
        dpkg-deb -x /share/adhand*.deb /programs; apt-get purge -y -qq -o Dpkg::Use-Pty=0 adhand; test ! -e /usr/bin/adhand'
}
suite_passes() {
    inside sh -c "cd /build && LD_LIBRARY_PATH=/runtime ADHAND_BIN=/programs/usr/bin/adhand ADHANCTL_BIN=/programs/usr/bin/adhanctl \\
        $suites_scratch/debug/adhandPackageTests.xctest --testing-library swift-testing --filter '^$1\\.' --skip '$NOT_EMULATED'" \
        > "$scratch/$1.log" 2>&1
    local status=$?
    tail -40 "$scratch/$1.log"
    [ $status = 0 ] && grep -qE 'Test run with [1-9][0-9]* tests.* passed' "$scratch/$1.log"
}

part_suites() {
    echo '== the tests, built for arm64'
    is 'they build' build_suites
    [ $failures = 0 ] || return
    emulated_root trixie && emulated_up trixie || exit 1
    cp "$(package adhand)" "$share"
    share_checkout
    is 'the programs are there' programs_alone
    is 'time zones are those of this machine' share_zones
    is 'and zdump' share_zdump
    for suite in $SUITES_TESTED; do
        is "$suite" suite_passes "$suite"
        grep -E 'Test run with' "$scratch/$suite.log" | tail -1
    done
    emulated_down
}

part_programs() {
    build_lab || exit 1
    for suite in "${suites_of_debian[@]}"; do
        emulated_root "$suite" && emulated_up "$suite" || exit 1
        echo "== $suite, by emulation"
        is 'the three packages install with apt' install_emulated
        is 'all six programs start' programs_start
        is 'dhuhr is called, and heard on the sound card of the tests' called
        echo "  late by $(lateness) (the processor is emulated)"
        is 'the screen answers a browser' page
        is 'prayers are marked and read back' log_of_prayers
        is 'purging leaves nothing' purged_emulated
        emulated_down
    done
}

part_times() {
    rm -f $scratch/times.amd64
    for suite in "${suites_of_debian[@]}"; do
        emulated_root "$suite" && emulated_up "$suite" || exit 1
        echo "== $suite, by emulation"
        cp "$(package adhand)" "$share"
        is 'adhand installs' within 'apt-get update -qq; apt-get install -y -qq -o Dpkg::Use-Pty=0 /share/adhand*.deb'
        is 'times of all places are those of amd64 in every byte' same_times
        echo "  $(days_asked) days at $PLACES places"
        emulated_down
    done
}

parts=("$@")
[ $# -gt 0 ] || parts=(programs times suites machine)
register_emulator
for part in "${parts[@]}"; do
    case $part in
    programs | times | suites | machine) "part_$part" ;;
    *) echo "there is no part $part: programs, times, suites, machine" >&2; exit 1 ;;
    esac
done
[ $failures = 0 ] || { echo "$failures failed" >&2; exit 1; }
