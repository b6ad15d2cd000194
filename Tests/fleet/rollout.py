#!/usr/bin/env python3
"""Tests roll-outs beside a real mosquitto: rings, a change that fails, a broker that forgets, and people who pause and end a
roll-out.

usage: rollout.py ADHAN-FLEET
"""
import datetime
import hashlib
import http.server
import json
import subprocess
import sys
import threading
import time
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from ends import until  # noqa: E402
from house import House, port  # noqa: E402

FLEET = Path(sys.argv[1]).absolute()
house = House("adhan-rollout")
folder, expect, run = house.folder, house.expect, house.run
broker_port, page_port, alert_port = port(), port(), port()
base = folder / "fleet"
BOXES = [f"box-{n}" for n in range(8)]
CLIENT = ["-V", "5", "-p", str(broker_port), "-u", "fleet", "-P", "word"]
posts = []


class Alertmanager(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        posts.extend(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_words):
        pass


threading.Thread(target=http.server.ThreadingHTTPServer(("127.0.0.1", alert_port), Alertmanager).serve_forever, daemon=True).start()


def fleet(*words):
    return subprocess.run([FLEET, *map(str, words)], capture_output=True, text=True, check=False, timeout=60)


def rollout(verb, *words):
    return fleet("rollout", verb, "--dir", base, *words)


def instant(seconds):
    return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def send(box, topic, document):
    subprocess.run(["mosquitto_pub", *CLIENT, "-q", "1", "-r", "-t", f"adhand/v1/noor/{box}/up/{topic}", "-m", json.dumps(document)],
                   check=True, timeout=20)


def report(box, envelope, state, reason=None):
    send(box, "applied/configuration", {"v": 1, "kind": "configuration", "seq": envelope["seq"], "digest": envelope["digest"],
                                        "state": state, "reason": reason, "at": instant(time.time())})


def kept():
    """The retained messages of the broker for each box."""
    done = subprocess.run(["mosquitto_sub", *CLIENT, "-t", "adhand/v1/noor/+/down/configuration", "-W", "1", "-F", "%t %p"],
                          capture_output=True, text=True, check=False, timeout=60)
    found = {}
    for line in done.stdout.splitlines():
        topic, _, payload = line.partition(" ")
        # An envelope ends with a line end of its own.
        if not payload:
            continue
        found[topic.split("/")[3]] = hashlib.sha256(payload.strip().encode()).hexdigest()
    return found


def envelope(seq, toml, *words):
    (folder / "body.toml").write_text(toml)
    file = folder / f"e{seq}-{time.monotonic_ns()}.json"
    done = fleet("sign", "--key", folder / "keys/signing.pem", "--org", "noor", "--kind", "configuration", "--seq", seq, *words,
                 folder / "body.toml", "-o", file, "--json")
    return {"file": file, "seq": seq, "digest": json.loads(done.stdout)["digest"],
            "text": hashlib.sha256(file.read_text().strip().encode()).hexdigest()}


def order(digest):
    return sorted(BOXES, key=lambda box: hashlib.sha256(f"{box}/{digest}".encode()).hexdigest())


def has(boxes, one):
    return {box for box, text in kept().items() if text == one["text"]} == set(boxes)


def shown(one):
    found = [row for row in json.loads(rollout("status", "--json").stdout) if row["rollout"] == one["digest"]]
    return found[0] if found else None


try:
    fleet("init", "--dir", base, "--org", "noor", "--broker", f"mqtt://127.0.0.1:{broker_port}")
    keys = json.loads(fleet("keys", "--out", folder / "keys", "--json").stdout)
    subprocess.run(["mosquitto_passwd", "-c", "-b", base / "passwords", "fleet", "word"], check=True, capture_output=True, timeout=20)
    (base / "broker-password").write_text("word\n")
    text = (base / "fleet.toml").read_text()
    text = text.replace("127.0.0.1:8791", f"127.0.0.1:{page_port}").replace("127.0.0.1:9093", f"127.0.0.1:{alert_port}")
    text = text.replace("[watch]\n", '[watch]\nsettle = "10s"\n')
    text = text.replace("rings = [1, 10, 50, 100]", 'rings = [25, 100]\nsuccess = "applied"\nsoak = "0s"')
    (base / "fleet.toml").write_text(text.replace('# signing-key = "ed25519:..."', f'signing-key = "{keys["signing"]}"'))
    conf = (base / "mosquitto.conf").read_text().split("\nlistener ")[0] + "\n"
    store = folder / "mosquitto.db"
    (folder / "broker.conf").write_text(conf + f"persistence_location {folder}/\nlistener {broker_port} 127.0.0.1\nuser root\n")

    def broker():
        started = run("/usr/sbin/mosquitto", "-c", folder / "broker.conf")
        until(lambda: subprocess.run(["mosquitto_pub", *CLIENT, "-t", "adhand/v1/noor/x", "-m", ""], capture_output=True, check=False,
                                     timeout=60).returncode == 0, 10)
        return started

    def live():
        for box in BOXES:
            send(box, "plan", {"v": 1, "made": instant(time.time()), "until": instant(time.time() + 7 * 86400), "entries": [
                {"id": f"fajr_2027010{day}", "prayer": "fajr", "at": instant(time.time() + day * 86400), "grace": 120}
                for day in range(1, 8)]})
            send(box, "status", {"v": 1, "state": "online", "at": instant(time.time()), "boot": "b", "version": "0.1.0", "image": None,
                                 "hardware": f"h-{box}", "adhand": "up", "beat": 60, "groups": []})

    brokered = broker()
    live()
    first = envelope(1, "[adhan]\nvolume = 40\n")
    done = rollout("start", first["file"])
    expect("without a watcher nothing is begun: 69", done.returncode == 69 and not list((base / "rollouts").glob("*.json")), done)
    watching = run(FLEET, "watch", "--dir", base)

    def start(one):
        until(lambda: rollout("start", one["file"]).returncode == 0, 20)
        return rollout("start", one["file"])

    done = start(first)
    expect("the same one is not begun twice", done.returncode == 1 and "already" in done.stderr, done)
    two = order(first["digest"])[:2]
    expect("the first ring is the first quarter by the hash of box and roll-out", until(lambda: has(two, first), 60), kept())
    second = envelope(2, "[adhan]\nvolume = 50\n")
    expect("a second one of the kind waits for the end of the first", rollout("start", second["file"]).returncode == 1)
    expect("paused", rollout("pause").returncode == 0 and shown(first)["state"] == "paused", shown(first))
    for box in two:
        report(box, first, "confirmed")
    time.sleep(12)
    expect("it reaches nobody more", has(two, first) and shown(first)["success"] == 2, (kept(), shown(first)))
    expect("it cannot be paused twice", rollout("pause", first["digest"][:8]).returncode == 1)
    watching.terminate()
    watching.wait(20)
    expect("without a watcher it is not resumed: 69", rollout("resume").returncode == 69)
    watching = run(FLEET, "watch", "--dir", base)
    expect("resumed after a restart", until(lambda: rollout("resume").returncode == 0, 20))
    expect("the second ring is everybody", until(lambda: has(BOXES, first), 60), kept())

    # The broker forgets everything; boxes that have not applied the change receive it again.
    for box in order(first["digest"])[2:5]:
        report(box, first, "confirmed")
    until(lambda: shown(first)["success"] == 5, 20)
    brokered.kill()
    brokered.wait(30)
    store.unlink(missing_ok=True)
    brokered = broker()
    live()
    for box in order(first["digest"])[:5]:
        report(box, first, "confirmed")
    expect("a broker that lost all is given what is owed", until(lambda: has(order(first["digest"])[5:], first), 60), kept())
    for box in order(first["digest"])[5:]:
        report(box, first, "confirmed")
    expect("done", until(lambda: shown(first)["state"] == "done", 30), shown(first))
    expect("status is 0", rollout("status").returncode == 0)

    # A change that fails.
    expect("an older number is refused", rollout("start", envelope(1, "[adhan]\nvolume = 41\n")["file"]).returncode != 0)
    start(second)
    two = order(second["digest"])[:2]
    until(lambda: set(two) <= {box for box, text in kept().items() if text == second["text"]}, 60)
    report(two[0], second, "reverted", "the first adhan failed")
    expect("one failure in a small ring stops it", until(lambda: shown(second)["state"] == "stopped", 30), shown(second))
    expect("status is 3", rollout("status").returncode == 3, rollout("status"))
    expect("it is taken away from who has not applied it", until(lambda: second["text"] not in kept().values(), 30), kept())
    expect("people are paged",
           until(lambda: any(p["labels"]["alertname"] == "RolloutStopped" and p["labels"]["rollout"] == second["digest"] for p in posts),
                 40), posts[-3:])
    expect("who is settled ends the alarm", rollout("abort", second["digest"][:12]).returncode == 0
           and until(lambda: any(p["labels"]["alertname"] == "RolloutStopped" and "endsAt" in p for p in posts), 60), posts[-3:])
    expect("status is 0 again", rollout("status").returncode == 0)

    # A release in the apt archive, whose indices were signed on another machine. A ring lasts a day, so this covers only the
    # first one.
    archive = base / "reprepro"
    (archive / "public").mkdir(parents=True)
    served = archive / "public/dists"

    def index(name, version, percent=100):
        packages = archive / "rings/0.3.0" / name / "dists/stable/main/binary-amd64/Packages"
        packages.parent.mkdir(parents=True, exist_ok=True)
        (packages.parent.parent.parent / "InRelease").write_text("signed\n")
        phase = f"Phased-Update-Percentage: {percent}\n" if percent < 100 else ""
        packages.write_text(
            f"Package: adhand-box\nVersion: 9\n\nPackage: adhand\nVersion: {version}\nArchitecture: amd64\n{phase}\nPackage: zzz\n"
            "Version: 8\n")

    def version(box, number):
        send(box, "status", {"v": 1, "state": "online", "at": instant(time.time()), "boot": "b", "version": number, "image": None,
                             "hardware": f"h-{box}", "adhand": "up", "beat": 60, "groups": []})

    def leads(name):
        return served.is_symlink() and str(served.readlink()) == f"../rings/0.3.0/{name}/dists" and (served / "stable/InRelease").exists()

    release = {"digest": "adhand=0.3.0"}
    done = rollout("start", "adhand=0.3.0")
    expect("without indices a release is not begun: 65, and what to do", done.returncode == 65 and "archive-rings" in done.stderr, done)
    index("25", "0.3.0", 25)
    index("100", "0.3.0", 50)
    index("stop", "0.3.0")
    done = rollout("start", "adhand=0.3.0")
    expect("an index for others than its name says is refused", done.returncode == 65 and "50 %" in done.stderr, done)
    index("100", "0.3.0")
    done = rollout("start", "adhand=0.3.0")
    expect("and so is a stop that would stop nothing", done.returncode == 65 and "stop" in done.stderr, done)
    index("stop", "0.1.0")
    expect("another package is no roll-out: 64", rollout("start", "bash=5").returncode == 64)
    expect("nor is what is no version", rollout("start", "adhand=../x").returncode != 0 and rollout("start", "adhand=new").returncode == 64)
    done = rollout("start", "adhand=0.3.0", "--json")
    expect("it is begun", done.returncode == 0 and json.loads(done.stdout)["version"] == "0.3.0" and json.loads(done.stdout)["seq"] is None,
           done)
    expect("and not twice", rollout("start", "adhand=0.3.0").returncode == 1)
    expect("the first ring is served", until(lambda: leads("25"), 20), list(archive.glob("public/*")))
    version("box-0", "0.3.0")
    version("box-1", "0.3.0")
    expect("boxes that have it are counted", until(lambda: (shown(release)["given"], shown(release)["success"]) == (2, 2), 30),
           shown(release))
    expect("a day is not over", shown(release)["ring"] == 1 and leads("25"), shown(release))
    send("box-2", "problems",
         {"v": 1, "open": [{"alert": "upgrade", "severity": "warning", "since": instant(time.time()), "text": "left"}]})
    time.sleep(12)
    expect("a box that leaves an update of Debian alone does not stop it", shown(release)["state"] == "running" and leads("25"),
           shown(release))
    served.unlink()
    served.symlink_to("../rings/0.3.0/100/dists")
    expect("what somebody else lets be served is put right", until(lambda: leads("25"), 20), served)
    version("box-1", "0.1.0")
    expect("a box that goes back stops it", until(lambda: shown(release)["state"] == "stopped", 30), shown(release))
    expect("the index without it is served", until(lambda: leads("stop"), 20), served)
    index_file = archive / "rings/0.3.0/stop/dists/stable/InRelease"

    def signed_for(days):
        stamp = datetime.datetime.fromtimestamp(time.time() + days * 86400, datetime.timezone.utc).strftime("%a, %d %b %Y %H:%M:%S UTC")
        index_file.write_text(f"Origin: adhand\nValid-Until: {stamp}\n")

    def ends(word):
        return any(p["labels"]["alertname"] == "ArchiveEnds" and word in p for p in posts)

    def figures():
        with urllib.request.urlopen(f"http://127.0.0.1:{page_port}/metrics", timeout=20) as answer:
            return answer.read().decode()

    expect("an index without an end has no figure", "adhan_fleet_index_end" not in figures(), figures()[-600:])
    signed_for(14)
    expect("nor does it page anybody, or one that ends in two weeks", not until(lambda: ends("startsAt"), 15), posts[-3:])
    signed_for(2)
    expect("one that ends in two days does", until(lambda: ends("startsAt"), 40), posts[-3:])
    expect("and its end is a figure", "\nadhan_fleet_index_end_timestamp_seconds " in figures(), figures()[-600:])
    signed_for(14)
    expect("until it is signed again", until(lambda: ends("endsAt"), 40), posts[-3:])
    expect("status is 3", rollout("status").returncode == 3, rollout("status"))
    expect("people are paged", until(lambda: any(p["labels"].get("rollout") == "adhand=0.3.0" for p in posts), 40), posts[-3:])
    expect("who is settled is asked no more", rollout("abort", "adhand=0.3.0").returncode == 0 and rollout("status").returncode == 0,
           rollout("status"))
    done = rollout("start", "adhand=0.3.0")
    expect("a stopped one needs a higher version", done.returncode == 1 and "higher" in done.stderr and leads("stop"), done)

    # A person ends a roll-out; a damaged file is left unchanged.
    third = envelope(3, "[adhan]\nvolume = 60\n")
    start(third)
    expect("the next number goes", until(lambda: set(order(third["digest"])[:2]) <= {b for b, t in kept().items() if t == third["text"]},
                                         60), kept())
    expect("ended by hand", rollout("abort").returncode == 0 and until(lambda: third["text"] not in kept().values(), 30), kept())

    # A roll-out beside published envelopes.
    def publish(one):
        return fleet("publish", "--dir", base, one["file"])

    fifth = envelope(5, "[adhan]\nvolume = 65\n")
    box, other = order(fifth["digest"])[:2]
    expect("a number that a roll-out had is not published", publish(envelope(3, "[adhan]\nvolume = 61\n")).returncode == 1)
    fourth = envelope(4, "[adhan]\nvolume = 64\n", "--for", f"boxes:{box}")
    expect("one is published for a box", publish(fourth).returncode == 0 and kept().get(box) == fourth["text"], kept())
    expect("what is published is not rolled out", rollout("start", fourth["file"]).returncode == 1)
    start(fifth)
    expect("a roll-out takes its place", until(lambda: kept().get(box) == kept().get(other) == fifth["text"], 60), kept())
    done = publish(fifth)
    expect("what is being rolled out is not published", done.returncode == 1 and "rollout abort" in done.stderr, done)
    watching.terminate()
    watching.wait(20)
    watching = run(FLEET, "watch", "--dir", base)
    expect("ended, also after a restart", until(lambda: rollout("abort", fifth["digest"][:12]).returncode == 0, 20))
    expect("... what was published stands again", until(lambda: kept().get(box) == fourth["text"] and kept().get(other) != fifth["text"],
                                                        60), kept())
    expect("after its end it may be published", publish(fifth).returncode == 0 and kept().get("all") == fifth["text"], kept())
    done = rollout("start", envelope(5, "[adhan]\nvolume = 66\n")["file"])
    expect("a roll-out needs a number above what was published", done.returncode == 1 and "--seq 6" in done.stderr, done)

    # An envelope that was published after its roll-out had ended, and then withdrawn, disappears from the topics of boxes as
    # well.
    sixth = envelope(6, "[adhan]\nvolume = 67\n")
    start(sixth)
    for boxes in (order(sixth["digest"])[:2], order(sixth["digest"])[2:7]):
        until(lambda boxes=boxes: {b for b, t in kept().items() if t == sixth["text"]} >= set(boxes), 60)
        for name in boxes:
            report(name, sixth, "confirmed")
    last = order(sixth["digest"])[7]
    report(last, sixth, "confirmed")
    expect("another one is through", until(lambda: shown(sixth)["state"] == "done", 30), shown(sixth))
    done = fleet("withdraw", "--dir", base, sixth["file"])
    expect("what was only rolled out is not withdrawn", done.returncode == 1 and "--seq 7" in done.stderr, done)
    expect("after its roll-out it may be published", publish(sixth).returncode == 0 and kept().get("all") == sixth["text"], kept())
    watching.terminate()
    watching.wait(20)
    done = fleet("withdraw", "--dir", base, sixth["file"])
    expect("... and withdrawn, from the topics of boxes, too", done.returncode == 0 and sixth["text"] not in kept().values()
           and kept().get("all") == fifth["text"] and kept().get(box) == fourth["text"], (done, kept()))
    watching = run(FLEET, "watch", "--dir", base)
    send(last, "applied/configuration", {"v": 1, "kind": "configuration", "seq": 5, "digest": fifth["digest"], "state": "confirmed",
                                         "reason": None, "at": instant(time.time())})
    time.sleep(25)
    expect("... and the watch gives it to nobody, whatever a box lacks", sixth["text"] not in kept().values(), kept())
    (base / "rollouts" / ("ab" * 32 + ".json")).write_text("{")
    time.sleep(7)
    expect("a damaged file stands in nobody's way", watching.poll() is None and rollout("status").returncode == 1, rollout("status"))
finally:
    outcome = house.end()
sys.exit(outcome)
