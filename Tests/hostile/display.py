#!/usr/bin/env python3
"""Tests that the screen's server survives malicious clients: they send without reading, hold connections, invent tokens, and
change a slide while it is sent.

usage: display.py DIRECTORY-OF-PROGRAMS"""
import contextlib
import os
import re
import resource
import select
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent.parent)]
import ends  # noqa: E402
from ends import until  # noqa: E402
from findings import Findings  # noqa: E402

HERE = Path(__file__).parent.parent / "display"
PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x08\2\0\0\0"
findings = Findings()
expect = findings.expect


class Server:
    """adhan-display with the three sockets that systemd passes to it: this machine's, the network's, the launcher's."""

    def __init__(self, program, folder):
        Path(folder, "slides").mkdir()
        Path(folder, "slides/a.png").write_bytes(PNG + bytes(7 << 20))
        Path(folder, "display.toml").write_text(f'[slides]\nfolder = "{folder}/slides"\n')
        self.daemon = ends.with_trial(subprocess.Popen(
            [sys.executable, str(HERE / "fake_adhand.py"), folder + "/s"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True))
        ends.line(self.daemon.stdout, "fake_adhand.py")
        listeners = [socket.create_server(("127.0.0.1", 0), backlog=512), socket.create_server(("0.0.0.0", 0), backlog=512),
                 socket.socket(socket.AF_UNIX)]
        self.launcher = folder + "/launcher.sock"
        listeners[2].bind(self.launcher)
        listeners[2].listen(64)
        self.port, self.network = (listener.getsockname()[1] for listener in listeners[:2])
        numbers = [os.dup(listener.fileno()) for listener in listeners]
        start = ("import os, sys\n"
                 "high = [os.dup2(int(n), 40 + i) for i, n in enumerate(sys.argv[1].split(','))]\n"
                 "for i, h in enumerate(high): os.dup2(h, 3 + i); os.set_inheritable(3 + i, True); os.close(h)\n"
                 "os.environ.update(LISTEN_FDS='3', LISTEN_PID=str(os.getpid()), LISTEN_FDNAMES='display:lan:display')\n"
                 "os.execv(sys.argv[2], sys.argv[2:])\n")
        self.process = ends.with_trial(subprocess.Popen(
            [sys.executable, "-c", start, ",".join(map(str, numbers)), program, "--socket", folder + "/s", "--config",
             folder + "/display.toml"], pass_fds=numbers, stderr=subprocess.PIPE, text=True))
        for listener in [*listeners]:
            listener.close()
        for number in numbers:
            os.close(number)
        if not re.search(r"http://", ends.line(self.process.stderr, "adhan-display")):
            sys.exit("adhan-display does not start")
        until(lambda: self.get("/healthz")[0] == 200 and self.get("/slides/a.png", method="HEAD")[0] == 200, 20)

    def connect(self, source=None, port=None, buffer=None):
        one = socket.socket()
        if buffer:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        one.settimeout(5)
        if source:
            one.bind((source, 0))
        one.connect(("127.0.0.1", port or self.port))
        return one

    def get(self, path, launcher=False, method="GET", source=None, port=None):
        """Status and body; 0 if there was no answer."""
        with contextlib.closing(socket.socket(socket.AF_UNIX) if launcher else self.connect(source, port)) as one:
            one.settimeout(3)
            try:
                if launcher:
                    one.connect(self.launcher)
                one.sendall(f"{method} {path} HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n".encode())
                text = b""
                while chunk := one.recv(65536):
                    text += chunk
            except OSError:
                return 0, b""
            return (int(text.split()[1]), text.partition(b"\r\n\r\n")[2]) if text else (0, b"")

    def listen(self, path="/events", source=None, port=None):
        one = self.connect(source, port)
        one.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        return one

    def resident(self):
        return int(re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{self.process.pid}/status").read_text())[1]) // 1024

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def processor(self):
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def close(self):
        for process in (self.process, self.daemon):
            process.kill()
            process.wait(10)


def hears_events(one, seconds=3):
    one.settimeout(seconds)
    with contextlib.suppress(OSError):
        return b"text/event-stream" in one.recv(4096)
    return False


def pour(one, data, seconds):
    """Sends as much as is accepted, again and again, and reads nothing."""
    one.setblocking(False)
    sent, end = 0, time.monotonic() + seconds
    while time.monotonic() < end and sent < len(data):
        try:
            sent += one.send(data[sent:sent + 65536])
        except BlockingIOError:
            select.select([], [one], [], 0.1)
        except OSError:
            break
    return sent


def most(look, seconds):
    """The highest value within this many seconds: memory of a server that is built without optimisation falls slowly."""
    end, found = time.monotonic() + seconds, look()
    while time.monotonic() < end:
        time.sleep(0.1)
        found = max(found, look())
    return found


def pipeline(server):
    before = server.resident()
    one = server.connect()
    pour(one, b"GET /assets/display.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 70_000, 1)
    after = most(server.resident, 2)
    expect(f"one connection of requests sent ahead, none of them read: {before} MB -> {after} MB", after - before <= 8)
    expect("  and others are answered", server.get("/healthz")[0] == 200)
    one.close()


def descriptors(server):
    before = server.descriptors()
    held = [server.connect() for _ in range(3)]
    for one in held:
        pour(one, b"GET /slides/a.png HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 3000, 0.3)
    after = most(server.descriptors, 1)
    expect(f"three connections of slides sent ahead: {before} -> {after} descriptors", after - before <= 8)
    expect("  and others are answered", server.get("/healthz")[0] == 200)
    for one in held:
        one.close()


def answered_in_turn(server):
    with contextlib.closing(server.connect()) as one:
        one.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 40 + b"GET /healthz HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n")
        text = b""
        while chunk := one.recv(65536):
            text += chunk
    expect("forty requests sent ahead by somebody who reads are answered", text.count(b"HTTP/1.1 200") + text.count(b"HTTP/1.0 200") == 41)


def unread(server):
    before = server.resident()
    held = [server.connect(buffer=2048) for _ in range(500)]
    for number, one in enumerate(held):
        path = ("/state.json", "/slides/a.png", "/assets/display.js")[number % 3]
        one.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
    time.sleep(1)
    after = server.resident()
    expect(f"500 connections that read nothing of their answer: {before} MB -> {after} MB", after - before <= 24)
    expect("  and others are answered", server.get("/healthz")[0] == 200)
    for one in held:
        one.close()


def addresses(server):
    screen = server.listen(source="127.9.9.9", port=server.network)
    hears_events(screen)
    held = []
    for address in range(16):
        for _ in range(64):
            with contextlib.suppress(OSError):
                held.append(server.listen(source=f"127.1.{address}.1", port=server.network))
    others = [server.listen(source=f"127.2.{number}.1", port=server.network) for number in range(10)]
    expect("16 addresses with all their streams keep none of ten others out", sum(map(hears_events, others)) == 10)
    expect("  nor the page from an eleventh", server.get("/", source="127.3.0.1", port=server.network)[0] == 200)
    expect("  nor this machine", server.get("/healthz")[0] == 200)
    screen.settimeout(4)
    ticks = 0
    with contextlib.suppress(OSError):
        for _ in range(3):
            ticks += b"event:" in screen.recv(262144)
    expect("  and a screen that was there before still gets its ticks", ticks >= 2)
    for one in [*held, *others, screen]:
        one.close()


def local(server):
    token = "kiosk-of-this-trial"
    server.get(f"/beat?heard={token}", launcher=True)
    held = []
    for _ in range(1200):
        with contextlib.suppress(OSError):
            held.append(server.listen())
    idle = [server.connect() for _ in range(150)]
    expect("1,200 local streams and 150 silent connections keep /healthz and / open",
           server.get("/healthz")[0] == 200 and server.get("/")[0] == 200)
    expect("  and the wall's own stream", hears_events(server.listen(f"/events?kiosk={token}")))
    expect("  and the launcher's socket", server.get("/healthz", launcher=True)[0] == 200)
    for one in [*held, *idle]:
        one.close()


def beats(server):
    token = "kiosk-of-this-trial"
    stop = threading.Event()

    def strangers():
        while not stop.wait(0.1):
            for number in range(20):
                server.get(f"/beat?token=made-up-token-{number}")
                server.get(f"/beat?heard=made-up-token-{number}")

    server.get(f"/beat?heard={token}", launcher=True)
    expect("the page's beat is taken", server.get(f"/beat?token={token}")[0] == 204)
    thread = threading.Thread(target=strangers, daemon=True)
    thread.start()
    answers = []
    for _ in range(8):
        time.sleep(0.25)
        answers.append(server.get(f"/beat?heard={token}", launcher=True)[0])
    stop.set()
    thread.join(60)
    expect("made-up tokens do not drive the kiosk's own out", answers == [200] * 8, answers)
    expect("and nobody but the launcher learns of a token", server.get(f"/beat?heard={token}")[0] in (400, 404))
    expect("a token that no launcher asked for is not kept", server.get("/beat?token=never-asked-for-this")[0] == 404)


def cut(server, folder):
    slide = Path(folder, "slides/a.png")
    with contextlib.closing(server.connect(buffer=4096)) as one:
        one.sendall(b"GET /slides/a.png HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        one.recv(4096)
        os.truncate(slide, 100_000)
        spent = server.processor()
        ended = False
        end = time.monotonic() + 2.5
        while time.monotonic() < end and not ended:
            one.settimeout(0.5)
            try:
                ended = one.recv(1 << 20) == b""
            except TimeoutError:
                continue
            except OSError:
                ended = True
        spent = server.processor() - spent
    expect(f"a slide that is cut while it is sent ends the connection: {spent:.2f} s of processor", ended and spent < 0.5)


def main():
    program = os.path.abspath(sys.argv[1]) + "/adhan-display"
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(limit[1], 8192), limit[1]))
    with tempfile.TemporaryDirectory(prefix="hostile-") as folder:
        server = Server(program, folder)
        try:
            for attack in (pipeline, descriptors, answered_in_turn, unread, addresses, local, beats):
                attack(server)
            cut(server, folder)
            expect("the server still runs", server.process.poll() is None)
        finally:
            server.close()
    return findings.end()


if __name__ == "__main__":
    sys.exit(main())
