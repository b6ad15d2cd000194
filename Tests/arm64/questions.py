#!/usr/bin/env python3
"""Prints the options of this many runs of `adhanctl times`, each for a year at a place. They are always the same, and cover the
whole Earth and every method.

usage: questions.py COUNT < METHODS-AS-JSON
"""
import json
import random
import sys

ZONES = ["UTC", "Europe/London", "America/New_York", "Asia/Riyadh", "Asia/Kolkata", "Australia/Lord_Howe", "Pacific/Apia",
         "Africa/Casablanca", "America/St_Johns", "Antarctica/Troll", "Asia/Tehran", "Europe/Oslo"]
RULES = ["auto", "none", "middle-of-night", "one-third", "one-seventh", "twilight-angle", "nearest-latitude", "nearest-day", "frozen"]

methods = [method["name"] for method in json.load(sys.stdin)["methods"]]
chance = random.Random(1448)
for number in range(int(sys.argv[1])):
    # A third of the places are beyond the polar circles or where twilight lasts all night.
    latitude = chance.uniform(-66, 66) if number % 3 else chance.choice([-1, 1]) * chance.uniform(48, 89.9)
    print(
        "times --json --rounding none",
        f"--year {chance.randint(1950, 2099)} --latitude={latitude:.4f} --longitude={chance.uniform(-180, 180):.4f}",
        f"--timezone {chance.choice(ZONES)} --method {methods[number % len(methods)]}",
        f"--high-latitude {RULES[number % len(RULES)]} --elevation {chance.choice([0, 0, 300, 2500])}")
