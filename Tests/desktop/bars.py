#!/usr/bin/env python3
"""Tests what real status bars show of the companion: polybar, i3blocks, conky, tmux and waybar. `make desktop-rig` runs it.

usage: bars.py BUILD-DIRECTORY [PICTURES]

The first four write what they show as text. Waybar draws on a compositor without a screen, and its picture goes to the directory
PICTURES (default: dist/desktop), to be looked at; that its colour is the one of the style for the class is checked.
"""
import json
import os
import pathlib
import pwd
import re
import shutil
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
PLACE = 'timezone = "America/New_York"\n[location]\nname = "Queens"\nlatitude = 40.7282\nlongitude = -73.7949\n'
# `Asr 15:00 in 1 h 24 min`, or `Asr 15:00 now` for the first ten minutes.
SHOWN = re.compile(r"(Fajr|Dhuhr|Jumu'ah|Asr|Maghrib|Isha) \d\d:\d\d (now|in (\d+ h ?)?(\d+ min|\d+ s)?)")


def line(text):
    """The last line of a bar's output that contains a prayer."""
    return next((line.strip() for line in reversed(text.splitlines()) if SHOWN.search(line)), "")


class Room:
    """A user's home, for the duration of a bar."""

    def __init__(self):
        self.directory = tempfile.TemporaryDirectory()
        self.home = pathlib.Path(self.directory.name)
        for name in ("config/adhand", "run"):
            (self.home / name).mkdir(parents=True)
        (self.home / "run").chmod(0o700)
        (self.home / "config/adhand/adhand.toml").write_text(PLACE)
        # The folder of the build may be closed to other users.
        self.companion = shutil.copy(BUILD / "adhan-companion", self.home / "adhan-companion")
        self.environment = {
            "PATH": "/usr/bin:/bin", "HOME": str(self.home), "XDG_CONFIG_HOME": str(self.home / "config"),
            "XDG_DATA_HOME": str(self.home / "data"), "XDG_RUNTIME_DIR": str(self.home / "run"),
            "ADHAND_SOCKET": str(self.home / "nobody.sock"), "LC_ALL": "C.UTF-8", "TERM": "xterm"}
        self.processes = []

    def command(self, form, *options):
        return " ".join([str(self.companion), "next", "--format", form, *options])

    def write(self, name, text):
        (self.home / name).write_text(text)
        return str(self.home / name)

    def start(self, *command, environment=None, before=None):
        log = open(self.home / f"log{len(self.processes)}", "w+")
        self.processes.append(subprocess.Popen(
            command, env=self.environment | (environment or {}), stdout=log, stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL, preexec_fn=before))
        return lambda: pathlib.Path(log.name).read_text(errors="replace")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in reversed(self.processes):
            process.terminate()
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait(30)
        self.directory.cleanup()


def screen(room):
    read, write = os.pipe()
    room.processes.append(subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", "1000x200x24", "-nolisten", "tcp"], pass_fds=[write],
        stderr=subprocess.DEVNULL))
    os.close(write)
    with os.fdopen(read) as pipe:
        room.environment["DISPLAY"] = ":" + ends.line(pipe, "Xvfb").strip()


with Room() as room:
    screen(room)
    config = room.write("polybar.ini", f"""
[bar/one]
width = 100%
height = 24
modules-right = prayers
font-0 = monospace:size=10
[module/prayers]
type = custom/script
exec = {room.command("polybar", "--count", "3", "--follow")}
tail = true
""")
    output = room.start("polybar", "--stdout", "-c", config, "one")
    is_shown = until(lambda: line(output()))
    expect(f"polybar: {line(output())}", is_shown)

