#!/bin/sh
# Tests other people's software with adhand: the `varlink` package from PyPI talks to a daemon on a silent ALSA device, a Swift
# package uses the products of this one, and two other calendar programs open the calendar files.
set -eu
bin=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
venv=$here/../../.build/interop-venv
if ! "$venv/bin/python" -c 'import icalendar, varlink, vobject' 2>/dev/null; then
    python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet varlink==31.0.0 icalendar==7.3.0 vobject==0.9.9
fi

dir=$(mktemp -d)
daemon=
finish() {
    if [ -n "$daemon" ]; then
        kill -TERM "$daemon" 2>/dev/null || true
        wait "$daemon" 2>/dev/null || true
    fi
    rm -rf "$dir"
}
trap finish EXIT

cat > "$dir/asound.conf" <<ALSA
pcm.!default { type null }
ALSA
cat > "$dir/adhand.toml" <<TOML
timezone = "America/New_York"
[location]
name = "Queens, New York"
latitude = 40.7282
longitude = -73.7949
TOML
ALSA_CONFIG_PATH=$dir/asound.conf "$bin/adhand" --config "$dir/adhand.toml" --state-dir "$dir/state" \
    --socket "$dir/control.sock" --audio-dir "$here/../../Resources/audio" 2> "$dir/log" &
daemon=$!
if ! "$venv/bin/python" "$here/client.py" "$dir/control.sock"; then
    echo "the daemon's log:" >&2
    cat "$dir/log" >&2
    exit 1
fi
# The package is built as an outsider would: in a folder of its own, and with public products only.
outside=$here/../../.build-outside
"${SWIFT:-swift}" build --disable-index-store --package-path "$here/outside" --scratch-path "$outside" --skip-update > "$dir/build" 2>&1 \
    || { cat "$dir/build" >&2; exit 1; }
if ! "$outside/debug/outside" "$dir/control.sock" > "$dir/said" 2>&1; then
    echo "a program that uses the products:" >&2
    cat "$dir/said" "$dir/log" >&2
    exit 1
fi
echo "a program outside: $(grep -c '^ok: ' "$dir/said") checks"
"$venv/bin/python" "$here/calendars.py" "$bin/adhanctl" "$dir"
