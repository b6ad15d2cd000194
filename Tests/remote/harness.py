#!/usr/bin/env python3
"""Helpers of the trials of the phone page: a real adhand, its intake, and adhan-remote, on loopback only."""
import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.parse
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent.parent)]
import ends  # noqa: E402
from ends import until  # noqa: E402
from findings import Findings  # noqa: E402

CHECKOUT = Path(__file__).resolve().parent.parent.parent
FORM = "application/x-www-form-urlencoded"
findings = Findings(is_quiet=True)
expect = findings.expect


class Answer:
    def __init__(self, raw):
        self.raw = raw
        head, _, self.body = raw.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        found = re.match(r"HTTP/1\.\d (\d+)", lines[0])
        # 0: the connection was closed without an answer.
        self.status = int(found[1]) if found else 0
        self.headers = {}
        for line in lines[1:]:
            name, _, value = line.partition(": ")
            self.headers.setdefault(name.lower(), []).append(value)

    def header(self, name):
        return ", ".join(self.headers.get(name, []))

    @property
    def json(self):
        return json.loads(self.body)


class Page:
    """adhan-remote on a port of its own."""

    listen = "127.0.0.1:0"

    def __init__(self, programs, folder, control, intake=None, names=""):
        self.pairing = str(folder / "pairing.sock")
        self.state = folder / "remote"
        config = folder / "remote.toml"
        config.write_text(f"[pairing]\nmost = 5\n{names}")
        self.command = [
            programs / "adhan-remote", "--config", config, "--socket", control, "--listen", self.listen, "--state-dir", self.state,
            "--pairing-socket", self.pairing, "--intake-socket", intake or folder / "intake.sock",
            "--messages-socket", folder / "messages.sock"]
        self.begin()

    def restart(self):
        """Kills and restarts the page; phones stay paired."""
        self.process.kill()
        self.process.wait(30)
        self.begin()

    def begin(self):
        self.process = subprocess.Popen(self.command, stderr=subprocess.PIPE, text=True)
        line = ends.line(self.process.stderr, "adhan-remote")
        found = re.search(r":(\d+)/r/", line)
        if not found:
            sys.exit(f"adhan-remote has not begun: {line}")
        self.port = int(found[1])
        self.host = f"127.0.0.1:{self.port}"

    def send(self, raw):
        with socket.create_connection(("127.0.0.1", self.port), timeout=240) as line:
            answer = b""
            try:
                line.sendall(raw)
                while piece := line.recv(65536):
                    answer += piece
            except ConnectionError:
                pass
            return Answer(answer)

    def ask(self, method="GET", path="/r/", headers=(), body=b"", replace=None, version="HTTP/1.1"):
        """`replace`: headers by name, each with a list of values; an empty list removes the header."""
        own = {"Host": [self.host], "Connection": ["close"]}
        if method == "POST":
            own |= {"Origin": [f"http://{self.host}"], "Content-Type": [FORM], "Content-Length": [str(len(body))]}
        for name, value in headers:
            own.setdefault(name, []).append(value)
        own |= replace or {}
        lines = [f"{method} {path} {version}"] + [f"{name}: {value}" for name, values in own.items() for value in values]
        return self.send("\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body)

    def act(self, path, fields="", phone=None, **more):
        headers = list(more.pop("headers", ())) + ([("Cookie", f"adhan_remote={phone}")] if phone else [])
        return self.ask("POST", path, headers, fields.encode(), **more)

    def look(self, path, phone=None, headers=()):
        return self.ask("GET", path, list(headers) + ([("Cookie", f"adhan_remote={phone}")] if phone else []))

    def varlink(self, method, **parameters):
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(90)
            line.connect(self.pairing)
            line.sendall(json.dumps({"method": method, "parameters": parameters}).encode() + b"\0")
            answer = b""
            while not answer.endswith(b"\0"):
                piece = line.recv(65536)
                if not piece:
                    break
                answer += piece
            return json.loads(answer[:-1])

    def open(self, role, **more):
        return self.varlink("org.adhand.Remote.OpenPairing", role=role, **more)["parameters"]

    def pair(self, role, name):
        """The token of a paired phone."""
        answer = self.act("/r/pair", f"code={self.open(role)['code']}&name={name}")
        found = re.match(r"adhan_remote=([0-9a-f]{64}); HttpOnly; SameSite=Lax; Path=/r/; Max-Age=15552000$", answer.header("set-cookie"))
        expect(f"{name} is paired as {role}", answer.status == 303 and answer.header("location") == "/r/" and found, answer.raw[:600])
        return found[1] if found else ""


    def settle(self, path, fields, phone, **more):
        """An act requested by a program: returns status and document."""
        answer = self.act(path, encoded(fields), phone, headers=[("Accept", "application/json")], **more)
        return answer.status, answer.json if answer.body else {}

    def upload(self, path, phone, file, fields=(), name="file.bin", boundary="----edge", json=True, cut=None, tail=None):
        """One file after its form fields; `cut`: only this many bytes of the body are sent before the connection is closed."""
        body = b""
        for key, value in fields:
            body += f'--{boundary}\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n'.encode()
        body += f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'.encode()
        body += b"Content-Type: application/octet-stream\r\n\r\n" + file + (tail or f"\r\n--{boundary}--\r\n".encode())
        headers = [("Cookie", f"adhan_remote={phone}")] + ([("Accept", "application/json")] if json else [])
        replace = {"Content-Type": [f"multipart/form-data; boundary={boundary}"], "Content-Length": [str(len(body))]}
        return self.ask("POST", path, headers, body if cut is None else body[:cut], replace)


def encoded(fields):
    return fields if isinstance(fields, str) else urllib.parse.urlencode(fields)


def varlink(path, method, **parameters):
    """The answer of a method of adhand's control socket."""
    with socket.socket(socket.AF_UNIX) as line:
        line.settimeout(90)
        line.connect(path)
        line.sendall(json.dumps({"method": f"org.adhand.Control.{method}", "parameters": parameters}).encode() + b"\0")
        answer = b""
        while not answer.endswith(b"\0"):
            piece = line.recv(65536)
            if not piece:
                break
            answer += piece
        return json.loads(answer[:-1])["parameters"]


def adhand_status(control):
    return varlink(control, "GetStatus")["status"]


CONFIGURATION = """timezone = "Africa/Accra"
[location]
name = "Trial"
latitude = 5.6
longitude = -0.2
[audio]
devices = ["null"]
[control]
pinned = ["adhan.isha.volume", "adhan.jumua.sound"]
loudest = 80
"""


class Box:
    """A box in a folder: adhand, the intake and the phone page."""

    def __init__(self, programs, folder, configuration=CONFIGURATION, remote=""):
        self.programs, self.folder = Path(programs).resolve(), Path(folder)
        self.control = str(self.folder / "control.sock")
        (self.folder / "slides").mkdir()
        (self.folder / "adhand.toml").write_text(configuration)
        self.common = ["--socket", self.control, "--state-dir", self.folder / "state"]
        self.paths = ["--config", self.folder / "adhand.toml", "--audio-dir", CHECKOUT / "Resources/audio"]
        self.journal = open(self.folder / "journal", "w")
        self.processes = []
        self.page = None
        try:
            self.daemon = self.adhand()
            intake = self.folder / "intake.sock"
            self.start("adhanctl", "intake", "--serve", intake, "--slides-dir", self.folder / "slides", *self.common, *self.paths)
            until(intake.exists, what="the intake")
            self.page = Page(self.programs, self.folder, self.control, intake, remote)
        except BaseException:
            self.end()
            raise

    def adhand(self):
        daemon = self.start("adhand", *self.common, *self.paths)
        until(lambda: os.path.exists(self.control), what="adhand")
        return daemon

    def start(self, program, *words):
        process = subprocess.Popen(
            [self.programs / program, *words], stdout=self.journal, stderr=subprocess.STDOUT, cwd=self.folder)
        self.processes.append(process)
        return process

    def ask(self, method, **parameters):
        return varlink(self.control, method, **parameters)

    def value(self, key):
        """The value of a key that is in force, in TOML."""
        return next((found["inForce"] for found in self.ask("GetSettings", prefix=key)["keys"] if found["key"] == key), None)

    def memory(self, field="VmRSS"):
        """The memory of the phone page's process, in kilobytes."""
        return int(re.search(rf"{field}:\s+(\d+)", Path(f"/proc/{self.page.process.pid}/status").read_text())[1])

    def rested(self):
        """The memory after some time without a request."""
        time.sleep(11)
        return self.memory()

    @property
    def spooled(self):
        folder = self.folder / "state/intake"
        return sorted(os.listdir(folder)) if folder.exists() else []

    def end(self):
        if self.page and self.page.process.poll() is not None:
            expect("adhan-remote has not ended by itself", False, self.page.process.stderr.read()[:4000])
        for process in self.processes + ([self.page.process] if self.page else []):
            if process.poll() is None:
                process.kill()
                process.wait(30)
        self.journal.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()
