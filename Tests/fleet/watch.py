#!/usr/bin/env python3
"""Tests the server of a fleet: adhan-fleet init, watch, status and publish beside a real mosquitto and an Alertmanager of the
trial; two watches of one folder, and two real bridges with one name.

usage: watch.py ADHAN-FLEET ADHAND ADHAN-BRIDGE
"""
import datetime
import fcntl
import http.server
import json
import os
import pwd
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from ends import until  # noqa: E402
from house import DEVICE, House, port, resident  # noqa: E402

FLEET, ADHAND, BRIDGE = (Path(word).absolute() for word in sys.argv[1:4])
house = House("adhan-watch")
folder, expect, run = house.folder, house.expect, house.run
broker_port, page_port, alert_port = port(), port(), port()
base = folder / "fleet"
posts, asked = [], []


class Alertmanager(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        posts.extend((time.time(), self.path, alert) for alert in body)
        self.send_response(200)
        self.end_headers()

    def do_GET(self):
        asked.append(self.path)
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_words):
        pass


threading.Thread(target=http.server.ThreadingHTTPServer(("127.0.0.1", alert_port), Alertmanager).serve_forever, daemon=True).start()


def fleet(*words, timeout=60):
    return subprocess.run([FLEET, *map(str, words)], capture_output=True, text=True, check=False, timeout=timeout)


def here(verb, *words):
    return fleet(verb, "--dir", base, *words)


def instant(seconds):
    return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


CLIENT = ["-V", "5", "-p", str(broker_port), "-u", "fleet", "-P", "word"]


def send(box, topic, document, *more):
    subprocess.run(["mosquitto_pub", *CLIENT, "-q", "1", "-t", f"adhand/v1/noor/{box}/up/{topic}", "-m",
                    document if isinstance(document, str) else json.dumps(document), *more], check=True, timeout=20)


def status(box, state="online"):
    send(box, "status", {"v": 1, "state": state, "at": instant(time.time()), "boot": "b", "version": "0.1.0", "image": None,
                         "hardware": f"h-{box}", "adhand": "up", "beat": 10, "groups": ["uk/<b>london", "uk/london"]}, "-r")


def adhan(box, entry, state, cause=None):
    send(box, f"adhan/{entry['prayer']}", {"v": 1, "id": entry["id"], "prayer": entry["prayer"], "due": entry["at"], "state": state,
                                           "at": instant(time.time()), "latenessMs": 1, "reason": "<script>", "cause": cause, "ear": None},
         "-r")


def page(path):
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{page_port}{path}", timeout=10) as answer:
            return answer.status, dict(answer.headers), answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, dict(error.headers), error.read().decode()
    except OSError as error:
        return 0, {}, str(error)


def alarms(name, ended=False):
    return [(at, alert["labels"]) for at, _, alert in posts if alert["labels"]["alertname"] == name and ("endsAt" in alert) == ended]


def broker():
    return run("/usr/sbin/mosquitto", "-c", folder / "broker.conf")


def watch():
    return run(FLEET, "watch", "--dir", base)


