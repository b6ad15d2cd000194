# shellcheck shell=bash
# Sourced by playback.sh and load.sh: the tests' sound card in a directory of its own, busy loops, and the two priorities.
#   $work      the directory, which is removed when the script ends
#   card       the ALSA name of a card that runs in real time
#   spin       starts a busy loop on every core; rest ends them
#   pulse      starts a private PulseAudio, with the ALSA name "pulse"; fails if PulseAudio is not installed
#   ordinary   runs a command without the right to real-time priority
work=$(mktemp -d)
spinners=()
cleanup=(rest)
leave() {
    for step in "${cleanup[@]}"; do "$step"; done
    rm -rf "$work"
}
trap leave EXIT
trap 'exit 130' INT TERM

gcc -shared -fPIC -O2 -DPIC Tests/Lab/pcm_lab.c -o "$work/libasound_module_pcm_lab.so" -lasound
cat > "$work/asound.conf" <<CONF
</usr/share/alsa/alsa.conf>
pcm_type.lab { lib "$work/libasound_module_pcm_lab.so" }
pcm.card { type lab }
CONF
export ALSA_CONFIG_PATH=$work/asound.conf

spin() {
    for _ in $(seq "$(nproc)"); do
        (while :; do :; done) &
        spinners+=($!)
    done
}

rest() {
    for spinner in "${spinners[@]}"; do
        kill "$spinner" 2>/dev/null || true
        wait "$spinner" 2>/dev/null || true
    done
    spinners=()
}

ordinary() {
    if [ "$(id -u)" = 0 ]; then setpriv --bounding-set -sys_nice prlimit --rtprio=0:0 "$@"; else prlimit --rtprio=0:0 "$@"; fi
}

# Whether this machine grants real-time priority.
realtime_granted() { chrt -f 5 true 2>/dev/null; }

# The server gets a higher priority if it is granted, like an installed one.
pulse() {
    command -v pulseaudio >/dev/null || return 1
    mkdir -p "$work/run" "$work/state" "$work/config/pulse"
    chmod 700 "$work/run"
    cat > "$work/server.pa" <<CONF
load-module module-native-protocol-unix auth-anonymous=1 socket=$work/native
load-module module-null-sink sink_name=out rate=44100 channels=2 format=s16le norewinds=1
CONF
    XDG_RUNTIME_DIR=$work/run XDG_CONFIG_HOME=$work/config PULSE_RUNTIME_PATH=$work/run PULSE_STATE_PATH=$work/state \
        pulseaudio -n -F "$work/server.pa" --daemonize=no --use-pid-file=no --exit-idle-time=-1 --disallow-exit=no \
        --realtime=yes --high-priority=yes --log-target="file:$work/server.log" &
    server=$!
    cleanup+=(quiet)
    echo "pcm.pulse { type pulse server \"unix:$work/native\" device out }" >> "$work/asound.conf"
    for _ in $(seq 100); do
        [ -S "$work/native" ] && return
        sleep 0.05
    done
    return 1
}

quiet() { kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; }
