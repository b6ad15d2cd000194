#!/usr/bin/env python3
"""Tests the blueprints in a real Home Assistant with a real broker: exactly the players that played are paused and resume at
their former volume, also if Home Assistant, the broker or the bridge restarts in between.

usage: rig.py [--runs 1000] [--seed 1] [--home VENV] [--release FOLDER] [--fault WORDS]
wants mosquitto, mosquitto_pub and a Python environment with Home Assistant; with the released programs a real box is tried, too
"""
import argparse
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from ends import until  # noqa: E402
from findings import Findings  # noqa: E402
from house import port  # noqa: E402

BLUEPRINTS = HERE.parent.parent / "Resources/homeassistant"
BOX = "0123456789abcdef"
PLAYERS = 5
# The last one is for announcements.
QUIET, ROOM = 4, 4
ENDS = ["finished", "stopped", "failed", "muted"]
findings = Findings(is_quiet=True)
expect = findings.expect


def replace(path, value):
    new = path.with_suffix(".new")
    new.write_text(value)
    new.rename(path)


class House:
    def __init__(self, folder, home):
        self.folder, self.home = folder, home
        self.port, self.web = port(), port()
        self.broker = self.assistant = None
        self.config = folder / "config"
        (self.config / "blueprints/automation/adhand").mkdir(parents=True)
        for file in BLUEPRINTS.glob("*.yaml"):
            shutil.copy(file, self.config / "blueprints/automation/adhand")
        shutil.copytree(HERE / "custom_components", self.config / "custom_components")
        (self.config / ".storage").mkdir()
        entry = {"broker": "127.0.0.1", "port": self.port, "protocol": "5"}
        written = {"version": 1, "minor_version": 5, "key": "core.config_entries", "data": {"entries": [{
            "created_at": "2025-01-01T00:00:00+00:00", "modified_at": "2025-01-01T00:00:00+00:00", "data": entry, "disabled_by": None,
            "discovery_keys": {}, "domain": "mqtt", "entry_id": "01JMQTT000000000000000000A", "minor_version": 2,
            "options": {"discovery": True}, "pref_disable_new_entities": False, "pref_disable_polling": False, "source": "user",
            "subentries": [], "title": "broker", "unique_id": None, "version": 1}]}}
        (self.config / ".storage/core.config_entries").write_text(json.dumps(written))
        players = ", ".join(f"media_player.room_{number}" for number in range(QUIET))
        (self.config / "configuration.yaml").write_text(f"""
homeassistant:
  name: Trial
  latitude: 51.5
  longitude: -0.1
  elevation: 10
  unit_system: metric
  time_zone: Europe/London
  country: GB
http:
  server_host: 127.0.0.1
  server_port: {self.web}
logger:
  default: warning
rig:
input_text:
  quiet:
    name: Quiet
    max: 255
  rooms:
    name: Rooms
    max: 255
automation:
  - id: quiet
    alias: Quiet
    use_blueprint:
      path: adhand/quiet-the-house.yaml
      input:
        adhan_event: event.box_adhan
        adhan_state: sensor.box_state
        players: [{players}]
        kept_list: input_text.quiet
        longest: 1
  - id: rooms
    alias: Rooms
    use_blueprint:
      path: adhand/adhan-in-other-rooms.yaml
      input:
        adhan_event: event.box_adhan
        sound: http://127.0.0.1/adhan.mp3
        rooms:
          media_player.room_4:
            fajr: 0
            isha: 0.25
            other: 0.5
        kept_list: input_text.rooms
        longest: 1
""")
        self.broker_config = folder / "broker.conf"
        self.broker_config.write_text(f"listener {self.port} 127.0.0.1\nallow_anonymous true\npersistence false\nuser root\n")
        for number in range(PLAYERS):
            self.set(number, state="idle", volume=0.5)

    # The broker, and Home Assistant.

    def start_broker(self):
        self.broker = subprocess.Popen(["/usr/sbin/mosquitto", "-c", self.broker_config], stderr=subprocess.DEVNULL)
        if not until(lambda: socket.socket().connect_ex(("127.0.0.1", self.port)) == 0, 10):
            sys.exit("mosquitto does not answer")

    def start_assistant(self):
        (self.folder / "states.json").unlink(missing_ok=True)
        environment = {**os.environ, "RIG_DIR": str(self.folder), "RIG_PLAYERS": str(PLAYERS)}
        log = open(self.folder / "assistant.log", "a")
        self.assistant = subprocess.Popen([self.home / "bin/hass", "--skip-pip", "-c", self.config], env=environment, stdout=log,
                                          stderr=log)

    def stop(self, process, how=signal.SIGTERM):
        if process and process.poll() is None:
            process.send_signal(how)
            try:
                process.wait(60)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait(30)

    # The box, as adhan-bridge publishes it.

    def publish(self, topic, payload, retained=False):
        words = ["mosquitto_pub", "-V", "5", "-q", "1", "-h", "127.0.0.1", "-p", str(self.port), "-t", topic, "-m", payload]
        return subprocess.run(words + (["-r"] if retained else []), capture_output=True, timeout=10, check=False).returncode == 0

    def announce(self, state="idle"):
        base = f"adhand/{BOX}"
        components = {
            "adhan": {"platform": "event", "unique_id": f"adhand_{BOX}_adhan", "name": "Adhan", "state_topic": f"{base}/event",
                      "event_types": ["upcoming", "preroll", "started", "finished", "stopped", "failed", "missed", "muted", "skipped",
                                      "iqama"]},
            "state": {"platform": "sensor", "device_class": "enum", "unique_id": f"adhand_{BOX}_state", "name": "State",
                      "options": ["idle", "cued", "playing", "stopping"], "state_topic": f"{base}/state",
                      "value_template": "{{ value_json.state }}"}}
        found = {"device": {"identifiers": [f"adhand_{BOX}"], "name": "Box", "manufacturer": "adhand", "model": "adhand"},
                 "origin": {"name": "adhan-bridge"}, "components": components}
        self.publish(f"homeassistant/device/adhand_{BOX}/config", json.dumps(found), retained=True)
        self.state(state)

    def state(self, state):
        self.publish(f"adhand/{BOX}/state", json.dumps({"v": 1, "state": state}), retained=True)

    def event(self, kind, prayer="dhuhr"):
        self.publish(f"adhand/{BOX}/event", json.dumps({"v": 1, "event_type": kind, "id": "x", "prayer": prayer}))

    # The players, and their states in Home Assistant.

    def set(self, number, **changes):
        path = self.folder / f"player-{number}.json"
        device = json.loads(path.read_text()) if path.exists() else {}
        replace(path, json.dumps({**device, **changes}))

    def player(self, number):
        return json.loads((self.folder / f"player-{number}.json").read_text())

    def orders(self, number):
        path = self.folder / f"player-{number}.json.log"
        lines = path.read_text().splitlines() if path.exists() else []
        path.unlink(missing_ok=True)
        return [json.loads(line) for line in lines]

    def states(self):
        try:
            return json.loads((self.folder / "states.json").read_text())
        except (FileNotFoundError, ValueError):
            return {}

    def is_up(self):
        states = self.states()
        return all(states.get(name, ["unavailable"])[0] not in ("unavailable",)
                   for name in ["sensor.box_state", "event.box_adhan", "automation.quiet"]) \
            and states.get("sensor.box_state",
                           ["unknown"])[0] == "idle" and all(f"media_player.room_{number}" in states for number in range(PLAYERS))

    def knows_players(self):
        """Home Assistant knows the states of the players and the volume of those that are on. An older volume than the
        player's could not be restored."""
        states = self.states()

        def knows(number):
            player, (state, told) = self.player(number), states.get(f"media_player.room_{number}", ["", {}])
            return state == player["state"] and (state == "off" or abs(float(told.get("volume_level", -1)) - player["volume"]) < 0.005)

        return all(map(knows, range(PLAYERS)))


