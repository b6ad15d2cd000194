#!/usr/bin/env python3
"""Breaks the daemon's decisions on purpose, one line at a time, and expects the simulator to notice each.

Works on a copy. Every mutant of mutants.json is built and simulated with a bounded number of seeds; one that breaks no
promise survives, and fails the run. Built without optimization at first: most mutants die of the first seeds, and a file that
is compiled alone is compiled soon. Words as arguments choose the mutants whose names have them.
"""
import json, os, shutil, subprocess, sys, time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
DAYS = os.environ.get("DAYS", "3")
SWIFT = os.environ.get("SWIFT", "swift")
# Up to which seed in which build, and seconds after which a simulation never ends.
STAGES = [("debug", 16, 60), ("debug", 500, 120), ("release", int(os.environ.get("SEEDS", "30000")), 300)]


def build(tree, scratch, kind="debug"):
    command = [SWIFT, "build", "-c", kind, "--package-path", tree, "--scratch-path", scratch, "--product", "simulate"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.returncode == 0, done.stdout


def simulate(tree, scratch):
    """What is broken, or None."""
    done = 0
    for kind, seeds, limit in STAGES:
        ok, output = build(tree, scratch, kind)
        if not ok:
            sys.exit(f"it builds, but not for {kind}:\n{output}")
        found = run(f"{scratch}/{kind}/simulate", done + 1, seeds - done, limit)
        if found:
            return found
        done = seeds
    return None


def run(program, first, seeds, limit):
    command = [program, "--first", str(first), "--seeds", str(seeds), "--days", DAYS, "--brief"]
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return "the simulation does not end"
    lines = done.stdout.splitlines()
    named = [line.strip() for line in lines if line.startswith("  seed ")]
    return named[0] if named else ("it crashed" if done.returncode not in (0, 1) else None)


def main():
    with open(f"{HERE}/mutants.json") as file:
        mutants = json.load(file)
    wanted = sys.argv[1:]
    mutants = [m for m in mutants if not wanted or any(word in m["name"] for word in wanted)]
    # Always the same place, so that a second run builds little.
    work = os.environ.get("SCRATCH", f"{ROOT}/.build-mutants")
    tree, scratch = f"{work}/tree", f"{work}/build"
    shutil.rmtree(tree, ignore_errors=True)
    survivors = 0
    try:
        os.makedirs(tree)
        for name in ("Package.swift", "Sources", "Tests", "Benchmarks"):
            source = f"{ROOT}/{name}"
            copy = shutil.copytree if os.path.isdir(source) else shutil.copy2
            if os.path.exists(source):
                copy(source, f"{tree}/{name}")
        ok, output = build(tree, scratch)
        if not ok:
            sys.exit(f"the unchanged sources do not build:\n{output}")
        found = simulate(tree, scratch)
        if found:
            sys.exit(f"the unchanged sources break a promise: {found}")
        for mutant in mutants:
            path = f"{tree}/Sources/AdhanCore/{mutant['file']}"
            with open(path) as file:
                original = file.read()
            if original.count(mutant["old"]) != 1:
                sys.exit(f"\"{mutant['name']}\": its text is not there exactly once")
            with open(path, "w") as file:
                file.write(original.replace(mutant["old"], mutant["new"]))
            ok, output = build(tree, scratch)
            start = time.monotonic()
            found = simulate(tree, scratch) if ok else "it does not build: " + output[-400:]
            verdict = "killed" if ok and found else "SURVIVES" if ok else "BROKEN"
            survivors += verdict != "killed"
            print(f"{verdict:9} {mutant['name']:45} {time.monotonic() - start:5.1f} s  {found or ''}", flush=True)
            with open(path, "w") as file:
                file.write(original)
    finally:
        shutil.rmtree(tree)
    print(f"{len(mutants) - survivors} of {len(mutants)} mutants killed")
    sys.exit(1 if survivors else 0)


main()
