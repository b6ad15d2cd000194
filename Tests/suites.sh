#!/bin/bash
# Runs the suites of tests that were built, and tells of each what came of it: one line, or all that is not as expected.
# Those that compute keep the processors busy while those beside them wait for programs and buses. What promises something within
# seconds, a screen or a sound card, is alone.
# usage: suites.sh          SWIFT names the compiler's driver, RUN what runs the tests without it
set -u
swift=${SWIFT:-swift}
run=${RUN:-}
# Five times what the slowest needs: one that hangs says so before whoever waits for it gives up.
limit=600
logs=.build/suites
mkdir -p $logs
child=
beside=

# timeout leads a process group of its own, which the terminal does not reach.
stop() {
    [ -z "$child$beside" ] || kill $child $beside 2>/dev/null
    exit 130
}

one() {
    local log=$logs/$1.log
    local began=$SECONDS
    # The lock would let one wait for the other.
    # shellcheck disable=SC2086 # a program and its words
    if [ -n "$run" ]; then
        timeout --kill-after=10 $limit $run --filter "^$1\." > "$log" 2>&1 &
    else
        timeout --kill-after=10 $limit "$swift" test --skip-build --ignore-lock --filter "^$1\." > "$log" 2>&1 &
    fi
    child=$!
    wait $child
    local status=$?
    child=
    local tests
    tests=$(sed -n 's/^[^ ]* Test run with \(.*\) passed after.*/\1/p' "$log")
    if [ $status -eq 0 ] && [ -n "$tests" ]; then
        echo "$1: $tests, $((SECONDS - began)) s"
        return
    fi
    {
        echo "$1 FAILED after $((SECONDS - began)) s, with status $status:"
        grep -vE '^(◇|✔) ' "$log"
        sed -nE '/^◇ Test case /d; s/^◇ (Test .*) started\.$/\1/p' "$log" | while read -r name; do
            grep -qF -e "$name passed" -e "$name with" -e "$name failed" -e "$name skipped" "$log" || echo "has not ended: $name"
        done
    } >&2
    return 1
}

lane() {
    trap stop INT TERM
    local failed=0
    for suite in "$@"; do one "$suite" || failed=1; done
    return $failed
}

computation='PrayerEngineTests CoreTests TimetableImportTests PictureImportTests PrayerLogTests DisplayProgrammeTests RemoteProgrammeTests ReachTests HookPlanTests'
waiting='WebServerTests MQTTTests WebDeliveryTests CompanionTests HostTests'
asking='AdhanctlTests'
alone='AdhanDisplayTests PlaybackTests AdhandTests'
# One that nobody runs would never fail. The sound rig has a target of its own.
for folder in Tests/*Tests; do
    case " $computation $waiting $asking $alone SoundRigTests " in
        *" ${folder##*/} "*) ;;
        *) echo "$folder is in no lane of Tests/suites.sh" >&2; exit 1 ;;
    esac
done

# shellcheck disable=SC2086 # lists of names
{
    lane $computation &
    beside=$!
    lane $asking &
    beside="$beside $!"
    failed=0
    lane $waiting || failed=1
    for started in $beside; do wait "$started" || failed=1; done
    beside=
    lane $alone || failed=1
}
exit $failed
