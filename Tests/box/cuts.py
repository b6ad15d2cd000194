"""The power cut at random moments, most of them aimed: at a boot, an adhan, a take-over from the card, an upgrade. After each cut the box
must come back with all that it had, and what was called is not called again."""

import datetime
import random
import re
import time

from packages import publish, repository
from world import CONFIGURATION, FIRST_DAY, identity

KINDS = ["early", "adhan", "card", "upgrade", "adhan"]


class Cuts:
    def __init__(self, world, done, keep):
        self.world, self.done, self.keep = world, done, keep
        self.dhuhrs = world.known_dhuhrs()
        self.disk = world.flash()
        self.heard = {}
        self.took = []
        self.called = None

    def go(self, count):
        with repository(self.world, "0.1.0+cut0") as url:
            self.url = url
            self.disk.put("adhand.toml", CONFIGURATION.format(name="Mosque 0"))
            self.names = ["Mosque 0"]
            self.boot(str(FIRST_DAY), -7200)
            if not self.world.expect("configured", self.world.machine.up(150 * self.world.slow)):
                return
            ask = self.world.machine.ask
            ask(f"rm -f /etc/apt/sources.list /etc/apt/sources.list.d/*; echo 'deb [trusted=yes] {url} ./' > /etc/apt/sources.list; sync")
            self.world.machine.off()
            for number in range(self.done["cuts"], count):
                self.one(number)
                self.done["cuts"] = number + 1
                self.keep()
            if self.took:
                print(f"  {len(self.took)} boots to an answering adhand: {min(self.took):.0f} to {max(self.took):.0f} s")

    def boot(self, day, offset):
        self.world.boot(self.disk, self.dhuhrs[day] + offset)

    def one(self, number):
        self.called = None
        kind = KINDS[number % len(KINDS)]
        day = str(FIRST_DAY + datetime.timedelta(days=number + 1))
        if kind == "card":
            self.names.append(f"Mosque {number}")
            self.disk.put("adhand.toml", CONFIGURATION.format(name=self.names[-1]))
        self.boot(day, -3600)
        at = getattr(self, kind)(day)
        self.world.machine.cut()
        heard = self.world.machine.heard()
        if heard > 0.3:
            self.heard.setdefault(identity(day), []).append(round(heard, 1))
        self.back(number, kind, at, day)

    # --- Until the moment

    def early(self, day):
        moment = random.uniform(1, 25 * self.world.slow)
        time.sleep(moment)
        return f"{moment:.0f} s after power on"

    def adhan(self, day):
        machine = self.world.machine
        if not machine.up(150 * self.world.slow):
            return "before adhand was up"
        self.called, self.since = self.dhuhrs[day] - 20, time.time()
        self.world.now(machine, self.called)
        # The device runs from a moment before to the end: cut anywhere in it, or a little beside.
        self.world.wait(lambda: "RUNNING" in (machine.ask("cat /proc/asound/card0/pcm0p/sub0/status", 10) or ""), 60)
        moment = random.uniform(0, 28)
        time.sleep(moment)
        return f"{moment:.0f} s into the adhan"

    def card(self, day):
        machine = self.world.machine
        # From the first service on, while the file is taken over and answered.
        self.world.wait(lambda: machine.ask("echo here", 10), 60)
        moment = random.uniform(0, 8 * self.world.slow)
        time.sleep(moment)
        return f"{moment:.1f} s into the boot's last part, with a new file on the card"

    def upgrade(self, day):
        machine = self.world.machine
        if not machine.up(150 * self.world.slow):
            return "before adhand was up"
        publish(self.world.folder / "archive", f"0.1.0+cut{int(time.time())}")
        machine.ask("systemctl --no-block start adhan-box-upgrade")
        moment = random.uniform(0, 20 * self.world.slow)
        time.sleep(moment)
        return f"{moment:.1f} s into an upgrade"

    # --- And afterwards

    def back(self, number, kind, at, day):
        """The power comes back a minute or an hour later."""
        away = random.choice([30, 90, 400])
        # What the box's clock showed when it was cut.
        passed = time.time() - self.world.machine.began
        shown = self.called + time.time() - self.since if kind == "adhan" and self.called else self.dhuhrs[day] - 3600 + passed
        self.boot(day, int(shown + away) - self.dhuhrs[day])
        machine = self.world.machine
        status = machine.up(150 * self.world.slow)
        if status:
            self.took.append(time.monotonic() - machine.started)
        wrong = [] if status else ["adhand does not answer"]
        if status:
            wrong += self.judged(machine, status, day)
        machine.cut()
        heard = machine.heard()
        if heard > 0.3:
            self.heard.setdefault(identity(day), []).append(round(heard, 1))
        if len(self.heard.get(identity(day), [])) > 1:
            wrong.append(f"heard twice: {self.heard[identity(day)]} s")
        self.world.expect(f"cut {number + 1}: {at}", not wrong, "\n".join(wrong))

    def judged(self, machine, status, day):
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
        broken = machine.ask("ls /var/lib/adhand | grep -i broken; ls /run/adhan-box/in-memory 2>/dev/null; systemctl --failed --no-legend --plain")
        if broken:
            wrong.append(f"not whole: {broken}")
        layers = machine.ask("cat /run/adhan-box/layer; dpkg --audit; dpkg-query -W -f '${Version}' adhand-box") or ""
        if "0.1.0" not in layers or layers.count("\n") > 1:
            wrong.append(f"packages: {layers}")
        return wrong
