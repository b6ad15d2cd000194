#!/usr/bin/env python3
"""Runs the trials of run.py inside the virtual machine, as root under its systemd: a real machine goes through the events of a
mosque's box. Prints for the host one JSON object a line with the trial and its result. The kernel's command line selects the
part."""

import json
import os
import sys
import time

from box import (
    DUMMY,
    LONG,
    PLACE,
    RIYADH,
    STATE,
    Adhand,
    card_runs,
    described,
    history,
    prayer_at,
    recorded,
    run,
    set_clock,
    sleep_machine,
    report,
    until,
    was_called,
)

TRIALS = {
    "clock": [],
    "sleep-within": [],
    "sleep-beyond": [],
    "sleep-amid": [],
    "cut": [],
    "after-the-cut": [],
    "no-battery": [],
}


def trial(part, tried):
    """Registers a trial; its function returns the observation, and whether it is right."""
    return lambda function: TRIALS[part].append((tried, function))


DHUHR = "dhuhr_20261202"


@trial("clock", "a prayer comes")
def called():
    adhand = Adhand(RIYADH + PLACE, at=prayer_at("dhuhr") - 20)
    sounds = adhand.wait("prayer.started", 60) and until(card_runs, 8)
    entries = recorded(DHUHR)
    good = sounds and was_called(entries) and entries[0]["latenessMs"] < 1000
    # The clock goes back to before the prayer that was just called, and reaches it once more.
    set_clock(prayer_at("dhuhr") - 15)
    stepped = adhand.wait("clock.stepped", 20)
    size = adhand.journal("clock.stepped")[-1]["ADHAND_REASON"] if stepped else "not noticed"
    time.sleep(25)
    again = recorded(DHUHR)
    report(
        "result",
        tried="the clock set back over a called prayer",
        seen=f"step {size}; {described(again)}",
        good=stepped and again == entries and len(adhand.journal("prayer.started")) == 1,
    )
    return described(entries), good


@trial("clock", "the clock set forward over a prayer, within the grace")
def forward_within():
    adhand = Adhand(RIYADH + PLACE, at=prayer_at("dhuhr") - 120)
    set_clock(prayer_at("dhuhr") + 60)
    entries = recorded(DHUHR)
    steps = [entry["ADHAND_REASON"] for entry in adhand.journal("clock.stepped")]
    good = was_called(entries) and 59_000 < entries[0]["latenessMs"] < 75_000
    return f"step {', '.join(steps)}; {described(entries)}", good and len(steps) == 1


@trial("clock", "the clock set forward over a prayer, beyond the grace")
def forward_beyond():
    adhand = Adhand(RIYADH + PLACE, at=prayer_at("dhuhr") - 120)
    set_clock(prayer_at("dhuhr") + 600)
    entries = recorded(DHUHR)
    missed = [entry["outcome"] for entry in entries] == ["missed"] and not card_runs()
    # Nothing was heard yet: when a wrong clock is corrected, the prayer is called at its time.
    set_clock(prayer_at("dhuhr") - 15)
    until(lambda: len(recorded(DHUHR)) == 2, 60)
    again = recorded(DHUHR)
    report(
        "result",
        tried="... and set back to before that prayer",
        seen=described(again),
        good=again[:1] == entries and was_called(again[1:]),
    )
    return described(entries), missed and len(adhand.journal("clock.stepped")) == 2


@trial("sleep-within", "suspend over a prayer, awake within the grace")
def sleep_within():
    adhand = Adhand(RIYADH + PLACE, at=prayer_at("dhuhr") - 15)
    slept = sleep_machine(40)
    entries = recorded(DHUHR)
    good = slept > 30 and was_called(entries) and entries[0]["latenessMs"] > 1000
    return f"slept {slept:.0f} s; {described(entries)}", good and len(adhand.journal("prayer.started")) == 1


@trial("sleep-beyond", "suspend over a prayer, awake beyond the grace")
def sleep_beyond():
    Adhand(RIYADH + PLACE + '[adhan]\nlate-grace = "10s"\n', at=prayer_at("dhuhr") - 15)
    slept = sleep_machine(60)
    entries = recorded(DHUHR)
    return f"slept {slept:.0f} s; {described(entries)}", slept > 50 and [e["outcome"] for e in entries] == [
        "missed"
    ]


@trial("sleep-amid", "suspend in the middle of an adhan")
def sleep_amid():
    adhand = Adhand(RIYADH + PLACE + LONG, at=prayer_at("dhuhr") - 12)
    adhand.wait("prayer.started", 60)
    time.sleep(4)
    slept = sleep_machine(10)
    entries = recorded(DHUHR, 90)
    lost = len(adhand.journal("audio.lost") + adhand.journal("audio.dropout"))
    good = slept > 5 and was_called(entries) and len(adhand.journal("prayer.started")) == 1
    return f"slept {slept:.0f} s; {described(entries)}; {lost} dropouts and losses", good


@trial("clock", "the card pulled out in the middle of an adhan, and put back")
def unplug():
    adhand = Adhand(RIYADH + PLACE + LONG, at=prayer_at("dhuhr") - 12)
    adhand.wait("prayer.started", 60)
    time.sleep(4)
    with open(f"{DUMMY}/unbind", "w", encoding="utf-8") as file:
        file.write("snd_dummy.0")
    lost = adhand.wait("audio.lost", 20)
    with open(f"{DUMMY}/bind", "w", encoding="utf-8") as file:
        file.write("snd_dummy.0")
    recovered = adhand.wait("audio.recovered", 60)
    entries = recorded(DHUHR, 90)
    return (
        f"lost {lost}, recovered {recovered}; {described(entries)}",
        lost and recovered and was_called(entries),
    )


