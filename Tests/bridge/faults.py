#!/usr/bin/env python3
"""Tests that the bridge loses no message and recovers from faults: wrong certificates, names that hang, a full disk, and a kill
at every write of its queue. Takes fifteen minutes.

usage: faults.py ADHAND ADHAN-BRIDGE; FAILURES=200 measures more of them
"""
import datetime
import http.server
import json
import math
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from ends import until  # noqa: E402
from house import DEVICE, House, authority, port  # noqa: E402

ADHAND, BRIDGE = (Path(word).absolute() for word in sys.argv[1:3])
# Seconds from a failure to its message.
MOST_SECONDS = 10
FAILURES = int(os.environ.get("FAILURES", "20"))
# The most file changes within the seconds of one run. With more of them, the bridge would write without end.
MOST_CHANGES = 120
house = House("adhan-faults")
folder, expect = house.folder, house.expect
posts = []


class Sink(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        posts.append((time.time(), self.headers["Idempotency-Key"], message))
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_words):
        pass


web, mqtt = port(), port()
threading.Thread(target=http.server.ThreadingHTTPServer(("127.0.0.1", web), Sink).serve_forever, daemon=True).start()
for name in ("right", "wrong"):
    (folder / name).mkdir()
    authority(folder / name, "localhost")
for name in ("end_at_write", "hanging_names"):
    subprocess.run(["gcc", "-shared", "-fPIC", "-O2", HERE.parent / f"Lab/{name}.c", "-o", folder / f"{name}.so"], check=True, timeout=60)
(folder / "broker.conf").write_text(f"listener {mqtt} 127.0.0.1\nallow_anonymous true\nuser root\ncafile {folder}/right/ca.crt\n"
                                    f"certfile {folder}/right/server.crt\nkeyfile {folder}/right/server.key\n")


def box(device):
    (folder / "adhand.toml").write_text(
        'timezone = "Europe/London"\n[location]\nname = "Trial"\nlatitude = 51.5\nlongitude = -0.1\n'
        f'[audio]\ndevices = ["{device}"]\n[adhan]\nlate-grace = "5s"\n[debug]\ntriggers = true\n')


def settings(authorities="right", more=""):
    (folder / "bridge.toml").write_text(f"""
[mqtt]
broker = "mqtts://localhost:{mqtt}"
ca-file = "{folder}/{authorities}/ca.crt"
[alerts]
after = {{ daemon = "1s", disk = "0s" }}
[[alert]]
name = "web"
kind = "webhook"
url = "http://127.0.0.1:{web}/"
{more}""")


def bridge(state="state", **environment):
    return house.run(BRIDGE, "--config", folder / "bridge.toml", "--socket", folder / "s", "--state-dir", folder / state, "--box", "trial",
                     env={**os.environ, **environment})


def shown(state="state"):
    """The output of `adhan-bridge status`; nothing while the bridge does not run."""
    output = subprocess.run([BRIDGE, "status", "--json", "--state-dir", folder / state], capture_output=True, text=True, check=False,
                            timeout=60).stdout
    return json.loads(output or '{"adhand": false, "mqtt": {"connected": false}, "open": []}')


def connected(state="state"):
    return shown(state)["mqtt"]["connected"]


def settle(is_so):
    """Waits until the status matches, or the bridge is killed before."""
    return until(lambda: bridged.poll() is not None or is_so(shown()), 10)


def calls():
    """The number of connections that a bridge has made to the broker."""
    return house.log.read_text().count("as adhand-trial")


def is_followed():
    """Whether a program is still connected to adhand, which then has a socket beside the listening one."""
    return sum(line.endswith(f" {folder}/s") for line in Path("/proc/net/unix").read_text().splitlines()) > 1


def keys(alert, phase):
    return [key for _, key, message in posts if message["alert"] == alert and message["phase"] == phase]


def end(*processes):
    for process in processes:
        process.kill()
        process.wait(30)


