#!/usr/bin/env python3
"""Tests that the browser's taps on the display still work while other users of this machine call their port without end or hold
it silently, and that nobody can take the display's address when it becomes free. The port 8789 must be free.

usage: touch.py DIRECTORY-OF-PROGRAMS     As root, so that other users can be tried."""
import contextlib
import json
import os
import re
import resource
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from display import Server, expect, findings  # noqa: E402
from ends import until  # noqa: E402

STRANGER = 65534
RINGER = """
import os, socket, sys, time
os.setuid(int(sys.argv[1]))
held, calls, end = [], 0, time.monotonic() + float(sys.argv[3])
while time.monotonic() < end:
    try:
        one = socket.socket()
        one.settimeout(2)
        one.connect(("127.0.0.1", 8789))
        calls += 1
        if sys.argv[2] == "silent":
            held.append(one)
            held = held[-12:]
            time.sleep(0.01)
        else:
            one.sendall(b"POST /touch HTTP/1.1\\r\\nHost: 127.0.0.1:8789\\r\\n\\r\\n")
            one.close()
    except OSError:
        time.sleep(0.001)
print(calls)
"""


class Helper:
    """adhan-touch.socket: a process for each connection."""

    def __init__(self, program, folder):
        self.started = 0
        self.path = folder + "/touch.sock"
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(self.path)
        self.listener.listen(64)
        environment = {"ADHAND_SOCKET": folder + "/s", "ADHAN_TOUCH_SECRET": folder + "/run/touch",
                       "ADHAN_DISPLAY_CONFIG": folder + "/display.toml",
                       **{name: os.environ[name] for name in ("LD_LIBRARY_PATH",) if name in os.environ}}
        threading.Thread(target=self.serve, args=(program, environment), daemon=True).start()

    def serve(self, program, environment):
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self.listener.accept()
                self.started += 1
                subprocess.Popen([program], stdin=connection, stdout=connection, env=environment)
                connection.close()


class Kiosk:
    """The launcher with a compositor and a browser that only wait."""

    def __init__(self, programs, folder, server, helper):
        run = Path(folder, "run")
        run.mkdir(exist_ok=True)
        waiting = Path(folder, "bin/waiting-compositor")
        waiting.parent.mkdir(exist_ok=True)
        waiting.write_text("#!/bin/sh\nexec sleep 600\n")
        waiting.chmod(0o755)
        self.log = Path(folder, "kiosk.log")
        self.process = subprocess.Popen(
            [programs + "/adhan-kiosk", "--port", str(server.port), "--server", server.launcher, "--touch", helper.path, "--browser",
             "true", "--config", folder + "/display.toml", waiting.name],
            env=os.environ | {"RUNTIME_DIRECTORY": str(run), "PATH": f"{waiting.parent}:{os.environ['PATH']}"}, stderr=open(self.log, "w"))

    def said(self):
        return self.log.read_text()

    def close(self):
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(10)


def tap(secret, port):
    """The answer, and the time that it took."""
    body = json.dumps({"token": secret, "do": "status"})
    began = time.monotonic()
    with contextlib.suppress(OSError), contextlib.closing(socket.create_connection(("127.0.0.1", 8789), 3)) as one:
        one.sendall(
            (f"POST /touch HTTP/1.1\r\nHost: 127.0.0.1:8789\r\nOrigin: http://127.0.0.1:{port}\r\nContent-Length: {len(body)}\r\n\r\n"
             + body).encode())
        text = b""
        while chunk := one.recv(4096):
            text += chunk
        return text.startswith(b"HTTP/1.1 200"), time.monotonic() - began
    return False, time.monotonic() - began


def taps(page, count):
    answers = [tap(*page) for _ in range(count)]
    return sum(ok for ok, _ in answers), max(seconds for _, seconds in answers)


def under_strangers(page, helper, kinds, what):
    before = helper.started
    ringers = [subprocess.Popen([sys.executable, "-c", RINGER, str(STRANGER), kind, "4"], stdout=subprocess.PIPE, text=True)
               for kind in kinds]
    time.sleep(0.7)
    done, slowest = taps(page, 10)
    expect(f"{what}: {done} of 10 taps answered, the slowest in {slowest:.2f} s", done == 10)
    calls = [int(ringer.communicate(timeout=30)[0] or 0) for ringer in ringers]
    expect(f"  among {sum(calls)} calls of theirs", min(calls) > 20)
    expect(f"  and no process but the ten taps' own was started ({helper.started - before})", helper.started - before == 10)


def impostor(server, kiosk):
    """The whole server is stopped, as by systemctl stop, and a stranger takes its port."""
    server.process.kill()
    server.process.wait(30)
    os.unlink(server.launcher)
    stranger = subprocess.Popen(
        [sys.executable, "-c", "import os, socket, sys, time\nos.setuid(int(sys.argv[1]))\n"
         "s = socket.create_server(('127.0.0.1', int(sys.argv[2])))\ns.settimeout(20)\n"
         "while True:\n c = s.accept()[0]\n print(c.recv(4096), flush=True)\n c.close()", str(STRANGER), str(server.port)],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        expect("another program on the screen's port ends the session", until(lambda: kiosk.process.poll() is not None, 12))
        expect("  and the journal says why", "another program answers" in kiosk.said())
        return stranger
    finally:
        if findings.failures:
            stranger.kill()


def main():
    if os.geteuid() != 0:
        print("skipped: only root can call as another user")
        return 0
    programs = os.path.abspath(sys.argv[1])
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(limit[1], 8192), limit[1]))
    with tempfile.TemporaryDirectory(prefix="hostile-") as folder:
        server = Server(programs + "/adhan-display", folder)
        with open(folder + "/display.toml", "a") as settings:
            settings.write("[touch]\nenabled = true\n")
        helper = Helper(programs + "/adhan-touch", folder)
        kiosk = Kiosk(programs, folder, server, helper)
        others = []
        try:
            page = Path(folder, "run/start.html")
            expect("the session has a secret for taps", until(page.exists, 10) and "#touch=" in page.read_text())
            if findings.failures:
                sys.exit(kiosk.said())
            port, secret = re.search(r"127.0.0.1:(\d+)/.*#touch=(\w+)", page.read_text()).groups()
            own = (secret, int(port))
            expect("a tap of the session's own user is answered", until(lambda: taps(own, 1)[0] == 1, 5))
            under_strangers(own, helper, ["silent"] * 8, "eight silent callers of another user, renewed")
            under_strangers(own, helper, ["ring"] * 6, "six ringers of another user")
            others.append(impostor(server, kiosk))
            again = Kiosk(programs, folder, server, helper)
            time.sleep(2)
            started = subprocess.run(["pgrep", "-P", str(again.process.pid)], capture_output=True, text=True, timeout=60).stdout.strip()
            expect("no browser is started for a server that does not prove itself", not started and again.process.poll() is None)
            again.close()
        finally:
            kiosk.close()
            for one in others:
                one.kill()
            server.close()
    return findings.end()


if __name__ == "__main__":
    sys.exit(main())
