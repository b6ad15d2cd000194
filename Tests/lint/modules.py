#!/usr/bin/env python3
"""Checks docs/ARCHITECTURE.md against the sources: the imports and links of each module, which modules are pure, how large
each is, and every path on the page. The compiler checks none of it, because Package.swift lets a module link anything."""

import re
import sys
from functools import cache
from pathlib import Path

PAGE = Path("docs/ARCHITECTURE.md")
SOURCES = Path("Sources")
# The number of lines that a module may have.
LARGEST = 8000
# A module for the socket's protocol needs neither the state machine nor terminal output.
CLIENTS = ("ControlClient", "ScreenPlan", "DisplayFeed", "adhan-touch", "adhan-kiosk", "adhan-display", "DisplayPrograms",
           "OtherPrograms", "PrayerLog", "adhan-companion", "PhoneRules", "adhan-remote", "adhan-hotspot-dns", "BridgePlan", "adhan-bridge",
           "HookPlan", "adhan-hooks")
CLOCK = re.compile(r"\b(clock_gettime|gettimeofday|time\(nil\)|Date\(\)|Date\.now|DispatchQueue)")
# In a module without the C library, `open` can only be a function of this project.
FILES = re.compile(r"\b(fopen|open\(|openat\(|getenv)")
# Dispatch's global queues and everything that runs on them start a timer in libdispatch that wakes a program every second for as
# long as it runs. Named queues and `BackgroundThread` do not.
AWAKE = re.compile(r"\.global\(|concurrentPerform|attributes: *\[?\.?concurrent|\bTask *(\{|\()|Task\.detached|TaskGroup|async let\b")
IMPORT = re.compile(r"^(?:(?:@\w+|public|package|internal|fileprivate|private) )*import (\w+)", re.M)
ENDINGS = (".swift", ".js", ".py", ".sh", ".md", ".json")


def quoted(text):
    return text.split("`")[1::2]


@cache
def sources(module):
    return {str(file): file.read_text() for file in sorted((SOURCES / module).rglob("*.swift"))}


def code(text):
    return [line for line in text.split("\n") if not line.lstrip().startswith("//")]


def imports(text):
    # The name of a module cannot have the hyphen of its program's.
    return {name.replace("_", "-") for name in IMPORT.findall(text)}


def table(page):
    """Maps a module to the names that it may import, from the first and the third column."""
    rows = [line.split("|")[1:-1] for line in page.split("\n") if line.startswith("| `")]
    return {module: set(quoted(row[2])) for row in rows if len(row) == 3 for module in quoted(row[0])}


def pure(page):
    """The modules that the page calls pure: they compute and decide, and receive their instants and bytes."""
    rows = [line.split("|")[1:-1] for line in page.split("\n") if line.startswith("| `")]
    return {module for row in rows if len(row) == 3 and re.search(r"\bPure\b", row[1]) for module in quoted(row[0])}


def paths(page, modules):
    folders = {entry.name for entry in Path(".").iterdir() if not entry.name.startswith(".")} | modules
    names = {file.name for folder in ("Sources", "Tests", "Resources", "box", "image", "docs", "debian")
             for file in Path(folder).rglob("*")}
    for number, line in enumerate(page.split("\n"), 1):
        for path in quoted(line):
            if re.search(r"[ …*=\"]", path):
                continue
            if "/" in path and not path.startswith("/") and path.split("/")[0] in folders:
                there = Path(path).exists() or (SOURCES / path).exists()
            elif path.endswith(ENDINGS):
                # `+Mute.swift` extends the name before it; a file name alone may be in any folder.
                there = Path(path).exists() or (SOURCES / path).exists() if "/" in path else any(
                    name.endswith(path) if path.startswith("+") else name == path for name in names)
            else:
                continue
            yield f"{PAGE}:{number}: {path} does not exist" if not there else None


