#!/usr/bin/env python3
"""Tests that a box joins its fleet with the file of its card, as a real adhand with a real adhan-bridge: it asks, waits for a
person, is accepted, is killed, revoked, and loses its password.

usage: join.py ADHAND ADHAN-BRIDGE ADHAN-FLEET
"""
import datetime
import json
import os
import pwd
import signal
import subprocess
import sys
import threading
import time
import tomllib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from ends import until  # noqa: E402
from house import DEVICE, House, authority, port  # noqa: E402

ADHAND, BRIDGE, FLEET = (Path(word).absolute() for word in sys.argv[1:4])
house = House("adhan-join")
folder, expect, run = house.folder, house.expect, house.run
broker_port, page_port = port(), port()
base, state = folder / "fleet", folder / "state"
CLIENT = ["-V", "5", "-h", "localhost", "-p", str(broker_port), "--cafile", str(folder / "ca.crt"), "-u", "fleet", "-P", "word"]
config = folder / "bridge.toml"


def fleet(*words):
    return subprocess.run([FLEET, *map(str, words)], capture_output=True, text=True, check=False, timeout=60)


def enrol(verb, *words):
    return fleet("enrol", verb, "--dir", base, *words)


def invite(name, *words):
    """- Returns: the content of the card's file."""
    until = (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=2)).strftime("%Y-%m-%d")
    done = enrol("new", "--count", 5, "--until", until, "--broker", f"mqtts://localhost:{broker_port}", "--ca", folder / "ca.crt",
                 "-o", folder / name, *words)
    return tomllib.loads((folder / name).read_text())["enrol"] if done.returncode == 0 else expect("an invitation", False, done)


def names(part):
    return {box["box"] for box in json.loads(enrol("list", "--json").stdout)[part]}


def take(card):
    """Applies the card as a box does."""
    (folder / "token").write_text(card["token"] + "\n")
    (folder / "card-ca.pem").write_text(card["ca"])
    config.write_text(
        f'[fleet]\nbroker = {json.dumps(card["broker"])}\ntoken-file = "{folder}/token"\nca-file = "{folder}/card-ca.pem"\nbeat = "10s"\n')


def bridge():
    return run(BRIDGE, "--config", config, "--socket", folder / "s", "--state-dir", state, "--box", "trial")


def standing():
    done = subprocess.run([BRIDGE, "status", "--json", "--state-dir", state], capture_output=True, text=True, check=False, timeout=20)
    return (json.loads(done.stdout)["fleet"] or {}).get("membership") if done.returncode == 0 else done


def on_overview():
    done = fleet("status", "trial", "--json", "--dir", base)
    seen = json.loads(done.stdout) if done.returncode == 0 else {}
    return seen.get("judged") is True and seen["overview"]["boxes"][0]["state"] == "online"


def has_number():
    """Whether this machine's board has a unique number."""
    file = Path("/sys/firmware/devicetree/base/serial-number")
    return file.exists() and bool(file.read_bytes().strip(b"\0\n 0"))


def kept():
    words = ["mosquitto_sub", *CLIENT, "-t", "adhand/v1/noor/trial/up/status", "-C", "1", "-W", "1"]
    text = subprocess.run(words, capture_output=True, text=True, check=False, timeout=60).stdout.strip()
    return json.loads(text).get("state") if text else None


over = threading.Event()
swap = threading.Lock()


def reader():
    """Replaces systemd: the broker reloads its passwords when they change, and is restarted if it crashes, as mosquitto 2.0.11
    sometimes does after that (`munmap_chunk(): invalid pointer`)."""
    global broker
    seen = None
    while not over.wait(0.2):
        with swap:
            if broker.poll() is not None and not over.is_set():
                print(f"        the broker ended with status {broker.returncode}, and is started again")
                broker = serve()
            now = passwords.stat().st_mtime_ns
            if seen is not None and now != seen:
                broker.send_signal(signal.SIGHUP)
            seen = now


def serve():
    """The broker, once it accepts connections. Before that, SIGHUP would end it; adhan-fleet-reload.service waits as well."""
    process = run("/usr/sbin/mosquitto", "-c", folder / "broker.conf")
    words = ["mosquitto_pub", *CLIENT, "-t", "adhand/v1/noor/x", "-m", "x"]
    expect("the broker answers", until(lambda: subprocess.run(words, capture_output=True, check=False, timeout=60).returncode == 0, 20))
    return process


