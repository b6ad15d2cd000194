"""Tests the box's own network over simulated radios: an access point, a phone and a home network on one channel. A box without
a cable and without a place is claimed and set up over the air, joins the home network, and calls meanwhile."""

import json
import re
import shlex
import subprocess
import time
import urllib.parse
from pathlib import Path

from machine import has_kvm
from world import NOON

HERE = Path(__file__).resolve().parent
HOME_KEY = 'our "house" $key'
HOTSPOT = "10.77.77.1"
FORM = "application/x-www-form-urlencoded"


def tools(folder):
    """A drive with what the phone and the home network need besides the image: the scripts, and iw."""
    archive = folder / "around.tar"
    subprocess.run(["tar", "--owner=0", "--group=0", "-chf", archive, "-C", HERE / "radio", ".", "-C", "/sbin", "iw"], check=True,
                   timeout=900)
    return ["-drive", f"file={archive},format=raw,if=none,id=around,readonly=on", "-device", "virtio-blk-pci,drive=around"]


class Phone:
    """A phone near the box. Like a browser, it keeps a cookie for each address."""

    def __init__(self, machine):
        self.machine = machine
        self.cookies = {}

    def ask(self, *words, seconds=120):
        return self.machine.ask(" ".join(["/run/trial/around.sh", *map(shlex.quote, words)]), seconds)

    def joins(self, name, key):
        """Joins the network. Returns the phone's address in it, or the error."""
        return self.ask("join", name, key)

    def web(self, method, address, path, fields=None, host=None, port=80, json_wanted=False, background=False):
        """Status, headers and body. If nobody waits for the answer, nothing."""
        host = host or (address if port == 80 else f"{address}:{port}")
        headers = [f"Host: {host}"]
        if address in self.cookies:
            headers.append(f"Cookie: adhan_remote={self.cookies[address]}")
        if method == "POST":
            headers += [f"Origin: http://{host}", f"Content-Type: {FORM}"]
        if json_wanted:
            headers.append("Accept: application/json")
        body = urllib.parse.urlencode(fields or {})
        command = ["ip", "netns", "exec", "phone", "perl", "/run/trial/http.pl", address, str(port), method, path, *headers]
        line = f"BODY={shlex.quote(body)} {' '.join(map(shlex.quote, command))}"
        raw = self.machine.ask(f"({line}) > /dev/null 2>&1 &" if background else line, 90) or ""
        raw = raw.replace("\r\n", "\n")
        head, _, body = raw.partition("\n\n")
        found = re.match(r"HTTP/1\.\d (\d+)", head)
        answer = {key.lower(): value for key, _, value in (line.partition(": ") for line in head.split("\n")[1:])}
        cookie = re.search(r"adhan_remote=([0-9a-f]{64})", answer.get("set-cookie", ""))
        if cookie:
            self.cookies[address] = cookie[1]
        return int(found[1]) if found else 0, answer, body if found else raw

    def sheet(self):
        """Follows the answer to the phone's internet probe to the page in its sign-in sheet."""
        status, headers, body = self.web("GET", HOTSPOT, "/hotspot-detect.html", host="captive.apple.com")
        way = []
        while status in (302, 303) and len(way) < 5:
            way.append(headers.get("location", "").removeprefix(f"http://{HOTSPOT}"))
            status, headers, body = self.web("GET", HOTSPOT, way[-1])
        return way, body

    def state(self):
        """The box's own description of its network."""
        _, _, body = self.web("GET", HOTSPOT, "/r/network.json")
        try:
            return json.loads(body)
        except ValueError:
            return {"said": body}


def wait_for_hotspot(world, machine, seconds):
    return world.wait(lambda: (machine.ask("cat /run/adhan-box/hotspot 2>/dev/null", 20) or "").startswith("adhan-"), seconds)


def why(machine):
    return machine.ask(
        "journalctl -b --no-pager -o short-monotonic -u 'adhan-box-hotspot*' -u 'adhan-box-join*' -u adhan-remote -u adhan-hotspot-dns "
        "-u systemd-networkd -u 'wpa_supplicant*' | tail -40; ip address; cat /run/trial/run/*.log | tail -20", 60)


