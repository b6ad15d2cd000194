#!/usr/bin/env python3
"""Tests adhan-bridge's connection with the broker of a fleet, beside a real adhand and a real mosquitto: reports, envelopes, lost
connections and kills.

usage: link.py ADHAND ADHAN-BRIDGE ADHAN-FLEET
"""
import base64
import json
import os
import pwd
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from ends import until  # noqa: E402
from house import DEVICE, House, authority, port  # noqa: E402

ADHAND, BRIDGE, FLEET = (Path(word).absolute() for word in sys.argv[1:4])
house = House("adhan-link")
folder, expect, run = house.folder, house.expect, house.run
broker_port = port()
BASE = "adhand/v1/noor/trial"

authority(folder, "localhost")
subprocess.run([FLEET, "keys", "--out", folder / "keys"], check=True, capture_output=True, timeout=30)


def public(name):
    shown = subprocess.run(["openssl", "pkey", "-in", folder / "keys" / name, "-pubout", "-outform", "DER"], check=True,
                           capture_output=True, timeout=60).stdout
    return "ed25519:" + base64.b64encode(shown[-32:]).decode()


for user, word in (("trial", "secret of the box"), ("fleet", "secret of the fleet")):
    new = [] if (folder / "passwords").exists() else ["-c"]
    subprocess.run(["mosquitto_passwd", *new, "-b", folder / "passwords", user, word], check=True, capture_output=True, timeout=30)
(folder / "password").write_text("secret of the box\n")
# The access list as adhan-fleet init writes it.
(folder / "acl").write_text(
    "user fleet\ntopic readwrite adhand/v1/noor/#\n\n"
    "pattern write adhand/v1/noor/%u/up/#\npattern read adhand/v1/noor/%u/down/#\npattern read adhand/v1/noor/all/down/#\n")
(folder / "broker.conf").write_text(
    f"listener {broker_port} 127.0.0.1\ncafile {folder}/ca.crt\ncertfile {folder}/server.crt\nkeyfile {folder}/server.key\n"
    "allow_anonymous false\n"
    f"password_file {folder}/passwords\nacl_file {folder}/acl\nmax_queued_messages 1000000\nmax_inflight_messages 1000\n"
    f"connection_messages false\npersistence true\npersistence_location {folder}/\nuser root\n")
(folder / "adhand.toml").write_text(
    'timezone = "Europe/London"\n[location]\nname = "Trial"\nlatitude = 51.5\nlongitude = -0.1\n[audio]\n' f'devices = ["{DEVICE}"]\n'
    f'[fleet]\norg = "noor"\nsigning-key = "{public("signing.pem")}"\nrecovery-key = "{public("recovery.pem")}"\ngroups = ["uk/london"]\n'
    "[control.grants]\n" + json.dumps(pwd.getpwuid(os.getuid()).pw_name) + ' = ["mute", "stop", "fleet"]\n')
(folder / "bridge.toml").write_text(
    f'[fleet]\nbroker = ["mqtts://localhost:{broker_port}"]\npassword-file = "{folder}/password"\nca-file = "{folder}/ca.crt"\n'
    'beat = "10s"\n')


def broker():
    return run("/usr/sbin/mosquitto", "-c", folder / "broker.conf")


def bridge():
    return run(BRIDGE, "--config", folder / "bridge.toml", "--socket", folder / "s", "--state-dir", folder / "state", "--box", "trial")


CLIENT = ["-V", "5", "-h", "localhost", "-p", str(broker_port), "--cafile", str(folder / "ca.crt"), "-u", "fleet", "-P",
          "secret of the fleet"]


def kept(topic):
    """The retained document of a topic; None if there is none."""
    words = ["mosquitto_sub", *CLIENT, "-t", f"{BASE}/up/{topic}", "-C", "1", "-W", "1"]
    text = subprocess.run(words, capture_output=True, text=True, check=False, timeout=60).stdout.strip()
    return json.loads(text) if text else None


def state():
    return (kept("status") or {}).get("state")


def publish(topic, *words):
    subprocess.run(["mosquitto_pub", *CLIENT, "-q", "1", "-t", topic, *map(str, words)], check=True, timeout=10)


def sign(kind, seq, body, *more):
    (folder / "body").write_text(body)
    file = folder / f"{kind}-{seq}.json"
    subprocess.run([FLEET, "sign", "--key", folder / "keys/signing.pem", "--org", "noor", "--kind", kind, "--seq", str(seq), *more,
                    folder / "body", "-o", file], check=True, capture_output=True, timeout=30)
    return file


def day_by_hand(number):
    """The body of an exception for a coming Monday or Tuesday, on which Dhuhr is not Jumu'ah."""
    days = [time.gmtime(time.time() + ahead * 86400) for ahead in range(2, 10)]
    day = next(day for day in days if day.tm_wday == number - 1)
    return json.dumps({"exceptions": [{"date": time.strftime("%Y-%m-%d", day), "prayer": "dhuhr", "iqama": "13:45"}]})


