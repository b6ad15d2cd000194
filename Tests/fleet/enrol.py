#!/usr/bin/env python3
"""Tests that boxes can join a fleet by themselves and no stranger can: the file for their cards, a real mosquitto that reloads
its passwords, and boxes that ask, wait, lie, ask twice and leave.

usage: enrol.py ADHAN-FLEET
"""
import base64
import datetime
import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import time
import tomllib
import urllib.request
from pathlib import Path
from xml.etree import ElementTree

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from ends import until  # noqa: E402
from house import House, port  # noqa: E402

FLEET = Path(sys.argv[1]).absolute()
house = House("adhan-enrol")
folder, expect, run = house.folder, house.expect, house.run
broker_port, page_port = port(), port()
base = folder / "fleet"


def fleet(*words):
    return subprocess.run([FLEET, *map(str, words)], capture_output=True, text=True, check=False, timeout=60)


def enrol(verb, *words):
    return fleet("enrol", verb, "--dir", base, *words)


def day(offset):
    return (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=offset)).strftime("%Y-%m-%d")


def client(user, word):
    return ["-V", "5", "-p", str(broker_port), "-u", user, "-P", word]


def may(user, word, topic):
    """Whether the broker accepts a message."""
    return subprocess.run(["mosquitto_pub", *client(user, word), "-q", "1", "-t", topic, "-m", "x"], capture_output=True, check=False,
                          timeout=20).returncode == 0


def hashed(word):
    salt = os.urandom(12)
    made = hashlib.pbkdf2_hmac("sha512", word.encode(), salt, 101)
    return f"$7$101${base64.b64encode(salt).decode()}${base64.b64encode(made).decode()}"


def ask(token, box, word, hardware, lies=()):
    document = {"v": 1, "box": box, "hash": hashed(word), "hardware": hardware, "version": "0.1.0", **dict(lies)}
    return subprocess.run(["mosquitto_pub", *client("enrol", token), "-q", "1", "-t", f"adhand/v1/noor/enrol/{box}", "-m",
                           json.dumps(document)],
                          capture_output=True, check=False, timeout=20)


def listed():
    return json.loads(enrol("list", "--json").stdout)


def damaged_files():
    """The list of damaged files in the watch's status."""
    with urllib.request.urlopen(f"http://127.0.0.1:{page_port}/metrics", timeout=10) as answer:
        return next(int(line.split()[1]) for line in answer.read().decode().splitlines() if line.startswith("adhan_fleet_damaged_files "))


def names(part):
    return {box["box"] for box in listed()[part]}


SVG = "{http://www.w3.org/2000/svg}"


def label(part):
    """The name of a box on its label, and the modules of the code beside it."""
    return "".join(text.text for text in part.findall(f"{SVG}text")[1:]), part.find(f"{SVG}path").get("d")


