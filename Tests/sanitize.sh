#!/bin/sh
# Runs adhand with the thread sanitizer and then with the address sanitizer through the whole-program tests, without those that
# measure memory and idleness. The playback tests run under the thread sanitizer, and 200,000 damaged messages and 20,000 damaged
# files under the address sanitizer.
# usage: sanitize.sh SWIFT
set -eu
swift=$1
cd "$(dirname "$0")/.."
failed=0
# Optimises the modules that compute, as for the suites (Package.swift), because a slower sanitized adhand would miss its
# deadlines.
export ADHAND_SUITES=1

# The sanitizers write their reports beside the build. Any report is a failure.
look() {
    for report in "$1".*; do
        [ -e "$report" ] || continue
        failed=1
        echo "--- $report"
        head -60 "$report"
    done
}

$swift build --sanitize=thread --scratch-path .build-tsan --build-tests
$swift build --build-tests
rm -f .build-tsan/report.*
options="log_path=$PWD/.build-tsan/report suppressions=$PWD/Tests/sanitize-thread.txt"
ADHAND_BIN=$PWD/.build-tsan/debug/adhand TSAN_OPTIONS=$options \
    $swift test --skip-build --filter '^AdhandTests\.' || failed=1
TSAN_OPTIONS=$options \
    $swift test --sanitize=thread --scratch-path .build-tsan --skip-build --filter '^PlaybackTests\.' || failed=1
look .build-tsan/report

# The daemon keeps some memory until it ends, so leaks are not reported. The build is optimised, because resampling thousands of
# files would otherwise take hours.
$swift build --sanitize=address -Xswiftc -O --scratch-path .build-asan --build-tests
rm -f .build-asan/report.*
options="detect_leaks=0:log_path=$PWD/.build-asan/report"
ADHAND_BIN=$PWD/.build-asan/debug/adhand ASAN_OPTIONS=$options \
    $swift test --skip-build --filter '^AdhandTests\.' || failed=1
ADHAND_FUZZ_CASES=200000 ASAN_OPTIONS=$options \
    $swift test --sanitize=address --scratch-path .build-asan --skip-build --filter VarlinkFuzzTests || failed=1
ADHAND_FUZZ_CASES=20000 ASAN_OPTIONS=$options \
    $swift test --sanitize=address --scratch-path .build-asan --skip-build --filter '^PlaybackTests\.FuzzTests' || failed=1
look .build-asan/report

[ $failed -eq 0 ] && echo 'nothing found'
exit $failed
