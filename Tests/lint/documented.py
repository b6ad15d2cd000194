#!/usr/bin/env python3
"""Checks that every public declaration that other programs can reach through the products has a documentation comment.

Exempt are cases of enums, which the comment of their enum explains, and what a protocol prescribes, which its own comment explains."""

import re
import sys
from pathlib import Path

PRODUCTS = ("PrayerEngine", "Protocol", "ControlClient")
# Modules that are not products, but whose public types occur in the declarations of products.
EXPOSED = ("Host", "Texts", "Settings", "Times")
DECLARATION = re.compile(
    r"^\s*(?:@[\w()., :\"]+\s+)*(?:(?:static|final|indirect|nonisolated|mutating|override|convenience|lazy)\s+)*"
    r"public\s+(?!extension\b|import\b)")
# The requirements of CustomStringConvertible, Equatable, Comparable, Hashable, Encodable, Decodable, and Protocol's
# ReplyDocument.
PRESCRIBED = re.compile(
    r"\bvar (?:description|described|hasLines): |\bfunc (?:==|<|hash\(into|encode\(to) ?|\binit\(from decoder: ")


def undocumented(text):
    """The public declarations without a comment, as line numbers and texts, and the number of public declarations."""
    lines = text.split("\n")
    found, total, protocol = [], 0, None
    for number, line in enumerate(lines):
        if opened := re.match(r"^(\s*)public protocol\b.*{$", line):
            protocol = opened.group(1)
        elif protocol is not None and line == protocol + "}":
            protocol = None
        # The requirements of a public protocol and the members of a public extension are public without the keyword.
        is_requirement = protocol is not None and re.match(rf"^{protocol}    (?:static |mutating )*(?:var|func|init|subscript)\b", line)
        is_hidden = re.match(r"^\s*public extension\b", line)
        if not (DECLARATION.match(line) or is_requirement or is_hidden):
            continue
        total += 1
        before = number - 1
        # Attributes may be between the comment and the declaration.
        while before >= 0 and re.match(r"^\s*@\w+(?:\(.*\))?$", lines[before]):
            before -= 1
        has_comment = before >= 0 and re.match(r"^\s*///\s*\S", lines[before])
        if is_hidden or not has_comment and (is_requirement or not PRESCRIBED.search(line)):
            found.append((number + 1, line.strip()))
    return found, total


def main():
    problems, total = [], 0
    for module in PRODUCTS + EXPOSED:
        for file in sorted(Path(f"Sources/{module}").rglob("*.swift")):
            found, count = undocumented(file.read_text())
            total += count
            problems += [f"{file}:{number}: a public declaration without a documentation comment: {line}" for number, line in found]
    if total < 800:
        problems.append(f"{total} public declarations: this script does not fit")
    print("\n".join(problems), end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
