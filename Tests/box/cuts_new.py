"""Tests that a new box survives power cuts on the way to its first adhan: while its own network starts, and while a phone
claims it, answers its questions and names the home network. After each cut, the owner of the phone can continue without
flashing the card again."""

import random
import re
import shlex
import time

from machine import fat_problems
from radio import HOTSPOT, HOME_KEY, Phone, boot, tools, why
from world import NOON

STEPS = ["hotspot", "claim", "answers", "saved", "join"]


class NewBoxCuts:
    def __init__(self, world, done, keep):
        self.world, self.done, self.keep = world, done, keep
        world.extra = tools(world.folder)

    def go(self, count):
        while self.done.setdefault("cuts of a new box", 0) < count:
            self.new()
            for step in STEPS:
                if self.done["cuts of a new box"] >= count:
                    break
                self.one(step)
                self.done["cuts of a new box"] += 1
                self.keep()
            else:
                self.last()
            self.world.machine.cut()

    def new(self):
        self.disk = self.world.flash()
        self.clock, self.since = NOON, time.time()
        self.cookie = None
        self.named = None  # name and key of the box's own network
        # The steps that are done, by the answers that the phone received.
        self.claimed = self.placed = False
        self.power_on()

    def power_on(self):
        # The box has a battery clock: a clock that went back would rightly not be trusted any more.
        self.clock, self.since = int(self.clock + time.time() - self.since) + random.choice([30, 90, 400]), time.time()
        self.machine = boot(self.world, self.disk, self.clock)
        self.phone = Phone(self.machine)
        self.machine.ask(f"/run/trial/around.sh home {shlex.quote(HOME_KEY)}", 60)

    def one(self, step):
        moment = getattr(self, step)()
        self.machine.cut()
        on_the_card = fat_problems(self.disk.part(1, self.world.folder / "fat.img"))
        self.power_on()
        wrong = self.checked()
        if on_the_card:
            wrong.append(f"the FAT partition: {on_the_card}")
        number = self.done["cuts of a new box"] + 1
        self.world.expect(f"cut {number} of a new box: {moment}", not wrong, "\n".join([*wrong, why(self.machine) or ""]))

    # --- Until the moment of the cut

    def hotspot(self):
        if random.random() < 0.3:
            moment = random.uniform(1, 30 * self.world.slow)
            time.sleep(moment)
            return f"{moment:.0f} s after the first power on"
        self.world.wait(lambda: self.machine.ask("systemctl is-active adhan-box-hotspot", 20) == "activating", 200)
        moment = random.uniform(0, 5 * self.world.slow)
        time.sleep(moment)
        return f"{moment:.0f} s after its own network was begun"

    def claim(self):
        self.claimed = self.sent("claimed", "/r/pair", {"code": self.named[1], "name": "Phone"})
        return self.soon("the claim", self.claimed)

    def answers(self):
        """Sends some of the answers, none of which takes effect yet."""
        fields = random.choice(self.questions()[1:])
        self.answered(until=fields)
        return self.soon(f"the answer {fields}", self.sent("answered", *fields))

    def saved(self):
        self.answered()
        self.placed = self.sent("saved", "/r/setup", {"step": "done"})
        return self.soon("the last answer", self.placed)

    def join(self):
        # The cut may have come before the answers were saved.
        if not self.location():
            self.answered()
            self.world.expect("they are saved after all", self.sent("saved", "/r/setup", {"step": "done"}, wait=True))
            self.placed = True
        self.sent("named", "/r/network", self.home(), wait=True)
        moment = random.uniform(0, 20 * self.world.slow)
        time.sleep(moment)
        return f"{moment:.0f} s after the network at home was named"

    def questions(self):
        return [("/r/setup", {"step": "place", "place": "Sarajevo"}), ("/r/setup", {"step": "method", "method": "auto"}),
                ("/r/setup", {"step": "asr", "asr": "standard"}), ("/r/setup", {"step": "loudspeaker", "device": ""}),
                ("/r/heard", {"device": "", "heard": "yes"}), ("/r/setup", {"step": "volume", "volume": "40"})]

    def home(self):
        return {"ssid": "Home", "password": HOME_KEY, "country": "", "hidden": ""}

    def answered(self, until=None):
        for path, fields in self.questions():
            if (path, fields) == until:
                return
            status, _, body = self.phone.web("POST", HOTSPOT, path, fields, json_wanted=True)
            if status != 200:
                self.world.expect(f"{fields} is answered", False, f"{status} {body}")

    def sent(self, what, path, fields, wait=None):
        """Whether the box has answered that it is done. In half of the cases the power is cut before the answer is read."""
        if wait is None and random.random() < 0.5:
            self.phone.web("POST", HOTSPOT, path, fields, json_wanted=True, background=True)
            return False
        status, headers, body = self.phone.web("POST", HOTSPOT, path, fields, json_wanted=path != "/r/pair")
        self.cookie = self.phone.cookies.get(HOTSPOT, self.cookie)
        self.world.expect(f"{what}: the box answers {status}", status in (200, 303), f"{status} {headers} {body}")
        return status in (200, 303)

    def soon(self, what, answered):
        moment = random.uniform(0, 0.5 if answered else 2 * self.world.slow)
        time.sleep(moment)
        return f"{moment:.1f} s after {what} was {'taken' if answered else 'sent'}"

    # --- After the cut

    def checked(self):
        """Lists the problems: the box must be in its own network or at home, and a phone must be able to continue."""
        machine = self.machine
        found = self.world.wait(lambda: self.found() or self.has_place(), 220)
        if found == "place" and (found := self.world.wait(self.found, 60)) is None:
            # Without a place, the box starts its own network by itself. Now a person requests it.
            machine.ask("adhanctl card hotspot", 30)
            found = self.world.wait(self.found, 150)
        if not found:
            return ["neither its own network nor the one at home"]
        wrong = []
        if found == "home":
            address = re.search(r"inet (192\.168\.44\.\d+)", machine.ask("ip -4 address show dev wlan0", 20))[1]
            name, key, port = "Home", HOME_KEY, 8790
        else:
            name, key = machine.ask("cat /run/adhan-box/hotspot; cat /var/lib/adhan-box/hotspot-key").split("\n")
            address, port = HOTSPOT, 80
            if self.named and self.named != (name, key):
                wrong.append(f"its own network was {self.named}, and is {(name, key)}")
            self.named = (name, key)
        if not re.match(r"10\.77\.77\.|192\.168\.44\.", self.phone.joins(name, key) or ""):
            return [*wrong, f"the phone does not get into {name}"]
        wrong += self.rights(address, port)
        place = self.location()
        if self.placed and not (place or "").startswith("Sarajevo"):
            wrong.append(f"the answers were saved, and the place is {place}")
        if place:
            self.placed = True
        checked = machine.ask("cat /run/adhan-box/fsck") or ""
        if not re.search(r"e2fsck ended with [01]$", checked):
            wrong.append(f"the file system: {checked}")
        broken = machine.ask("ls /var/lib/adhand /var/lib/adhan-remote | grep -i broken; ls /run/adhan-box/in-memory 2>/dev/null; "
            "systemctl --failed --no-legend --plain")
        if broken:
            wrong.append(f"not whole: {broken}")
        return wrong

    def found(self):
        output = self.machine.ask("cat /run/adhan-box/hotspot 2>/dev/null; ip -4 address show dev wlan0", 20) or ""
        return "own" if output.startswith("adhan-") else "home" if "192.168.44." in output else None

    def has_place(self):
        looked = self.machine.ask("systemctl show -P ExecMainExitTimestampMonotonic adhan-box-hotspot-look", 20)
        return "place" if looked not in (None, "", "0") and self.location() else None

    def rights(self, address, port):
        """The rights of the phone: one that was let in still is, and one without an answer may claim the box or was let in."""
        if self.cookie:
            self.phone.cookies[address] = self.cookie
            status, headers, body = self.phone.web("GET", address, "/r/", port=port)
            return [] if status == 200 else [f"the phone is no keeper any more: {status} {headers} {body[:300]}"]
        if port != 80:
            return ["it went home before it was claimed"]
        status, headers, body = self.phone.web("POST", address, "/r/pair", {"code": self.named[1], "name": "Phone"})
        self.cookie = self.phone.cookies.get(address)
        if status == 303 and self.cookie:
            return []
        return [f"the box is not claimed, and cannot be: {status} {headers} {body[:300]}"]

    def location(self):
        """The place that adhand uses; None while it waits for one."""
        status = self.machine.up(60 * self.world.slow) or {}
        return None if status.get("awaiting") == "place" else status.get("location", {}).get("name")

    def last(self):
        """After all cuts, the box joins the home network and has something to call."""
        if self.found() == "own":
            self.sent("named", "/r/network", self.home(), wait=True)
        joined = self.world.wait(lambda: self.found() == "home", 120)
        status = self.machine.up(60 * self.world.slow) or {}
        self.world.expect("after all cuts it is at home and has something to call", joined and status.get("next"),
                          f"{why(self.machine)}\n{joined} {status}")
