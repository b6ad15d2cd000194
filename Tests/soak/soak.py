#!/usr/bin/env python3
"""Years of work in minutes: the real adhand on a card without hardware, through thousands of announcements and 100,000
requests, while its memory, descriptors, threads and lateness are watched; then at rest, while its wake-ups are counted.
Ends with 1 when anything grows, an announcement is late, or rest is no rest.

usage: soak.py RELEASE-DIRECTORY [--scale 1.0]
"""

import argparse
import bisect
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from datetime import datetime
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent.parent
ANNOUNCEMENTS = 3000
REQUESTS = 100_000
# Seconds between two announcements, and how long ahead each is armed: the second is prepared while the first sounds.
PACE, AHEAD = 0.6, "1s"
# Half a second of sound, on a card that plays it in a sixth of one: over before the next needs the card.
SOUND, CARD_SPEED = CHECKOUT / "Tests/PlaybackTests/Fixtures/short_half_second.mp3", 3

# What is promised.
MOST_LATE_MS = 100
# The heap of a busy hour leaves some room behind, for the history, for one, which grows as it should and is read whole.
MOST_GROWTH_KB = 2048
MOST_IDLE_KB = 12 * 1024
MOST_WAKEUPS_A_MINUTE = 2
# Seconds after which memory is given back (Sources/adhand/Memory.swift), and one to do it.
TIDYING = 8

ALSA = """
</usr/share/alsa/alsa.conf>
pcm_type.lab {{ lib "{directory}/libasound_module_pcm_lab.so" }}
pcm.card {{ type lab  file "/dev/null"  log "{directory}/diary"  fault "{directory}/fault"  speed {speed} }}
pcm.!default {{ type plug  slave.pcm card }}
"""

CONFIGURATION = """
timezone = "Asia/Riyadh"
[location]
name = "Test Island"
latitude = 0.0
longitude = 45.0
[adhan]
sound = "{sound}"
enabled = false
[debug]
triggers = true
"""


