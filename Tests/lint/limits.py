#!/usr/bin/env python3
"""Checks that the limits in docs/HOME.md and in the manuals are those of the sources; --write writes them into the manuals."""
import math
import re
import sys
import textwrap
from pathlib import Path

SOURCES = [file.read_text() for file in Path("Sources").glob("*/**/*.swift")]
UNITS = {"": 1, "s": 1, "min": 60, "h": 3600, "KiB": 1024, "MiB": 1}
ROW = re.compile(r"^\| (.*) \| ([\d.]+) ?(s|min|h|KiB|MiB|) \| `(\w+)\.(\w+)` \|$")


def number(text):
    """The value of a literal, or of a product of literals."""
    factors = text.replace("_", "").split("*")
    return math.prod(map(float, factors)) if all(re.fullmatch(r" ?[\d.]+ ?", factor) for factor in factors) else None


def values(kind, name):
    """The values of the constants and properties of that name in the type, in any file."""
    found = set()
    for text in (text for text in SOURCES if kind in text):
        for body in re.split(rf"\b(?:struct|class|enum|extension) {kind}\b", text)[1:]:
            # Up to the next type that is not indented.
            body = body.split("\n}")[0]
            for match in re.finditer(rf"\b(?:let|var) {name}(?:: \w+)? = ([^\n/{{]+)", body):
                found.add(number(match.group(1)))
            for match in re.finditer(rf"\b{name}: Double = ([\d.]+)", body):
                found.add(number(match.group(1)))
    return found


def section(rows):
    """The rows in the form of a manual."""
    lines = [".Bl -bullet -compact"]
    for text, value in rows:
        lines += [".It", *textwrap.wrap(f"{text.replace('`', '')}: {value}", 78)]
    return "\n".join([*lines, ".El", ""])


rows, wrong, program = {}, [], ""
for line in Path("docs/HOME.md").read_text().splitlines():
    if line.startswith("### "):
        program = line.removeprefix("### ")
    row = ROW.match(line)
    if not row:
        if re.search(r"\| `\w+\.\w+` \|$", line):
            wrong.append(f"no limit can be read here: {line}")
        continue
    text, value, unit, kind, name = row.groups()
    rows.setdefault(program, []).append((text, f"{value} {unit}".strip()))
    if (found := values(kind, name)) != {float(value) * UNITS[unit]}:
        wrong.append(f"{kind}.{name} is {value} {unit} in docs/HOME.md, and in the source {found or 'nowhere'}")
for program, own in rows.items():
    manual = Path(f"docs/man/{program}.8")
    text = manual.read_text()
    new = re.sub(r"(?<=\n\.Sh LIMITS\n).*?(?=\.Sh )", lambda _: section(own), text, count=1, flags=re.DOTALL)
    if "--write" in sys.argv:
        manual.write_text(new)
    elif new != text:
        wrong.append(f"{manual} has other limits than docs/HOME.md; run Tests/lint/limits.py --write")
for sentence in wrong:
    print(sentence, file=sys.stderr)
if set(rows) != {"adhan-bridge", "adhan-hooks"}:
    sys.exit("docs/HOME.md has no limits")
sys.exit(1 if wrong else 0)