def boot(world, disk, clock, **options):
    machine = world.boot(disk, clock, words="modules_load=mac80211_hwsim mac80211_hwsim.radios=3", **options)
    world.wait(lambda: machine.ask("true", 20) is not None, 120)
    # Nothing under /run may be executed, except on file systems mounted there.
    machine.ask("mkdir -p /run/trial && mount -t tmpfs none /run/trial && tar -xf /dev/vdb -C /run/trial && /run/trial/around.sh radios",
                60)
    return machine


def since_boot(machine, moment):
    """Seconds from the boot to a moment that systemd has recorded."""
    return int(machine.ask(f"systemctl show -P {moment}", 60) or 0) / 1_000_000


def soon(world):
    """The seconds that a person waits, by the machine's own clock."""
    machine = boot(world, world.flash(), NOON, paced=not has_kvm())
    there = wait_for_hotspot(world, machine, 200)
    began = since_boot(machine, "ExecMainStartTimestampMonotonic adhan-box-hotspot")
    uptime = int(machine.ask("cut -d. -f1 /proc/uptime", 60) or 1000)
    world.expect(f"the box's own network is begun {began:.0f} s after the boot, and there {uptime} s after it at the latest",
                 there and uptime < 90, why(machine))
    machine.cut()


def hotspot(world):
    world.extra = tools(world.folder)
    soon(world)
    disk = world.flash()
    machine = boot(world, disk, NOON)
    phone = Phone(machine)
    if not world.expect("the box's own network comes up", wait_for_hotspot(world, machine, 200), why(machine)):
        return
    name = machine.ask("cat /run/adhan-box/hotspot")
    key = machine.ask("cat /var/lib/adhan-box/hotspot-key")
    world.expect("a phone sees it", name in (seen := phone.ask("seen") or "").split("\n"), seen)
    world.expect("a wrong key does not let it in", not re.match(r"10\.", phone.joins(name, "k0k0-k0k0-k0k0") or ""))
    address = phone.joins(name, key)
    world.expect(f"its key lets it in, with the address {address}", re.fullmatch(r"10\.77\.77\.\d+", address or ""),
                 f"{address}\n{why(machine)}")
    asked = phone.ask("phone", "busybox", "nslookup", "connectivitycheck.gstatic.com", HOTSPOT)
    world.expect("every name is the box's address", f"Address: {HOTSPOT}" in asked or f"Address 1: {HOTSPOT}" in asked, asked)
    for host, path in (("connectivitycheck.gstatic.com", "/generate_204"), ("captive.apple.com", "/hotspot-detect.html"),
                       ("www.msftconnecttest.com", "/connecttest.txt"), ("detectportal.firefox.com", "/success.txt")):
        status, headers, _ = phone.web("GET", HOTSPOT, path, host=host)
        world.expect(f"{host} is led to the set-up", status == 302 and headers.get("location") == f"http://{HOTSPOT}/r/setup",
                     f"{status} {headers}")
    status, headers, body = phone.web("POST", HOTSPOT, "/r/pair", {"code": key, "name": "Phone"})
    world.expect("the key of the network claims the box", status == 303 and HOTSPOT in phone.cookies,
                 f"{status} {headers} {body}\n{why(machine)}")
    joining(world, machine, phone, name, key)
    setting_up(world, machine, phone)
    at_home(world, machine, phone)
    machine.off(60 * world.slow)
    report = disk.get("adhand-report.txt")
    world.expect("the report names the network's key, for the next time", key in report, report)
    again(world, disk, name, key)


def named(world, machine, phone, fields):
    """Sends a network's name and password, and waits until the box has tried it."""
    status, _, body = phone.web("POST", HOTSPOT, "/r/network", {"country": "", "hidden": "", **fields}, json_wanted=True)
    world.expect(f"{fields['ssid']} is taken as the network to join", status == 200, f"{status} {body}\n{why(machine)}")
    began = time.monotonic()
    world.wait(lambda: machine.ask("ls /run/adhan-box/hotspot 2>/dev/null") == "", 30)
    world.wait(lambda: machine.ask("systemctl is-active 'adhan-box-join@*' | head -n 1") != "active", 120)
    return time.monotonic() - began


