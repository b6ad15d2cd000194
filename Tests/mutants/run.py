#!/usr/bin/env python3
"""Tests the tests: breaks the sources on purpose, one line at a time, and expects the simulator or the tests to notice each change.

It works on a copy. Most mutants of mutants.json break the daemon's decisions: each is built and simulated with a limited number of
seeds. The others break what the simulator does not cover, such as sound and the Sun, and name the tests that must fail. A mutant that
breaks no promise and no test survives, and then this run fails. The first build is not optimised, because most mutants fail with the
first seeds, and a single file compiles fast. The unchanged sources must pass with the seeds that find a mutant. Arguments are words:
only mutants whose names contain one of them run; KIND=simulator or KIND=tests restricts them to one kind. SEEDS is the last seed.
"""
import json, os, re, resource, shutil, signal, subprocess, sys, time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
DAYS = os.environ.get("DAYS", "3")
SWIFT = os.environ.get("SWIFT", "swift")
KIND = os.environ.get("KIND", "")
# Only the suites are built: none that a mutant names starts a program.
SUITES = ("--product", "adhandPackageTests")
# The last seed for each build: from about the fortieth seed on, optimising takes less time than it saves.
STAGES = [("debug", 40), ("release", 30000)]
MOST = int(os.environ.get("SEEDS", "30000"))
# The processor seconds that a seed takes with the unchanged sources, by build, measured with at most this many seeds. A
# simulation that takes this many times as long counts as endless.
TRIED = 200
seconds_per_seed = {}
PATIENCE = 4
LEAST_SECONDS = 60
# Wall-clock limits for a build, and for a simulation that waits instead of computing.
LONGEST = 6 * 3600


def build(tree, scratch, kind="debug", what=("--product", "simulate")):
    command = [SWIFT, "build", "-c", kind, "--package-path", tree, "--scratch-path", scratch, *what]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=LONGEST)
    return done.returncode == 0, done.stdout


def simulate(tree, scratch):
    """Returns how the simulation notices the mutant, or None."""
    done = 0
    for kind, most in STAGES:
        seeds = min(most, MOST) - done
        if seeds <= 0:
            break
        ok, output = build(tree, scratch, kind)
        if not ok:
            sys.exit(f"it builds, but not for {kind}:\n{output}")
        limit = max(LEAST_SECONDS, int(PATIENCE * seconds_per_seed[kind] * seeds))
        found = run(f"{scratch}/{kind}/simulate", done + 1, seeds, limit)
        if found:
            # A crash prints no seed.
            seed = re.match(r"seed (\d+):", found)
            same = (int(seed[1]), 1) if seed else (done + 1, seeds)
            before = run(unchanged(scratch, kind), *same, limit)
            if before:
                sys.exit(f"the unchanged sources fail: {before}")
            return found
        done += seeds
    return None


def try_unchanged(tree, scratch):
    """Builds the unchanged sources of each stage, keeps the program and measures how long a seed takes. Returns an error, or
    None."""
    done = 0
    for kind, most in STAGES:
        if MOST <= done:
            break
        done = most
        ok, output = build(tree, scratch, kind)
        if not ok:
            sys.exit(f"the unchanged sources do not build for {kind}:\n{output}")
        shutil.copy2(f"{scratch}/{kind}/simulate", unchanged(scratch, kind))
        seeds = min(most, MOST, TRIED)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        found = run(unchanged(scratch, kind), 1, seeds)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds_per_seed[kind] = (after.ru_utime - before.ru_utime) / seeds
        if found:
            return found
    return None


def unchanged(scratch, kind):
    return f"{scratch}/{kind}/simulate-unchanged"


