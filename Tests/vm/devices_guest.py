#!/usr/bin/env python3
"""Runs the trials of devices.py inside the virtual machine, as root under its systemd: a simulated GPIO chip, television and
keys beside a real adhand and the installed units. Prints for the host one JSON object a line with the trial and its result."""
import grp
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import ends
from made_up import CHIPS, Chip, Keys, Television, run

PLAYPAUSE, STOPCD = 164, 166
ADHAND = """
timezone = "Asia/Riyadh"
[location]
name = "Test Island"
latitude = 0.0
longitude = 45.0
[audio]
devices = ["plughw:0"]
[adhan]
sound = ["standard", "standard", "standard", "standard", "standard", "standard", "standard", "standard", "standard", "standard",
         "standard", "standard", "standard", "standard", "standard", "standard"]
[debug]
triggers = true
"""
HOOKS = """
[[relay]]
name = "amplifier"
chip = "{chip}"
line = 3
lead = "8s"
linger = "2s"
[[relay]]
name = "low"
chip = "{chip}"
line = 5
active-low = true
lead = "8s"
linger = "2s"
[cec]
device = "{cec}"
lead = "8s"
linger = "2s"
[[button]]
device = "{keys}"
key = "KEY_PLAYPAUSE"
long-press = "1.5s"
[[button]]
chip = "{chip}"
line = 1
short = "stop"
long = "mute:2h"
"""


def report(kind, **what):
    print(json.dumps({"kind": kind, **what}), flush=True)


def result(tried, good, seen=""):
    report("result", tried=tried, seen=str(seen)[-700:], good=bool(good))


def until(condition, seconds):
    """The seconds that it took; None if it did not come."""
    begun = time.monotonic()
    return time.monotonic() - begun if ends.until(condition, seconds, pause=0.02) else None


def journal():
    return run("journalctl", "-u", "adhan-hooks", "-o", "cat", "--no-pager")


def status():
    try:
        return json.loads(run("adhanctl", "status", "--json"))
    except ValueError:
        return {}


def playing():
    return status().get("playback", {}).get("state") == "playing"


def idle():
    return status().get("playback", {}).get("state") == "idle"


def group(path):
    return grp.getgrgid(os.stat(path).st_gid).gr_name


def pid():
    return int(run("systemctl", "show", "-P", "MainPID", "adhan-hooks"))


def call(prayer="asr"):
    run("adhanctl", "debug", "trigger", prayer, "--in", "15s")
    return until(playing, 60)


