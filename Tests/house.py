"""Helpers of the trials of the bridge, the hooks and the fleet: a folder, programs beside each other, and reports of what was
observed."""
import contextlib
import os
import random
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import ends
from findings import Findings

# A device that takes every sound at once. ALSA's null device does not work here: adhand knows that nobody hears it, and warns as
# soon as an adhan is near.
DEVICE = "file:/dev/null"
given = set()
# The clock of the trials (Tests/clocks.sh), for programs with an environment of their own.
CLOCK = {name: os.environ[name] for name in ("LD_PRELOAD", "CLOCK_AHEAD") if name in os.environ}


def preloaded(library):
    """The value of LD_PRELOAD: a test library beside that clock's."""
    return ":".join([str(library), *filter(None, [CLOCK.get("LD_PRELOAD")])])


class House:
    """The programs of one trial. At its end, those that still run are stopped."""

    def __init__(self, name):
        self.folder = Path(tempfile.mkdtemp(prefix=f"{name}-"))
        self.log = self.folder / "log"
        self.running = []
        self.findings = Findings()
        self.expect = self.findings.expect

    def run(self, *words, **more):
        with open(self.log, "a") as output:
            process = ends.with_trial(subprocess.Popen([str(word) for word in words], stdout=output, stderr=output, **more))
        self.running.append(process)
        return process

    def adhand(self, program, *words):
        (self.folder / "adhand").mkdir(exist_ok=True)
        return self.run(program, "--config", self.folder / "adhand.toml", "--state-dir", self.folder / "adhand", "--socket",
                        self.folder / "s", *words)

    def answers(self):
        """Whether adhand accepts connections."""
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(5)
            return line.connect_ex(str(self.folder / "s")) == 0

    def ctl(self, program, *words):
        return subprocess.run(["adhanctl", *words, "--socket", str(self.folder / "s")], executable=program, capture_output=True, text=True,
                              timeout=30, check=False)

    def end(self):
        """- Returns: the exit status of the trial."""
        for process in self.running:
            if process.poll() is None:
                process.send_signal(18)
                process.kill()
        if self.findings.failures:
            print(self.log.read_text()[-4000:], file=sys.stderr)
        return self.findings.end()


def resident(process):
    """In MB."""
    lines = Path(f"/proc/{process.pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


def wakes(process):
    """The voluntary context switches of the threads that still exist."""
    count = 0
    for file in Path(f"/proc/{process.pid}/task").glob("*/status"):
        try:
            count += next(int(line.split()[1]) for line in file.read_text().splitlines() if line.startswith("voluntary_ctxt_switches"))
        except OSError:
            pass
    return count


def page_reads(process):
    """How often the threads have waited for a file page that the machine had evicted, which is no wake-up."""
    count = 0
    for file in Path(f"/proc/{process.pid}/task").glob("*/stat"):
        try:
            # proc(5), field 12: major faults.
            count += int(file.read_text().rpartition(")")[2].split()[9])
        except OSError:
            pass
    return count


def port():
    """A free loopback port, returned only once. It is below the range that the kernel assigns to connections, because one of
    those could take the port before its owner listens."""
    while True:
        number = random.randrange(10_240, 32_768)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", number))
            if number not in given:
                given.add(number)
                return number


def authority(folder, *names):
    """A temporary CA, `ca.crt`, and a server's `server.crt` and `server.key` for these names."""
    def openssl(*words):
        subprocess.run(["openssl", *map(str, words)], check=True, capture_output=True, timeout=60)

    (folder / "names").write_text("subjectAltName=" + ",".join(f"DNS:{name}" for name in names) + "\n")
    for name in ("ca", "server"):
        openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", folder / f"{name}.key")
    openssl("req", "-x509", "-new", "-key", folder / "ca.key", "-days", "2", "-subj", "/CN=Trial CA", "-out", folder / "ca.crt")
    openssl("req", "-new", "-key", folder / "server.key", "-subj", "/CN=Trial server", "-out", folder / "server.csr")
    openssl("x509", "-req", "-in", folder / "server.csr", "-CA", folder / "ca.crt", "-CAkey", folder / "ca.key", "-CAcreateserial", "-days",
            "2", "-extfile", folder / "names", "-out", folder / "server.crt")
