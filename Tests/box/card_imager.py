"""Tests that a box uses the right settings of Raspberry Pi Imager's files, whoever wrote or damaged them."""

import json
import os
import re
import subprocess
import time

import imager
from card_box import expect
from card_network import public_key

NAMES = [b"Our Mosque", "الجامع".encode(), b'a "b" c', b"back\\slash", b"12345678901234567890123456789012"]
PSK = re.compile(r'\tpsk=([0-9a-fA-F]{64}|"[ -~]{8,63}")')
BLOCK = re.compile(
    r"network=\{\n\tssid=((?:[0-9a-f]{2}){1,32})\n(\tscan_ssid=1\n)?\tkey_mgmt=[A-Z0-9 -]+\n(?:\tieee80211w=1\n(\tpsk=.*)\n)?\}\n")


class Force:
    """The settings that a box takes from its card."""

    def __init__(self, box):
        etc = box.root / "etc"

        def text(file):
            return file.read_text() if file.exists() else ""

        self.wireless = text(etc / "wpa_supplicant/wpa_supplicant-wlan0.conf")
        self.hostname = text(etc / "hostname").strip()
        self.keys = text(etc / "ssh/adhan-box.keys").split("\n")[:-1]
        self.zone = os.readlink(etc / "localtime").partition("zoneinfo/")[2] if (etc / "localtime").is_symlink() else ""

    def networks(self):
        """Name in hexadecimal, password, and whether the network is hidden; None if a line is not of the form that a box
        writes."""
        head, _, rest = self.wireless.partition("network={")
        found = list(BLOCK.finditer("network={" + rest)) if rest else []
        whole = "".join(match[0] for match in found) == ("network={" + rest if rest else "")
        known = re.fullmatch(r"ctrl_interface=/run/wpa_supplicant\n(country=[A-Z]{2}\n)?", head) or not self.wireless
        if not whole or not known or not all(match[3] is None or PSK.fullmatch(match[3]) for match in found):
            return None
        return [(match[1], (match[3] or "\tpsk=")[5:].removeprefix('"').removesuffix('"'), bool(match[2])) for match in found]

    def country(self):
        return (re.findall("^country=(.*)$", self.wireless, re.M) or [""])[0]

    def sound(self):
        """Whether a box could use all of the settings."""
        label = not self.hostname or re.fullmatch("[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?", self.hostname)
        zone = not self.zone or os.path.exists(f"/usr/share/zoneinfo/{self.zone}") and ".." not in self.zone
        return bool(self.networks() is not None and label and zone and all(key.startswith("ssh-") for key in self.keys))

    def __eq__(self, other):
        return vars(self) == vars(other)

    def __repr__(self):
        return repr(vars(self))


def forget(box):
    """Resets card and box to the state after flashing."""
    for name in ("network-config", "user-data", "wifi.txt", "authorized_keys"):
        (box.card / name).unlink(missing_ok=True)
    subprocess.run(["rm", "-rf", box.state, *(box.root / "etc" / n for n in ("wpa_supplicant", "hostname", "localtime", "ssh"))],
                   check=True, timeout=60)


def combinations(box):
    keys = [public_key(box, name).strip() for name in ("first", "second")]
    wrong = []
    number = 0
    for newer in (False, True):
        for name in NAMES:
            for psk, hidden, country in ((imager.KEY, False, "GB"), (imager.PASSPHRASE, True, "SA"), ("", False, ""),
                                         ("8 letter", True, "DE")):
                number += 1
                hostname, zone = ("", "") if number % 5 == 0 else (f"masjid-{number}", "Europe/London" if number % 2 else "Asia/Karachi")
                own = keys[:number % 3]
                forget(box)
                box.put("network-config", imager.network_config(name, psk, newer, hidden, country))
                box.put("user-data", imager.user_data(hostname, zone, own, newer, "gb" * (number % 2), "$5$a$b" * (number % 2),
                                                      number % 3 == 0, box.root / "marker"))
                box.put("meta-data", b"instance-id: rpi-imager-1764605364000\n")
                box.step("before")
                force = Force(box)
                good = (force.networks(), force.country()) == ([(name.hex(), psk, hidden)], country)
                if not (good and force.hostname == hostname and force.zone == zone and force.keys == own):
                    wrong.append((newer, name, psk, hidden, country, hostname, zone, len(own), force))
    expect(f"{number} cards as Imager writes them are in force, every part of them", number == 40 and not wrong, wrong)
    kept = [box.state / "network-config.json", box.state / "user-data.json", box.root / "etc/wpa_supplicant/wpa_supplicant-wlan0.conf"]
    expect("what has passwords is for root alone", all(f.stat().st_mode & 0o77 == 0 for f in kept), [oct(f.stat().st_mode) for f in kept])
    expect("and no command of them was run", not (box.root / "marker").exists())


