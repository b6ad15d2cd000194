#!/usr/bin/env python3
"""Tests that the apt of Debian 12 and 13 upgrades the right share of machines and refuses what is wrong: a thousand machines of
every ring, wrong keys, old indices, foreign packages, and boxes that upgrade with box/upgrade.sh. Each Debian is a small root
that is downloaded once and kept.

usage: phase.py [--machines N] [--suite SUITE] [--keep FOLDER] [--only TRIAL]
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import trials
from boxes import boxes
from world import CHECKOUT, Machine, findings

SUITES = ("bookworm", "trixie")


def root_of(suite, keep):
    """The packed root of a suite, which is made once."""
    packed = keep / f"{suite}.tar"
    if not packed.exists():
        print(f"  fetching a small {suite}", flush=True)
        mirror = subprocess.run(["sh", CHECKOUT / "image/mirror.sh"], capture_output=True, text=True, check=True,
                                timeout=300).stdout.strip()
        keep.mkdir(parents=True, exist_ok=True)
        draft = packed.with_suffix(".new.tar")
        subprocess.run(["mmdebstrap", "--quiet", "--mode=root", "--variant=apt", '--aptopt=Apt::Install-Recommends "false"',
            "--dpkgopt=path-exclude=/usr/share/man/*", "--dpkgopt=path-exclude=/usr/share/locale/*",
                        "--dpkgopt=path-exclude=/usr/share/doc/*",
            suite, draft, mirror], check=True, timeout=3600)
        draft.rename(packed)
    return packed


def unpack(packed, folder):
    folder.mkdir()
    subprocess.run(["tar", "-C", folder, "-xf", packed], check=True, timeout=900)
    return folder


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--machines", type=int, default=1000)
    arguments.add_argument("--suite", choices=SUITES)
    arguments.add_argument("--keep", type=Path, default=CHECKOUT / ".build-phase")
    arguments.add_argument("--only", default="", help="rings, quick, boxes")
    options = arguments.parse_args()
    if os.getuid():
        print("please run as root: roots of Debian are entered", file=sys.stderr)
        return 1
    wanted = options.only.split(",") if options.only else ["quick", "boxes", "rings"]
    for suite in [options.suite] if options.suite else SUITES:
        packed = root_of(suite, options.keep)
        # An overlay needs a file system that is no overlay itself.
        with tempfile.TemporaryDirectory(prefix="adhand-phase-", dir=options.keep) as name:
            folder = Path(name)
            folder.chmod(0o755)
            root = unpack(packed, folder / "root")
            machine = lambda url, keyring: Machine(folder, url, keyring, root)
            print(f"== {suite}, apt {Machine(folder, 'http://127.0.0.1:1', b'', root).version()}", flush=True)
            if "quick" in wanted:
                for trial in trials.QUICK:
                    trial(folder, machine)
            if "boxes" in wanted:
                boxes(folder, unpack(packed, folder / "image"))
            if "rings" in wanted:
                trials.rings(folder, machine, options.machines, min(options.machines, 200))
    return findings.end()


if __name__ == "__main__":
    sys.exit(main())
