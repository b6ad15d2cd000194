"""Tests that a box survives power cuts at random moments: most are aimed at a boot, an adhan, an import of the card or an
upgrade. After each cut the box must come back with all of its data, and must not call a prayer again."""

import datetime
import random
import re
import time

from machine import fat_problems
from packages import publish, repository
from world import CONFIGURATION, FIRST_DAY, identity

KINDS = ["early", "adhan", "card", "upgrade", "adhan"]


class Cuts:
    def __init__(self, world, done, keep):
        self.world, self.done, self.keep = world, done, keep
        self.dhuhrs = world.known_dhuhrs()
        self.disk = world.flash()
        self.names = []
        self.heard = {}
        self.took = []

    def go(self, count):
        with repository(self.world, "0.1.0+cut0") as url:
            self.configure(0)
            self.boot(self.dhuhrs[str(FIRST_DAY)] - 7200)
            if not self.world.expect("configured", self.world.machine.up(150 * self.world.slow)):
                return
            ask = self.world.machine.ask
            ask(f"rm -f /etc/apt/sources.list /etc/apt/sources.list.d/*; echo 'deb [trusted=yes] {url} ./' > /etc/apt/sources.list; sync")
            for number in range(self.done["cuts"], count):
                self.one(number)
                self.done["cuts"] = number + 1
                self.keep()
            self.world.machine.off()
            if self.took:
                print(f"  {len(self.took)} boots to an answering adhand: {min(self.took):.0f} to {max(self.took):.0f} s")

    def configure(self, number):
        self.names.append(f"Mosque {number}")
        self.disk.put("adhand.toml", CONFIGURATION.format(name=self.names[-1]))

    # --- The box's clock, which continues while the power is off

    def boot(self, clock):
        self.clock, self.since = clock, time.time()
        self.world.boot(self.disk, clock, restarts=True)  # the box installs upgrades at night
        self.recorded = 0

    def now(self, clock):
        self.clock, self.since = clock, time.time()
        self.world.now(self.world.machine, clock)

    def shown(self):
        return int(self.clock + time.time() - self.since)

    # --- One cut. The box continues where the previous cut left it; cuts during a boot need a boot of their own.

    def one(self, number):
        kind = KINDS[number % len(KINDS)]
        day = str(FIRST_DAY + datetime.timedelta(days=number + 1))
        if kind in ("early", "card"):
            self.world.machine.cut()
            if kind == "card":
                self.configure(number)
            self.boot(self.dhuhrs[day] - 3600)
        at = getattr(self, kind)(day)
        self.world.machine.cut()
        self.listen(day)
        on_the_card = fat_problems(self.disk.part(1, self.world.folder / "fat.img"))
        # The power comes back after a while.
        self.boot(self.shown() + random.choice([30, 90, 400]))
        machine = self.world.machine
        status = machine.up(150 * self.world.slow)
        wrong = ["adhand does not answer"]
        if status:
            self.took.append(time.monotonic() - machine.started)
            wrong = self.checked(machine, status, day)
            self.world.wait(lambda: not self.sounds(), 60)
        self.listen(day)
        if on_the_card:
            wrong.append(f"the FAT partition: {on_the_card}")
        if len(self.heard.get(day, [])) > 1:
            wrong.append(f"{identity(day)} heard twice: {self.heard[day]} s")
        self.world.expect(f"cut {number + 1}: {at}", not wrong, "\n".join(wrong))

    def listen(self, day):
        """The sound since the last call of this function."""
        heard, self.recorded = self.world.machine.heard(self.recorded)
        if heard > 0.3:
            self.heard.setdefault(day, []).append(round(heard, 1))

    def sounds(self):
        return "RUNNING" in (self.world.machine.ask("cat /proc/asound/card0/pcm0p/sub0/status", 10) or "")

    # --- Until the moment of the cut

    def early(self, day):
        moment = random.uniform(1, 25 * self.world.slow)
        time.sleep(moment)
        return f"{moment:.0f} s after power on"

    def adhan(self, day):
        self.now(self.dhuhrs[day] - 20)
        # The sound device runs from a moment before the adhan until its end. The cut is anywhere in that time, or slightly
        # outside it.
        self.world.wait(self.sounds, 60)
        moment = random.uniform(0, 28)
        time.sleep(moment)
        return f"{moment:.0f} s into the adhan"

    def card(self, day):
        # The cut is between the first service and the end of the import, or later, while the report is written to the card.
        machine = self.world.machine
        self.world.wait(lambda: machine.ask("echo here", 10), 60)
        part = "take-over"
        if random.random() < 0.5:
            part = "answer"
            self.world.wait(lambda: machine.ask("systemctl is-active adhan-box-answer") in ("activating", "failed"), 60)
        moment = random.uniform(0, 3 * self.world.slow)
        time.sleep(moment)
        return f"{moment:.1f} s into the {part} of a new file on the card"

    def upgrade(self, day):
        publish(self.world, f"0.1.0+cut{int(time.time())}")
        self.world.machine.ask("systemctl --no-block start adhan-box-upgrade")
        moment = random.uniform(0, 20 * self.world.slow)
        time.sleep(moment)
        return f"{moment:.1f} s into an upgrade"

    # --- After the cut

    def checked(self, machine, status, day):
        wrong = []
        if status["location"]["name"] not in self.names[-2:]:
            wrong.append(f"the configuration is {status['location']['name']}, not one of {self.names[-2:]}")
        if status.get("configurationProblem"):
            wrong.append(f"configuration: {status['configurationProblem']}")
        checked = machine.ask("cat /run/adhan-box/fsck") or ""
        if not re.search(r"e2fsck ended with [01]$", checked):
            wrong.append(f"the file system: {checked}")
        entries = self.world.history(machine)
        for known in {entry["id"] for entry in entries}:
            outcomes = [entry["outcome"] for entry in entries if entry["id"] == known and entry["outcome"] != "missed"]
            if len(outcomes) > 1:
                wrong.append(f"{known}: {outcomes}")
        broken = machine.ask(
            "ls /var/lib/adhand | grep -i broken; ls /run/adhan-box/in-memory 2>/dev/null; systemctl --failed --no-legend --plain")
        if broken:
            wrong.append(f"not whole: {broken}")
        layers = machine.ask("cat /run/adhan-box/layer; dpkg --audit; dpkg-query -W -f '${Version}' adhand-box") or ""
        if "0.1.0" not in layers or layers.count("\n") > 1:
            wrong.append(f"packages: {layers}")
        return wrong
