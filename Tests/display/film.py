#!/usr/bin/env python3
"""Tests that the screen of a mosque is right at every second of the changes in Ramadan and on both Eids: a real adhand runs on a
clock that is set, and the page is filmed. Each frame is checked against adhand's own times, by the seconds that the frame shows,
and like every picture (nothing cut, enough contrast, no overlap).

On the first and the last day of Ramadan and on both Eids all of it happens: adhand calls, on the lab's sound card, and the page
follows. Of the days between, imsak, fajr and iftar are looked at in advance, as the same adhand has them.

usage: film.py RELEASE_FOLDER [--keep FOLDER]     With --keep a folder of frames for each change."""
import argparse
import datetime
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).resolve().parent.parent)]
import ends  # noqa: E402
from browser import Browser  # noqa: E402
from clock import ZONE, Clock  # noqa: E402
from display import PAGE, PROBE  # noqa: E402
from page import expect, findings  # noqa: E402
from year import PRAYERS, Calendar  # noqa: E402
from zero import CHECKOUT, sound_card, starts  # noqa: E402

CONFIGURATION = """
timezone = "Europe/London"
[location]
name = "Our mosque"
latitude = 51.5074
longitude = -0.1278
[calculation]
method = "mwl"
[adhan]
sound = "signal"
[iqama]
fajr = "+2m"
dhuhr = "+2m"
asr = "+2m"
maghrib = "+2m"
isha = "+2m"
[ramadan]
imsak = "fajr-10m"
[eid]
prayers = ["08:00", "09:30"]
[audio]
devices = ["card"]
"""
# Seconds before and after a change that are filmed, and seconds by which the clock starts earlier, so that adhand can prepare.
BEFORE, AFTER, LEAD = 3, 5, 14
DUA = "الظَّمَأُ"

FRAME = """(() => { const text = (id) => (document.getElementById(id) || {}).textContent || '';
  const shown = (id) => { const e = document.getElementById(id); return e && e.offsetParent !== null ? e.textContent : ''; };
  return { scene: document.body.dataset.scene, clock: document.querySelector('#clock bdi').textContent,
    label: text('next-label'), countdown: text('countdown'),
    over: shown('message-over'), arabic: shown('message-arabic'), fast: text('fast'), hijri: text('hijri'), notes: text('notes') }; })()"""


def plain(text):
    return text.translate({0x2066: None, 0x2068: None, 0x2069: None, 0xA0: " "})


def shown_second(frame, near):
    """The second that a frame shows, near the time when it was taken; by the minute only if seconds are not shown."""
    parts = [int(part) for part in frame["clock"].split(":")]
    at = datetime.datetime.fromtimestamp(near, ZONE)
    if len(parts) == 2:
        return near if (at.hour, at.minute) == tuple(parts) else None
    shown = at.replace(hour=parts[0], minute=parts[1], second=parts[2])
    return round(shown.timestamp())


def faults(calendar, frame, at, problems):
    """The problems of a frame that was taken at an instant."""
    frame = {key: plain(value) for key, value in frame.items()}
    second = shown_second(frame, at)
    if second is None or abs(second - at) > 1:
        return [f"shows {frame['clock']} at {datetime.datetime.fromtimestamp(at, ZONE):%H:%M:%S}"]
    wanted = calendar.expected(second)
    dua = wanted.pop("dua", None)
    wrong = [f"{key} is {frame[key]!r}, not {value!r}" for key, value in wanted.items() if frame[key] != value]
    if dua is not None and (DUA in frame["arabic"]) != dua:
        wrong.append(f"says {frame['arabic'][:30]!r}")
    return wrong + problems


class Film:
    def __init__(self, browser, calendar, keep):
        self.browser, self.calendar, self.keep, self.frames = browser, calendar, keep, 0

    def take(self, name, number, at):
        frame = self.browser.evaluate(FRAME)
        problems = self.browser.evaluate(PROBE)["problems"]
        self.frames += 1
        if self.keep:
            folder = Path(self.keep, name)
            folder.mkdir(parents=True, exist_ok=True)
            self.browser.picture(str(folder / f"{number:02}.png"))
        found = faults(self.calendar, frame, at, problems[:2])
        return [f"{name}, frame {number}: {one}" for one in found]

    def live(self, mosque, name, change):
        """Films the change as it happens, without loading the page again."""
        mosque.clock.set(round(change - LEAD - time.time()) - mosque.clock.begins)
        wrong, number = [], 0
        while (left := change + AFTER - mosque.now()) > 0:
            if left > AFTER + BEFORE:
                time.sleep(min(1, left - AFTER - BEFORE))
                continue
            # A moment after the second has changed on the page.
            time.sleep(1.25 - mosque.now() % 1 if mosque.now() % 1 > 0.25 else 0.25 - mosque.now() % 1)
            wrong += self.take(name, number, int(mosque.now()))
            number += 1
        expect(f"{name}: {number} frames", number >= AFTER and not wrong, wrong[:3])

    def ahead(self, url, name, change):
        wrong = []
        for number, second in enumerate(range(-2, 3)):
            at = datetime.datetime.fromtimestamp(change + second, datetime.timezone.utc)
            self.browser.open(f"{url}?now={at:%Y-%m-%dT%H:%M:%S}Z")
            wrong += self.take(name, number, change + second)
        return wrong


