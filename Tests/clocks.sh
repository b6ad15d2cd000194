#!/bin/bash
# The tests by other clocks than the machine's: at six times of day, on a leap day and in the nights in which clocks change. Everything
# that they start runs by that clock (Tests/Lab/clock_ahead.c).
# usage: clocks.sh PROGRAMS [TIME...]        a time such as 2028-02-29T12:00Z
set -u
cd "$(dirname "$(readlink -f "$0")")/.." || exit 1
programs=$(readlink -f "$1")
shift
# Before the leap day, where a longitude was once asked for that no place has; on it; before New York's clocks go forward; before
# Europe's go back; the last minutes of a year; a summer's morning.
[ $# -gt 0 ] || set -- 2028-02-28T23:47Z 2028-02-29T12:00Z 2027-03-14T06:50Z 2027-10-31T00:50Z 2027-12-31T23:55Z 2027-06-15T04:30Z
library=$(mktemp -d)/clock_ahead.so
trap 'rm -rf "${library%/*}"' EXIT
gcc -shared -fPIC -O2 -Wall Tests/Lab/clock_ahead.c -o "$library" -lpthread || exit 1
failed=
for time in "$@"; do
    echo "--- as if it were $time"
    ahead=$(($(date -d "$time" +%s) - $(date +%s)))
    for command in Tests/suites.sh "Tests/box/card.py $programs" "Tests/display/zero.py $programs"; do
        # shellcheck disable=SC2086 # a program and its words
        timeout --kill-after=10 1800 env LD_PRELOAD="$library" CLOCK_AHEAD=$ahead $command || failed="$failed
$time: $command"
    done
done
[ -z "$failed" ] || { echo "failed:$failed" >&2; exit 1; }
