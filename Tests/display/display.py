"""adhan-display before a fake daemon, for the tests of the page."""
import contextlib
import json
import os
import re
import struct
import subprocess
import sys
import time
import urllib.request
import zlib
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent.parent)]
import ends  # noqa: E402
from clock import Clock  # noqa: E402

HERE = Path(__file__).parent
PAGE = HERE.parent.parent / "Resources/display/page"
# The expression that a browser evaluates in the page, without the comment before it.
PROBE = "(() =>" + (HERE / "probe.js").read_text().partition("(() =>")[2]


def png(width, height, colour):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = (b"\0" + bytes(colour) * width) * height
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR",
                                         struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(rows))
            + chunk(b"IEND", b""))


# Passes two sockets as systemd does: a TCP socket, and the launcher's Unix socket, whose path is argument 1.
LISTENERS = """
import os, socket, sys
listeners = [socket.create_server(("127.0.0.1", 0)), socket.socket(socket.AF_UNIX)]
listeners[1].bind(sys.argv[1])
os.chmod(sys.argv[1], 0o666)
listeners[1].listen(64)
for index, number in enumerate([os.dup2(listener.fileno(), 20 + index) for index, listener in enumerate(listeners)]):
    os.dup2(number, 3 + index)
    os.close(number)
os.environ.update(LISTEN_FDS="2", LISTEN_PID=str(os.getpid()), LISTEN_FDNAMES="display:display")
os.execv(sys.argv[2], sys.argv[2:])
"""


class Display:
    """adhan-display before a fake daemon, at ten in the morning."""

    def __init__(self, program, folder, config="", port=0, page=PAGE, launcher=None, has_daemon=True, options=()):
        path = self.path = folder + "/control.sock"
        self.clock = Clock(folder)
        self.environment = environment = os.environ | self.clock.environment
        self.daemon = None
        if has_daemon:
            self.start_daemon()
        command = [program, "--socket", path, "--listen", f"127.0.0.1:{port}", "--preview", "--page-dir", str(page)]
        # The settings must never be those of this machine's /etc/adhand.
        Path(folder, "display.toml").write_text(config)
        command += ["--config", folder + "/display.toml", *options]
        if launcher:
            command = [sys.executable, "-c", LISTENERS, launcher] + command
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment)
        line = ends.line(self.process.stderr, "adhan-display")
        found = re.search(r"http://\S+/", line)
        if not found:
            raise SystemExit(f"adhan-display does not start: {line}\n{self.process.stderr.read()}")
        self.url = found.group()

    def start_daemon(self):
        self.daemon = subprocess.Popen([sys.executable, str(HERE / "fake_adhand.py"), self.path], stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE, text=True, env=self.environment)
        ends.line(self.daemon.stdout, "fake_adhand.py")

    def say(self, **change):
        self.daemon.stdin.write(json.dumps(change) + "\n")
        self.daemon.stdin.flush()

    def close(self):
        for process in filter(None, (self.process, self.daemon)):
            process.terminate()
            process.wait(10)


def has_slides(display, count):
    """The slides are read when adhand has answered for the first time."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        with contextlib.suppress(OSError, KeyError):
            if len(json.load(urllib.request.urlopen(display.url + "state.json", timeout=5))["slides"]) == count:
                return
        time.sleep(0.05)
    raise SystemExit("adhan-display does not find its slides")
