"""adhand as a program under test, and a client on its socket."""

import json
import os
import signal
import socket
import subprocess
import time
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent.parent
# Half a second of sound on a card that plays at double speed, so it ends before the next announcement needs the card. Double
# speed is the limit: adhand refills its queue of 0.3 s after a third of it, and a card at triple speed would run dry by then.
# (That never shows when the next announcement already waits, because then the queue is short.)
SOUND, CARD_SPEED = CHECKOUT / "Tests/PlaybackTests/Fixtures/short_half_second.mp3", 2

ALSA = """
</usr/share/alsa/alsa.conf>
pcm_type.lab {{ lib "{directory}/libasound_module_pcm_lab.so" }}
pcm.card {{ type lab  file "/dev/null"  log "{directory}/diary"  fault "{directory}/fault"  speed {speed} }}
pcm.!default {{ type plug  slave.pcm card }}
"""

CONFIGURATION = """
timezone = "Asia/Riyadh"
[location]
name = "Test Island"
latitude = 0.0
longitude = 45.0
[calculation]
method = "isna"
[adhan]
sound = "{sound}"
enabled = false
[debug]
triggers = true
"""


class Caller:
    """A persistent connection that speaks Varlink."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(30)
        self.socket.connect(path)
        self.rest = b""

    def send(self, method, parameters=None, **flags):
        call = {"method": f"org.adhand.Control.{method}", "parameters": parameters or {}, **flags}
        self.socket.sendall(json.dumps(call).encode() + b"\0")

    def receive(self):
        while b"\0" not in self.rest:
            received = self.socket.recv(1 << 16)
            if not received:
                raise ConnectionError("adhand has closed the connection")
            self.rest += received
        message, _, self.rest = self.rest.partition(b"\0")
        return json.loads(message)

    def call(self, method, parameters=None):
        self.send(method, parameters)
        return self.receive()

    def close(self):
        self.socket.close()


class Adhand:
    """The program under test, in a directory of its own."""

    def __init__(self, release, directory):
        self.directory = directory
        self.socket = f"{directory}/s"
        subprocess.run(
            [
                "gcc",
                "-shared",
                "-fPIC",
                "-O2",
                "-DPIC",
                CHECKOUT / "Tests/Lab/pcm_lab.c",
                "-o",
                f"{directory}/libasound_module_pcm_lab.so",
                "-lasound",
            ],
            check=True,
            timeout=60,
        )
        audio = CHECKOUT / "Resources/audio"
        Path(directory, "asound.conf").write_text(
            ALSA.format(directory=directory, speed=CARD_SPEED), encoding="utf-8"
        )
        Path(directory, "adhand.toml").write_text(CONFIGURATION.format(sound=SOUND), encoding="utf-8")
        self.log = open(f"{directory}/log", "wb")
        self.process = subprocess.Popen(
            [
                release / "adhand",
                "--config",
                f"{directory}/adhand.toml",
                "--state-dir",
                f"{directory}/state",
                "--socket",
                self.socket,
                "--audio-dir",
                audio,
            ],
            stderr=self.log,
            stdin=subprocess.DEVNULL,
            env={
                "PATH": "/usr/bin:/bin",
                "ALSA_CONFIG_PATH": f"{directory}/asound.conf",
                "ADHAND_LOG": "warning",
            },
        )
        end = time.monotonic() + 10
        while not os.path.exists(self.socket):
            if self.process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(Path(directory, "log").read_text(encoding="utf-8"))
            time.sleep(0.05)

    def proc(self, name):
        return Path(f"/proc/{self.process.pid}/{name}")

    def resident_kb(self):
        return int(self.proc("statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 1024

    def descriptors(self):
        return len(os.listdir(self.proc("fd")))

    def threads(self):
        return len(os.listdir(self.proc("task")))

    def wakeups(self):
        """The voluntary context switches of the threads, which is how often they were woken."""
        total = 0
        for task in self.proc("task").iterdir():
            for line in (task / "status").read_text().splitlines():
                if line.startswith("voluntary_ctxt_switches"):
                    total += int(line.split()[1])
        return total

    def processor_seconds(self):
        fields = self.proc("stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def history(self):
        with open(f"{self.directory}/state/history.jsonl", encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    def starts(self):
        """The times at which the card began to play, from its own log."""
        with open(f"{self.directory}/diary", encoding="utf-8") as file:
            return [float(line.split()[1]) for line in file if line.startswith("start ")]

    def end(self):
        """Whether it ended without an error."""
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(timeout=10) == 0
        except subprocess.TimeoutExpired:
            self.process.kill()
            return False
