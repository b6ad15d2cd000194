#!/bin/sh
# Measures the speed and accuracy of the prayer engine, and of libitl on the same days if it is installed. Then measures playback.
# Called by `make bench`. DAYS=100000 by default.
set -eu
cd "$(dirname "$0")/.."
days=${DAYS:-100000}

swift build -c release --scratch-path .build-bench --product bench-engine
.build-bench/release/bench-engine "$days" Tests/PrayerEngineTests/Fixtures/solar-instants.csv

if [ -e /usr/include/itl/prayer.h ]; then
    cc -O2 -o .build-bench/bench-libitl Benchmarks/libitl.c -litl -lm
    .build-bench/bench-libitl "$days"
else
    echo "libitl: not installed, nothing to compare with (apt-get install libitl-dev)"
fi

Benchmarks/playback.sh
