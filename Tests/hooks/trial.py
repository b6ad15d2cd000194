#!/usr/bin/env python3
"""Tests that adhan-hooks works beside a real adhand: with programs that hang, flood and fork, a relay of two scripts, and while
both programs are killed.

usage: trial.py ADHAND ADHAN-HOOKS
"""
import contextlib
import json
import os
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from ends import until  # noqa: E402
from house import CLOCK, DEVICE, House, resident  # noqa: E402

ADHAND, HOOKS = (Path(word).absolute() for word in sys.argv[1:3])
house = House("adhan-hooks")
folder, log, expect, run = house.folder, house.log, house.expect, house.run
events = folder / "events"
# Milliseconds. Other trials keep the processors busy; an adhan that waited for hooks would be late by seconds.
MOST_LATE = 500


def script(name, text, mode=0o755):
    file = folder / name
    file.write_text("#!/bin/sh\n" + text)
    file.chmod(mode)
    return file


def adhand():
    process = house.adhand(ADHAND)
    expect("adhand answers", until(lambda: ctl("status").returncode == 0, 20))
    return process


def hooks():
    return run(HOOKS, "--config", folder / "hooks.toml", "--socket", folder / "s")


def ctl(*words):
    return house.ctl(ADHAND, *words)


def once(*words):
    return subprocess.run([str(word) for word in (HOOKS, *words, "--config", folder / "hooks.toml")], capture_output=True, text=True,
                          timeout=60, check=False)


def runs():
    """(event, identity, name of the hook) of each run."""
    return [tuple(line.split()) for line in events.read_text().splitlines()] if events.exists() else []


def relay():
    return (folder / "relay").read_text().split() if (folder / "relay").exists() else []


def trigger(prayer, seconds):
    """- Returns: milliseconds of lateness."""
    asked = ctl("debug", "trigger", prayer, "--in", f"{seconds}s")
    expect(f"{prayer} is to come", asked.returncode == 0, asked.stdout + asked.stderr)
    until(lambda: started(prayer), seconds + 10)
    return started(prayer)[-1]["latenessMs"] if started(prayer) else None


def started(prayer):
    lines = [json.loads(line) for line in ctl("log", "--json", "-n", "500").stdout.splitlines() if line.startswith("{")]
    lines = lines[0]["entries"] if len(lines) == 1 and "entries" in lines[0] else lines
    return [line for line in lines if line.get("event") == "prayer.started" and line.get("prayer") == prayer]


def key(changes):
    """The events that the remote control writes: type, code and value of each (linux/input-event-codes.h)."""
    with open(remote, "wb", buffering=0) as pipe:
        pipe.write(b"".join(struct.pack("<qqHHi", 0, 0, *change) for change in [*changes, (0, 0, 0)]))


def press(seconds, code=164):
    """Presses a key of the remote control."""
    key([(1, code, 1)])
    time.sleep(seconds)
    key([(1, code, 0)])


def journal(text):
    """Whether adhan-hooks logs it within the time that it gives a box."""
    return until(lambda: text in log.read_text(), 10)


class Box(threading.Thread):
    """Receives requests for the box's own network, and answers each with the next item of its list; None means no answer."""

    def __init__(self, answers):
        super().__init__(daemon=True)
        self.answers, self.held = answers, []
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.bind(os.environ["ADHAN_HOTSPOT_SOCKET"])
        self.socket.listen(8)
        self.start()

    def run(self):
        for answer in self.answers:
            line, _ = self.socket.accept()
            if answer is None:
                self.held.append(line)
                continue
            with line, contextlib.suppress(OSError):
                line.sendall(answer)


def playback():
    return json.loads(ctl("status", "--json").stdout).get("playback", {}).get("state")


