#!/usr/bin/env python3
"""Tests relays, a television and buttons of adhan-hooks on an emulated machine: the kernel simulates a GPIO chip (gpio-sim), a
television (vivid) and keys (uinput), which are pressed, watched, unplugged and plugged in again. Takes five minutes.

usage: devices.py RELEASE-DIRECTORY [--keep DIRECTORY]
"""
import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from run import CHECKOUT, HERE, MORNING, Machine, boot


def install(release, directory):
    tree = directory / "tree"
    subprocess.run(["make", "-s", "-C", CHECKOUT, "install", "install-hooks", f"RELEASE={release}", "PREFIX=/usr", f"DESTDIR={tree}"],
                   check=True, stdout=subprocess.DEVNULL, timeout=900)
    (tree / "etc/adhand").mkdir(parents=True, exist_ok=True)
    (tree / "trial").mkdir()
    shutil.copy(HERE / "devices_guest.py", tree / "trial/guest.py")
    for file in (HERE / "made_up.py", HERE.parent / "ends.py"):
        shutil.copy(file, tree / "trial")
    archive = directory / "tree.tar"
    subprocess.run(["tar", "--owner=0", "--group=0", "-cf", archive, "-C", tree, "."], check=True, timeout=900)
    return archive


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("release", type=Path)
    arguments.add_argument("--keep", type=Path, default=CHECKOUT / ".build-vm", help="where the machine's image is kept")
    options = arguments.parse_args()
    image = options.keep.resolve()
    subprocess.run([HERE / "image.sh", image], check=True, timeout=3600)
    with tempfile.TemporaryDirectory(prefix="adhand-devices-") as name:
        directory = Path(name)
        archive = install(options.release.resolve(), directory)
        disk = directory / "disk.img"
        subprocess.run(["cp", "--sparse=always", image / "root.img", disk], check=True, timeout=1800)
        tried, failed = boot(Machine(image, disk, archive, directory, "devices", MORNING, ""), 900)
        if failed:
            kept = Path(tempfile.mkdtemp(prefix="adhand-devices-failed-"))
            for file in (*directory.glob("*.console"), *directory.glob("*.out")):
                shutil.copy(file, kept)
            print(f"what the machine said: {kept}")
    print(f"{tried} trials, {failed} failed")
    return 1 if failed or not tried else 0


if __name__ == "__main__":
    sys.exit(main())
