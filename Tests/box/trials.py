"""The trials of run.py. Each flashes a box and lets something happen to it."""

import json
import os
import subprocess
import time

from imaged import imaged
from machine import SECTOR, run
from networks import networks
from packages import signed
from pi5 import raspi5
from radio import hotspot
from raspi import raspi3b
from screen import screen
from way_in import way_in
from world import CONFIGURATION, FIRST_DAY, NOON, identity

DAY = str(FIRST_DAY)


def first_boot(world):
    """The first boot of a box as it is sold."""
    disk = world.flash()
    machine = world.boot(disk, NOON)
    began = time.monotonic()
    running = world.wait(lambda: machine.ask("systemctl is-system-running", 20), 120)
    world.expect(f"boots ({time.monotonic() - began:.1f} s to a shell), and nothing has failed: {running}",
                 running in ("running", "starting"),
        machine.ask("systemctl --failed --no-legend; journalctl -b -p warning --no-pager | tail -30"))
    if not running:
        return
    world.dhuhrs(machine)
    world.answered(machine)
    root = machine.ask("findmnt -n -o FSTYPE,OPTIONS /; touch /usr/x || echo refused; touch /etc/x && rm /etc/x && echo etc")
    world.expect("the root cannot be written, /etc can",
                 "overlay ro" in " ".join(root.split()) and "refused" in root and root.endswith("etc"), root)
    kept = machine.ask("findmnt -n -o FSTYPE,SIZE /var/lib/adhand; findmnt -n -o FSTYPE /etc/adhand; findmnt -n -o FSTYPE /var/log")
    world.expect("settings and state lie on a file system of their own, logs in memory",
                 kept.split()[0] == "ext4" and kept.endswith("ext4\ntmpfs"), kept)
    size = int(machine.ask("df --output=size -m /run/adhan-box/data | tail -n 1") or 0)
    world.expect(f"that file system has grown with the card: {size} MB", size > 900)
    who = machine.ask(
        "cat /etc/machine-id /etc/hostname; ls /etc/ssh/ssh_host_* 2>&1; grep -E '^[^:]*:[^*!:]' /etc/shadow;"
        " systemctl is-enabled ssh").split("\n")
    world.expect(f"it has an identity of its own, {who[1]}, no key, no password, no way in",
                 len(who[0]) == 32 and who[1].startswith("adhan-")
        and "No such file" in who[2] and len(who) == 4 and who[3] == "disabled", who)
    archives = set(
        machine.ask("cat /etc/apt/sources.list /etc/apt/sources.list.d/debian.sources 2>/dev/null | grep -o 'http[^ ]*'").split())
    world.expect("updates come from Debian, wherever the image's packages came from",
        archives == {"http://deb.debian.org/debian", "http://deb.debian.org/debian-security"}, archives)
    status = machine.up(60 * world.slow) or {}
    world.expect("adhand waits for its place, as nobody has said where it is, and has nothing to call",
        status.get("awaiting") == "place" and not status.get("next"), status)
    if world.architecture == "amd64":  # QEMU emulates no counter for arm64
        watchdog = machine.ask(
            "systemctl show -P RuntimeWatchdogUSec; wdctl 2>/dev/null | head -n 3; cat /sys/class/watchdog/watchdog0/state")
        world.expect("the hardware watchdog is on", watchdog.endswith("active") and "inactive" not in watchdog, watchdog)
    memory = machine.ask("free -m | sed -n 2p; du -xsm /run | cut -f 1")
    print(f"      memory: {memory}")
    world.expect("it switches off", machine.off())
    world.expect("the report on the card says that it calls nothing", "calls nothing" in disk.get("adhand-report.txt"),
                 disk.get("adhand-report.txt"))
    other = world.flash()
    machine = world.boot(other, NOON)
    second = world.wait(lambda: machine.ask("cat /etc/machine-id", 20), 120)
    world.expect("another card of the same image is another box", second and second != who[0], second)


