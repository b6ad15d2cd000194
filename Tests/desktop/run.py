#!/usr/bin/env python3
"""Tests the companion with a desktop's real notification server: dunst under Xvfb, whose own tool presses the buttons. `make
desktop-rig` runs it.

usage: run.py BUILD-DIRECTORY [PICTURES]

Pictures of what was shown go to the directory PICTURES (default: dist/desktop), to be looked at.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent.parent)]
import ends  # noqa: E402
from ends import until  # noqa: E402
from rig import expect, findings

BUILD = pathlib.Path(sys.argv[1]).resolve()
PICTURES = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else "dist/desktop").resolve()
COMPANION, ADHANCTL = BUILD / "adhan-companion", BUILD / "adhanctl"


def place_with_noon_in(seconds):
    """A configuration with a place on the equator whose dhuhr is this many seconds away."""
    target = time.time() + seconds
    hours = round(12 - target % 86400 / 3600)
    zone = "Etc/GMT" if hours == 0 else f"Etc/GMT{'-' if hours > 0 else '+'}{abs(hours)}"
    longitude = hours * 15.0
    date = time.strftime("%Y-%m-%d", time.gmtime(target + hours * 3600))
    for _ in range(8):
        text = subprocess.run(
            [ADHANCTL, "times", "--date", date, "--latitude", "0", "--longitude", str(longitude), "--timezone", zone,
             "--method", "isna", "--rounding", "none", "--format", "json"], check=True, capture_output=True, text=True, timeout=60).stdout
        noon = json.loads(text)["days"][0]["events"]["dhuhr"]
        at = subprocess.run(["date", "-d", noon, "+%s.%N"], check=True, capture_output=True, text=True, timeout=60).stdout
        longitude -= (target - float(at)) / 240
    return (f'timezone = "{zone}"\n[location]\nname = "Test Island"\nlatitude = 0.0\nlongitude = {longitude}\n'
            '[calculation]\nmethod = "isna"\nrounding = "none"\n')


class Desktop:
    """A screen, a bus, a notification server and a user with a home."""

    def __init__(self, noon_in, server=("dunst",), settings=""):
        self.home = tempfile.TemporaryDirectory()
        home = pathlib.Path(self.home.name)
        (home / "config/adhand").mkdir(parents=True)
        (home / "config/adhand/adhand.toml").write_text(place_with_noon_in(noon_in))
        (home / "config/adhand/companion.toml").write_text(settings)
        # dunst shows a notification's actions in a menu program. This replacement always chooses the same action.
        pick = home / "pick"
        pick.write_text("#!/bin/sh\ngrep -m 1 Prayed\n")
        pick.chmod(0o755)
        (home / "config/dunst").mkdir()
        (home / "config/dunst/dunstrc").write_text(f"[global]\ndmenu = {pick}\n")
        read, write = os.pipe()
        self.processes = [subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", "800x400x24", "-nolisten", "tcp"], pass_fds=[write],
            stderr=subprocess.DEVNULL)]
        os.close(write)
        with os.fdopen(read) as pipe:
            display = ends.line(pipe, "Xvfb").strip()
        self.environment = {
            "PATH": "/usr/bin:/bin", "HOME": str(home), "XDG_CONFIG_HOME": str(home / "config"),
            "XDG_DATA_HOME": str(home / "data"), "XDG_RUNTIME_DIR": str(home), "DISPLAY": f":{display}",
            "DBUS_SESSION_BUS_ADDRESS": f"unix:path={home}/bus", "ADHAND_SOCKET": str(home / "nobody.sock"),
            "LC_ALL": "C.UTF-8"}
        self.start("dbus-daemon", "--session", "--nofork", "--nopidfile", f"--address=unix:path={home}/bus")
        names = ("dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.DBus", "/org/freedesktop/DBus",
                 "org.freedesktop.DBus.ListNames")
        # Its socket is there a moment before it listens.
        until(lambda: "org.freedesktop.DBus" in self.ask(*names))
        self.start(*server)
        until(lambda: "org.freedesktop.Notifications" in self.ask(*names))
        self.log = open(home / "said", "w")
        self.start(str(COMPANION), "run", stderr=self.log)

    def start(self, *command, stderr=subprocess.DEVNULL):
        self.processes.append(subprocess.Popen(command, env=self.environment, stderr=stderr, stdout=subprocess.DEVNULL))

    def ask(self, *command):
        return subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=60).stdout

    def shown(self):
        """The number of notifications that dunst shows."""
        return int(self.ask("dunstctl", "count", "displayed").strip() or 0)

    def picture(self, name):
        time.sleep(0.5)
        PICTURES.mkdir(parents=True, exist_ok=True)
        subprocess.run(["import", "-window", "root", PICTURES / f"{name}.png"], env=self.environment, check=True, timeout=60)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in reversed(self.processes):
            process.kill()
            process.wait(30)
        self.home.cleanup()


with Desktop(8, settings="[notifications]\narabic-name = true\nqibla = true\n") as desk:
    expect("dunst shows the prayer", until(lambda: desk.shown() == 1))
    desk.picture("prayer")
    desk.ask("dunstctl", "action", "0")
    expect("a press marks the prayer", until(lambda: ",notification," in desk.ask(str(COMPANION), "export")))
    expect("what is marked is closed", until(lambda: desk.shown() == 0))
    desk.picture("marked")

with Desktop(66, settings='[prayer]\nreminders = ["1m"]\n') as desk:
    expect("dunst shows the reminder", until(lambda: desk.shown() == 1))
    desk.picture("reminder")
    time.sleep(57)
    expect("then the prayer", until(lambda: "Time for" in desk.ask("dunstctl", "history") or desk.shown() == 1))
    expect("in the reminder's place", desk.shown() <= 1)
    desk.picture("replaced")

# For a server without actions, the notification explains how to mark in words, and offers no buttons.
with Desktop(8, server=("/usr/lib/" + os.uname().machine + "-linux-gnu/notify-osd",)) as desk:
    expect("notify-osd knows no actions", "actions" not in desk.ask(
        "dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.Notifications", "/org/freedesktop/Notifications",
        "org.freedesktop.Notifications.GetCapabilities"))
    seen = open(pathlib.Path(desk.home.name) / "seen", "w")
    desk.processes.append(subprocess.Popen(
        ["dbus-monitor", "--session", "interface=org.freedesktop.Notifications,member=Notify"], env=desk.environment,
        stdout=seen))
    notified = lambda: pathlib.Path(seen.name).read_text()
    expect("it explains how to mark", until(lambda: "Mark it with: prayed" in notified()))
    expect("it is given no actions", "Snooze" not in notified())
    desk.picture("without-actions")

print(f"pictures: {PICTURES}")
sys.exit(findings.end())
