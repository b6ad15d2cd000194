"""Boxes with several loudspeakers for trial.py: an adhand, a test sound card for each output, and recordings of them."""
import io
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from datetime import datetime
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent.parent)]
from ends import until  # noqa: E402
from findings import Findings  # noqa: E402
from house import CLOCK  # noqa: E402

CHECKOUT = Path(__file__).resolve().parents[2]
FIXTURES = CHECKOUT / "Tests/PlaybackTests/Fixtures"
RATE = 44100
FRAME = 4

CONFIGURATION = """timezone = "{zone}"
[location]
name = "Trial"
latitude = 21.4
longitude = {longitude}
[adhan]
sound = "{sound}"
enabled = false
[audio]
fade-out = "1s"
[debug]
triggers = true
"""


class Card:
    """A card of Tests/Lab/pcm_lab.c, by its ALSA name."""

    def __init__(self, folder, name):
        self.folder, self.name = folder, name
        self.raw, self.diary = folder / f"{name}.raw", folder / f"{name}.diary"

    @property
    def definition(self):
        return (f'pcm.{self.name} {{ type lab rate {RATE} format S16_LE channels 2 file "{self.raw}" log "{self.diary}"'
                f' fault "{self.folder}/{self.name}.fault" }}\n')

    def set(self, fault):
        whole = self.folder / f"{self.name}.new"
        whole.write_text(fault)
        whole.rename(self.folder / f"{self.name}.fault")

    @property
    def starts(self):
        if not self.diary.exists():
            return []
        return [float(line.split()[1]) for line in self.diary.read_text().splitlines() if line.startswith("start ")]

    @property
    def is_open(self):
        lines = self.diary.read_text().splitlines() if self.diary.exists() else []
        return bool(lines) and lines[-1] != "close"

    def heard(self):
        """The recording since the last `forget`, without the silence around it."""
        return self.raw.read_bytes().strip(b"\0") if self.raw.exists() else b""

    def forget(self):
        for file in (self.raw, self.diary):
            if file.exists():
                os.truncate(file, 0)


class Box:
    """An adhand with outputs, in a folder of its own."""

    def __init__(self, program, names, seconds=4, extra=None):
        self.program = Path(program).resolve()
        self.folder = Path(tempfile.mkdtemp(prefix="outputs-"))
        # Several boxes run at once, so the lines of each are printed together.
        self.findings = Findings(output=io.StringIO())
        self.expect = self.findings.expect
        self.process, self.words = None, {}
        subprocess.run(["gcc", "-shared", "-fPIC", "-O2", "-DPIC", CHECKOUT / "Tests/Lab/pcm_lab.c", "-o",
                        self.folder / "libasound_module_pcm_lab.so", "-lasound"], check=True, timeout=60)
        self.cards = {name: Card(self.folder, name) for name in names}
        head = f'</usr/share/alsa/alsa.conf>\npcm_type.lab {{ lib "{self.folder}/libasound_module_pcm_lab.so" }}\n'
        (self.folder / "asound.conf").write_text(head + "".join(card.definition for card in self.cards.values()))
        # A stream without a length tag may simply be repeated.
        once = (FIXTURES / "cbr64_no_info_tag.mp3").read_bytes()
        self.sound = self.folder / "sound.mp3"
        self.sound.write_bytes(once * max(1, round(seconds / 1.5)))
        self.configure({name: (extra or {}).get(name, "") for name in names})

    def configure(self, outputs, audio=""):
        """- outputs: the keys of each besides its name and device; none: one output from [audio]."""
        hour = time.gmtime().tm_hour
        zone, longitude = f"Etc/GMT{hour - 12:+d}" if hour != 12 else "Etc/GMT", max(-179, min(179, 15 * (12 - hour)))
        text = CONFIGURATION.format(zone=zone, longitude=longitude, sound=self.sound)
        text = text.replace("[audio]\n", "[audio]\n" + audio)
        for name, keys in outputs.items():
            text += f'[[output]]\nname = "{name}"\ndevices = ["{name}"]\n{keys}'
        (self.folder / "adhand.toml").write_text(text)

    def start(self, **environment):
        variables = CLOCK | {"PATH": "/usr/bin:/bin", "ALSA_CONFIG_PATH": str(self.folder / "asound.conf"), **environment}
        with open(self.folder / "log", "a", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                [self.program, "--config", self.folder / "adhand.toml", "--state-dir", self.folder / "state", "--socket", self.folder / "s",
                 "--audio-dir", CHECKOUT / "Resources/audio"], stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=variables)
        self.expect("adhand answers", until(self.answers, 10))
        # The loudness differs before it was measured.
        self.expect("its sound is measured", until(lambda: "measured " in self.log(), 10), self.log())

    def answers(self):
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(5)
            return line.connect_ex(str(self.folder / "s")) == 0

    def end(self):
        if self.process and self.process.poll() is None:
            self.process.terminate()
            try:
                return self.process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait(30)
        return self.process.returncode if self.process else None

    def remove(self):
        self.end()
        shutil.rmtree(self.folder, ignore_errors=True)

    def ctl(self, *words):
        return subprocess.run(["adhanctl", *words, "--socket", str(self.folder / "s")], executable=self.program, capture_output=True,
                              text=True, timeout=30, check=False)

    def trigger(self, prayer, seconds):
        asked = self.ctl("debug", "trigger", prayer, "--in", f"{seconds}s")
        self.expect(f"{prayer} is to come", asked.returncode == 0, asked.stdout + asked.stderr)

    @staticmethod
    def instant(entry):
        """The clock time when an entry of the history was due; only adhand knows when it received the command."""
        return datetime.fromisoformat(entry["scheduled"]).timestamp() if entry else 0

    def status(self):
        return json.loads(self.ctl("status", "--json").stdout or "{}")

    def is_playing(self):
        return self.status().get("playback", {}).get("state") == "playing"

    def history(self):
        file = self.folder / "state/history.jsonl"
        return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []

    def entry(self, count, seconds=20):
        """The entry that makes the history `count` lines long."""
        until(lambda: len(self.history()) >= count, seconds)
        lines = self.history()
        self.expect(f"the history has line {count}", len(lines) >= count, self.log())
        return lines[count - 1] if len(lines) >= count else {}

    def parts(self, entry):
        return {part["name"]: part["outcome"] for part in entry.get("outputs", [])}

    def log(self):
        return (self.folder / "log").read_text()

    def memory_kb(self, kind="VmRSS"):
        """- kind: VmRSS includes the pages of files, RssAnon does not."""
        lines = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith(kind + ":"))

    def threads(self):
        return len(os.listdir(f"/proc/{self.process.pid}/task"))
