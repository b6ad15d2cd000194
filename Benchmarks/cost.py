#!/usr/bin/env python3
"""Measures the processor time of playing a file: the whole daemon beside `mpg123 -o alsa`, at the same time, on the same device.

    cost.py [--bin DIR] [--card ALSA-NAME] [--rounds N] FILE...

Both are counted by the kernel (user + system, every thread that lived meanwhile); the daemon from the request to play until it
says that the sound is over, mpg123 from its start to its end.
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(HERE / "Tests")]
from ends import until  # noqa: E402


def processor_time(pid):
    """The processor seconds of a running process, in nanosecond resolution, from the clock that clock_getcpuclockid(3)
    returns."""
    return time.clock_gettime((~pid << 3) | 2)


class Daemon:
    """An adhand without announcements of its own. It plays FILE as a test of Dhuhr, at the file's own volume."""

    def __init__(self, binaries, card, file, directory):
        self.control = [binaries / "adhanctl", "--socket", directory / "socket"]
        self.log = directory / "log"
        (directory / "adhand.toml").write_text(
            f'timezone = "UTC"\n[location]\nlatitude = 51.5\nlongitude = 0.0\n'
            f'[adhan]\nenabled = false\nvolume = 100\nsound = "{file}"\n[audio]\ndevices = ["{card}"]\n')
        self.process = subprocess.Popen(
            [binaries / "adhand", "--config", directory / "adhand.toml", "--audio-dir", HERE / "Resources/audio",
             "--state-dir", directory / "state", "--socket", directory / "socket"],
            stdout=subprocess.DEVNULL, stderr=self.log.open("w"))
        until(lambda: subprocess.run(self.control + ["next"], capture_output=True, timeout=60).returncode == 0, 10, what="adhand")
        # The cost of starting is not part of the cost of playing.
        time.sleep(1)

    def play(self, seconds):
        before = processor_time(self.process.pid)
        subprocess.run(self.control + ["test-play", "dhuhr"], check=True, capture_output=True, timeout=60)
        return lambda: self.finish(before, seconds)

    def finish(self, before, seconds):
        over = lambda: "test of Dhuhr: " in self.log.read_text()
        until(over, seconds, what="the end of the sound")
        if "finished" not in self.log.read_text():
            sys.exit("cost.py: adhand did not play to the end:\n" + self.log.read_text())
        time.sleep(0.2)
        return processor_time(self.process.pid) - before

    def stop(self):
        self.process.terminate()
        self.process.wait(30)


def mpg123(card, file):
    process = subprocess.Popen(["mpg123", "-q", "-o", "alsa", "-a", card, file])
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit("cost.py: mpg123 failed")
    return usage.ru_utime + usage.ru_stime


def compare(arguments, file):
    with tempfile.TemporaryDirectory() as directory:
        daemon = Daemon(arguments.bin.resolve(), arguments.card, file.resolve(), pathlib.Path(directory))
        try:
            began = time.monotonic()
            finish = daemon.play(seconds=900)
            theirs = mpg123(arguments.card, file)
            length = time.monotonic() - began
            ours = finish()
        finally:
            daemon.stop()
    return length, 1000 * ours, 1000 * theirs


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=pathlib.Path, default=HERE / ".build/release")
    parser.add_argument("--card", default="default")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("files", type=pathlib.Path, nargs="+")
    arguments = parser.parse_args()
    for file in arguments.files:
        rounds = [compare(arguments, file) for _ in range(arguments.rounds)]
        length, ours, theirs = (statistics.median(column) for column in zip(*rounds))
        ratios = [ours / theirs for _, ours, theirs in rounds]
        print(f"processor time of {length:.0f} s of sound: adhand {ours:.0f} ms, mpg123 {theirs:.0f} ms, "
              f"ratio {statistics.median(ratios):.2f} (worst of {len(rounds)}: {max(ratios):.2f})", flush=True)


if __name__ == "__main__":
    main()