def main():
    run("mount", "-t", "configfs", "none", "/sys/kernel/config")
    for module in ("configfs", "gpio-sim", "uinput", "vivid"):
        run("modprobe", module)
    run("mount", "-t", "configfs", "none", "/sys/kernel/config")
    for name in ("adhand", "adhan-hooks"):
        run("systemd-sysusers", f"/usr/lib/sysusers.d/{name}.conf")
    run("systemd-tmpfiles", "--create")
    # The same steps as the package's installation.
    os.utime("/usr/lib/udev/rules.d/70-adhan-hooks.rules")
    reloaded = run("udevadm", "control", "--reload") + run("udevadm", "trigger", "--action=change", "--subsystem-match=gpio",
                                                           "--subsystem-match=input")
    run("udevadm", "settle")
    if not CHIPS.exists():
        return result("the kernel makes up a GPIO chip", False, run("modprobe", "gpio-sim") + run("dmesg"))
    chip = Chip("trial")
    keys, board = Keys("Trial remote", [PLAYPAUSE, STOPCD]), Keys("Trial board", range(1, 84))
    television = Television()
    result("a chip, keys and a television are there", television.path and keys.path, (chip.path, keys.path, television.seen))
    groups = {name: group(path) for name,
              path in (("chip", chip.path), ("keys", keys.path), ("board", board.path), ("cec", television.path or "/dev/null"))}
    if groups["chip"] != "adhan-hooks":
        log = run("journalctl", "-u", "systemd-udevd", "-o", "cat", "--no-pager")[-800:]
        tested = run("udevadm", "test", "/sys/class/input/" + keys.path.split("/")[-1])[-1500:]
        report("log", line=reloaded + run("getent", "group", "adhan-hooks") + log + tested)
    result("the rule of udev gives chip and keys, and no keyboard",
           groups == {"chip": "adhan-hooks", "keys": "adhan-hooks", "board": "input", "cec": "video"}, groups)

    Path("/etc/adhand/adhand.toml").write_text(ADHAND)
    # Its number changes if it is unplugged while one of its lines is in use; its path does not.
    places = sorted(str(path) for path in Path("/dev/gpio/by-path").glob("*") if os.path.realpath(path) == chip.path)
    result("the chip has a name by its place", places, (chip.path, run("ls", "-l", "/dev/gpio/by-path")))
    place = places[0] if places else chip.path
    Path("/etc/adhand/hooks.toml").write_text(HOOKS.format(chip=place, keys=keys.path, cec=television.path or "/dev/cec0"))
    checked = subprocess.run(["adhan-hooks", "--check"], capture_output=True, text=True, check=False, timeout=60)
    result("adhan-hooks --check finds everything", checked.returncode == 0, checked.stdout + checked.stderr)
    television.standby()
    result("the television is in standby", until(lambda: television.is_on() is False, 20) is not None,
           television.ask("--give-device-power-status"))
    run("systemctl", "start", "adhand.service", "adhan-hooks.service")
    until(lambda: status(), 60)
    held = until(lambda: chip.value(5) == 1 and chip.value(3) == 0, 30)
    result("the relays are off at the start, one of them high", held is not None, (chip.value(3), chip.value(5), journal()))
    time.sleep(5)
    called = call()
    result("on before the first sound", called and chip.value(3) == 1 and chip.value(5) == 0,
           (called, chip.value(3), chip.value(5), journal()))
    result("and the television", until(lambda: television.is_on() is True, 20) is not None,
           television.ask("--give-device-power-status") + journal())
    keys.press(PLAYPAUSE, 0.1)
    took = until(idle, 30)
    result("a short press of a key: silence", took is not None, f"{took} s, of which an emulated machine needs most to be asked")
    off = until(lambda: chip.value(3) == 0 and chip.value(5) == 1, 20)
    result("off the linger after it", off is not None, (off, journal()))
    result("the television that was woken is back in standby", until(lambda: television.is_on() is False, 20) is not None,
           television.ask("--give-device-power-status"))

    call()
    chip.pull(1, False)
    time.sleep(0.2)
    chip.pull(1, True)
    took = until(idle, 30)
    result("a button at a line: silence", took is not None, (took, journal()))
    chip.pull(1, False)
    time.sleep(2.2)
    chip.pull(1, True)
    result("held for long: muted for two hours", until(lambda: status().get("mute", {}).get("active"), 10) is not None,
           (status().get("mute"), journal()))
    run("adhanctl", "unmute")
    keys.press(PLAYPAUSE, 2.0)
    result("a key that is held: the next adhan is not called",
           until(lambda: status().get("mute", {}).get("scope") == "next", 10) is not None, status().get("mute"))
    run("adhanctl", "unmute")

    call()
    until(lambda: chip.value(3) == 1, 10)
    os.kill(pid(), 9)
    released = until(lambda: chip.value(3) == 0, 10)
    result("killed while it is on: the kernel gives the line back", released is not None and released < 2, released)
    back = until(lambda: chip.value(3) == 1, 30)
    result("and started again it goes on with the sound", back is not None, (back, journal()))
    run("adhanctl", "stop")
    until(lambda: chip.value(3) == 0, 20)

    call()
    until(lambda: chip.value(3) == 1, 10)
    chip.go()
    told = until(lambda: "could not be switched on" in journal(), 60)
    result("the chip is pulled out: the journal says so", told is not None, (told, journal()))
    late = playing()
    chip.come()
    chip.pull(1, True)
    back = until(lambda: chip.value(3) == 1, 60)
    result("and put back it is on again", back is not None and late, (back, late, journal()))
    result("the adhan goes on meanwhile", playing(), status().get("playback"))
    found = until(lambda: "line 1 of" in journal() and "is back" in journal(), 60)
    chip.pull(1, False)
    time.sleep(0.2)
    chip.pull(1, True)
    result("its button is read again", until(idle, 30) is not None, (found, journal()))
    until(lambda: chip.value(3) == 0, 20)

    keys.go()
    gone = until(lambda: "is gone; it is tried again" in journal(), 20)
    result("keys that are pulled out are reported", gone is not None, journal())
    keys = Keys("Trial remote", [PLAYPAUSE, STOPCD])
    text = Path("/etc/adhand/hooks.toml").read_text()
    result("and taken again where they come back",
           until(lambda: "KEY_PLAYPAUSE" in journal().split("is gone")[-1] and "is back" in journal().split("is gone")[-1], 40) is not None,
           journal())

    run("systemctl", "stop", "adhan-hooks")
    other = chip.hold(3, "somebody")
    checked = subprocess.run(["adhan-hooks", "--check"], capture_output=True, text=True, check=False, timeout=60)
    result("a line that is in use is reported with its user", checked.returncode == 1 and "in use by \"somebody\"" in checked.stderr,
           checked)
    run("systemctl", "start", "adhan-hooks")
    result("and the service goes on without it", until(lambda: "in use by \"somebody\"" in journal() and chip.value(5) == 1,
                                                       20) is not None, journal())
    os.close(other)
    result("until it is free", until(lambda: chip.hold_is_refused(3), 60) is not None, journal())

    Path("/etc/adhand/hooks.toml").write_text(text.replace("line = 3", "line = 33"))
    run("systemctl", "reload", "adhan-hooks")
    result("a line that is not there", until(lambda: "has the lines 0 to 7, and no line 33" in journal(), 20) is not None, journal())
    Path("/etc/adhand/hooks.toml").write_text(text.replace(place, "/dev/null"))
    run("systemctl", "reload", "adhan-hooks")
    result("a device that is no chip", until(lambda: "is no GPIO chip" in journal(), 20) is not None or "may not be used" in journal(),
           journal())
    Path("/etc/adhand/hooks.toml").write_text(text.replace(keys.path, board.path))
    run("systemctl", "restart", "adhan-hooks")
    result("a keyboard is not read", until(lambda: f"\"{board.path}\" may not be used by this user" in journal(), 20) is not None,
           journal())
    resident = [line for line in Path(f"/proc/{pid()}/status").read_text().splitlines() if line.startswith("VmRSS")]
    run("systemctl", "stop", "adhan-hooks")
    result("stopped in order, the lines are free", until(lambda: chip.value(3) == 0, 10) is not None,
           (resident, run("systemctl", "--failed", "--no-legend")))
    return None


try:
    main()
except Exception as error:  # pylint: disable=broad-except
    result("the trial itself", False,
           f"{type(error).__name__}: {error} at line {error.__traceback__.tb_next.tb_lineno if error.__traceback__.tb_next else '?'}")
report("done")
sys.stdout.flush()
time.sleep(5)