def see_players(house):
    """Waits until Home Assistant has the players' actual states. Otherwise names those that it lacks, and the age of their
    state."""
    begun = time.monotonic()
    good = until(house.knows_players, 60)
    told = house.folder / "states.json"
    states = house.states()
    expect("Home Assistant sees the players", good, [
        {number: (house.player(number)["state"], states.get(f"media_player.room_{number}", [""])[0]) for number in range(PLAYERS)},
        f"told {time.time() - told.stat().st_mtime:.1f} s ago" if told.exists() else "told nothing"])
    if time.monotonic() - begun > 5:
        print(f"        Home Assistant took {time.monotonic() - begun:.0f} s to see its players", flush=True)


def quiet(house, chance, fault):
    """One adhan, with one fault in between."""
    before = {}
    for number in range(QUIET):
        before[number] = {"state": chance.choice(["playing", "playing", "paused", "idle", "off"]),
                          "volume": round(chance.uniform(0.05, 0.95), 2)}
        house.set(number, **before[number])
        house.orders(number)
    # If a program was restarted in the previous run, Home Assistant must first receive the box's state again, because an event is
    # sent only once.
    expect("Home Assistant hears the box", until(house.is_up, 60))
    see_players(house)
    house.state("cued")
    house.event("preroll")
    playing = [number for number in before if before[number]["state"] == "playing"]
    if fault != "stop at once":
        expect("they are paused within 5 s", until(lambda: all(house.player(n)["state"] == "paused" for n in playing), 5), before)
        house.state("playing")
        house.event("started")
    if fault == "assistant killed":
        house.stop(house.assistant, signal.SIGKILL)
        house.start_assistant()
    elif fault == "assistant restarted":
        house.stop(house.assistant)
        house.start_assistant()
    elif fault == "broker killed":
        house.stop(house.broker, signal.SIGKILL)
        house.start_broker()
        until(lambda: house.publish(f"adhand/{BOX}/state", '{"v":1,"state":"playing"}', retained=True), 20)
        house.announce("playing")
        time.sleep(chance.uniform(0, 3))
    elif fault == "volume meant":
        if playing:
            house.set(playing[0], volume=0.99)
            expect("the volume is seen",
                   until(lambda: abs(float(house.states()[f"media_player.room_{playing[0]}"][1].get("volume_level", -1)) - 0.99) < 0.01,
                         10))
    elif fault == "switched off":
        if playing:
            house.set(playing[0], state="off")
            before[playing[0]]["state"] = "off"
            until(house.knows_players, 5)
    elif fault == "preroll twice":
        house.event("preroll")
        time.sleep(chance.uniform(0, 0.5))
    time.sleep(chance.uniform(0, 0.4))
    house.state("idle")
    house.event(chance.choice(ENDS))
    if fault.startswith("assistant"):
        expect("Home Assistant is back", until(house.is_up, 120))

    def is_as_before():
        return all(house.player(n)["state"] == before[n]["state"] and abs(house.player(n)["volume"] - before[n]["volume"]) < 0.005
                   for n in before)

    # If the broker or Home Assistant is down at the end of the adhan, the longest pause (a minute here) ends it.
    limit = 80 if fault.startswith(("assistant", "broker")) else 15
    expect(f"all is as before ({fault})", until(is_as_before, limit), {n: (before[n], house.player(n)) for n in before})
    time.sleep(0.3)
    expect(f"and stays so ({fault})", is_as_before(), {n: (before[n], house.player(n)) for n in before})
    for number in before:
        started = [order for order in house.orders(number) if order.get("state") == "playing"]
        if number not in playing:
            expect(f"nothing was started that was idle ({fault})", not started, (number, started))
    expect(f"the helper is empty ({fault})", until(lambda: house.states().get("input_text.quiet", ["x"])[0] == "", 10),
           house.states().get("input_text.quiet"))