def reports(box):
    forget(box)
    key = public_key(box, "third").strip()
    box.put("network-config", imager.network_config(b"Our Mosque", imager.PASSPHRASE, hidden=True))
    box.put("user-data", imager.user_data("masjid", "Europe/London", [key], password="$5$secret$hash", full=True,
                                          marker=box.root / "marker"))
    box.put("wifi.txt", "# network = Our Mosque\n")
    report = box.boot()
    expect("the report names the box, its network and its time zone",
           all(w in report for w in ("masjid.local", '"Our Mosque"', "Europe/London")), report)
    lines = (box.card / "user-data").read_text().split("\n")
    numbers = {key: 1 + next(i for i, line in enumerate(lines) if line.strip(" -").startswith(key + ":"))
               for key in ("manage_etc_hosts", "packages", "apt", "name", "passwd", "runcmd", "rpi", "sudo")}
    missing = [k for k, n in numbers.items() if f"line {n}: {k} is skipped" not in report]
    expect("and every skipped key by its line", not missing, f"{missing}\n{report}")
    log = report + box.said + "".join(f.read_text(errors="replace") for folder in ("said", "told") for f in (box.state / folder).iterdir())
    secrets = [w for w in (imager.PASSPHRASE, "horse", "$5$", key.split()[1]) if w in log]
    expect("no password, hash or key is in the report, the journal or what is kept of them", not secrets, secrets)
    stamps = {f: f.stat().st_mtime_ns for f in (box.root / "etc").rglob("*") if f.is_file()}
    again = box.boot()
    held = {f: f.stat().st_mtime_ns for f in (box.root / "etc").rglob("*") if f.is_file()}
    expect("what was taken over is not taken over again", again == report and stamps == held and "taken over" not in box.said,
           f"{box.said}\n{again}")
    box.put("network-config", imager.network_config(b"Our Mosque", imager.KEY))
    report = box.boot()
    expect("a key in place of the password: the report says to write wifi.txt for WPA3", "WPA3" in report and "wifi.txt" in report, report)
    (box.root / "etc/hostname").write_text("set-on-the-box\n")
    (box.root / "etc/wpa_supplicant/wpa_supplicant-wlan0.conf").write_text("# set on the box\n")
    box.boot()
    force = Force(box)
    expect("what is changed on the box itself stays while the card is the same",
           (force.hostname, force.wireless) == ("set-on-the-box", "# set on the box\n"), force)
    box.put("network-config", imager.network_config(b"Other", imager.KEY).replace(b"version: 2", b"version: 3"))
    report = box.boot()
    good = "network-config           NOT taken over" in report and "line 2: " in report and "wifi.txt" in report
    expect("a file with a mistake is refused by its line, and what was in force holds", good and Force(box) == force, report)
    for name in "network-config.txt", "user-data.txt":
        box.put(name, b"x: y\n")
    report = box.boot()
    expect("Windows' hidden ends are reported, and meta-data is nobody's concern",
           report.count(".txt is not read") == 2 and "meta-data" not in report, report)
    for name in "network-config.txt", "user-data.txt":
        (box.card / name).unlink()


