#!/usr/bin/env python3
"""Checks the units as they are written: every service that the adhan or the screen needs restarts however often it ends, and for
each there is a trial that ends it. The units of the box's own network have the addresses, names and rights that its other parts
rely on. A package that is purged removes its users.

usage: units.py
"""

import re
import sys
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent.parent
PACKAGE = CHECKOUT / "Tests/package"
# The units that restart or start on a condition, and the trials that test it: functions of Tests/package/*.sh, or other files.
TRIED = {
    "systemd/adhand.service": ["restarted_often", "killed_often", "asked_while_killed", "hung_often", "refused_configuration"],
    "systemd/adhand.socket": ["restarted_often", "killed_often", "asked_while_killed", "stopped"],
    "systemd/adhand-user.service": ["session_killed", "session_setup"],
    "systemd/adhand-user.socket": ["session_killed", "session_setup"],
    "systemd/adhan-display.service": ["display_killed", "display_refused"],
    "systemd/adhan-display.socket": ["display_killed", "display_refused", "display_locked_out"],
    "systemd/adhan-remote.service": ["remote_killed", "remote_refused"],
    "systemd/adhan-remote.socket": ["remote_killed"],
    "systemd/adhan-remote-pairing.socket": ["remote_killed"],
    "systemd/adhan-remote-setup.socket": ["Tests/box/hotspot.py"],
    "systemd/adhan-hotspot-dns.socket": ["box_sockets", "Tests/box/hotspot.py"],
    "systemd/adhan-hotspot-dns.service": ["Tests/box/hotspot.py"],
    "systemd/adhan-intake.socket": ["remote_intake"],
    "systemd/adhan-bridge.service": ["bridge_killed", "bridge_refused"],
    "systemd/adhan-messages.socket": ["messages_asked"],
    "systemd/adhan-messages.path": ["messages_asked"],
    "systemd/adhan-hooks.service": ["hooks_killed", "hooks_refused"],
    "systemd/adhan-fleet.service": ["Tests/fleet/service.sh"],
    "systemd/adhan-fleet-reload.path": ["Tests/fleet/service.sh"],
    "systemd/adhan-fleet-reload.service": ["Tests/fleet/service.sh"],
    "systemd/adhan-companion.service": ["companion_killed"],
    "systemd/again.timer": ["refused_configuration", "display_refused", "remote_refused", "bridge_refused", "hooks_refused",
                            "companion_killed"],
    "systemd/adhan-kiosk.service": ["Tests/display/kiosk.py"],
    "box/units/adhan-box-join.socket": ["box_conditions", "box_sockets"],
    "box/units/adhan-box-hotspot-ask.socket": ["box_conditions", "Tests/box/hotspot.py"],
    "box/units/adhan-box-hotspot-ask@.service": ["box_conditions", "Tests/box/hotspot.py"],
    "box/drop-ins/adhand.service.conf": ["box_conditions"],
    "box/drop-ins/adhan-remote.service.conf": ["remote_of_box"],
    "box/drop-ins/wpa_supplicant@wlan0.service.conf": ["box_conditions"],
}
# The exact settings of the box's own network, on which phones, documents and other parts rely. Each key has these values and no
# others.
WRITTEN = {
    "systemd/adhan-remote-setup.socket": {
        "Socket": {"ListenStream": ["10.77.77.1:80"], "FreeBind": ["yes"], "BindToDevice": ["wlan0"], "FileDescriptorName": ["setup"],
                   "Service": ["adhan-remote.service"]}},
    "systemd/adhan-hotspot-dns.socket": {
        "Unit": {"BindsTo": ["adhan-box-hotspot.service"], "PartOf": [], "After": []},
        "Socket": {"ListenDatagram": ["10.77.77.1:53"], "FreeBind": ["yes"], "BindToDevice": ["wlan0"]}},
    "box/units/adhan-box-join.socket": {
        "Unit": {"BindsTo": ["adhan-box-hotspot.service"], "PartOf": [], "After": []},
        "Socket": {"ListenStream": ["/run/adhan-box/join.sock"], "SocketUser": ["root"], "SocketGroup": ["adhan-remote"],
                   "SocketMode": ["0660"], "RemoveOnStop": ["yes"], "Accept": ["yes"]}},
    "box/units/adhan-box-hotspot.service": {"Unit": {"Conflicts": ["wpa_supplicant@wlan0.service"],
                                                     "Wants": ["adhan-box-join.socket adhan-hotspot-dns.socket"]}},
    "box/drop-ins/adhan-remote.service.conf": {"Service": {"Sockets": ["adhan-remote-setup.socket"]}},
    "box/lib/hotspot.network": {
        "Match": {"Name": ["wlan0"]},
        "Network": {"Address": ["10.77.77.1/24"], "DHCPServer": ["yes"]},
        "DHCPServer": {"PoolSize": ["50"], "EmitDNS": ["yes"], "DNS": ["10.77.77.1"], "DefaultLeaseTimeSec": ["10min"],
                       "MaxLeaseTimeSec": ["10min"]}},
}
# The conditions of the box's own units are one row.
BOX_UNITS = "box_conditions"