with Room() as room:
    config = room.write("i3blocks", f"""
[once]
command={room.command("i3blocks", "--count", "2")}
interval=1
[follow]
command={room.command("i3blocks", "--follow")}
interval=persist
""")
    output = room.start("i3blocks", "-c", config)

    def blocks():
        lines = [text.lstrip(",[") for text in output().splitlines() if text.startswith((",[", "[["))]
        try:
            return [block for block in json.loads("[" + lines[-1]) if block["full_text"]] if lines else []
        except json.JSONDecodeError:
            return []

    is_shown = until(lambda: len(blocks()) == 2 and all(SHOWN.search(block["full_text"]) for block in blocks()))
    expect(f"i3blocks: {[block['full_text'] for block in blocks()]}", is_shown)

with Room() as room:
    screen(room)
    config = room.write("conky.conf", f"""
conky.config = {{ out_to_console = true, out_to_x = false, update_interval = 1 }}
conky.text = [[${{execi 10 {room.command("conky", "--count", "3")}}}]]
""")
    output = room.start("stdbuf", "-oL", "conky", "-c", config)
    is_shown = until(lambda: "Prayed today: 0 of 5" in output() and line(output()))
    expect(f"conky: {line(output())}", is_shown)

with Room() as room:
    config = room.write("tmux.conf", f"""
set -g status-right-length 100
set -g status-interval 1
set -g status-right '#({room.command("tmux")})'
""")
    room.environment["TMUX_TMPDIR"] = str(room.home)
    server = ["tmux", "-L", "bars", "-f", config]
    subprocess.run(server + ["new-session", "-d", "-x", "120", "-y", "10", "sleep 60"], env=room.environment, check=True, timeout=60)
    output = room.start("script", "-qefc", f"stty cols 120 rows 10; {' '.join(server)} attach", "/dev/null")
    is_shown = until(lambda: SHOWN.search(output()))
    expect(f"tmux: {(SHOWN.search(output()) or [''])[0]}", is_shown)
    subprocess.run(server + ["kill-server"], env=room.environment, timeout=60)

with Room() as room:
    nobody = pwd.getpwnam("nobody")
    room.home.chmod(0o755)
    room.write("waybar.json", json.dumps({
        "layer": "top", "modules-center": ["custom/prayers"],
        "custom/prayers": {"exec": room.command("waybar", "--count", "3", "--follow"), "return-type": "json"}}))
    style = "* { font-size: 20px; } window#waybar { background: #000000; }"
    style += "".join(f"#custom-prayers.{name} {{ color: #00ff00; }}" for name in ("upcoming", "soon", "now", "muted"))
    room.write("style.css", style)
    config = room.write(
        "sway", f"output HEADLESS-1 resolution 1000x120\nexec waybar -c {room.home}/waybar.json -s {room.home}/style.css\n")

    def become_nobody():
        os.setgroups([])
        os.setgid(nobody.pw_gid)
        os.setuid(nobody.pw_uid)

    is_root = os.geteuid() == 0
    if is_root:
        # sway does not run as root.
        for path in [room.home, *room.home.rglob("*")]:
            os.chown(path, nobody.pw_uid, nobody.pw_gid)
    wayland = {"WLR_BACKENDS": "headless", "WLR_RENDERER": "pixman", "WLR_LIBINPUT_NO_DEVICES": "1", "LIBSEAT_BACKEND": "noop"}
    output = room.start("sway", "-c", config, environment=wayland, before=become_nobody if is_root else None)
    until(lambda: list((room.home / "run").glob("wayland-?")))
    time.sleep(4)
    shot = str(room.home / "waybar.png")
    display = next((path.name for path in (room.home / "run").glob("wayland-?")), "")
    subprocess.run(["grim", shot], env=room.environment | {"WAYLAND_DISPLAY": display}, timeout=60,
                   preexec_fn=become_nobody if is_root else None)
    colours = subprocess.run(
        ["convert", shot, "-depth", "8", "-format", "%c", "histogram:info:"], capture_output=True, text=True, timeout=60).stdout
    expect("waybar shows it in the class's colour", "#00FF00" in colours)
    PICTURES.mkdir(parents=True, exist_ok=True)
    if os.path.exists(shot):
        shutil.copy(shot, PICTURES / "waybar.png")

print(f"pictures: {PICTURES}")
sys.exit(findings.end())
