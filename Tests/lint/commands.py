#!/usr/bin/env python3
"""A command names itself: the parser derives a name that is missing from the type, and looks through every conformance of the program for
that, which cost adhanctl half of its time to start."""

import re
import sys
from pathlib import Path

problems = [
    f"{file}:{text.count(chr(10), 0, match.start()) + 1}: a command without commandName"
    for file in sorted(Path("Sources").rglob("*.swift"))
    for text in [file.read_text()]
    for match in re.finditer(r"CommandConfiguration\((?!\s*commandName:)", text)
]
print("\n".join(problems), end="\n" if problems else "")
sys.exit(1 if problems else 0)