def targets():
    """Name, folder and dependencies of every Swift target in Package.swift."""
    manifest = Path("Package.swift").read_text()
    products = dict(re.findall(r'let (\w+): Target\.Dependency = \.product\(name: "(\w+)"', manifest))
    for declaration in re.split(r"\n        \.(?=\w+\()", manifest)[1:]:
        head = re.match(r'(target|executableTarget|testTarget)\(\s*name:\s*"([\w-]+)"', declaration)
        # Targets without these settings are C.
        if not head or "swiftSettings" not in declaration:
            continue
        kind, name = head.groups()
        listed = re.search(r"dependencies:\s*\[([^\]]*)\]", declaration)
        words = filter(None, (word.strip().strip('"') for word in listed[1].split(","))) if listed else ()
        folder = re.search(r'path:\s*"([^"]+)"', declaration)
        usual = Path("Tests" if kind == "testTarget" else "Sources") / name
        yield name, Path(folder[1]) if folder else usual, {products.get(word, word) for word in words}


def linked(allowed):
    """Checks that a target links only modules that it may import, and declares every module that it imports. If it did not, a
    build from nothing would fail whenever the compiler reaches the importing module first.
    """
    looked = list(targets())
    known = {name for name, _, _ in looked} | {name for _, _, names in looked for name in names}
    for name, folder, names in looked:
        imported = set().union(*(imports(file.read_text()) for file in folder.rglob("*.swift")))
        missing = imported & known - names
        yield f"Package.swift: {name} imports {', '.join(sorted(missing))} without declaring it" if missing else None
        # Benchmarks and tests are declared here too, but have no row.
        if name in allowed:
            excess = names - allowed[name]
            yield f"Package.swift: {name} may not link {', '.join(sorted(excess))}" if excess else None


def reached(module, allowed):
    seen, open_ = set(), [module]
    while open_:
        for name in allowed.get(open_.pop(), ()):
            if name not in seen:
                seen.add(name)
                open_.append(name)
    return seen


def findings():
    page = PAGE.read_text()
    modules = {entry.name for entry in SOURCES.iterdir() if entry.is_dir()}
    allowed = table(page)
    for module in sorted(modules - allowed.keys()):
        yield f"{PAGE}: no row for {module}"
    for module in sorted(allowed.keys() - modules):
        yield f"{PAGE}: a row for {module}, of which there is no folder"
    computing = pure(page)
    looked = [list(paths(page, modules)), list(linked(allowed))]
    # A pattern that no longer matches anything would check nothing.
    if len(looked[0]) < 60 or len(looked[1]) < 20 or len(computing) < 20:
        yield (f"{len(looked[0])} paths, {len(looked[1])} targets and {len(computing)} pure modules were found: the patterns of this "
               "script do not fit")
    yield from filter(None, looked[0] + looked[1])
    for module in sorted(modules):
        lines = sum(text.count("\n") for text in sources(module).values())
        if lines > LARGEST:
            yield f"Sources/{module} has {lines} lines: one that is too large to keep in mind is two modules"
        for file, text in sources(module).items():
            excess = imports(text) - allowed.get(module, set())
            if excess:
                yield f"{file}: may not import {', '.join(sorted(excess))}"
            for line in code(text):
                if AWAKE.search(line):
                    yield f"{file}: wakes the machine every second: {line.strip()}"
                if module in computing and (CLOCK.search(line) or "Glibc" in imports(text) and FILES.search(line)):
                    yield f"{file}: asks the clock or touches files: {line.strip()}"
    for module in CLIENTS:
        found = reached(module, allowed)
        if "Texts" not in found or found & {"Daemon", "Console"}:
            yield f"{PAGE}: {module} reaches {', '.join(sorted(found & {'Daemon', 'Console'})) or 'nothing'}"
    for module in sorted({*CLIENTS} - modules):
        yield f"Tests/lint/modules.py names {module}, which does not exist"


found = list(findings())
print("\n".join(found), end="\n" if found else "")
sys.exit(1 if found else 0)
