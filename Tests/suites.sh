#!/bin/bash
# Runs the compiled test suites, and prints one line for each, or everything that is not as expected.
# Suites that compute run with low priority, beside suites that wait for programs and buses. Suites that promise something within
# seconds, such as a screen or a sound card, come after them; they compute little, so they run at the same time.
# On two cores, two tests of a suite run at once, even if they only wait. Classes that wait long therefore have entries of
# their own, SUITE/CLASS or SUITE/OUTER/CLASS, which run beside the rest of the suite.
# The test program runs directly, because several `swift test` at once would find the build's database locked.
# usage: suites.sh [programs | random]          BUILD names the folder of the build
set -u
run="${BUILD:-.build}/debug/adhandPackageTests.xctest --testing-library swift-testing"
export NO_COLOR=1
# The limit is five times what the slowest suite needs, so a hanging suite is reported before the caller gives up. A suite that
# computes gets a higher limit, because it may wait long for the processor while a build runs.
limit=600
part=${1:-all}
case $part in all | programs | random) ;; *) echo "suites.sh: there are programs and random, not \"$part\"" >&2; exit 2 ;; esac
behind=
logs=${BUILD:-.build}/suites
mkdir -p $logs
child=
beside=

# timeout leads a process group of its own, which does not receive the terminal's interrupt.
stop() {
    [ -z "$child$beside" ] || kill $child $beside 2>/dev/null
    exit 130
}

one() {
    local log=$logs/${1//\//.}.log
    local began=$SECONDS
    local chosen="--filter ^${1/\//[.]}[./]" class
    for class in $apart; do
        [ "${class%%/*}" != "$1" ] || chosen="$chosen --skip ^${class/\//[.]}[./]"
    done
    # shellcheck disable=SC2086 # commands and their arguments must be split
    timeout --kill-after=10 $limit $behind $run $chosen > "$log" 2>&1 &
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

# Two lanes compute, because some suites use only one core and none waits.
computation='DaemonTests ConsoleTests EnvelopeTests HookPlanTests PictureImportTests SimulatorTests ScreenPlanTests FleetPlanTests'
more='PrayerEngineTests SettingsTests TextsTests TimesTests PlacesTests ProtocolTests BridgePlanTests'
more="$more PhoneRulesTests PrayerLogTests TimetableImportTests MaintenanceTests"
waiting='WebServerTests MQTTTests WebDeliveryTests HostTests'
asking='AdhanctlTests'
bus='CompanionTests/NotificationTests'
timed='AdhanDisplayTests AdhanDisplayTests/DisplayTests/RestTests PlaybackTests PlaybackTests/OutputsTests AdhandTests CompanionTests'
apart=$(printf '%s\n' $bus $timed | grep /)
# Suites with random cases, of which they otherwise try a fifth.
random='SettingsTests DaemonTests ConsoleTests EnvelopeTests SimulatorTests'
others_random='BridgePlanTests PhoneRulesTests HookPlanTests'
# Fails if a suite is in no lane, because it would never run. The sound rig has a target of its own.
for folder in Tests/*Tests; do
    case " $computation $more $waiting $asking $timed SoundRigTests " in
        *" ${folder##*/} "*) ;;
        *) echo "$folder is in no lane of Tests/suites.sh" >&2; exit 1 ;;
    esac
done

computing() {
    limit=1800
    behind='nice -n 10'
    lane "$@"
}

# Each argument is a list of suites that run one after another; all lists run at once.
lanes() {
    local failed=0 names
    for names in "$@"; do
        # shellcheck disable=SC2086 # the list must be split
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
        lanes "$asking" "$bus" || failed=1
        # shellcheck disable=SC2086 # each suite is a lane of its own
        lanes $timed || failed=1
        ;;
    random)
        export ADHAND_ALL_CASES=1
        # shellcheck disable=SC2086 # a lane for each
        lanes "$random" "$others_random" || failed=1
        ;;
    *)
        # shellcheck disable=SC2086 # the lists must be split
        {
            computing $computation &
            beside=$!
            computing $more &
            beside="$beside $!"
        }
        lanes "$asking" "$waiting" "$bus" || failed=1
        # shellcheck disable=SC2086 # each suite is a lane of its own
        lanes $timed || failed=1
        ;;
esac
exit $failed
