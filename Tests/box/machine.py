"""A flashed box for the trials: its disk, its FAT partition written from outside, its power, its sound card."""

import base64
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

SECTOR = 512
# A root shell on a second serial port. The firmware passes it in as a credential, so the image stays as people flash it.
SHELL = """[Unit]
StartLimitIntervalSec=0
[Service]
ExecStart=/bin/sh
StandardInput=file:/dev/virtio-ports/trial
StandardOutput=file:/dev/virtio-ports/trial
StandardError=inherit
Restart=always
RestartSec=1
"""


def run(*command, **options):
    return subprocess.run(command, check=True, capture_output=True, **options).stdout


def has_kvm():
    """Whether the processor supports KVM. Nested virtual machines would boot no Debian kernel in a useful time."""
    return os.path.exists("/dev/kvm") and any(os.path.exists(f"/sys/module/kvm_{maker}") for maker in ("intel", "amd"))


# The harmless messages of a FAT file system after a power cut: the dirty bit, and a wrong count of free clusters.
EXPECTED = re.compile(
    r"fsck\.fat |.*[Dd]irty bit|There are differences between boot sector|This is mostly harmless|  65:01/00|  Not automatically|"
    r"Free cluster summary|  Auto-correcting|Leaving filesystem unchanged|.* files, \d+/\d+ clusters|\s*$")


def fat_problems(path):
    """The problems that a check of a FAT partition finds, without the harmless messages."""
    output = subprocess.run(["fsck.fat", "-n", path], capture_output=True, text=True, check=False, timeout=60)
    return "\n".join(line for line in (output.stdout + output.stderr).splitlines() if not EXPECTED.match(line))


class Disk:
    """The card: a copy of the flashed image on a larger disk."""

    def __init__(self, path, image=None, grown_mb=1024):
        self.path = Path(path)
        self.log = None
        self.unreadable = []
        if image:
            shutil.copyfile(image, self.path)
            os.truncate(self.path, os.stat(image).st_size + grown_mb * 1048576)

    def drive(self):
        """The drive for QEMU. Its writes may be logged, and some of its sectors may be bad."""
        if self.unreadable:
            each = "inject-error.{0}.event=none,inject-error.{0}.iotype=read,inject-error.{0}.sector={1}"
            bad = ",".join(each.format(*sector) for sector in enumerate(self.unreadable))
            return ["-blockdev", f"driver=blkdebug,node-name=card,image.driver=file,image.filename={self.path},{bad}"]
        if not self.log:
            return ["-drive", f"file={self.path},format=raw,if=none,id=card,cache=none,aio=threads"]
        node = "driver=blklogwrites,node-name=card,log-sector-size=512,log-super-update-interval=1"
        return ["-blockdev", f"{node},file.driver=file,file.filename={self.path},log.driver=file,log.filename={self.log}"]

    def partitions(self):
        table = json.loads(run("sfdisk", "--json", self.path))["partitiontable"]["partitions"]
        return [(part["start"] * SECTOR, part["size"] * SECTOR) for part in table]

    def fat(self):
        return f"{self.path}@@{self.partitions()[0][0]}"

    def put(self, name, content):
        """Copies a file onto the FAT partition, as from a person's PC."""
        run("mcopy", "-o", "-i", self.fat(), "-", f"::{name}", input=content.encode() if isinstance(content, str) else content)

    def get(self, name):
        done = subprocess.run(["mtype", "-i", self.fat(), f"::{name}"], capture_output=True, check=False, timeout=60)
        return done.stdout.decode(errors="replace").rstrip()

    def extract(self, name, to):
        run("mcopy", "-n", "-o", "-i", self.fat(), f"::{name}", to)

    def started_by_a_pi(self, directory):
        """The kernel and initramfs under the names that the firmware of a Raspberry Pi 3 and 4 looks for, and the kernel
        command line."""
        self.extract("kernel8.img", directory / "vmlinuz")
        self.extract("initramfs8", directory / "initrd.img")
        return self.get("cmdline.txt")

    def part(self, number, to):
        start, size = self.partitions()[number - 1]
        run("dd", f"if={self.path}", f"of={to}", "bs=1M", "iflag=skip_bytes,count_bytes", f"skip={start}", f"count={size}", "conv=sparse")
        return to


