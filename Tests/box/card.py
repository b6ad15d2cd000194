#!/usr/bin/env python3
"""The card's take-over on a folder, with the real adhand and adhanctl: what people's computers write, right and wrong.

usage: card.py RELEASE-DIRECTORY
"""

import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent.parent
SOUNDS = CHECKOUT / "Resources/audio"
PLACE = '[location]\nname = "Our mosque"\nlatitude = 21.4225\nlongitude = 39.8262\n[audio]\ndevices = ["null"]\n'
SECRET = 'correct "horse" battery'
failures = []

# adhanctl of this trial: its own state and configuration, whoever runs it.
ADHANCTL = """#!/bin/sh
words=" $* "
case $words in
    *" card "*) LD_PRELOAD="$TOLD${LD_PRELOAD:+:$LD_PRELOAD}" exec "$RELEASE/adhanctl" "$@" --state-dir "$STATE" --config "$CONFIG" --audio-dir "$AUDIO" ;;
    *" timetable "* | *" times "*) exec "$RELEASE/adhanctl" "$@" --state-dir "$STATE" --config "$CONFIG" ;;
    *) exec "$RELEASE/adhanctl" "$@" ;;
esac
"""

# A disk that keeps what was asked for: all that a cut leaves is what "sync" had written by then. A hash that is noted before what it
# stands for is reported.
SYNC = """#!/bin/sh
echo "$*" >> "$ROOT/synced"
case $* in
    '') rm -rf "$ROOT/kept" && cp -a "$ROOT/etc" "$ROOT/kept" ;;
    */seen/*.new) diff -r "$ROOT/etc" "$ROOT/kept" >> "$ROOT/torn" 2>&1 ;;
esac
exit 0
"""


def expect(what, good, seen=""):
    print(f"  {what:<78} {'ok' if good else 'FAILED'}", flush=True)
    if not good:
        failures.append(what)
        print("".join(f"      | {line}\n" for line in str(seen).splitlines()[-30:]), end="")


