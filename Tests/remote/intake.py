#!/usr/bin/env python3
"""Tests that the intake accepts good files and refuses others beside a real adhand: of every kind, incomplete, several at once,
and on a full disk.

usage: intake.py RELEASE-DIRECTORY
"""

import hashlib
import json
import os
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time
import zlib
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent.parent)]
from findings import Findings  # noqa: E402

CHECKOUT = Path(__file__).resolve().parent.parent.parent
RECORDINGS = CHECKOUT / "Tests/PlaybackTests/Fixtures"
PLACE = 'timezone = "Europe/London"\n[location]\nname = "Our mosque"\nlatitude = 51.5194\nlongitude = -0.0653\n'
PLACE += '[audio]\ndevices = ["null"]\n'
MEGABYTE = 1 << 20
findings = Findings()
expect = findings.expect


class Box:
    """An adhand and its intake, in folders of their own."""

    def __init__(self, release, root):
        self.root = root
        for folder in ("state", "slides", "audio"):
            (root / folder).mkdir()
        (root / "adhand.toml").write_text(PLACE)
        common = ["--socket", str(root / "control.sock"), "--state-dir", str(root / "state")]
        paths = ["--config", str(root / "adhand.toml"), "--audio-dir", str(root / "audio")]
        self.journal = open(root / "journal", "wb")
        self.adhand = self.start([release / "adhand", *common, *paths])
        self.intake = self.start(
            [release / "adhanctl", "intake", "--serve", root / "intake.sock", "--slides-dir", root / "slides", *common, *paths])
        for name in ("control.sock", "intake.sock"):
            end = time.monotonic() + 20
            while not (root / name).exists() and time.monotonic() < end:
                time.sleep(0.05)

    def start(self, words):
        return subprocess.Popen(
            [str(word) for word in words], stdout=self.journal, stderr=subprocess.STDOUT, cwd=self.root)

    def end(self):
        for process in (self.intake, self.adhand):
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
        self.journal.close()

    def connect(self):
        caller = socket.socket(socket.AF_UNIX)
        caller.settimeout(60)
        caller.connect(str(self.root / "intake.sock"))
        return caller

    def raw(self, sent):
        with self.connect() as caller:
            try:
                caller.sendall(sent)
            except (BrokenPipeError, ConnectionResetError):
                pass
            else:
                caller.shutdown(socket.SHUT_WR)
            reply = b""
            while True:
                try:
                    part = caller.recv(65536)
                except ConnectionResetError:
                    break
                if not part:
                    break
                reply += part
        return json.loads(reply) if reply else {}

    def ask(self, act, file=b"", **fields):
        return self.raw(json.dumps({"act": act, "bytes": len(file), **fields}).encode() + b"\n" + file)

    @property
    def spooled(self):
        folder = self.root / "state/intake"
        return sorted(os.listdir(folder)) if folder.exists() else []

    @property
    def pictures(self):
        return sorted(os.listdir(self.root / "slides"))


def chunk(name, content):
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def png(width=8, height=8, extra=b"", rows=None):
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    rows = b"\0" * (height * (1 + 3 * width)) if rows is None else rows
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + extra + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def pictures(box):
    noted = png(extra=chunk(b"tEXt", b"Author\0somebody")) + b"%PDF-1.7"
    reply = box.ask("picture", noted)
    plain = hashlib.sha256(png()).hexdigest()
    expect("a picture is kept under its digest, without notes and what hangs behind it", reply.get("picture") == plain, reply)
    kept = box.root / "slides" / plain
    expect("… and readable for the screen", kept.exists() and kept.stat().st_mode & 0o777 == 0o644)
    expect("the same picture twice is one file", box.ask("picture", png()).get("picture") == plain and box.pictures == [plain])
    bomb = png(rows=b"\0" * (64 * MEGABYTE))
    for what, file, code in [
        ("a bomb", bomb, "content"),
        ("a poster of 5000 pixels", png(5000, 8), "content"),
        ("a drawing with a script", b"<svg onload='alert(1)'/>", "content"),
        ("a moving picture", b"GIF89a", "content"),
        ("half a picture", png()[:60], "content"),
        ("nothing", b"", "content"),
        ("a picture of 5 MB", b"\x89PNG" + bytes(5 * MEGABYTE), "too-large"),
    ]:
        reply = box.ask("picture", file)
        expect(f"{what} is refused, and leaves nothing", reply.get("error") == code and box.pictures == [plain], reply)
    expect("a path is no picture's name", box.ask("remove-picture", name="../adhand.toml").get("error") == "request")
    expect("a picture goes", "error" not in box.ask("remove-picture", name=plain) and not box.pictures)
    expect("… once", box.ask("remove-picture", name=plain).get("error") == "nothing")


def recordings(box):
    file = (RECORDINGS / "cbr64_44k_mono.mp3").read_bytes()
    reply = box.ask("recording", file, name="madinah", prayer="fajr")
    kept = box.root / "state/sounds/madinah/fajr.mp3"
    expect("a recording is measured and kept", reply.get("sound", {}).get("name") == "madinah" and kept.exists(), reply)
    expect("… as it was", kept.exists() and kept.read_bytes() == file)
    again = box.ask("recording", file, name="madinah", prayer="fajr")
    expect("a name that is taken is refused", again.get("error") == "refused", again)
    for what, sent, name, code in [
        ("junk", b"\x1f\x8b" + os.urandom(100_000), "junk", "content"),
        ("an MP3 that is a picture", png() + file[:200], "polyglot", "content"),
        ("a path", file, "../../etc/passwd", "request"),
        ("a name with line breaks", file, "a\r\nb", "request"),
        ("a recording of 21 MB", bytes(21 * MEGABYTE), "large", "too-large"),
    ]:
        reply = box.ask("recording", sent, name=name)
        left = [str(path.relative_to(box.root)) for path in (box.root / "state/sounds").rglob("*")]
        good = reply.get("error") == code and len(left) == 3
        expect(f"{what} is refused, and leaves nothing", good, f"{reply} {left}")
        expect("… and names no path of the box", str(box.root) not in reply.get("message", ""), reply)
    gone = box.ask("remove-recording", name="madinah", prayer="fajr")
    expect("a recording goes", "error" not in gone and not kept.exists(), gone)


