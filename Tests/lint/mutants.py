#!/usr/bin/env python3
"""Checks that every mutant in mutants.json still applies to the sources: its text occurs once in its file, and its tests
exist."""

import json
import sys
from pathlib import Path

mutants = json.loads(Path("Tests/mutants/mutants.json").read_text())
problems = [f"two mutants are called \"{m['name']}\"" for i, m in enumerate(mutants) if m["name"] in {n["name"] for n in mutants[:i]}]
if len(mutants) < 60:
    problems.append(f"{len(mutants)} mutants: some are lost")
for mutant in mutants:
    file = Path("Sources", mutant["file"])
    there = file.read_text().count(mutant["old"]) if file.exists() else 0
    if there != 1 or mutant["new"] == mutant["old"]:
        problems.append(f"\"{mutant['name']}\": its text is {there} times in {file}, once is needed")
print("\n".join(problems), end="\n" if problems else "")
sys.exit(1 if problems else 0)