class Box:
    """A card and a box as folders, and what happens at a boot."""

    def __init__(self, release, root):
        self.root = root
        self.card = root / "card"
        self.state = root / "state"
        self.config = root / "etc/adhand/adhand.toml"
        self.adhand = None
        shutil.rmtree(root, ignore_errors=True)
        for folder in ("card/sounds", "etc/adhand", "bin", "run", "adhand"):
            (root / folder).mkdir(parents=True)
        called = '#!/bin/sh\necho "$*" >> "$CALLED"\n'
        for name, text in (("adhanctl", ADHANCTL), ("systemctl", called), ("hostname", called), ("sync", SYNC)):
            (root / "bin" / name).write_text(text)
            (root / "bin" / name).chmod(0o755)
        self.called = root / "called"
        subprocess.run(["gcc", "-shared", "-fPIC", "-O2", CHECKOUT / "Tests/Lab/told_sync.c", "-o", root / "told_sync.so"], check=True)
        self.environment = {
            "PATH": f"{root}/bin:{release}:/usr/sbin:/usr/bin:/sbin:/bin",
            "ROOT": str(root),
            "RELEASE": str(release),
            "STATE": str(root / "adhand"),
            "CONFIG": str(self.config),
            "AUDIO": str(SOUNDS),
            "CALLED": str(self.called),
            "ADHAND_SOCKET": str(root / "control.sock"),
            "ADHAN_BOX_CARD": str(self.card),
            "ADHAN_BOX_STATE": str(self.state),
            "ADHAN_BOX_ETC": str(root / "etc"),
            "ADHAN_BOX_RUN": str(root / "run"),
            "ADHAN_BOX_LIB": str(CHECKOUT / "box/lib"),
            "TOLD": str(root / "told_sync.so"),
            "ADHAN_BOX_PATIENCE": "10",
        }
        # The clock that the tests run by (Tests/clocks.sh).
        self.environment |= {name: os.environ[name] for name in ("LD_PRELOAD", "CLOCK_AHEAD") if name in os.environ}
        self.release = release

    def put(self, name, content):
        file = self.card / name
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())

    def step(self, phase):
        done = subprocess.run(
            [CHECKOUT / "box/card.sh", phase],
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=120,
            check=False,
        )
        self.said = getattr(self, "said", "") + done.stdout
        if done.returncode:
            expect(f"card.sh {phase} ends with 0", False, f"{done.returncode}: {done.stdout}")
        return done.stdout

    def boot(self):
        """Both halves, with adhand started between them; the report."""
        self.said = ""
        self.shut_down()
        self.step("before")
        if self.config.exists():
            self.adhand = subprocess.Popen(
                [
                    self.release / "adhand",
                    "--config",
                    self.config,
                    "--audio-dir",
                    SOUNDS,
                    "--state-dir",
                    self.root / "adhand",
                    "--socket",
                    self.environment["ADHAND_SOCKET"],
                ],
                env=self.environment,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        self.step("after")
        return self.report()

    def report(self):
        file = self.card / "adhand-report.txt"
        return file.read_bytes().decode().rstrip() if file.exists() else ""

    def shut_down(self):
        if self.adhand:
            self.adhand.terminate()
            self.adhand.wait(timeout=20)
            self.adhand = None

    def everything(self):
        """What the box goes by: every file of it, but for what is only said."""
        files = [f for f in self.root.rglob("*") if f.is_file() and f.parts[len(self.root.parts)] in ("etc", "adhand")]
        kept = [f for f in files if not f.name.startswith(("state.json", "history", "configuration", "kept", "adhand.lock"))]
        return {str(f): hashlib.sha256(f.read_bytes()).hexdigest() for f in kept}


def texts(box):
    report = box.boot()
    expect("a card without anything: the report says that the box calls nothing", "calls nothing" in report, report)
    box.put("adhand.toml", (CHECKOUT / "Resources/adhand.toml").read_text().replace("\n", "\r\n"))
    report = box.boot()
    expect("a configuration of comments alone is not taken over", not box.config.exists() and "says nothing yet" in report, report)
    for what, raw in (
        ("as written by vi", PLACE.encode()),
        ("with carriage returns and a byte order mark", b"\xef\xbb\xbf" + PLACE.replace("\n", "\r\n").encode()),
        ("in Notepad's UTF-16", b"\xff\xfe" + PLACE.replace("\n", "\r\n").encode("utf-16-le")),
        ("in UTF-16 the other way round", b"\xfe\xff" + PLACE.encode("utf-16-be")),
        ("in UTF-16 without a mark", PLACE.encode("utf-16-le")),
    ):
        box.config.unlink(missing_ok=True)
        shutil.rmtree(box.state, ignore_errors=True)
        box.put("adhand.toml", raw)
        report = box.boot()
        good = box.config.exists() and box.config.read_text() == PLACE and "Our mosque" in report and "Fajr" in report
        expect(f"adhand.toml {what} is taken over, and the report has today's times", good, report + box.said)
    expect("the zone of its place becomes the box's", os.readlink(box.root / "etc/localtime").endswith("Asia/Riyadh"))
    file = box.card / "adhand-report.txt"
    before = file.stat()
    box.boot()
    after = file.stat()
    expect("the report has one size, and is not written when it says the same", (before.st_size, before.st_mtime_ns) == (16384, after.st_mtime_ns), after)
    expect("what was taken over is not taken over again", "taken over" not in box.said, box.said)


def examples(box):
    """What people uncomment at the head of the card's own adhand.toml."""
    head = [line[6:] for line in (CHECKOUT / "box/card/header.txt").read_text().splitlines() if line.startswith("#     ")]
    devices = [line for line in head if line.startswith("devices")]
    for device in devices:
        text = "\n".join(line for line in head if line == device or line not in devices) + "\n"
        (box.root / "example.toml").write_text(text)
        said = subprocess.run([box.release / "adhanctl", "--socket", box.root / "none", "check", box.root / "example.toml"],
            env=box.environment, capture_output=True, text=True, timeout=60, check=False)
        # 1: right, and this machine has no such card.
        expect(f"the card's own example is right: {device.partition('#')[2].strip()[:40]}", said.returncode in (0, 1) and "Our mosque" in said.stdout, said)
    expect("there are several", len(devices) > 2, head)


def mistakes(box):
    held = box.everything()
    for what, raw, told in (
        ("a comma for a point", PLACE.replace("21.4225", "21,4225"), "line 3"),
        ("an unknown key", PLACE + "[adhan]\nvolum = 3\n", "volume"),
        ("no TOML at all", "This is our mosque\n", "line 1"),
        ("half a file", PLACE[:40], "line"),
        ("bytes of no encoding", b"\x00\x01\x02\xff\xfe\x80", "adhand.toml"),
        ("a [location] with nothing in it", PLACE.replace("name =", "# name =").replace("lat", "# lat").replace("lon", "# lon"), "not where the box is"),
        ("a loudspeaker and no place", '[audio]\ndevices = ["null"]\n', "not where the box is"),
        ("a zone and no place", 'timezone = "Asia/Karachi"\n', "not where the box is"),
        ("a file of 300 KB", PLACE + "# remark\n" * 30000, "more than 256 KB"),
    ):
        box.put("adhand.toml", raw)
        report = box.boot()
        changed = sorted(set(box.everything().items()) ^ set(held.items()))
        good = "NOT taken over" in report and told in report and not changed
        expect(f"{what} changes nothing, and the report says where it is", good, f"{report}\n{changed}")
    expect("the box went on with what it had", "Our mosque" in report and "Fajr" in report, report)
    box.put("adhand.toml", PLACE.replace("Our mosque", "Their mosque"))
    report = box.boot()
    expect("mended, it is taken over", "Their mosque" in report and "NOT" not in report, report)
    expect("and what the box had stays beside it", "Our mosque" in (box.root / "etc/adhand/adhand.toml.before-card").read_text())
    box.config.write_text(PLACE.replace("Our mosque", "Set on the box"))
    report = box.boot()
    good = "Set on the box" in box.config.read_text() and "changed on the box itself" in report
    expect("what is changed on the box itself stays while the card is the same", good, report)
    (box.card / "adhand.toml").rename(box.card / "ADHAND.TOML")
    box.put("ADHAND.TOML", PLACE)
    report = box.boot()
    expect("a name in capitals is the same name", "Our mosque" in report, report)
    box.put("adhand.toml.txt", PLACE)
    report = box.boot()
    expect("adhand.toml.txt is reported, since Windows hides the end of it", "adhand.toml.txt is not read" in report, report)
    (box.card / "adhand.toml.txt").unlink()
    box.put("ADHAND.TOML", PLACE + '[adhan]\nsound = "nowhere"\n')
    report = box.boot()
    expect("a sound that is not there is reported, and the rest holds", 'PROBLEM: there is no sound "nowhere"' in report, report)
    box.put("ADHAND.TOML", PLACE)


def forgotten(box):
    box.boot()
    box.config.unlink()
    report = box.boot()
    expect("a configuration that the box has lost is taken over again", box.config.exists() and "does not know where" not in report, report)


def sounds(box):
    shutil.copy(SOUNDS / "signal.mp3", box.card / "sounds/Our-Signal.MP3")
    box.put("sounds/makkah/Fajr.mp3", (SOUNDS / "standard/fajr.mp3").read_bytes())
    box.put("sounds/fake.mp3", "I am a text")
    report = box.boot()
    added = box.root / "adhand/sounds"
    names = sorted(str(f.relative_to(added)) for f in added.rglob("*.mp3"))
    expect("recordings are added under their names, also for one prayer", names == ["makkah/fajr.mp3", "our-signal/adhan.mp3"], f"{names}\n{report}")
    expect("an .mp3 that is none is refused by name", "sounds/fake.mp3" in report and "text file, not a sound" in report, report)
    expect("the report says by which name each is known", all(w in report for w in ('known as "our-signal"', 'known as "makkah", at fajr')), report)
    stamps = [f.stat().st_mtime_ns for f in added.rglob("*.mp3")]
    box.boot()
    expect("and none is added again", stamps == [f.stat().st_mtime_ns for f in added.rglob("*.mp3")])
    (box.card / "sounds/fake.mp3").unlink()
    box.put("adhand.toml", PLACE + '[adhan]\nsound = "our-signal"\n')
    (box.card / "ADHAND.TOML").unlink()
    report = box.boot()
    expect("a configuration that names one of them is content", "PROBLEM" not in report, report)
    signal = (SOUNDS / "signal.mp3").read_bytes()
    for name in "Our Adhan (Makkah).mp3", "v1.2 Live/Fajr.mp3", "أذان.mp3", "(1).mp3", "our.signal.mp3", "---.mp3":
        box.put(f"sounds/{name}", signal)
    for name in "Thumbs.db", "desktop.ini", "._our-signal.mp3", ".Trashes/x.mp3", "System Volume Information/x.dat", "$RECYCLE.BIN/x.mp3":
        box.put(f"sounds/{name}", b"of a computer")
    report = box.boot()
    names = {str(f.relative_to(added)) for f in added.rglob("*.mp3")}
    wanted = {"our-adhan-makkah/adhan.mp3", "v1-2-live/fajr.mp3", "أذان/adhan.mp3", "1/adhan.mp3"}
    expect("spaces, dots and signs of a file's name become a dash", wanted < names and 'known as "our-adhan-makkah"' in report, f"{names}\n{report}")
    expect("two files that would be one sound are reported", 'this is the sound "our-signal", as sounds/Our-Signal.MP3 is' in report, report)
    expect("as is a name of signs alone", "neither a letter nor a digit" in report, report)
    left = [w for w in ("humbs", "desktop", "._our", "Trashes", "System", "RECYCLE") if w in report]
    expect("what computers leave in a folder is passed over", not left, f"{left}\n{report}")
    (box.card / "sounds/Our-Signal.MP3").unlink()
    report = box.boot()
    expect("the second is taken over once the first is gone", report.count('known as "our-signal"') == 1 and "give one of them" not in report, report)
    strays = ("mosque.mp3", "timetable.xlsx", "timetable 2027.csv", "wifi.rtf", "sound/fajr.mp3", "wifi.txt.txt", "sounds/a/b/fajr.mp3")
    for name in strays:
        (box.card / name).parent.mkdir(parents=True, exist_ok=True)
        box.put(name, b"lost")
    for name in "bootcode.bin", "config.txt", "cmdline.txt", "overlays/readme", "EFI/x":
        box.put(name, b"of the firmware")
    report = box.boot()
    untold = [n for n in strays if f"{n.removesuffix('/fajr.mp3') if n[5] == '/' else n} is not read" not in report]
    expect("what lies where it is not read is reported", not untold and report.count("is not read") == len(strays), f"{untold}\n{report}")
    for name in (*strays, "bootcode.bin", "config.txt", "cmdline.txt"):
        (box.card / name).unlink()
    for name in "sound", "overlays", "EFI", "sounds":
        shutil.rmtree(box.card / name)


def in_force(box):
    """The days by which adhand itself calls, as rows."""
    shown = subprocess.run([box.release / "adhanctl", "--socket", box.environment["ADHAND_SOCKET"], "timetable", "export", "--state-dir",
        box.root / "adhand"], env=box.environment, capture_output=True, text=True, timeout=60, check=False).stdout
    lines = [line for line in shown.splitlines() if line and not line.startswith("#")]
    names = lines[0].split(",") if lines else []
    wanted = ["date", "fajr", "sunrise", "dhuhr", "asr", "maghrib", "isha"]
    return sorted(",".join(dict(zip(names, line.split(",")))[name] for name in wanted) for line in lines[1:]) if set(wanted) <= set(names) else shown


def timetables(box):
    rows = "date,fajr,sunrise,dhuhr,asr,maghrib,isha\n" + "".join(
        f"2027-01-{day:02d},05:40,06:59,12:27,15:37,17:55,19:25\n" for day in range(1, 29)
    )
    box.put("timetable.csv", rows.replace("12:27", "25:99"))
    report = box.boot()
    expect("a timetable with an impossible time is refused", "NOT taken over" in report and not list((box.root / "adhand").glob("timetable*")), report)
    box.put("timetable.csv", b"\xef\xbb\xbf" + rows.replace("\n", "\r\n").encode())
    report = box.boot()
    expect("a right one is imported", "NOT" not in report and list((box.root / "adhand").glob("timetable*")), report + box.said)
    expect("and what was understood of it is reported", all(w in report for w in ("28 days, 2027-01-01 to", "clock", "columns  fajr, sunrise")), report)
    for what, table, told in (
        ("of the wrong hour", rows.replace("12:27", "13:27"), "3 h 57 min from the computed ones"),
        ("whose maghrib is before sunset", rows.replace("17:55", "12:55"), "maghrib does not come after asr"),
        ("of years past", rows.replace("2027", "2020"), "all days of the table are past"),
        ("with a day missing", rows.replace("2027-01-10,05:40,06:59,12:27,15:37,17:55,19:25\n", ""), "2027-01-10 has no row"),
    ):
        box.put("timetable.csv", table)
        report = box.boot()
        expect(f"a timetable {what} is taken over with a warning", "warning" in report and told in " ".join(report.split()), report)
        expect("  and it is in force, with nothing of the one before", in_force(box) == sorted(table.splitlines()[1:]), in_force(box))
    expect("which later reports have too, as the screen of a keyboard has not", box.boot() == report and "+1" not in report and "saved" not in report, report)
    box.put("timetable.csv", "# date,fajr\r\n\r\n")
    report = box.boot()
    shown = subprocess.run(["adhanctl", "timetable", "show"], env=box.environment | {"PATH": f"{box.root}/bin:/usr/bin:/bin"}, capture_output=True, text=True)
    expect("one of comments alone removes what was taken over", "removed" in report and "no timetable" in shown.stderr + shown.stdout, f"{report}{shown}")
    expect("and says so at later boots", box.boot() == report, box.report())
    box.put("timetable.csv", rows)
    expect("the table that comes again is taken over again", "28 days" in box.boot(), box.report())
    shorter = "\n".join(rows.splitlines()[:11]) + "\n"
    box.put("timetable.csv", shorter)
    box.boot()
    expect("of a table that is shorter than the one before only its own days are in force", in_force(box) == sorted(shorter.splitlines()[1:]), in_force(box))
    box.put("timetable.json", "[]")
    report = box.boot()
    good = "timetable.json           NOT taken over" in report and "take one of them away" in report and in_force(box) == sorted(shorter.splitlines()[1:])
    expect("of two tables the first stays in force, and the report says so", good, report)
    times = {"Date": "2027-01-01", "Fajr": "06:25", "Sunrise": "08:06", "Dhuhr": "12:05", "Asr": "13:48", "Maghrib": "16:03", "Isha": "17:43"}
    box.put("timetable.json", json.dumps([times]))
    box.put("timetable.csv", "# date,fajr\r\n")
    report = box.boot()
    good = "timetable.csv            says nothing any more" in report and "timetable.json           taken over" in report and in_force(box) == [",".join(times.values())]
    expect("one that says nothing stands in the way of none, and is reported", good, report)
    expect("and so at later boots", box.boot() == report, box.report())
    (box.card / "timetable.json").unlink()
    box.put("timetable.csv", rows)
    box.boot()


def networks(box):
    box.put("wifi.txt", f"# ours\r\ncountry = sa\r\nnetwork = Our Mosque\r\npassword = {SECRET}\r\nnetwork = \"Open one\"\r\n")
    report = box.boot()
    file = box.root / "etc/wpa_supplicant/wpa_supplicant-wlan0.conf"
    text = file.read_text() if file.exists() else ""
    good = f'psk="{SECRET}"' in text and "ssid=4f7572204d6f73717565" in text and "key_mgmt=NONE" in text and "country=SA" in text
    expect("wifi.txt becomes a configuration that only root reads", good and file.stat().st_mode & 0o77 == 0, text)
    expect("its networks are named", 'Our Mosque", "Open one' in report, report)
    expect("and so by a box that was upgraded, which took them over before", not (box.root / "state/wifi-names").exists() and 'Our Mosque", "Open one' in box.boot(), report)
    everything = report + box.said
    box.put("wifi.txt", "network = Our Mosque\npassword = süß" + SECRET + "\n")
    report = box.boot()
    everything += report + box.said
    expect("a password that cannot be one is refused by its line", "line 2: a password has 8 to 63" in report and file.read_text() == text, report)
    box.put("wifi.txt", f"network Our Mosque\npassword {SECRET}\n")
    everything += box.boot() + box.said
    box.put("wifi.txt", f"network = {'x' * 40}\npassword = {SECRET}\n")
    everything += box.boot() + box.said
    said = "".join(f.read_text(errors="replace") for f in (box.state / "said").iterdir())
    expect("no secret is in a report, the journal or what is kept of it", SECRET not in everything + said and "horse" not in everything + said)
    for what, raw, told in (
        ("an ANSI letter", "country = FR\nnetwork = Café\n".encode("latin-1"), "line 2: a letter here is in no UTF-8"),
        ("curly quotes", "network = “Our Mosque”\n", "line 1: this is no quote"),
        ("text behind the quotes", 'network = "Our Mosque" upstairs\n', "line 1: behind a value in quotes"),
        ("a quote that does not end", 'network = "Our Mosque\n', "line 1: behind a value in quotes"),
    ):
        box.put("wifi.txt", raw)
        report = box.boot()
        expect(f"in wifi.txt {what} is reported by its line", told in report and file.read_text() == text, report)
    box.put("wifi.txt", 'network = "Café, #1" # upstairs\npassword = "' + SECRET + '" # ours\nnetwork = Hall #2\npassword = #1 of "many"\n')
    report = box.boot()
    text = file.read_text()
    good = all(w in text for w in ("Café, #1".encode().hex(), f'psk="{SECRET.split(chr(34))[0]}', "Hall #2".encode().hex(), 'psk="#1 of "many""'))
    expect("a remark behind quotes is one, and without quotes a # is none", good and '"Café, #1", "Hall #2"' in report, f"{report}\n{text}")
    box.put("wifi.txt", "# network = Our Mosque\n")
    report = box.boot()
    good = "is empty; the previous settings stay in force" in report and file.read_text() == text
    expect("a wifi.txt of comments alone leaves the network, and says so", good, report)
    (box.card / "wifi.txt").unlink()
    box.boot()
    expect("a wifi.txt that is gone leaves the network", file.read_text() == text)


def floods(box):
    """Files that no hand wrote: the rest of the card is looked at all the same, and soon."""
    kept = {name: (box.card / name).read_bytes() if (box.card / name).exists() else None for name in ("authorized_keys", "wifi.txt", "display.toml", "timetable.csv")}
    box.boot()
    held = box.everything()
    for what, name, raw, told in (
        ("a wifi.txt of 20,000 lines", "wifi.txt", "network = Our Mosque\n" * 20000, "more than 64 KB"),
        ("one of 5,000 short lines", "wifi.txt", "network = a\n" * 5000, "more than 500 lines"),
        ("one that is one line of a megabyte", "wifi.txt", "network = " + "a" * 1000000, "more than 64 KB"),
        ("an authorized_keys of 20,000 lines", "authorized_keys", "a\n" * 20000, "more than 500 lines"),
        ("one of a gigabyte of nothing", "authorized_keys", None, "more than 64 KB"),
        ("a display.toml of a gigabyte of nothing", "display.toml", None, "more than 256 KB"),
        ("a timetable.csv of a gigabyte of nothing", "timetable.csv", None, "more than 16384 KB"),
    ):
        if raw is None:
            with (box.card / name).open("wb") as file:
                file.truncate(1 << 30)
        else:
            box.put(name, raw)
        began = time.monotonic()
        report = box.boot()
        took = time.monotonic() - began
        good = f"{name:<24} NOT taken over" in report and told in report and box.everything() == held and took < 20
        expect(f"{what} is refused, and soon", good, f"{took:.1f} s\n{report}")
        (box.card / name).unlink()
    box.put("wifi.txt", "# remark\n" * 490 + "network = Our Mosque\n")
    expect("one with many remarks is taken over", "wifi.txt                 taken over" in box.boot(), box.report())
    for name, raw in kept.items():
        (box.card / name).unlink(missing_ok=True) if raw is None else box.put(name, raw)
    box.boot()


# What PlainText.isHidden hides, by its ranges, but for line ends.
HIDDEN = [*range(0x20), *range(0x7F, 0xA0), 0x061C, 0x200B, 0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2060, 0x2070), 0xFEFF,
    *range(0xFFF9, 0xFFFC), *range(0xE0000, 0xE0080)]


