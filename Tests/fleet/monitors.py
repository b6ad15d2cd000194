#!/usr/bin/env python3
"""Tests that the watch over a fleet is itself monitored: promtool and amtool check the files of adhan-fleet init, a real
Alertmanager receives its alerts and is killed, and a real Prometheus notices that the watch is gone.

usage: monitors.py ADHAN-FLEET
"""
import datetime
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
house = House("adhan-monitors")
folder, expect, run = house.folder, house.expect, house.run
broker_port, page_port, alert_port, figures_port = port(), port(), port(), port()
base = folder / "fleet"
# Longer than the whole trial takes.
LONGEST = 1800
CLIENT = ["-V", "5", "-p", str(broker_port), "-u", "fleet", "-P", "word"]


def fleet(*words):
    return subprocess.run([FLEET, *map(str, words)], capture_output=True, text=True, check=False, timeout=60)


def tool(*words):
    return subprocess.run(list(map(str, words)), capture_output=True, text=True, check=False, timeout=60)


def ask(address):
    try:
        with urllib.request.urlopen(address, timeout=10) as answer:
            return json.loads(answer.read())
    except (OSError, ValueError):
        return None


def instant(seconds):
    return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def send(topic, document):
    subprocess.run(["mosquitto_pub", *CLIENT, "-q", "1", "-r", "-t", f"adhand/v1/noor/hall/up/{topic}", "-m", json.dumps(document)],
                   check=True, timeout=20)


def status():
    send("status", {"v": 1, "state": "online", "at": instant(time.time()), "boot": "b", "version": "0.1.0", "image": None, "hardware": "h",
                    "adhand": "up", "beat": 60, "groups": []})


def beat():
    """A box without a beat is not online, and not silent."""
    end = time.monotonic() + LONGEST
    while time.monotonic() < end:
        subprocess.run(["mosquitto_pub", *CLIENT, "-t", "adhand/v1/noor/hall/up/hb", "-m",
                        json.dumps({"v": 1, "at": instant(time.time()), "seq": 1})],
                       check=False, timeout=20)
        time.sleep(10)


def alertmanager():
    return run("prometheus-alertmanager", f"--config.file={base}/alertmanager.yml", f"--web.listen-address=127.0.0.1:{alert_port}",
               f"--storage.path={folder}/alertmanager", "--cluster.listen-address=")


def open_alarms():
    found = ask(f"http://127.0.0.1:{alert_port}/api/v2/alerts?active=true") or []
    return {(alarm["labels"]["alertname"], alarm["labels"].get("box")) for alarm in found}


def watch():
    return run(FLEET, "watch", "--dir", base)


try:
    fleet("init", "--dir", base, "--org", "noor", "--broker", f"mqtt://127.0.0.1:{broker_port}")
    done = tool("promtool", "check", "rules", base / "adhan-fleet.rules.yml")
    expect("promtool takes the rules", done.returncode == 0, done)
    done = tool("amtool", "check-config", base / "alertmanager.yml")
    expect("amtool takes the routes", done.returncode == 0, done)
    subprocess.run(["mosquitto_passwd", "-c", "-b", base / "passwords", "fleet", "word"], check=True, capture_output=True, timeout=20)
    (base / "broker-password").write_text("word\n")
    text = (base / "fleet.toml").read_text().replace("127.0.0.1:8791",
                                                     f"127.0.0.1:{page_port}").replace("127.0.0.1:9093", f"127.0.0.1:{alert_port}")
    (base / "fleet.toml").write_text(text.replace("[watch]\n", '[watch]\npatience = "10s"\nsettle = "10s"\n'))
    conf = (base / "mosquitto.conf").read_text().split("\nlistener ")[0] + "\n"
    (folder / "broker.conf").write_text(conf + f"persistence_location {folder}/\nlistener {broker_port} 127.0.0.1\nuser root\n")
    (folder / "prometheus.yml").write_text(
        f"global: {{scrape_interval: 2s, evaluation_interval: 2s}}\nrule_files: [{base}/adhan-fleet.rules.yml]\n"
        f"scrape_configs:\n  - job_name: adhan-fleet\n    static_configs: [{{targets: ['127.0.0.1:{page_port}']}}]\n")
    run("/usr/sbin/mosquitto", "-c", folder / "broker.conf")
    until(lambda: subprocess.run(["mosquitto_pub", *CLIENT, "-t", "adhand/v1/noor/x", "-m", "x"], capture_output=True, check=False,
                                 timeout=60).returncode == 0, 10)
    alerting = alertmanager()
    figures = run("prometheus", f"--config.file={folder}/prometheus.yml", f"--storage.tsdb.path={folder}/prometheus",
                  f"--web.listen-address=127.0.0.1:{figures_port}")
    watching = watch()

    def value(query):
        answer = ask(f"http://127.0.0.1:{figures_port}/api/v1/query?query={query}")
        return [float(row["value"][1]) for row in answer["data"]["result"]] if answer else []

    expect("Prometheus has the figures", until(lambda: value("adhan_fleet_up") == [1.0], 40), value("adhan_fleet_up"))
    due = time.time() + 15
    later = [{"id": f"fajr_{day}", "prayer": "fajr", "at": instant(due + day * 86400), "grace": 120} for day in range(1, 8)]
    send("plan", {"v": 1, "made": instant(time.time()), "until": instant(time.time() + 7 * 86400),
                  "entries": [{"id": "asr_1", "prayer": "asr", "at": instant(due), "grace": 120}, *later]})
    status()
    threading.Thread(target=beat, daemon=True).start()
    done = subprocess.run(["promtool", "check", "metrics"],
                          input=urllib.request.urlopen(f"http://127.0.0.1:{page_port}/metrics", timeout=10).read(), capture_output=True,
                          check=False, timeout=20)
    expect("promtool finds nothing wrong with them", done.returncode == 0, done)
    expect("the alarm is open in Alertmanager", until(lambda: ("AdhanSilent", "hall") in open_alarms(), 60), open_alarms())
    print(f"        {time.time() - due:.0f} s after the instant")
    done = tool("amtool", "--alertmanager.url", f"http://127.0.0.1:{alert_port}", "alert", "query", "alertname=AdhanSilent")
    expect("with a sentence for people", "hall" in done.stdout and done.returncode == 0, done)
    alerting.kill()
    alerting.wait(30)
    subprocess.run(["rm", "-rf", folder / "alertmanager"], check=True, timeout=60)
    alerting = alertmanager()
    expect("one that lost its memory has it again within a minute", until(lambda: ("AdhanSilent", "hall") in open_alarms(), 80),
           open_alarms())
    send("adhan/fajr", {"v": 1, "id": "fajr_1", "prayer": "fajr", "due": instant(time.time()), "state": "played",
                        "at": instant(time.time()), "latenessMs": 1, "reason": None, "cause": None, "ear": None})
    expect("an adhan that is heard ends it there", until(lambda: not open_alarms(), 60), open_alarms())

    watching.kill()
    watching.wait(30)
    began = time.monotonic()
    expect("Prometheus notices that the watch is gone",
           until(lambda: value('ALERTS{alertname="FleetWatcherDown",alertstate="firing"}') == [1.0], 240))
    print(f"        {time.monotonic() - began:.0f} s")
    watching = watch()
    expect("and that it is back", until(lambda: value('ALERTS{alertname="FleetWatcherDown"}') == [], 60))
finally:
    outcome = house.end()
sys.exit(outcome)
