#!/usr/bin/env python3
"""Checks the Makefile and its parts: .PHONY occurs once, `make help` lists each of its targets, `make run` builds only what it
runs, `make clean` removes everything that is built, and the long runs of the suites and trials are in a target.

usage: makefile.py
"""

import fnmatch
import re
import subprocess
import sys
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(CHECKOUT / "Tests")]
from findings import Findings  # noqa: E402

findings = Findings(is_quiet=True)
expect = findings.expect


def make(*words):
    return subprocess.run(["make", "--no-print-directory", *words], cwd=CHECKOUT, capture_output=True, text=True, timeout=60,
                          check=True).stdout


def recipe(target):
    return set(re.search(rf"^{target}:.*\n(?:\t.*\n)*", text, re.M)[0].split())


text = "".join((CHECKOUT / name).read_text() for name in ("Makefile", "packages.mk", "install.mk"))
lists = re.findall(r"^\.PHONY:((?:.*\\\n)*.*)$", text, re.M)
expect(".PHONY stands once", len(lists) == 1, len(lists))
phony = lists[0].replace("\\\n", " ").split()
expect("no target stands twice in it", len(phony) == len(set(phony)), phony)
# Every rule that creates no file of its name, except patterns and variables.
rules = set(re.findall(r"^([a-z][a-z-]*):(?!=)", text, re.M))
expect("every target is in .PHONY", rules == set(phony), rules ^ set(phony))
shown = {}
for line in make("help").splitlines():
    if found := re.fullmatch(r"  ([a-z][a-z-]*) {2,}(\S.*)", line):
        shown[found[1]] = found[2]
    else:
        expect("help has groups, and a line for each target", line == "" or re.fullmatch(r"[A-Z][a-z ]+:", line), line)
expect("every target of .PHONY is in help", list(shown) == phony, set(shown) ^ set(phony))
wide = [name for name, does in shown.items() if len(does) > 100]
expect("a line of help is short", not wide, wide)
# The products that `make run` builds, and those that it does not build.
planned = make("--dry-run", "run")
expect("make run builds product by product",
       "--product" in planned and "adhan-companion" not in re.findall(r"for p in (.*); do \S+ build", planned)[0], planned)
products = re.findall(r"for p in (.*); do \S+ build", planned)[0].split()
started = set(re.findall(r'"\$bin/([a-z-]+)"', (CHECKOUT / "Tests/run.sh").read_text()))
files = {name: file for names, file in re.findall(r"for n in (.*); do ln -sf (\S+) ", planned) for name in names.split()}
expect("it builds what run.sh starts, and nothing else", set(products) == {files.get(name, name) for name in started},
       f"{products} {started}")
# All folders of builds have names of one form.
cleaned = re.search(r"^clean:.*\n\trm (.*)$", text, re.M)[1].split()
named = set(re.findall(r"(?<![\w.])\.build(?:-[a-z0-9]+)?\b", text))
left = [name for name in named | {"dist"} if not any(fnmatch.fnmatch(name, pattern) for pattern in cleaned)]
expect("make clean removes every folder of a build", len(named) > 5 and not left, left)
# The guide's pictures come from the walk, which would rot if no target ran it.
expect("make remote-test walks", "Tests/remote/walk.py" in make("--dry-run", "remote-test"))
# Every trial of the phone page is in a target, and the quick ones are in `make test`.
trials = [path.name for path in (CHECKOUT / "Tests/remote").glob("*.py") if "\nusage: " in path.read_text() and path.stat().st_mode & 0o100]
lost = [name for name in trials if f"Tests/remote/{name} " not in text]
expect("every trial of the phone page is in a target", trials and not lost, lost)
quick, released, slow = recipe("test"), recipe("released"), recipe("trials")
expect("make test pairs phones, sends probes and runs the suites", {"pairing", "intake", "unit"} <= quick, quick)
again = {"pairing", "intake", "outputs", "first-frame", "unit-programs"}
more = {"manuals", "box", "interop", "page", "phones", "hardening", "random-cases"}
expect("make released has all of it that starts programs, and browsers", again | more <= released, released)
expect("make trials has the slower ones", {"promises", "fleet", "faults", "pictures", "bridge", "hooks"} <= slow, slow)
everything = {word.strip(";") for word in recipe("test-all")}
expect("make test-all has all three", {"test", "released", "trials"} <= everything, everything)
run_by_ci = re.findall(r"^make (\S+)$", (CHECKOUT / ".ci/run").read_text(), re.M)
expect("continuous integration tries what is installed, too", run_by_ci == ["test", "released"], run_by_ci)
# Each suite that tries a fifth of its random cases is in the lanes that try all of them.
counting = {path.relative_to(CHECKOUT / "Tests").parts[0] for path in (CHECKOUT / "Tests").rglob("*.swift")
            if "RandomCases.count(" in path.read_text()}
lanes = set(re.findall(r"\w+Tests", " ".join(re.findall(r"^(?:others_)?random='(.*)'$", (CHECKOUT / "Tests/suites.sh").read_text(), re.M))))
expect("make random-cases runs every suite that has random cases", counting == lanes, counting ^ lanes)
# A longer run that no target starts would never run, and a filter that matches no suite runs nothing.
scripts = text + "".join(path.read_text() for path in (CHECKOUT / "Tests").rglob("*.sh"))
swift = {path: path.read_text() for path in (CHECKOUT / "Tests").rglob("*.swift")}
read = {name for source in swift.values() for name in re.findall(r'(?:getenv\(|environment\[)"([A-Z][A-Z_]*)"', source)}
lengths = {name for name in read if re.search(r"FUZZ|LOGS|RIG|CASES", name)}
expect("the lengths of the suites are known", len(lengths) >= 3, read)
for name in sorted(lengths):
    expect(f"{name} is asked for by a target", re.search(rf"\b{name}=", scripts), "")
for folder, suite in re.findall(r"--filter '\^(\w+)\\.(\w*)", text):
    sources = [source for path, source in swift.items() if path.parts[len(CHECKOUT.parts) + 1] == folder]
    expect(f"{folder}.{suite} exists", sources and (not suite or any(f"struct {suite} " in source for source in sources)))
sys.exit(findings.end())
