#!/usr/bin/env python3
"""Checks that the phone page uses every phrase of its languages. LanguageTests and PageTests compare the languages with each
other."""

import json
import re
import sys
from pathlib import Path

# Keys that are composed of a part and a value, and those of roles.
MADE = ("outcome-", "verdict-", "hijri-", "show-", "replace-", "setup-", "asr-", "clock-", "dates-", "finding-", "join-")
english = json.loads(Path("Resources/display/page/languages/en.json").read_text())["remote"]
source = "".join(file.read_text() for file in Path("Sources/PhoneRules/Pages").rglob("*.swift"))
# Cases of an enum whose names are keys of the tables.
named = {name for line in re.findall(r"^\s*case ([a-z, A-Z]+)$", source, re.M) for name in line.split(", ")}
roles = ("household", "keeper")
unused = [key for key in english if f'"{key}"' not in source and not key.startswith(MADE) and key not in roles and key not in named]
problems = [f"no page uses the phrase \"{key}\"" for key in unused]
if len(english) < 90:
    problems.append(f"{len(english)} phrases: this script does not fit")
print("\n".join(problems), end="\n" if problems else "")
sys.exit(1 if problems else 0)