class Mosque:
    """One run of adhand and the display, which starts at an instant."""

    def __init__(self, release, folder, begins):
        self.folder = folder
        Path(folder, "adhand.toml").write_text(CONFIGURATION)
        Path(folder, "display.toml").write_text("")
        self.clock = Clock(folder)
        self.clock.set(round(begins - time.time()) - self.clock.begins)
        environment = sound_card(folder) | self.clock.environment
        socket = folder + "/s"
        self.processes = [subprocess.Popen(
            [release + "/adhand", "--config", folder + "/adhand.toml", "--state-dir", folder + "/state", "--socket", socket, "--audio-dir",
             str(CHECKOUT / "Resources/audio")], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)]
        end = time.monotonic() + 30
        while subprocess.run([release + "/adhanctl", "--socket", socket, "--json", "status"], capture_output=True, check=False,
                             timeout=60).returncode:
            if self.processes[0].poll() is not None or time.monotonic() > end:
                raise SystemExit("adhand does not answer")
            time.sleep(0.2)
        display = subprocess.Popen(
            [release + "/adhan-display", "--socket", socket, "--listen", "127.0.0.1:0", "--page-dir", str(PAGE), "--preview", "--config",
             folder + "/display.toml"], stderr=subprocess.PIPE, text=True, env=os.environ | self.clock.environment)
        self.processes.append(display)
        self.url = re.search(r"http://\S+/", ends.line(display.stderr, "adhan-display")).group()

    def now(self):
        return time.time() + self.clock.ahead

    def close(self):
        for process in reversed(self.processes):
            process.terminate()
            process.wait(15)


def lives(calendar):
    """The days that are run, each with its changes in order."""
    first, last = calendar.ramadan[0], calendar.ramadan[-1]
    def of(day, prayers):
        one = calendar.days[day]
        return [change for prayer in prayers for change in ((f"{day} {prayer}", one["adhan"][prayer], prayer),
                                                            (f"{day} {prayer} iqama", one["iqama"][prayer], None))]
    yield [(f"{first} imsak", calendar.days[first]["imsak"], None)] + of(first, PRAYERS)
    yield of(last, ("maghrib", "isha"))
    for day in calendar.eids:
        yield of(day, ("fajr",)) + [(f"{day} eid {number}", at, None) for number,
                                    at in enumerate(calendar.eid(day), 1)] + of(day, ("dhuhr",))


def live(release, film, changes):
    with tempfile.TemporaryDirectory(prefix="film-") as folder:
        # Well before the first change: after a jump of minutes, adhand trusts an unsynchronised clock only once it has seen the
        # jump.
        mosque = Mosque(release, folder, changes[0][1] - 1800)
        try:
            film.browser.open(mosque.url, ready="document.body && document.body.dataset.scene !== 'waiting'")
            adhans = []
            for name, change, prayer in changes:
                film.live(mosque, name, change)
                adhans += [change] if prayer else []
            heard = starts(folder)
            late = [min((abs(one - adhan) for one in heard), default=1e9) for adhan in adhans]
            expect("each adhan is heard at its second", all(one < 0.25 for one in late), [round(one, 3) for one in late])
        finally:
            mosque.close()


def ahead(release, film, calendar):
    days = calendar.ramadan
    wrong = []
    with tempfile.TemporaryDirectory(prefix="film-") as folder:
        mosque = Mosque(release, folder, calendar.days[days[0]]["imsak"] - 3600)
        try:
            for day in days[1:]:
                one = calendar.days[day]
                for what, change in (("imsak", one["imsak"]), ("fajr", one["adhan"]["fajr"]), ("iftar", one["adhan"]["maghrib"])):
                    wrong += film.ahead(mosque.url, f"{day} {what} ahead", change)
        finally:
            mosque.close()
    expect(f"imsak, fajr and iftar of {len(days) - 1} more days", not wrong, wrong[:3])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("release")
    parser.add_argument("--keep")
    options = parser.parse_args()
    release = os.path.abspath(options.release)
    with tempfile.TemporaryDirectory(prefix="film-") as folder:
        Path(folder, "adhand.toml").write_text(CONFIGURATION)
        calendar = Calendar(release, folder)
    expect(f"Ramadan has {len(calendar.ramadan)} days, and there are two Eids",
           len(calendar.ramadan) in (29, 30) and len(calendar.eids) == 2, [str(day) for day in calendar.eids])
    browser = Browser()
    try:
        browser.size(1920, 1080)
        film = Film(browser, calendar, options.keep)
        for changes in lives(calendar):
            live(release, film, changes)
        ahead(release, film, calendar)
        print(f"{film.frames} frames")
    finally:
        browser.close()
    sys.exit(findings.end())


if __name__ == "__main__":
    main()
