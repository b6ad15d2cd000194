#!/bin/bash
# Measures how far apart three outputs start on three of the tests' sound cards: 200 starts without load, then STARTS (1000) with
# a busy loop on every core. Without load 99 of 100 must be within 5 ms, with it within 20 ms. Called by `make outputs-load`;
# takes half an hour.
set -eu
cd "$(dirname "$0")/.."
starts=${STARTS:-1000}
sound=Resources/audio/standard/fajr.mp3

swift build -c release --scratch-path .build-bench --product bench-playback >/dev/null
bench=.build-bench/release/bench-playback
. Benchmarks/stage.sh

printf 'three outputs at rest: '
"$bench" together "$sound" $((starts / 5)) 0.05 card card card
spin
printf 'with all %d cores busy, ordinary priority: ' "$(nproc)"
ordinary "$bench" together "$sound" "$starts" 0.05 card card card
if realtime_granted; then
    printf 'with all %d cores busy, real-time priority: ' "$(nproc)"
    "$bench" together "$sound" "$starts" 0.05 card card card
fi
