#!/bin/bash
# Plays for MINUTES (10) with a busy loop on every core, on the tests' sound card and, if PulseAudio is installed, on a null sink
# of a private server, with and without real-time priority, all at once. Meanwhile it makes STARTS (100) cued starts of each kind.
# Called by `make load`. No dropout is allowed, and 99 of 100 starts must be within 20 ms.
set -eu
cd "$(dirname "$0")/.."
minutes=${MINUTES:-10}
starts=${STARTS:-100}
sound=Resources/audio/standard/fajr.mp3

swift build -c release --scratch-path .build-bench --product bench-playback >/dev/null
bench=.build-bench/release/bench-playback
. Benchmarks/stage.sh
cards=(card)
if pulse; then cards+=(pulse); else echo "PulseAudio is not installed: only the tests' sound card is played on"; fi
priorities=(ordinary)
if realtime_granted; then priorities+=(env); else echo "real-time priority is not granted here"; fi

name() { if [ "$1" = ordinary ]; then echo "ordinary priority"; else echo "real-time priority"; fi; }

spin
players=()
for card in "${cards[@]}"; do
    for priority in "${priorities[@]}"; do
        "$priority" "$bench" play "$card" "$sound" $((minutes * 60)) > "$work/$card-$priority" &
        players+=($!)
    done
done
for card in "${cards[@]}"; do
    for priority in "${priorities[@]}"; do
        printf 'start lateness on %-6s %-19s ' "$card," "$(name "$priority"):"
        "$priority" "$bench" lateness "$card" "$sound" "$starts"
    done
done
wait "${players[@]}"
printf 'all %d cores busy, load %s\n' "$(nproc)" "$(cut -d' ' -f1-3 /proc/loadavg)"
for card in "${cards[@]}"; do
    for priority in "${priorities[@]}"; do
        printf 'playing on %-6s %-19s ' "$card," "$(name "$priority"):"
        cat "$work/$card-$priority"
    done
done
