#!/usr/bin/env python3
"""Checks that the Python of the trials compiles, has lines of at most 140 columns, no unused imports, and no `self.name` that no
class of its family defines: a rename that forgot one place fails here, and not in the trial that runs once a month."""

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


class Family:
    """Everything that the classes of the trials define. A base is looked for in the same file, and then by its name in all files."""

    def __init__(self, trees):
        self.bases, self.names, self.uses = {}, {}, []
        for file, tree in trees:
            for node in ast.walk(tree):
                if isinstance(node, ast.ClassDef):
                    self.add(file, node)
        self.files = {}
        for file, name in self.bases:
            self.files.setdefault(name, []).append(file)

    def add(self, file, node):
        key = file, node.name
        bases = {base.attr if isinstance(base, ast.Attribute) else getattr(base, "id", "?") for base in node.bases}
        self.bases.setdefault(key, set()).update(bases)
        names = self.names.setdefault(key, set())
        for part in node.body:
            if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                names.add(part.name)
            elif isinstance(part, (ast.Assign, ast.AnnAssign, ast.If)):
                names |= {name.id for name in ast.walk(part) if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)}
        for part in ast.walk(node):
            if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name) and part.value.id == "self":
                if isinstance(part.ctx, ast.Load):
                    self.uses.append((part.lineno, key, part.attr))
                else:
                    names.add(part.attr)

    def above(self, key):
        """The class and all above it; None where one of them is of a library, or could be several."""
        found, waiting = set(), [key]
        while waiting:
            file, name = waiting.pop()
            if name == "object" or (file, name) in found:
                continue
            if (file, name) not in self.bases:
                files = self.files.get(name, [])
                if len(files) != 1:
                    return None
                file = files[0]
            found.add((file, name))
            waiting += [(file, base) for base in self.bases[file, name]]
        return found

    def undefined(self):
        families = {key: self.above(key) for key in self.bases}
        for line, key, attribute in self.uses:
            if families[key] is None or attribute.startswith("__"):
                continue
            # A class below may bring what one above uses.
            kin = {one for other in families.values() if other and key in other for one in other}
            if not any(attribute in self.names[one] for one in kin):
                yield f"{key[0]}:{line}: self.{attribute} is defined by no class of {key[1]}'s family"


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
for text, wanted in (("class A:\n def a(self):\n  self.b()", 1), ("class A:\n def a(self):\n  self.b()\nclass B(A):\n b = 1", 0)):
    if len(list(Family([("text", ast.parse(text))]).undefined())) != wanted:
        problems.append(f"Tests/lint/python.py misjudges: {text}")
problems += Family([(str(file), ast.parse(file.read_text())) for file in files]).undefined()
if len(files) < 100:
    problems.append(f"{len(files)} files were found: this script does not fit")
print("\n".join(problems), end="\n" if problems else "")
sys.exit(1 if problems else 0)
