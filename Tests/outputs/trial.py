#!/usr/bin/env python3
"""Tests that when one of three loudspeakers fails, the others play on, sample by sample. The adhands are real.

usage: trial.py ADHAND
"""
import json
import os
import signal
import socket
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from boxes import FRAME, RATE, Box, Findings  # noqa: E402
from ends import until  # noqa: E402

ADHAND = sys.argv[1]
NAMES = ("hall", "horn", "women")
# Seconds. The boxes run at once here; the suites measure starts on an otherwise idle machine.
MOST_APART = 0.03


def together(box, entry, names, what):
    starts, at = [box.cards[name].starts[:1] for name in names], box.instant(entry)
    good = all(starts) and max(max(starts)[0] - min(starts)[0], abs(starts[0][0] - at)) < MOST_APART
    box.expect(f"{what}: {', '.join(names)} start together, at the instant", good, (starts, at))


def whole(box, entry, names, reference, what):
    box.expect(f"{what}: {', '.join(names)} are heard as ever, sample by sample",
               all(box.cards[name].heard() == reference for name in names), {name: len(box.cards[name].heard()) for name in names})
    parts = box.parts(entry)
    box.expect(f"{what}: and count as played", all(parts.get(name) == "played" for name in names), entry)


def forget(box):
    for card in box.cards.values():
        card.forget()


def all_play(box):
    """- Returns: the recording of one whole sound on a card."""
    box.trigger("asr", 2)
    entry = box.entry(len(box.history()) + 1)
    box.expect("all play: the announcement was played", entry.get("outcome") == "played", entry)
    together(box, entry, NAMES, "all play")
    reference = box.cards["hall"].heard()
    box.expect("all play: for as long as the sound is", len(reference) > 3.5 * RATE * FRAME, len(reference))
    whole(box, entry, NAMES, reference, "all play")
    forget(box)
    return reference


def faults(*kinds):
    """The faults of the horn: the kind of fault, and whether it happens before the device is opened, before it is started, or
    while it plays."""
    box = Box(ADHAND, NAMES)
    try:
        box.start()
        reference = all_play(box)
        for fault, when in kinds:
            what = f"{fault} {when}"
            horn = box.cards["horn"]
            count = len(box.history())
            if when == "at the opening":
                horn.set(fault)
            box.trigger("isha", 2)
            if when == "at the start":
                until(lambda: horn.diary.exists() and "setup" in horn.diary.read_text(), 5)
                horn.set(fault)
            if when == "while it plays":
                until(lambda: horn.starts, 5)
                time.sleep(0.7)
                horn.set(fault)
            entry = box.entry(count + 1, 30)
            together(box, entry, ("hall", "women"), what)
            whole(box, entry, ("hall", "women"), reference, what)
            box.expect(f"{what}: the announcement was heard in part", entry.get("outcome") == "partial", entry)
            box.expect(f"{what}: the horn has failed", box.parts(entry).get("horn") in ("failed", "interrupted"), entry)
            horn.set("ok")
            # A device that hung wakes up now, and plays the rest of its buffer.
            until(lambda: not box.is_playing() and not horn.is_open, 10)
            forget(box)
        count = len(box.history())
        box.trigger("asr", 2)
        entry = box.entry(count + 1)
        together(box, entry, NAMES, "after all faults")
        whole(box, entry, NAMES, reference, "after all faults")
    finally:
        box.end()
    return box


