#!/bin/sh
# `make run`: runs adhand in the foreground as the current user, with today's times, the next announcement, and two seconds of
# sound.
set -eu
bin=$1

"$bin/adhand" &
daemon=$!
display=
# Stops the screen's program also when adhand ends by itself.
finish() {
    status=$1
    trap - INT TERM EXIT
    [ -z "$display" ] || kill -TERM $display 2>/dev/null || true
    kill -TERM $daemon 2>/dev/null || true
    wait $daemon $display 2>/dev/null || true
    exit "$status"
}
trap 'finish 0' INT TERM
trap 'finish $?' EXIT

tries=0
until "$bin/adhanctl" next >/dev/null 2>&1; do
    kill -0 $daemon 2>/dev/null || { wait $daemon; exit $?; }
    tries=$((tries + 1))
    [ $tries -lt 100 ] || break
    sleep 0.1
done

echo
"$bin/adhanctl" times || true
echo
"$bin/adhanctl" next || true
echo
echo "Two seconds of what the next prayer will play:"
if "$bin/adhanctl" test-play next --seconds 2; then
    echo "If you heard pips, audio works. If not, look for the right device with \"aplay -L\"."
else
    echo "No sound came out, for the reason above. adhand keeps running, and tries again at every prayer."
fi
echo
echo "The prayer screen, for a browser on this machine (look ahead with $bin/adhanctl display scene --at 18:00):"
"$bin/adhan-display" &
display=$!
sleep 1
echo
echo "adhand is running. Ask it from another terminal with $bin/adhanctl status; end it with Ctrl-C."
wait $daemon