def configured(world):
    """The owner flashes, edits and plugs in; then the box calls."""
    dhuhr = world.known_dhuhrs()[DAY]
    disk = world.flash()
    disk.put("adhand.toml", CONFIGURATION.format(name="Configured from outside").replace("\n", "\r\n"))
    recording = open(os.path.join(os.path.dirname(__file__), "../../Resources/audio/signal.mp3"), "rb").read()
    disk.put("sounds/our-sound.mp3", recording)
    machine = world.boot(disk, dhuhr - 3600)
    status = machine.up(150 * world.slow)
    world.expect(f"adhand answers {time.monotonic() - machine.started:.1f} s after power on", status, "no answer")
    if not status:
        return
    place = status["location"]["name"]
    world.expect(f"configured by its FAT partition: {place}, {status['location']['timezone']}", place == "Configured from outside", status)
    world.wait(lambda: machine.ask("ls /dev/snd/controlC0") == "/dev/snd/controlC0", 60)
    world.now(machine, dhuhr - 30)
    called = world.wait(lambda: [e for e in world.history(machine) if e["id"] == identity(DAY)], 90)
    machine.ask("journalctl -u adhand --no-pager -o short-precise | tail -20")
    late = called[0].get("latenessMs") if called else None
    world.expect(f"Dhuhr is called, {late} ms late", called and called[0]["outcome"] == "played" and late < 100 * world.slow,
        f"{called}\n{machine.ask('journalctl -b --no-pager -u adhand | tail -20; adhanctl doctor; cat /proc/asound/cards; amixer')}")
    heard, _ = machine.heard()
    world.expect(f"{heard:.1f} s of it are in the sound card's recording", heard > 20)
    world.answered(machine)
    zone = machine.ask("readlink /etc/localtime; adhanctl sound list | grep our-sound")
    world.expect("its recording is there, its zone is the place's", "Asia/Riyadh" in zone and "our-sound" in zone, zone)
    machine.ask("adhanctl set --file adhan.volume 61; adhanctl mute")
    machine.off(60 * world.slow)
    report = disk.get("adhand-report.txt")
    world.expect("the report has place, times and recording",
                 all(w in report for w in ("Configured from outside", "Dhuhr", "our-sound.mp3")), report)
    fat = disk.part(1, world.folder / "fat.img")
    checked = subprocess.run(["fsck.fat", "-n", fat], capture_output=True, text=True, check=False, timeout=60)
    world.expect("the FAT partition is clean", checked.returncode == 0 and "irty" not in checked.stdout, checked.stdout)
    before = disk.get("adhand-report.txt")
    disk.put("adhand.toml", CONFIGURATION.format(name="Broken").replace("0.0", "0,0"))
    machine = world.boot(disk, dhuhr + 3600)
    status = machine.up(150 * world.slow)
    world.expect("a broken file changes nothing", status and status["location"]["name"] == "Configured from outside", status)
    world.expect("what was set on the box outlives the power: volume and mute", status and status["mute"]["active"]
        and "61" in machine.ask("grep volume /etc/adhand/adhand.toml"), status)
    world.answered(machine)
    machine.off(60 * world.slow)
    world.expect("and the report says in which line", "line 4" in disk.get("adhand-report.txt") and before != disk.get("adhand-report.txt"),
        disk.get("adhand-report.txt"))


