#!/usr/bin/env python3
"""Tests that the image would boot on a Raspberry Pi 5, which QEMU does not emulate: its bootloader finds its files on the card,
and its kernel has a driver for each device of the device tree, for both steppings of the chip. The drivers of the memory card and
of its dependencies must be in the initramfs.

usage: pi5.py IMAGE
"""

import lzma
import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

from machine import Disk, run
from world import World

TREE = "bcm2712-rpi-5-b.dtb"
# The properties that hold references to other nodes, and the property of the target that says how many arguments follow.
SUPPLIERS = {"clocks": "#clock-cells", "resets": "#reset-cells", "mboxes": "#mbox-cells", "power-domains": "#power-domain-cells",
             "phys": "#phy-cells",
    "interrupts-extended": "#interrupt-cells", "interrupt-parent": None, "msi-parent": None, "mmc-pwrseq": None}
# Devices that need no driver here: the processors, a timer that this kernel does not use, and the port of Bluetooth.
UNDRIVEN = {"arm,cortex-a76", "brcm,bcm2835-system-timer", "brcm,bcm7271-uart"}
# Some modules match devices by names that no alias list contains; others are loaded by other means than the device tree.
KNOWING = {"vc4": "drivers/gpu/drm/vc4/vc4.ko.xz", "brcmfmac": "drivers/net/wireless/broadcom/brcm80211/brcmfmac/brcmfmac.ko.xz"}
OTHERS = {"bcm2835_wdt", "snd_usb_audio"}
NEEDED = {"memory card": r"/mmc@fff000$", "wireless network": r"/wifi@1$", "network": r"/ethernet@\w+$", "USB": r"/usb@\w+$",
          "watchdog": r"/watchdog@\w+$",
    "screen": r"/hdmi@\w+$", "chip behind network and USB": r"/dev@0,0$"}


class Tree:
    """The nodes of a device tree with their properties, by path."""

    def __init__(self, blob):
        at, texts = struct.unpack(">II", blob[8:16])
        self.nodes, path = {}, []
        while True:
            (token,) = struct.unpack(">I", blob[at:at + 4])
            at += 4
            if token == 1:
                end = blob.index(b"\0", at)
                path.append(blob[at:end].decode())
                self.nodes["/".join(path)] = {}
                at = end + 4 & ~3
            elif token == 2:
                path.pop()
            elif token == 3:
                size, name = struct.unpack(">II", blob[at:at + 8])
                key = blob[texts + name:blob.index(b"\0", texts + name)].decode()
                self.nodes["/".join(path)][key] = blob[at + 8:at + 8 + size]
                at = at + 8 + size + 3 & ~3
            elif token == 9:
                break
        self.by_number = {node["phandle"]: path for path, node in self.nodes.items() if "phandle" in node}

    def compatible(self, path):
        return [word for word in self.nodes[path].get("compatible", b"").decode().split("\0") if word]

    def is_on(self, path):
        above = ["/".join(path.split("/")[:count]) for count in range(1, path.count("/") + 2)]
        return all(self.nodes[one].get("status", b"okay\0") in (b"okay\0", b"ok\0") for one in above)

    def devices(self):
        """The devices that are enabled and need a driver."""
        return [path for path in self.nodes if path.count("/") and self.compatible(path) and self.is_on(path)]

    def suppliers(self, path):
        """The devices that this one depends on."""
        node, found = self.nodes[path], set()
        for key, value in node.items():
            cells = "#gpio-cells" if re.fullmatch(r"(.*-)?gpios?", key) else SUPPLIERS.get(key)
            if cells or key in SUPPLIERS or re.fullmatch(r".*-supply|pinctrl-\d+", key):
                at = 0
                while at < len(value):
                    supplier = self.by_number.get(value[at:at + 4])
                    at += 4
                    if supplier:
                        found.add(supplier)
                        at += 4 * int.from_bytes(self.nodes[supplier].get(cells, b"") if cells else b"", "big")
        # A pin group has no driver of its own, and depends on that of its parent.
        for one in [path, *found]:
            found |= {"/".join(one.split("/")[:count]) for count in range(2, one.count("/") + 1)}
        return {one for one in found if self.compatible(one)}

    def needed_by(self, path):
        needed, waiting = set(), [path]
        while waiting:
            one = waiting.pop()
            if one not in needed:
                needed.add(one)
                waiting += self.suppliers(one)
        return needed


def files_of(initramfs):
    """The file names in an initramfs: plain, compressed, or several archives in a row."""
    blob, names, at = initramfs.read_bytes(), [], 0
    while at < len(blob):
        if blob[at:at + 4] == b"\x28\xb5\x2f\xfd":
            blob, at = subprocess.run(["zstd", "-dcq"], input=blob[at:], stdout=subprocess.PIPE, check=True, timeout=60).stdout, 0
        elif blob[at:at + 6] == b"070701":
            size, length = int(blob[at + 54:at + 62], 16), int(blob[at + 94:at + 102], 16)
            names.append(blob[at + 110:at + 109 + length].decode())
            at = (at + 110 + length + 3 & ~3) + (size + 3 & ~3)
        elif blob[at] == 0:
            at += 1
        else:
            raise ValueError(f"{initramfs}: {blob[at:at + 8]!r} at {at}")
    return names


def plain(name):
    """The canonical name of a module, from a file name or an alias."""
    return re.sub(r"\.ko(\.\w+)?$", "", name.rsplit("/", 1)[-1]).replace("-", "_")


def settings(config, *filters):
    """The settings of config.txt for a machine, as its firmware reads them: the last one counts."""
    options, on = {}, True
    for line in config.splitlines():
        if line.startswith("["):
            on = line.strip("[]") in (*filters, "all")
        elif on and "=" in line and not line.startswith("#"):
            key, value = line.split("=", 1)
            options[key.strip()] = value.strip()
    return options


