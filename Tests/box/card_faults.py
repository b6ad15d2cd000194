"""Tests that power cuts, damage and losses of the card and of the box do no harm, and that the report names them."""

import hashlib
import os
import random
import shutil
import signal
import subprocess
import time
from pathlib import Path

from card_box import CHECKOUT, PLACE, expect


def cuts(box):
    torn = (box.root / "torn").read_text()
    expect("whatever was taken over is on the disk before its hash is noted", torn == "", torn)
    etc = box.root / "etc"
    before = etc / "adhand/adhand.toml.before-card"
    before.write_text("what the box had")
    box.put("adhand.toml", box.config.read_text())
    (box.state / "seen/adhand.toml").unlink()
    box.step("before")
    expect("cut off before the hash, it keeps what the box had all the same", before.read_text() == "what the box had", before.read_text())
    (etc / "machine-id").write_text("0123456789abcdef\n")
    (box.root / "run/in-memory").touch()
    for held, wanted in (("adhan\n", "adhan-012345\n"), ("", "adhan-012345\n"), ("minbar\n", "minbar\n")):
        (etc / "hostname").write_text(held)
        (box.root / "synced").unlink(missing_ok=True)
        done = subprocess.run([CHECKOUT / "box/start.sh"], env=box.environment, capture_output=True, text=True, check=False, timeout=60)
        named = (etc / "hostname").read_text()
        safe = held == wanted or str(etc / "hostname.new") in (box.root / "synced").read_text().split("\n")
        expect(f"a box called {held.strip() or 'nothing, after a cut,'} is called {wanted.strip()}, on the disk as well",
               named == wanted and safe, done)
    # The name that the card gave stays, even if it equals the image's.
    for given, held, wanted in (("masjid", "", "masjid\n"), ("masjid", "adhan\n", "masjid\n"), ("adhan", "adhan\n", "adhan\n"),
                                ("", "adhan\n", "adhan-012345\n")):
        (box.state / "hostname").write_text(given)
        (etc / "hostname").write_text(held)
        done = subprocess.run([CHECKOUT / "box/start.sh"], env=box.environment, capture_output=True, text=True, check=False, timeout=60)
        named = (etc / "hostname").read_text()
        expect(f"given the name {given or 'of nothing'}, {held.strip() or 'nothing'} becomes {wanted.strip()}", named == wanted,
               f"{named} {done}")
    (box.state / "hostname").unlink()
    (box.root / "run/in-memory").unlink()


