#!/usr/bin/env python3
"""Tests that nothing grows over years of use, in minutes: the real adhand on a simulated card plays thousands of announcements and
answers 100,000 requests, while its memory, descriptors, threads and lateness are measured; then it idles, and its wake-ups are
counted. Exits with 1 if anything grows, an announcement is late, or the idle adhand wakes up too often.

usage: soak.py RELEASE-DIRECTORY [--scale 1.0]
"""

import argparse
import bisect
import os
import random
import sys
import tempfile
import threading
import time
from datetime import datetime
from pathlib import Path

from program import Adhand, Caller

ANNOUNCEMENTS = 3000
REQUESTS = 100_000
# Seconds between two announcements, and how long ahead each is armed, so that one is prepared while another plays.
PACE, AHEAD = 0.6, "1s"

# The promises.
MOST_LATE_MS = 100
# The largest replies leave this much in the heap, because the history grows as intended and is read as a whole.
MOST_GROWTH_KB = 2048
MOST_IDLE_KB = 12 * 1024
MOST_WAKEUPS_A_MINUTE = 2
# Seconds until memory is returned (Sources/Host/QuietTrimmer.swift), and one more.
TIDYING = 8


class Asking(threading.Thread):
    """Sends every request again and again, and now and then malformed ones."""

    COMMON = [
        ("GetStatus", None),
        ("GetTimers", None),
        ("GetTimes", {"days": 3}),
        ("GetLog", {"limit": 20}),
        ("Nonsense", None),
        ("TestPlay", {"prayer": "x"}),
        ("GetStatus", {"unknown": 1}),
        ("Mute", {"duration": "soon"}),
    ]
    RARE = [
        ("GetHistory", {"days": 1}),
        ("GetDiagnostics", None),
        ("DisablePrayers", {"prayers": ["isha"]}),
        ("EnablePrayers", {"prayers": ["isha"]}),
        ("Reload", None),
        ("GetTimes", {"days": 400}),
    ]
    RUDE = [b"hello\0", b"[" * 70_000, b'{"method":"org.adhand.Control.GetStatus"', b"\xff\xfe\0", b"\0\0\0"]

    def __init__(self, path, count, pace):
        super().__init__(daemon=True)
        self.path, self.count, self.pace = path, count, pace
        self.done = 0
        self.problem = None

    def run(self):
        try:
            self.ask()
        except Exception as error:
            self.problem = f"{type(error).__name__}: {error}"

    def ask(self):
        dice = random.Random(1)
        caller = Caller(self.path)
        began = time.monotonic()
        while self.done < self.count:
            choice = dice.random()
            if choice < 0.003:
                self.be_rude(dice.choice(self.RUDE))
            elif choice < 0.006:
                caller.close()
                caller = Caller(self.path)
            reply = caller.call(*dice.choice(self.RARE if choice > 0.99 else self.COMMON))
            assert "parameters" in reply, reply
            self.done += 1
            # The requests are spread over the time of all announcements.
            ahead = self.done * self.pace - (time.monotonic() - began)
            if ahead > 0.05:
                time.sleep(ahead)
        caller.close()

    def be_rude(self, text):
        caller = Caller(self.path)
        try:
            caller.socket.sendall(text)
        except OSError:
            pass
        caller.close()


class Record:
    """The observed values, and whether they keep the promises."""

    def __init__(self):
        self.failed = 0

    def say(self, what, seen, limit=None, good=True):
        self.failed += not good
        print(
            f"{'ok  ' if good else 'FAIL'} {what:<52} {seen}{f'  (limit {limit})' if limit else ''}",
            flush=True,
        )


def work(adhand, announcements, requests):
    """Runs announcements and requests at once. Returns the ids of the announcements, and the peak memory."""
    asking = Asking(adhand.socket, requests, announcements * PACE / requests)
    asking.start()
    caller = Caller(adhand.socket)
    deaf = None
    ids, most = [], 0
    began = time.monotonic()
    for number in range(announcements):
        if number % 100 == 0:
            # A client that subscribes and never reads: it is closed in time, and replaced by the next.
            if deaf:
                deaf.close()
            deaf = Caller(adhand.socket)
            deaf.send("Monitor", more=True)
        reply = caller.call("Trigger", {"prayer": random.choice(["fajr", "asr", "maghrib"]), "delay": AHEAD})
        ids.append(reply["parameters"]["id"])
        most = max(most, adhand.resident_kb())
        time.sleep(max(0, began + (number + 1) * PACE - time.monotonic()))
    asking.join(timeout=600)
    if asking.problem or asking.is_alive():
        raise RuntimeError(f"after {asking.done} requests: {asking.problem or 'no end'}")
    time.sleep(3)
    deaf.close()
    caller.close()
    return ids, most


def rest(adhand):
    time.sleep(TIDYING)
    return adhand.resident_kb(), adhand.descriptors(), adhand.threads()


