"""The virtual machine for the trials inside it: its clock, its sleep, its card, and the adhand on it."""

import functools
import json
import shutil
import subprocess
import time

import ends

# The processor is emulated, and most conditions start a program.
until = functools.partial(ends.until, pause=0.5)
STATE = "/var/lib/adhand"
DUMMY = "/sys/bus/platform/drivers/snd_dummy"
PLACE = """
[location]
name = "Test Island"
latitude = 0.0
longitude = 45.0
[calculation]
method = "isna"
[audio]
devices = ["plughw:0"]
"""
RIYADH = 'timezone = "Asia/Riyadh"\n'
# About thirty seconds of sound: the shipped announcement three times in a row.
LONG = '[adhan]\nsound = ["standard", "standard", "standard"]\n'


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60).stdout


def report(kind, **what):
    print(json.dumps({"kind": kind, **what}), flush=True)


def prayer_at(prayer):
    """Unix time of a prayer on the day of the trials."""
    times = json.loads(
        run(
            "adhanctl",
            "times",
            "--method",
            "isna",
            "--latitude",
            "0",
            "--longitude",
            "45",
            "--timezone",
            "Asia/Riyadh",
            "--date",
            "2026-12-02",
            "--format",
            "json",
        )
    )
    return int(run("date", "+%s", "-d", times["days"][0]["events"][prayer]))


def set_clock(to):
    subprocess.run(["date", "-s", f"@{to}"], stdout=subprocess.DEVNULL, check=True, timeout=60)


class Adhand:
    """The service from its first start: no state, a configuration, and a chosen clock."""

    def __init__(self, configuration, at):
        run("systemctl", "stop", "adhand.service", "adhand.socket")
        run("systemctl", "reset-failed")
        shutil.rmtree(STATE, ignore_errors=True)
        set_clock(at)
        with open("/etc/adhand/adhand.toml", "w", encoding="utf-8") as file:
            file.write(configuration)
        self.cursor = json.loads(run("journalctl", "-n1", "-o", "json"))["__CURSOR"]
        run("systemctl", "start", "adhand.service")

    def journal(self, event=None):
        """adhand's journal since this start."""
        lines = run(
            "journalctl", "-o", "json", "--after-cursor", self.cursor, "SYSLOG_IDENTIFIER=adhand"
        ).splitlines()
        entries = [json.loads(line) for line in lines]
        return [entry for entry in entries if event in (None, entry.get("ADHAND_EVENT"))]

    def wait(self, event, seconds=60, count=1):
        """Waits for an entry of the journal. Returns whether it came."""
        return until(lambda: len(self.journal(event)) >= count, seconds)


def history():
    try:
        with open(f"{STATE}/history.jsonl", encoding="utf-8") as file:
            return [json.loads(line) for line in file]
    except FileNotFoundError:
        return []


def recorded(identity, seconds=60):
    """All entries of an announcement, once there is one."""
    until(lambda: any(entry["id"] == identity for entry in history()), seconds)
    return [entry for entry in history() if entry["id"] == identity]


def described(entries):
    """`played, 0.2 s late`, for each entry."""
    words = []
    for entry in entries:
        late = entry.get("latenessMs")
        reason = "" if entry["outcome"] == "played" else f" ({entry.get('reason')})"
        words.append(entry["outcome"] + (f", {late / 1000:.2f} s late" if late is not None else "") + reason)
    return " + ".join(words) or "no entry"


def card_runs():
    try:
        with open("/proc/asound/card0/pcm0p/sub0/status", encoding="utf-8") as file:
            return "RUNNING" in file.read()
    except OSError:
        return False


def sleep_machine(seconds):
    """Really suspends to memory; the host wakes the machine this many seconds later. Returns how long it slept."""

    def slept():
        return time.clock_gettime(time.CLOCK_BOOTTIME) - time.monotonic()

    report("sleep", seconds=seconds)
    before = slept()
    run("systemctl", "suspend")
    until(lambda: slept() - before > seconds / 2, seconds + 30)
    return slept() - before


def was_called(entries):
    """Called once and completely; or almost, because the emulated machine was too slow to keep the card fed."""
    if len(entries) != 1:
        return False
    entry = entries[0]
    starved = entry["outcome"] == "interrupted" and entry["dropouts"] > 0 and entry["framesPlayed"] > 0
    return entry["outcome"] == "played" or (starved and not entry.get("endedBy"))
