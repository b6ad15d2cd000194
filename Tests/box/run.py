#!/usr/bin/env python3
"""Tests an image on an emulated machine with a sound card that is recorded: it is flashed, configured through its FAT partition,
calls on time, is upgraded and damaged, and its power is cut at random moments. Results are kept, and an interrupted run
continues.

usage: run.py IMAGE [--cuts N] [--only TRIAL[,TRIAL]] [--again] [--seed N]
"""

import argparse
import json
import random
import sys
import tempfile
import traceback
from pathlib import Path

import trials
from cuts import Cuts
from cuts_new import NewBoxCuts
from machine import has_kvm
from replay import replay
from world import Findings, World

CHECKOUT = Path(__file__).resolve().parent.parent.parent


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("image", type=Path)
    arguments.add_argument("--cuts", type=int, default=50, help="a third of them at a box that is set up for the first time")
    arguments.add_argument("--only", default="", help=f"of {', '.join(trials.TRIALS)}, cuts, cuts-new, replay")
    arguments.add_argument("--again", action="store_true", help="forget what is done")
    arguments.add_argument("--seed", type=int, default=random.randrange(10**6))
    arguments.add_argument("--keep", type=Path, default=CHECKOUT / ".build-image")
    options = arguments.parse_args()
    image = options.image.resolve()
    if not image.exists():
        print(f'{image} is not there; run "make image" first', file=sys.stderr)
        return 1
    architecture = "arm64" if image.stem.endswith("arm64") else "amd64"
    kept = options.keep / f"test-{'display-' if 'display' in image.stem else ''}{architecture}"
    kept.mkdir(parents=True, exist_ok=True)
    progress = kept / "progress.json"
    # The results of another image do not count.
    identity = f"{image.stat().st_size} {image.stat().st_mtime_ns}"
    done = json.loads(progress.read_text()) if progress.exists() and not options.again else {}
    if done.get("image") != identity:
        done = {"image": identity, "trials": {}, "cuts": 0}
    wanted = options.only.split(",") if options.only else [*trials.TRIALS, "cuts", "cuts-new", "replay"]
    random.seed(options.seed)
    print(f"seed {options.seed}, {architecture}, {'KVM' if architecture == 'amd64' and has_kvm() else 'emulated'}")
    findings = Findings()
    with tempfile.TemporaryDirectory(prefix="adhan-box-") as folder:
        for name in wanted:
            if done["trials"].get(name) == "ok" and not options.only:
                print(f"== {name}: done before")
                continue
            print(f"== {name}", flush=True)
            world = World(image, architecture, Path(folder), kept)
            try:
                if name == "cuts":
                    Cuts(world, done, lambda: progress.write_text(json.dumps(done))).go(options.cuts - options.cuts // 3)
                elif name == "cuts-new":
                    NewBoxCuts(world, done, lambda: progress.write_text(json.dumps(done))).go(options.cuts // 3)
                elif name == "replay":
                    replay(world)
                else:
                    trials.TRIALS[name](world)
            except Exception:  # a trial that raises has failed; the others continue
                world.findings.expect(f"{name} does not break down", False, traceback.format_exc())
            finally:
                world.close()
            done["trials"][name] = "failed" if world.findings.failures else "ok"
            progress.write_text(json.dumps(done))
            findings.add(world.findings)
    return findings.end()


if __name__ == "__main__":
    sys.exit(main())
