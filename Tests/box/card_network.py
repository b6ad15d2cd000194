"""Tests the networks on the card, files without end, names that imitate others, and keys."""

import subprocess
import time

from card_box import SECRET, expect


def networks(box):
    box.put("wifi.txt", f"# ours\r\ncountry = sa\r\nnetwork = Our Mosque\r\npassword = {SECRET}\r\nnetwork = \"Open one\"\r\n")
    report = box.boot()
    file = box.root / "etc/wpa_supplicant/wpa_supplicant-wlan0.conf"
    text = file.read_text() if file.exists() else ""
    good = f'psk="{SECRET}"' in text and "ssid=4f7572204d6f73717565" in text and "key_mgmt=NONE" in text and "country=SA" in text
    expect("wifi.txt becomes a configuration that only root reads", good and file.stat().st_mode & 0o77 == 0, text)
    expect("its networks are named", 'Our Mosque", "Open one' in report, report)
    expect("and so by a box that was upgraded, which took them over before",
           not (box.root / "state/wifi-names").exists() and 'Our Mosque", "Open one' in box.boot(), report)
    everything = report + box.said
    box.put("wifi.txt", "network = Our Mosque\npassword = süß" + SECRET + "\n")
    report = box.boot()
    everything += report + box.said
    expect("a password that cannot be one is refused by its line", "line 2: a password has 8 to 63" in report and file.read_text() == text,
           report)
    box.put("wifi.txt", f"network Our Mosque\npassword {SECRET}\n")
    everything += box.boot() + box.said
    box.put("wifi.txt", f"network = {'x' * 40}\npassword = {SECRET}\n")
    everything += box.boot() + box.said
    commands = "".join(f.read_text(errors="replace") for f in (box.state / "said").iterdir())
    expect("no secret is in a report, the journal or what is kept of it",
           SECRET not in everything + commands and "horse" not in everything + commands)
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
    good = all(w in text for w in ("Café, #1".encode().hex(), f'psk="{SECRET.split(chr(34))[0]}', "Hall #2".encode().hex(),
                                   'psk="#1 of "many""'))
    expect("a remark behind quotes is one, and without quotes a # is none", good and '"Café, #1", "Hall #2"' in report, f"{report}\n{text}")
    box.put("wifi.txt", "# network = Our Mosque\n")
    report = box.boot()
    good = "is empty; the previous settings stay in force" in report and file.read_text() == text
    expect("a wifi.txt of comments alone leaves the network, and says so", good, report)
    (box.card / "wifi.txt").unlink()
    box.boot()
    expect("a wifi.txt that is gone leaves the network", file.read_text() == text)


def floods(box):
    """No flood of a file keeps the box from reading the rest of the card, and soon."""
    kept = {name: (box.card / name).read_bytes() if (box.card / name).exists() else None
            for name in ("authorized_keys", "wifi.txt", "display.toml", "timetable.csv")}
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


# The ranges of characters that PlainText.isHidden hides, except line ends.
HIDDEN = [*range(0x20), *range(0x7F, 0xA0), 0x061C, 0x200B, 0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2060, 0x2070), 0xFEFF,
    *range(0xFFF9, 0xFFFC), *range(0xE0000, 0xE0080)]


def disguises(box):
    """Characters that would reverse a line of the report, or the output of a terminal that prints it."""
    everything = "".join(map(chr, HIDDEN))
    inside = everything.replace("\0", "").replace("\n", "").replace("\r", "")
    # A network's name has at most 32 bytes.
    box.put("wifi.txt", "network = ho\x1b]0;x\x07\x9b\u202e\u2066\u061c\U000e0041me\n")
    names = [inside.replace("/", "")[at:at + 40] for at in range(0, len(inside), 40)]
    for number, name in enumerate(names):
        box.put(f"sounds/adhan{number}{name}.mp3", b"I am a text")
        box.put(f"wifi{number}{name}.txt", b"x")
    report = box.boot()
    raw = (box.card / "adhand-report.txt").read_bytes().decode().replace("\r\n", "\n").rstrip("\r")  # the fill ends with the file
    seen = sorted({f"U+{ord(c):04X}" for c in raw + box.said if ord(c) in HIDDEN and c != "\n"})
    good = not seen and '"ho]0;xme"' in report and f"wifi{len(names) - 1}.txt is not read" in report
    expect("no direction or control character is in the report or the journal", good, f"{seen}\n{report}")
    for file in [*box.card.glob("wifi?*.txt"), *(box.card / "sounds").glob("adhan*.mp3")]:
        if file.name != "wifi.txt":
            file.unlink()
    box.put("wifi.txt", "network = Our Mosque\n")
    box.boot()


def public_key(box, name):
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", name, "-f", box.root / name], check=True, timeout=60)
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
    good = "line 4: this is no public SSH key" in report and report.count("no public SSH") == 1 and (
        ssh / "adhan-box.keys").read_text() == held
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
    expect("one that says nothing any more lets nobody in, and says so",
           "keys were removed" in report and not (ssh / "adhan-box.keys").read_text(), report)
    expect("also at later boots", box.boot() == report, box.report())
    box.put("authorized_keys", held)
    report = box.boot()
    expect("the same key that comes again is let in again", (ssh / "adhan-box.keys").read_text() == held, report)
    (box.card / "authorized_keys").unlink()
