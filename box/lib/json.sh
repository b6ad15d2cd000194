# shellcheck shell=sh
# What adhand says, as the box needs it. Sourced.

# The box's adhand, asked briefly: nobody waits for an answer that does not come.
status() { timeout 10 adhanctl --json status 2>/dev/null; }

# health: as "adhanctl card health" says it, which upgrades are compared by.
health() { timeout 30 adhanctl card health 2>/dev/null; }

# seconds_free: for how long nothing is due; "never" where nothing is armed. Fails where that is not known, or something sounds. An
# adhan that is close, one that plays, and a clock that is not kept are all reasons to leave the box alone.
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
