#!/bin/bash
# Measures playback on the tests' sound card: how late a cued sound starts, with idle and with busy cores, and the processor time
# of the whole daemon beside that of mpg123. STARTS=100 of each kind by default. Called by `make bench`.
set -eu
cd "$(dirname "$0")/.."
starts=${STARTS:-100}
sound=Resources/audio/standard/fajr.mp3

swift build -c release --scratch-path .build-bench --product bench-playback >/dev/null
bench=.build-bench/release/bench-playback
. Benchmarks/stage.sh

lateness() {
    printf 'start lateness, %-35s ' "$1, ordinary priority:"
    ordinary "$bench" lateness card "$sound" "$starts"
    realtime_granted || return 0
    printf 'start lateness, %-35s ' "$1, real-time priority:"
    "$bench" lateness card "$sound" "$starts"
}

lateness idle
spin
lateness "all $(nproc) cores busy"
rest

# The test sound is as long as an adhan: a stream without an Info tag may simply be repeated.
for _ in $(seq 40); do cat Tests/PlaybackTests/Fixtures/cbr64_no_info_tag.mp3; done > "$work/minute.mp3"
Benchmarks/cost.py ${BIN:+--bin "$BIN"} --card card "$sound" "$work/minute.mp3"
