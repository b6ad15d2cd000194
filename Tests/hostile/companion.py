#!/usr/bin/env python3
"""Tests that damaged files of a user do no further harm: the log, the cached times and the postponed reminders. No command may
end by a signal or hang, and no read-only command may change the log.

usage: companion.py DIRECTORY-OF-PROGRAMS
"""
import datetime
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

programs = pathlib.Path(sys.argv[1]).resolve()
looking = [["week"], ["month"], ["stats"], ["streak"], ["badges"], ["next", "--count", "5"], ["pending"], ["export"]]
changing = [["prayed", "isha", "--date", "yesterday"], ["undo"], ["redo"], ["prayed", "--excused", "--date", "yesterday"]]
home = pathlib.Path(tempfile.mkdtemp(prefix="companion-"))
data = home / "data/adhand"
environment = {
    "PATH": os.environ["PATH"], "HOME": str(home), "XDG_CONFIG_HOME": f"{home}/config", "XDG_DATA_HOME": f"{home}/data",
    "XDG_RUNTIME_DIR": str(home), "TZ": "America/New_York", "ADHAND_SOCKET": f"{home}/nobody",
}
random.seed(28)


def run(program, *words):
    return subprocess.run([programs / program, *words], env=environment, capture_output=True, timeout=20)


def damaged(good):
    """Damage: a few bits, digits, huge numbers, a lost part."""
    bytes_ = bytearray(good)
    for _ in range(random.randint(1, 6)):
        at = random.randrange(len(bytes_))
        match random.randrange(4):
            case 0: bytes_[at] ^= 1 << random.randrange(8)
            case 1:
                digits = [index for index, byte in enumerate(bytes_) if 48 <= byte < 58]
                bytes_[random.choice(digits or [at])] = random.randrange(48, 58)
            case 2: del bytes_[at:at + random.randint(1, 50)]
            case 3: bytes_[at:at] = random.choice([b"9999999999", b"e308", b"-", b"null", b"1e400"])
    return bytes(bytes_)


def attack(name, file, good, commands, rounds):
    """Whether every command survived."""
    fell = []
    for _ in range(rounds):
        for rest in ("-wal", "-shm"):
            (data / f"prayers.sqlite{rest}").unlink(missing_ok=True)
        (data / "prayers.sqlite").write_bytes(log)
        file.write_bytes(damaged(good))
        command = random.choice(commands)
        before = file.read_bytes()
        try:
            done = run("adhan-companion", *command)
        except subprocess.TimeoutExpired:
            fell.append((command, "hung"))
            continue
        if done.returncode not in (0, 1, 65):
            fell.append((command, done.returncode, done.stderr[-200:]))
        # The two bytes of the header that describe the journal mode may change.
        if command in looking and len(before) > 100 and file.read_bytes()[100:] != before[100:]:
            fell.append((command, "changed what it looked at"))
    print(f"{name}: {rounds} damaged, {len(fell)} fell {fell[:3] if fell else ''}")
    return not fell


try:
    (home / "config/adhand").mkdir(parents=True)
    data.mkdir(parents=True, mode=0o700)
    (home / "config/adhand/adhand.toml").write_text(
        'timezone = "America/New_York"\n[location]\nname = "Queens"\nlatitude = 40.7282\nlongitude = -73.7949\n')
    for words in (["fajr"], ["asr", "--late"], ["--excused"], ["--excused", "--undo"], ["asr"]):
        assert run("adhan-companion", "prayed", *words, "--date", "yesterday").returncode == 0
    log = (data / "prayers.sqlite").read_bytes()
    first = datetime.date.today() - datetime.timedelta(days=2)
    times = json.loads(run("adhanctl", "times", "--json", "--date", str(first), "--days", "17").stdout)
    cached = json.dumps({"times": times, "asked": f"{first}T00:00:00Z"}).encode()
    # Without a configuration, only the cached times know the place.
    (home / "config/adhand/adhand.toml").unlink()
    (data / "times.json").write_bytes(cached)
    assert not run("adhan-companion", "next").stderr, "what was kept is read"
    snoozed = json.dumps({"snoozed": [{"date": str(first), "prayer": "asr", "at": f"{first}T20:00:00Z"}]}).encode()
    held = [
        attack("the log, looked at", data / "prayers.sqlite", log, looking, 120),
        attack("the log, changed", data / "prayers.sqlite", log, changing, 80),
        attack("the times that adhand told", data / "times.json", cached, looking + changing, 120),
        attack("what was put off", data / "snoozed.json", snoozed, [["pending"]], 40),
    ]
finally:
    shutil.rmtree(home)
sys.exit(0 if all(held) else 1)