def joining(world, machine, phone, name, key):
    """Networks that cannot be joined. An enterprise network is missing: it would need hostapd, which is not in the image."""
    # For each: wpa_supplicant settings of the home network, name, password, and the page's message.
    for home, ssid, password, reason in (("", "Home", "not the key", "wrong-password"), ("", "Nowhere", "anything at all", "not-found"),
                                         ("wpa3", "Home", "not the key", "wrong-password"), ("wpa3", "Home", "0a" * 32, "refused"),
                                         ("silent", "Home", HOME_KEY, "no-address")):
        machine.ask(f"/run/trial/around.sh gone; /run/trial/around.sh home {shlex.quote(HOME_KEY)} {home}", 60)
        fields = {"ssid": ssid, "password": password}
        seconds = named(world, machine, phone, fields)
        world.expect("the box's own network is back", wait_for_hotspot(world, machine, 60), why(machine))
        world.expect("and lets the phone in again", re.match(r"10\.", phone.joins(name, key) or ""), why(machine))
        # The time from the form to the network, by the machine's own clock.
        away = int(machine.ask("echo $(($(stat -c %Y /run/adhan-box/hotspot) - $(stat -c %Y /run/adhan-box/asked.json)))", 20) or 1000)
        world.expect(f"{away} s after the form was sent", away <= 60 or world.slow > 1, why(machine))
        state = phone.state()
        world.expect(f"after {seconds:.0f} s it says {state.get('last')}", state.get("last") == reason and state.get("state") == "hotspot"
            and (seconds <= 60 or reason != "wrong-password"), f"{home} {state}\n{why(machine)}")
        world.expect("with the name and without the password", state.get("name") == ssid and password not in json.dumps(state), state)
        way, page = phone.sheet()
        world.expect("in the sheet of the phone as well", way == ["/r/setup", "/r/network"] and ssid in page and password not in page,
                     f"{way} {page}")
        world.expect("which leads on to the set-up", "/r/setup?open" in page, page)
    around = [network["ssid"] for network in state.get("networks", []) if network["secured"]]
    world.expect(f"the box has seen the networks around it: {around}", "Home" in around, state)
    status, _, body = phone.web("POST", HOTSPOT, "/r/network", {"ssid": "Home", "password": "", "country": "", "hidden": ""},
                                json_wanted=True)
    world.expect("and does not try one of them without its password", status == 422 and '"password' in body.replace("\\", ""),
                 f"{status} {body}")
    machine.ask(f"/run/trial/around.sh gone; /run/trial/around.sh home {shlex.quote(HOME_KEY)}", 60)


def setting_up(world, machine, phone):
    """The questions of the set-up over the air, and a test tone."""
    for path, fields in (("/r/setup", {"step": "place", "place": "Sarajevo"}), ("/r/setup", {"step": "method", "method": "auto"}),
                         ("/r/setup", {"step": "asr", "asr": "standard"}), ("/r/setup", {"step": "loudspeaker", "device": ""})):
        status, _, body = phone.web("POST", HOTSPOT, path, fields, json_wanted=True)
        world.expect(f"{fields['step']} is answered", status == 200, f"{status} {body}")
    heard = world.wait(lambda: machine.heard()[0] > 0.5, 20)
    uptime = int(machine.ask("cut -d. -f1 /proc/uptime") or 0)
    world.expect(f"the first tone is heard, {uptime} s after power on", heard and uptime <= 600, why(machine))
    for path, fields in (("/r/heard", {"device": "", "heard": "yes"}), ("/r/setup", {"step": "volume", "volume": "40"}),
                         ("/r/setup", {"step": "done"})):
        status, _, body = phone.web("POST", HOTSPOT, path, fields, json_wanted=True)
        world.expect(f"{fields} is answered", status == 200, f"{status} {body}")
    status = json.loads(machine.ask("adhanctl --json status"))
    world.expect("it has a place and something to call", status["location"]["name"].startswith("Sarajevo") and status["next"], status)


