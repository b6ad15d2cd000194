#!/usr/bin/env python3
"""Tests that adhand calls correctly on an emulated machine while the clock is set, the machine sleeps, the card is unplugged and
the power is cut: a Debian kernel with a dummy sound card under QEMU. Takes a quarter of an hour, because the processor is
emulated.

usage: run.py RELEASE-DIRECTORY [--keep DIRECTORY] [--only TRIAL]
"""

import argparse
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import textwrap
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
CHECKOUT = HERE.parent.parent
# Each part is one boot; the time of its clock chip is in UTC.
MORNING = "2026-12-02T06:00:00"
# An emulated machine sleeps only once: from a second sleep it would wake at once.
PARTS = [
    ("clock", MORNING, 1200),
    ("sleep-within", MORNING, 300),
    ("sleep-beyond", MORNING, 300),
    ("sleep-amid", MORNING, 300),
    ("cut", MORNING, 300),
    ("after-the-cut", "2026-12-02T08:55:00", 400),
    ("no-battery", MORNING, 400),
]


def install(release, directory):
    """The files of `make install` and the trials, in an archive that the machine unpacks at boot."""
    tree = directory / "tree"
    subprocess.run(
        ["make", "-s", "-C", CHECKOUT, "install", f"RELEASE={release}", "PREFIX=/usr", f"DESTDIR={tree}"],
        check=True,
        stdout=subprocess.DEVNULL,
        timeout=900,
    )
    # The steps of the package's installation: the user and the directories.
    (tree / "etc/adhand").mkdir(parents=True, exist_ok=True)
    (tree / "trial").mkdir()
    for script in ("guest.py", "box.py"):
        shutil.copy(HERE / script, tree / "trial")
    shutil.copy(HERE.parent / "ends.py", tree / "trial")
    archive = directory / "tree.tar"
    subprocess.run(["tar", "--owner=0", "--group=0", "-cf", archive, "-C", tree, "."], check=True, timeout=900)
    return archive


class Machine:
    """One boot. The disk outlives it."""

    def __init__(self, image, disk, archive, directory, part, clock, only):
        self.out = directory / f"{part}.out"
        self.console = directory / f"{part}.console"
        self.control = directory / "qmp"
        self.out.touch()
        command = [
            "qemu-system-x86_64",
            "-M",
            "q35",
            "-accel",
            "tcg,thread=multi",
            "-cpu",
            "max",
            "-smp",
            "2",
            "-m",
            "1024",
            "-nodefaults",
            "-no-user-config",
            "-display",
            "none",
            "-no-reboot",
            "-global",
            "ICH9-LPC.disable_s3=0",
            "-rtc",
            f"base={clock},clock=host",
            "-qmp",
            f"unix:{self.control},server=on,wait=off",
            "-serial",
            f"file:{self.console}",
            "-serial",
            f"file:{self.out}",
            "-kernel",
            f"{image}/vmlinuz",
            "-initrd",
            f"{image}/initrd",
            "-append",
            f"console=ttyS0 quiet panic=-1 no_timer_check no_console_suspend part={part} only={only}",
            "-drive",
            f"file={disk},format=raw,if=virtio",
            "-drive",
            f"file={archive},format=raw,if=virtio,readonly=on",
        ]
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL)

    def messages(self, seconds):
        """The messages of the trials, until they are done, the machine is off, or the time is up."""
        end = time.monotonic() + seconds
        with self.out.open(encoding="utf-8", errors="replace") as file:
            rest = ""
            while time.monotonic() < end:
                rest += file.read()
                *lines, rest = rest.split("\n")
                for line in lines:
                    if line.startswith("{"):
                        yield json.loads(line)
                    elif "Traceback" in line or "Error" in line:
                        yield {"kind": "log", "line": line}
                if not lines and self.process.poll() is not None:
                    return
                time.sleep(0.2)

    def wake(self, seconds):
        """Waits until the machine sleeps, and wakes it this much later."""
        with socket.socket(socket.AF_UNIX) as control:
            control.settimeout(120)
            control.connect(str(self.control))
            with control.makefile("rw") as wire:

                def ask(command):
                    wire.write(json.dumps({"execute": command}) + "\n")
                    wire.flush()
                    for line in wire:
                        answer = json.loads(line)
                        if "return" in answer or "error" in answer:
                            return answer.get("return")

                wire.readline()
                ask("qmp_capabilities")
                end = time.monotonic() + 60
                while time.monotonic() < end:
                    if (ask("query-status") or {}).get("status") == "suspended":
                        time.sleep(seconds)
                        return ask("system_wakeup")
                    time.sleep(0.2)

    def cut_power(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(30)


def show(tried, seen, good):
    print(
        f"{'ok  ' if good else 'FAIL'} {tried}\n" + textwrap.indent(textwrap.fill(seen, 100), "       "),
        flush=True,
    )


def boot(machine, seconds):
    """Runs one part. Returns the number of its trials, and of those that failed."""
    tried = failed = 0
    over = False
    try:
        for message in machine.messages(seconds):
            if message["kind"] == "result":
                tried += 1
                failed += not message["good"]
                show(message["tried"], message["seen"], message["good"])
            elif message["kind"] == "log":
                print(f"       | {message['line']}")
            elif message["kind"] == "sleep":
                machine.wake(message["seconds"])
            elif message["kind"] in ("cut", "done"):
                over = True
                if message["kind"] == "cut":
                    show("the power fails in the middle of an adhan", "cut", True)
                    tried += 1
                # The machine is killed, because an emulated machine may not power off after a sleep.
                break
    finally:
        if machine.process.poll() is None:
            machine.cut_power()
    if not over:
        show("the machine", f"did not come to the end within {seconds} s; see {machine.console}", False)
        failed += 1
    return tried, failed


def main():
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("release", type=Path, help="where the release programs are")
    arguments.add_argument(
        "--keep", type=Path, default=CHECKOUT / ".build-vm", help="where the machine's image is kept"
    )
    arguments.add_argument("--only", default="", help="one trial, by its function's name in guest.py")
    options = arguments.parse_args()
    image = options.keep.resolve()
    subprocess.run([HERE / "image.sh", image], check=True, timeout=3600)
    parts = [part for part in PARTS if not options.only or part[0] == options.only.partition(":")[0]]
    tried = failed = 0
    with tempfile.TemporaryDirectory(prefix="adhand-vm-") as name:
        directory = Path(name)
        archive = install(options.release.resolve(), directory)
        disk = directory / "disk.img"
        subprocess.run(["cp", "--sparse=always", image / "root.img", disk], check=True, timeout=1800)
        for part, clock, seconds in parts:
            machine = Machine(image, disk, archive, directory, part, clock, options.only.partition(":")[2])
            of_part, failures = boot(machine, seconds)
            tried, failed = tried + of_part, failed + failures
        if failed:
            kept = Path(tempfile.mkdtemp(prefix="adhand-vm-failed-"))
            for file in directory.glob("*.console"):
                shutil.copy(file, kept)
            print(f"the machine's consoles: {kept}")
    print(f"{tried} trials, {failed} failed")
    return 1 if failed or not tried else 0


if __name__ == "__main__":
    os.environ.setdefault("LC_ALL", "C.UTF-8")
    sys.exit(main())
