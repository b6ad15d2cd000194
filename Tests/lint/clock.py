#!/usr/bin/env python3
"""Checks that every use of the wall clock outside the pure modules has a reason in clock.txt why a wrong clock does no harm."""

import re
import sys
from pathlib import Path

LIST = Path(__file__).with_suffix(".txt")
# Modules that write to the disk, or decide for those that do.
MODULES = ("adhand", "adhan-companion", "adhan-remote", "adhan-bridge", "adhan-hooks", "adhan-fleet", "Host", "LogStore", "DisplayFeed")
LOOK = re.compile(r"WallClock\.now\(\)|\bnow: Instant\b")

known = {}
for line in LIST.read_text().split("\n"):
    if line and not line.startswith("#"):
        name, uses, _reason = line.split(None, 2)
        known[name] = int(uses)
found = {}
for module in MODULES:
    for file in Path("Sources", module).rglob("*.swift"):
        code = [line for line in file.read_text().split("\n") if not line.lstrip().startswith("//")]
        uses = sum(len(LOOK.findall(line)) for line in code)
        if uses:
            found[str(file.relative_to("Sources"))] = uses

problems = [
    f"Sources/{name} looks at the wall clock {uses} times, known are {known.get(name, 0)}. Does anything go wrong there for good when the "
    f"clock is ten years ahead for one start? If not, write why into {LIST.name}."
    for name, uses in sorted(found.items()) if uses > known.get(name, 0)
]
problems += [f"{name} no longer looks at the wall clock: take it out of {LIST.name}" for name in sorted(known) if name not in found]
if len(found) < 12:
    problems.append(f"{len(found)} files were found: the pattern of this script does not fit")
print("\n".join(problems), end="\n" if problems else "")
sys.exit(1 if problems else 0)