def rooms(house, prayer, volume, state):
    house.set(ROOM, state=state, volume=0.33, announced=None)
    house.orders(ROOM)
    see_players(house)
    house.event("started", prayer)
    if volume is None:
        time.sleep(2)
        expect(f"{prayer}: nothing is announced", house.orders(ROOM) == [])
    else:
        expect(f"{prayer}, {state}: announced at its volume",
               until(lambda: house.player(ROOM).get("announced") and house.player(ROOM)["volume"] == volume, 10), house.player(ROOM))
    house.event("finished", prayer)
    expect(f"{prayer}, {state}: the volume is as before", until(lambda: house.player(ROOM)["volume"] == 0.33, 10), house.player(ROOM))
    expect(f"{prayer}, {state}: the helper is empty", until(lambda: house.states().get("input_text.rooms", ["x"])[0] == "", 10))


def real_box(house, release):
    """A real adhand and a real bridge: their device exists, its adhan pauses the players, and Home Assistant logs no error."""
    folder, running = house.folder, []
    (folder / "adhand.toml").write_text('timezone = "Europe/London"\n[location]\nname = "Box"\nlatitude = 51.5\nlongitude = -0.1\n'
                                        '[audio]\ndevices = ["null"]\n[debug]\ntriggers = true\n')
    (folder / "bridge.toml").write_text(f'[mqtt]\nbroker = "mqtt://127.0.0.1:{house.port}"\n'
                                        '[mqtt.commands]\nallow = ["mute", "stop", "prayers", "test"]\n[prometheus]\ntextfile = ""\n')
    (folder / "state").mkdir()

    def ctl(*words):
        return subprocess.run(["adhanctl", *words, "--socket", folder / "s"], executable=release / "adhand", capture_output=True, text=True,
                              timeout=30, check=False).stdout

    try:
        for words in (["adhand", "--config", folder / "adhand.toml", "--state-dir", folder / "state"],
                      ["adhan-bridge", "--config", folder / "bridge.toml", "--state-dir", folder / "bridge", "--box", "kitchen"]):
            running.append(subprocess.Popen([release / words[0], *words[1:], "--socket", folder / "s"], stderr=subprocess.DEVNULL))
        house.start_broker()
        house.start_assistant()
        expect("the device of a real box is there", until(house.is_up, 180), sorted(house.states()))
        entities = [name for name in house.states() if ".box_" in name]
        expect("with all its entities", len(entities) == 24, entities)
        house.set(0, state="playing", volume=0.4)
        house.set(1, state="paused", volume=0.3)
        see_players(house)
        ctl("debug", "trigger", "asr", "--in", "14s")
        expect("the television pauses before the adhan", until(lambda: house.player(0)["state"] == "paused", 14),
               house.states().get("event.box_adhan"))
        # The state cannot be used, because this device takes a whole sound at once.
        expect("which is called", until(lambda: "prayer.started" in ctl("log", "--json", "-n", "50"), 30))
        ctl("stop")
        expect("and goes on after it", until(lambda: house.player(0) == {"state": "playing", "volume": 0.4}, 10), house.player(0))
        expect("what was paused stays so", house.player(1)["state"] == "paused")
        # The test that docs/HOME.md recommends to people.
        house.publish("adhand/kitchen/event", '{"v": 1, "event_type": "preroll", "prayer": "asr"}')
        expect("an event by hand pauses", until(lambda: house.player(0)["state"] == "paused", 10))
        house.publish("adhand/kitchen/event", '{"v": 1, "event_type": "finished", "prayer": "asr"}')
        expect("and ends", until(lambda: house.player(0)["state"] == "playing", 10))
        complaints = [line for line in (folder / "assistant.log").read_text().splitlines() if "mqtt" in line
                      and ("WARNING" in line or "ERROR" in line) or "Template" in line]
        expect("Home Assistant complains of nothing", not complaints, complaints)
    finally:
        for process in running:
            process.kill()
            process.wait(30)