def upgraded(world):
    """Debian's updates in a layer that is confirmed, and a layer that does not boot and is abandoned."""
    dhuhr = world.known_dhuhrs()[DAY]
    disk = world.flash()
    disk.put("adhand.toml", CONFIGURATION.format(name="Upgraded"))
    with signed(world, "0.1.0+trial1") as (archive, ours, debian):
        machine = world.boot(disk, dhuhr - 3600, restarts=True)
        world.expect("up", machine.up(150 * world.slow))
        told = machine.ask("date +%s; . /usr/lib/adhand-box/json.sh; seconds_free")

        def upgrade(ours, debian):
            archive.enter(machine, ours, debian)
            machine.ask("systemctl --no-block start adhan-box-upgrade")
            world.wait(lambda: machine.ask("systemctl is-active adhan-box-upgrade") in ("inactive", "failed"), 240)
            return machine.ask("journalctl --sync; journalctl -u adhan-box-upgrade --no-pager -o cat -n 20")

        def started_again(command):
            machine.ask(command, 5)
            time.sleep(5)
            machine.line = None
            return machine.up(400 * world.slow)

        text = upgrade("http://10.0.2.2:1", "http://10.0.2.2:1")
        world.expect("an archive that does not answer is no box that is up to date", "does not answer" in text and "up to date" not in text,
                     text)
        had = (machine.ask("dpkg-query -W -f '${Version}' adhand-box") or "").split()
        archive.forge()
        text = upgrade(ours, debian)
        has = archive.versions(machine)
        world.expect("with an index that a stranger signed Debian's updates go on, and adhand's do not",
                     "only Debian's updates are taken" in text
            and has == [*had, "9999"], f"{has}\n{text}")
        # Undoes the layer, as if it had never been made.
        machine.ask("cd /run/adhan-box/data/system && cp /run/adhan-box/layer current.new && mv -f current.new current && "
            "rm -rf trial previous upgrade-* && sync")
        archive.restore()
        began = time.monotonic()
        text = upgrade(ours, debian)
        has = archive.versions(machine)
        world.expect(f"an upgrade is made beside the running system ({time.monotonic() - began:.0f} s)",
                     "which a restart goes over to" in text, text)
        world.expect("by a signed index, whose date is kept, with Debian's updates", has == [archive.version, "9999"]
            and (machine.ask("cat /run/adhan-box/data/system/archive-date") or "").isdigit(), has)
        world.now(machine, dhuhr - 30)
        refused = machine.ask("/usr/lib/adhand-box/upgrade.sh restart")
        world.expect("the restart waits while something is due", "waits for a quiet" in refused or "waits for the network" in refused,
                     f"{told}\n{refused}")
        called = world.wait(lambda: [e for e in world.history(machine) if e["id"] == identity(DAY)], 90)
        world.expect("Dhuhr is called on the side", called and called[0]["outcome"] == "played", called)
        text = machine.ask("rm -f /run/adhan-box/obstacle; /usr/lib/adhand-box/upgrade.sh restart")
        world.expect("and the restart waits after it, too", "waits for a quiet" in text, text)
        world.now(machine, dhuhr + 660)
        text = machine.ask("/usr/lib/adhand-box/upgrade.sh restart")
        world.expect("once nothing is due it restarts by itself", "restarting" in text, text)
        time.sleep(3)
        machine.line = None
        status = machine.up(150 * world.slow)
        version = machine.ask("dpkg-query -W -f '${Version}' adhand-box; echo; cat /run/adhan-box/layer")
        world.expect("and runs on the upgrade", status and version.startswith("0.1.0+trial1") and "upgrade-" in version, version)
        world.expect("which is confirmed", world.wait(lambda: machine.ask("ls /run/adhan-box/data/system/trial 2>&1").startswith("ls:"),
                                                      60))
        # In this layer adhand does not start, on a box with a short limit for that.
        machine.ask("cd /run/adhan-box/data/system && cp -a $(cat current) upgrade-silent && cd upgrade-silent/upper && "
            "mkdir -p usr/bin etc/systemd/system/adhan-box-confirm.service.d && printf '#!/bin/sh\\nexit 1\\n' > usr/bin/adhand && chmod "
            "755 usr/bin/adhand && "
            "printf '[Service]\\nEnvironment=ADHAN_BOX_PATIENCE=20\\n' > etc/systemd/system/adhan-box-confirm.service.d/quick.conf && "
            "cd ../.. && cat /run/adhan-box/layer > previous && echo 3 > trial && echo upgrade-silent > current && sync")
        status = started_again("systemctl --no-block reboot")
        layer = machine.ask("cat /run/adhan-box/layer; ls /run/adhan-box/data/system/trial 2>&1; cat /run/adhan-box/data/system/failed")
        world.expect("one that does not bring adhand up starts the box again, and is left after three tries", status and layer
            and layer.split("\n")[0] == version.split("\n")[1] and "No such file" in layer and layer.endswith("upgrade-silent"), layer)
        # In this layer adhand answers, but no device can be opened.
        machine.ask(
            "cd /run/adhan-box/data/system && adhanctl card health > health && rm -f failed && cp -a $(cat current) upgrade-unheard && "
            "cd upgrade-unheard/upper && mkdir -p usr/share/alsa etc/systemd/system/adhan-box-confirm.service.d && "
            "echo 'pcm.!default { type none }' > usr/share/alsa/alsa.conf && "
            "printf '[Service]\\nEnvironment=ADHAN_BOX_PATIENCE=60\\n' > etc/systemd/system/adhan-box-confirm.service.d/quick.conf && "
            "cd ../.. && cat /run/adhan-box/layer > previous && echo 3 > trial && echo upgrade-unheard > current && sync")
        started_again("systemctl --no-block reboot")
        # adhand also answers while the layer is on trial.
        world.wait(lambda: machine.ask("cat /run/adhan-box/layer", 20) == version.split("\n")[1], 400)
        status = machine.up(150 * world.slow)
        layer = machine.ask("cat /run/adhan-box/layer /run/adhan-box/data/system/failed /run/adhan-box/upgrade.json")
        world.expect("one in which adhand has lost its sound is left, too", status and layer
            and layer.split("\n")[0] == version.split("\n")[1] and '"failed": "upgrade-unheard"' in layer, layer)
        # In this layer the service manager is not a program.
        machine.ask(
            "cd /run/adhan-box/data/system && cp -a $(cat current) upgrade-broken && mkdir -p upgrade-broken/upper/usr/lib/systemd && "
            "echo no program > upgrade-broken/upper/usr/lib/systemd/systemd && cat /run/adhan-box/layer > previous && echo 3 > trial && "
            "echo upgrade-broken > current && sync")
        status = started_again("systemctl --no-block reboot")
        layer = machine.ask("cat /run/adhan-box/layer /run/adhan-box/data/system/failed")
        world.expect("an upgrade that does not boot is left", status and layer and layer.endswith("upgrade-broken")
            and layer.split("\n")[0] != "upgrade-broken", layer)
        status = started_again("echo upgrade-gone > /run/adhan-box/data/system/current; sync; systemctl --no-block reboot")
        named = machine.ask("cat /run/adhan-box/data/system/current; /usr/lib/adhand-box/upgrade.sh restart")
        world.expect("one that is named and gone is forgotten, and no restart waits for it", status and named == "none", named)


