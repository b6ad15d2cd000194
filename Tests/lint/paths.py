#!/usr/bin/env python3
"""Checks that every path in a text exists in this checkout, and every type that the documents of the code have in backquotes.
CHANGELOG.md may name former paths."""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import sources  # noqa: E402

NAMED = re.compile(r"(?<![\w/.{}-])(?:Sources|Tests|Benchmarks)/[\w+./-]+\.(?:swift|py|sh|txt|json|c|h|ld)\b(?!/)")
TYPE = re.compile(r"`([A-Z]\w*[a-z]\w*(?:\.[a-zA-Z]\w*)?)`")
CODE = (".swift", ".py", ".sh", ".js", ".c", ".h")
KINDS = (".swift", ".py", ".sh", ".mk", ".md", ".js", ".txt", ".c", ".h")

problems, named = [], 0
for name in sources.names():
    is_text = name.endswith(KINDS) or name == "Makefile"
    if name == "CHANGELOG.md" or "/Fixtures/" in name or not is_text or not Path(name).is_file():
        continue
    for number, line in enumerate(Path(name).read_text().split("\n"), 1):
        for path in NAMED.findall(line):
            named += 1
            if not Path(path).exists():
                problems.append(f"{name}:{number}: there is no {path}")
words = set()
for name in sources.names():
    words.update(re.findall(r"\w+", name))
    if name.endswith(CODE) and Path(name).is_file() and not name.startswith("Tests/lint/"):
        words.update(re.findall(r"\w+", Path(name).read_text()))
for name in sources.names():
    if name not in ("docs/ARCHITECTURE.md", "docs/BUILDING.md"):
        continue
    for number, line in enumerate(Path(name).read_text().split("\n"), 1):
        for quoted in TYPE.findall(line):
            problems += [f"{name}:{number}: there is no {word}" for word in quoted.split(".") if word not in words]
if named < 100:
    problems.append(f"{named} paths were found: the pattern of this script does not fit")
print("\n".join(problems), end="\n" if problems else "")
sys.exit(1 if problems else 0)
