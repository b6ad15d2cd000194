#!/usr/bin/env python3
"""Tests that adhan-bridge publishes, alerts and survives kills beside a real adhand, a real broker, and a web server and mail
program of the trial.

usage: trial.py ADHAND ADHAN-BRIDGE
"""
import http.server
import json
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from ends import until  # noqa: E402
from house import DEVICE, House, port  # noqa: E402

ADHAND, BRIDGE = (Path(word).absolute() for word in sys.argv[1:3])
house = House("adhan-bridge")
folder, expect, run = house.folder, house.expect, house.run
posts, beats = [], []


texts = []


class Sink(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.headers["Title"]:
            texts.append((self.path, self.headers["Title"], body.decode()))
            self.send_response(404 if self.path == "/gone" else 200)
            self.end_headers()
            return
        posts.append((self.headers["Idempotency-Key"], json.loads(body)))
        self.send_response(200)
        self.end_headers()

    def do_GET(self):
        beats.append(self.path)
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_words):
        pass


web, mqtt = port(), port()
threading.Thread(target=http.server.ThreadingHTTPServer(("127.0.0.1", web), Sink).serve_forever, daemon=True).start()
mail = folder / "sendmail"
mail.write_text(f'#!/bin/sh\necho "$@" >> {folder}/mail\ncat >> {folder}/mail\n')
mail.chmod(0o755)
(folder / "broker.conf").write_text(f"listener {mqtt} 127.0.0.1\nallow_anonymous true\nuser root\n")
(folder / "adhand.toml").write_text(
    'timezone = "Europe/London"\n[location]\nname = "Trial"\nlatitude = 51.5\nlongitude = -0.1\n[audio]\n' f'devices = ["{DEVICE}"]\n')
(folder / "bridge.toml").write_text(f"""
[mqtt]
broker = "mqtt://127.0.0.1:{mqtt}"
[mqtt.commands]
allow = ["mute", "stop"]
max-mute = "1h"
[alerts]
after = {{ daemon = "1s" }}
[[alert]]
name = "web"
kind = "webhook"
url = "http://127.0.0.1:{web}/"
[[alert]]
name = "letters"
kind = "mail"
from = "box@example.org"
to = ["imam@example.org"]
sendmail = "{mail}"
[[heartbeat]]
name = "beat"
url = "http://127.0.0.1:{web}/beat"
every = "1s"
[prometheus]
textfile = "{folder}/adhand.prom"
""")


def broker():
    return run("/usr/sbin/mosquitto", "-c", folder / "broker.conf")


def adhand():
    return house.adhand(ADHAND)


def bridge():
    return run(BRIDGE, "--config", folder / "bridge.toml", "--socket", folder / "s", "--state-dir", folder / "state", "--box", "trial")


def kept(topic):
    """The retained payload of a topic."""
    words = ["mosquitto_sub", "-V", "5", "-p", str(mqtt), "-t", f"adhand/trial/{topic}", "-C", "1", "-W", "1"]
    return subprocess.run(words, capture_output=True, text=True, check=False, timeout=60).stdout.strip()


def send(topic, payload, *more):
    subprocess.run(["mosquitto_pub", "-V", "5", "-p", str(mqtt), "-t", f"adhand/trial/cmd/{topic}", "-m", payload, *more], check=True,
                   timeout=10)


def answered(topic, payload):
    """Sends a command and waits for its answer."""
    words = ["mosquitto_rr", "-p", str(mqtt), "-t", f"adhand/trial/cmd/{topic}", "-e", "trial/answer", "-m", payload, "-W", "10"]
    return json.loads(subprocess.run(words, capture_output=True, text=True, check=False, timeout=60).stdout or "{}")


def set_up(*words):
    """Runs `adhanctl setup`, whose file is beside the bridge's own."""
    done = house.ctl(ADHAND, "setup", "--config", folder / "setup/adhand.toml", "--yes", "--json", *words)
    return done, json.loads(done.stdout).get("alert") if done.stdout.startswith("{") else None


def state():
    return json.loads(kept("state") or "{}")


