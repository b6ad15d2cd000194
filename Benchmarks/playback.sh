#!/bin/bash
# Playback on the lab card: how late a cued sound starts, idle and with every core busy, whether anything drops out meanwhile,
# and the processor time of playing a file beside mpg123's. ROUNDS=100 starts by default.
set -eu
cd "$(dirname "$0")/.."
rounds=${ROUNDS:-100}
sound=${SOUND:-Resources/audio/standard/fajr.mp3}

swift build -c release --scratch-path .build-bench --product bench-playback
bench=.build-bench/release/bench-playback
work=$(mktemp -d)
busy=()
trap 'kill "${busy[@]}" 2>/dev/null || true; rm -rf "$work"' EXIT
gcc -shared -fPIC -O2 -DPIC Tests/Lab/pcm_lab.c -o "$work/libasound_module_pcm_lab.so" -lasound
cat > "$work/asound.conf" <<CONF
</usr/share/alsa/alsa.conf>
pcm_type.lab { lib "$work/libasound_module_pcm_lab.so" }
pcm.card { type lab }
CONF
export ALSA_CONFIG_PATH=$work/asound.conf TIMEFORMAT='processor: %U s user, %S s system'

echo "== idle"
"$bench" lateness card "$sound" "$rounds"
echo "== every core busy"
for _ in $(seq "$(nproc)"); do
    (while :; do :; done) &
    busy+=($!)
done
"$bench" lateness card "$sound" "$rounds"
"$bench" play card "$sound"
kill "${busy[@]}"
wait "${busy[@]}" 2>/dev/null || true
busy=()

echo "== $sound, adhand's player"
time "$bench" play card "$sound"
if command -v mpg123 >/dev/null; then
    echo "== $sound, mpg123"
    time mpg123 -q -o alsa -a card "$sound"
fi
