#!/usr/bin/env python3
"""Tests that a flashed box imports the files of its card, valid or invalid, as people's computers write them. It runs the real
adhand and adhanctl on folders.

usage: card.py RELEASE-DIRECTORY
"""

import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import card_faults
import card_files
import card_fleet
import card_imager
import card_network
import card_times
import card_upgrades
from card_box import Box, Findings, findings

# One box runs all of these trials, in this order.
OWN = (
    card_files.texts, card_files.examples, card_files.mistakes, card_files.forgotten, card_files.sounds,
    card_times.timetables,
    card_network.networks, card_network.floods, card_network.disguises, card_network.keys,
    card_upgrades.settings, card_upgrades.health,
    card_fleet.membership,
    card_faults.cuts, card_faults.losses, card_faults.reports, card_faults.damage,
)
# These trials use another box, because here nothing of a person's own may come before them.
IMAGER = card_imager.combinations, card_imager.reports, card_imager.precedence, card_imager.damage, card_imager.malice


def life(release, root, trials):
    """- Returns: the findings."""
    box = Box(release, root)
    try:
        for trial in trials:
            trial(box)
    finally:
        box.shut_down()
    return findings


def main():
    release = Path(sys.argv[1]).resolve()
    # Both wait most of the time, so each has a process of its own.
    with tempfile.TemporaryDirectory(prefix="adhan-card-") as root, ProcessPoolExecutor(2) as pool:
        lives = [pool.submit(life, release, Path(root) / name, trials) for name, trials in (("box", OWN), ("imager", IMAGER))]
        found = Findings()
        for each in lives:
            found.add(each.result())
    return found.end()


if __name__ == "__main__":
    sys.exit(main())