def disguises(box):
    """What would turn a line of the report around, or a terminal that shows it."""
    everything = "".join(map(chr, HIDDEN))
    inside = everything.replace("\0", "").replace("\n", "").replace("\r", "")
    # A network's name has 32 bytes.
    box.put("wifi.txt", "network = ho\x1b]0;x\x07\x9b\u202e\u2066\u061c\U000e0041me\n")
    names = [inside.replace("/", "")[at:at + 40] for at in range(0, len(inside), 40)]
    for number, name in enumerate(names):
        box.put(f"sounds/adhan{number}{name}.mp3", b"I am a text")
        box.put(f"wifi{number}{name}.txt", b"x")
    report = box.boot()
    raw = (box.card / "adhand-report.txt").read_bytes().decode().replace("\r\n", "\n").rstrip("\r")  # the fill ends where the file does
    seen = sorted({f"U+{ord(c):04X}" for c in raw + box.said if ord(c) in HIDDEN and c != "\n"})
    good = not seen and '"ho]0;xme"' in report and f"wifi{len(names) - 1}.txt is not read" in report
    expect("no direction or control character is in the report or the journal", good, f"{seen}\n{report}")
    for file in [*box.card.glob("wifi?*.txt"), *(box.card / "sounds").glob("adhan*.mp3")]:
        if file.name != "wifi.txt":
            file.unlink()
    box.put("wifi.txt", "network = Our Mosque\n")
    box.boot()