def check_announcements(record, adhand, ids):
    entries = {}
    for entry in adhand.history():
        entries.setdefault(entry["id"], []).append(entry)
    twice = [name for name in entries if len(entries[name]) > 1]
    # On a busy machine, one may still play when the next is due, and rightly gives way.
    gave_way = [
        name
        for name in ids
        for entry in entries.get(name, [])
        if entry["outcome"] == "interrupted" and entry.get("cause") == "announcement"
    ]
    unheard = [
        name
        for name in ids
        if name not in entries or entries[name][0]["outcome"] != "played" and name not in gave_way
    ]
    record.say(
        "announcements called, each once",
        f"{len(ids) - len(unheard)} of {len(ids)}",
        good=not twice and not unheard,
    )
    most = 3 + len(ids) // 20
    record.say("of these gave way to the next", len(gave_way), most, len(gave_way) <= most)
    for name in (twice + unheard)[:5]:
        print(f"     {name}: {entries.get(name)}")
    lateness = sorted(
        entry["latenessMs"] for name in ids for entry in entries.get(name, []) if "latenessMs" in entry
    )
    if not lateness:
        return record.say("lateness", "nothing was called", good=False)
    middle, high = lateness[len(lateness) // 2], lateness[int(len(lateness) * 0.99)]
    record.say(
        "lateness: median, 99 %, most",
        f"{middle:.1f} ms, {high:.1f} ms, {lateness[-1]:.1f} ms",
        f"{MOST_LATE_MS} ms",
        lateness[-1] <= MOST_LATE_MS,
    )
    # The card's log against adhand's.
    starts = adhand.starts()
    messages = [
        datetime.fromisoformat(entry["scheduled"]).timestamp()
        for name in ids
        for entry in entries.get(name, [])
    ]
    apart = [
        min(abs(start - at) for start in starts[max(0, index - 50) : index + 50] or [0])
        for at in messages
        for index in [bisect.bisect(starts, at)]
    ]
    record.say(
        "starts by the card's own account, most apart",
        f"{max(apart) * 1000:.1f} ms",
        f"{MOST_LATE_MS} ms",
        max(apart) * 1000 <= MOST_LATE_MS,
    )
    dropouts = sum(entry["dropouts"] for name in ids for entry in entries.get(name, []))
    record.say("dropouts", dropouts, len(ids) // 100, dropouts <= len(ids) // 100)


def check_idle(record, adhand, seconds):
    time.sleep(TIDYING)
    before, used = adhand.wakeups(), adhand.processor_seconds()
    time.sleep(seconds)
    a_minute = (adhand.wakeups() - before) * 60 / seconds
    record.say(
        f"wake-ups a minute, over {seconds:.0f} s of rest",
        f"{a_minute:.1f}",
        MOST_WAKEUPS_A_MINUTE,
        a_minute <= MOST_WAKEUPS_A_MINUTE,
    )
    record.say("processor time meanwhile", f"{adhand.processor_seconds() - used:.2f} s")
    resident = adhand.resident_kb()
    record.say(
        "resident memory at rest",
        f"{resident / 1024:.1f} MB",
        f"{MOST_IDLE_KB // 1024} MB",
        resident <= MOST_IDLE_KB,
    )


def soak(adhand, scale):
    record = Record()
    announcements, requests = max(20, int(ANNOUNCEMENTS * scale)), max(500, int(REQUESTS * scale))
    print(
        f"{announcements} announcements, {requests} requests; load of the machine {os.getloadavg()[0]:.1f}",
        flush=True,
    )
    warm = max(10, announcements // 10)
    ids, _ = work(adhand, warm, requests // 10)
    before = rest(adhand)
    more, most = work(adhand, announcements - warm, requests - requests // 10)
    after = rest(adhand)
    check_announcements(record, adhand, ids + more)
    record.say(
        "resident memory: warm, at the end, most between",
        f"{before[0] / 1024:.1f} MB, {after[0] / 1024:.1f} MB, {most / 1024:.1f} MB",
        f"{MOST_GROWTH_KB / 1024:.0f} MB of growth",
        after[0] - before[0] <= MOST_GROWTH_KB,
    )
    record.say("descriptors: warm, at the end", f"{before[1]}, {after[1]}", good=after[1] <= before[1])
    record.say("threads: warm, at the end", f"{before[2]}, {after[2]}", good=after[2] <= before[2] + 2)
    record.say("processor time", f"{adhand.processor_seconds():.1f} s")
    check_idle(record, adhand, max(60, 180 * min(1, scale)))
    record.say("ended well when told to", str(adhand.end()).lower(), good=adhand.process.returncode == 0)
    print(f"load of the machine {os.getloadavg()[0]:.1f}; {record.failed} failed", flush=True)
    return 1 if record.failed else 0


def main():
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("release", type=Path, help="where the release programs are")
    arguments.add_argument(
        "--scale", type=float, default=1.0, help="how much of the whole (0.01: two minutes)"
    )
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory(prefix="adhand-soak-") as directory:
        adhand = Adhand(options.release.resolve(), directory)
        try:
            return soak(adhand, options.scale)
        finally:
            if adhand.process.poll() is None:
                adhand.process.kill()
            adhand.log.close()
            sys.stderr.write(
                "".join(Path(directory, "log").read_text(encoding="utf-8").splitlines(True)[-20:])
            )


if __name__ == "__main__":
    sys.exit(main())
