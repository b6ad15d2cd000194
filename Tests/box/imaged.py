"""Tests cards with the settings of Raspberry Pi Imager: home network, name and time zone. With the right key the box joins the
network by itself; with a wrong one it starts its own."""

import hashlib
import re
import shlex

import imager
from machine import has_kvm
from radio import HOME_KEY, Phone, boot, since_boot, tools, wait_for_hotspot, why
from world import NOON

NAME, ZONE = "masjid-7", "Asia/Karachi"
MARKER = "/run/trial-marker"


def derived(key):
    """Imager writes the key that WPA2 derives from the passphrase, not the passphrase."""
    return hashlib.pbkdf2_hmac("sha1", key.encode(), b"Home", 4096, 32).hex()


def card(world, key):
    disk = world.flash()
    disk.put("network-config", imager.network_config(b"Home", derived(key), newer=True))
    disk.put("user-data", imager.user_data(NAME, ZONE, newer=True, keyboard="gb", password="$5$salt$hash", full=True, marker=MARKER))
    return disk


def powered(world, disk):
    """The machine has a clock of its own, so the measured time does not depend on the speed of this host."""
    machine = boot(world, disk, NOON, paced=not has_kvm())
    machine.ask(f"/run/trial/around.sh home {shlex.quote(HOME_KEY)}", 120)
    return machine


def imaged(world):
    world.extra = tools(world.folder)
    disk = card(world, HOME_KEY)
    machine = powered(world, disk)
    joined = world.wait(lambda: re.search(r"inet (192\.168\.44\.\d+)", machine.ask("ip -4 address show dev wlan0", 60) or ""), 200)
    uptime = float(machine.ask("cut -d' ' -f1 /proc/uptime", 60) or 0)
    world.expect(f"by Imager's files the box is on the network {uptime:.0f} s after the boot at the latest", joined and uptime <= 90,
                 why(machine))
    named = machine.ask("cat /etc/hostname; readlink /etc/localtime", 60)
    world.expect("has its name and its zone", named == f"{NAME}\n/usr/share/zoneinfo/{ZONE}", named)
    status = machine.up(60 * world.slow) or {}
    world.expect("and waits for its place", status.get("awaiting") == "place", status)
    world.wait(lambda: since_boot(machine, "ExecMainExitTimestampMonotonic adhan-box-hotspot-look"), 200)
    world.expect("makes no network of its own", machine.ask("ls /run/adhan-box/hotspot 2>&1", 60).startswith("ls:"), why(machine))
    phone = Phone(machine)
    own = phone.joins("Home", HOME_KEY)
    reached = joined and phone.web("GET", joined[1], "/r/pair", port=8790)
    world.expect("a phone on that network reaches the page by its number", reached and reached[0] == 200 and "<form" in reached[2],
                 f"{own} {reached}")
    answer = phone.ask("phone", "perl", "/run/trial/name.pl", own or "", f"{NAME}.local")
    world.expect(f"and by its name, {NAME}.local", joined and answer == joined[1], f"{answer}\n{why(machine)}")
    world.expect("nothing of user-data was executed", machine.ask(f"ls {MARKER} 2>&1", 60).startswith("ls:"))
    world.answered(machine)
    machine.off(60 * world.slow)
    report = disk.get("adhand-report.txt")
    missing = [key for key in ("packages", "keyboard", "rpi", "runcmd") if f": {key} is skipped" not in report]
    world.expect("and the report has every key that was skipped, and the name", not missing and f"{NAME}.local" in report,
                 f"{missing}\n{report}")

    machine = powered(world, card(world, "not the key"))
    there = wait_for_hotspot(world, machine, 300)
    began = since_boot(machine, "ExecMainStartTimestampMonotonic adhan-box-hotspot")
    uptime = float(machine.ask("cut -d' ' -f1 /proc/uptime", 60) or 0)
    world.expect(f"with a wrong key its own network is begun {began:.0f} s after the boot, and there {uptime:.0f} s after it at the latest",
        there and uptime <= 90, why(machine))
    named = machine.ask("cat /etc/hostname; readlink /etc/localtime", 60)
    world.expect("and it has its name and its zone as well", named == f"{NAME}\n/usr/share/zoneinfo/{ZONE}", named)
    machine.cut()
