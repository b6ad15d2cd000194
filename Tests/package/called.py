#!/usr/bin/env python3
"""Tests that the file of the programs works under each of its names, through links and under unknown names, what it loads at the
start, and that programs which load libcurl and libmosquitto later work on a machine without these.

usage: called.py RELEASE-DIRECTORY
"""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent.parent)]
from findings import Findings  # noqa: E402

RELEASE = Path(sys.argv[1]).resolve()
FILE = RELEASE / "adhan-programs"
# The version line of each names the program.
VERSIONED = ["adhan-bridge", "adhan-companion", "adhan-display", "adhan-fleet", "adhan-hooks", "adhan-kiosk", "adhan-remote"]
LATE = ("libcurl.so.4", "libmosquitto.so.1")
findings = Findings(is_quiet=True)
expect = findings.expect


def run(*words, called=None, **more):
    """Exit status and output; `called` is the name that the program sees."""
    done = subprocess.run([called or str(words[0]), *map(str, words[1:])], executable=str(words[0]), stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=60, check=False, env={**os.environ, **more})
    return done.returncode, done.stdout + done.stderr


def loaded(program):
    return run(program, LD_TRACE_LOADED_OBJECTS="1")[1]


def names(folder):
    for name in VERSIONED:
        expect(f"{name} is a link to the file", (RELEASE / name).resolve() == FILE, (RELEASE / name).resolve())
        own = folder / f"my-{name}"
        own.symlink_to(RELEASE / name)
        for status, text in (run(RELEASE / name, "--version"), run(own, "--version"), run(FILE, "--version", called=name),
                             run(RELEASE / name, "--version", called="x")):
            expect(f"{name} is itself by each of its names", status == 0 and re.fullmatch(rf"{name} \d[\w.+-]*\n", text), (status, text))
    (folder / "prayed").symlink_to(RELEASE / "adhan-companion")
    status, text = run(folder / "prayed", "--help")
    expect("prayed is a command of the companion", status == 0 and "adhan-companion prayed" in text, (status, text))
    status, text = run(RELEASE / "adhan-touch")
    expect("adhan-touch answers a tap that is none", text.startswith("HTTP/1.1 400"), (status, text))
    status, text = run(RELEASE / "adhan-hotspot-dns")
    expect("adhan-hotspot-dns wants its socket", status == 1 and text.startswith("adhan-hotspot-dns: systemd handed over no socket"),
           (status, text))
    (folder / "adhan-nobody").symlink_to(FILE)
    for program, called in ((folder / "adhan-nobody", None), (FILE, None), (FILE, "adhand"), (FILE, "")):
        status, text = run(program, called=called)
        expect("another name gets one sentence", status == 64 and text.count("\n") == 1 and text.startswith("adhan-programs: ")
               and "adhan-bridge" in text, (program, called, status, text))
    status, text = run(RELEASE / "adhand", "--version", called="adhan-bridge")
    expect("adhand has none of them", text.startswith("adhand "), (status, text))


def without_libraries(folder):
    """Invalid files hide the machine's own libraries."""
    lame = folder / "lame"
    lame.mkdir()
    for name in LATE:
        (lame / name).write_bytes(b"")
    base = folder / "fleet"
    base.mkdir()
    status, text = run(RELEASE / "adhan-fleet", "init", "--dir", base, "--org", "noor", "--broker", "mqtt://127.0.0.1:1")
    expect("a fleet begins", status == 0, (status, text))
    (base / "broker-password").write_text("word\n")
    (base / "fleet.toml").write_text((base / "fleet.toml").read_text().replace("127.0.0.1:8791", "127.0.0.1:1"))
    bridge = folder / "bridge.toml"
    bridge.write_text('[mqtt]\nbroker = "mqtt://127.0.0.1:1"\n[[alert]]\nname = "web"\nkind = "webhook"\nurl = "http://127.0.0.1:1/"\n'
                      '[[alert]]\nname = "house"\nkind = "mqtt"\n')
    curl = "libcurl cannot be loaded; install the package libcurl4"
    mosquitto = "libmosquitto cannot be loaded; install the package libmosquitto1"
    calls = (([RELEASE / "adhan-bridge", "--config", bridge, "--state-dir", folder, "--box", "trial", "test", "web"], [curl], 1),
             ([RELEASE / "adhan-bridge", "--config", bridge, "--state-dir", folder, "--box", "trial", "test", "house"], [mosquitto], 1),
             ([RELEASE / "adhan-fleet", "status", "--dir", base], [curl, mosquitto], 69))
    for words, sentences, expected in calls:
        status, text = run(*words, LD_LIBRARY_PATH=str(lame))
        expect("without the library it says so", status == expected and text.count("\n") == 1 and all(one in text for one in sentences),
               (words, status, text))
        status, text = run(*words)
        expect("and with it that nobody answers", status == expected and not any(one in text for one in sentences), (words, status, text))


for program in (RELEASE / "adhand", FILE):
    libraries = loaded(program)
    expect(f"{program.name} loads libraries", "libc.so.6" in libraries, libraries)
    expect(f"{program.name} loads neither libcurl nor libmosquitto at its start", not any(name in libraries for name in LATE), libraries)
with tempfile.TemporaryDirectory(prefix="adhan-called-") as place:
    names(Path(place))
    without_libraries(Path(place))
sys.exit(findings.end())
