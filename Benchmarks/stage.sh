# shellcheck shell=bash
# Sourced by playback.sh and load.sh: the tests' sound card in a directory of its own, spinners, and the two priorities.
#   $work      the directory; gone when the script ends
#   card       the ALSA name of a card that is paced in real time
#   spin       starts a spinner for every core; rest ends them
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

# Whether real-time priority is granted here at all.
realtime_granted() { chrt -f 5 true 2>/dev/null; }