def test(tree, scratch, tests):
    """Returns the test that fails, or None."""
    command = [SWIFT, "test", "--skip-build", "--package-path", tree, "--scratch-path", scratch, "--filter", f"^{tests}"]
    try:
        done = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600,
            env={**os.environ, "ADHAND_ALL_CASES": "1"})
    except subprocess.TimeoutExpired:
        return "the tests do not end"
    failed = [line.strip() for line in done.stdout.splitlines() if "recorded an issue" in line]
    if not failed and "with 0 tests" in done.stdout:
        sys.exit(f"there are no tests \"{tests}\"")
    return failed[0] if failed else ("the tests crash" if done.returncode else None)


def run(program, first, seeds, limit=None):
    command = [program, "--first", str(first), "--seeds", str(seeds), "--days", DAYS, "--brief"]
    try:
        done = subprocess.run(
            command, stdout=subprocess.PIPE, text=True, timeout=LONGEST,
            preexec_fn=lambda: limit and resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1)))
    except subprocess.TimeoutExpired:
        return "the simulation does not end"
    if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return "the simulation does not end"
    lines = done.stdout.splitlines()
    named = [line.strip() for line in lines if line.startswith("  seed ")]
    return named[0] if named else ("it crashed" if done.returncode not in (0, 1) else None)


def main():
    with open(f"{HERE}/mutants.json") as file:
        mutants = json.load(file)
    wanted = sys.argv[1:]
    mutants = [m for m in mutants if not wanted or any(word in m["name"] for word in wanted)]
    # The copy has a fixed path, so that a second run builds little.
    work = os.environ.get("SCRATCH", f"{ROOT}/.build-mutants")
    tree, scratch = f"{work}/tree", f"{work}/build"
    shutil.rmtree(tree, ignore_errors=True)
    survivors = 0
    try:
        os.makedirs(tree)
        for name in ("Package.swift", "Sources", "Tests", "Benchmarks", "Resources", "systemd", "docs", "box"):
            copy = shutil.copytree if os.path.isdir(f"{ROOT}/{name}") else shutil.copy2
            copy(f"{ROOT}/{name}", f"{tree}/{name}")
        simulated = [m for m in mutants if "tests" not in m and KIND != "tests"]
        tested = [m for m in mutants if "tests" in m and KIND != "simulator"]
        if simulated:
            found = try_unchanged(tree, scratch)
            if found:
                sys.exit(f"the unchanged sources fail: {found}")
            survivors += sum(try_each(tree, scratch, simulated, ("--product", "simulate"), lambda _: simulate(tree, scratch)))
        if tested:
            ok, output = build(tree, scratch, what=SUITES)
            if not ok:
                sys.exit(f"the unchanged tests do not build:\n{output}")
            for name in sorted({m["tests"] for m in tested}):
                found = test(tree, scratch, name)
                if found:
                    sys.exit(f"the unchanged sources fail: {found}")
            survivors += sum(try_each(tree, scratch, tested, SUITES, lambda m: test(tree, scratch, m["tests"])))
    finally:
        shutil.rmtree(tree)
    print(f"{len(simulated + tested) - survivors} of {len(simulated + tested)} mutants killed")
    sys.exit(1 if survivors else 0)


def try_each(tree, scratch, mutants, what, check):
    """Yields for each mutant whether it survives."""
    for mutant in mutants:
        path = f"{tree}/Sources/{mutant['file']}"
        with open(path) as file:
            original = file.read()
        if original.count(mutant["old"]) != 1:
            sys.exit(f"\"{mutant['name']}\": its text is not there exactly once")
        with open(path, "w") as file:
            file.write(original.replace(mutant["old"], mutant["new"]))
        ok, output = build(tree, scratch, what=what)
        start = time.monotonic()
        found = check(mutant) if ok else "it does not build: " + output[-400:]
        verdict = "killed" if ok and found else "SURVIVES" if ok else "BROKEN"
        print(f"{verdict:9} {mutant['name']:45} {time.monotonic() - start:5.1f} s  {found or ''}", flush=True)
        with open(path, "w") as file:
            file.write(original)
        yield verdict != "killed"


if __name__ == "__main__":
    main()
