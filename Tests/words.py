#!/usr/bin/env python3
"""Checks the language of all texts: no expression of words.txt outside of backquotes, no Markdown line of more than 120
columns, the glossary, and the names of errors."""
import os, re, sys

import sources

HERE = os.path.dirname(os.path.abspath(__file__))
WIDTH = 120
# Histories, quotations, and words that are data.
SPARED = ("CHANGELOG.md", "docs/LANGUAGE.md", "Resources/audio/LICENSE", "Tests/words.txt", "Tests/mutants/", "LICENSE", "Package.resolved")
KINDS = (".swift", ".md", ".py", ".sh", ".js", ".html", ".css", ".toml", ".txt", ".c", ".h", ".ld", ".conf", ".service", ".socket",
         ".timer", ".catalog", ".rules", ".1", ".5", ".8", ".mk", "")
ROOTS = ("Sources/", "Tests/", "docs/", "box/", "debian/", "image/", "systemd/", "Benchmarks/", "Resources/", "README.md", "Makefile",
         "packages.mk", "install.mk", "Package.swift")
# Words of a comment about the compiler.
WORKAROUND = re.compile(r"(compiler (fails|gives up)|optimizer|ends the compiler|type checker)")
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
    """The text without the content of backquotes, which is a name or something that is typed."""
    return re.sub(r"`[^`\n]*`", lambda quoted: "`" + "." * (len(quoted[0]) - 2) + "`" if len(quoted[0]) > 1 else quoted[0], text)


def workarounds():
    """Sources that mention a workaround for the compiler or the optimizer must have a row in docs/BUILDING.md."""
    listed = open("docs/BUILDING.md", encoding="utf-8").read()
    for name, text in files():
        if name.startswith("Sources/") and name.endswith(".swift"):
            if name[len("Sources/"):] in listed:
                continue
            for found in WORKAROUND.finditer(text):
                if "//" in text[text.rfind("\n", 0, found.start()) + 1:found.start()]:
                    yield f"{name}:{text.count(chr(10), 0, found.start()) + 1}: no row in docs/BUILDING.md"


def glossary():
    """In the tables of docs/LANGUAGE.md, names in use must be declared, and the names to avoid must be absent."""
    code = "\n".join(
        re.sub(r"//.*", "", text) for name, text in files() if name.startswith("Sources/") and name.endswith(".swift"))
    declared = set(re.findall(r"\b(?:struct|class|enum|protocol|actor|func|var|let|case) `?(\w+)", code))
    kinds = set(re.findall(r"\b(?:struct|class|enum|protocol|actor|func|typealias) (\w+)", code))
    patterns = [pattern for pattern, _ in turns()]
    for number, line in enumerate(open("docs/LANGUAGE.md", encoding="utf-8").read().split("\n"), 1):
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("|") or len(cells) != 3 or cells[0] in ("thing", "---"):
            continue
        for name in re.findall(r"`(\w+)`", cells[1]):
            if name not in declared:
                yield f"docs/LANGUAGE.md:{number}: nothing in Sources is called {name}"
        for word in filter(None, cells[2].split(", ")):
            name = re.fullmatch(r"`(\w+)`", word)
            if name and name[1] in kinds:
                yield f"docs/LANGUAGE.md:{number}: {name[1]} is declared in Sources"
            if not name and word != "–" and not any(pattern.search(word) for pattern in patterns):
                yield f"docs/LANGUAGE.md:{number}: no line of Tests/words.txt refuses \"{word}\""


def errors():
    """A thrown error is called Error, an answer to a person or a client Refusal."""
    declared = re.compile(r"^[ \t]*(?:[a-z]+ )*(?:struct|enum|class) (\w+)(?:<[^>]*>)?: [^{]*\bError\b", re.MULTILINE)
    for name, text in files():
        if name.startswith("Sources/") and name.endswith(".swift"):
            for found in declared.finditer(text):
                if not re.search(r"(Errors?|Refusal)$", found[1]):
                    line = text.count("\n", 0, found.start(1)) + 1
                    yield f"{name}:{line}: {found[1]} is an error, so its name ends in Error or Refusal"


# A reflow has moved this step of a list behind the previous one, where a reader no longer finds it.
SWALLOWED_STEP = re.compile(r"\S.*[.:)] (?:[2-9]|1[0-9])\.(?: [A-Z`]|$)")


def swallowed_steps(name, plain):
    """Looks in Markdown, outside of code blocks."""
    inside = False
    for number, line in enumerate(plain.split("\n"), 1):
        if line.lstrip().startswith("```"):
            inside = not inside
        elif not inside and SWALLOWED_STEP.search(line):
            yield f"{name}:{number}: a step of a list stands in the middle of a line; it begins one of its own"


def columns(name, text):
    """Checks every Markdown file, also those whose words are exempt. A table or a single word may be longer."""
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > WIDTH and not line.lstrip().startswith("|") and max(map(len, line.split())) <= WIDTH:
            yield f"{name}:{number}: {len(line)} columns; {WIDTH} are allowed"


def complaints():
    listed = list(turns())
    yield from workarounds()
    yield from glossary()
    yield from errors()
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
            yield from swallowed_steps(name, plain)
    for name in sources.names():
        if name.endswith(".md") and os.path.isfile(name):
            yield from columns(name, open(name, encoding="utf-8").read())


found = list(complaints())
if found:
    print("\n".join(found[:200]))
    sys.exit(f"{len(found)} complaints; Tests/words.txt has the plain words")