try:
    settings("nobody's")
    checked = subprocess.run([BRIDGE, "--check", "--config", folder / "bridge.toml"], capture_output=True, text=True, check=False,
                             timeout=60)
    expect("--check finds that the authority's file is not there", checked.returncode == 65 and "mqtt.ca-file" in checked.stderr, checked)
    box(DEVICE)
    settings("wrong")
    house.run("/usr/sbin/mosquitto", "-c", folder / "broker.conf")
    called = house.adhand(ADHAND)
    expect("adhand answers", until(lambda: house.ctl(ADHAND, "status").returncode == 0, 20))
    bridged = bridge()
    expect("a broker whose certificate is another's is reported", until(lambda: "certificate" in house.log.read_text(), 20),
           house.log.read_text())
    expect("and nothing is said to it", not connected())
    end(called)
    expect("alerts go on without it", until(lambda: len(keys("daemon", "begin")) == 1, 10), posts)
    called = house.adhand(ADHAND)
    expect("and end", until(lambda: len(keys("daemon", "end")) == 1, 20), posts)
    settings("right")
    bridged.send_signal(signal.SIGHUP)
    expect("the right authority is taken over at SIGHUP", until(connected, 20), house.log.read_text()[-600:])
    (folder / "bridge.toml").write_text("wrong = 1\n")
    bridged.send_signal(signal.SIGHUP)
    expect("a mistake in the file changes nothing", until(lambda: "what was in force stays so" in house.log.read_text(), 5) and connected())
    end(bridged)

    # A name that cannot be resolved delays only its own messages.
    settings(more='[[alert]]\nname = "far"\nkind = "webhook"\nurl = "https://far.hangs/"\n')
    bridged = bridge(LD_PRELOAD=f"{folder}/hanging_names.so")
    expect("the bridge runs", until(connected, 20))
    before, begun = len(keys("daemon", "begin")), time.time()
    end(called)
    arrived = until(lambda: len(keys("daemon", "begin")) == before + 1, MOST_SECONDS)
    expect("a name that hangs holds up no other message", arrived, posts)
    print(f"        told {time.time() - begun:.1f} s after adhand's end")
    called = house.adhand(ADHAND)
    expect("nor the end", until(lambda: len(keys("daemon", "end")) == before + 1, 20), posts)
    end(bridged)

    # The disk is full. Messages are sent from memory, among them one about the disk.
    settings()
    posts.clear()
    before = calls()
    bridged = bridge("full", LD_PRELOAD=f"{folder}/end_at_write.so", FULL_AT_WRITE="1")
    # The bridge cannot write the status that `shown` reads.
    expect("with a full disk the bridge follows adhand and reaches the broker", until(lambda: is_followed() and calls() > before, 20))
    end(called)
    expect("with a full disk an alert goes out all the same", until(lambda: len(keys("daemon", "begin")) == 1, 15), posts)
    expect("and the disk itself", until(lambda: len(keys("disk", "begin")) == 1, 15), posts)
    called = house.adhand(ADHAND)
    expect("and its end", until(lambda: len(keys("daemon", "end")) == 1, 20), posts)
    end(bridged)

    # The bridge is killed instead of each file change, before and after the message. No message is lost, and none has two keys.
    deaths, number, wrong = 0, 0, []
    while True:
        number += 1
        posts.clear()
        shutil.rmtree(folder / "state", ignore_errors=True)
        until(lambda: house.ctl(ADHAND, "status").returncode == 0, 10)
        bridged, died = bridge(LD_PRELOAD=f"{folder}/end_at_write.so", KILL_AT_WRITE=str(number)), False

        def arrived(phase):
            """Whether exactly one such message arrives in time. The service manager starts the bridge again as often as
            needed."""
            def look():
                global bridged, died
                if bridged.poll() is not None:
                    died, bridged = True, bridge()
                return len(set(keys("daemon", phase))) == 1
            return until(look, 25)

        settle(lambda seen: seen["adhand"] and seen["mqtt"]["connected"])
        end(called)
        one = arrived("begin")
        settle(lambda seen: seen.get("queued") == 0)
        called = house.adhand(ADHAND)
        ended = arrived("end")
        settle(lambda seen: seen.get("queued") == 0)
        deaths += died
        good = one and ended and len(set(keys("daemon", "begin"))) == 1 and len(set(keys("daemon", "end"))) == 1
        if not good:
            wrong.append((number, died, [key for _, key, _ in posts]))
        end(bridged)
        if not died or number >= MOST_CHANGES:
            break
    expect(f"killed at each of {deaths} changes of files: one begin and one end each", 8 <= deaths < MOST_CHANGES and not wrong,
           (deaths, wrong))

    # Lets a due adhan fail, and waits for its message.
    bridged = bridge()
    late = []
    for turn in range(FAILURES):
        box("nowhere")
        house.ctl(ADHAND, "reload")
        posts.clear()
        begun = time.time()
        house.ctl(ADHAND, "debug", "trigger", "asr", "--in", "2s")
        if not until(lambda: keys("failed", "begin") or keys("missed", "begin"), 40):
            expect(f"a failed adhan is reported ({turn})", False, (posts, house.ctl(ADHAND, "log").stdout[-500:]))
            break
        failed = [json.loads(line) for line in house.ctl(ADHAND, "log", "--json", "-n", "20").stdout.splitlines() if line.startswith("{")]
        failed = failed[0]["entries"] if len(failed) == 1 and "entries" in failed[0] else failed
        ends = [datetime.datetime.fromisoformat(line["at"]).timestamp() for line in failed
                if line["event"] in ("prayer.failed", "prayer.missed")]
        arrived = next(at for at, _, message in posts if message["alert"] in ("failed", "missed"))
        late.append(arrived - min(at for at in ends if at >= begun))
        box(DEVICE)
        house.ctl(ADHAND, "reload")
        house.ctl(ADHAND, "debug", "trigger", "asr", "--in", "2s")
        if not until(lambda: keys("failed", "end") or keys("missed", "end"), 60):
            expect(f"and heard again ({turn})", False, posts)
            break
    late.sort()
    expect(f"each of {FAILURES} failures is reported within {MOST_SECONDS} s",
           len(late) == FAILURES and late[0] >= 0 and late[-1] < MOST_SECONDS, late)
    if late:
        print(f"        median {late[len(late) // 2]:.2f} s, p99 {late[math.ceil(len(late) * 0.99) - 1]:.2f} s, at most {late[-1]:.2f} s")

    # An adhan that fails while it is prepared is in the history from its instant on, and no event reports that. Then the same
    # with a bridge that starts after the event.
    end(called)
    called = house.adhand(ADHAND, "--audio-dir", folder / "none")
    expect("the bridge is beside a box without sounds", until(lambda: house.ctl(ADHAND, "status").returncode == 0 and shown()["adhand"],
                                                              30))
    for late in (False, True):
        posts.clear()
        due = time.time() + 8
        house.ctl(ADHAND, "debug", "trigger", "asr", "--in", "8s")
        if late:
            end(bridged)
            shutil.rmtree(folder / "state")
            time.sleep(1)
            bridged = bridge()
        arrived = until(lambda: keys("failed", "begin"), 8 + MOST_SECONDS)
        expect(f"one that fails before its instant is reported at it ({'after' if late else 'with'} its event)", arrived, posts)
        if arrived:
            print(f"        {next(at for at, _, message in posts if message['alert'] == 'failed') - due:.1f} s after it")
    end(bridged)

    # A card was copied: two machines have one name, and Debian's broker closes the older connection without a word.
    settings(more='[prometheus]\ntextfile = ""\n')
    posts.clear()
    two = [bridge(f"twin{number}") for number in (1, 2)]
    def cloned(number):
        return "clone" in [alert["alert"] for alert in shown(f"twin{number}")["open"]]

    expect("two machines with one name are reported, by one of them at least", until(lambda: cloned(1) or cloned(2), 120),
           house.log.read_text()[-900:])
    before = calls()
    time.sleep(60)
    more = calls() - before
    expect("and do not fight", more <= 3, more)
    end(*two)
finally:
    status = house.end()
sys.exit(status)
