"""Tests that a box imports the texts and recordings that people put on the card, and follows when they remove them."""

import os
import shutil
import subprocess

from card_box import CHECKOUT, PLACE, SOUNDS, expect


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
    expect("the report has one size, and is not written when it says the same",
           (before.st_size, before.st_mtime_ns) == (16384, after.st_mtime_ns), after)
    expect("what was taken over is not taken over again", "taken over" not in box.said, box.said)


def examples(box):
    """The examples that people uncomment in the card's own adhand.toml."""
    head = [line[6:] for line in (CHECKOUT / "box/card/header.txt").read_text().splitlines() if line.startswith("#     ")]
    devices = [line for line in head if line.startswith("devices")]
    for device in devices:
        text = "\n".join(line for line in head if line == device or line not in devices) + "\n"
        (box.root / "example.toml").write_text(text)
        checked = subprocess.run([box.release / "adhanctl", "--socket", box.root / "none", "check", box.root / "example.toml"],
            env=box.environment, capture_output=True, text=True, timeout=60, check=False)
        # Status 1 means that the file is valid, but this machine has no such card.
        expect(f"the card's own example is right: {device.partition('#')[2].strip()[:40]}",
               checked.returncode in (0, 1) and "Our mosque" in checked.stdout, checked)
    expect("there are several", len(devices) > 2, head)


def mistakes(box):
    held = box.everything()
    for what, raw, told in (
        ("a comma for a point", PLACE.replace("21.4225", "21,4225"), "line 3"),
        ("an unknown key", PLACE + "[adhan]\nvolum = 3\n", "volume"),
        ("no TOML at all", "This is our mosque\n", "line 1"),
        ("half a file", PLACE[:40], "line"),
        ("bytes of no encoding", b"\x00\x01\x02\xff\xfe\x80", "adhand.toml"),
        ("a [location] with nothing in it", PLACE.replace("name =", "# name =").replace("lat", "# lat").replace("lon", "# lon"),
         "not where the box is"),
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
    expect("mended, it is taken over", "Their mosque" in report and "NOT taken over" not in report, report)
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
    expect("recordings are added under their names, also for one prayer", names == ["makkah/fajr.mp3", "our-signal/adhan.mp3"],
           f"{names}\n{report}")
    expect("an .mp3 that is none is refused by name", "sounds/fake.mp3" in report and "text file, not a sound" in report, report)
    expect("the report says by which name each is known", all(w in report for w in ('known as "our-signal"', 'known as "makkah", at fajr')),
           report)
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
    expect("spaces, dots and signs of a file's name become a dash", wanted < names and 'known as "our-adhan-makkah"' in report,
           f"{names}\n{report}")
    expect("two files that would be one sound are reported", 'this is the sound "our-signal", as sounds/Our-Signal.MP3 is' in report,
           report)
    expect("as is a name of signs alone", "neither a letter nor a digit" in report, report)
    left = [w for w in ("humbs", "desktop", "._our", "Trashes", "System", "RECYCLE") if w in report]
    expect("what computers leave in a folder is passed over", not left, f"{left}\n{report}")
    (box.card / "sounds/Our-Signal.MP3").unlink()
    report = box.boot()
    expect("the second is taken over once the first is gone",
           report.count('known as "our-signal"') == 1 and "give one of them" not in report, report)
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
