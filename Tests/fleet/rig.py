#!/usr/bin/env python3
"""Tests that one broker and one watch serve a fleet of ten thousand boxes: an adhan that a hundred of them do not report, a
broker that is killed, and a change that fails on three of a hundred. Twenty of the boxes are a real adhand with a real
adhan-bridge.

usage: rig.py ADHAND ADHAN-BRIDGE ADHAN-FLEET [BOXES]          default: 10000
"""
import base64
import hashlib
import http.server
import json
import os
import pwd
import random
import re
import subprocess
import sys
import threading
import time
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import ends  # noqa: E402
from ends import until  # noqa: E402
from house import DEVICE, House, port, resident  # noqa: E402

ADHAND, BRIDGE, FLEET = (Path(word).absolute() for word in sys.argv[1:4])
COUNT = int(sys.argv[4]) if len(sys.argv) > 4 else 10_000
REAL = 20
SILENT = COUNT // 100
house = House("adhan-fleet-rig")
folder, expect, run = house.folder, house.expect, house.run
broker_port, page_port, alert_port = port(), port(), port()
base = folder / "fleet"
names = [f"box-{n:05}" for n in range(COUNT)]
real = [f"real-{n:02}" for n in range(REAL)]
TICKS = os.sysconf("SC_CLK_TCK")
posts = []


class Alertmanager(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        posts.extend((time.time(), alert) for alert in body)
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_words):
        pass


def alarms(since, name=None):
    """The labels of alerts that have started since."""
    return [(at, alert["labels"]) for at,
            alert in posts if at >= since and "endsAt" not in alert and name in (None, alert["labels"]["alertname"])]


def fleet(*words):
    return subprocess.run([FLEET, *map(str, words)], capture_output=True, text=True, check=False, timeout=120)


def hashed(word):
    salt = b"salt of them"
    return f"$7$101${base64.b64encode(salt).decode()}${base64.b64encode(hashlib.pbkdf2_hmac('sha512', word.encode(), salt, 101)).decode()}"


