"""Tests that files stay whole when a card loses its cache. QEMU keeps every write that it acknowledged, but a real card may
not. So all writes of a busy boot are logged, and cards are built as they would be after a loss at random points: all writes up
to the last flush, and a random part of the later ones. Each must have intact file systems and whole files."""

import json
import os
import random
import struct
import subprocess
import tomllib

from machine import fat_problems
from packages import repository
from world import CONFIGURATION, FIRST_DAY, identity

SECTOR = 512
FLUSH, DISCARD = 1, 4
POINTS = int(os.environ.get("POINTS", "200"))


def entries(log):
    """(sector, data, flags) of every write, in order."""
    with open(log, "rb") as file:
        _, _, count, size = struct.unpack("<QQQI", file.read(28))
        place = size
        for _ in range(count):
            file.seek(place)
            sector, sectors, flags, _ = struct.unpack("<QQQQ", file.read(32))
            place += size
            data = b""
            if not flags & DISCARD and sectors:
                file.seek(place)
                data = file.read(sectors * size)
                place += sectors * size
            yield sector, data, flags


def replay(world):
    disk = world.flash()
    disk.put("adhand.toml", CONFIGURATION.format(name="Old"))
    dhuhr = world.known_dhuhrs()[str(FIRST_DAY)]
    machine = world.boot(disk, dhuhr - 7200)
    world.expect("up", machine.up(150 * world.slow))
    machine.off(120)
    disk.put("adhand.toml", CONFIGURATION.format(name="New"))
    base, log = world.folder / "base.img", world.folder / "writes.log"
    subprocess.run(["cp", "--sparse=always", disk.path, base], check=True, timeout=1800)
    with open(log, "wb") as file:
        file.truncate(4 << 30)
    disk.log = log
    with repository(world, "0.1.0+replay") as url:
        machine = world.boot(disk, dhuhr - 60 * world.slow)
        world.expect("up again, with a new file on the card", machine.up(150 * world.slow))
        machine.ask("rm -f /etc/apt/sources.list /etc/apt/sources.list.d/*; " f"echo 'deb [trusted=yes] {url} ./' > /etc/apt/sources.list")
        machine.ask("adhanctl set --file adhan.volume 33; systemctl --no-block start adhan-box-upgrade")
        world.wait(lambda: [e for e in world.history(machine) if e["id"] == identity(str(FIRST_DAY))], 120)
        world.wait(lambda: machine.ask("systemctl is-active adhan-box-upgrade") in ("inactive", "failed"), 120)
        machine.cut()
    disk.log = None
    written = list(entries(log))
    flushes = [i for i, entry in enumerate(written) if entry[2] & FLUSH]
    print(f"      {len(written)} writes, {sum(len(e[1]) for e in written) / 1e6:.0f} MB, {len(flushes)} flushes", flush=True)
    world.expect("there is something to replay", len(written) > 200 and flushes)
    # Replays the log once from first to last, and checks a copy at each point.
    points = sorted(random.sample(range(len(written)), min(POINTS, len(written))))
    part, size = disk.partitions()[2]
    state, bad, applied = Sectors(base), [], 0
    seen = {"Old": 0, "New": 0, "mended": 0}
    for point in points:
        last = max([f for f in flushes if f <= point], default=0)
        while applied < last:
            state.write(*written[applied][:2])
            applied += 1
        lost = state.copy(world.folder / "cut.img")
        with open(lost, "r+b") as card:
            for sector, data, _ in written[applied : point + 1]:
                for offset in range(0, len(data), SECTOR):
                    if random.random() < 0.5:
                        card.seek(sector * SECTOR + offset)
                        card.write(data[offset : offset + SECTOR])
        wrong = checked(world, lost, part, size, seen)
        if wrong:
            bad.append(f"after write {point}: {wrong}")
    world.expect(f"{len(points)} losses: file systems and files are whole {seen}", not bad, "\n".join(bad))


class Sectors:
    """The initial card, overwritten in order."""

    def __init__(self, path):
        self.path = path

    def write(self, sector, data):
        with open(self.path, "r+b") as card:
            card.seek(sector * SECTOR)
            card.write(data)

    def copy(self, to):
        subprocess.run(["cp", "--sparse=always", self.path, to], check=True, timeout=1800)
        return to


def checked(world, card, start, size, seen):
    data, fat = world.folder / "cut.data", world.folder / "cut.fat"
    for place, length, to in ((start, size, data), (8192 * SECTOR, 256 << 20, fat)):
        subprocess.run(["dd", f"if={card}", f"of={to}", "bs=4M", "iflag=skip_bytes,count_bytes", f"skip={place}", f"count={length}",
                        "conv=sparse",
            "status=none"], check=True, timeout=1800)
    # The box repairs like this too: fsck -p cannot repair a half-written superblock. Afterwards nothing may be missing.
    if subprocess.run(["e2fsck", "-p", data], capture_output=True, check=False, timeout=900).returncode > 1:
        seen["mended"] += 1
        mended = subprocess.run(["e2fsck", "-fy", data], capture_output=True, text=True, check=False, timeout=900)
        if mended.returncode > 1:
            return f"e2fsck -fy: {mended.stdout}"
    clean = subprocess.run(["e2fsck", "-fn", data], capture_output=True, text=True, check=False, timeout=900)
    if clean.returncode:
        return f"e2fsck -fn: {clean.stdout}"
    problems = fat_problems(fat)
    if problems:
        return f"fsck.fat: {problems}"
    written = subprocess.run(["mtype", "-i", fat, "::adhand.toml"], capture_output=True, check=False, timeout=60).stdout.decode()
    if written != CONFIGURATION.format(name="New"):
        return f"adhand.toml on the card: {written}"

    def read(name):
        return subprocess.run(["debugfs", "-R", f"cat {name}", data], capture_output=True, check=False, timeout=60).stdout

    name = tomllib.loads(read("etc/adhand/adhand.toml").decode())["location"]["name"]
    seen[name] += 1
    json.loads(read("var/lib/adhand/state.json"))
    for line in read("var/lib/adhand/history.jsonl").splitlines()[:-1]:
        json.loads(line)
    layer = read("system/current").decode().strip()
    if layer:
        listed = subprocess.run(["debugfs", "-R", f"ls -l system/{layer}/upper/usr/share/adhand-box", data], capture_output=True, text=True,
                                check=False, timeout=60)
        if "card" not in listed.stdout and "contents" not in listed.stdout and not listed.stdout.strip():
            return f"the layer {layer} is named and not there"
    return ""
