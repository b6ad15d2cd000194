"""Devices that the kernel simulates: a GPIO chip, a television, keys."""
import fcntl
import os
import struct
import subprocess
import time
from pathlib import Path

CHIPS = Path("/sys/kernel/config/gpio-sim")


def run(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, timeout=60)
    return done.stdout


class Chip:
    """Eight lines. `pull` sets a line from outside, `value` is its present level."""

    def __init__(self, name):
        self.folder = CHIPS / name
        (self.folder / "bank0").mkdir(parents=True)
        (self.folder / "bank0/num_lines").write_text("8")
        (self.folder / "bank0/label").write_text(name)
        self.come()

    def come(self):
        (self.folder / "live").write_text("1")
        run("udevadm", "settle")

    def go(self):
        (self.folder / "live").write_text("0")

    @property
    def path(self):
        return "/dev/" + (self.folder / "bank0/chip_name").read_text().strip()

    def line(self, number):
        return Path("/sys/devices/platform") / (self.folder / "dev_name").read_text().strip() / Path(self.path).name / f"sim_gpio{number}"

    def value(self, number):
        return int((self.line(number) / "value").read_text())

    def pull(self, number, up):
        (self.line(number) / "pull").write_text("pull-up" if up else "pull-down")

    def hold(self, number, name):
        """Another program that uses a line for as long as the descriptor is open."""
        chip = os.open(self.path, os.O_RDWR)
        request = bytearray(592)
        struct.pack_into("<I", request, 0, number)
        request[256:256 + len(name)] = name.encode()
        struct.pack_into("<Q", request, 288, 4)
        struct.pack_into("<I", request, 560, 1)
        fcntl.ioctl(chip, 0xC250B407, request)
        os.close(chip)
        return struct.unpack_from("<i", request, 588)[0]


    def hold_is_refused(self, number):
        """Whether a program holds the line."""
        try:
            os.close(self.hold(number, "look"))
            return False
        except OSError:
            return True


class Keys:
    """A device with keys, made with uinput."""

    def __init__(self, name, codes):
        self.device = os.open("/dev/uinput", os.O_WRONLY | os.O_NONBLOCK)
        fcntl.ioctl(self.device, 0x40045564, 1)  # UI_SET_EVBIT, EV_KEY
        for code in codes:
            fcntl.ioctl(self.device, 0x40045565, code)  # UI_SET_KEYBIT
        setup = struct.pack("<HHHH80sI", 3, 1, 1, 1, name.encode(), 0)
        fcntl.ioctl(self.device, 0x405C5503, setup)  # UI_DEV_SETUP
        fcntl.ioctl(self.device, 0x5501)  # UI_DEV_CREATE
        self.name = name
        run("udevadm", "settle")
        time.sleep(0.5)

    @property
    def path(self):
        for entry in Path("/sys/class/input").glob("event*"):
            if (entry / "device/name").read_text().strip() == self.name:
                return f"/dev/input/{entry.name}"
        return None

    def _write(self, code, value):
        os.write(self.device, struct.pack("<qqHHi", 0, 0, 1, code, value) + struct.pack("<qqHHi", 0, 0, 0, 0, 0))

    def press(self, code, seconds):
        self._write(code, 1)
        time.sleep(seconds)
        self._write(code, 0)

    def go(self):
        os.close(self.device)


class Television:
    """The other end of an HDMI cable: a CEC follower that answers as a television does."""

    def __init__(self):
        run("modprobe", "vivid", "n_devs=1")
        run("udevadm", "settle")
        adapters = {path: run("cec-ctl", "-d", path) for path in sorted(str(path) for path in Path("/dev").glob("cec*"))}
        self.seen = adapters
        self.screen = next((path for path, text in adapters.items() if "vid-cap" in text), None)
        self.path = next((path for path, text in adapters.items() if "vid-out" in text), None)
        if not self.screen or not self.path:
            return
        for entry in sorted(Path("/dev").glob("video*")):
            run("v4l2-ctl", "-d", str(entry), "-i", "3", "--set-edid=pad=0,type=hdmi")
        run("cec-ctl", "-d", self.screen, "--tv", "--phys-addr=0.0.0.0")
        self.follower = subprocess.Popen(["cec-follower", "-d", self.screen, "-s"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(2)

    def ask(self, *words):
        return run("cec-ctl", "-d", self.path, "--playback", "-s", "--to", "0", *words)

    def is_on(self):
        """True, False, or None if it does not answer."""
        text = self.ask("--give-device-power-status")
        return True if "pwr-state: on (" in text else False if "standby" in text else None

    def standby(self):
        self.ask("--standby")