FAULTS = ["none", "none", "none", "stop at once", "preroll twice", "volume meant", "switched off"]
RESTARTS = ["broker killed", "assistant restarted", "assistant killed"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--release", type=Path)
    parser.add_argument("--fault", choices=FAULTS + RESTARTS, help="the same one in every run")
    options = parser.parse_args()
    chance = random.Random(options.seed)
    folders = [Path(tempfile.mkdtemp(prefix="adhand-home-")) for _ in range(2)]
    house, began = House(folders[0], options.home.resolve()), time.monotonic()
    try:
        if options.release:
            real_box(house, options.release.resolve())
            for process in (house.assistant, house.broker):
                house.stop(process)
            print(f"a real box: {len(findings.failures)} failures", flush=True)
            house = House(folders[1], options.home.resolve())
        house.start_broker()
        house.announce()
        house.start_assistant()
        if not until(house.is_up, 180):
            print((house.folder / "assistant.log").read_text()[-3000:], file=sys.stderr)
            sys.exit("Home Assistant does not come up")
        print(f"Home Assistant is up after {time.monotonic() - began:.0f} s", flush=True)
        for state in ["idle", "playing", "off"]:
            for prayer, volume in [("fajr", None), ("isha", 0.25), ("dhuhr", 0.5)]:
                rooms(house, prayer, volume, state)
        house.set(ROOM, state="idle")
        for run in range(options.runs):
            fault = options.fault or chance.choice(RESTARTS if run % 10 == 5 else FAULTS)
            known = len(findings.failures)
            quiet(house, chance, fault)
            if len(findings.failures) > known:
                print(f"        run {run}, {fault}", flush=True)
            if run % 10 == 9:
                print(f"{run + 1} runs, {len(findings.failures)} failures, {time.monotonic() - began:.0f} s", flush=True)
            if len(findings.failures) > 20:
                break
    finally:
        for process in (house.assistant, house.broker):
            house.stop(process)
        if findings.failures:
            print((house.folder / "assistant.log").read_text()[-3000:], file=sys.stderr)
        for folder in folders:
            shutil.rmtree(folder, ignore_errors=True)
    sys.exit(findings.end())


if __name__ == "__main__":
    main()
