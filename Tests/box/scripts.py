#!/usr/bin/env python3
"""Tests that the box's scripts set mixers and manage upgrades correctly, on folders, with programs that replace the machine's and
give the answers that a test needs.

usage: scripts.py
"""

import datetime
import hashlib
import json
import lzma
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import unquote

sys.path[:0] = [str(Path(__file__).resolve().parent.parent)]
from findings import Findings  # noqa: E402

CHECKOUT = Path(__file__).resolve().parent.parent.parent
BOX = CHECKOUT / "box"
findings = Findings()
expect = findings.expect

# The controls of USB sticks, PC sound cards and Raspberry Pi hats. Their names come from the device.
OUTPUTS = ["Master", "Bob's Speaker", "Line Out", "Headphone", "x';touch OWNED;:'"]
INPUTS = ["Mic", "Line", "Mic Boost", "Beep", "CD", "Auto Gain Control Capture"]
AMIXER = """#!/bin/sh
case "$*" in
    *scontrols) cat controls ;;
    *sget*) echo "  Capabilities: pvolume pswitch" ;;
    *sset*) echo "$5" >> set ;;
esac
"""


def program(folder, name, text):
    (folder / "bin").mkdir(exist_ok=True)
    (folder / "bin" / name).write_text(text)
    (folder / "bin" / name).chmod(0o755)


def run(folder, *command, **environment):
    environment = os.environ | {"PATH": f"{folder}/bin:/usr/sbin:/usr/bin:/sbin:/bin", "ADHAN_BOX_RUN": str(folder)} | environment
    done = subprocess.run(["/bin/sh", *map(str, command)], cwd=folder, env=environment, capture_output=True, text=True, timeout=60,
                          check=False)
    return done.returncode, done.stdout + done.stderr


def mixers(folder):
    (folder / "card0").mkdir()
    (folder / "card0/id").write_text("Device\n")
    (folder / "controls").write_text("".join(f"Simple mixer control '{name}',0\n" for name in INPUTS + OUTPUTS))
    program(folder, "amixer", AMIXER)
    program(folder, "alsactl", '#!/bin/sh\necho "$@" >> stored\n')
    where = {"ADHAN_BOX_CARDS": str(folder), "ADHAN_BOX_MIXERS": str(folder / "asound.state")}
    status, log = run(folder, BOX / "mixer.sh", 0, **where)
    found = (folder / "set").read_text().split("\n")[:-1]
    expect("every output of a card is set, whatever its name; no microphone is opened", found == [f"{name},0" for name in OUTPUTS],
           f"{status} {log} {found}")
    expect("what a device calls itself is never run", not (folder / "OWNED").exists())
    expect("that card is stored, and no other", (folder / "stored").read_text() == "store Device\n")
    (folder / "asound.state").write_text("state.Device {\n}\n")
    (folder / "set").unlink()
    run(folder, BOX / "mixer.sh", 0, **where)
    expect("a card that was set once is left as it is", not (folder / "set").exists())


ADHANCTL = """#!/bin/sh
case "$*" in
    *'card health --before'*) cat worse; [ ! -s worse ] ;;
    *'card health'*) cat health ;;
    *history*) [ -s history ] && cat history ;;
    *) [ -s status ] && cat status ;;
esac
"""


UNPLACED = {"playback": {"state": "idle"}, "clock": {"trusted": False, "synchronized": False}, "timers": [], "awaiting": "place"}
CLOCKLESS = UNPLACED | {"awaiting": "clock"}


def due(minutes, state="idle", trusted=True, synchronized=True):
    """adhand's answer while its next announcement is this many minutes away; None: there is no announcement."""
    at = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(minutes=minutes or 0)
    timers = [] if minutes is None else [{"id": "x", "at": at.isoformat()}]
    return {"playback": {"state": state}, "clock": {"trusted": trusted, "synchronized": synchronized}, "timers": timers}


