#!/usr/bin/env python3
"""The language of texts: no turn of words.txt outside of backquotes, no Markdown line of more than 120 columns."""
import os, re, sys

import sources

HERE = os.path.dirname(os.path.abspath(__file__))
WIDTH = 120
# Histories of their time, quotations, and words that are data.
SPARED = ("CHANGELOG.md", "Resources/audio/LICENSE", "Tests/words.txt", "Tests/mutants/", "LICENSE", "Package.resolved")
KINDS = (".swift", ".md", ".py", ".sh", ".js", ".html", ".css", ".toml", ".txt", ".c", ".h", ".ld", ".conf", ".service", ".socket",
         ".timer", ".catalog", ".rules", ".1", ".5", ".8", ".mk", "")
ROOTS = ("Sources/", "Tests/", "docs/", "box/", "debian/", "image/", "systemd/", "Benchmarks/", "Resources/", "README.md", "Makefile",
         "Package.swift")
# The first line of a comment.
OPENING = re.compile(r"^(?![ \t]*//).*\n[ \t]*///? (What|That|Who|Whoever|So)\b(?!')", re.MULTILINE)


def turns():
    for line in open(os.path.join(HERE, "words.txt"), encoding="utf-8"):
        line = line.strip()
        if line and not line.startswith("#"):
            pattern, instead = (part.strip() for part in line.split("->"))
            yield re.compile(r"\b" + pattern.replace(" ", r"(?:\s|///?|#|\\f[BIR]|\*)+") + r"\b", re.IGNORECASE), instead


def files():
    for name in sources.names():
        spared = name.startswith(SPARED) or "/Fixtures/" in name and not name.endswith(".txt")
        if name.startswith(ROOTS) and not spared and os.path.splitext(name)[1] in KINDS and os.path.isfile(name):
            try:
                yield name, open(name, encoding="utf-8").read()
            except UnicodeDecodeError:
                pass


def blanked(text):
    """What stands in backquotes is a name or something that is typed."""
    return re.sub(r"`[^`\n]*`", lambda quoted: "`" + "." * (len(quoted[0]) - 2) + "`" if len(quoted[0]) > 1 else quoted[0], text)


def workarounds():
    """A source that mentions a compiler or an optimizer has a row in docs/BUILDING.md."""
    listed = open("docs/BUILDING.md", encoding="utf-8").read()
    for name, text in files():
        if name.startswith("Sources/") and name.endswith(".swift"):
            found = re.search(r"//.*\b(compiler (fails|gives up)|optimizer|ends the compiler|type checker)", text)
            if found and name[len("Sources/"):] not in listed:
                yield f"{name}:{text.count(chr(10), 0, found.start()) + 1}: no row in docs/BUILDING.md"


def complaints():
    listed = list(turns())
    yield from workarounds()
    for name, text in files():
        plain = blanked(text)
        for pattern, instead in listed:
            for found in pattern.finditer(plain):
                line = plain.count("\n", 0, found.start()) + 1
                yield f'{name}:{line}: "{" ".join(found[0].split())}": {instead}'
        if name.endswith(".swift"):
            for opening in OPENING.finditer(text):
                line = text.count("\n", 0, opening.start(1)) + 1
                yield f'{name}:{line}: a comment begins with a verb or a noun, not with "{opening[1]}"'
        if name.endswith(".md"):
            for number, line in enumerate(text.split("\n"), 1):
                if len(line) > WIDTH and not line.lstrip().startswith("|") and max(map(len, line.split())) <= WIDTH:
                    yield f"{name}:{number}: {len(line)} columns; {WIDTH} are allowed"


found = list(complaints())
if found:
    print("\n".join(found[:200]))
    sys.exit(f"{len(found)} complaints; Tests/words.txt has the plain words")
