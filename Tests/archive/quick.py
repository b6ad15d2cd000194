#!/usr/bin/env python3
"""Tests the apt archive quickly with this machine's own apt, in folders: keys, old indices, foreign packages, the emergency stop,
and a few machines of every ring. `make phase-test` has a thousand machines, and other versions of apt.

usage: quick.py
"""

import sys
import tempfile
from pathlib import Path

import trials
from world import Machine, findings


def main():
    with tempfile.TemporaryDirectory(prefix="adhand-archive-") as root:
        folder = Path(root)
        folder.chmod(0o755)
        machine = lambda url, keyring: Machine(folder, url, keyring)
        for trial in trials.QUICK:
            trial(folder, machine)
        trials.rings(folder, machine, 60, 10)
    return findings.end()


if __name__ == "__main__":
    sys.exit(main())