def public_key(box, name):
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", name, "-f", box.root / name], check=True)
    return (box.root / f"{name}.pub").read_text()


def keys(box):
    box.put("authorized_keys", public_key(box, "one"))
    report = box.boot()
    ssh = box.root / "etc/ssh"
    good = (ssh / "adhan-box.keys").exists() and (ssh / "sshd_config.d/adhan-box.conf").exists() and (ssh / "ssh_host_ed25519_key").exists()
    expect("public keys are taken over, and the box makes its own", good, report + box.said)
    held = (ssh / "adhan-box.keys").read_text()
    box.put("authorized_keys", f"# ours\n\n{held}ssh-ed25519 AAAAC3NzaC1lZDI1\n" + public_key(box, "two"))
    report = box.boot()
    good = "line 4: this is no public SSH key" in report and report.count("no public SSH") == 1 and (ssh / "adhan-box.keys").read_text() == held
    expect("a broken line among keys is refused by its number", good, report)
    secret = (box.root / "one").read_text()
    box.put("authorized_keys", secret)
    report = box.boot()
    good = "this is a private key" in report and (ssh / "adhan-box.keys").read_text() == held and secret.split("\n")[1] not in report
    expect("a private key is refused, and is nowhere on the box", good, report)
    (box.card / "authorized_keys").unlink()
    box.boot()
    expect("an authorized_keys that is gone leaves everybody in", (ssh / "adhan-box.keys").read_text() == held)
    box.put("authorized_keys", "# nobody\r\n")
    report = box.boot()
    expect("one that says nothing any more lets nobody in, and says so", "keys were removed" in report and not (ssh / "adhan-box.keys").read_text(), report)
    expect("also at later boots", box.boot() == report, box.report())
    box.put("authorized_keys", held)
    report = box.boot()
    expect("the same key that comes again is let in again", (ssh / "adhan-box.keys").read_text() == held, report)
    (box.card / "authorized_keys").unlink()


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
        done = subprocess.run([CHECKOUT / "box/start.sh"], env=box.environment, capture_output=True, text=True, check=False)
        named = (etc / "hostname").read_text()
        safe = held == wanted or str(etc / "hostname.new") in (box.root / "synced").read_text().split("\n")
        expect(f"a box called {held.strip() or 'nothing, after a cut,'} is called {wanted.strip()}, on the disk as well", named == wanted and safe, done)
    (box.root / "run/in-memory").unlink()