class Machine:
    """One boot of the machine. It ends where the box would restart, unless restarts are allowed."""

    def __init__(self, disk, directory, architecture="amd64", clock=None, extra=(), firmware=False, words="", restarts=False, paced=False):
        self.directory = Path(directory)
        self.architecture = architecture
        self.console = self.directory / "console"
        self.port = self.directory / "port"
        self.sound = self.directory / "sound.wav"
        for leftover in (self.port, self.sound):
            leftover.unlink(missing_ok=True)
        command = self.machine(disk, firmware, words)
        command += [
            "-nodefaults", "-no-user-config", "-display", "none", "-m", "1024", "-smp", "2",
            *disk.drive(),
            "-device", "virtio-serial-pci",
            "-chardev", f"socket,id=trial,path={self.port},server=on,wait=off",
            "-device", "virtserialport,chardev=trial,name=trial",
            "-audiodev", f"wav,id=sound,path={self.sound}",
            "-device", "intel-hda", "-device", "hda-output,audiodev=sound",
            "-serial", f"file:{self.console}",
            "-device", "virtio-rng-pci",
        ]
        # As a credential: in SMBIOS tables if the firmware starts the machine, else from QEMU, which allows only shorter names.
        if firmware:
            for name, text in (("systemd.extra-unit.t.service", SHELL),
                               ("systemd.unit-dropin.multi-user.target", "[Unit]\nWants=t.service\n")):
                coded = base64.b64encode(text.encode()).decode()
                command += ["-smbios", f"type=11,value=io.systemd.credential.binary:{name}={coded}"]
        else:
            command += ["-fw_cfg", f"name=opt/io.systemd.credentials/systemd.extra-unit.t.service,string={SHELL}"]
        if paced:
            # One processor of a thousand million instructions per second, by the machine's own clock: about one of the four cores
            # of a Pi 3, whatever the speed of this host.
            command = [word.replace("thread=multi", "thread=single") for word in command] + ["-icount", "shift=0,sleep=on"]
            command[command.index("-smp") + 1] = "1"
        if clock:
            command += ["-rtc", f"base={clock},clock={'vm' if paced else 'host'}"]
        if not restarts:
            command += ["-no-reboot"]
        self.process = subprocess.Popen(command + list(extra), stdin=subprocess.DEVNULL)
        self.started = time.monotonic()
        self.line = None
        self.asked = 0

    def machine(self, disk, firmware, words):
        line = None
        if not firmware:
            self.kernel(disk)
            line = (self.directory / "cmdline").read_text().strip() + " console=" + ("ttyS0" if self.architecture == "amd64" else "ttyAMA0")
            # On a busy host, the kernel's timer check would fail on an emulated processor.
            line += f" systemd.wants=t.service no_timer_check {words}"
        if self.architecture == "amd64":
            command = ["qemu-system-x86_64", "-M", "q35", "-device", "virtio-blk-pci,drive=card", "-device", "i6300esb"]
            command += ["-accel", "kvm", "-cpu", "host"] if has_kvm() else ["-accel", "tcg,thread=multi", "-cpu", "max"]
            if firmware:
                return command + ["-drive", "if=pflash,format=raw,readonly=on,file=/usr/share/OVMF/OVMF_CODE.fd"]
        else:
            command = ["qemu-system-aarch64", "-M", "virt", "-cpu", "cortex-a53", "-accel", "tcg,thread=multi", "-device",
                       "virtio-blk-pci,drive=card"]
        return command + ["-kernel", str(self.directory / "vmlinuz"), "-initrd", str(self.directory / "initrd.img"), "-append", line]

    def kernel(self, disk):
        """The files that the firmware would load from the FAT partition."""
        if (self.directory / "cmdline").exists():
            return
        if self.architecture == "amd64":
            disk.extract("vmlinuz", self.directory / "vmlinuz")
            disk.extract("initrd.img", self.directory / "initrd.img")
            entry = disk.get("loader/entries/adhan.conf")
            line = next(row for row in entry.splitlines() if row.startswith("options ")).removeprefix("options ")
        else:
            line = disk.started_by_a_pi(self.directory).replace("console=tty1", "")
        (self.directory / "cmdline").write_text(line)

    # --- The shell

    def connected(self):
        if self.line is None:
            wire = socket.socket(socket.AF_UNIX)
            try:
                wire.connect(str(self.port))
            except OSError:
                wire.close()
                return False
            wire.settimeout(0.5)
            self.line = wire
        return True

    def ask(self, command, seconds=30):
        """The output of a command in the box; None if the box does not answer in time."""
        end = time.monotonic() + seconds
        while not self.connected():
            if time.monotonic() > end or self.process.poll() is not None:
                return None
            time.sleep(0.1)
        self.asked += 1
        begin, over = f"<{self.asked}<", f">{self.asked}>"
        try:
            # The answer is between the two marks. The shell composes the marks, so the echoed command does not contain them.
            self.line.sendall(f"echo '<''{self.asked}<'; {{ {command}\n}} 2>&1; echo; echo '>''{self.asked}>'\n".encode())
            got = b""
            while over.encode() not in got:
                if time.monotonic() > end or self.process.poll() is not None:
                    return None
                try:
                    got += self.line.recv(65536)
                except TimeoutError:
                    continue
        except OSError:
            return None
        return got.decode(errors="replace").partition(begin)[2].partition(over)[0].strip()

    def up(self, seconds=90):
        """Waits until adhand answers. Returns its status, or None."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and self.process.poll() is None:
            output = self.ask("adhanctl --json status", max(1, min(20, end - time.monotonic())))
            try:
                return json.loads(output)
            except (TypeError, ValueError):
                time.sleep(0.3)
        return None

    # --- The power

    def cut(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(30)

    def off(self, seconds=60):
        self.ask("systemctl --no-block poweroff", 10)
        try:
            self.process.wait(timeout=seconds)
            return True
        except subprocess.TimeoutExpired:
            self.cut()
            return False

    def heard(self, after=0):
        """The seconds between the first and the last sound in the recording from a byte on, and the end of the recording."""
        if not self.sound.exists():
            return 0.0, after
        recording = self.sound.read_bytes()
        samples = memoryview(recording[max(44, after) :])
        samples = samples[: len(samples) // 4 * 4].cast("h")
        loud = [i for i in range(0, len(samples), 64) if abs(samples[i]) > 30]
        return (loud[-1] - loud[0]) / 2 / 44100 if loud else 0.0, len(recording)