def alive(word):
    """The processes of this trial that have a word in their arguments."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and word in (entry / "cmdline").read_text().split("\0"):
                found.append(int(entry.name))
        except OSError:
            pass
    return found


def left():
    """The processes that hooks have started and that still run."""
    return [number for word in ("987654", "976543", "976544", "976545") for number in alive(word)]


def end_left():
    for number in left():
        with contextlib.suppress(ProcessLookupError):
            os.kill(number, signal.SIGKILL)


script("note", f'cat > {folder}/document.$1\nenv > {folder}/env.$1\necho "$ADHAND_EVENT $ADHAND_ID $1" >> {events}\n')
# Ignores the signal that asks it to end, and starts another process in its group.
script("hang", "trap '' TERM\nsleep 987654 &\nsleep 987654\n")
script("flood", "while :; do echo flood flood flood flood flood flood flood flood; done\n")
# Ends at once, and leaves a process behind that keeps its outputs open.
script("fork", "sleep 976543 &\n")
# These leave their group as a daemon does: one ends at once, the other one never.
script("daemon", "setsid sh -c 'trap \"\" TERM; sleep 976544' &\nsetsid setsid -f sleep 976544\n")
script("escape", "trap '' TERM\nsetsid -f sleep 976545\nsetsid sleep 976545\n")
script("loose", "true\n", 0o777)
# Hooks have an environment of their own.
by_clock = " ".join(f"{name}={value}" for name, value in CLOCK.items())
script("relay-on", f"{by_clock} date +%s.%N >> {folder}/on-at; echo on >> {folder}/relay\n")
script("relay-off", f"echo off >> {folder}/relay\n")
hook = '[[hook]]\nname = "{0}"\non = {1}\ncommand = {2}\ntimeout = "{3}s"\n'
every = '["preroll", "started", "finished", "stopped", "failed", "missed"]'
table = [("note", every, [f"{folder}/note", "note"], 10), ("hang", '"preroll"', [f"{folder}/hang"], 2),
         ("flood", '"preroll"', [f"{folder}/flood"], 4), ("fork", '"preroll"', [f"{folder}/fork"], 10),
         ("missing", '"preroll"', [f"{folder}/nothing"], 10), ("loose", '"preroll"', [f"{folder}/loose"], 10),
         ("daemon", '"preroll"', [f"{folder}/daemon"], 10), ("escape", '"preroll"', [f"{folder}/escape"], 2),
         ("mute", '"mute-changed"', [f"{folder}/note", "mute"], 10)]
# A pipe of events replaces a remote control.
remote = folder / "remote"
os.mkfifo(remote)
buttons = f'[[button]]\ndevice = "{remote}"\nkey = "KEY_PLAYPAUSE"\nlong-press = "0.8s"\n'
buttons += f'[[button]]\ndevice = "{remote}"\nkey = "KEY_STOPCD"\nshort = "hotspot"\n'
relays = f'[[relay]]\nname = "amplifier"\non = ["{folder}/relay-on"]\noff = ["{folder}/relay-off"]\nlead = "14s"\nlinger = "1s"\n'
(folder / "hooks.toml").write_text("".join(hook.format(name, on, json.dumps(command), limit) for name, on, command,
                                           limit in table) + buttons + relays)
# A place where it is noon now, so that Dhuhr may be called within minutes.
hour = time.gmtime().tm_hour
zone, longitude = f"Etc/GMT{hour - 12:+d}" if hour != 12 else "Etc/GMT", max(-179, min(179, 15 * (12 - hour)))
(folder / "adhand.toml").write_text(
    f'timezone = "{zone}"\n[location]\nname = "Trial"\nlatitude = 21.4\nlongitude = {longitude}\n[audio]\ndevices = ["{DEVICE}"]\n'
    '[debug]\ntriggers = true\n')

# This machine is not a flashed box at first, and becomes one later.
os.environ["ADHAN_HOTSPOT_SOCKET"] = str(folder / "hotspot.sock")

try:
    checked = once("--check")
    expect("--check names a button that asks for a network of a box that this is not", "no flashed box" in checked.stderr, checked)
    expect("--check names what cannot be run", checked.returncode == 1 and "chmod go-w" in checked.stderr and "nothing\"" in checked.stderr,
           checked)
    printed = once("--print-config")
    expect("--print-config prints it", printed.returncode == 0 and "amplifier" in printed.stdout, printed)
    called = adhand()
    plain = trigger("fajr", 12)
    ctl("stop")
    expect("silence before the hooks come",
           until(lambda: json.loads(ctl("status", "--json").stdout).get("playback", {}).get("state") == "idle", 10),
           ctl("status", "--json").stdout)
    hooked = hooks()
    expect("relays are switched off at the start", until(lambda: relay() == ["off"], 10), relay())

    # A regular announcement: the agenda lists its time long before it is cued.
    due = (int(time.time()) // 60 + 1) * 60
    due += 60 if due - time.time() < 25 else 0
    shown = time.strftime("%H:%M", time.gmtime(due + 3600 * (12 - hour)))
    asked = ctl("exception", "today", "dhuhr", shown)
    expect("Dhuhr is called in a moment", asked.returncode == 0, asked.stdout + asked.stderr)
    # On a Friday it is that day's jumua.
    noon = "jumua" if time.gmtime(due + 3600 * (12 - hour)).tm_wday == 4 else "dhuhr"
    expect("the relay is on before it", until(lambda: relay() == ["off", "on"], due - time.time() + 2), relay())
    lead = due - float((folder / "on-at").read_text().split()[-1])
    expect("by its lead, earlier than the cue", 13.5 < lead <= 14.1, lead)
    until(lambda: started(noon), 20)
    expect("and the adhan in time", started(noon) and started(noon)[-1]["latenessMs"] < plain + MOST_LATE, started(noon))
    ctl("stop")
    expect("and the relay off", until(lambda: relay() == ["off", "on", "off"], 20), relay())
    expect("what hung is ended before the next", until(lambda: not alive("987654") and not alive(f"{folder}/flood"), 10))
    for file in (events, folder / "relay"):
        file.unlink()
    (folder / "relay").write_text("off\n")
    before = len(log.read_text())

    late = trigger("asr", 13)
    expect("the adhan is not late beside hooks that hang and flood", late is not None and plain is not None and late < plain + MOST_LATE,
           (plain, late))
    expect("its hooks have run", until(lambda: [event for event, _, name in runs() if name == "note"][:2] == ["preroll", "started"], 20),
           runs())
    expect("the relay was on", until(lambda: relay()[:2] == ["off", "on"], 5), relay())
    ctl("stop")
    expect("and is off when it is over", until(lambda: relay() == ["off", "on", "off"], 20), relay())
    variables = dict(line.split("=", 1) for line in (folder / "env.note").read_text().splitlines())
    own = {name for name in variables if name not in ("PWD", "SHLVL", "_", "OLDPWD")}
    expect("the environment is fixed", len(own) == 13 and variables["ADHAND_PRAYER"] == "asr" and variables["ADHAND_PRETENDED"] == "1",
           variables)
    document = json.loads((folder / "document.note").read_text())
    expect("the document is on standard input",
           document["event_type"] == variables["ADHAND_EVENT"] and document["id"] == variables["ADHAND_ID"], document)
    expect("what hung is ended with all that it started", until(lambda: not alive("987654"), 10), alive("987654"))
    expect("and what was left behind as well", not alive("976543"), alive("976543"))
    expect("what left its group as well", not left(), left())
    expect("the flood is ended", until(lambda: not alive(f"{folder}/flood"), 10), alive(f"{folder}/flood"))
    written = log.read_text()[before:]
    expect("the journal says what failed", all(word in written for word in
           ('hook "hang": it took longer than 2s', 'hook "flood": it took longer than 4s', "nothing\" cannot be run",
            "may be written by others")), written)
    expect("and has little of the flood", written.count("flood") * 6 <= 4096 + 1000, written.count("flood"))

    ctl("mute", "--for", "1m")
    ctl("unmute")
    expect("mute-changed has its hook, each time", until(lambda: [row[0] for row in runs()].count("mute-changed") == 2, 10), runs())

    # adhand is killed shortly before it calls, and restarts. A hook runs once for each event.
    ctl("debug", "trigger", "fajr", "--in", "14s")
    expect("fajr is cued", until(lambda: any("fajr" in " ".join(row) and row[0] == "preroll" for row in runs()), 20), runs())
    called.kill()
    called.wait(30)
    called = adhand()
    time.sleep(15)
    ctl("stop")
    time.sleep(1)
    rows = [row for row in runs() if "fajr" in " ".join(row)]
    expect("no hook has run twice for one event over a restart", len(rows) == len(set(rows)), rows)
    expect("adhand away and back: the relay is off at last", until(lambda: relay()[-1] == "off", 60), relay())

    # A button: ten times from the press to silence, and a long press that skips the next adhan.
    times = []
    for _ in range(10):
        ctl("debug", "trigger", "isha", "--in", "1s")
        if not until(lambda: playback() == "playing", 15):
            break
        begun = time.monotonic()
        press(0.05)
        until(lambda: playback() != "playing", 5)
        times.append(time.monotonic() - begun)
    expect("a press is silence within a second", len(times) == 10 and max(times) <= 1, times)
    print("        " + ", ".join(f"{seconds * 1000:.0f}" for seconds in sorted(times)) + " ms from the press, with the question for it")
    # A key that was held before the service started does nothing when it is released, and a press without a release does not
    # count.
    mute = lambda: json.loads(ctl("status", "--json").stdout)["mute"]
    key([(1, 164, 0)])
    key([(1, 164, 1)])
    key([(0, 3, 0)])
    time.sleep(1.5)
    key([(1, 164, 0)])
    time.sleep(0.5)
    expect("neither a release alone nor a press of which changes were lost asks for anything", not mute()["active"], mute())
    press(1.2)
    expect("a long press leaves out the next adhan", until(lambda: mute()["active"] and mute().get("scope") == "next", 5), mute())
    ctl("unmute")
    # The box's own network: on another machine, on a box that does not answer or answers with junk, and on one that answers.
    press(0.05, 166)
    expect("a press that asks for a network of a box that this is not says so", journal("hotspot: this is no flashed box"), log)
    good = {"outcome": "coming", "network": "adhan-1a2b3c", "message": "within two minutes\x1b[31m"}
    Box([None, b"", b"x" * 100_000, json.dumps(good).encode() + b"\n"])
    press(0.05, 166)
    press(1.2)
    expect("a box that does not answer holds up no other press", until(lambda: mute()["active"], 3), mute())
    expect("  and is given up", journal("hotspot: no answer on"), log)
    ctl("unmute")
    press(0.05, 166)
    expect("one that answers nothing is reported", journal("hotspot: the box did not answer"), log)
    press(0.05, 166)
    time.sleep(1)
    press(0.05, 166)
    expect("after rubbish the next answer counts", journal("hotspot: within two minutes"), log)
    expect("  and is written as text", "\x1b" not in log.read_text(), log)
    expect("a box has the words valid", "no flashed box" not in once("--check").stderr)
    until(lambda: relay()[-1] == "off", 30)

    # adhan-hooks is killed while the relay is on. The next run switches it off.
    ctl("debug", "trigger", "maghrib", "--in", "12s")
    expect("the relay is on again", until(lambda: relay()[-1] == "on", 20), relay())
    hooked.kill()
    hooked.wait(30)
    # Kills the process group, as the unit does with KillMode=control-group.
    end_left()
    late = started("maghrib")[-1]["latenessMs"] if until(lambda: started("maghrib"), 20) else None
    expect("killed hooks delay nothing", late is not None and late < plain + MOST_LATE, late)
    expect("adhan-hooks off switches it off", once("off").returncode == 0 and relay()[-1] == "off", relay())
    ctl("stop")
    count = len(relay())
    hooked = hooks()
    expect("and so does every start", until(lambda: relay()[count:][:1] == ["off"] and relay()[-1] == "off", 10), relay())

    # The service is stopped while the relay is on, and while a program runs that has left its group.
    ctl("debug", "trigger", "isha", "--in", "12s")
    expect("on before isha", until(lambda: relay()[-1] == "on" and alive("976545"), 20), relay())
    hooked.terminate()
    expect("an end in order switches it off", hooked.wait(10) == 0 and relay()[-1] == "off", relay())
    expect("and leaves nothing behind", not left(), left())

    # A hook that is stopped blocks no other hook.
    hooked = hooks()
    time.sleep(1)
    hooked.send_signal(signal.SIGSTOP)
    late = trigger("jumua", 12)
    expect("stopped hooks delay nothing", late is not None and late < plain + MOST_LATE, late)
    hooked.send_signal(signal.SIGCONT)
    ctl("stop")

    text = (folder / "hooks.toml").read_text()
    (folder / "hooks.toml").write_text(text + "wrong = 1\n")
    hooked.send_signal(signal.SIGHUP)
    expect("a mistake at a reload changes nothing", until(lambda: "what was in force stays so" in log.read_text(), 5))
    (folder / "hooks.toml").write_text(text.split("[[relay]]")[0])
    hooked.send_signal(signal.SIGHUP)
    expect("a file without a relay switches it off", until(lambda: "is in force" in log.read_text() and relay()[-1] == "off", 10), relay())
    ran = once("run", "finished", "--prayer", "asr")
    expect("run prints each result", ran.returncode == 0 and "note: done" in ran.stdout, ran)
    ran = once("run", "preroll")
    expect("and is 1 where one fails", ran.returncode == 1 and "missing: " in ran.stdout, ran)
    expect("a wrong event is wrong usage",
           (once("run", "finnished").returncode, "did you mean finished?" in once("run", "finnished").stderr) == (64, True))
    (folder / "hooks.toml").write_text("[[hook]]\nname = 1\n")
    expect("a mistake in the file is 65", once("--check").returncode == 65)
    print(f"        {resident(hooked):.1f} MB resident; late {plain} ms without hooks, {late} ms beside them")
    expect("it ends in order", hooked.terminate() or hooked.wait(10) == 0)
finally:
    status = house.end()
    end_left()
sys.exit(status)
