#!/usr/bin/env python3
"""Tests that the page shows the adhan within 100 ms of the first frame of sound: the real adhand calls dhuhr on the tests' sound
card.

usage: zero.py RELEASE_FOLDER"""
import datetime
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).resolve().parent.parent)]
import ends  # noqa: E402
from browser import Browser  # noqa: E402
from page import expect, findings  # noqa: E402
from display import PAGE  # noqa: E402

CHECKOUT = Path(__file__).resolve().parent.parent.parent
WATCH = """
window.seen = [];
new MutationObserver(() => { const scene = document.body.dataset.scene;
  requestAnimationFrame(() => window.seen.push([scene, (performance.timeOrigin + performance.now()) / 1000])); })
  .observe(document.body, { attributes: true, attributeFilter: ["data-scene"] });
"""


def noon(seconds):
    """A place on the equator, of longitude -180 to 180, whose noon is about this many seconds away, and the name of its zone."""
    target = time.time() + seconds
    year = 2 * math.pi / 365 * (datetime.datetime.fromtimestamp(target, datetime.timezone.utc).timetuple().tm_yday - 1)
    # The minutes by which the Sun is ahead of the clock, to a quarter of a minute.
    equation = 229.18 * (0.000075 + 0.001868 * math.cos(year) - 0.032077 * math.sin(year) - 0.014615 * math.cos(2 * year)
                         - 0.040849 * math.sin(2 * year))
    longitude = (12 - (target % 86400) / 3600 - equation / 60) * 15
    # Around midnight in Greenwich, noon is at the date line.
    longitude = (longitude + 180) % 360 - 180
    hours = round(longitude / 15)
    return longitude, f"Etc/GMT{-hours:+d}" if hours else "Etc/GMT"


def sound_card(folder):
    subprocess.run(["gcc", "-shared", "-fPIC", "-O2", "-DPIC", CHECKOUT / "Tests/Lab/pcm_lab.c", "-o",
                    folder + "/libasound_module_pcm_lab.so", "-lasound"], check=True, timeout=60)
    Path(folder, "asound.conf").write_text(
        f'</usr/share/alsa/alsa.conf>\npcm_type.lab {{ lib "{folder}/libasound_module_pcm_lab.so" }}\n'
        f'pcm.lab {{ type lab file "{folder}/heard.raw" log "{folder}/diary" fault "{folder}/fault" speed 1.0 rate 0 }}\n'
        # The name is not "default", which a sound server on this machine may use.
        'pcm.card { type plug slave.pcm "lab" }\n')
    return {**os.environ, "ALSA_CONFIG_PATH": folder + "/asound.conf"}


def ask(adhanctl, socket):
    done = subprocess.run([adhanctl, "--socket", socket, "--json", "status"], capture_output=True, text=True, timeout=30, check=False)
    return json.loads(done.stdout) if done.returncode == 0 else None


def starts(folder):
    diary = Path(folder, "diary")
    lines = diary.read_text().splitlines() if diary.exists() else []
    return [float(line.split()[1]) for line in lines if line.startswith("start ")]


def run(release, folder, processes):
    socket = folder + "/s"
    environment = sound_card(folder)

    def configure(longitude, zone):
        Path(folder, "adhand.toml").write_text(
            f'timezone = "{zone}"\n[location]\nname = "Test Island"\nlatitude = 0.0\nlongitude = {longitude}\n'
            '[calculation]\nmethod = "isna"\nrounding = "none"\n[audio]\ndevices = ["card"]\n')

    longitude, zone = noon(45)
    configure(longitude, zone)
    processes.append(subprocess.Popen(
        [release + "/adhand", "--config", folder + "/adhand.toml", "--state-dir", folder + "/state", "--socket", socket,
         "--audio-dir", str(CHECKOUT / "Resources/audio")], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
    status, end = None, time.monotonic() + 30
    while not status:
        if processes[0].poll() is not None or time.monotonic() > end:
            raise SystemExit("adhand does not answer")
        time.sleep(0.2)
        status = ask(release + "/adhanctl", socket)
    wait = status["next"]["inSeconds"]
    if not 12 < wait < 90:
        raise SystemExit(f"the noon that was meant is {wait:.0f} s away")
    Path(folder, "display.toml").write_text("")
    display = subprocess.Popen(
        [release + "/adhan-display", "--socket", socket, "--listen", "127.0.0.1:0", "--page-dir", str(PAGE), "--config",
         folder + "/display.toml"], stderr=subprocess.PIPE, text=True)
    processes.append(display)
    url = ends.line(display.stderr, "adhan-display").split()[-1]
    browser = Browser()
    try:
        browser.size(1920, 1080)
        browser.open(url, ready="document.body && document.body.dataset.scene === 'approaching'")
        browser.evaluate(WATCH)
        end = time.monotonic() + wait + 20
        while time.monotonic() < end and not (starts(folder) and browser.evaluate("window.seen.length")):
            time.sleep(0.2)
        seen = browser.evaluate("window.seen")
    finally:
        browser.close()
    heard = starts(folder)
    expect("the adhan is heard and seen", bool(heard) and bool(seen) and seen[0][0] == "adhan")
    if heard and seen:
        late = (seen[0][1] - heard[0]) * 1000
        expect(f"the screen turns to it {late:+.0f} ms from the first frame of sound", abs(late) <= 100)


def everywhere():
    """At every minute of a day there is such a place, and its zone has a name."""
    real, places = time.time, []
    for day in (0, 45, 100, 220, 305):
        for minute in range(0, 1440, 3):
            time.time = lambda at=day * 86400 + minute * 60: 1798761600 + at
            places.append(noon(45))
    time.time = real
    zones = {zone for _, zone in places}
    expect("at any time of day the place is on the map", all(-180 <= longitude < 180 for longitude, _ in places))
    expect(f"and in one of {len(zones)} zones", all(zone == "Etc/GMT" or -12 <= -int(zone[7:]) <= 12 for zone in zones))


def main():
    everywhere()
    processes = []
    with tempfile.TemporaryDirectory(prefix="zero-") as folder:
        try:
            run(os.path.abspath(sys.argv[1]), folder, processes)
        finally:
            for process in processes:
                process.terminate()
                process.wait(15)
    sys.exit(findings.end())


if __name__ == "__main__":
    main()
