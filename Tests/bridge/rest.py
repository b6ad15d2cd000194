#!/usr/bin/env python3
"""Tests that the bridge (with TLS; with one connection to the house, and with another to a fleet) and the hooks use little memory
and few wake-ups while nothing happens. Takes three minutes.

usage: rest.py ADHAND ADHAN-BRIDGE ADHAN-HOOKS
"""
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from ends import until  # noqa: E402
from house import DEVICE, House, authority, page_reads, port, resident, wakes  # noqa: E402

ADHAND, BRIDGE, HOOKS = (Path(word).absolute() for word in sys.argv[1:4])
# MB, and wake-ups per minute. The beat that a fleet receives each minute wakes the bridge and the thread of its second session.
MOST = {"adhan-bridge": (16, 6), "adhan-bridge of a fleet": (16, 10), "adhan-hooks": (10, 6)}
SECONDS = 120
house = House("adhan-rest")
# The folder is in memory like /run, so nothing waits for a disk.
memory = tempfile.mkdtemp(prefix="adhan-rest-", dir="/dev/shm")
folder = house.folder


mqtt = port()
authority(folder, "localhost")
(folder / "broker.conf").write_text(
    f"listener {mqtt} 127.0.0.1\nallow_anonymous true\nuser root\ncafile {folder}/ca.crt\ncertfile {folder}/server.crt\n"
    f"keyfile {folder}/server.key\n")
(folder / "adhand.toml").write_text(
    'timezone = "Europe/London"\n[location]\nname = "Trial"\nlatitude = 51.5\nlongitude = -0.1\n[audio]\n' f'devices = ["{DEVICE}"]\n'
    '[fleet]\norg = "noor"\nsigning-key = "ed25519:qBTmYq9uXayAo87x2zka7P6V+BGHAhQXN8yX920ebHU="\n')
broker = f'broker = "mqtts://localhost:{mqtt}"\nca-file = "{folder}/ca.crt"\n'
for name in ("house", "fleet"):
    (folder / f"{name}.toml").write_text(f"""
[mqtt]
{broker}
{"[fleet]" if name == "fleet" else ""}
{broker if name == "fleet" else ""}
[[alert]]
name = "web"
kind = "webhook"
url = "http://127.0.0.1:9/"
[prometheus]
textfile = "{memory}/{name}.prom"
""")
(folder / "hooks.toml").write_text("""
[[hook]]
name = "log"
on = ["preroll", "upcoming", "finished"]
command = "/bin/true"
[[relay]]
name = "amplifier"
on = "/bin/true"
off = "/bin/echo"
""")

# Replaces the service manager, which expects the watchdog messages that the bridge's unit requires.
manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
manager.bind(str(folder / "notify"))


def listen():
    # A program whose messages are not read would wait.
    while manager.recv(4096):
        pass


threading.Thread(target=listen, daemon=True).start()
service = {**os.environ, "NOTIFY_SOCKET": str(folder / "notify")}


def bridge(name):
    return house.run(BRIDGE, "--config", folder / f"{name}.toml", "--socket", folder / "s", "--state-dir", folder / name, "--box",
                     f"trial-{name}", env={**service, "WATCHDOG_USEC": "60000000"})


try:
    house.run("/usr/sbin/mosquitto", "-c", folder / "broker.conf")
    house.adhand(ADHAND)
    until(lambda: house.ctl(ADHAND, "status").returncode == 0, 20)
    programs = {
        "adhan-bridge": bridge("house"),
        "adhan-bridge of a fleet": bridge("fleet"),
        "adhan-hooks": house.run(HOOKS, "--config", folder / "hooks.toml", "--socket", folder / "s", env=service),
    }
    for name in ("house", "fleet"):
        status = [BRIDGE, "status", "--json", "--state-dir", folder / name]
        is_connected = lambda status=status: '"connected":true' in subprocess.run(
            status, capture_output=True, text=True, check=False, timeout=60).stdout.replace(" ", "")
        house.expect(f"the bridge of the {name} is connected with TLS", until(is_connected, 20))
    # A new connection is checked often for its first minute. adhand may have sent an event before it was read.
    time.sleep(90)
    before = {name: (wakes(process), page_reads(process)) for name, process in programs.items()}
    samples = {name: [] for name in programs}
    for _ in range(SECONDS):
        time.sleep(1)
        for name, process in programs.items():
            samples[name].append(resident(process))
    for name, process in programs.items():
        # A busy machine evicts pages of files, and the kernel counts waits for them as well.
        reads = page_reads(process) - before[name][1]
        rate, sizes = (wakes(process) - before[name][0] - reads) * 60 / SECONDS, sorted(samples[name])
        # While idle, a request to adhand takes a tenth of a second and needs pages of the program's file.
        usual, rest = sizes[len(sizes) // 2], sizes[len(sizes) * 95 // 100]
        print(f"        {name}: {usual:.1f} MB resident, {rest:.1f} for 95 % of the time, {sizes[-1]:.1f} at most, woken {rate:.1f} times "
              f"a minute, {reads} pages read again")
        house.expect(f"{name}: at most {MOST[name][0]} MB", rest <= MOST[name][0], rest)
        house.expect(f"{name}: woken at most {MOST[name][1]} times a minute", rate <= MOST[name][1], rate)
finally:
    status = house.end()
    shutil.rmtree(memory)
sys.exit(status)
