#!/usr/bin/env python3
"""The phone page before a real adhand, on loopback alone: phones are paired, mute and leave; and requests of strangers, of web pages
elsewhere and of phones that may less are refused, each with its status.

usage: trial.py DIRECTORY-OF-PROGRAMS"""
import json
import os
import re
import socket
import stat
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PROGRAMS = Path(sys.argv[1]).resolve()
CHECKOUT = Path(__file__).resolve().parent.parent.parent
FORM = "application/x-www-form-urlencoded"
failed = 0
tried = 0


def check(what, good, seen=""):
    global failed, tried
    tried += 1
    if not good:
        failed += 1
        print(f"FELL  {what}: {seen}", flush=True)


def until(what, condition, seconds=30):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return
        time.sleep(0.05)
    sys.exit(f"{what} has not come within {seconds} s")


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

    def __init__(self, folder, control):
        self.pairing = str(folder / "pairing.sock")
        self.state = folder / "remote"
        config = folder / "remote.toml"
        config.write_text("[pairing]\nmost = 5\n")
        self.process = subprocess.Popen(
            [PROGRAMS / "adhan-remote", "--config", config, "--socket", control, "--listen", "127.0.0.1:0", "--state-dir", self.state,
             "--pairing-socket", self.pairing], stderr=subprocess.PIPE, text=True)
        line = self.process.stderr.readline()
        found = re.search(r":(\d+)/r/", line)
        if not found:
            sys.exit(f"adhan-remote has not begun: {line}")
        self.port = int(found[1])
        self.host = f"127.0.0.1:{self.port}"

    def send(self, raw):
        with socket.create_connection(("127.0.0.1", self.port), timeout=20) as line:
            answer = b""
            try:
                line.sendall(raw)
                while piece := line.recv(65536):
                    answer += piece
            except ConnectionError:
                pass
            return Answer(answer)

    def ask(self, method="GET", path="/r/", headers=(), body=b"", replace=None, version="HTTP/1.1"):
        """`replace`: headers by name, each a list of values; an empty list takes a header away."""
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
            line.settimeout(20)
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
        """A paired phone's token."""
        answer = self.act("/r/pair", f"code={self.open(role)['code']}&name={name}")
        found = re.match(r"adhan_remote=([0-9a-f]{64}); HttpOnly; SameSite=Strict; Path=/r/; Max-Age=15552000$", answer.header("set-cookie"))
        check(f"{name} is paired as {role}", answer.status == 303 and answer.header("location") == "/r/" and found, answer.raw[:600])
        return found[1] if found else ""


def adhand_status(control):
    with socket.socket(socket.AF_UNIX) as line:
        line.settimeout(20)
        line.connect(control)
        line.sendall(b'{"method": "org.adhand.Control.GetStatus"}\0')
        answer = b""
        while not answer.endswith(b"\0"):
            answer += line.recv(65536)
        return json.loads(answer[:-1])["parameters"]["status"]