def timetables(box):
    year = time.gmtime().tm_year + 1
    rows = [f"{day}/{month}/{year},05:30,07:00,12:10,14:30,16:30,18:10" for month in (1, 2, 3) for day in range(1, 13)]
    table = "date,fajr,sunrise,dhuhr,asr,maghrib,isha\n" + "\n".join(rows) + "\n"
    asked = box.ask("timetable", table.encode(), name="times.csv")
    expect("dates that can be read in two ways are asked about", asked.get("question") == "dates", asked)
    answered = box.ask("answer-timetable", dates="day-month")
    days = answered.get("timetable", {}).get("days")
    expect("the answer is enough, and the file need not come again", days == 36, answered)
    expect("nothing is in force yet", not (box.root / "state/timetable.csv").exists())
    expect("a wrong answer is refused", box.ask("answer-timetable", hours="25").get("error") == "request")
    taken = box.ask("take-timetable", replace="all", dates="day-month")
    expect("what was looked at is taken", taken.get("timetable", {}).get("saved") is True, taken)
    expect("… and nothing of it waits any longer", box.spooled == [], box.spooled)
    expect("a table is taken once", box.ask("take-timetable", replace="all").get("error") == "refused")
    table = box.root / "state/timetable.csv"
    expect("it is in force", table.exists() and f"{year}-03-12" in table.read_text())
    undone = box.ask("undo-timetable")
    expect("and can be undone", "error" not in undone, undone)
    junk = box.ask("timetable", b"PK\3\4" + os.urandom(2000), name="times.zip")
    expect("a broken archive is refused", junk.get("error") == "content", junk)


def callers(box):
    for what, sent in [
        ("no line", b"x" * 9000),
        ("no JSON", b"hello\n"),
        ("an act that does not exist", b'{"act":"shell"}\n'),
        ("a negative length", b'{"act":"picture","bytes":-1}\n'),
        ("a length beyond numbers", b'{"act":"picture","bytes":1e400}\n'),
        ("nothing at all", b""),
    ]:
        reply = box.raw(sent)
        expect(f"{what} is refused", reply.get("error") in ("request", "too-large", "cut"), reply)
    cut = box.raw(b'{"act":"recording","name":"cut","bytes":90000}\n' + bytes(1000))
    expect("a file that is cut off is refused", cut.get("error") == "cut", cut)
    expect("… and leaves nothing", box.spooled == [], box.spooled)
    with box.connect() as slow:
        slow.sendall(b'{"act":"recording","name":"slow","bytes":90000}\n' + bytes(1000))
        receiving(box)
        busy = box.ask("picture", png())
        expect("one at a time: the second has to wait", busy.get("error") == "busy", busy)
    end = time.monotonic() + 10
    while (reply := box.ask("picture", png())).get("error") == "busy" and time.monotonic() < end:
        time.sleep(0.1)
    expect("… and has its turn when the first has gone", "picture" in reply, reply)
    with box.connect() as caller:
        caller.sendall(b'{"act":"picture","bytes":' + str(len(png())).encode() + b"}\n" + png())
    expect("who does not wait for the answer harms nobody", "picture" in settled(box))
    expect("nothing ended adhand or the intake", box.adhand.poll() is None and box.intake.poll() is None)


def receiving(box):
    """Waits until the intake has begun to write the file that it receives."""
    end = time.monotonic() + 10
    while box.spooled != ["upload"] and time.monotonic() < end:
        time.sleep(0.05)


def settled(box):
    end = time.monotonic() + 10
    while (reply := box.ask("picture", png())).get("error") == "busy" and time.monotonic() < end:
        time.sleep(0.1)
    return reply


def killed(box):
    """The next intake removes the unfinished file of one that was killed, and the active file stays."""
    with box.connect() as caller:
        caller.sendall(b'{"act":"recording","name":"lost","bytes":900000}\n' + bytes(100_000))
        receiving(box)
        box.intake.kill()
        box.intake.wait(30)
    expect("a killed intake leaves half a file", box.spooled == ["upload"], box.spooled)
    words = box.intake.args
    box.intake = box.start(words)
    end = time.monotonic() + 20
    reply = {}
    while time.monotonic() < end:
        try:
            reply = box.ask("picture", png())
            break
        except (ConnectionRefusedError, FileNotFoundError):
            time.sleep(0.05)
    expect("the next one removes it", "picture" in reply and box.spooled == [], f"{reply} {box.spooled}")


def main():
    release = Path(sys.argv[1]).resolve()
    root = Path(tempfile.mkdtemp(prefix="intake-"))
    box = Box(release, root)
    try:
        for trial in (pictures, recordings, timetables, callers, killed):
            print(trial.__name__)
            trial(box)
    finally:
        box.end()
        if findings.failures:
            print((root / "journal").read_text(errors="replace")[-3000:])
        shutil.rmtree(root, ignore_errors=True)
    sys.exit(findings.end())


if __name__ == "__main__":
    main()