def precedence(box):
    forget(box)
    mine, theirs = (public_key(box, name) for name in ("mine", "theirs"))
    box.put("network-config", imager.network_config(b"By Imager", imager.KEY))
    box.put("user-data", imager.user_data("masjid", "Europe/London", [theirs.strip()]))

    def boot():
        report = box.boot()
        force = Force(box)
        return report, [bytes.fromhex(n[0]).decode() for n in force.networks()], force

    box.put("wifi.txt", "network = Own\n")
    box.put("authorized_keys", mine)
    report, names, force = boot()
    good = names == ["Own"] and force.keys == [mine.strip()]
    expect("wifi.txt and authorized_keys come first, and the report says so",
           good and "not in force" in report and "authorized_keys comes first" in report, report)
    box.put("wifi.txt", "network = Own\npassword = short\n")
    box.put("authorized_keys", "no key at all\n")
    report, names, force = boot()
    expect("also when they are damaged later", names == ["Own"] and force.keys == [mine.strip()] and report.count("NOT taken") == 2, report)
    box.put("wifi.txt", "# nothing\n")
    box.put("authorized_keys", "# nobody\n")
    report, names, force = boot()
    good = names == ["By Imager"] and force.keys == [theirs.strip()]
    expect("with nothing in them Imager's files are in force", good and report.count("says nothing yet") >= 2, f"{force}\n{report}")
    expect("and so at the next boot", boot() == (report, names, force), box.report())
    box.put("wifi.txt", "network = Own\n")
    box.put("authorized_keys", mine)
    report, names, force = boot()
    expect("the same files that come again come first again", names == ["Own"] and force.keys == [mine.strip()], f"{force}\n{report}")
    (box.card / "wifi.txt").unlink()
    (box.card / "authorized_keys").unlink()
    report, names, force = boot()
    expect("without them Imager's files are in force", names == ["By Imager"] and force.keys == [theirs.strip()], f"{force}\n{report}")
    (box.card / "network-config").unlink()
    (box.card / "user-data").unlink()
    held = force
    expect("files of Imager that are gone leave everything", boot()[2] == held, box.report())
    box.put("user-data", imager.user_data("masjid"))
    force = boot()[2]
    expect("a user-data without keys removes those of the one before", force.keys == [] and force.zone == "Europe/London", force)
    box.put("authorized_keys", mine)
    boot()
    box.put("user-data", imager.user_data("minbar"))
    force = boot()[2]
    expect("and not those of authorized_keys", force.keys == [mine.strip()] and force.hostname == "minbar", force)
    box.put("wifi.txt", "network = broken network name that has more than 32 bytes\n")
    box.put("network-config", imager.network_config(b"By Imager", imager.KEY))
    (box.root / "etc/wpa_supplicant/wpa_supplicant-wlan0.conf").unlink()
    report, names, force = boot()
    expect("a wifi.txt that never was right leaves the box on Imager's network", names == ["By Imager"] and "NOT taken over" in report,
           report)
    (box.root / "etc/wpa_supplicant/wpa_supplicant-wlan0.conf").unlink()
    (box.card / "wifi.txt").unlink()
    expect("networks that the box has lost are taken over again", boot()[1] == ["By Imager"], box.report())
    # The place in adhand.toml counts, whatever was entered in Imager.
    box.put("user-data", imager.user_data("minbar", "Europe/London"))
    box.put("adhand.toml", '[location]\nname = "Makkah"\nlatitude = 21.4225\nlongitude = 39.8262\n[audio]\ndevices = ["hall"]\n')
    report, _, force = boot()
    good = force.zone == "Asia/Riyadh" and "adhand.toml comes first: Asia/Riyadh" in report
    expect("the zone of the place comes before Imager's, and the report says so", good, f"{force}\n{report}")
    box.put("adhand.toml", '# timezone = "Asia/Karachi"\n')
    box.shut_down()
    box.config.unlink()
    (box.card / "adhand.toml").unlink()
    expect("without a place it is Imager's", boot()[2].zone == "Europe/London", box.report())
    torn = (box.root / "torn").read_text()
    expect("whatever was taken over is on the disk before its hash is noted", torn == "", torn)


