# shellcheck shell=sh
# adhand's answers in the forms that the box's scripts need. Sourced.

# status: adhand's status, within a limited time, so that no script waits for an answer that does not come.
status() { timeout 10 adhanctl --json status 2>/dev/null; }

# health: the output of "adhanctl card health", by which upgrades are compared.
health() { timeout 30 adhanctl card health 2>/dev/null; }

# seconds_free: the seconds for which nothing is due; "never" if nothing is armed. Fails if that is unknown, or something plays:
# an adhan that is close or playing, or a clock that is not synchronised, are all reasons not to disturb the box.
seconds_free() {
    said=$(status) || return 1
    printf '%s' "$said" | jq -e '.playback.state == "idle" and .clock.trusted' > /dev/null || return 1
    now=$(date +%s)
    first=
    for at in $(printf '%s' "$said" | jq -r '.timers[].at'); do
        at=$(date -d "$at" +%s) || return 1
        [ -n "$first" ] && [ "$first" -le "$at" ] || first=$at
    done
    [ -n "$first" ] || { echo never; return; }
    echo $((first - now))
}