try:
    brokered, called = broker(), adhand()
    # A bridge that starts before adhand answers rightly sends an alert after a second.
    expect("adhand answers", until(house.answers, 20))
    bridged = bridge()
    expect("the house learns that the box is there", until(lambda: kept("status") == "online" and kept("daemon") == "up", 20),
           kept("daemon"))
    expect("the heart beats while adhand is right", until(lambda: beats.count("/beat") >= 2, 10), beats)
    send("mute", "on", "-r")
    send("mute", "x" * 2000)
    send("mute", json.dumps({"wrong": 1}))
    send("test", "press")
    time.sleep(2)
    expect("retained, oversized, unknown and forbidden commands change nothing", state().get("muted") is False, state())
    send("mute", json.dumps({"duration": "9h"}))
    expect("a mute is obeyed", until(lambda: state().get("muted"), 5), state())
    left = subprocess.run(["date", "-d", state()["muteUntil"], "+%s"], capture_output=True, text=True, check=True, timeout=60).stdout
    expect("and ends within max-mute", 3500 < int(left) - time.time() < 3700, left)
    send("mute", "off")
    expect("and is undone", until(lambda: state().get("muted") is False, 5), state())
    answer = answered("mute", json.dumps({"duration": "30m"}))
    expect("a command that asks for it has an answer", answer.get("ok") is True, answer)
    send("mute", "off")
    expect("and is undone, too", until(lambda: state().get("muted") is False, 5), state())
    (folder / "adhand").rename(folder / "away")
    answer = answered("mute", json.dumps({"duration": "30m"}))
    expect("a mute that cannot be saved is in force, and answered so",
           answer.get("ok") is True and str(folder / "adhand") in answer["message"] and until(lambda: state().get("muted"), 5), answer)
    (folder / "away").rename(folder / "adhand")
    send("mute", "off")
    expect("and undone again", until(lambda: state().get("muted") is False, 5), state())

    # The bridge is killed at random moments around the start and the end of an announcement.
    chance = random.Random(1)
    for turn in range(3):
        called.kill()
        called.wait(30)
        for _ in range(4):
            time.sleep(chance.uniform(0.1, 1.5))
            bridged.kill()
            bridged.wait(30)
            bridged = bridge()
        begins = lambda: {key for key, message in posts if message["alert"] == "daemon" and message["phase"] == "begin"}
        ends = lambda: {key for key, message in posts if message["alert"] == "daemon" and message["phase"] == "end"}
        expect(f"one begin ({turn})", until(lambda: len(begins()) == turn + 1, 20), posts)
        called = adhand()
        for _ in range(2):
            time.sleep(chance.uniform(0.1, 1))
            bridged.kill()
            bridged.wait(30)
            bridged = bridge()
        expect(f"one end ({turn})", until(lambda: len(ends()) == turn + 1, 20), posts)
        time.sleep(2)
        expect(f"and nothing else ({turn})", len(begins()) == len(ends()) == turn + 1, [key for key, _ in posts])
    written = (folder / "mail").read_text()
    expect("the mail program was given each",
           "-i -f box@example.org -- imam@example.org" in written and "Auto-Submitted: auto-generated" in written, written)

    beats.clear()
    called.send_signal(signal.SIGSTOP)
    time.sleep(8)
    before = beats.count("/beat")
    time.sleep(6)
    expect("no beat while adhand hangs", beats.count("/beat") == before, beats)
    called.send_signal(signal.SIGCONT)
    expect("and beats again", until(lambda: beats.count("/beat") > before, 30), beats)

    brokered.kill()
    brokered.wait(30)
    time.sleep(2)
    brokered = broker()
    # A bridge that was killed again and again waits a minute at most before it connects to the broker.
    expect("a broker that comes back learns everything again", until(lambda: kept("status") == "online" and state().get("next"), 90),
           kept("status"))
    shown = subprocess.run([BRIDGE, "status", "--json", "--state-dir", folder / "state"], capture_output=True, text=True, check=False,
                           timeout=60)
    expect("status shows it", shown.returncode == 0 and json.loads(shown.stdout)["mqtt"]["connected"], shown)
    expect("figures are written", "adhand_up 1" in (folder / "adhand.prom").read_text())

    # The question of setup that concerns the bridge: who receives a message if an adhan is not heard.
    (folder / "setup").mkdir()
    # The program that adhanctl runs is beside it.
    if BRIDGE.parent == ADHAND.parent:
        done, alert = set_up("--city", "london ontario", "--device", DEVICE, "--alert", f"http://127.0.0.1:{web}/ours")
        written = folder / "setup/bridge.toml"
        expect("setup writes an alert and sends a test",
               done.returncode == 0 and alert["saved"] and alert["delivered"] and texts[-1][0] == "/ours" and "test" in texts[-1][1],
               (done, texts))
        expect("which nobody but its owner and the service reads", written.stat().st_mode & 0o777 == 0o640, oct(written.stat().st_mode))
        written.write_text("# ours\n" + written.read_text() + '\n[[heartbeat]]\nname = "b"\nurl = "https://a.example/"\n')
        before = written.read_text()
        done, alert = set_up("--alert", f"http://127.0.0.1:{web}/gone")
        expect("an address that takes nothing is saved and told, by status 1",
               done.returncode == 1 and alert["saved"] and alert["delivered"] is False and "404" in alert["message"], done)
        expect("and only it is another one", written.read_text() == before.replace("/ours", "/gone"), written.read_text())
        expect("what the file was is kept", (folder / "setup/bridge.toml.bak").read_text() == before)
        done, alert = set_up("--alert", "none")
        expect("and taken out again",
               done.returncode == 0 and "[[alert]]" not in written.read_text() and "heartbeat" in written.read_text(), done)
        written.write_text("wrong = 1\n")
        done, _ = set_up("--alert", f"http://127.0.0.1:{web}/ours")
        expect("a file with a mistake is not written over", done.returncode != 0 and written.read_text() == "wrong = 1\n", done)

    bridged.terminate()
    expect("it ends in order", bridged.wait(10) == 0 and kept("status") == "offline", kept("status"))
    shown = subprocess.run([BRIDGE, "status", "--state-dir", folder / "state"], capture_output=True, text=True, check=False, timeout=60)
    expect("status without a service is 69", shown.returncode == 69, shown)
finally:
    status = house.end()
sys.exit(status)