def damage(box):
    """200 damaged files: the box uses what "card read" makes of them, or keeps its settings."""
    forget(box)
    key = public_key(box, "fourth").strip()
    chance = imager.chance(33)
    originals = [imager.network_config(b"Caf\xc3\xa9 1", imager.PASSPHRASE, newer, True) for newer in (False, True)]
    originals += [imager.user_data("masjid", "Europe/London", [key], newer, "gb", "$5$a$b", True, box.root / "marker")
                  for newer in (False, True)]
    box.put("network-config", originals[0])
    box.put("user-data", originals[2])
    box.step("before")
    wrong, taken, slow = [], 0, 0
    for number in range(200):
        name = "network-config" if number % 4 < 2 else "user-data"
        before = Force(box)
        text = imager.damaged(originals[number % 4], chance)
        box.put(name, text)
        read = subprocess.run([box.release / "adhanctl", "card", "read", name, box.card / name, "--json"], capture_output=True, check=False,
                              timeout=20)
        began = time.monotonic()
        box.step("before")
        slow = max(slow, time.monotonic() - began)
        force = Force(box)
        if read.returncode == 65:
            good = force == before and json.loads(read.stdout)["error"]["exit"] == 65
        else:
            taken += 1
            log = json.loads(read.stdout)
            wifi = [(n["ssid"], n["psk"] or "", n["hidden"]) for n in log["wifi"]]
            good = read.returncode == 0 and force.networks() == (wifi or before.networks()) and force.hostname == (
                log["hostname"] or before.hostname)
            good = good and (name == "network-config" or force.keys == log["keys"] or not log["keys"])
        if not (good and force.sound()):
            wrong.append((number, name, text, read, before, force))
    expect("200 damaged files are in force as a whole or not at all", not wrong and 10 < taken < 190, f"{taken} taken, {wrong[:2]}")
    expect("and none takes the box long", slow < 10, slow)
    expect("no command of them was run", not (box.root / "marker").exists())


def malice(box):
    forget(box)
    key = public_key(box, "fifth").strip()
    ours = {"network-config": imager.network_config(b"Ours", imager.KEY), "user-data": imager.user_data("masjid", "Europe/London", [key])}

    def restore(*names):
        for name in names:
            box.put(name, ours[name])
        box.step("before")
        return Force(box)

    held = restore(*ours)
    wrong, number = [], 0
    for name, text in imager.hostile(box.root / "marker", key):
        number += 1
        box.put(name, text)
        began = time.monotonic()
        box.step("before")
        force = Force(box)
        took = time.monotonic() - began
        # A file with only commands is valid and has no keys, so the keys of the file before it are removed.
        if text.startswith((b"runcmd:", b"bootcmd:", b"write_files:")):
            changed = vars(force) != vars(held) | {"keys": []}
            changed = changed or restore(name) != held
        else:
            changed = force != held
        if changed or not force.sound() or took > 10:
            wrong.append((name, text[:200], force))
    expect(f"{number} hostile files change nothing, and soon", number >= 50 and not wrong, wrong[:3])
    left = [str(f) for f in box.root.rglob("*marker*")] + [f for f in ("marker", "/marker") if os.path.exists(f)]
    expect("no command of them was run", not left, left)
    report = box.boot()
    hidden = sorted({hex(ord(c)) for c in report + box.said if ord(c) < 32 and c not in "\r\n" or c in "\u202e\x7f"})
    expect("and none of their signs is in the report", not hidden, hidden)
    for name, text in ("network-config", imager.network_config(b"Crlf", imager.KEY)), ("user-data", imager.user_data("crlf")):
        box.put(name, text.replace(b"\n", b"\r\n"))
    box.step("before")
    force = Force(box)
    good = force.networks() == [(b"Crlf".hex(), imager.KEY, False)] and force.hostname == "crlf"
    expect("carriage returns before line ends are none of a name or a password", good, force)
