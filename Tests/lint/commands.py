#!/usr/bin/env python3
"""Checks that each command sets its own name. The parser would derive a missing name from the type, and search every
conformance of the program for that, which took half of adhanctl's time to start."""

import re
import sys
from pathlib import Path

COMMAND = re.compile(r"(?:struct|class) (\w+)[^{]*:[^{]*\b(?:Async)?ParsableCommand\b[^{]*\{")
NAME = re.compile(r"\bcommandName: \"")


def problems(text):
    """- Returns: the commands of a source file that have no name before the next command."""
    commands = list(COMMAND.finditer(text))
    ends = [command.start() for command in commands[1:]] + [len(text)]
    return [command[1] for command, end in zip(commands, ends) if len(NAME.findall(text, command.end(), end)) != 1]


NAMED = 'struct A: ParsableCommand { static let configuration = CommandConfiguration(commandName: "a") }'
EXAMPLES = [
    (NAMED, []),
    ("struct A: ParsableCommand { func run() {} }", ["A"]),
    (NAMED + " struct B: AsyncParsableCommand { static let configuration: CommandConfiguration = .init(abstract: \"b\") }", ["B"]),
    (NAMED.replace('"a"', "nil"), ["A"]),
]
for example, expected in EXAMPLES:
    if problems(example) != expected:
        sys.exit(f"commands.py finds {problems(example)} in {example!r}")

found = [f"{file}: {name} has no commandName" for file in sorted(Path("Sources").rglob("*.swift")) for name in problems(file.read_text())]
print("\n".join(found), end="\n" if found else "")
sys.exit(1 if found else 0)