try:
    # The files of a server.
    done = fleet("init", "--dir", base, "--org", "noor", "--broker", f"mqtt://127.0.0.1:{broker_port}", "--json")
    written = json.loads(done.stdout)
    names = {str(Path(path).relative_to(base)) for path in written["written"]}
    expect("init writes the files of the server", done.returncode == 0 and names == {
        "fleet.toml", "mosquitto.conf", "acl", "mosquitto.service.d/adhan-fleet.conf", "adhan-fleet.rules.yml", "alertmanager.yml",
        "reprepro/conf/distributions"}, done)
    (base / "acl").write_text((base / "acl").read_text() + "# ours\n")
    again = fleet("init", "--dir", base, "--org", "other", "--broker", "mqtt://a")
    expect("a folder of another fleet is refused", again.returncode == 64 and '"noor"' in again.stderr, again)
    again = fleet("init", "--dir", base, "--org", "noor", "--broker", "mqtt://a", "--json")
    expect("and overwrites nothing",
           again.returncode == 0 and not json.loads(again.stdout)["written"] and "# ours" in (base / "acl").read_text(), again)
    expect("a name that is none is refused", fleet("init", "--dir", base, "--org", "Noor!", "--broker", "mqtt://a").returncode == 64)
    expect("a broker that is none is refused", fleet("init", "--dir", base, "--org", "noor", "--broker", "a:1").returncode == 64)
    expect("without a password file it ends with 65", here("watch", "--check").returncode == 65)
    for user, word, *more in (("fleet", "word", "-c"), ("a", "word"), ("twin", "word")):
        subprocess.run(["mosquitto_passwd", *more, "-b", base / "passwords", user, word], check=True, capture_output=True, timeout=20)
    (base / "broker-password").write_text("word\n")
    text = (base / "fleet.toml").read_text()
    text = text.replace("127.0.0.1:8791", f"127.0.0.1:{page_port}").replace("127.0.0.1:9093", f"127.0.0.1:{alert_port}")
    settings = f'[watch]\npatience = "20s"\nsettle = "10s"\nheartbeat = "http://127.0.0.1:{alert_port}/beat"\n'
    (base / "fleet.toml").write_text(text.replace("[watch]\n", settings))
    done = here("watch", "--check")
    expect("the file that init wrote is valid, and no broker answers: 69", done.returncode == 69 and "fleet.toml is valid" in done.stderr,
           done)
    expect("without a broker status ends with 69", here("status").returncode == 69)

    # The broker runs with the same files, but with another port and without TLS.
    conf = (base / "mosquitto.conf").read_text().split("\nlistener ")[0] + "\n"
    (folder / "broker.conf").write_text(conf + f"persistence_location {folder}/\nlistener {broker_port} 127.0.0.1\nuser root\n")
    brokered = broker()
    until(lambda: subprocess.run(["mosquitto_pub", *CLIENT, "-t", "adhand/v1/noor/x", "-m", ""], capture_output=True, check=False,
                                 timeout=60).returncode == 0, 10)
    expect("with the broker all is right", here("watch", "--check").returncode == 0, here("watch", "--check"))
    right = (base / "fleet.toml").read_text()
    (base / "fleet.toml").write_text("".join(line for line in right.splitlines(True) if not line.startswith("alertmanager")))
    done = here("watch", "--check")
    expect("a watch whose alarms reach nobody is valid, and named with what to write",
           done.returncode == 0 and len(done.stderr.splitlines()) == 1 and 'alertmanager = ["http://127.0.0.1:9093"]' in done.stderr, done)
    (base / "fleet.toml").write_text(right)
    expect("... which is not said where there is an Alertmanager", not here("watch", "--check").stderr, here("watch", "--check"))
    (base / "broker-password").write_text("wrong\n")
    done = here("watch", "--check")
    expect("a wrong password is said: 65, the user and the file",
           done.returncode == 65 and f'"fleet" with the password in "{base}/broker-password"' in done.stderr, done)
    (base / "broker-password").write_text("word\n")
    watching = watch()
    expect("the page answers", until(lambda: page("/healthz")[0] == 200, 20), page("/healthz"))
    expect("an outside monitor hears of it", until(lambda: "/beat" in asked, 20), asked)

    due = time.time() + 12
    entry = {"id": "asr_20270101", "prayer": "asr", "at": instant(due), "grace": 120}
    later = [{"id": f"fajr_2027010{day}", "prayer": "fajr", "at": instant(due + day * 86400), "grace": 120} for day in range(1, 8)]
    boxes = ["silent", "played", "muted", "failed"]
    for box in boxes:
        send(box, "plan", {"v": 1, "made": instant(time.time()), "until": instant(time.time() + 7 * 86400), "entries": [entry, *later]},
             "-r")
        status(box)
    send("liar", "status", "[" * 40000)
    send("liar", "problems", {"v": 1, "open": [{"alert": "x\"} 1\n", "severity": "problem", "text": "y"}]})

    def beats():
        while time.time() < due + 400:
            for box in boxes:
                try:
                    send(box, "hb", {"v": 1, "at": instant(time.time()), "seq": 1})
                except subprocess.SubprocessError:
                    return
            time.sleep(4)

    threading.Thread(target=beats, daemon=True).start()
    time.sleep(max(0, due - time.time()))
    adhan("played", entry, "playing")
    adhan("muted", entry, "muted")
    adhan("failed", entry, "failed")
    expect("who was silent is paged within 90 s", until(lambda: alarms("AdhanSilent"), 90), posts)
    print(f"        {alarms('AdhanSilent')[0][0] - due if alarms('AdhanSilent') else -1:.0f} s after the instant")
    expect("and nobody else", {labels["box"] for _, labels in alarms("AdhanSilent")} == {"silent"}, posts)
    expect("who failed is paged with the reason", until(lambda: [labels["reason"] for _, labels in alarms("AdhanFailed")] != [], 20), posts)
    expect("alarms have the labels of the design", alarms("AdhanSilent")[0][1] == {
        "alertname": "AdhanSilent", "org": "noor", "box": "silent", "prayer": "asr", "id": "asr_20270101"}, alarms("AdhanSilent")[0])
    adhan("played", entry, "played")

    code, headers, html = page("/")
    expect("the overview shows silent boxes first", code == 200 and 0 < html.find("<td>failed</td>") < html.find("<td>played</td>")
           and 0 < html.find("<td>silent</td>") < html.find("<td>muted</td>"), html[-1500:])
    expect("without a script, and with nothing of a box that is not escaped", "<script" not in html and "<b>london" not in html
           and headers.get("Content-Security-Policy") == "default-src 'none'; style-src 'self'" and headers.get("Refresh") == "30", headers)
    until(lambda: 'adhand_heard_total{box="played"} 1' in page("/metrics")[2], 20)
    code, _, figures = page("/metrics")
    expect("figures have the names of the design",
           code == 200 and 'adhand_box_online{box="played"} 1' in figures and 'adhand_heard_total{box="played"} 1' in figures
           and 'adhand_expected_total{box="silent"} 1' in figures and 'adhan_fleet_boxes{state="silent"} 2' in figures
           and "adhan_fleet_watch_lag_seconds" in figures and 'adhand_box_last_heard_timestamp_seconds{box="played"}' in figures, figures)
    shown = json.loads(page("/status.json")[2])
    expect("and the same for programs", shown["org"] == "noor" and shown["broker"] is True and len(shown["boxes"]) >= 4, shown)
    expect("nothing else is there, and nothing can be sent", page("/../etc/passwd")[0] == 404)
    done = here("status", "--json")
    seen = json.loads(done.stdout or "{}")
    states = {row["box"]: row["state"] for row in (seen.get("overview") or {}).get("boxes", [])}
    expect("status shows the boxes in a terminal as the watch assesses them",
           done.returncode == 0 and seen["judged"] is True and states["silent"] == "silent" and states["failed"] == "silent"
           and states["played"] == "online", done)
    done = here("status")
    expect("those first that somebody has to look at, with their alarms",
           done.returncode == 0
           and 0 < done.stdout.find("AdhanSilent: silent ") < done.stdout.find("\nsilent  silent  ") < done.stdout.find(
               "\nplayed  online  "), done)
    done = here("status", "silent")
    expect("and one alone", done.returncode == 0 and done.stdout.startswith("1 box: 1 silent") and "played" not in done.stdout, done)
    expect("status of one that nobody knows", here("status", "nobody").returncode == 1)

    # After a restart, the same alert continues, and is no new one for its receivers.
    watching.terminate()
    expect("it ends in order", watching.wait(20) == 0)
    done = here("status", "silent", "--json")
    seen = json.loads(done.stdout or "{}")
    expect("without a watch status says that nobody assesses, and shows what the box says", done.returncode == 0 and seen["judged"] is False
           and seen["overview"] is None and f"127.0.0.1:{page_port} does not answer" in seen["reason"]
           and seen["reports"][0]["online"] is True, done)
    expect("... in the first line for people", here("status").stdout.startswith("No watcher assesses these boxes: "), here("status"))
    before = len(posts)
    watching = watch()
    expect("after a restart the same alarm goes on",
           until(lambda: any(alert["labels"].get("box") == "silent" and "endsAt" not in alert for _, _, alert in posts[before:]), 120),
           posts[before:])
    adhan("silent", later[0] | {"at": instant(time.time())}, "played")
    expect("the next adhan that is heard ends it",
           until(lambda: {"silent"} & {labels["box"] for _, labels in alarms("AdhanSilent", ended=True)}, 40), posts[-4:])

    # Envelopes.
    fleet("keys", "--out", folder / "keys")
    keys = json.loads(fleet("keys", "--out", folder / "keys2", "--json").stdout)
    (folder / "body").write_text('{"verb":"unmute"}')
    sign = ["sign", "--key", folder / "keys2/signing.pem", "--org", "noor", "--kind", "command", "--seq", "1", folder / "body", "-o"]
    fleet(*sign, folder / "e.json")
    expect("without a key in fleet.toml nothing is published", here("publish", folder / "e.json").returncode == 65)
    text = (base / "fleet.toml").read_text()
    (base / "fleet.toml").write_text(text.replace('# signing-key = "ed25519:..."', f'signing-key = "{keys["signing"]}"'))
    done = here("publish", folder / "e.json", "--json")
    expect("an envelope is published for all",
           done.returncode == 0 and json.loads(done.stdout)["topics"] == ["adhand/v1/noor/all/down/command"], done)
    kept = subprocess.run(["mosquitto_sub", *CLIENT, "-t", "adhand/v1/noor/all/down/command", "-C", "1", "-W", "5"], capture_output=True,
                          text=True, check=False, timeout=60)
    expect("and the broker keeps it", kept.stdout.strip() == (folder / "e.json").read_text().strip(), kept)
    (folder / "altered").write_text((folder / "e.json").read_text().replace("A", "B", 1))
    expect("one that boxes would refuse is not published", here("publish", folder / "altered").returncode == 65)

    # A published envelope stays: no lower number replaces it, and a broker that has lost it receives it again.
    watching.terminate()
    watching.wait(20)
    watching = watch()
    until(lambda: page("/healthz")[0] == 200, 20)

    def signed(name, kind, seq, body, *words):
        (folder / "body").write_text(body)
        fleet("sign", "--key", folder / "keys2/signing.pem", "--org", "noor", "--kind", kind, "--seq", seq, *words, folder / "body", "-o",
              folder / name)
        return folder / name

    def stands(topic):
        done = subprocess.run(["mosquitto_sub", *CLIENT, "-t", f"adhand/v1/noor/{topic}", "-C", "1", "-W", "2"], capture_output=True,
                              text=True, check=False, timeout=60)
        return done.stdout.strip()

    def has(topic, file):
        return stands(topic) == file.read_text().strip()

    done = here("publish", folder / "e.json", "--json")
    expect("the same envelope again changes nothing, and says so", done.returncode == 0 and json.loads(done.stdout)["already"] is True,
           done)
    three = signed("three", "configuration", 3, "[adhan]\nvolume = 30\n")
    expect("another kind", here("publish", three).returncode == 0 and has("all/down/configuration", three))
    for name, seq in (("an older number", 2), ("another one with the same number", 3)):
        done = here("publish", signed(f"older-{seq}", "configuration", seq, f"[adhan]\nvolume = 2{seq}\n"))
        expect(f"{name} is refused, and the next one is named",
               done.returncode == 1 and "--seq 4" in done.stderr and has("all/down/configuration", three), done)
    done = here("publish", signed("group", "configuration", 4, "[adhan]\nvolume = 24\n", "--for", "groups:uk/london"))
    expect("one for a group does not take the place of one for all",
           done.returncode == 1 and "rollout start" in done.stderr and has("all/down/configuration", three), done)
    four = signed("four", "configuration", 4, "[adhan]\nvolume = 40\n", "--for", "boxes:played,silent")
    expect("one for single boxes stands on their own topics",
           here("publish", four).returncode == 0 and has("played/down/configuration", four) and has("silent/down/configuration", four)
           and has("all/down/configuration", three))
    subprocess.run(["mosquitto_pub", *CLIENT, "-q", "1", "-r", "-t", "adhand/v1/noor/played/down/configuration", "-m", "nonsense"],
                   check=True, timeout=20)
    expect("what no box would believe is replaced", here("publish", four).returncode == 0 and has("played/down/configuration", four))

    store = folder / "mosquitto.db"
    brokered.kill()
    brokered.wait(30)
    store.unlink(missing_ok=True)
    brokered = broker()
    expect("a broker that lost all is given it again",
           until(lambda: has("all/down/configuration", three) and has("played/down/configuration", four)
             and has("silent/down/configuration", four), 60), stands("+/down/configuration"))
    expect("... the command, too, while it holds", until(lambda: stands("all/down/command"), 20))
    # A state that an earlier version left: the broker has the envelope, and the folder does not.
    watching.terminate()
    watching.wait(20)
    for file in (base / "published").iterdir():
        file.unlink()
    (base / "published").rmdir()
    watching = watch()
    expect("what an earlier version published is kept from now on",
           until(lambda: len(list((base / "published").glob("*.envelope"))) == 3, 60), list(base.iterdir()))
    done = here("publish", signed("low", "configuration", 4, "[adhan]\nvolume = 41\n"))
    expect("... and its numbers count", done.returncode == 1 and "--seq 5" in done.stderr, done)
    # Another publisher's higher number stays, and the watch reports it.
    nine = signed("nine", "configuration", 9, "[adhan]\nvolume = 49\n")

    def conflicts():
        return [labels["kind"] for _, labels in alarms("ChangeConflict")]

    with open(base / "published/edit.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        subprocess.run(["mosquitto_pub", *CLIENT, "-q", "1", "-r", "-t", "adhand/v1/noor/played/down/configuration", "-f", nine],
                       check=True, timeout=20)
        expect("while somebody publishes, what stands there is no conflict", not until(conflicts, 12), posts[-3:])
        (base / "published/edit.lock").unlink()
    expect("a higher number on a topic is an alarm", until(conflicts, 30), posts[-3:])
    watching.terminate()
    watching.wait(20)
    before = len(posts)
    watching = watch()
    expect("... also by a watch that began later", until(lambda: "ChangeConflict" in str(posts[before:]), 60), posts[-3:])
    expect("... and is not overwritten", has("played/down/configuration", nine) and has("silent/down/configuration", four))

    # Two watches of one folder. Both cannot have the same address; with another one, the second watches the boxes, but not the
    # roll-outs.
    done = fleet("watch", "--dir", base, timeout=30)
    expect("a second watch at the same address ends, and says what to do", done.returncode == 1 and len(done.stderr.splitlines()) == 1
           and f"127.0.0.1:{page_port}" in done.stderr and "listen under [watch]" in done.stderr, done)
    expect("... and the first one goes on", watching.poll() is None and page("/healthz")[0] == 200, page("/healthz"))
    other, second_port = folder / "other", port()
    other.mkdir()
    for name in ("rollouts", "published"):
        (other / name).symlink_to(base / name)
    (other / "fleet.toml").write_text((base / "fleet.toml").read_text().replace(f"127.0.0.1:{page_port}", f"127.0.0.1:{second_port}"))
    second = run(FLEET, "watch", "--dir", other)
    words = "another watcher carries the roll-outs out"
    expect("a second watch of the folder says that the first has the roll-outs", until(lambda: words in house.log.read_text(), 30),
           house.log.read_text()[-600:])
    expect("... once, and both have the broker", not until(lambda: house.log.read_text().count(words) > 1, 12) and watching.poll() is None
           and page("/healthz")[0] == 200 and second.poll() is None)
    watching.kill()
    watching.wait(30)
    ten = signed("ten", "configuration", 10, "[adhan]\nvolume = 52\n", "--for", "boxes:silent")
    expect("when the first one dies the second one takes them over",
           until(lambda: fleet("rollout", "start", "--dir", base, ten).returncode == 0, 30), house.log.read_text()[-600:])
    expect("... and carries them out", until(lambda: has("silent/down/configuration", ten), 60), stands("silent/down/configuration"))
    second.terminate()
    expect("it ends in order", second.wait(20) == 0)
    watching = watch()
    until(lambda: page("/healthz")[0] == 200, 20)
    expect("... and a third one has them", until(lambda: fleet("rollout", "abort", "--dir", base).returncode == 0, 20),
           fleet("rollout", "status", "--dir", base))

    # The broker stops.
    brokered.kill()
    brokered.wait(30)
    expect("without a broker it is not well", until(lambda: page("/healthz")[0] == 503, 20), page("/healthz"))
    expect("publish ends with 69", here("publish", folder / "e.json").returncode == 69)
    done = here("status")
    expect("status shows what the watch knew, says that it is old, and ends with 69",
           done.returncode == 69 and "all of this is old" in done.stdout and "no broker" in done.stderr, done)
    brokered = broker()
    expect("and is again with it", until(lambda: page("/healthz")[0] == 200, 30), page("/healthz"))

    # A card was copied: two bridges have one name. This machine has no board number that distinguishes them.
    (folder / "adhand.toml").write_text(
        'timezone = "Europe/London"\n[location]\nname = "Trial"\nlatitude = 51.5\nlongitude = -0.1\n[audio]\n' f'devices = ["{DEVICE}"]\n'
        f'[fleet]\norg = "noor"\nsigning-key = "{keys["signing"]}"\n'
        "[control.grants]\n" + json.dumps(pwd.getpwuid(os.getuid()).pw_name) + ' = ["mute", "stop", "fleet"]\n')
    (folder / "twin-password").write_text("word\n")
    (folder / "bridge.toml").write_text(
        f'[fleet]\nbroker = ["mqtt://127.0.0.1:{broker_port}"]\npassword-file = "{folder}/twin-password"\nbeat = "10s"\n')
    house.adhand(ADHAND)
    expect("adhand answers", until(house.answers, 20))

    def twin(number):
        return run(BRIDGE, "--config", folder / "bridge.toml", "--socket", folder / "s", "--state-dir", folder / f"twin{number}", "--box",
                   "twin")

    def cloned(number):
        done = subprocess.run([BRIDGE, "status", "--json", "--state-dir", folder / f"twin{number}"], capture_output=True, text=True,
                              check=False, timeout=20)
        return done.returncode == 0 and "clone" in [alert["alert"] for alert in json.loads(done.stdout)["open"]]

    twins = {number: twin(number) for number in (1, 2)}
    expect("two bridges of one name find that out, or one of them at least", until(lambda: cloned(1) or cloned(2), 150),
           house.log.read_text()[-900:])
    # The bridge waits a quarter of an hour before it tries again, or until its machine restarts.
    known = next((number for number in (1, 2) if cloned(number)), 1)
    twins[known].kill()
    twins[known].wait(30)
    twin(known)
    expect("people learn that a card was copied", until(lambda: ("twin" in [labels["box"] for _, labels in alarms("BoxCloned")]), 60),
           posts[-3:])
    expect("... also while the other one, which does not know it, reports again", not until(lambda: alarms("BoxCloned", ended=True), 30),
           posts[-3:])
    print(f"        {resident(watching):.0f} MB resident")
finally:
    outcome = house.end()
sys.exit(outcome)
