"""Tests that the image boots on a Raspberry Pi 3, as far as QEMU emulates one: processor, card and serial ports, but no clock,
sound or network. So the trial sees only the console and the report on the card."""

import os
import re
import signal
import subprocess
import time

DEVICES = "bcm2837-rpi-3-b.dtb"


class Raspi:
    def __init__(self, disk, directory):
        # A card of a size that is sold.
        os.truncate(disk.path, 1 << (os.stat(disk.path).st_size - 1).bit_length())
        self.console = directory / "console"
        line = disk.started_by_a_pi(directory).replace("console=tty1", "console=ttyS1,115200").replace(" quiet", "")
        disk.extract(DEVICES, directory / "devices.dtb")
        # The first port is the radio's, as on the real machine. QEMU's watchdog cannot be used: it resets the machine when it is
        # enabled. The graphics processor, through which sound goes, does not answer, and the kernel's driver does not survive
        # that.
        line += " systemd.journald.forward_to_console=1 modprobe.blacklist=bcm2835_wdt,vchiq,snd_bcm2835"
        command = ["qemu-system-aarch64", "-M", "raspi3b", "-accel", "tcg,thread=multi", "-display", "none", "-no-reboot", "-monitor",
                   "none",
            "-kernel", directory / "vmlinuz", "-initrd", directory / "initrd.img", "-dtb", directory / "devices.dtb", "-append", line,
            "-drive", f"file={disk.path},format=raw,if=sd", "-serial", "null", "-serial", f"file:{self.console}"]
        self.process = subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL)
        self.started = time.monotonic()

    def said(self, pattern):
        """Whether the console contains a match."""
        text = self.console.read_text(errors="replace") if self.console.exists() else ""
        return re.search(pattern, text)

    def cut(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(30)


def raspi3b(world):
    """Boots the image's own kernel, device tree and initramfs on their machine."""
    if world.architecture != "arm64":
        print("  only for arm64")
        return
    disk = world.flash()
    disk.put("adhand.toml", 'timezone = "Asia/Riyadh"\n[location]\nname = "On a Pi"\nlatitude = 0.0\nlongitude = 45.0\n')
    machine = world.machine = Raspi(disk, world.folder)

    def reaches(what, pattern, seconds):
        found = world.wait(lambda: machine.said(pattern) or machine.process.poll() is not None, seconds)
        took = f"{what} ({time.monotonic() - machine.started:.0f} s)"
        tail = machine.console.read_text(errors="replace")[-3000:] if machine.console.exists() else "nothing on the console"
        return world.expect(took, found and found is not True, tail)

    if not reaches("its kernel starts on a Raspberry Pi 3 Model B", r"Machine model: Raspberry Pi 3 Model B", 30):
        return
    if not reaches("finds the card, and systemd starts from it", r"systemd\[1\]: .*(Detected architecture|Hostname set|Queued start job)",
                   120):
        return
    if not reaches("its file systems are there, and the box reads its card", r"adhan-box-card|Finished.*adhan-box", 120):
        return
    reaches("the answer is written to the card", r"Finished adhan-box-answer|adhan-box-answer\.service: (Deactivated|Finished)", 180)
    time.sleep(5)
    machine.cut()
    report = disk.get("adhand-report.txt")
    told = "taken over" in report and "PROBLEM: the time is not known" in report
    world.expect("it says that the file was taken over, and that nobody set its clock", told, report)
