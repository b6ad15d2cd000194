#!/usr/bin/env python3
"""Checks that shellcheck has no warning about any shell script.

usage: shell.py
"""

import re
import subprocess
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent.parent)]
import sources  # noqa: E402

SHELL = re.compile(r"#!\s*/(usr/)?bin/(env )?(ba)?sh\b")


def is_started(name):
    """Whether the script runs as a program, and is not only sourced by others."""
    try:
        with open(name) as file:
            return bool(SHELL.match(file.readline()))
    except UnicodeDecodeError:
        return False


def complaints(names, *options):
    command = ["shellcheck", "--external-sources", "--source-path=SCRIPTDIR:.", "--severity=warning", "--format=gcc"]
    found = subprocess.run([*command, *options, *names], capture_output=True, text=True, timeout=300)
    return (found.stdout + found.stderr).splitlines()


files = [name for name in sources.names() if Path(name).is_file()]
started = [name for name in files if is_started(name)]
sourced = [name for name in files if name.endswith(".sh") and name not in started]
if len(started) < 50:
    sys.exit(f"shell.py: only {len(started)} scripts were found")
# The variables of a sourced script may be set or used by the scripts that source it.
found = complaints(started) + complaints(sourced, "--exclude=SC2154,SC2034")
print("\n".join(found), end="\n" if found else "")
sys.exit(bool(found))