def losses(box):
    held = box.everything()
    (box.card).rename(box.root / "pulled")
    said = box.step("before") + box.step("after")
    expect("without a card the box uses what it has", "uses the settings that it has" in said and box.everything() == held, said)
    (box.root / "pulled").rename(box.card)
    # Killed at any moment, as by the power: the configuration is the one or the other, as a whole.
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
        run.wait()
        now = box.config.read_text()
        seen.add("new" if now == wanted else "old")
        if now not in (before, wanted):
            torn.append(now)
    expect(f"killed 40 times on the way, it is whole ({', '.join(sorted(seen))})", not torn and len(seen) == 2, torn)
    box.boot()
    expect("and the next boot takes it over", box.config.read_text() == wanted, box.said)


def reports(box):
    """What is in the report, however much there is to say, and whatever somebody made of the file."""
    kept = box.root / "kept.toml"
    box.config.rename(kept)
    (box.card / "adhand.toml").rename(box.root / "card.toml")
    (box.root / "run/in-memory").touch()
    report = box.boot()
    expect("a box without a place tells of a card that is worn out too", "calls nothing" in report and "settings cannot be used" in report, report)
    (box.root / "run/in-memory").unlink()
    kept.rename(box.config)
    (box.root / "card.toml").rename(box.card / "adhand.toml")
    for number in range(160):
        box.put(f"sounds/recording-{number:03d}.mp3", b"I am a text")
    for number in range(60, 160):
        (box.state / f"seen/sounds:recording-{number:03d}.mp3").write_text(hashlib.sha256(b"I am a text").hexdigest() + "  -\n")
    report = box.boot()
    good = all(w in report for w in ("Place", "Fajr", "recording-059.mp3 NOT", "recording-060.mp3 taken over")) and "more taken over" in report
    expect("with very many recordings it has place, times, what is refused, and counts the rest", good and "recording-158" not in report, report)
    for number in range(60, 100):
        box.put(f"sounds/recording-{number:03d}.mp3", b"I am another text" * 50)
    for number in range(100):
        (box.card / f"sounds/recording-{number:03d}.mp3").rename(box.card / f"sounds/{'recording-of-a-very-long-name' * 4}-{number:03d}.mp3")
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
    """What the initramfs makes of a file system that was mended, on folders; and what the report says of it."""
    disk = box.root / "disk"
    found = disk / "lost+found"
    for file in "#12/adhand/adhand.toml", "#13/lib/adhand/history.jsonl", "#14/machine-id", "#15/current", "#16/other":
        (found / file).parent.mkdir(parents=True)
        (found / file).write_text(file)

    def settings(words):
        return subprocess.run(["sh", "-c", f". {CHECKOUT}/box/lib/settings.sh; {words}"], capture_output=True, text=True, check=False)

    empty = settings(f"settings_left {disk}").returncode
    settings(f"find_lost_settings {disk}; find_lost_settings {disk}")
    places = sorted(str(file.relative_to(disk)) for file in disk.rglob("*") if file.is_file())
    expect("a file system that lost its root has its settings again", empty == 1 and settings(f"settings_left {disk}").returncode == 0 and places
        == ["etc-changes/machine-id", "etc/adhand/adhand.toml", "lost+found/#16/other", "system/current", "var/lib/adhand/history.jsonl"], places)
    made = settings(f"PATH=$PATH:/sbin; make_settings {box.root}/new && e2fsck -fn {box.root}/new")
    expect("one that is made again is whole", made.returncode == 0 and (box.root / "new").stat().st_size == 64 << 20, made)
    for code, said in ("mended", "mended"), ("remade", "made again"):
        (box.root / "run/damaged").write_text(code + "\n")
        report = box.boot()
        expect(f"the report says that it is {said}", f"PROBLEM: the part of the card for settings was damaged, and is {said}" in report, report)
    (box.root / "run/damaged").unlink()


def main():
    release = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory(prefix="adhan-card-") as root:
        box = Box(release, Path(root) / "box")
        try:
            for trial in (texts, examples, mistakes, forgotten, sounds, timetables, networks, floods, disguises, keys, cuts, losses, reports, damage):
                trial(box)
        finally:
            box.shut_down()
    print(f"{len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