problems = []


def settings(text):
    """(section, key, value) of each line; a later line of the same key does not hide an earlier one."""
    section = ""
    for line in text.splitlines():
        line = line.strip()
        if line.startswith("["):
            section = line.strip("[]")
        elif line and line[0] not in "#;" and "=" in line:
            key, value = line.split("=", 1)
            yield section, key.strip(), value.strip()


def values(lines, key):
    return [value for _, name, value in lines if name == key]


def look(file, is_unit):
    name = str(file.relative_to(CHECKOUT))
    lines = list(settings(file.read_text()))

    def wrong(what):
        problems.append(f"{name}: {what}")

    comes_back = bool(values(lines, "Restart")) or bool(values(lines, "ListenStream"))
    # An instance for each connection never restarts.
    if not name.endswith("@.service") or comes_back or name.startswith("box/"):
        if (is_unit or comes_back) and values(lines, "StartLimitIntervalSec") != ["0"]:
            wrong("has a start limit: StartLimitIntervalSec=0 is missing under [Unit]")
        if any(key == "StartLimitIntervalSec" and section != "Unit" for section, key, _ in lines):
            wrong("has StartLimitIntervalSec= outside [Unit], where it says nothing")
    for key in ("StartLimitBurst", "StartLimitAction", "StartLimitInterval"):
        if values(lines, key):
            wrong(f"has {key}=")
    if file.suffix == ".socket" and "0" not in values(lines, "TriggerLimitBurst") and not is_brought_back(file, lines):
        wrong("gives its address up after too many connections in vain, and its service does not bring it back (Wants=, Requires=, "
              "WantedBy=)")
    one_shot = values(lines, "Type") == ["oneshot"]
    if is_unit and file.suffix == ".service" and not one_shot and "@." not in file.name and values(lines, "Restart") != ["always"]:
        wrong("ends for good when it ends by itself: Restart=always is missing")
    if values(lines, "RestartPreventExitStatus"):
        program = file.stem.removesuffix("-user")
        if f"{program}-again.timer" not in " ".join(values(lines, "Wants")).split():
            wrong(f"ends for good with a status of RestartPreventExitStatus=: Wants={program}-again.timer is missing")
    if any(key.startswith(("Restart", "StartLimit", "Condition", "TriggerLimit")) for _, key, _ in lines):
        tried = TRIED.get(name) or ([BOX_UNITS] if name.startswith("box/units/") else [])
        if not tried and not name.startswith("systemd/adhan-touch") and not name.endswith("-lan.socket"):
            wrong("no trial is named in which it ends and comes back: TRIED in Tests/package/units.py")
        for trial in tried:
            if not has_trial(trial):
                wrong(f"the trial {trial} is not there")


def look_at_words():
    for name, sections in WRITTEN.items():
        lines = list(settings((CHECKOUT / name).read_text()))
        for section, keys in sections.items():
            for key, expected in keys.items():
                found = [(place, value) for place, other, value in lines if other == key]
                if found != [(section, value) for value in expected]:
                    problems.append(f"{name}: {key}= is {found}, not {expected} under [{section}]")


def is_brought_back(file, lines):
    service = (values(lines, "Service") or [f"{file.stem.removesuffix('-user')}.service"])[0]
    if service in " ".join(values(lines, "WantedBy")).split():
        return True
    source = file.with_name(service.replace(".service", "-user.service")) if "-user" in file.stem else file.with_name(service)
    wanted = " ".join(values(list(settings(source.read_text())), "Wants") + values(list(settings(source.read_text())), "Requires")).split()
    return file.name.replace("-user", "") in wanted


def look_at_users(file):
    """A package that is purged leaves no user."""
    package = "adhand" if file.stem == "adhand" else file.stem.replace("adhan-", "adhand-")
    removed = (CHECKOUT / f"debian/{package}.postrm").read_text()
    for name in re.findall(r"^u (\S+)", file.read_text(), re.M):
        if not re.search(rf"\buserdel {name}\b|for name in[^;]*\b{name}(?=[ ;])", removed):
            problems.append(f"debian/{package}.postrm does not remove the user {name}")


def has_trial(name):
    if "/" in name:
        return (CHECKOUT / name).exists()
    written = "".join(file.read_text() for file in sorted(PACKAGE.glob("*.sh")))
    return re.search(rf"^{name}\(\) ", written, re.M) is not None and re.search(rf"^ +is .*\b{name}$", written, re.M | re.S) is not None


def main():
    units = [file for folder in ("systemd", "box/units") for file in sorted((CHECKOUT / folder).iterdir())
             if file.suffix in (".service", ".socket", ".timer", ".path")]
    for file in units:
        look(file, True)
    drop_ins = [file for file in sorted((CHECKOUT / "box/drop-ins").iterdir()) if ".service" in file.name]
    for file in drop_ins:
        look(file, False)
    look_at_words()
    for file in sorted((CHECKOUT / "systemd").glob("*.sysusers")):
        look_at_users(file)
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{len(units)} units and {len(drop_ins)} drop-ins, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