def upgrades(folder):
    layers = folder / "data/system"
    (layers / "upgrade-1").mkdir(parents=True)
    (folder / "etc/adhand").mkdir(parents=True)
    (folder / "layer").write_text("upgrade-1\n")
    where = {"ADHAN_BOX_LIB": str(BOX / "lib"), "ADHAN_BOX_ETC": str(folder / "etc"), "ADHAN_BOX_PATIENCE": "0", "ADHAN_BOX_PAUSE": "0.2"}
    program(folder, "adhanctl", ADHANCTL)

    def prepare(status, worse=""):
        (folder / "status").write_text(json.dumps(status) if status else "")
        (folder / "worse").write_text(worse)
        (layers / "trial").write_text("2\n")

    def confirmed(*what):
        prepare(*what)
        status, log = run(folder, BOX / "upgrade.sh", "confirm", **where)
        return status == 0, not (layers / "trial").exists(), log

    expect("an upgrade with which adhand is as well as before is confirmed", confirmed(due(40))[:2] == (True, True))
    status, gone, log = confirmed(None)
    expect("one with which it does not answer fails, so that the box starts again", not status and not gone, log)
    status, gone, log = confirmed(CLOCKLESS)
    expect("and so does one that finds no network to set the clock by", not status and not gone and "the time is not known" in log, log)
    expect("a box that waits for its place is well when adhand answers", confirmed(UNPLACED)[:2] == (True, True))
    for what in ("sound", "configuration sounds"):
        status, gone, log = confirmed(due(40), what)
        expect(f"one with which {what} is worse fails, and says so", not status and not gone and f"worse than before: {what}" in log, log)
    for what, seen in (("is close", due(8)), ("plays", due(40, "playing"))):
        prepare(seen, "sound")
        waiting = subprocess.Popen(["/bin/sh", BOX / "upgrade.sh", "confirm"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   text=True,
            env=os.environ | {"PATH": f"{folder}/bin:/usr/bin:/bin", "ADHAN_BOX_RUN": str(folder)} | where)
        try:
            waiting.wait(3)
            early = True
        except subprocess.TimeoutExpired:
            early = False
        (folder / "status.new").write_text(json.dumps(due(40)))
        (folder / "status.new").replace(folder / "status")
        log = waiting.communicate(timeout=30)[0]
        expect(f"while an adhan {what} such an upgrade is not left yet, and afterwards it is", not early and waiting.returncode == 1, log)


def upgrade_state(folder):
    """The state of upgrades in /run/adhan-box/upgrade.json, which the programs read that inform people."""
    layers = folder / "data/system"
    program(folder, "adhanctl", ADHANCTL)
    for name, text in (("status", json.dumps(UNPLACED)), ("worse", "")):
        (folder / name).write_text(text)
    layers.mkdir(parents=True)
    where = {"ADHAN_BOX_LIB": str(BOX / "lib"), "ADHAN_BOX_ETC": str(folder / "etc"), "ADHAN_BOX_PATIENCE": "0"}
    program(folder, "systemctl", "#!/bin/sh\n")

    def report(running, current=None, failed=None, trial=False, command="restart", previous=None, forgets=True):
        (folder / "layer").write_text(f"{running}\n")
        if forgets:
            (layers / "outdone").unlink(missing_ok=True)
        for name, text in (("current", current), ("failed", failed), ("trial", "2" if trial else None), ("previous", previous)):
            (layers / name).unlink(missing_ok=True)
            if text:
                (layers / name).write_text(f"{text}\n")
        (folder / "upgrade.json").unlink(missing_ok=True)
        run(folder, BOX / "upgrade.sh", command, **where)
        found = json.loads((folder / "upgrade.json").read_text())
        keys.append(list(found))
        times.append(found["at"])
        versions.append(found["adhand"])
        return found["running"], found["prepared"], found["failed"]

    times, keys, versions = [], [], []
    expect("a box as it was flashed", report("none") == ("image", None, None) and times[-1] is None)
    expect("one with an update ready", report("upgrade-20261101", "upgrade-20261102") == ("upgrade-20261101", "upgrade-20261102", None))
    expect("one that left an update",
           report("upgrade-20261101", "upgrade-20261101", "upgrade-20261102") == ("upgrade-20261101", None, "upgrade-20261102"))
    expect("without a plan it names no version of adhand", versions[-1] is None, versions)
    for plan, version in (("adhand [1.3.0] (1.4.0 adhand:stable [amd64])\nadhand-box [1.3.0] (1.4.0 adhand:stable [all])\n", "1.4.0"),
            ("adhand (1.4.0+deb12 adhand:stable [amd64]) []\n", "1.4.0+deb12"),
            ("adhand-box [1.3.0] (1.4.0 adhand:stable [all])\ntzdata [2025a] (2025b Debian:12/stable [all])\n", None)):
        (layers / "plans").mkdir(exist_ok=True)
        (layers / "plans/upgrade-20261102").write_text(plan)
        report("upgrade-20261101", "upgrade-20261101", "upgrade-20261102")
        expect(f"of a plan it names the version of adhand: {version}", versions[-1] == version, versions)
    report("upgrade-20261103", "upgrade-20261103", "upgrade-20261102", command="confirm")
    expect("and none once a newer one is well", versions[-1] is None, versions)
    report("upgrade-20261101", "upgrade-20261101", "upgrade-20261102")
    now = datetime.datetime.now(datetime.timezone.utc)
    expect("and when", abs((datetime.datetime.fromisoformat(times[-1].replace("Z", "+00:00")) - now).total_seconds()) < 60, times)
    # A machine without a clock dates a layer 1970.
    os.utime(layers / "failed", (20, 20))
    run(folder, BOX / "upgrade.sh", "restart", **where)
    left = datetime.datetime.fromisoformat(json.loads((folder / "upgrade.json").read_text())["at"].replace("Z", "+00:00"))
    expect("which was not before it was made", abs((left - now).total_seconds()) < 60, left)
    expect("also where it went back to the image", report("none", None, "upgrade-20261102")[2] == "upgrade-20261102")
    expect("a newer one on trial does not undo that",
           report("upgrade-20261103", "upgrade-20261103", "upgrade-20261102", trial=True)[2] == "upgrade-20261102")
    expect("a newer one that is well does", report("upgrade-20261103", "upgrade-20261103", "upgrade-20261102", trial=True,
                                                   command="confirm")[2] is None)
    old, new = "upgrade-20310101-031500", "upgrade-20261129-031500"
    expect("after a clock that was ahead, an update with an earlier name is ready all the same", report(old, new, previous=old)[1] == new)
    expect("and where the one before waits, none is", report(new, old, trial=True, previous=old)[1] is None)
    expect("one that was left has its say, whatever the names",
           report(new, new, old)[2] == old and report(new, new, old, forgets=False)[2] == old)
    expect("until a newer one is well",
           report(new, new, old, trial=True, command="confirm")[2] is None and report(new, new, old, forgets=False)[2] is None)
    expect("one that is left after that is named again",
           report(new, new, "upgrade-20250101-031500", forgets=False)[2] == "upgrade-20250101-031500")
    expect("its keys are those of the contract", all(found == ["running", "prepared", "failed", "at", "adhand"] for found in keys), keys)


def restarts(folder):
    """When a box with a prepared upgrade restarts into it, and what it logs while it waits."""
    (folder / "data/system").mkdir(parents=True)
    (folder / "data/system/current").write_text("upgrade-1\n")
    (folder / "layer").write_text("none\n")
    program(folder, "systemctl", '#!/bin/sh\necho "$*" >> called\n')
    where = {"ADHAN_BOX_LIB": str(BOX / "lib"), "ADHAN_BOX_ETC": str(folder / "etc"), "ADHAN_BOX_CLOCK": str(folder / "clock")}

    program(folder, "adhanctl", ADHANCTL)
    (folder / "health").write_text('{"problems":[],"sound":"healthy"}\n')

    def restart(status=None):
        (folder / "status").write_text(json.dumps(status) if status else "")
        (folder / "called").unlink(missing_ok=True)
        code, log = run(folder, BOX / "upgrade.sh", "restart", **where)
        return code == 0 and (folder / "called").exists(), log

    expect("a box that waits for its place restarts into its upgrade", restart(UNPLACED)[0])
    expect("how well adhand is before it is kept", "healthy" in (folder / "data/system/health").read_text())
    expect("as does one on which nothing is armed", restart(due(None))[0])
    expect("and one on which nothing is due for half an hour", restart(due(40))[0])
    for what, seen in (("adhand does not answer", None), ("an adhan is close", due(20)), ("something sounds", due(40, "playing")),
            ("the clock is not trusted", due(None, trusted=False))):
        (folder / "obstacle").unlink(missing_ok=True)
        first, again = restart(seen), restart(seen)
        good = not first[0] and not again[0] and "waits for a quiet half hour" in first[1] and again[1] == ""
        expect(f"while {what} it waits, and says so once", good, f"{first} {again}")
    (folder / "obstacle").unlink(missing_ok=True)

    def called(minutes):
        at = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(minutes=minutes)
        (folder / "history").write_text(
            json.dumps({"announcements": [{"scheduled": "2026-01-01T05:00:00.000-05:00"}, {"scheduled": at.isoformat()}]}))

    program(folder, "sync", '#!/bin/sh\ncase $* in */written) exit 1 ;; esac\n')
    waits, log = restart(UNPLACED)
    expect("on a card that takes nothing it does not restart, as no trial could be counted",
           not waits and "a card that can be written" in log, log)
    (folder / "bin/sync").unlink()
    (folder / "obstacle").unlink(missing_ok=True)
    called(9)
    waits, log = restart(due(40))
    expect("nor does it restart within ten minutes after an adhan", not waits and "quiet half hour" in log, log)
    called(-60 * 24 * 3650)
    (folder / "obstacle").unlink(missing_ok=True)
    expect("nor is it held back by what a clock that was ahead wrote down", restart(due(40))[0])
    called(11)
    (folder / "obstacle").unlink(missing_ok=True)
    expect("later it does", restart(due(40))[0])
    waits, log = restart(due(40, synchronized=False))
    expect("without a clock of its own it waits for the network", not waits and "the network" in log, log)
    (folder / "clock").touch()
    expect("and not with one", restart(due(40, synchronized=False))[0])


def clocks(folder):
    """Whether the time is known; adhand starts without that as well."""
    program(folder, "systemctl", '#!/bin/sh\necho "$*" >> called\n')
    (folder / "rtc/rtc0").mkdir(parents=True)
    where = {"ADHAN_BOX_LIB": str(BOX / "lib"), "ADHAN_BOX_CLOCKS": str(folder / "rtc"),
             "ADHAN_BOX_SYNCHRONIZED": str(folder / "synchronized")}
    (folder / "last-known-time").write_text("1000\n")

    def look():
        (folder / "no-clock").unlink(missing_ok=True)
        status, log = run(folder, BOX / "clock.sh", "look", **where)
        return status == 0, not (folder / "no-clock").exists(), log

    expect("without a battery and a network the time is not known, and nothing waits for it", look()[:2] == (True, False))
    for name, text in (("since_epoch", "2000"), ("hctosys", "1")):
        (folder / "rtc/rtc0" / name).write_text(text + "\n")
    expect("a battery clock that went on knows it", look()[:2] == (True, True))
    (folder / "rtc/rtc0/since_epoch").write_text("1000\n")
    expect("and one that stood still does not", look()[:2] == (True, False))
    program(folder, "adhanctl", ADHANCTL)
    (folder / "status").write_text(json.dumps({"awaiting": "clock"}))
    (folder / "called").unlink(missing_ok=True)
    waiting = subprocess.Popen(["/bin/sh", BOX / "clock.sh", "wait"], cwd=folder,
                               env=os.environ | where | {"PATH": f"{folder}/bin:/usr/bin:/bin",
"ADHAN_BOX_RUN": str(folder)})
    try:
        waiting.wait(2)
        early = True
    except subprocess.TimeoutExpired:
        early = False
    (folder / "synchronized").touch()
    for _ in range(100):
        if not (folder / "no-clock").exists():
            break
        time.sleep(0.1)
    time.sleep(2)
    expect("the card is not answered while adhand still waits for the clock", waiting.poll() is None and not (folder / "called").exists())
    (folder / "status").write_text("")
    time.sleep(3)
    expect("nor while it starts again, and does not answer", waiting.poll() is None and not (folder / "called").exists())
    (folder / "status.new").write_text(json.dumps({"awaiting": None}))
    (folder / "status.new").replace(folder / "status")
    ended = waiting.wait(30) == 0
    expect("a time server is waited for, then the card is answered again", not early and ended and not (folder / "no-clock").exists()
        and "restart adhan-box-answer.service" in (folder / "called").read_text())


# Replaces the initramfs's own functions and mounts: the data partition is an existing folder.
INITRAMFS = """log_begin_msg() { :; }
log_end_msg() { :; }
log_warning_msg() { echo "$*"; }
resolve_device() { DEV=$1; }
"""


def initramfs(folder):
    """Simulates boots of a box with two layers, in a folder. Returns a function that gives the layer of the next boot, and
    whether it is on trial."""
    (folder / "scripts").mkdir()
    (folder / "scripts/functions").write_text(INITRAMFS)
    (folder / "scripts/adhan-box-settings").write_text((BOX / "lib/settings.sh").read_text())
    (folder / "cmdline").write_text(f"quiet adhan.data={folder}/disk\n")
    (folder / "disk").touch()
    (folder / "root/etc").mkdir(parents=True)
    text = (BOX / "initramfs/local-bottom").read_text().replace('[ -b "$DEV" ]', '[ -e "$DEV" ]')
    for path in ("/run/adhan-box", "/scripts/", "/proc/cmdline", "/proc/mounts"):
        text = text.replace(path, str(folder) + path.replace("/proc", "").replace("/adhan-box", ""))
    (folder / "local-bottom").write_text(text)
    program(folder, "mount", f'#!/bin/sh\n[ "$2" != ext4 ] || echo "disk {folder}/run/data ext4 rw" > {folder}/mounts\n')
    program(folder, "chroot", f"#!/bin/sh\n[ ! -e {folder}/no-init ]\n")
    for name in ("umount", "e2fsck", "mke2fs", "dd"):
        program(folder, name, "#!/bin/sh\n")
    program(folder, "adhanctl", ADHANCTL)
    layers = folder / "run/data/system"
    for layer in ("upgrade-1", "upgrade-2"):
        (layers / layer / "upper").mkdir(parents=True)

    def boot():
        """The layer of this boot, and whether it is on trial."""
        for file in folder.glob("run/*"):
            file.unlink() if file.is_file() else None
        (folder / "mounts").write_text("")
        code, log = run(folder, folder / "local-bottom", rootmnt=str(folder / "root"))
        if code:
            expect("the initramfs ends well", False, log)
        return (folder / "run/layer").read_text().strip(), (folder / "run/on-trial").exists()

    return boot


def boots(folder):
    """The initramfs counts the boots of a new layer, and returns to the old one."""
    boot = initramfs(folder)
    layers = folder / "run/data/system"

    def confirm(status, worse=""):
        (folder / "status").write_text(json.dumps(status) if status else "")
        (folder / "worse").write_text(worse)
        return run(folder, BOX / "upgrade.sh", "confirm", ADHAN_BOX_LIB=str(BOX / "lib"), ADHAN_BOX_ETC=str(folder / "etc"),
                   ADHAN_BOX_PATIENCE="0",
            ADHAN_BOX_RUN=str(folder / "run"))[0]

    def prepare():
        for name, text in (("current", "upgrade-2"), ("previous", "upgrade-1"), ("trial", "3")):
            (layers / name).write_text(f"{text}\n")
        (layers / "failed").unlink(missing_ok=True)

    for what, answers in (("exits or hangs", (None, "")), ("has no sound any more", (due(40), "sound")),
                          ("cannot read its settings", (due(40), "configuration"))):
        prepare()
        seen = []
        for _ in range(4):
            seen.append(boot())
            if seen[-1][1]:
                seen[-1] += (confirm(*answers),)
        left = (layers / "failed").read_text() if (layers / "failed").exists() else ""
        expect(f"an upgrade whose adhand {what} has three boots, and is left in the fourth",
            seen == [("upgrade-2", True, 1)] * 3 + [("upgrade-1", False)] and left == "upgrade-2\n" and not (layers / "trial").exists(),
               f"{seen} {left}")
        expect("and stays left", boot() == ("upgrade-1", False))
    prepare()
    first = boot()
    expect("one that is well is confirmed at its first boot, and stays", first == ("upgrade-2", True) and confirm(due(40)) == 0
        and [boot() for _ in range(4)] == [("upgrade-2", False)] * 4)
    prepare()
    (layers / "current").write_text("upgrade-1\n")
    seen = [boot() for _ in range(5)]
    expect("a power cut before the new layer was chosen puts the one that runs on no trial", seen == [("upgrade-1", False)] * 5
        and not (layers / "trial").exists() and not (layers / "failed").exists(), seen)
    # A full card accepts file names, but no content.
    for what, text in (("a count is not written", "3"), ("the way back is not written", "0")):
        prepare()
        (layers / "trial").write_text(f"{text}\n")
        seen = []
        for _ in range(2):
            for file in ("trial.new", "current.new"):
                (layers / file).unlink(missing_ok=True)
                (layers / file).symlink_to("/dev/full")
            seen.append(boot())
        for file in ("trial.new", "current.new"):
            (layers / file).unlink(missing_ok=True)
        kept = (layers / "trial").read_text() if (layers / "trial").is_file() else ""
        expect(f"on a full card, on which {what}, the trial goes on", seen == [("upgrade-2" if text == "3" else "upgrade-1", False)] * 2
            and kept == f"{text}\n" and (layers / "current").read_text() == "upgrade-2\n", f"{seen} {kept}")
    prepare()
    (layers / "trial").write_text("")
    expect("a count without a number is used up", boot() == ("upgrade-1", False) and (layers / "failed").read_text() == "upgrade-2\n")
    prepare()
    (folder / "no-init").touch()
    expect("one without an init that runs is left at once", boot() == ("none", False) and (layers / "failed").read_text() == "upgrade-2\n")


# Replaces the chroot and its apt by an archive with one file as its index, and a plan.
CHROOT = """#!/bin/sh
lists={folder}/data/system/new/apt/lists
case $* in
    *' update') [ ! -e {folder}/index ] || cp {folder}/index "$lists/$(cat {folder}/index-name)" ;;
    *' -s -qq '*)
        [ ! -e {folder}/no-plan ] || {{ echo 'E: Unmet dependencies' >&2; exit 100; }}
        cat {folder}/planned
        echo "$*" >> {folder}/asked ;;
    *' --download-only '*) [ ! -e {folder}/no-packages ] ;;
    *' -y '*) [ -e {folder}/fits ] ;;
esac
"""


def made(folder):
    """The archive from which an upgrade is planned, and the plans that are kept."""
    layers = folder / "data/system"
    for path in ("data/system", "etc/apt/sources.list.d", "new-root/usr/sbin", "new-root/run", "system", "state"):
        (folder / path).mkdir(parents=True)
    (folder / "layer").write_text("none\n")
    (folder / "etc/machine-id").write_text("1a2b3c4d5e6f708192a3b4c5d6e7f809\n")
    (folder / "etc/apt/sources.list.d/adhand.sources").write_text("Types: deb\n")
    (folder / "planned").write_text("")
    program(folder, "adhanctl", ADHANCTL)
    program(folder, "chroot", CHROOT.format(folder=folder))
    for name in ("mount", "umount", "systemctl"):
        program(folder, name, "#!/bin/sh\n")
    where = {"ADHAN_BOX_LIB": str(BOX / "lib"), "ADHAN_BOX_ETC": str(folder / "etc"), "ADHAN_BOX_STATE": str(folder / "state"),
             "ADHAN_BOX_SPACE": "0"}

    def look():
        return (layers / "last-look").read_text()

    def make():
        (folder / "asked").unlink(missing_ok=True)
        code, log = run(folder, BOX / "upgrade.sh", "make", **where)
        asked = (folder / "asked").read_text() if (folder / "asked").exists() else ""
        return "SourceParts=/run/debian-sources" not in asked and asked != "", f"{code} {log} {asked}"

    for name in ("example.org_dists_stable_InRelease", "example.org_dists_stable_Release"):
        (folder / "index-name").write_text(name)
        (layers / "archive-date").unlink(missing_ok=True)
        for date, is_taken in (("Sun, 29 Nov 2026 03:00:00 UTC", True), ("Sat, 28 Nov 2026 03:00:00 UTC", False),
                               ("Mon, 30 Nov 2026 03:00:00 UTC", True)):
            (folder / "index").write_text(f"Origin: adhand\nDate: {date}\n")
            taken, seen = make()
            expect(f"an index of {date[:11]} in {name[24:]} is {'taken' if is_taken else 'older than the last one'}", taken == is_taken,
                   seen)
    (layers / "plans").mkdir(exist_ok=True)
    for name in ("upgrade-1", "upgrade-2"):
        (layers / "plans" / name).write_text(OURS)
        os.utime(layers / "plans" / name, (20, 20))
    (layers / "plans/upgrade-1.left").write_text("1000000000\n")
    (layers / "failed").write_text("upgrade-1\nupgrade-2\n")
    (folder / "planned").write_text(f"Inst {DEBIAN}")
    (folder / "no-packages").touch()
    _, seen = make()
    expect("packages that did not arrive are taken the next day", not (layers / "plans/unfit").exists() and "did not arrive" in look(),
           seen + look())
    (folder / "no-packages").unlink()
    _, seen = make()
    kept = sorted(path.name for path in (layers / "plans").iterdir())
    expect("of old plans that of the layer that was left last is kept, which says what it brought",
           kept == ["unfit", "upgrade-2", "upgrade-2.left"], f"{kept} {seen}")
    found = json.loads((folder / "upgrade.json").read_text())
    expect("and upgrade.json has it", (found["failed"], found["adhand"]) == ("upgrade-2", "1.4.0"), found)
    for what, planned, words in (("of a layer that was left", OURS, "only Debian's updates are taken"),
                                 ("that did not run", DEBIAN, "no upgrade: adhand was not well")):
        (folder / "planned").write_text("".join(f"Inst {line}\n" for line in planned.splitlines()))
        plan = layers / ("plans/unfit" if planned == DEBIAN else "plans/upgrade-2")
        for file in (plan, Path(f"{plan}.left")):
            file.unlink(missing_ok=True)
        plan.write_text(planned)
        os.utime(plan, (20, 20))
        (folder / "no-clock").touch()
        make()
        expect(f"a plan {what} is left alone, however old", words in look() and not Path(f"{plan}.left").exists(), look())
        (folder / "no-clock").unlink()
        make()
        noted = int(Path(f"{plan}.left").read_text())
        expect("for a week from when a clock that is known first found it", words in look() and abs(noted - time.time()) < 60,
               f"{look()} {noted}")
        for days, is_left in ((6.9, True), (-300, True), (7.1, False)):
            plan.write_text(planned)
            Path(f"{plan}.left").write_text(f"{int(time.time() - days * 86400)}\n")
            make()
            expect(f"  {days} days later it is {'left alone' if is_left else 'tried again'}", (words in look()) == is_left, look())
    (layers / "failed").unlink()
    (folder / "no-plan").touch()
    _, seen = make()
    expect("an apt that cannot plan says so in the report",
           "apt cannot plan one (Unmet dependencies)" in look() and not (layers / "new").exists(), f"{look()} {seen}")
    (folder / "no-plan").unlink()
    program(folder, "cp", '#!/bin/sh\ncase $* in */etc/apt*) exit 1 ;; esac\nexec /bin/cp "$@"\n')
    _, seen = make()
    expect("and so does any other step that fails", "a step of it failed" in look() and not (layers / "new").exists(), f"{look()} {seen}")
    (folder / "bin/cp").unlink()
    (folder / "layer").write_text("upgrade-3\n")
    for name, text in (("current", "upgrade-3"), ("previous", "none"), ("trial", "2")):
        (layers / name).write_text(f"{text}\n")
    (layers / "last-look").unlink()
    make()
    expect("while the layer that runs is on trial no other is made, whose trial would end with it", not (layers / "last-look").exists())
    for name in ("trial", "current", "previous"):
        (layers / name).unlink()
    (folder / "layer").write_text("none\n")
    (folder / "fits").touch()
    (folder / "planned").write_text("Inst other (1 x [all])\n")
    (layers / "upgrade-0/upper").mkdir(parents=True)
    program(folder, "date", '#!/bin/sh\ncase $* in *-%H*) echo 20261129-031500 ;; *) exec /bin/date "$@" ;; esac\n')
    (layers / "failed").write_text("upgrade-20261129-031500\n")
    make()
    made = sorted(path.name for path in layers.glob("upgrade-*"))
    expect("a layer never has the name of one that was left, and older ones are removed", made == ["upgrade-20261129-031500-more"]
        and (layers / "current").read_text() == f"{made[0]}\n", f"{made} {look()}")


# The power is cut before the program at this position. Without a number, nothing happens.
CUT = """#!/bin/sh
left=$(cat {folder}/left)
[ "$left" != 0 ] || kill -KILL $PPID
[ -z "$left" ] || echo $((left - 1)) > {folder}/left
[ "$left" = 0 ] || exec /usr/bin/{name} "$@"
"""
OURS = "adhand [1.3.0] (1.4.0 adhand:stable [amd64])\ntzdata [2025a] (2025b Debian:12/stable [all])\n"
DEBIAN = "tzdata [2025a] (2025b Debian:12/stable [all])\n"


def held(folder):
    """With adhand-upgrades = off, a layer with a newer adhand that was prepared before is not used, whenever the power is cut."""
    boot = initramfs(folder)
    layers = folder / "run/data/system"
    (folder / "etc").mkdir(exist_ok=True)
    (folder / "state").mkdir()
    for name, text in (("status", json.dumps(UNPLACED)), ("worse", "")):
        (folder / name).write_text(text)
    program(folder, "systemctl", f'#!/bin/sh\necho "$*" >> {folder}/called\n')
    for name in ("mv", "rm", "sync"):
        program(folder, name, CUT.format(folder=folder, name=name))
    where = {"ADHAN_BOX_LIB": str(BOX / "lib"), "ADHAN_BOX_ETC": str(folder / "etc"), "ADHAN_BOX_PATIENCE": "0",
             "ADHAN_BOX_STATE": str(folder / "state"),
        "ADHAN_BOX_RUN": str(folder / "run")}

    def upgrade(command, left=""):
        (folder / "left").write_text(f"{left}\n")
        (folder / "called").unlink(missing_ok=True)
        code, log = run(folder, BOX / "upgrade.sh", command, **where)
        (folder / "left").write_text("\n")
        return code, log

    def prepare(choice="off", plan=OURS, before="upgrade-1", plan_before=OURS):
        """A box in which upgrade-1, or only the image, runs, and upgrade-2 is prepared."""
        for file in layers.glob("*"):
            file.unlink() if file.is_file() else None
        for name, text in (("upgrade-1", plan_before), ("upgrade-2", plan)):
            (layers / name / "upper").mkdir(parents=True, exist_ok=True)
            (layers / name / "plan").write_text(text)
        (layers / "current").write_text(f"{before}\n")
        (folder / "left").write_text("\n")
        boot()
        for name, text in (("previous", before), ("trial", "3"), ("current", "upgrade-2")):
            (layers / name).write_text(f"{text}\n")
        (folder / "state/upgrades").write_text(f"{choice}\n")

    def restart():
        """Whether the box restarts, and the layer that it reports as prepared."""
        upgrade("restart")
        return (folder / "called").exists(), json.loads((folder / "run/upgrade.json").read_text())["prepared"]

    prepare()
    (layers / "failed").write_text("upgrade-0\n")
    (layers / "outdone").write_text("\n")
    (folder / "run/upgrade.json").unlink(missing_ok=True)
    upgrade("hold")
    expect("from the start of the box on upgrade.json has what was left",
           json.loads((folder / "run/upgrade.json").read_text())["failed"] == "upgrade-0")
    for before in ("upgrade-1", "none"):
        prepare(before=before)
        upgrade("hold")
        good = (layers / "current").read_text() == f"{before}\n" and not (layers / "trial").exists()
        expect(f"where {before} runs a newer adhand that is ready is put aside", good and boot() == (before, False))
        expect("and no restart is due", restart() == (False, None))
        expect("its layer is removed, the one that runs never", not (layers / "upgrade-2").exists() and (layers / "upgrade-1").exists())
        expect("the report says why", "adhand stays as it is: upgrade-2" in (layers / "last-look").read_text())
        prepare(before=before)
        expect("the boot after box.txt was written is the new layer's first", boot() == ("upgrade-2", True))
        upgrade("hold")
        expect("it is left", restart() == (True, None) and (layers / "upgrade-2").exists() and boot() == (before, False))
        expect("for good, and removed then",
               restart() == (False, None) and not (layers / "upgrade-2").exists() and boot() == (before, False))
        expect("and counts as no failure", not (layers / "failed").exists())
    for what, choice, plan in (("with the switch on", "on", OURS), ("of Debian's updates alone", "off", DEBIAN)):
        prepare(choice, plan)
        upgrade("hold")
        expect(f"a layer {what} is used", restart() == (True, "upgrade-2") and boot() == ("upgrade-2", True))
        upgrade("hold")
        expect("and stays on trial", (layers / "trial").exists() and boot() == ("upgrade-2", True))
    prepare("on")
    boot()
    upgrade("confirm")
    (folder / "state/upgrades").write_text("off\n")
    upgrade("hold")
    expect("one that was confirmed before is the adhand that the box has", boot() == ("upgrade-2", False) and restart() == (False, None)
        and (layers / "upgrade-2").exists())
    prepare("on")
    (folder / "etc/apt/sources.list.d").mkdir(parents=True)
    (folder / "etc/apt/sources.list.d/adhand.sources").write_text("Types: deb\nEnabled: no\n")
    expect("Enabled: no in the source does the same at once", restart() == (False, None) and boot() == ("upgrade-1", False))
    (folder / "etc/apt/sources.list.d/adhand.sources").unlink()
    for before in ("upgrade-1", "none"):
        for first in (False, True):
            wrong = []
            for cut in range(8):
                prepare(before=before)
                if first:
                    boot()
                code, _ = upgrade("hold", cut)
                seen = [boot()]
                # No layer runs on trial without a count, and the second start completes an interrupted change.
                if seen[0] not in ((before, False), (before, True), ("upgrade-2", True)):
                    wrong.append((cut, seen))
                upgrade("hold")
                upgrade("restart")
                seen.append(boot())
                upgrade("restart")
                if seen[1:] != [(before, False)] or boot() != (before,
                                                               False) or not (layers / "upgrade-1/upper").exists() or (
                                                                   layers / "failed").exists():
                    wrong.append((cut, code, seen))
            expect(f"power cuts before each step, {before} before, {'in the first boot' if first else 'not booted yet'}", not wrong, wrong)


def manifest(folder):
    """Tests the list for Raspberry Pi Imager with an image of a few bytes."""
    image, packed = folder / "adhan-box_1.2.3_arm64.img", folder / "adhan-box_1.2.3_arm64.img.xz"
    image.write_bytes(b"an image" * 1000)
    packed.write_bytes(lzma.compress(image.read_bytes()))
    script = CHECKOUT / "image/manifest.sh"
    where = {"IMAGE_URL": "https://example.org/images/", "SOURCE_DATE_EPOCH": "1796083200"}
    status, log = run(folder, script, "1.2.3", image, packed, **where)
    found = json.loads(log) if not status else {}
    digest = {file: hashlib.sha256(file.read_bytes()).hexdigest() for file in (image, packed)}
    entry = {
        "name": "adhand box 1.2.3", "description": "Calls the adhan", "url": "https://example.org/images/adhan-box_1.2.3_arm64.img.xz",
        "icon": "https://example.org/images/adhan-box.svg", "release_date": "2026-12-01", "extract_size": 8000,
        "extract_sha256": digest[image], "image_download_size": packed.stat().st_size, "image_download_sha256": digest[packed],
        "devices": ["pi3-64bit", "pi4-64bit", "pi5-64bit"], "architecture": "armv8", "init_format": "cloudinit-rpi",
    }
    devices = [{"name": f"Raspberry Pi {model}", "tags": [f"pi{model}-64bit"]} for model in (5, 4, 3)]
    expect("Imager's list has one image, with the sizes and hashes of its two files",
           found == {"imager": {"devices": devices}, "os_list": [entry]}, log)
    status, again = run(folder, script, "1.2.3", image, packed, **where)
    expect("and the same bytes at the same commit", not status and again == log)
    status, log = run(folder, script, "1.2.3", image, packed, "display", SOURCE_DATE_EPOCH=where["SOURCE_DATE_EPOCH"], IMAGE_URL="")
    local = json.loads(log)["os_list"][0] if not status else {}
    good = local.get("url") == packed.as_uri() and local["name"].endswith("with a screen") and Path(
        local["icon"].removeprefix("file://")).exists()
    expect("without an address it names the files of this machine", good, log)
    strange = folder / 'a "مسجد"/x.img.xz'
    strange.parent.mkdir()
    strange.write_bytes(packed.read_bytes())
    status, log = run(folder, script, "1.2.3", image, strange, IMAGE_URL="")
    local = json.loads(log)["os_list"][0]["url"] if not status else ""
    expect("whatever the path is written with", unquote(local) == f"file://{strange}" and local.isascii(), log)
    status, log = run(folder, script, "1.2.3", image, packed, IMAGE_URL='https://example.org/"')
    expect("an address that would break the list is refused", status == 1 and "{" not in log, log)
    status, log = run(folder, script, "1.2.3", image, folder / "none", **where)
    expect("as is an image that is not there", status == 1 and "{" not in log, log)


def main():
    for part in (mixers, upgrades, upgrade_state, restarts, clocks, boots, made, held, manifest):
        with tempfile.TemporaryDirectory(prefix="adhan-box-scripts-") as folder:
            part(Path(folder))
    return findings.end()


if __name__ == "__main__":
    sys.exit(main())