@trial("clock", "no card when the prayer comes, then a card")
def late_card():
    adhand = Adhand(RIYADH + PLACE, at=prayer_at("dhuhr") - 20)
    with open(f"{DUMMY}/unbind", "w", encoding="utf-8") as file:
        file.write("snd_dummy.0")
    time.sleep(30)
    with open(f"{DUMMY}/bind", "w", encoding="utf-8") as file:
        file.write("snd_dummy.0")
    entries = recorded(DHUHR, 150)
    lost = bool(adhand.journal("audio.lost") + adhand.journal("preflight.failed"))
    return f"{described(entries)}; said so {lost}", lost and was_called(entries)


@trial("clock", "the time zone changed")
def zone():
    adhand = Adhand(PLACE, at=prayer_at("dhuhr") - 3600)
    run("timedatectl", "set-timezone", "Asia/Karachi")
    changed = adhand.wait("zone.changed", 20)
    status = json.loads(run("adhanctl", "status", "--json"))
    run("timedatectl", "set-timezone", "Asia/Riyadh")
    back = adhand.wait("zone.changed", 20, count=2)
    at = status["next"]["at"]
    return (
        f"{status['location']['timezone']}, next {at}; back {back}",
        changed and back and at.startswith("2026-12-02T13:49:00") and at.endswith("+05:00"),
    )


@trial("clock", "killed in the middle of an adhan; systemd starts it again")
def killed():
    adhand = Adhand(RIYADH + PLACE + LONG, at=prayer_at("dhuhr") - 12)
    adhand.wait("prayer.started", 60)
    time.sleep(6)
    run("systemctl", "kill", "-s", "KILL", "adhand.service")
    resumed = until(lambda: any("resumed at" in entry["MESSAGE"] for entry in adhand.journal()), 40)
    entries = recorded(DHUHR, 90)
    reason = entries[0].get("reason") if entries else ""
    return f"{described(entries)}: {reason}", resumed and was_called(entries)


@trial("cut", "the power fails in the middle of an adhan")
def power_cut():
    run("systemctl", "enable", "adhand.service", "adhand.socket")
    os.sync()
    adhand = Adhand(RIYADH + PLACE + LONG, at=prayer_at("dhuhr") - 12)
    adhand.wait("prayer.started", 60)
    time.sleep(8)
    # The host sees this line and ends the machine as a power failure would.
    report("cut")
    time.sleep(600)
    return "the power stayed", False


@trial("after-the-cut", "... and the machine boots six minutes later")
def power_back():
    until(lambda: "active" in run("systemctl", "is-active", "adhand.service"), 60)
    entries = recorded(DHUHR)
    whole = not [name for name in os.listdir(STATE) if "broken" in name]
    set_clock(prayer_at("asr") - 15)
    later = recorded("asr_20261202", 90)
    report("result", tried="... and Asr comes", seen=described(later), good=was_called(later))
    return (
        f"{described(entries)}; state {'whole' if whole else 'set aside'}",
        whole and [entry["outcome"] for entry in entries] == ["interrupted"],
    )


@trial("no-battery", "a clock that shows 2010, and is then set")
def no_battery():
    adhand = Adhand(RIYADH + PLACE, at=1262304000)
    untrusted = adhand.wait("clock.untrusted", 30)
    clock = json.loads(run("adhanctl", "status", "--json"))["clock"]
    # The clock jumps over years. Recording them must not delay an announcement that is seconds away.
    set_clock(prayer_at("dhuhr") - 15)
    trusted = adhand.wait("clock.trusted", 60)
    entries = recorded(DHUHR)
    good = untrusted and not clock["trusted"] and trusted and was_called(entries)
    return (
        f"trusted {clock['trusted']}; set: trusted {trusted}; {described(entries)}",
        good and entries[0]["latenessMs"] < 1000,
    )


@trial("no-battery", "the clock set forward by a month, seconds before a prayer")
def month():
    Adhand(RIYADH + PLACE, at=prayer_at("dhuhr") - 30 * 86400)
    set_clock(prayer_at("dhuhr") - 15)
    entries = recorded(DHUHR)
    missed = sum(entry["outcome"] == "missed" for entry in history())
    return f"{missed} missed; {described(entries)}", was_called(entries) and entries[0]["latenessMs"] < 1000


def main():
    with open("/proc/cmdline", encoding="utf-8") as file:
        words = dict(word.split("=", 1) for word in file.read().split() if "=" in word)
    wanted = words.get("only", "")
    # The steps of the package's installation after its files are in place.
    run("systemd-sysusers")
    run("systemd-tmpfiles", "--create")
    run("systemctl", "daemon-reload")
    for tried, function in TRIALS[words["part"]]:
        if wanted and wanted != function.__name__:
            continue
        report("trying", tried=tried)
        try:
            seen, good = function()
        except Exception as error:  # a trial that raises has failed; the others continue
            seen, good = f"{type(error).__name__}: {error}", False
        report("result", tried=tried, seen=seen, good=bool(good))
        if not good:
            for line in run("journalctl", "-b", "-n", "60", "-o", "short-precise").splitlines():
                report("log", line=line)
    os.sync()
    report("done")


if __name__ == "__main__":
    sys.exit(main())