def losses(box):
    held = box.everything()
    (box.card).rename(box.root / "pulled")
    output = box.step("before") + box.step("after")
    expect("without a card the box uses what it has", "uses the settings that it has" in output and box.everything() == held, output)
    (box.root / "pulled").rename(box.card)
    # The box is killed at a random moment, as by a power cut. The configuration is then the old one or the new one as a whole.
    seen, torn = set(), []
    box.put("adhand.toml", PLACE.replace("Our mosque", "Whole mosque"))
    began = time.monotonic()
    box.step("before")
    whole = time.monotonic() - began
    for attempt in range(40):
        wanted = PLACE.replace("Our mosque", f"Mosque {attempt}")
        before = box.config.read_text()
        box.put("adhand.toml", wanted)
        run = subprocess.Popen(
            [CHECKOUT / "box/card.sh", "before"], env=box.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        time.sleep(random.uniform(0.0, 1.5 * whole))
        os.killpg(run.pid, signal.SIGKILL)
        run.wait(30)
        now = box.config.read_text()
        seen.add("new" if now == wanted else "old")
        if now not in (before, wanted):
            torn.append(now)
    expect(f"killed 40 times on the way, it is whole ({', '.join(sorted(seen))})", not torn and len(seen) == 2, torn)
    box.boot()
    expect("and the next boot takes it over", box.config.read_text() == wanted, box.said)


def reports(box):
    """The report is complete, however much there is to report, and whatever somebody did to its file."""
    kept = box.root / "kept.toml"
    box.config.rename(kept)
    (box.card / "adhand.toml").rename(box.root / "card.toml")
    (box.root / "run/in-memory").touch()
    report = box.boot()
    expect("a box without a place tells of a card that is worn out too", "calls nothing" in report and "settings cannot be used" in report,
           report)
    (box.root / "run/in-memory").unlink()
    kept.rename(box.config)
    (box.root / "card.toml").rename(box.card / "adhand.toml")
    for number in range(160):
        box.put(f"sounds/recording-{number:03d}.mp3", b"I am a text")
    for number in range(60, 160):
        (box.state / f"seen/sounds:recording-{number:03d}.mp3").write_text(hashlib.sha256(b"I am a text").hexdigest() + "  -\n")
    report = box.boot()
    good = all(w in report for w in ("Place", "Fajr", "recording-059.mp3 NOT",
                                     "recording-060.mp3 taken over")) and "more taken over" in report
    expect("with very many recordings it has place, times, what is refused, and counts the rest", good and "recording-158" not in report,
           report)
    for number in range(60, 100):
        box.put(f"sounds/recording-{number:03d}.mp3", b"I am another text" * 50)
    for number in range(100):
        (box.card / f"sounds/recording-{number:03d}.mp3").rename(
            box.card / f"sounds/{'recording-of-a-very-long-name' * 4}-{number:03d}.mp3")
    report = box.boot()
    good = all(w in report for w in ("Place", "Fajr", "for which there is no room here"))
    expect("with more than fits, too, and says that there is more", good and len(report) <= 16384, report)
    shutil.rmtree(box.card / "sounds")
    try:
        (Path(os.fsdecode(os.fsencode(box.card) + b"/wifi-Caf\xe9.txt"))).touch()
    except OSError:
        pass
    report = box.boot()
    expect("a name that is no UTF-8 leaves it one", "wifi-Caf.txt is not read" in report, report)
    for stray in box.card.glob("wifi-*"):
        stray.unlink()
    box.boot()
    file = box.card / "adhand-report.txt"
    file.write_bytes(file.read_bytes() + b"one line more\r\n")
    before = file.stat().st_mtime_ns
    box.boot()
    expect("a report that somebody made longer is not written at every boot", before == file.stat().st_mtime_ns)
    file.unlink()


def damage(box):
    """The initramfs repairs a damaged file system, here on folders, and the report mentions it."""
    disk = box.root / "disk"
    found = disk / "lost+found"
    for file in "#12/adhand/adhand.toml", "#13/lib/adhand/history.jsonl", "#14/machine-id", "#15/current", "#16/other":
        (found / file).parent.mkdir(parents=True)
        (found / file).write_text(file)

    def settings(words):
        return subprocess.run(["sh", "-c", f". {CHECKOUT}/box/lib/settings.sh; {words}"], capture_output=True, text=True, check=False,
                              timeout=60)

    empty = settings(f"settings_left {disk}").returncode
    settings(f"find_lost_settings {disk}; find_lost_settings {disk}")
    places = sorted(str(file.relative_to(disk)) for file in disk.rglob("*") if file.is_file())
    expect("a file system that lost its root has its settings again",
           empty == 1 and settings(f"settings_left {disk}").returncode == 0 and places
        == ["etc-changes/machine-id", "etc/adhand/adhand.toml", "lost+found/#16/other", "system/current", "var/lib/adhand/history.jsonl"],
           places)
    made = settings(f"PATH=$PATH:/sbin; make_settings {box.root}/new && e2fsck -fn {box.root}/new")
    expect("one that is made again is whole", made.returncode == 0 and (box.root / "new").stat().st_size == 64 << 20, made)
    for code, output in ("mended", "mended"), ("remade", "made again"):
        (box.root / "run/damaged").write_text(code + "\n")
        report = box.boot()
        expect(f"the report says that it is {output}", f"PROBLEM: the part of the card for settings was damaged, and is {output}" in report,
               report)
    (box.root / "run/damaged").unlink()