def ordinary(page, control):
    """What people do. The tokens of a keeper's and a household's phone."""
    check("an unpaired browser is led to the page for pairing", page.look("/r/").header("location") == "/r/pair")
    check("the root leads to the page", page.look("/").header("location") == "/r/")
    form = page.look("/r/pair")
    check("the page for pairing is there", form.status == 200 and b"<form" in form.body, form.raw[:300])
    for name, wanted in {"content-security-policy": "default-src 'none'", "x-frame-options": "DENY", "x-content-type-options": "nosniff",
                         "cross-origin-resource-policy": "same-origin", "cache-control": "no-store", "referrer-policy": "same-origin"}.items():
        check(f"{name} stands on every page, once", form.header(name).startswith(wanted) and len(form.headers.get(name, [])) == 1, form.header(name))
    check("frame-ancestors 'none'", "frame-ancestors 'none'" in form.header("content-security-policy"))
    for path in ["/r/style.css", "/r/page.js"]:
        check(f"{path} is there without a phone", page.look(path).status == 200)

    keeper, household = page.pair("keeper", "Office"), page.pair("household", "Kitchen")
    kept = page.state / "phones.json"
    check("phones.json is for its user alone", stat.S_IMODE(kept.stat().st_mode) == 0o600)
    check("no token is in it", keeper not in kept.read_text() and household not in kept.read_text())
    phones = page.varlink("org.adhand.Remote.GetPhones")["parameters"]["phones"]
    check("both are listed", [(p["name"], p["role"]) for p in phones] == [("Office", "keeper"), ("Kitchen", "household")], phones)

    began = time.monotonic()
    muted = page.act("/r/mute", "for=30m", household)
    took = time.monotonic() - began
    check("a mute leads back to the page", muted.status == 303 and muted.header("location") == "/r/", muted.raw[:300])
    check("and adhand is muted, with an end", adhand_status(control)["mute"]["active"] and adhand_status(control)["mute"]["until"])
    check("within a second", took < 1, took)
    now = page.look("/r/now.json", household).json
    check("now.json says it", now["mute"]["active"] and now["phone"] == "Kitchen" and now["role"] == "household", now)
    shown = page.look("/r/", household)
    check("the page says what was done", shown.status == 200 and b"muted" in shown.body, shown.raw[:300])
    json_answer = page.act("/r/unmute", "", household, headers=[("Accept", "application/json")])
    check("a program gets JSON", json_answer.status == 200 and "message" in json_answer.json, json_answer.raw[:300])
    check("and adhand is not muted", not adhand_status(control)["mute"]["active"])
    off = page.act("/r/prayers", "prayer=asr&enabled=no", household)
    asr = next((p for p in adhand_status(control)["prayers"] if p["prayer"] == "asr"), {})
    check("a prayer is switched off", off.status == 303 and asr.get("enabled") is False, off.raw[:300])
    check("and on", page.act("/r/prayers", "prayer=asr&enabled=yes", household).status == 303)
    for path in ["/r/", "/r/week", "/r/log", "/r/health"]:
        answer = page.look(path, household)
        check(f"{path} is shown", answer.status == 200 and b"<h1>" in answer.body, answer.raw[:300])
    day = time.strftime("%Y-%m-%d", time.localtime(time.time() + 3 * 86400))
    answer = page.act("/r/exception", f"date={day}&prayer=isha&iqama=23:30&reason=Visitors", keeper)
    check("a keeper sets an iqama", answer.status == 303 and answer.header("location") == "/r/week", answer.raw[:300])
    check("a keeper sees the phones, a household does not",
          page.look("/r/phones", keeper).status == 200 and page.look("/r/phones", household).status == 403)
    key = page.open("household")["key"]
    answer = page.act("/r/pair", f"key={key}&name=Guest")
    guest = re.search(r"adhan_remote=([0-9a-f]{64})", answer.header("set-cookie"))
    check("the key of the QR code pairs, too", answer.status == 303 and guest, answer.raw[:300])
    check("a phone that leaves is out", page.act("/r/leave", "", guest[1]).status == 303 and page.act("/r/stop", "", guest[1]).status == 401)
    return keeper, household