def damaged(world):
    """Damaged file systems."""
    if world.architecture != "amd64":
        print("  only for amd64: it takes a watchdog")
        return
    dhuhr = world.known_dhuhrs()[DAY]
    disk = world.flash()
    disk.put("adhand.toml", CONFIGURATION.format(name="Damaged"))
    machine = world.boot(disk, dhuhr - 3600, restarts=True)
    world.expect("up", machine.up(150 * world.slow))
    machine.ask("sysctl -q kernel.panic=0; sysctl -q kernel.sysrq=1; sync; (sleep 1; echo c > /proc/sysrq-trigger) &", 5)
    boot = machine.ask("cat /proc/sys/kernel/random/boot_id", 5)
    time.sleep(5)
    machine.line = None
    again = world.wait(lambda: machine.ask("cat /proc/sys/kernel/random/boot_id", 10), 60)
    world.expect("a kernel that died is restarted by the watchdog", again and again != boot, again)
    world.expect("and adhand is up again", machine.up(150 * world.slow))
    start, size = disk.partitions()[2]

    def without_root():
        # The removed lines would otherwise return from the journal.
        settings = disk.part(3, world.folder / "settings.img")
        subprocess.run(["e2fsck", "-p", settings], capture_output=True, check=False, timeout=900)
        run("debugfs", "-w", "-R", "clri <2>", settings)
        run("dd", f"if={settings}", f"of={disk.path}", "bs=1M", "oflag=seek_bytes", f"seek={start}", "conv=notrunc")

    def without(count):
        with open(disk.path, "r+b") as card:
            card.seek(start)
            card.write(os.urandom(4 * 1048576) + bytes(count - 4 * 1048576))

    for what, damage, told, remembers in (
        ("without the root of its settings", without_root, "was damaged, and is mended", True),
        ("without the first 4 MB of them", lambda: without(4 * 1048576), "was damaged, and is made again", False),
        ("without any of them", lambda: without(size), "was damaged, and is made again", False),
        ("with a sector of them that cannot be read", lambda: disk.unreadable.append(start // SECTOR + 4), "cannot be used", False),
        ("without their partition", lambda: run("sfdisk", "--delete", disk.path, "3"), "cannot be used", False),
    ):
        machine.ask("adhanctl set --file adhan.volume 61; sync")
        machine.cut()
        damage()
        machine = world.boot(disk, dhuhr + 3600)
        status = machine.up(150 * world.slow)
        world.expect(f"{what} it runs, by the card", status and status["location"]["name"] == "Damaged",
                     machine.ask("cat /run/adhan-box/fsck"))
        kept = machine.ask("grep -c 'volume = 61' /etc/adhand/adhand.toml; touch /etc/adhand/x && findmnt -n -o SIZE /etc/adhand")
        world.expect(f"{'with' if remembers else 'without'} what was set on the box, which can write {kept[2:]}",
            kept.startswith("1" if remembers else "0") and "\n" in kept, machine.ask("cat /run/adhan-box/fsck; dmesg | grep -i ext4"))
        world.answered(machine)
        report = disk.get("adhand-report.txt")
        world.expect("and the report says so", f"PROBLEM: the part of the card for settings {told}" in report, report)
    machine.cut()
    disk = world.flash()
    disk.put("adhand.toml", CONFIGURATION.format(name="Before"))
    machine = world.boot(disk, dhuhr - 2000)
    world.expect("up", machine.up(150 * world.slow))
    machine.off()
    start, _ = disk.partitions()[0]
    with open(disk.path, "r+b") as card:
        card.seek(start)
        card.write(bytes(65536))
    machine = world.boot(disk, dhuhr - 1000)
    status = machine.up(150 * world.slow)
    world.expect("without its FAT partition it uses what it has", status and status["location"]["name"] == "Before", status)


def late_card(world):
    """A sound card that appears while adhand already runs, because it is plugged in or slow to be found. The memory card is
    one of the larger ones that are sold."""
    disk = world.flash(grown_mb=63000)
    disk.put("adhand.toml", CONFIGURATION.format(name="Late card"))
    machine = world.boot(disk, NOON, words="modprobe.blacklist=snd_hda_intel")
    world.expect("adhand runs without a sound card",
                 machine.up(150 * world.slow) and machine.ask("cat /proc/asound/cards 2>&1 | grep -c Intel") == "0")
    size = int(machine.ask("df --output=size -m /run/adhan-box/data | tail -n 1") or 0)
    world.expect(f"with settings on a file system of {size} MB", size > 60000, machine.ask("journalctl -b -u adhan-box-start --no-pager"))
    machine.ask("modprobe snd_hda_intel")
    world.wait(lambda: machine.ask("ls /dev/snd/controlC0") == "/dev/snd/controlC0", 60)
    text = machine.ask("adhanctl test-play fajr", 60)
    world.expect("and plays on the one that comes", text and text.startswith("playing"),
                 f"{text}\n{machine.ask('grep alsa /proc/devices')}")
    time.sleep(10)
    heard, _ = machine.heard()
    world.expect(f"{heard:.1f} s of it are in the card's recording", heard > 1)


def clockless(world):
    """A machine without a battery clock and without a network."""
    disk = world.flash()
    disk.put("adhand.toml", CONFIGURATION.format(name="No clock"))
    machine = world.boot(disk, 946684800)
    world.wait(lambda: machine.ask("ls /run/adhan-box/no-clock", 10) == "/run/adhan-box/no-clock", 90)
    status = machine.up(150 * world.slow) or {}
    world.expect("with a clock that nobody set it waits, and has nothing to call",
                 status.get("awaiting") == "clock" and not status.get("next"),
        f"{machine.ask('date')}\n{status}")
    world.answered(machine)
    report = disk.get("adhand-report.txt")
    world.expect("the report tells what is missing", "PROBLEM: the time is not known" in report, report)
    machine.ask(f"mkdir -p /run/systemd/timesync; date -s @{NOON}; busybox hwclock -w -u; touch /run/systemd/timesync/synchronized")
    status = world.wait(lambda: (seen := machine.up(30)) and not seen.get("awaiting") and seen, 60 * world.slow)
    world.expect("set by the network, it runs", status and status["location"]["name"] == "No clock" and status["next"], json.dumps(status))
    world.wait(lambda: "not known" not in disk.get("adhand-report.txt"), 60 * world.slow)
    report = disk.get("adhand-report.txt")
    world.expect("and the report has today's times", "Dhuhr" in report and "PROBLEM" not in report, report)
    machine.off()


def firmware(world):
    """A PC's own firmware starts the image."""
    if world.architecture != "amd64" or not os.path.exists("/usr/share/OVMF/OVMF_CODE.fd"):
        print("  no such firmware here")
        return
    disk = world.flash()
    disk.put("adhand.toml", CONFIGURATION.format(name="EFI"))
    machine = world.boot(disk, NOON, firmware=True)
    world.expect("started by EFI", machine.up(150 * world.slow))


TRIALS = {
    "first-boot": first_boot,
    "configured": configured,
    "upgraded": upgraded,
    "damaged": damaged,
    "late-card": late_card,
    "clockless": clockless,
    "way-in": way_in,
    "firmware": firmware,
    "hotspot": hotspot,
    "networks": networks,
    "imaged": imaged,
    "screen": screen,
    "raspi3b": raspi3b,
    "raspi5": raspi5,
}