class Caller:
    """A persistent connection that speaks Varlink."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.socket.settimeout(30)
        self.rest = b""

    def send(self, method, parameters=None, **flags):
        call = {"method": f"org.adhand.Control.{method}", "parameters": parameters or {}, **flags}
        self.socket.sendall(json.dumps(call).encode() + b"\0")

    def receive(self):
        while b"\0" not in self.rest:
            received = self.socket.recv(1 << 16)
            if not received:
                raise ConnectionError("adhand has closed the connection")
            self.rest += received
        message, _, self.rest = self.rest.partition(b"\0")
        return json.loads(message)

    def call(self, method, parameters=None):
        self.send(method, parameters)
        return self.receive()

    def close(self):
        self.socket.close()


class Adhand:
    """The program under test, in a directory of its own."""

    def __init__(self, release, directory):
        self.directory = directory
        self.socket = f"{directory}/s"
        subprocess.run(["gcc", "-shared", "-fPIC", "-O2", "-DPIC", CHECKOUT / "Tests/Lab/pcm_lab.c", "-o",
                        f"{directory}/libasound_module_pcm_lab.so", "-lasound"], check=True)
        audio = CHECKOUT / "Resources/audio"
        Path(directory, "asound.conf").write_text(ALSA.format(directory=directory, speed=CARD_SPEED), encoding="utf-8")
        Path(directory, "adhand.toml").write_text(CONFIGURATION.format(sound=SOUND), encoding="utf-8")
        self.log = open(f"{directory}/log", "wb")
        self.process = subprocess.Popen(
            [release / "adhand", "--config", f"{directory}/adhand.toml", "--state-dir", f"{directory}/state",
             "--socket", self.socket, "--audio-dir", audio],
            stderr=self.log, stdin=subprocess.DEVNULL,
            env={"PATH": "/usr/bin:/bin", "ALSA_CONFIG_PATH": f"{directory}/asound.conf", "ADHAND_LOG": "warning"})
        end = time.monotonic() + 10
        while not os.path.exists(self.socket):
            if self.process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(Path(directory, "log").read_text(encoding="utf-8"))
            time.sleep(0.05)

    def proc(self, name):
        return Path(f"/proc/{self.process.pid}/{name}")

    def resident_kb(self):
        return int(self.proc("statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 1024

    def descriptors(self):
        return len(os.listdir(self.proc("fd")))

    def threads(self):
        return len(os.listdir(self.proc("task")))

    def wakeups(self):
        """How often its threads have gone to sleep of their own accord, which is how often they were woken."""
        total = 0
        for task in self.proc("task").iterdir():
            for line in (task / "status").read_text().splitlines():
                if line.startswith("voluntary_ctxt_switches"):
                    total += int(line.split()[1])
        return total

    def processor_seconds(self):
        fields = self.proc("stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def history(self):
        with open(f"{self.directory}/state/history.jsonl", encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    def starts(self):
        """When the card began to play, by its own account."""
        with open(f"{self.directory}/diary", encoding="utf-8") as file:
            return [float(line.split()[1]) for line in file if line.startswith("start ")]

    def end(self):
        """Whether it ended well."""
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(timeout=10) == 0
        except subprocess.TimeoutExpired:
            self.process.kill()
            return False


class Asking(threading.Thread):
    """Asks for everything there is to ask for, again and again, as fast as the answers come; now and then as somebody
    who knows no manners."""

    COMMON = [("GetStatus", None), ("GetTimers", None), ("GetTimes", {"days": 3}), ("GetLog", {"limit": 20}),
              ("Nonsense", None), ("TestPlay", {"prayer": "x"}), ("GetStatus", {"unknown": 1}), ("Mute", {"duration": "soon"})]
    RARE = [("GetHistory", {"days": 1}), ("GetDiagnostics", None), ("DisablePrayers", {"prayers": ["isha"]}),
            ("EnablePrayers", {"prayers": ["isha"]}), ("Reload", None), ("GetTimes", {"days": 400})]
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
            # As fast as the whole takes: the requests are to be there for as long as the announcements are.
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
    """What was seen, and whether it is as promised."""

    def __init__(self):
        self.failed = 0

    def say(self, what, seen, limit=None, good=True):
        self.failed += not good
        print(f"{'ok  ' if good else 'FAIL'} {what:<52} {seen}{f'  (limit {limit})' if limit else ''}", flush=True)


def work(adhand, announcements, requests):
    """Announces and asks at the same time; the ids of the announcements, and the most memory in use."""
    asking = Asking(adhand.socket, requests, announcements * PACE / requests)
    asking.start()
    caller = Caller(adhand.socket)
    deaf = None
    ids, most = [], 0
    began = time.monotonic()
    for number in range(announcements):
        if number % 100 == 0:
            # A monitor that never reads: let go in time, and replaced by the next.
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


def judge_announcements(record, adhand, ids):
    entries = {}
    for entry in adhand.history():
        entries.setdefault(entry["id"], []).append(entry)
    twice = [name for name in entries if len(entries[name]) > 1]
    # On a busy machine one may still sound when the next is due, and gives way as it should.
    gave_way = [name for name in ids for entry in entries.get(name, [])
                if entry["outcome"] == "interrupted" and entry["endedBy"].startswith("trigger-")]
    unheard = [name for name in ids
               if name not in entries or entries[name][0]["outcome"] != "played" and name not in gave_way]
    record.say("announcements called, each once", f"{len(ids) - len(unheard)} of {len(ids)}", good=not twice and not unheard)
    record.say("of these gave way to the next", len(gave_way), len(ids) // 20, len(gave_way) <= len(ids) // 20)
    for name in (twice + unheard)[:5]:
        print(f"     {name}: {entries.get(name)}")
    lateness = sorted(entry["latenessMs"] for name in ids for entry in entries.get(name, []) if "latenessMs" in entry)
    if not lateness:
        return record.say("lateness", "nothing was called", good=False)
    middle, high = lateness[len(lateness) // 2], lateness[int(len(lateness) * 0.99)]
    record.say("lateness: median, 99 %, most", f"{middle:.1f} ms, {high:.1f} ms, {lateness[-1]:.1f} ms",
               f"{MOST_LATE_MS} ms", lateness[-1] <= MOST_LATE_MS)
    # The card's word against adhand's.
    starts = adhand.starts()
    told = [datetime.fromisoformat(entry["scheduled"]).timestamp() for name in ids for entry in entries.get(name, [])]
    apart = [min(abs(start - at) for start in starts[max(0, index - 50):index + 50] or [0])
             for at in told for index in [bisect.bisect(starts, at)]]
    record.say("starts by the card's own account, most apart", f"{max(apart) * 1000:.1f} ms", f"{MOST_LATE_MS} ms",
               max(apart) * 1000 <= MOST_LATE_MS)
    dropouts = sum(entry["dropouts"] for name in ids for entry in entries.get(name, []))
    record.say("dropouts", dropouts, len(ids) // 100, dropouts <= len(ids) // 100)


def judge_idle(record, adhand, seconds):
    time.sleep(TIDYING)
    before, used = adhand.wakeups(), adhand.processor_seconds()
    time.sleep(seconds)
    a_minute = (adhand.wakeups() - before) * 60 / seconds
    record.say(f"wake-ups a minute, over {seconds:.0f} s of rest", f"{a_minute:.1f}", MOST_WAKEUPS_A_MINUTE,
               a_minute <= MOST_WAKEUPS_A_MINUTE)
    record.say("processor time meanwhile", f"{adhand.processor_seconds() - used:.2f} s")
    resident = adhand.resident_kb()
    record.say("resident memory at rest", f"{resident / 1024:.1f} MB", f"{MOST_IDLE_KB // 1024} MB", resident <= MOST_IDLE_KB)


def soak(adhand, scale):
    record = Record()
    announcements, requests = max(20, int(ANNOUNCEMENTS * scale)), max(500, int(REQUESTS * scale))
    print(f"{announcements} announcements and {requests} requests; load of the machine {os.getloadavg()[0]:.1f}", flush=True)
    warm = max(10, announcements // 10)
    ids, _ = work(adhand, warm, requests // 10)
    before = rest(adhand)
    more, most = work(adhand, announcements - warm, requests - requests // 10)
    after = rest(adhand)
    judge_announcements(record, adhand, ids + more)
    record.say("resident memory: warm, at the end, most between",
               f"{before[0] / 1024:.1f} MB, {after[0] / 1024:.1f} MB, {most / 1024:.1f} MB",
               f"{MOST_GROWTH_KB / 1024:.0f} MB of growth", after[0] - before[0] <= MOST_GROWTH_KB)
    record.say("descriptors: warm, at the end", f"{before[1]}, {after[1]}", good=after[1] <= before[1])
    record.say("threads: warm, at the end", f"{before[2]}, {after[2]}", good=after[2] <= before[2] + 2)
    record.say("processor time", f"{adhand.processor_seconds():.1f} s")
    judge_idle(record, adhand, max(60, 180 * min(1, scale)))
    record.say("ended well when told to", str(adhand.end()).lower(), good=adhand.process.returncode == 0)
    print(f"load of the machine {os.getloadavg()[0]:.1f}; {record.failed} failed", flush=True)
    return 1 if record.failed else 0


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("release", type=Path, help="where the release programs are")
    arguments.add_argument("--scale", type=float, default=1.0, help="how much of the whole (0.01: two minutes)")
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory(prefix="adhand-soak-") as directory:
        adhand = Adhand(options.release.resolve(), directory)
        try:
            return soak(adhand, options.scale)
        finally:
            if adhand.process.poll() is None:
                adhand.process.kill()
            adhand.log.close()
            sys.stderr.write("".join(Path(directory, "log").read_text(encoding="utf-8").splitlines(True)[-20:]))


if __name__ == "__main__":
    sys.exit(main())