def used(process):
    """Seconds of processor time."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def page(path):
    with urllib.request.urlopen(f"http://127.0.0.1:{page_port}{path}", timeout=30) as answer:
        return answer.read().decode()


def online():
    """The number of boxes that the watch reports as online."""
    return len(re.findall(r"^adhand_box_online\{[^}]*\} 1$", page("/metrics"), re.MULTILINE))


def broker():
    return run("/usr/sbin/mosquitto", "-c", folder / "broker.conf")


def order(name, **more):
    crowd.stdin.write(json.dumps({"order": name, **more}) + "\n")
    crowd.stdin.flush()
    return json.loads(ends.line(crowd.stdout, f"the boxes, asked for {name},", 120))


def instant(seconds):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


figures = {}


def measured(what, figure):
    figures[what] = figure
    print(f"        {what}: {figure}", flush=True)


def show_figures():
    """Prints all measurements, in the form of docs/FLEET.md."""
    model = re.search(r"^model name\s*: (.*)", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    kilobytes = int(re.search(r"^MemTotal:\s*(\d+)", Path("/proc/meminfo").read_text(), re.MULTILINE)[1])
    version = subprocess.run(["/usr/sbin/mosquitto", "-h"], capture_output=True, text=True, check=False,
                             timeout=60).stdout.partition("\n")[0].rpartition(" ")[2]
    rows = {"machine": f"{os.cpu_count()} cores ({model[1] if model else os.uname().machine}), {kilobytes / 1048576:.0f} GB",
            "mosquitto": version, "boxes": f"{COUNT:,} raw sessions and {REAL} real boxes"} | figures
    print(f"\n| measured on {time.strftime('%Y-%m-%d', time.gmtime())} | figure |\n| --- | --- |")
    print("".join(f"| {what} | {figure} |\n" for what, figure in rows.items()), flush=True)


def steady(what, seconds):
    before, began = [used(process) for process in (broker_process, watching)], time.monotonic()
    time.sleep(seconds)
    took = time.monotonic() - began
    shares = [100 * (used(process) - was) / took for process, was in zip((broker_process, watching), before)]
    memory = [resident(process) for process in (broker_process, watching)]
    measured(what, f"broker {shares[0]:.1f} % of a core and {memory[0]:.0f} MB, watch {shares[1]:.1f} % and {memory[1]:.0f} MB")
    return sum(shares), sum(memory)


def real_box(name):
    home = folder / name
    home.mkdir()
    (home / "adhand.toml").write_text(
        'timezone = "Europe/London"\n[location]\nname = "Trial"\nlatitude = 51.5\nlongitude = -0.1\n[audio]\n' f'devices = ["{DEVICE}"]\n'
        f'[fleet]\norg = "noor"\nsigning-key = "{signing}"\n[control.grants]\n' + json.dumps(pwd.getpwuid(os.getuid()).pw_name)
        + ' = ["mute", "stop", "fleet"]\n')
    (home / "word").write_text("word of the boxes\n")
    (home / "bridge.toml").write_text(f'[fleet]\nbroker = ["mqtt://127.0.0.1:{broker_port}"]\npassword-file = "{home}/word"\n')
    run(ADHAND, "--config", home / "adhand.toml", "--state-dir", home / "adhand", "--socket", home / "s", "--box", name)
    run(BRIDGE, "--config", home / "bridge.toml", "--socket", home / "s", "--state-dir", home / "bridge", "--box", name)


try:
    threading.Thread(target=http.server.ThreadingHTTPServer(("127.0.0.1", alert_port), Alertmanager).serve_forever, daemon=True).start()
    fleet("init", "--dir", base, "--org", "noor", "--broker", f"mqtt://127.0.0.1:{broker_port}")
    keys = json.loads(fleet("keys", "--out", folder / "keys", "--json").stdout)
    signing = keys["signing"]
    (base / "broker-password").write_text("word\n")
    word = hashed("word of the boxes")
    (base / "passwords").write_text("".join(f"{box}:{word}\n" for box in names + real) + f"fleet:{hashed('word')}\n")
    (base / "passwords").chmod(0o600)
    text = (base / "fleet.toml").read_text().replace("127.0.0.1:8791",
                                                     f"127.0.0.1:{page_port}").replace("127.0.0.1:9093", f"127.0.0.1:{alert_port}")
    text = text.replace('# signing-key = "ed25519:..."', f'signing-key = "{signing}"')
    (base / "fleet.toml").write_text(text.replace("[rollout]\n", '[rollout]\nsuccess = "applied"\nsoak = "20s"\n'))
    conf = (base / "mosquitto.conf").read_text().split("\nlistener ")[0] + "\n"
    (folder / "broker.conf").write_text(
        conf + f"persistence_location {folder}/\nlistener {broker_port} 127.0.0.1\nuser root\nconnection_messages false\n")
    broker_process = broker()
    time.sleep(2)
    watching = run(FLEET, "watch", "--dir", base)
    began = time.monotonic()
    with open(house.log, "a") as errors:
        crowd = subprocess.Popen([sys.executable, Path(__file__).parent / "boxes.py", str(broker_port), str(COUNT), "noor"],
                                 stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True)
    house.running.append(crowd)
    for box in real:
        real_box(box)
    all_boxes = COUNT + REAL
    expect(f"{all_boxes} boxes are on the overview", until(lambda: online() == all_boxes, 180), (online(), order("look")))
    measured("all boxes on the overview", f"{time.monotonic() - began:.0f} s after the start of the sessions")
    # One city's Maghrib.
    due = time.time() + 75
    entry = {"id": "maghrib_" + time.strftime("%Y%m%d", time.gmtime(due)), "prayer": "maghrib", "at": instant(due), "grace": 120}
    later = [{"id": f"fajr_{n}", "prayer": "fajr", "at": instant(due + n * 86400), "grace": 120} for n in range(1, 7)]
    order("plan", entries=[entry, *later])
    silent = set(random.sample(names, SILENT))
    share, memory = steady("beats alone", 60)
    expect("broker and watch need at most 5 % of a core and 400 MB", share <= 5 and memory <= 400, (share, memory))
    times = []
    for _ in range(7):
        began = time.monotonic()
        html = page("/")
        times.append(time.monotonic() - began)
    measured("the page of all boxes",
             f"{sorted(times)[3] * 1000:.0f} ms (median of seven), {max(times) * 1000:.0f} ms (most), {len(html) / 1e6:.1f} MB")
    expect("the page of all boxes in 300 ms, by the median of seven", sorted(times)[3] <= 0.3, times)
    time.sleep(max(0, due - time.time()))
    order("adhan", entry=entry, silent=sorted(silent))
    expect(f"{SILENT} of {SILENT} silent boxes are paged",
           until(lambda: len({label["box"] for _, label in alarms(0, "AdhanSilent")}) >= SILENT, 100), len(posts))
    paged = {label["box"]: at - due for at, label in reversed(alarms(0, "AdhanSilent"))}
    seconds = sorted(paged.values()) or [0]
    measured("from the instant of an adhan to the page about a silent box", f"{seconds[len(seconds) // 2]:.0f} s (median), "
             f"{seconds[-(-99 * len(seconds) // 100) - 1]:.0f} s (99 %), {seconds[-1]:.0f} s (most), of {len(paged)} boxes")
    time.sleep(15)
    expect("within 90 s", max(paged.values(), default=999) <= 90, max(paged.values(), default=999))
    expect("and nobody else, for nothing else",
           {(label["alertname"], label.get("box")) for _, label in alarms(0)} == {("AdhanSilent", box) for box in silent},
           {label["alertname"] for _, label in alarms(0)})
    time.sleep(max(0, due + 80 - time.time()))
    share, memory = steady("with a hundred open alarms", 60)

    # A broker fault pages nobody.
    killed = time.time()
    broker_process.kill()
    broker_process.wait(30)
    time.sleep(5)
    broker_process = broker()
    began = time.monotonic()
    expect("all boxes are back", until(lambda: order("look")["online"] == COUNT, 120), order("look"))
    back = time.monotonic() - began
    measured("all boxes back after the broker was killed, from its new start", f"{back:.0f} s")
    expect("within 60 s", back <= 60, back)
    expect("also on the overview", until(lambda: online() == all_boxes, 150), online())
    time.sleep(90)
    new = {(label["alertname"], label.get("box")) for _, label in alarms(killed)} - {("AdhanSilent", box) for box in silent}
    expect("and nobody was paged for it", not new, list(new)[:5])

    # A change that fails on 3 % of the boxes.
    order("failing", boxes=random.sample(names, COUNT * 3 // 100))
    (folder / "body.toml").write_text("[adhan]\nvolume = 40\n")
    done = fleet("sign", "--key", folder / "keys/signing.pem", "--org", "noor", "--kind", "configuration", "--seq", 1, folder / "body.toml",
                 "-o", folder / "e.json", "--json")
    digest = json.loads(done.stdout)["digest"]
    began = time.time()
    expect("a change spreads", fleet("rollout", "start", folder / "e.json", "--dir", base).returncode == 0)
    expect("one that fails on 3 % stops itself", until(lambda: alarms(began, "RolloutStopped"), 300), order("look"))
    time.sleep(20)
    reached = order("look")["taken"].get(digest, 0)
    ring = alarms(began, "RolloutStopped")[0][1]["ring"] if alarms(began, "RolloutStopped") else "?"
    percent = [1, 10, 50, 100][int(ring) - 1] if ring.isdigit() else 0
    measured("a change that fails on 3 % of the boxes",
             f"stopped in ring {ring} ({percent} %), had reached {reached:,} of {all_boxes:,} boxes")
    expect("in its ring", reached <= all_boxes * percent / 100 + 1, reached)
    expect("the verb says so by its exit status", fleet("rollout", "status", "--dir", base).returncode == 3)

    # A change that succeeds, over all rings, also on the real boxes.
    order("failing", boxes=[])
    fleet("rollout", "abort", "--dir", base)
    (folder / "body.json").write_text('{"pins":{"1449-09":"2028-01-29"}}')
    fleet("sign", "--key", folder / "keys/signing.pem", "--org", "noor", "--kind", "hijri", "--seq", 1, folder / "body.json", "-o",
          folder / "g.json")
    began = time.time()
    expect("a good one goes on", fleet("rollout", "start", folder / "g.json", "--dir", base).returncode == 0)
    rows = []

    def through():
        done = fleet("rollout", "status", "--dir", base, "--json")
        rows[:] = [row for row in json.loads(done.stdout or "[]") if row.get("kind") == "hijri"]
        return any(row.get("state") == "done" for row in rows)

    expect("to everybody", until(through, 600), rows)
    measured("a change that fails nowhere, to all boxes", f"{time.time() - began:.0f} s, with a soak of 20 s")
    share, memory = steady("afterwards", 30)
    expect("memory has not grown beyond its bound", memory <= 400, memory)
finally:
    show_figures()
    outcome = house.end()
sys.exit(outcome)