def hostile(page, keeper, household):
    """Requests that are refused: name, status, and the request."""
    host, origin, wrong = page.host, f"http://{page.host}", page.port + 1
    mute = {"path": "/r/mute", "fields": "for=30m", "phone": household}

    def without(**headers):
        return lambda: page.act(**mute, replace={name.replace("_", "-"): values for name, values in headers.items()})

    def raw(lines, body=b""):
        return lambda: page.send("\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body)

    head = [f"Host: {host}", f"Origin: {origin}", f"Content-Type: {FORM}", f"Cookie: adhan_remote={household}", "Connection: close"]
    cases = [
        ("Origin absent", 403, without(Origin=[])), ("Origin null", 403, without(Origin=["null"])),
        ("Origin foreign", 403, without(Origin=["http://evil.example"])), ("Origin of another port", 403, without(Origin=[f"http://127.0.0.1:{wrong}"])),
        ("Origin without a port", 403, without(Origin=["http://127.0.0.1"])), ("Origin of another scheme", 403, without(Origin=[f"https://{host}"])),
        ("Origin in upper case", 403, without(Origin=[f"HTTP://{host}"])), ("Origin with a path", 403, without(Origin=[origin + "/"])),
        ("Origin twice", 403, without(Origin=[origin, origin])), ("Origin of another name", 403, without(Origin=[f"http://localhost:{page.port}"])),
        ("Origin with a user", 403, without(Origin=[f"http://user@{host}"])),
        ("Host foreign", 421, without(Host=[f"evil.example:{page.port}"])), ("Host with a dot at its end", 421, without(Host=[f"localhost.:{page.port}"])),
        ("two Hosts", 421, without(Host=[host, host])), ("no Host", 421, without(Host=[])), ("Host with another port", 421, without(Host=[f"127.0.0.1:{wrong}"])),
        ("Host without a port", 421, without(Host=["127.0.0.1"])), ("Host mapped to IPv6", 421, without(Host=[f"[::ffff:127.0.0.1]:{page.port}"])),
        ("Host with a zone", 421, without(Host=[f"[::1%25lo]:{page.port}"])), ("Host with a user", 421, without(Host=[f"user@{host}"])),
        ("Host as a number", 421, without(Host=[f"2130706433:{page.port}"])), ("Host in short", 421, without(Host=[f"127.1:{page.port}"])),
        ("Host below localhost", 421, without(Host=[f"evil.localhost:{page.port}"])),
        ("text/plain", 415, without(Content_Type=["text/plain"])), ("JSON", 415, without(Content_Type=["application/json"])),
        ("multipart on a form", 415, without(Content_Type=["multipart/form-data; boundary=x"])), ("no type", 415, without(Content_Type=[])),
        ("another charset", 415, without(Content_Type=[FORM + "; charset=utf-16"])), ("two types", 415, without(Content_Type=[FORM, FORM])),
        ("a form where a file is taken", 415, lambda: page.act("/r/sound", "file=x", keeper)),
        ("two lengths", 400, without(Content_Length=["7", "8"])), ("the length twice", 400, without(Content_Length=["7", "7"])),
        ("no length", 411, without(Content_Length=[])), ("a negative length", 400, without(Content_Length=["-7"])),
        ("a length with a sign", 400, without(Content_Length=["+7"])), ("a length in hexadecimal", 400, without(Content_Length=["0x7"])),
        ("a body that is too large", 413, without(Content_Length=["65537"])),
        ("chunks", 411, raw(["POST /r/mute HTTP/1.1", *head, "Transfer-Encoding: chunked"], b"7\r\nfor=30m\r\n0\r\n\r\n")),
        ("chunks and a length", 400, raw(["POST /r/mute HTTP/1.1", *head, "Content-Length: 7", "Transfer-Encoding: chunked"], b"7\r\nfor=30m\r\n0\r\n\r\n")),
        ("GET with a body", 400, lambda: page.ask("GET", "/r/pair", [("Content-Length", "3")], b"abc")),
        ("lines that end with LF", 400, lambda: page.send(b"GET /r/pair HTTP/1.1\nHost: " + host.encode() + b"\n\n")),
        ("an absolute address", 404, lambda: page.ask("GET", f"{origin}/r/pair")), ("%2e%2e", 404, lambda: page.ask("GET", "/r/%2e%2e/r/pair")),
        ("..", 404, lambda: page.ask("GET", "/r/../r/pair")), ("two slashes", 404, lambda: page.ask("GET", "//r/pair")),
        ("NUL in the path", 400, lambda: page.ask("GET", "/r/\0pair")), ("a head of more than 8 KB", 431, lambda: page.ask("GET", "/r/pair", [("X", "y" * 8200)])),
        ("garbage", 400, lambda: page.send(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n")),
        *[(f"{method} on an act", 405, lambda method=method: page.ask(method, "/r/mute", [("Cookie", f"adhan_remote={household}")]))
          for method in ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"]],
        ("no cookie", 401, lambda: page.act("/r/mute", "for=30m")), ("a cookie cut short", 401, lambda: page.act("/r/mute", "for=30m", household[:-1])),
        ("a cookie twice", 401, lambda: page.act("/r/mute", "for=30m", f"{household}; adhan_remote={household}")),
        ("a cookie of another box", 401, lambda: page.act("/r/mute", "for=30m", "ab" * 32)),
        ("a cookie in upper case", 401, lambda: page.act("/r/mute", "for=30m", household.upper())),
        ("JSON without a cookie", 401, lambda: page.look("/r/now.json")),
        *[(f"a household's phone on {path}", 403, lambda path=path: page.act(path, "x=y", household))
          for path in ["/r/exception", "/r/exception/remove", "/r/hijri", "/r/announcement", "/r/announcement/remove", "/r/sound/remove",
                       "/r/timetable/answer", "/r/timetable/take", "/r/timetable/undo", "/r/setup", "/r/heard", "/r/phones/revoke"]],
        ("a mute of more than a day", 422, lambda: page.act("/r/mute", "for=25h", household)),
        ("a prayer that is none", 422, lambda: page.act("/r/prayers", "prayer=brunch&enabled=no", household)),
        ("NUL in a form", 400, lambda: page.act("/r/mute", "for=%00", household)),
        ("an escape that is none", 400, lambda: page.act("/r/mute", "for=%zz", household)),
        ("a line end in a name", 422, lambda: page.act("/r/pair", "code=000000&name=A%0D%0ASet-Cookie:x")),
    ]
    for name, status, send in cases:
        answer = send()
        check(name, answer.status == status, f"{answer.status}, not {status}: {answer.raw[:200]}")
        check(f"{name}: no cookie is set", "set-cookie" not in answer.headers, answer.header("set-cookie"))
    return len(cases)


def codes(page):
    """Wrong codes; the address may try ten times."""
    def attempt(code):
        return page.act("/r/pair", f"code={code}&name=Thief").status

    check("no window: a code is refused", attempt("123456") == 403)
    code = page.open("household")["code"]
    wide = "".join(f"%EF%BC%{0x90 + int(digit):02X}" for digit in code)
    check("wide digits are no digits", attempt(wide) == 403)
    check("the code itself pairs", attempt(code) == 303)
    check("but once", attempt(code) == 403)
    late = page.open("household", seconds=1)["code"]
    time.sleep(1.2)
    check("a code that has expired is refused", attempt(late) == 403)
    code = page.open("household")["code"]
    other = "000000" if code != "000000" else "111111"
    check("five wrong ones", [attempt(other) for _ in range(5)] == [403] * 5)
    check("close the window for the right one", attempt(code) == 403)
    check("then the address has to wait", [attempt(other) for _ in range(2)][-1] == 429)
    refused = page.varlink("org.adhand.Remote.OpenPairing", role="owner")
    check("a role that is none is refused", refused.get("error") == "org.varlink.service.InvalidParameter", refused)


def main():
    with tempfile.TemporaryDirectory(prefix="remote-") as name:
        folder = Path(name)
        control = str(folder / "control.sock")
        (folder / "adhand.toml").write_text(
            'timezone = "Europe/London"\n[location]\nname = "Trial"\nlatitude = 51.5\nlongitude = -0.1\n[audio]\ndevices = ["null"]\n')
        daemon = subprocess.Popen(
            [PROGRAMS / "adhand", "--config", folder / "adhand.toml", "--state-dir", folder / "state", "--socket", control, "--audio-dir",
             CHECKOUT / "Resources/audio"], stderr=open(folder / "adhand.log", "w"))
        page = None
        try:
            until("adhand", lambda: os.path.exists(control))
            page = Page(folder, control)
            keeper, household = ordinary(page, control)
            count = hostile(page, keeper, household)
            codes(page)
            ident = next(p["id"] for p in page.varlink("org.adhand.Remote.GetPhones")["parameters"]["phones"] if p["name"] == "Kitchen")
            page.varlink("org.adhand.Remote.RevokePhone", id=ident)
            check("a revoked phone is out", page.act("/r/mute", "for=30m", household).status == 401)
            check("nothing of all that has muted adhand", not adhand_status(control)["mute"]["active"])
            daemon.terminate()
            daemon.wait(20)
            away = page.act("/r/stop", "", keeper)
            check("without adhand: 503", away.status == 503 and page.look("/r/", keeper).status == 503, away.raw[:200])
            resident = int(re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{page.process.pid}/status").read_text())[1])
            print(f"{count} hostile requests; adhan-remote is resident with {resident} KB")
        finally:
            for process in [daemon] + ([page.process] if page else []):
                if process.poll() is None:
                    process.kill()
                    process.wait()
    print(f"the phone page: {tried} checks, {failed} fell")
    sys.exit(1 if failed else 0)


main()