def read(path):
    """Reads the code as a phone does."""
    runs = [tuple(map(int, run)) for run in re.findall(r"M(\d+) (\d+)h(\d+)", path)]
    side = max(x + count for x, _, count in runs) + 4
    dark = {(x + step, y) for x, y, count in runs for step in range(count)}
    rows = [" ".join("1" if (x // 4, y // 4) in dark else "0" for x in range(4 * side)) for y in range(4 * side)]
    (folder / "code.pbm").write_text(f"P1\n{4 * side} {4 * side}\n" + "\n".join(rows) + "\n")
    return subprocess.run(["zbarimg", "--quiet", "--raw", folder / "code.pbm"], capture_output=True, text=True, check=False,
                          timeout=60).stdout.strip()


OUTSIDE = ("--broker", "mqtts://fleet.example.org:8883")

try:
    fleet("init", "--dir", base, "--org", "noor", "--broker", f"mqtt://127.0.0.1:{broker_port}")
    keys = json.loads(fleet("keys", "--out", folder / "keys", "--json").stdout)
    (base / "broker-password").write_text("word\n")
    subprocess.run(["mosquitto_passwd", "-c", "-b", base / "passwords", "fleet", "word"], check=True, capture_output=True, timeout=20)
    text = (base / "fleet.toml").read_text().replace("127.0.0.1:8791",
                                                     f"127.0.0.1:{page_port}").replace("[watch]\n", '[watch]\nsettle = "10s"\n')
    (base / "fleet.toml").write_text(text)
    expect("without a key nobody is invited", enrol("new", "--count", 3, "--until", day(2), "-o", folder / "x").returncode == 65)
    (base / "fleet.toml").write_text(text.replace('# signing-key = "ed25519:..."', f'signing-key = "{keys["signing"]}"'))
    conf = (base / "mosquitto.conf").read_text().split("\nlistener ")[0] + "\n"
    (folder / "broker.conf").write_text(conf + f"persistence_location {folder}/\nlistener {broker_port} 127.0.0.1\nuser root\n")
    expect("a day that is over is refused", enrol("new", "--count", 3, "--until", day(-2), "-o", folder / "x").returncode == 64)
    card = folder / "card.toml"
    done = enrol("new", "--count", 2, "--until", day(2), "--broker", "mqtts://fleet.example.org:8883", "--group", "uk/london", "-o", card,
                 "--json")
    made = tomllib.loads(card.read_text())
    expect("the file for the cards",
           done.returncode == 0 and made["fleet"] == {"org": "noor", "signing-key": keys["signing"], "groups": ["uk/london"]}
           and made["enrol"]["broker"] == ["mqtts://fleet.example.org:8883"], (done, card.read_text()))
    expect("is its owner's alone", card.stat().st_mode & 0o077 == 0, oct(card.stat().st_mode))
    expect("and is overwritten by nothing", enrol("new", "--count", 2, "--until", day(2), *OUTSIDE, "-o", card).returncode == 1)
    done = enrol("new", "--count", 2, "--until", day(2), "-o", folder / "own")
    expect("no card leads to the server's own loopback",
           done.returncode == 64 and "--broker" in done.stderr and not (folder / "own").exists(), done)
    token = made["enrol"]["token"]
    plain = folder / "plain.toml"
    enrol("new", "--count", 2, "--until", day(2), *OUTSIDE, "-o", plain)
    expect("without a group none is named, as a box refuses an empty list", "groups" not in tomllib.loads(plain.read_text())["fleet"])
    token = tomllib.loads(plain.read_text())["enrol"]["token"]
    sheet = folder / "labels.svg"
    words = ("--count", 2, "--until", day(2), *OUTSIDE, "-o", folder / "labelled.toml", "--labels", sheet)
    done = enrol("new", *words)
    expect("before a box is known there is no label, which is said",
           done.returncode == 0 and "No label" in done.stdout and not sheet.exists(), done)
    token = tomllib.loads((folder / "labelled.toml").read_text())["enrol"]["token"]
    done = enrol("list", "--labels", sheet)
    expect("no label leads to the server's own loopback", done.returncode == 64 and "--server" in done.stderr and not sheet.exists(), done)
    expect("a server without a sheet is wrong usage", enrol("list", "--server", "fleet.example.org").returncode == 64)

    broker = run("/usr/sbin/mosquitto", "-c", folder / "broker.conf")
    until(lambda: may("fleet", "word", "adhand/v1/noor/x"), 10)
    passwords = base / "passwords"
    before = passwords.stat().st_ino
    watching = run(FLEET, "watch", "--dir", base)
    until(lambda: "connected to the broker" in house.log.read_text(), 20)

    def reread():
        broker.send_signal(signal.SIGHUP)
        time.sleep(0.5)

    expect("a box asks with the word of its card", ask(token, "one", "secret-1", "board-1").returncode == 0)
    expect("and is in the file of the broker", until(lambda: "one:$7$" in passwords.read_text(), 20), passwords.read_text())
    expect("... which is the same file", passwords.stat().st_ino == before)
    expect("... with everybody else", "fleet:$" in passwords.read_text() and "enrol:$" in passwords.read_text())
    reread()
    expect("it reports with its own word",
           may("one", "secret-1", "adhand/v1/noor/one/up/hb") and not may("one", "wrong", "adhand/v1/noor/one/up/hb"))
    expect("the list shows it", names("boxes") == {"one"} and listed()["invitation"]["used"] == 1, listed())

    # Requests that do not count.
    for name, box, more in [("a name that another claims", "two", {"box": "three"}), ("a hash that is none", "two", {"hash": "x\nroot:y"}),
                            ("no hardware", "two", {"hardware": ""}), ("another version", "two", {"v": 2})]:
        ask(token, box, "s", "b", more)
    ask(token, "one", "thief", "board-9")
    # With a card's token and the name of its user, a person could otherwise read the whole fleet.
    kept_fleet = next(line for line in passwords.read_text().splitlines() if line.startswith("fleet:"))
    for user in ("fleet", "enrol", "all"):
        ask(token, user, "thief", "board-8")
    subprocess.run(["mosquitto_pub", *client("enrol", token), "-q", "1", "-t", "adhand/v1/noor/enrol/two", "-m", "[" * 60000], check=False,
                   timeout=20)
    time.sleep(7)
    expect("lies and another board of the same name are not let in", names("boxes") == {"one"} and watching.poll() is None, listed())
    reread()
    expect("the name of a user of the broker is given to nobody",
           kept_fleet in passwords.read_text() and may("fleet", "word", "adhand/v1/noor/x")
           and not may("fleet", "thief", "adhand/v1/noor/x"), passwords.read_text())
    expect("the first one keeps its word", may("one", "secret-1", "adhand/v1/noor/one/up/hb"))
    ask(token, "one", "secret-1b", "board-1")
    first = passwords.read_text()
    expect("a card that was written again is let in with its new word", until(lambda: passwords.read_text() != first, 20))
    reread()
    expect("... without another place", may("one", "secret-1b", "adhand/v1/noor/one/up/hb") and listed()["invitation"]["used"] == 1,
           listed())
    ask(token, "two", "secret-2", "board-2")
    expect("the second and last place", until(lambda: names("boxes") == {"one", "two"}, 20), listed())
    ask(token, "three", "secret-3", "board-3")
    expect("then the invitation is over, and its word opens nothing",
           until(lambda: "enrol:" not in passwords.read_text(), 80) and names("boxes") == {"one", "two"}, listed())
    reread()
    expect("... at the broker neither", not may("enrol", token, "adhand/v1/noor/enrol/four"))

    # A person accepts a box.
    other = folder / "hand.toml"
    expect("boxes that wait for a person", enrol("new", "--count", 5, "--until", day(1), "--approve", "hand", *OUTSIDE, "-o",
                                                 other).returncode == 0)
    token = tomllib.loads(other.read_text())["enrol"]["token"]
    reread()
    ask(token, "four", "secret-4", "board-4")
    expect("it waits", until(lambda: "four" in names("waiting"), 20) and "four:" not in passwords.read_text(), listed())
    expect("accepted", enrol("accept", "four").returncode == 0 and "four:$7$" in passwords.read_text() and "four" not in names("waiting"))
    expect("a box that nobody knows is not accepted", enrol("accept", "five").returncode == 1)
    ask(token, "six", "secret-6", "board-6")
    until(lambda: "six" in names("waiting"), 20)
    done = enrol("list", "--labels", sheet, "--server", "fleet.example.org", "--json")
    labels = dict(label(part) for part in ElementTree.parse(sheet).getroot().iter(f"{SVG}g"))
    expect("a label for each box that is in or waits",
           json.loads(done.stdout)["labels"] == 5 and set(labels) == {"one", "two", "three", "four", "six"},
           (done.stdout[:300], set(labels)))
    expect("a phone reads there which box it is", all(read(labels[box]) == f"https://fleet.example.org/enrol#{box}" for box in labels),
           {box: read(path) for box, path in labels.items()})
    with urllib.request.urlopen(f"http://127.0.0.1:{page_port}/enrol", timeout=10) as answer:
        html = answer.read().decode()
    expect("the page behind it has a row for each of them", all(f'<tr id="{box}"' in html for box in labels) and "enrol accept six" in html,
           html[-800:])
    enrol("revoke", "six")
    reread()
    subprocess.run(["mosquitto_pub", *client("four", "secret-4"), "-q", "1", "-r", "-t", "adhand/v1/noor/four/up/status", "-m", "{}"],
                   check=True, timeout=20)
    done = enrol("revoke", "four")
    reread()
    kept = subprocess.run(["mosquitto_sub", *client("fleet", "word"), "-t", "adhand/v1/noor/four/#", "-W", "1"], capture_output=True,
                          text=True, check=False, timeout=60)
    expect("revoked: the broker knows it no longer, and keeps nothing of it", done.returncode == 0 and "four:" not in passwords.read_text()
           and not may("four", "secret-4", "adhand/v1/noor/four/up/hb") and kept.stdout == "", (done, kept))
    expect("the fleet's own user is no box", enrol("revoke", "fleet").returncode == 64 and "fleet:$" in passwords.read_text())
    expect("what could not be cleared is cleared by the same again", enrol("revoke", "four").returncode == 0)
    expect("a box that never was is none", enrol("revoke", "stranger").returncode == 1)

    # A PC has no number, so nothing proves that it is the same machine.
    open_card = folder / "pc.toml"
    enrol("new", "--count", 5, "--until", day(1), *OUTSIDE, "-o", open_card)
    token = tomllib.loads(open_card.read_text())["enrol"]["token"]
    reread()
    pc = hashed("secret-pc")
    ask(token, "pc", "", "unknown", {"hash": pc})
    expect("a board without a number is let in by a new name", until(lambda: f"pc:{pc}" in passwords.read_text(), 20), listed())
    ask(token, "pc", "", "unknown", {"hash": pc})
    ask(token, "pc", "thief", "unknown")
    expect("... and by a known name it waits for a person",
           until(lambda: "pc" in names("waiting"), 20) and f"pc:{pc}" in passwords.read_text(), listed())
    done = enrol("list")
    expect("... which the list says", "pc  asks again, by a board without a number  0.1.0" in done.stdout
           and [box["known"] for box in listed()["waiting"] if box["box"] == "pc"] == [True], done)
    expect("... and the watch, with what to type", until(lambda: "enrol accept pc" in house.log.read_text(), 10))
    ask(token, "pc", "another", "unknown")
    expect("what waits is not exchanged", until(lambda: "pc is not let in (cloned)" in house.log.read_text(), 20), listed())
    reread()
    expect("the box has its place until then", may("pc", "secret-pc", "adhand/v1/noor/pc/up/hb"))
    used = listed()["invitation"]["used"]
    expect("a person lets it in, and it takes no other place",
           enrol("accept", "pc").returncode == 0 and f"pc:{pc}" not in passwords.read_text() and listed()["invitation"]["used"] == used == 1
           and "pc" in names("boxes") - names("waiting"), listed())
    reread()
    expect("... by the password that waited",
           may("pc", "thief", "adhand/v1/noor/pc/up/hb") and not may("pc", "secret-pc", "adhand/v1/noor/pc/up/hb"))
    enrol("revoke", "pc")

    # The invitation limits the number of boxes, whoever accepts them.
    one = folder / "one.toml"
    enrol("new", "--count", 1, "--until", day(1), "--approve", "hand", *OUTSIDE, "-o", one)
    token = tomllib.loads(one.read_text())["enrol"]["token"]
    reread()
    ask(token, "six", "secret-6", "board-6")
    ask(token, "seven", "secret-7", "board-7")
    expect("two boxes wait for one place", until(lambda: {"six", "seven"} <= names("waiting"), 20), listed())
    expect("the first one is let in", enrol("accept", "six").returncode == 0 and "six:$7$" in passwords.read_text())
    done = enrol("accept", "seven")
    expect("and no second one", done.returncode == 1 and "enrol new" in done.stderr and "seven:" not in passwords.read_text()
           and listed()["invitation"]["used"] == 1 and "seven" in names("waiting"), (done, listed()))

    # A change that a power cut interrupted is completed.
    (base / "enrol/passwords.new").write_text(passwords.read_text() + "late:$7$101$AAAAAAAAAAAAAAAA$" + "A" * 88 + "\n")
    passwords.write_text("fleet:$7")
    enrol("accept", "nobody")
    expect("a half-written file is made good by the next command",
           "late:$7$" in passwords.read_text() and "one:$7$" in passwords.read_text(), passwords.read_text())

    # The list is damaged or missing. Until that is repaired, the watch must change nothing in it.
    state, copy = base / "enrol/state.json", base / "enrol/state.copy.json"
    expect("the list has a copy, which is the same", state.read_bytes() == copy.read_bytes())
    watching.send_signal(signal.SIGSTOP)
    boxes, used = names("boxes"), listed()["invitation"]["used"]
    state.write_text("{")
    done = enrol("list", "--json")
    expect("a damaged list is reported, and shown as its copy has it", done.returncode == 1 and "state.json is damaged" in done.stderr
           and {box["box"] for box in json.loads(done.stdout)["boxes"]} == boxes and state.read_text() == "{", done)
    done = fleet("status", "--dir", base)
    expect("status reports it as well", done.returncode == 0 and "state.json is damaged" in done.stderr, done)
    done = enrol("revoke", "two")
    expect("a box can be revoked all the same",
           done.returncode == 0 and "two:" not in passwords.read_text() and names("boxes") == boxes - {"two"}, (done, listed()))
    expect("the damaged file is set aside, and the count goes on", (base / "enrol/state.json.broken-1").read_text() == "{"
           and listed()["invitation"]["used"] == used, listed())
    state.unlink()
    enrol("accept", "nobody")
    expect("one that is gone is written again, and that is reported", state.exists() and (base / "enrol/state.json.gone").exists()
           and names("boxes") == boxes - {"two"} and "enrol/state.json.gone" in enrol("list").stderr, enrol("list"))
    state.write_text("{")
    copy.write_text("{")
    subprocess.run(["mosquitto_pub", *client("fleet", "word"), "-q", "1", "-r", "-t", "adhand/v1/noor/one/up/status", "-m", json.dumps(
        {"v": 1, "state": "online", "at": "2027-01-01T00:00:00Z", "boot": "b", "version": "0.1.0", "image": None, "hardware": "board-1",
         "adhand": "up", "beat": 60, "groups": []})], check=True, timeout=20)
    watching.send_signal(signal.SIGCONT)
    expect("where both are damaged the watch sets both aside", until(lambda: (base / "enrol/state.copy.json.broken-1").exists(), 80)
           and (base / "enrol/state.json.broken-2").exists(), list((base / "enrol").iterdir()))
    expect("... and begins a list that names whom it has lost",
           until(lambda: enrol("list").returncode == 0, 10) and {"one", "six"} <= set(listed()["unlisted"]), enrol("list"))
    expect("people learn of it", until(lambda: damaged_files() >= 4, 20), damaged_files())
    expect("nobody has lost access", may("one", "secret-1b", "adhand/v1/noor/one/up/hb"))
    again = folder / "again.toml"
    enrol("new", "--count", 1, "--until", day(1), *OUTSIDE, "-o", again)
    token = tomllib.loads(again.read_text())["enrol"]["token"]
    reread()
    before = passwords.read_text()
    ask(token, "late", "thief", "board-9")
    ask(token, "one", "secret-1c", "board-1")
    expect("a member comes in again by its board, and takes no place",
           until(lambda: "one" in names("boxes"), 20) and listed()["invitation"]["used"] == 0, listed())
    reread()
    expect("... with its new word", may("one", "secret-1c", "adhand/v1/noor/one/up/hb"))
    expect("the name of another user is given to nobody",
           next(line for line in before.splitlines() if line.startswith("late:")) in passwords.read_text())
    done = enrol("revoke", "six")
    expect("a box that the list has lost can be revoked", done.returncode == 0 and "six:" not in passwords.read_text(), done)
    expect("the watch went on", watching.poll() is None)
finally:
    outcome = house.end()
sys.exit(outcome)
