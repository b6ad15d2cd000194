#!/usr/bin/env python3
"""Checks that the Python of the trials compiles, has lines of at most 140 columns, and no unused imports."""

import ast
import sys
from pathlib import Path

ROOTS = ("Tests", "Benchmarks")
MOST = 140


def unused_imports(tree):
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            for alias in node.names:
                # `import urllib.parse` binds the first part.
                name = alias.asname or alias.name.partition(".")[0]
                if name not in used:
                    yield node.lineno, f"{name} is imported and not used"


def complaints(text, name="text"):
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > MOST:
            yield number, f"{len(line)} columns; {MOST} are allowed"
    try:
        compile(text, name, "exec")
    except SyntaxError as error:
        yield error.lineno, error.msg
        return
    yield from unused_imports(ast.parse(text))


# This script finds bad examples, and accepts good ones.
BAD = ("import os", "from os import path, sep\nprint(sep)", "import os as system\nprint(os)", "x = (", "#" * (MOST + 1))
GOOD = ("import os\nprint(os.sep)", "import urllib.parse\nurllib.parse.quote('')", "from os import path as where\nwhere.join()", "#" * MOST)
problems = [f"Tests/lint/python.py does not find: {text[:40]}" for text in BAD if not list(complaints(text))]
problems += [f"Tests/lint/python.py refuses: {text[:40]}" for text in GOOD if list(complaints(text))]
files = sorted(file for root in ROOTS for file in Path(root).rglob("*.py"))
for file in files:
    problems += [f"{file}:{line}: {words}" for line, words in complaints(file.read_text(), str(file))]
if len(files) < 100:
    problems.append(f"{len(files)} files were found: this script does not fit")
print("\n".join(problems), end="\n" if problems else "")
sys.exit(1 if problems else 0)
