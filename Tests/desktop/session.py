#!/usr/bin/env python3
"""Tests that adhand inside a session plays on while its PipeWire, with two outputs, is switched, suspended and killed. `make
session-rig` runs it.

usage: session.py BUILD-DIRECTORY

While an adhan plays, the output is switched, the server is stopped for three seconds as by a debugger, and killed and started
again. What each output sounded is recorded, and held against what may be missing.
"""
import array
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import wave

from rig import expect, findings
from ends import until

BUILD = pathlib.Path(sys.argv[1]).resolve()
ROOT = pathlib.Path(__file__).resolve().parents[2]
ADHAND, ADHANCTL = BUILD / "adhand", BUILD / "adhanctl"
RATE = 8000

SINKS = """
context.properties = { support.dbus = false }
context.objects = [
  { factory = adapter args = { factory.name = support.null-audio-sink node.name = first media.class = Audio/Sink
    audio.position = [ FL FR ] object.linger = true priority.session = 2000 } }
  { factory = adapter args = { factory.name = support.null-audio-sink node.name = second media.class = Audio/Sink
    audio.position = [ FL FR ] object.linger = true priority.session = 1000 } }
]
"""
PLACE = """
timezone = "America/New_York"
[location]
name = "Queens"
latitude = 40.7282
longitude = -73.7949
[adhan]
sound = "tone"
"""


def alsa_through_pipewire(folder):
    """An ALSA configuration with PipeWire as its default device. The package pipewire-alsa is only unpacked: installed, it
    would make PipeWire the default of every program on this machine, also of the other tests."""
    subprocess.run(["apt-get", "download", "-qq", "pipewire-alsa"], cwd=folder, check=True, stderr=subprocess.DEVNULL, timeout=300)
    package = next(folder.glob("pipewire-alsa_*.deb"))
    subprocess.run(["dpkg-deb", "-x", package, folder / "alsa"], check=True, timeout=60)
    plugin = next((folder / "alsa").rglob("libasound_module_pcm_pipewire.so"))
    file = folder / "asound.conf"
    file.write_text(
        f'</usr/share/alsa/alsa.conf>\npcm_type.pipewire {{ lib "{plugin}" }}\npcm.!default {{ type pipewire }}\n')
    return str(file)


class Session:
    def __init__(self):
        self.home = tempfile.TemporaryDirectory()
        home = self.path = pathlib.Path(self.home.name)
        for name in ("run", "config/pipewire/pipewire.conf.d", "config/adhand", "state"):
            (home / name).mkdir(parents=True)
        (home / "run").chmod(0o700)
        (home / "config/pipewire/pipewire.conf.d/out.conf").write_text(SINKS)
        (home / "config/adhand/adhand.toml").write_text(PLACE)
        self.environment = {
            "PATH": "/usr/bin:/bin:/usr/sbin", "HOME": str(home), "XDG_RUNTIME_DIR": str(home / "run"),
            "XDG_CONFIG_HOME": str(home / "config"), "XDG_STATE_HOME": str(home / "state"), "LC_ALL": "C.UTF-8",
            "ALSA_CONFIG_PATH": alsa_through_pipewire(home)}
        self.processes, self.server, self.recorders = [], [], {}

    def start(self, *command, output=subprocess.DEVNULL):
        return subprocess.Popen([str(word) for word in command], env=self.environment, stdout=output, stderr=output)

    def start_server(self):
        self.server = [self.start("pipewire")]
        until(lambda: (self.path / "run/pipewire-0").exists())
        self.server += [self.start("dbus-run-session", "--", "wireplumber"), self.start("pipewire-pulse")]
        expect("PipeWire has two outputs", until(lambda: "second" in self.ask("pactl", "list", "short", "sinks")))
        time.sleep(1)

    def kill_server(self):
        for process in self.server:
            process.kill()
            process.wait(30)
        for name in ("pipewire-0", "pipewire-0.lock"):
            (self.path / "run" / name).unlink(missing_ok=True)

    def ask(self, *command):
        return subprocess.run([str(word) for word in command], env=self.environment, capture_output=True, text=True, timeout=60).stdout

    def record(self, sink, name):
        file = self.path / f"{name}.wav"
        self.recorders[name] = self.start(
            "parec", f"--device={sink}.monitor", f"--rate={RATE}", "--channels=1", "--format=s16le",
            "--latency-msec=50", "--file-format=wav", file)

    def heard(self, name):
        """Seconds of sound, in quarters of a second."""
        recorder = self.recorders.pop(name)
        recorder.send_signal(signal.SIGINT)
        recorder.wait(30)
        with wave.open(str(self.path / f"{name}.wav")) as file:
            samples = array.array("h", file.readframes(10**9))
        step = RATE // 4
        loud = [max(map(abs, samples[at:at + step]), default=0) > 300 for at in range(0, len(samples), step)]
        print(f"     {name}: {''.join('#' if is_loud else '.' for is_loud in loud)}")
        return sum(loud) / 4

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in list(self.recorders.values()) + self.processes + self.server:
            process.kill()
            process.wait(30)
        self.home.cleanup()


with Session() as session:
    session.start_server()
    log = open(session.path / "adhand.log", "w")
    session.processes.append(session.start(ADHAND, "--audio-dir", ROOT / "Resources/audio", output=log))
    expect("adhand answers", until(lambda: "Fajr" in session.ask(ADHANCTL, "next")))
    tone = session.path / "tone.mp3"
    tone.write_bytes((ROOT / "Tests/PlaybackTests/Fixtures/cbr64_no_info_tag.mp3").read_bytes() * 60)
    session.ask(ADHANCTL, "sound", "add", tone, "--name", "tone")
    expect("the outputs sleep", "SUSPENDED" in session.ask("pactl", "list", "short", "sinks"))

    session.record("first", "first")
    time.sleep(0.5)
    expect("an adhan begins on a sleeping output", "playing what" in session.ask(ADHANCTL, "test-play", "asr"))
    time.sleep(3)
    expect("the first output has it", session.heard("first") >= 2)
    # A recorder of the default output would follow the switch, so the trial looks at the links.
    session.ask("pactl", "set-default-sink", "second")
    expect("the second output has it after the switch",
           until(lambda: "second:playback_FL" in session.ask("pw-link", "-l").split("ALSA Playback:output_FL")[-1]))
    session.record("second", "second")
    time.sleep(4)
    os.kill(session.server[0].pid, signal.SIGSTOP)
    time.sleep(3)
    os.kill(session.server[0].pid, signal.SIGCONT)
    time.sleep(5)
    expect("it plays on after the server stood still", "playing" in session.ask(ADHANCTL, "status"))
    expect("it is heard after the switch, and again after the server stood still", session.heard("second") >= 6)

    session.kill_server()
    time.sleep(2)
    session.start_server()
    session.record("first", "first")
    session.record("second", "second")
    time.sleep(6)
    expect("it plays on after the server was killed", "playing" in session.ask(ADHANCTL, "status"))
    expect("it is heard again through the new server", session.heard("first") + session.heard("second") >= 4)
    session.ask(ADHANCTL, "stop")
    expect("a stop ends it", until(lambda: "ended by adhanctl stop" in (session.path / "adhand.log").read_text()))
    print((session.path / "adhand.log").read_text())

sys.exit(findings.end())
