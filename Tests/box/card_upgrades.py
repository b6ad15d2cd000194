"""Tests the card's report about upgrades, and the health by which an upgrade is compared."""

import json
import subprocess
import time

from card_box import PLACE, expect


def settings(box):
    kept = box.state / "upgrades"
    box.put("box.txt", "# nothing yet\n")
    report = box.boot()
    expect("a box.txt of comments changes nothing", not kept.exists() and "box.txt" in report and "says nothing yet" in report, report)
    box.put("box.txt", "adhand-upgrades = off     # ours stays\r\n".encode("utf-16"))
    report = box.boot()
    expect("adhand-upgrades = off is taken over at the next boot", kept.read_text() == "off\n" and "taken over" in report, report)
    for text in ("adhand-upgrades = maybe\n", "upgrades = on\n", "adhand-upgrades = on\nadhand-upgrades = off\n", "on\n" * 600):
        box.put("box.txt", text)
        report = box.boot()
        expect(f"a mistake changes nothing, and is named: {text[:28]!r}", kept.read_text() == "off\n" and "NOT taken over" in report,
               report)
    system = box.root / "run/data/system"
    system.mkdir(parents=True)
    (system / "last-look").write_text("2026-11-26 everything is up to date\n")
    (box.root / "run/upgrade.json").write_text(
        '{"running":"upgrade-20261126-031500","prepared":null,"failed":"upgrade-20261120-031500","at":null}\n')
    report = box.boot()
    expect("the report has the version, when it was upgraded, what was left, and the last look",
        all(words in report for words in ("upgraded on 2026-11-26", "PROBLEM: the upgrade upgrade-20261120-031500", "by box.txt",
                                          "2026-11-26 everything is up to date")), report)
    shown, answer = ask(box, "status"), json.loads(ask(box, "--json", "status"))
    expect("adhanctl status has the same",
        all(words in shown for words in ("Upgrades  adhand ", "upgraded on 2026-11-26", "upgrade-20261120-031500", "by box.txt",
                                         "2026-11-26 everything is up to date")), shown)
    expect("also as JSON, beside adhand's own answer",
           "playback" in answer and answer.get("upgrades") == {"running": "upgrade-20261126-031500", "since": "2026-11-26",
"prepared": None, "failed": "upgrade-20261120-031500", "archive": "off", "lastLook": ["2026-11-26 everything is up to date"]},
           answer.get("upgrades"))
    box.put("box.txt", "adhand-upgrades = on\n")
    report = box.boot()
    expect("and on is on again", kept.read_text() == "on\n" and "by box.txt" not in report, report)
    archives(box, system)
    (box.card / "box.txt").unlink()
    (box.root / "run/upgrade.json").unlink()
    (system / "last-look").unlink()
    for name in ("archive-date", "archive-since"):
        (system / name).unlink(missing_ok=True)
    shown = ask(box, "status"), ask(box, "--json", "status")
    expect("a machine that is no flashed box has none of it", "Upgrades" not in shown[0] and "upgrades" not in json.loads(shown[1]), shown)


def archives(box, system):
    """The archives that can provide a newer adhand, and what doctor reports about them."""
    (box.root / "run/upgrade.json").write_text('{"running":"image","prepared":null,"failed":null,"at":null}\n')
    source = box.root / "etc/apt/sources.list.d/adhand.sources"
    source.parent.mkdir(parents=True)
    day = 86400

    def seen(text, **dates):
        source.unlink(missing_ok=True)
        if text is not None:
            source.write_text(text)
        for name in ("archive-date", "archive-since"):
            (system / name).unlink(missing_ok=True)
        for name, days in dates.items():
            (system / f"archive-{name}").write_text(f"{int(time.time()) - days * day}\n")
        checks = json.loads(ask(box, "--json", "doctor"))["checks"]
        found = [check for check in checks if check["name"] == "upgrades"]
        return (found[0]["verdict"], found[0]["message"]) if found else None

    deb = "Types: deb\nURIs: https://example.org\nSuites: stable\n"
    for what, found, verdict, words in (
            ("an image without an archive needs a newer image", seen(None, since=400), "ok", "flash a newer image"),
            ("a box whose archive has just been asked is well", seen(deb, since=1), "ok", "upgrades itself"),
            ("one whose archive has never answered is warned of after 14 days", seen(deb, since=15), "warning",
             "no valid index for this box"),
            ("one whose archive answered then is not", seen(deb, since=15, date=3), "ok", "upgrades itself"),
            ("one whose archive fell silent is", seen(deb, date=15), "warning", "no valid index since"),
            ("one whose source is switched off misses nothing", seen(deb + "Enabled: no\n", date=400), "ok", "Enabled: no")):
        expect(what, found and found[0] == verdict and words in found[1], found)
    shown, report = ask(box, "status"), box.boot()
    expect("status and the report say so, too", "Enabled: no" in shown.replace("\n          ", " ") and "Enabled: no" in report,
           f"{shown}{report}")
    source.unlink()


def ask(box, *words):
    return subprocess.run(["adhanctl", *words], env=box.environment, capture_output=True, text=True, timeout=60, check=False).stdout


def health(box):
    def ask(*words):
        done = subprocess.run(["adhanctl", "card", "health", *words], env=box.environment, capture_output=True, text=True, timeout=60,
                              check=False)
        return done.returncode, done.stdout

    def until(right):
        for _ in range(100):
            code, text = ask()
            if code == 0 and right(json.loads(text)):
                return json.loads(text)
            time.sleep(0.2)
        return f"{code} {text}"

    box.put("adhand.toml", PLACE)
    box.boot()
    before = box.root / "before.json"
    found = until(lambda seen: seen["sound"] == "healthy")
    expect("an adhand that is well has no problem, and sound", found == {"problems": [], "sound": "healthy"}, found)
    before.write_text(json.dumps(found))
    expect("compared with itself it is no worse", ask("--before", str(before)) == (0, ""))
    box.put("adhand.toml", PLACE.replace('"hall"', '"nowhere"'))
    box.boot()
    found = until(lambda seen: seen["sound"] == "failed")
    expect("without its loudspeaker it says so", found == {"problems": [], "sound": "failed"}, found)
    code, text = ask("--before", str(before))
    expect("and is worse than before", (code, text) == (1, "sound\n"), f"{code} {text}")
    before.write_text(json.dumps(found))
    expect("where there was none before it is not", ask("--before", str(before)) == (0, ""))
    expect("and without an earlier answer nothing is compared", ask("--before", str(box.root / "none")) == (0, ""))
    box.shut_down()
    expect("an adhand that does not answer is no answer", ask()[0] == 69 and ask("--before", str(before))[0] == 69)
    box.put("adhand.toml", PLACE)
    box.boot()
