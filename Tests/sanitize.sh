#!/bin/sh
# adhand built with the thread sanitizer, and again with the address sanitizer, lives through the whole-program tests, but for what
# they measure of its memory and its rest; the playback tests run under the one, 200,000 damaged messages and 20,000 damaged files
# under the other.
# usage: sanitize.sh SWIFT
set -eu
swift=$1
cd "$(dirname "$0")/.."
failed=0
# What computes is optimised, as for the suites (Package.swift): without, a sanitized adhand is too slow for what it promises.
export ADHAND_SUITES=1

# The programs write what they find beside the build; whatever is there at the end is a failure.
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

# The daemon never gives back what it keeps to its end, which is no leak. Optimized, because resampling thousands of files takes
# hours otherwise.
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