def joining():
    """An output that returns joins at the position of the others; one with latency is fed earlier by that latency."""
    box = Box(ADHAND, NAMES, extra={"women": 'latency = "1s"\n'})
    try:
        box.start()
        horn = box.cards["horn"]
        horn.set("busy")
        box.trigger("asr", 3)
        until(lambda: box.cards["hall"].starts, 8)
        time.sleep(1)
        horn.set("ok")
        entry = box.entry(1)
        at, (women, hall) = box.instant(entry), [(box.cards[name].starts or [0])[0] for name in ("women", "hall")]
        box.expect("latency: the women's room is fed a second early", abs(women + 1 - at) < MOST_APART, (women, at))
        box.expect("latency: and the hall at the instant", abs(hall - at) < MOST_APART, (hall, at))
        heard, sound = horn.heard(), box.cards["hall"].heard()
        # The first thousandths of a second fade in.
        box.expect("joining: the horn is heard from where the others are", 0.2 * len(sound) < len(heard) < 0.8 * len(sound)
                   and sound.endswith(heard[len(heard) // 2 // FRAME * FRAME:]), (len(heard), len(sound)))
        lasted = horn.starts[-1] + len(heard) / FRAME / RATE - at
        box.expect("joining: and ends with them", abs(lasted - len(sound) / FRAME / RATE) < 0.1, lasted)
        box.expect("joining: one that joined is in the history", box.parts(entry).get("horn") in ("played", "interrupted"), entry)
    finally:
        box.end()
    return box


def hands():
    """Stop, mute, a reload that removes a playing output, and restarts in between."""
    box = Box(ADHAND, NAMES)
    try:
        box.start()
        for number, words in enumerate([("stop",), ("mute", "--for", "1m")]):
            box.trigger("asr", 1)
            until(lambda: all(card.starts for card in box.cards.values()), 5)
            time.sleep(0.5)
            box.ctl(*words)
            entry = box.entry(number + 1, 5)
            parts = box.parts(entry)
            box.expect(f"{words[0]}: ends every part", entry.get("outcome") == "interrupted" and set(parts.values()) == {"interrupted"},
                       entry)
            lengths = [len(card.heard()) for card in box.cards.values()]
            box.expect(f"{words[0]}: at once", all(0.3 * RATE * FRAME < length < 2.5 * RATE * FRAME for length in lengths), lengths)
            box.ctl("unmute")
            forget(box)

        box.trigger("asr", 1)
        until(lambda: all(card.starts for card in box.cards.values()), 5)
        box.configure({"hall": "", "horn": ""})
        answer = box.ctl("reload")
        box.expect("reload: a file with one output less is taken", answer.returncode == 0, answer.stdout + answer.stderr)
        entry = box.entry(3)
        lengths = [len(card.heard()) for card in box.cards.values()]
        box.expect("reload: what sounds on the one that is gone plays to its end", min(lengths) > 3.5 * RATE * FRAME
                   and box.parts(entry).get("women") == "played", (lengths, entry))
        forget(box)
        box.trigger("asr", 1)
        entry = box.entry(4)
        box.expect("reload: the next has no part there", set(box.parts(entry)) == {"hall", "horn"} and not box.cards["women"].starts, entry)
        box.configure({name: "" for name in NAMES})
        box.ctl("reload")
        forget(box)

        for number, way in enumerate((signal.SIGTERM, signal.SIGKILL)):
            box.trigger("isha", 1)
            until(lambda: all(card.starts for card in box.cards.values()), 5)
            time.sleep(0.8)
            box.process.send_signal(way)
            box.process.wait(10)
            box.start()
            entry = box.entry(5 + number)
            seen = {name: (len(card.starts), round(len(card.heard()) / FRAME / RATE, 2)) for name, card in box.cards.items()}
            box.expect(f"{way.name}: every part goes on where it would be",
                       all(starts == 2 and length > 2 for starts, length in seen.values()), seen)
            ends = [card.starts[-1] + len(card.raw.read_bytes().rstrip(b"\0")) / FRAME / RATE for card in box.cards.values() if card.starts]
            box.expect(f"{way.name}: together", len(ends) == 3 and max(ends) - min(ends) < 0.2, ends)
            box.expect(f"{way.name}: one announcement, in three parts", set(box.parts(entry)) == set(NAMES), entry)
            forget(box)
    finally:
        box.end()
    return box


def beforehand():
    """Five minutes before a sound, each output is tested under its own name, even if it is the only one to play it."""
    box = Box(ADHAND, NAMES, extra={"women": 'except = ["asr"]\n', "hall": 'except = ["asr", "maghrib"]\n'})
    horn, what = box.cards["horn"], "beforehand"

    def healthy():
        return {output["name"]: output["healthy"] for output in json.loads(box.ctl("outputs", "--json").stdout or "{}").get("outputs", [])}

    def risks():
        return [line for line in box.log().splitlines() if "is at risk" in line]

    try:
        box.start()
        box.expect(f"{what}: all are well", until(lambda: healthy() == {name: True for name in NAMES}, 5), healthy())
        horn.set("busy")
        box.trigger("asr", 301)
        box.expect(f"{what}: the horn alone is to play it, and is at risk", until(lambda: any('on "horn"' in line for line in risks()), 10),
                   box.log())
        box.expect(f"{what}: nobody else is ill", healthy() == {name: name != "horn" for name in NAMES}, healthy())
        box.trigger("maghrib", 301)
        box.expect(f"{what}: with another one, too", until(lambda: len(risks()) == 2, 10) and all('on "horn"' in line for line in risks()),
                   risks())
        box.expect(f"{what}: ... which is well", healthy() == {name: name != "horn" for name in NAMES}, healthy())
        horn.set("ok")
        box.trigger("isha", 301)
        box.expect(f"{what}: all three are ready", until(lambda: 'on "hall", "horn", "women"' in box.log(), 10), box.log())
        box.expect(f"{what}: and well", healthy() == {name: True for name in NAMES}, healthy())
    finally:
        horn.set("ok")
        box.end()
    return box


def watched():
    """A driver blocks a thread, under a service manager: the watchdog messages continue, and a restart during silence repairs
    it."""
    box = Box(ADHAND, NAMES, seconds=3)
    manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    manager.bind(str(box.folder / "notify"))
    manager.setblocking(False)
    pings = []

    def hear():
        try:
            while True:
                if b"WATCHDOG=1" in manager.recv(4096):
                    pings.append(time.monotonic())
        except BlockingIOError:
            pass

    try:
        box.start(NOTIFY_SOCKET=str(box.folder / "notify"), WATCHDOG_USEC="4000000")
        box.trigger("asr", 1)
        horn = box.cards["horn"]
        until(lambda: horn.starts, 5)
        time.sleep(0.3)
        horn.set("wedge")
        begun = time.monotonic()
        entry = {}
        while time.monotonic() - begun < 30 and box.process.poll() is None:
            hear()
            entry = entry or (box.history()[0] if box.history() else {})
            time.sleep(0.05)
        hear()
        box.expect("a stuck output: the announcement has its outcome first", entry.get("outcome") == "partial", entry)
        box.expect("a stuck output: adhand ends with status 1, to be started again", box.process.poll() == 1,
                   (box.process.poll(), box.log()))
        while_stuck = [ping - begun for ping in pings if ping > begun]
        gaps = [after - before for before, after in zip([0] + while_stuck, while_stuck)]
        box.expect("a stuck output: the signs of life go on until then", len(gaps) > 3 and max(gaps) < 4, gaps)
        horn.set("ok")
        forget(box)
        box.start()
        box.trigger("asr", 1)
        entry = box.entry(2)
        box.expect("a stuck output: after the restart all play", entry.get("outcome") == "played", entry)
    finally:
        horn.set("ok")
        box.end()
        manager.close()
    return box


def figures():
    """Eight outputs, and the end of the program while two of them hang."""
    names = tuple(f"room-{letter}" for letter in "abcdefgh")
    box = Box(ADHAND, names)
    try:
        box.start()
        box.trigger("asr", 1)
        until(lambda: all(card.starts for card in box.cards.values()), 5)
        time.sleep(1)
        busy, own, threads = box.memory_kb(), box.memory_kb("RssAnon"), box.threads()
        entry = box.entry(1)
        box.expect("eight outputs play", entry.get("outcome") == "played" and len(box.parts(entry)) == 8, entry)
        time.sleep(7)
        rest = box.memory_kb()
        box.findings.say(
            f"        eight outputs: {own / 1024:.1f} MB of its own ({busy / 1024:.1f} MB with its file's pages) and {threads} threads "
            "while they"
                         f" play, {rest / 1024:.1f} MB at rest")
        box.expect("eight outputs: 20 MB of its own and 44 threads at most, 20 MB at rest",
                   own <= 20 * 1024 and threads <= 44 and rest <= 20 * 1024, (own, threads, rest))
        box.trigger("asr", 1)
        forget(box)
        until(lambda: all(card.starts for card in box.cards.values()), 5)
        for name in names[:2]:
            box.cards[name].set("wedge")
        time.sleep(0.5)
        began = time.monotonic()
        box.process.terminate()
        box.process.wait(20)
        seconds = time.monotonic() - began
        box.expect("the end waits for all that hang no longer than for one", seconds < 3.6, seconds)
    finally:
        for card in box.cards.values():
            card.set("ok")
        box.end()
    return box


TRIALS = [lambda: faults(("unplug", "at the opening"), ("busy", "at the opening"), ("hang", "at the opening")),
          lambda: faults(("unplug", "while it plays"), ("freeze", "while it plays"), ("dead", "while it plays")),
          lambda: faults(("hang", "at the start"), ("wedge", "while it plays")), joining, hands, beforehand, watched, figures]
with ThreadPoolExecutor(len(TRIALS)) as pool:
    boxes = list(pool.map(lambda trial: trial(), TRIALS))
findings = Findings()
for each in boxes:
    print(each.findings.output.getvalue(), end="")
    findings.add(each.findings)
    if each.findings.failures:
        print(each.log()[-4000:], file=sys.stderr)
    each.remove()
os._exit(findings.end())