class Ear:
    """Receives every message that is published from now on."""

    def __init__(self):
        self.process = subprocess.Popen(
            ["mosquitto_sub", *CLIENT, "-R", "-t", f"{BASE}/up/#", "-F", "%U %t %p"], stdout=subprocess.PIPE, text=True)
        house.running.append(self.process)
        self.lines = []
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        for line in self.process.stdout:
            at, topic, payload = line.split(" ", 2)
            self.lines.append((float(at), topic.split("/up/")[1], json.loads(payload) if payload.strip() else None))

    def heard(self, topic):
        return [payload for _, name, payload in self.lines if name == topic]


try:
    brokered, called = broker(), house.adhand(ADHAND)
    expect("adhand answers", until(house.answers, 20))
    bridged = bridge()
    expect("the box is on the overview within 20 s", until(lambda: state() == "online", 20), state())
    status = kept("status")
    expect("it says what it is", status["v"] == 1 and status["adhand"] == "up" and status["groups"] == ["uk/london"]
           and status["beat"] == 10 and status["version"] and status["boot"], status)
    plan = kept("plan")
    days = {entry["at"][:10] for entry in plan["entries"]}
    expect("its plan has the adhans of seven days", 30 <= len(plan["entries"]) <= 42 and len(days) in (7, 8), plan)
    expect("in their order, and each still to come", [e["at"] for e in plan["entries"]] == sorted(e["at"] for e in plan["entries"])
           and all(e["at"] > plan["made"] for e in plan["entries"]), plan["entries"][:2])
    expect("problems are reported", kept("problems")["open"] == [] or isinstance(kept("problems")["open"], list))
    ear = Ear()
    expect("a sign of life comes every ten seconds", until(lambda: len(ear.heard("hb")) >= 2, 30), ear.lines)

    # Envelopes.
    publish("adhand/v1/noor/all/down/exception", "-r", "-f",
            sign("exception", 1, day_by_hand(1)))
    expect("an envelope for all is in force, or has its time",
           until(lambda: (kept("applied/exception") or {}).get("state") in ("confirmed", "scheduled"), 15), kept("applied/exception"))
    file = sign("exception", 2, day_by_hand(2))
    document = json.loads(file.read_text())
    document["signatures"][0]["sig"] = "A" * 86 + "=="
    publish(f"{BASE}/down/exception", "-r", "-m", json.dumps(document))
    expect("one with another signature is refused", until(lambda: "exception (signature)" in house.log.read_text(), 15))
    time.sleep(2)
    expect("... and hides nothing that the box has",
           kept("applied/exception")["seq"] == 1 and kept("applied/exception")["state"] != "refused", kept("applied/exception"))
    publish(f"{BASE}/down/exception", "-r", "-f", file)
    expect("the right one is taken", until(lambda: (kept("applied/exception") or {}).get("state") in ("confirmed", "scheduled")
                                      and kept("applied/exception")["seq"] == 2, 15), kept("applied/exception"))
    # An unsigned number that the thief of a server publishes for all boxes.
    document = json.loads(sign("configuration", 1, "[adhan]\nvolume = 60\n").read_text())
    forged = json.loads(base64.b64decode(document["payload"]))
    forged["seq"] = 9007199254740991
    document["payload"] = base64.b64encode(json.dumps(forged).encode()).decode()
    publish("adhand/v1/noor/all/down/configuration", "-r", "-m", json.dumps(document))
    expect("the fleet learns of a refusal where the box has nothing of its kind",
           until(lambda: (kept("applied/configuration") or {}).get("reason") == "signature", 15), kept("applied/configuration"))
    publish("adhand/v1/noor/all/down/configuration", "-r", "-n")
    expect("... until the envelope is gone", until(lambda: kept("applied/configuration") is None, 15), kept("applied/configuration"))
    # Root adds a group, for which an envelope is already published.
    publish("adhand/v1/noor/all/down/exception", "-r", "-f", sign("exception", 3, day_by_hand(1), "--for", "groups:uk/leeds"))
    time.sleep(3)
    expect("one for another group is not taken", kept("applied/exception")["seq"] == 2, kept("applied/exception"))
    text = (folder / "adhand.toml").read_text()
    (folder / "adhand.toml").write_text(text.replace('"uk/london"', '"uk/london", "uk/leeds"'))
    called.send_signal(signal.SIGHUP)
    expect("in that group the box takes it at once", until(lambda: kept("applied/exception")["seq"] == 3, 15)
           and kept("applied/exception")["state"] in ("confirmed", "scheduled"), kept("applied/exception"))
    expect("... and says that it is in it", until(lambda: set(kept("status")["groups"]) == {"uk/london", "uk/leeds"}, 10), kept("status"))
    for payload in ("{", "x" * 60000, json.dumps({"a": [[[[[[[[[[]]]]]]]]]]})):
        (folder / "junk").write_text(payload)
        publish(f"{BASE}/down/command", "-f", folder / "junk")
        publish(f"{BASE}/down/nothing", "-f", folder / "junk")
    time.sleep(3)
    expect("junk ends nothing", bridged.poll() is None and called.poll() is None)

    # A box can publish only as itself.
    refused = subprocess.run(["mosquitto_pub", "-V", "5", "-h", "localhost", "-p", str(broker_port), "--cafile", folder / "ca.crt", "-u",
                              "trial", "-P", "secret of the box", "-q", "1", "-r", "-t", "adhand/v1/noor/other/up/status", "-m", "{}"],
                             capture_output=True, text=True, check=False, timeout=10)
    words = ["mosquitto_sub", *CLIENT, "-t", "adhand/v1/noor/other/#", "-C", "1", "-W", "1"]
    expect("and cannot write for another", not subprocess.run(words, capture_output=True, text=True, check=False, timeout=60).stdout,
           refused.stderr)

    # The broker stops. When it is back, everything is published again.
    brokered.kill()
    brokered.wait(30)
    time.sleep(2)
    began = time.monotonic()
    ear = None
    brokered = broker()
    ear = Ear()
    time.sleep(0.5)
    if ear.process.poll() is not None:
        ear = Ear()
    expect("a broker that comes back has the box within 60 s", until(lambda: any(p["state"] == "online" for p in ear.heard("status")), 60),
           ear.lines)
    names = [name for _, name, _ in ear.lines]
    expect("the plan comes before the status", "plan" in names and names.index("plan") < names.index("status"), names)
    print(f"        back after {time.monotonic() - began:.0f} s")

    # adhand stops.
    called.kill()
    called.wait(30)
    expect("the fleet learns that adhand is away", until(lambda: (kept("status") or {}).get("adhand") == "down", 15), kept("status"))
    called = house.adhand(ADHAND)
    expect("and that it is back", until(lambda: (kept("status") or {}).get("adhand") == "up", 30), kept("status"))

    # An adhan while the connection is dead, and the bridge is killed in between. debug trigger makes no regular adhan, so the
    # trial adds a line to the history.
    bridged.kill()
    bridged.wait(30)
    expect("the broker says that it is away, after a while", until(lambda: state() == "offline", 60), state())
    missed = time.gmtime(time.time() - 600)
    called.terminate()
    called.wait(10)
    stamp = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", missed)
    (folder / "state/fleet.json").write_text(json.dumps({"v": 1, "org": "noor", "until": time.time() - 3600}))
    history = folder / "adhand/history.jsonl"
    line = {"id": "fajr_" + time.strftime("%Y%m%d", missed), "prayer": "fajr", "scheduled": stamp, "started": stamp, "latenessMs": 3.5,
            "outcome": "played", "reason": None, "endedBy": None, "sound": ["standard"], "device": None, "rate": None, "framesDecoded": 1,
            "framesPlayed": 1, "dropouts": 0, "gainDb": None}
    with open(history, "a") as output:
        output.write(json.dumps(line) + "\n")
    called = house.adhand(ADHAND)
    expect("adhand answers again", until(house.answers, 20))
    bridged = bridge()
    expect("outcomes of the time without network come as a backlog",
           until(lambda: any(adhan["id"] == line["id"] and adhan["state"] == "played" and adhan["latenessMs"] in (3, 4)
                             for backlog in ear.heard("backlog") for adhan in backlog["adhans"]), 40), [name for _, name, _ in ear.lines])
    expect("and that is remembered", until(lambda: json.loads((folder / "state/fleet.json").read_text())["until"] > time.time() - 900, 10))
    shown = subprocess.run([BRIDGE, "status", "--json", "--state-dir", folder / "state"], capture_output=True, text=True, check=False,
                           timeout=60)
    expect("status shows it", shown.returncode == 0 and json.loads(shown.stdout)["fleet"]["connected"], shown)

    bridged.terminate()
    expect("it ends in order", bridged.wait(10) == 0 and state() == "offline", state())
    bridged = bridge()
    until(lambda: state() == "online", 30)

    # The box changes to another fleet, whose numbers begin at one.
    def applied():
        shown = json.loads(house.ctl(ADHAND, "fleet", "status", "--json").stdout)
        return [(one["kind"], one["seq"]) for one in (shown.get("fleet") or shown).get("applied", [])]

    before = applied()
    text = (folder / "adhand.toml").read_text()
    (folder / "adhand.toml").write_text(text.replace('org = "noor"', 'org = "other"'))
    called.send_signal(signal.SIGHUP)
    expect("a fleet that a box has left sees it go", until(lambda: state() == "offline", 30), state())
    expect("the next one learns nothing of the former one's numbers", before and not applied(), (before, applied()))
    (folder / "adhand.toml").write_text(text)
    called.send_signal(signal.SIGHUP)
    expect("back again it counts on", until(lambda: state() == "online", 30) and applied() == before, (state(), applied()))

    # Without [fleet] in adhand.toml, nothing is published.
    expect("the file is valid", subprocess.run([BRIDGE, "--check", "--config", folder / "bridge.toml"], capture_output=True, check=False,
                                               timeout=60).returncode == 0)
finally:
    status = house.end()
sys.exit(status)
