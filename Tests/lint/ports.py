#!/usr/bin/env python3
"""Checks that each port is one constant of the sources, or one line of a unit, and that all other places agree with it."""

import re
import sys
from pathlib import Path

CONSTANTS = [Path("Sources", name) for name in ("ScreenPlan/ScreenPort.swift", "Texts/PhonePage.swift",
                                                "FleetPlan/FleetConfig.swift")]
CONSTANT = re.compile(r"static let (page|touch|port|standardListen)(?:: UInt16)? = (?:\"127\.0\.0\.1:)?(\d{4})\"?$", re.M)
constants = {name: port for file in CONSTANTS for name, port in CONSTANT.findall(file.read_text())}
problems = [] if len(constants) == 4 else [f"the constants are {constants}"]
# The port for the screens of the network is in no program, because its socket is passed in.
UNITS = {"adhan-display-lan.socket": "8788", "adhan-remote.socket": constants.get("port")}
said = {
    "systemd/adhan-remote.dnssd": (r"^Port=(\d+)$", constants.get("port")),
    "systemd/adhan-display.socket": (r"^ListenStream=127\.0\.0\.1:(\d+)$", constants.get("page")),
    "Resources/display/kiosk.json": (r"http://127\.0\.0\.1:(\d+)\"", constants.get("page")),
    "Resources/display/page/touch.js": (r"http://127\.0\.0\.1:(\d+)/touch", constants.get("touch")),
} | {f"systemd/{name}": (r"^ListenStream=(\d+)$", port) for name, port in UNITS.items()}
for name, (pattern, port) in said.items():
    found = re.findall(pattern, Path(name).read_text(), re.M)
    if found != [port]:
        problems.append(f"{name} has the ports {found}, not {port}")
ports = "|".join({*constants.values(), *UNITS.values()})
for file in sorted(Path("Sources").rglob("*.swift")):
    # The slashes of an address begin no comment.
    text = re.sub(r"(?m)(?:^|[ \t])//.*$", "", file.read_text())
    text = CONSTANT.sub("", text) if file in CONSTANTS else text
    for number, line in enumerate(text.split("\n"), 1):
        if re.search(rf"\b({ports})\b", line):
            problems.append(f"{file}:{number}: a port that is a constant elsewhere: {line.strip()}")
print("\n".join(problems), end="\n" if problems else "")
sys.exit(1 if problems else 0)
