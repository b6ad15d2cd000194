"""Tests the image with the screen, on a machine that has a display, of which it takes pictures."""

import re
import socket
import time

from world import CONFIGURATION, FIRST_DAY, identity


class Photograph:
    """The picture that a display shows, as QEMU writes it."""

    def __init__(self, content):
        head = re.match(rb"P6\s+(\d+)\s+(\d+)\s+255\s", content)
        self.width, self.height = map(int, head.groups())
        self.pixels = content[head.end() :]

    def colours(self):
        """The number of colours among points of a grid."""
        points = range(0, self.width * self.height, 97)
        return len({self.pixels[3 * i : 3 * i + 3] for i in points})

    def differs(self, other):
        return self.pixels != other.pixels


class Monitor:
    def __init__(self, folder):
        self.path, self.picture = folder / "monitor", folder / "screen.ppm"
        self.options = ["-device", "virtio-gpu-pci,xres=1280,yres=720", "-m", "2048", "-monitor", f"unix:{self.path},server=on,wait=off"]

    def photograph(self):
        self.picture.unlink(missing_ok=True)
        with socket.socket(socket.AF_UNIX) as wire:
            wire.settimeout(20)
            wire.connect(str(self.path))
            wire.sendall(f"screendump {self.picture}\n".encode())
            end = time.monotonic() + 20
            while time.monotonic() < end:
                # The file has its header and all pixels: QEMU writes it in pieces.
                if self.picture.exists() and self.picture.stat().st_size > 1280 * 720 * 3:
                    return Photograph(self.picture.read_bytes())
                time.sleep(0.1)
        raise OSError("the machine gives no picture")


def screen(world):
    if "display" not in world.image.stem:
        print("  only for an image with the screen")
        return
    day = str(FIRST_DAY)
    dhuhr = world.known_dhuhrs()[day]
    disk = world.flash()
    disk.put("adhand.toml", CONFIGURATION.format(name="Before the screen"))
    monitor = Monitor(world.folder)
    world.extra = monitor.options
    machine = world.boot(disk, dhuhr - 7200)
    world.expect("adhand answers", machine.up(150 * world.slow))
    told = "journalctl -b -u adhan-kiosk -u adhan-display --no-pager -o short-monotonic | tail -30"
    shown = world.wait(lambda: "the screen is on the display" in (machine.ask("journalctl -b -u adhan-kiosk --no-pager -o cat") or ""), 300)
    took = time.monotonic() - machine.started
    if not world.expect(f"the screen is on the display {took:.0f} s after power on", shown, machine.ask(told)):
        return
    one = monitor.photograph()
    time.sleep(5 * world.slow)
    two = monitor.photograph()
    (world.kept / "screen-home.ppm").write_bytes(monitor.picture.read_bytes())
    world.expect(f"a board is on it, of {two.colours()} colours, {two.width} by {two.height}", two.colours() > 8 and two.width >= 1280,
                 machine.ask(told))
    world.expect("and its clock goes", one.differs(two))
    world.now(machine, dhuhr - 40)
    called = world.wait(lambda: [e for e in world.history(machine) if e["id"] == identity(day)], 90)
    world.expect("Dhuhr is called", called and called[0]["outcome"] == "played", called)
    three = monitor.photograph()
    (world.kept / "screen-adhan.ppm").write_bytes(monitor.picture.read_bytes())
    world.expect("and the board is still there", three.colours() > 8 and three.differs(two))
    print(f"      the pictures are kept: {world.kept}/screen-*.ppm")
    world.expect("the browser has been started once", machine.ask("systemctl show -P NRestarts adhan-kiosk") == "0", machine.ask(told))
    machine.off()