class Kernel:
    """A kernel of the card: its release, the modules of the root and those of its initramfs."""

    def __init__(self, disk, folder, kernel, initramfs):
        disk.extract(kernel, folder / kernel)
        disk.extract(initramfs, folder / initramfs)
        self.image = (folder / kernel).read_bytes()
        self.release = re.search(rb"Linux version (\S+) \(", self.image).group(1).decode()
        self.files = files_of(folder / initramfs)
        modules = f"usr/lib/modules/{self.release}"
        offset = disk.partitions()[1][0]
        run("unsquashfs", "-q", "-n", "-f", "-o", str(offset), "-d", folder / "root", disk.path, f"{modules}/modules.alias",
            f"{modules}/modules.dep", *(f"{modules}/kernel/{name}" for name in KNOWING.values()))
        self.knowing = {name: lzma.open(folder / "root" / modules / "kernel" / path).read() for name, path in KNOWING.items()}
        self.aliases = []
        for line in (folder / "root" / modules / "modules.alias").read_text().splitlines():
            _, alias, *_, module = line.split(" ")
            if alias.startswith("of:"):
                self.aliases.append((alias.split("C", 1)[1].removesuffix("C*"), module))
            elif alias.startswith("pci:v0000"):
                self.aliases.append((f"pci{alias[9:13].lower()},{alias[18:22].lower().lstrip('0')}", module))
        self.depends = {}
        for line in (folder / "root" / modules / "modules.dep").read_text().splitlines():
            name, needs = line.split(":")
            self.depends[plain(name)] = [plain(one) for one in needs.split()]
        self.early = {plain(name) for name in self.files if ".ko" in name and f"/{self.release}/" in name}

    def can_start(self):
        """Whether a bootloader without EFI can start the image, which must be neither compressed nor only for EFI."""
        return self.image[56:60] == b"ARM\x64" and self.image[4:8] != b"zimg"

    def driver(self, words):
        """The module for a device; "" if the driver is built in; None if there is none."""
        for word in words:
            found = [module for alias, module in self.aliases if alias == word]
            if found:
                return plain(found[0])
            if word.encode() + b"\0" in self.image:
                return ""
            for name, module in self.knowing.items():
                if word.encode() + b"\0" in module:
                    return name
        return None

    def missing(self, module):
        """The parts of a module and of its dependencies that the initramfs lacks."""
        return [one for one in [module, *self.depends.get(module, [])] if module and one not in self.early]


def raspi5(world):
    """The files that a Pi 5 would find on the card."""
    if world.architecture != "arm64":
        print("  only for arm64")
        return
    disk, folder = Disk(world.image), world.folder
    options = settings(disk.get("config.txt"), "pi5")
    names = not {"kernel", "initramfs", "os_prefix", "device_tree", "cmdline"} & set(options)
    world.expect("config.txt leaves kernel, initramfs and device tree to their names",
                 names and options["auto_initramfs"] == options["arm_64bit"] == "1", options)
    kernel, other = Kernel(disk, folder, "kernel_2712.img", "initramfs_2712"), Kernel(disk, folder, "kernel8.img", "initramfs8")
    for name, one in (("a Pi 5", kernel), ("a Pi 3 and 4", other)):
        world.expect(f"the kernel for {name} is {one.release}, and starts without EFI", one.can_start(), one.image[:64])
        script = "scripts/local-bottom/adhan-box"
        world.expect(f"its initramfs is for it, {len(one.early)} modules, and puts a box together", one.early and script in one.files
            and not one.missing("squashfs") and not one.missing("overlay"), one.files[:9])
    world.expect(f"and has {', '.join(sorted(OTHERS))}", set(kernel.depends) >= OTHERS)
    # The kernel's PCI Express driver waits for these, but no longer than ten seconds.
    late = [one for module in ("irq_bcm2712_mip", "rp1_pci") for one in kernel.missing(module)]
    world.expect("its initramfs has what network and USB come through", not late, late)
    disk.extract(TREE, folder / "c0.dtb")
    disk.extract("overlays/bcm2712d0.dtbo", folder / "d0.dtbo")
    run("fdtoverlay", "-i", folder / "c0.dtb", "-o", folder / "d0.dtb", folder / "d0.dtbo")
    for stepping in "c0", "d0":
        tree = Tree((folder / f"{stepping}.dtb").read_bytes())
        world.expect(f"{stepping}: the bootloader takes {TREE} for one of its own", "brcm,bcm2712" in tree.compatible(""),
                     tree.compatible(""))
        drivers = {path: kernel.driver(tree.compatible(path)) for path in tree.devices()}
        lone = [f"{path} {tree.compatible(path)}" for path,
                driver in drivers.items() if driver is None and not UNDRIVEN & set(tree.compatible(path))]
        world.expect(f"{stepping}: each of {len(drivers)} devices has a driver", not lone, "\n".join(lone))
        for name, pattern in NEEDED.items():
            paths = [path for path in drivers if re.search(pattern, path)]
            world.expect(f"{stepping}: {name}: {', '.join(sorted({drivers[path] or 'built in' for path in paths}))}", paths)
        cards = [path for path in drivers if re.search(NEEDED["memory card"], path)]
        late = {path: kernel.missing(drivers.get(path)) for card in cards for path in tree.needed_by(card)}
        world.expect(f"{stepping}: the card's {len(late)} devices are there before the root is", late and not any(late.values()), late)


def main():
    image = Path(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="adhan-pi5-") as folder:
        world = World(image, "arm64", Path(folder), Path(folder))
        raspi5(world)
    return world.findings.end()


if __name__ == "__main__":
    sys.exit(main())
