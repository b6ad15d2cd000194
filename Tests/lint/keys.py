#!/usr/bin/env python3
"""Checks that a program reads every configuration key that the documents mention. usage: keys.py"""
import fnmatch
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
import sources  # noqa: E402

WRITTEN = re.compile(r"`(?:\[[^\]`]*\] )?([A-Za-z][\w.-]*) = [^`]*`")
BLOCK = re.compile(r"```toml\n(.*?)```", re.S)
KEY_OF_BLOCK = re.compile(r"^#? ?([A-Za-z][\w-]*) = ", re.M)


def files(*patterns):
    return [(name, Path(name).read_text()) for name in sources.names() if any(fnmatch.fnmatch(name, pattern) for pattern in patterns)]


def known():
    """The quoted words of the schemas, of the examples and of the manual pages; other tests compare the latter with the
    schemas."""
    keys = set()
    for _, text in files("Sources/*Schema*.swift", "Sources/*Keys*.swift"):
        keys |= set(re.findall(r'"([a-z][a-z0-9-]*)"', text))
    for _, text in files("Resources/*.toml", "docs/man/*"):
        keys |= set(re.findall(r"[a-z][a-z0-9-]*", text.replace("\\-", "-")))
    return keys


def main():
    keys = known()
    documents = files("*.md")
    written = [(name, part) for name, text in documents for path in WRITTEN.findall(text) for part in path.split(".")]
    written += [(name, key) for name, text in documents for block in BLOCK.findall(text) for key in KEY_OF_BLOCK.findall(block)]
    if len(written) < 50:
        sys.exit(f"keys: only {len(written)} keys are found in the documents: the pattern no longer fits them")
    wrong = sorted({(name, key) for name, key in written if key not in keys})
    for name, key in wrong:
        print(f'{name}: "{key}" is a key of no configuration')
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
