#!/bin/bash
# Runs the suites of tests that were built, and tells of each what came of it: one line, or all that is not as expected.
# Those that compute let others go first; those beside them wait for programs and buses. What promises something within seconds, a
# screen or a sound card, comes after them: it computes little, so these suites run at once.
# The tests' program itself runs, and not "swift test": several of those at once would find the build's database locked.
# usage: suites.sh [beside | alone | programs | random]          BUILD names the folder of the build
set -u
run="${BUILD:-.build}/debug/adhandPackageTests.xctest --testing-library swift-testing"
export NO_COLOR=1
# Five times what the slowest needs: one that hangs says so before whoever waits for it gives up. One that computes beside a build
# may have to wait long for its turn.
limit=600
part=${1:-all}
case $part in all | beside | alone | programs | random) ;; *) echo "suites.sh: there are beside, alone, programs and random, not \"$part\"" >&2; exit 2 ;; esac
behind=
logs=${BUILD:-.build}/suites
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
    # shellcheck disable=SC2086 # programs and their words
    timeout --kill-after=10 $limit $behind $run --filter "^$1\." > "$log" 2>&1 &
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
    beside=
    trap stop INT TERM
    local failed=0
    for suite in "$@"; do one "$suite" || failed=1; done
    return $failed
}

# Two lanes: some suites use one core, and none waits.
computation='DaemonTests ConsoleTests EnvelopeTests HookPlanTests PictureImportTests SimulatorTests'
more='PrayerEngineTests SettingsTests TextsTests TimesTests PlacesTests ProtocolTests BridgePlanTests PhoneRulesTests ScreenPlanTests FleetPlanTests PrayerLogTests TimetableImportTests'
waiting='WebServerTests MQTTTests WebDeliveryTests HostTests'
asking='AdhanctlTests'
patient='CompanionTests'
alone='AdhanDisplayTests PlaybackTests AdhandTests'
# Those with random cases, of which they try a fifth otherwise.
random='SettingsTests DaemonTests ConsoleTests EnvelopeTests SimulatorTests'
others_random='BridgePlanTests PhoneRulesTests HookPlanTests'
# One that nobody runs would never fail. The sound rig has a target of its own.
for folder in Tests/*Tests; do
    case " $computation $more $waiting $asking $patient $alone SoundRigTests " in
        *" ${folder##*/} "*) ;;
        *) echo "$folder is in no lane of Tests/suites.sh" >&2; exit 1 ;;
    esac
done

computing() {
    limit=1800
    behind='nice -n 10'
    lane "$@"
}

# Each list of names is a lane, and all lanes run at once.
lanes() {
    local failed=0 names
    for names in "$@"; do
        # shellcheck disable=SC2086 # a list of names
        lane $names &
        beside="$beside $!"
    done
    for started in $beside; do wait "$started" || failed=1; done
    beside=
    return $failed
}

trap stop INT TERM
failed=0
case $part in
    programs)
        lanes "$asking" || failed=1
        # shellcheck disable=SC2086 # a lane for each
        lanes "$patient" $alone || failed=1
        ;;
    random)
        export ADHAND_ALL_CASES=1
        # shellcheck disable=SC2086 # a lane for each
        lanes "$random" "$others_random" || failed=1
        ;;
    *)
        if [ $part != alone ]; then
            # shellcheck disable=SC2086 # lists of names
            {
                computing $computation &
                beside=$!
                computing $more &
                beside="$beside $!"
            }
            lanes "$asking" "$waiting" || failed=1
        fi
        if [ $part != beside ]; then
            # shellcheck disable=SC2086 # a lane for each
            lanes "$patient" $alone || failed=1
        fi
        ;;
esac
exit $failed
