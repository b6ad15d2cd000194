#!/usr/bin/env python3
"""Checks that markup of documentation comments begins a line. In the middle of one, Swift takes "- Returns:" for a part of the
text."""

import re
import sys
from pathlib import Path

SWALLOWED = re.compile(r"^\s*///?\s*[^/\s].*\s- (Returns|Throws|Parameters?)\b")

problems, lines = [], 0
for folder in ("Sources", "Tests", "Benchmarks"):
    for file in sorted(Path(folder).rglob("*.swift")):
        for number, line in enumerate(file.read_text().split("\n"), 1):
            if not line.lstrip().startswith("//"):
                continue
            lines += 1
            if found := SWALLOWED.match(line):
                problems.append(f"{file}:{number}: \"- {found[1]}\" in the middle of a line; it begins one of its own")
if lines < 5000:
    problems.append(f"{lines} lines of comments: this script does not fit")
print("\n".join(problems), end="\n" if problems else "")
sys.exit(1 if problems else 0)
