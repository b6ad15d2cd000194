#!/bin/bash
# Runs the tests by other clocks than the machine's: at six times of day, on a leap day, and in the nights in which clocks change.
# All programs that they start use that clock (Tests/Lab/clock_ahead.c).
# usage: clocks.sh PROGRAMS [TIME...]        TIME is such as 2028-02-29T12:00Z
set -u
cd "$(dirname "$(readlink -f "$0")")/.." || exit 1
programs=$(readlink -f "$1")
shift
# The times: before the leap day, when a test once asked for an impossible longitude; on the leap day; before New York's clocks go
# forward; before Europe's go back; in the last minutes of a year; on a summer morning.
[ $# -gt 0 ] || set -- 2028-02-28T23:47Z 2028-02-29T12:00Z 2027-03-14T06:50Z 2027-10-31T00:50Z 2027-12-31T23:55Z 2027-06-15T04:30Z
library=$(mktemp -d)/clock_ahead.so
trap 'rm -rf "${library%/*}"' EXIT
# Trials also run programs as other users, who must be able to read the library.
chmod 755 "${library%/*}"
gcc -shared -fPIC -O2 -Wall Tests/Lab/clock_ahead.c -o "$library" -lpthread || exit 1

# These parts of `make test`, `make released` and `make trials` are left out:
#   lint, units, manuals, hardening and promises: nothing in them reads the wall clock.
#   Tests/box/scripts.py: upgrade.sh compares the ages of files, which the kernel dates by the machine's clock.
#   Tests/archive/quick.py: apt runs in a chroot with its own environment, and refuses an index that was signed in its future.
#   Tests/interop: it compiles a package, and the compiler compares the ages of files.
# These longer trials are left out as well:
#   hostile, soak, load, bench, outputs-load, sound-rig, house-rest, fleet-rig, bridge-faults, bridge-lies: they measure
#   elapsed time.
#   sanitize: a program with a sanitizer ends if another library is loaded before the sanitizer's.
#   film and ramadan-rig: they set a clock of their own, evening by evening.
#   vm-test, devices, image-test, deb-test, house-service, fleet-service, fleet-guide: the systemd of another machine starts
#   the programs.
#   desktop-rig, session-rig, kiosk-test, ha-rig, fleet-monitors: foreign services start the programs, or lack the environment.
#   phase-test: for the same reason as Tests/archive/quick.py.
#   remote-test and display-test: they add networks, browsers and pictures, none of which uses the time.
#   mutants and simulate: they use the simulator's clock.
trials=(
    "Tests/suites.sh"
    "Tests/box/card.py $programs"
    "Tests/box/hotspot.py $programs"
    "Tests/remote/intake.py $programs"
    "Tests/remote/pairing.py $programs"
    "Tests/remote/claim.py $programs"
    "Tests/remote/probes.py $programs"
    "Tests/remote/people.py $programs --only chromium"
    "Tests/bridge/trial.py $programs/adhand $programs/adhan-bridge"
    "Tests/hooks/trial.py $programs/adhand $programs/adhan-hooks"
    "Tests/outputs/trial.py $programs/adhand"
    "Tests/fleet/trial.py $programs/adhan-fleet"
    "Tests/fleet/box.py $programs"
    "Tests/fleet/link.py $programs/adhand $programs/adhan-bridge $programs/adhan-fleet"
    "Tests/fleet/watch.py $programs/adhan-fleet $programs/adhand $programs/adhan-bridge"
    "Tests/fleet/published.py $programs/adhan-fleet"
    "Tests/fleet/rollout.py $programs/adhan-fleet"
    "Tests/fleet/enrol.py $programs/adhan-fleet"
    "Tests/fleet/join.py $programs/adhand $programs/adhan-bridge $programs/adhan-fleet"
    "Tests/fleet/leave.py $programs/adhand $programs/adhan-bridge $programs/adhan-fleet"
    "Tests/display/zero.py $programs"
    "Tests/display/page.py $programs/adhan-display"
    "Tests/display/content.py $programs/adhan-display"
    "Tests/display/texts.py $programs/adhan-display"
    "Tests/display/access.py $programs/adhan-display"
    "Tests/display/repaints.py $programs/adhan-display"
    "Tests/display/set_up.py $programs/adhan-touch $programs/adhan-display"
    "Tests/display/faults.py $programs/adhan-display"
    "Tests/display/render.py $programs/adhan-display"
)
failed=
for time in "$@"; do
    echo "--- as if it were $time"
    ahead=$(($(date -d "$time" +%s) - $(date +%s)))
    for trial in "${trials[@]}"; do
        # shellcheck disable=SC2086 # a program and its words
        timeout --kill-after=10 1800 env LD_PRELOAD="$library" CLOCK_AHEAD=$ahead $trial
        status=$?
        [ $status -ne 124 ] || echo "$trial has not ended within half an hour" >&2
        [ $status -eq 0 ] || failed="$failed
$time: $trial"
    done
done
[ -z "$failed" ] || { echo "failed:$failed" >&2; exit 1; }
