"""Helpers of the image trials: a flashed card, days with a Dhuhr, and reports of what was observed."""

import datetime
import json
import shutil
import sys
from pathlib import Path

from machine import Disk, Machine, has_kvm

sys.path[:0] = [str(Path(__file__).resolve().parent.parent)]
from ends import until  # noqa: E402
from findings import Findings  # noqa: E402

LATITUDE, LONGITUDE = 0.0, 45.0
# About 25 s of sound, long enough for a cut in the middle.
CONFIGURATION = """timezone = "Asia/Riyadh"
[location]
name = "{name}"
latitude = 0.0
longitude = 45.0
[audio]
devices = ["plughw:0"]
[adhan]
sound = ["standard", "standard", "standard"]
"""
# A date after the image was made, because the box does not trust an earlier clock.
FIRST_DAY = datetime.date.today() + datetime.timedelta(days=10)
# An hour before the Dhuhr of that day.
NOON = int(datetime.datetime.combine(FIRST_DAY, datetime.time(8), datetime.UTC).timestamp())


class World:
    def __init__(self, image, architecture, folder, kept):
        self.image, self.architecture, self.folder, self.kept = image, architecture, folder, kept
        self.findings = Findings()
        self.machine = None
        self.slow = 1 if architecture == "amd64" and has_kvm() else 3 if architecture == "amd64" else 10
        self.extra = []

    def expect(self, what, good, seen=""):
        if not self.findings.expect(what, good, seen) and self.machine:
            console = self.kept / f"console-{len(self.findings.failures)}"
            shutil.copy(self.machine.console, console)
            print(f"        console: {console}{'; the machine has ended by itself' if self.machine.process.poll() is not None else ''}",
                  flush=True)
        return good

    def flash(self, **options):
        return Disk(self.folder / "card.img", self.image, **options)

    def boot(self, disk, clock, **options):
        """Powers the box on at a moment, in seconds since 1970."""
        when = datetime.datetime.fromtimestamp(clock, datetime.UTC).strftime("%Y-%m-%dT%H:%M:%S")
        self.machine = Machine(disk, self.folder, self.architecture, when, self.extra, **options)
        return self.machine

    def close(self):
        if self.machine and self.machine.process.poll() is None:
            self.machine.cut()
        self.machine = None

    def dhuhrs(self, machine, days=150):
        """Unix times of Dhuhr at the place of the trials, by date, as the box computes them."""
        output = machine.ask(
            f"adhanctl times --json --date {FIRST_DAY} --days {days} --latitude {LATITUDE} --longitude {LONGITUDE} --timezone Asia/Riyadh",
            60
        )
        found = {}
        for day in json.loads(output)["days"]:
            at = datetime.datetime.fromisoformat(day["events"]["dhuhr"])
            found[day["date"]] = int(at.timestamp())
        (self.kept / "dhuhrs.json").write_text(json.dumps(found))
        return found

    def known_dhuhrs(self):
        if not (self.kept / "dhuhrs.json").exists():
            raise FileNotFoundError(f"no times of this image are kept in {self.kept}; run first-boot first")
        return json.loads((self.kept / "dhuhrs.json").read_text())

    def history(self, machine):
        output = machine.ask("cat /var/lib/adhand/history.jsonl") or ""
        return [json.loads(line) for line in output.splitlines() if line.startswith("{")]

    def now(self, machine, clock):
        """Sets the box's clock, because an emulated machine takes an unknown time to boot."""
        machine.ask(f"date -s @{clock}; busybox hwclock -w -u")

    def answered(self, machine):
        """Waits until the report of this boot is on the card and no longer being written."""
        asked = ("systemctl is-active adhan-box-answer | grep -q activating || systemctl show -P ExecMainExitTimestampMonotonic "
                 "adhan-box-answer")
        return self.wait(lambda: machine.ask(asked, 20) not in (None, "", "0"), 120)

    def wait(self, condition, seconds):
        """Scales a wait for a processor that may be emulated."""
        return until(condition, seconds * self.slow, pause=0.5)


def prayer(date):
    """On Fridays, Jumua replaces Dhuhr."""
    return "jumua" if date.weekday() == 4 else "dhuhr"


def identity(day):
    date = datetime.date.fromisoformat(day)
    return f"{prayer(date)}_{date:%Y%m%d}"