def at_home(world, machine, phone):
    """Joins the right network while an adhan plays."""
    following = json.loads(machine.ask("adhanctl --json status"))["next"]
    at = int(machine.ask(f"date +%s -d {shlex.quote(following['at'])}"))
    world.now(machine, at - 6)
    seconds = named(world, machine, phone, {"ssid": "Home", "password": HOME_KEY})
    found = world.wait(lambda: [e for e in world.history(machine) if e["id"] == following["id"]], 90)
    world.expect(f"{following['prayer']} was called meanwhile, {found and found[0].get('latenessMs')} ms late",
                 found and found[0]["outcome"] == "played", f"{found}\n{why(machine)}")
    address = world.wait(lambda: re.search(r"inet (192\.168\.44\.\d+)", machine.ask("ip -4 address show dev wlan0", 20) or ""), 60)
    if not world.expect(f"the box has joined within {seconds:.0f} s", address, why(machine)):
        return
    address = address[1]
    world.expect("its own network is gone", "adhan" not in (phone.ask("seen") or "adhan"), why(machine))
    own = phone.joins("Home", HOME_KEY)
    world.expect("the phone goes home as well", re.match(r"192\.168\.44\.", own or ""), f"{own}\n{why(machine)}")
    status, _, body = phone.web("GET", address, "/r/pair", port=8790)
    world.expect(f"and reaches the page by its number, {address}", status == 200 and "<form" in body,
                 f"{status} {body[:400]}\n{why(machine)}")
    name = machine.ask("cat /etc/hostname") + ".local"
    resolved = phone.ask("phone", "perl", "/run/trial/name.pl", own or "", name)
    world.expect(f"and by its name, {name}", resolved == address, f"{resolved}\n{why(machine)}")


def again(world, disk, name, key):
    """After a power cycle, the box joins by itself and does not start its own network."""
    machine = boot(world, disk, NOON + 86400)
    phone = Phone(machine)
    machine.ask(f"/run/trial/around.sh home {shlex.quote(HOME_KEY)}", 60)
    joined = world.wait(lambda: "192.168.44." in (machine.ask("ip -4 address show dev wlan0", 20) or ""), 90)
    world.expect("after a power cut it joins by itself", joined, why(machine))
    world.wait(lambda: machine.ask("systemctl show -P ExecMainExitTimestampMonotonic adhan-box-hotspot-look", 20) not in (None, "", "0"),
               120)
    world.expect("and makes no network of its own", machine.ask("ls /run/adhan-box/hotspot 2>&1").startswith("ls:"), why(machine))
    # After a move, the known network is missing, and the owner requests the box's own.
    machine.ask("/run/trial/around.sh gone", 60)
    world.wait(lambda: machine.ask("cat /sys/class/net/wlan0/operstate", 20) != "up", 60)
    # One request comes from a button or the screen, another one from a terminal; the second changes nothing.
    code = 'my $s = IO::Socket::UNIX->new("/run/adhan-box/hotspot.sock"); print $s ? $s->getline : "refused"'
    request = f"perl -MIO::Socket::UNIX -e {shlex.quote(code)}"
    reply = machine.ask(request, 30) or ""
    world.expect("a program of the box may ask for it by a socket", '"coming"' in reply.replace(" ", "") and key not in reply,
                 f"{reply}\n{why(machine)}")
    reply = machine.ask(f"setpriv --reuid=nobody --regid=nogroup --clear-groups {request}", 30)
    world.expect("and nobody else", (reply or "").strip() == "refused", reply)
    reply = machine.ask("adhanctl card hotspot", 30)
    world.expect("asked for its own network, it tries the known one first and then makes it", wait_for_hotspot(world, machine, 150),
                 f"{reply}\n{why(machine)}")
    world.expect("a phone with its key is let in", re.match(r"10\.", phone.joins(name, key) or ""), why(machine))
    world.expect("and may name a network with the key alone",
                 phone.web("POST", HOTSPOT, "/r/pair", {"code": key, "name": "Other"})[0] == 303,
                 why(machine))
    way, page = phone.sheet()
    world.expect("where its sheet leads", way == ["/r/setup", "/r/network"] and 'name="ssid"' in page, f"{way} {page}")
    world.expect("but has no other rights", phone.web("POST", HOTSPOT, "/r/mute", {"hours": "2"})[0] in (401, 403))
    machine.off(60 * world.slow)