try:
    authority(folder, "localhost")
    fleet("init", "--dir", base, "--org", "noor", "--broker", f"mqtt://127.0.0.1:{broker_port}")
    keys = json.loads(fleet("keys", "--out", folder / "keys", "--json").stdout)
    (base / "broker-password").write_text("word\n")
    passwords = base / "passwords"
    subprocess.run(["mosquitto_passwd", "-c", "-b", passwords, "fleet", "word"], check=True, capture_output=True, timeout=20)
    text = (base / "fleet.toml").read_text().replace("127.0.0.1:8791",
                                                     f"127.0.0.1:{page_port}").replace("[watch]\n", '[watch]\nsettle = "10s"\n')
    text = text.replace('# signing-key = "ed25519:..."', f'signing-key = "{keys["signing"]}"')
    inside = port()
    (base / "fleet.toml").write_text(text.replace(f"mqtt://127.0.0.1:{broker_port}", f"mqtt://127.0.0.1:{inside}"))
    conf = (base / "mosquitto.conf").read_text().split("\nlistener ")[0] + "\n"
    (folder / "broker.conf").write_text(
        conf + f"persistence_location {folder}/\nlistener {inside} 127.0.0.1\nuser root\n"
        f"listener {broker_port} 127.0.0.1\ncertfile {folder}/server.crt\nkeyfile {folder}/server.key\n")
    card = invite("hand.toml", "--approve", "hand")
    (folder / "adhand.toml").write_text(
        'timezone = "Europe/London"\n[location]\nname = "Trial"\nlatitude = 51.5\nlongitude = -0.1\n[audio]\n' f'devices = ["{DEVICE}"]\n'
        f'[fleet]\norg = "noor"\nsigning-key = "{keys["signing"]}"\n'
        "[control.grants]\n" + json.dumps(pwd.getpwuid(os.getuid()).pw_name) + ' = ["mute", "stop", "fleet"]\n')
    take(card)
    expect("the settings of a card are valid",
           subprocess.run([BRIDGE, "--check", "--config", config], check=False, timeout=20).returncode == 0)
    called = house.adhand(ADHAND)
    expect("adhand answers", until(house.answers, 20))

    bridged = bridge()
    expect("without a broker it asks on", until(lambda: standing() == "asking", 20), standing())
    broker = serve()
    threading.Thread(target=reader, daemon=True).start()
    expect("nobody watches, so it waits", until(lambda: standing() == "waiting", 60), standing())
    watching = run(FLEET, "watch", "--dir", base)
    expect("the request comes again for a watch that was away", until(lambda: "trial" in names("waiting"), 90), enrol("list").stdout)
    expect("it is not in before somebody has let it in", "trial:" not in passwords.read_text() and standing() == "waiting", standing())
    kept_file = state / "fleet-password.json"
    expect("its password is its own alone", kept_file.stat().st_mode & 0o077 == 0, oct(kept_file.stat().st_mode))
    password = json.loads(kept_file.read_text())["password"]
    expect("accepted", enrol("accept", "trial").returncode == 0)
    expect("then it comes in by itself", until(lambda: standing() == "member", 120) and until(lambda: kept() == "online", 30),
           (standing(), kept()))
    expect("and is on the overview", until(on_overview, 30), fleet("status", "trial", "--json", "--dir", base).stdout)

    used = json.loads(enrol("list", "--json").stdout)["invitation"]["used"]
    bridged.kill()
    bridged.wait(30)
    bridged = bridge()
    began = time.monotonic()
    expect("after a kill it comes by its own name at once", until(lambda: standing() == "member" and kept() == "online", 20),
           (standing(), kept()))
    print(f"        {time.monotonic() - began:.1f} s")
    expect("... with the same password and no other place", json.loads(kept_file.read_text())["password"] == password
           and json.loads(enrol("list", "--json").stdout)["invitation"]["used"] == used == 1)

    # The box is revoked.
    before = house.log.read_text().count("asks for its place")
    expect("taken out", enrol("revoke", "trial").returncode == 0)
    with swap:
        broker.kill()
        broker.wait(30)
        broker = serve()
    expect("it asks again, and waits for a person", until(lambda: "trial" in names("waiting"), 90), enrol("list").stdout)
    expect("... being no member any more", kept() is None and house.log.read_text().count("asks for its place") > before, kept())
    card = invite("auto.toml")
    expect("the word of the former card opens nothing", until(lambda: "opens the fleet no longer" in house.log.read_text(), 120),
           standing())
    take(card)
    bridged.send_signal(signal.SIGHUP)
    began = time.monotonic()
    expect("with the word of the new one it asks, and a box that was taken out waits for a person whatever the invitation says",
           until(lambda: "trial" in names("waiting") and standing() == "waiting", 30), (standing(), enrol("list").stdout))
    enrol("accept", "trial")
    expect("... who lets it in", until(lambda: standing() == "member" and kept() == "online", 60),
           (standing(), kept(), enrol("list").stdout))
    print(f"        {time.monotonic() - began:.1f} s")

    # The box loses its state.
    bridged.kill()
    bridged.wait(30)
    kept_file.write_text("{")
    bridged = bridge()

    def another():
        try:
            return json.loads(kept_file.read_text())["password"] != password
        except ValueError:
            return False

    expect("a box that lost its password makes another", until(another, 60), kept_file.read_text())
    if not has_number():
        expect("... and waits for a person, as nothing tells its board from others",
               until(lambda: "trial" in names("waiting") and standing() == "waiting", 90), (standing(), enrol("list").stdout))
        expect("... who lets it in", enrol("accept", "trial").returncode == 0, enrol("list").stdout)
    expect("... and comes in again", until(lambda: standing() == "member" and kept() == "online", 120), (standing(), kept()))
    config.write_text(config.read_text() + 'username = "x"\n')
    expect("a name beside the word of a card is refused",
           subprocess.run([BRIDGE, "--check", "--config", config], capture_output=True, check=False,
                          timeout=60).returncode == 65)
    expect("adhand did not wait for any of it", called.poll() is None and house.answers())
finally:
    over.set()
    outcome = house.end()
sys.exit(outcome)
