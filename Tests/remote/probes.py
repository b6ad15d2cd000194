#!/usr/bin/env python3
"""Tests that phones and computers that probe for the internet in the box's own network are led to the set-up, and never receive
an answer that they could take for the internet. The probes are bytes in Tests/remote/probes. It also tests what a paired phone
finds there, with and without a place, before and after a network that could not be joined. A real adhan-remote runs on sockets
that it inherits.

usage: probes.py DIRECTORY-OF-PROGRAMS"""
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import harness
import ends
from claim import UNPLACED
from harness import CONFIGURATION, Answer, Box, Page, encoded, expect, findings
from ends import until

HEADS = Path(__file__).parent / "probes"
SET_UP = "http://10.77.77.1/r/setup"
# Passes open sockets under their names, as systemd does.
HAND_OVER = """
import os, sys
numbers = [int(number) for number in sys.argv[1].split(",")]
for index, number in enumerate(numbers):
    os.dup2(number, 3 + index)
os.environ.update(LISTEN_FDS=str(len(numbers)), LISTEN_PID=str(os.getpid()), LISTEN_FDNAMES="remote:setup")
os.execv(sys.argv[2], sys.argv[2:])
"""
# The bodies and statuses by which systems recognise the internet.
SUCCESS = (b"success", b"microsoft ncsi", b"microsoft connect test", b"networkmanager is online", b"ok")


class TwoSockets(Page):
    """adhan-remote with a socket for every network and one for the box's own, to which the probes go. Headers alone need no
    adhand."""

    def begin(self):
        self.listeners = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
        # The numbers of the originals; their duplicates have others.
        numbers = [os.dup2(listener.fileno(), 40 + index) for index, listener in enumerate(self.listeners)]
        words = [str(word) for word in self.command if word not in ("--listen", self.listen)]
        self.process = ends.with_trial(subprocess.Popen(
            [sys.executable, "-c", HAND_OVER, ",".join(map(str, numbers)), *words], stderr=subprocess.PIPE, text=True, pass_fds=numbers))
        for number in numbers:
            os.close(number)
        self.everywhere, self.own = (listener.getsockname()[1] for listener in self.listeners)
        self.port, self.host = self.own, f"127.0.0.1:{self.own}"
        for listener in self.listeners:
            listener.close()
        line = ends.line(self.process.stderr, "adhan-remote")
        if not re.search(rf":{self.everywhere}/r/", line):
            sys.exit(f"adhan-remote has not begun: {line}")

    def line(self, port):
        line = socket.create_connection(("127.0.0.1", port), timeout=20)
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return line


def one(line, rest=b""):
    """The next answer of a connection, and the bytes after it; `None` at its end."""
    while b"\r\n\r\n" not in rest:
        piece = line.recv(65536)
        if not piece:
            return None, rest
        rest += piece
    end = rest.index(b"\r\n\r\n") + 4
    length = Answer(rest[:end]).header("content-length")
    end += int(length) if length.isdigit() else 0
    while len(rest) < end:
        piece = line.recv(65536)
        if not piece:
            break
        rest += piece
    return Answer(rest[:end]), rest[end:]


def is_over(line, rest=b""):
    line.settimeout(20)
    try:
        return not rest and line.recv(1) == b""
    except ConnectionError:
        return True
    except TimeoutError:
        return False


def leads(name, answer):
    good = answer is not None and answer.status == 302 and answer.headers.get("location") == [SET_UP]
    expect(f"{name}: it is led to the set-up", good, answer and answer.raw[:600])
    if answer is None:
        return
    expect(f"{name}: nothing is taken for the internet", answer.body == b"" and answer.header("content-length") == "0"
           and not any(word in answer.raw.lower().split(b"\r\n\r\n")[-1] for word in SUCCESS), answer.raw[:600])
    expect(f"{name}: no cookie, and nothing is kept", "set-cookie" not in answer.headers and "no-store" in answer.header("cache-control"),
           answer.raw[:600])


def probe(page, name, head):
    first = head.split(b"\r\n")[0].decode()
    connection = re.search(rb"\r\nConnection: ([^\r]*)", head, re.IGNORECASE)
    ends = first.endswith("HTTP/1.0") or bool(connection and connection[1].lower() == b"close")
    ways = {"at once": [head], "in single bytes": [head[at:at + 1] for at in range(len(head))], "two in one packet": [head * 2]}
    for way, pieces in ways.items():
        with page.line(page.own) as line:
            for piece in pieces:
                line.sendall(piece)
            answer, rest = one(line)
            leads(f"{name} {way}", answer)
            if ends:
                expect(f"{name} {way}: the connection ends, as was asked", is_over(line, rest), rest[:200])
                continue
            if way != "two in one packet":
                line.sendall(head)
            answer, rest = one(line, rest)
            leads(f"{name} {way}, the second time", answer)
            expect(f"{name} {way}: and no third answer", rest == b"", rest[:200])
    with page.line(page.everywhere) as line:
        line.sendall(head)
        answer, _ = one(line)
        expect(f"{name}: on the socket of every network nobody is led", answer is not None and answer.status == 421,
               answer and answer.raw[:300])


class Arrival(Box):
    """A box in its own network, and the phone that claimed it."""

    def __init__(self, programs, folder, configuration, *options):
        self.options = options
        self.file = folder / "network.json"
        self.network("hotspot")
        os.environ |= {"ADHAN_NETWORK_FILE": str(self.file), "ADHAN_JOIN_SOCKET": str(folder / "join.sock")}
        harness.Page = TwoSockets
        super().__init__(programs, folder, configuration)

    def adhand(self):
        daemon = self.start("adhand", *self.common, *self.paths, *self.options)
        until(lambda: os.path.exists(self.control), what="adhand")
        return daemon

    def network(self, state, last=None):
        self.file.write_text(json.dumps({"state": state, "last": last, "networks": [], "name": "Home", "country": "GB"}))

    def arrives(self, phone):
        """The page to which a phone's probe leads when a browser follows it, with the pages in between."""
        with self.page.line(self.page.own) as line:
            line.sendall((HEADS / "ios-26.http").read_bytes())
            answer, _ = one(line)
        path, way = answer.header("location").removeprefix("http://10.77.77.1"), []
        while path.startswith("/") and len(way) < 5:
            way.append(path)
            answer = self.page.look(path, phone)
            if answer.status not in (302, 303):
                break
            path = answer.header("location")
        return way, answer


def joins(box, keeper):
    """The box accepts one network at a time, and closes other connections, as its socket unit does."""
    listener, taken = socket.socket(socket.AF_UNIX), []
    listener.bind(os.environ["ADHAN_JOIN_SOCKET"])
    listener.listen(8)

    def serve():
        while True:
            try:
                line, _ = listener.accept()
            except OSError:
                return
            with line:
                if not taken:
                    taken.append(line.recv(2048))
                    line.sendall(b"ok\n")

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    form = encoded({"ssid": "Home", "password": "long enough", "country": "", "hidden": ""})
    answers = [box.page.act("/r/network", form, keeper) for _ in range(2)]
    expect("a network that is named twice is tried once, and both phones learn so",
           [(one.status, one.header("location")) for one in answers] == [(303, "/r/network")] * 2 and len(taken) == 1,
           (answers[1].raw[-900:], len(taken)))
    answer = box.page.act("/r/network", encoded({"ssid": "Other", "password": "long enough", "country": "", "hidden": ""}), keeper)
    expect("another one waits meanwhile", answer.status == 409 and b"Something else is being done" in answer.body, answer.raw[-900:])
    listener.shutdown(socket.SHUT_RDWR)
    listener.close()
    thread.join(20)


def with_place(programs, folder):
    box = Arrival(programs, folder, CONFIGURATION)
    try:
        keeper, family = box.page.pair("keeper", "Office"), box.page.pair("household", "Kitchen")
        for last in (None, "wrong-password"):
            box.network("hotspot", last)
            way, answer = box.arrives(keeper)
            expect(f"a box with a place, {last}: the page about networks",
                   way == ["/r/setup", "/r/network"] and answer.status == 200 and b'name="ssid"' in answer.body, (way, answer.raw[:900]))
            expect(f"... {last}: the name as it was typed, and why",
                   (last is not None) == (b"is wrong" in answer.body) and b'value="Home"' in answer.body, answer.raw[-1500:])
            expect("... and no way to a set-up that is done, but the menu's", answer.body.count(b'href="/r/setup?open"') == 1,
                   answer.raw[-1500:])
            way, answer = box.arrives(family)
            expect("a household's phone is asked for the key of that network", way == ["/r/setup", "/r/pair"] and answer.status == 200,
                   (way, answer.raw[:300]))
        joins(box, keeper)
        box.page.restart()
        way, answer = box.arrives(keeper)
        expect("a keeper without a fresh code names a network", way == ["/r/setup", "/r/network"] and b'name="ssid"' in answer.body,
               (way, answer.raw[:900]))
        answer = box.page.look("/r/setup?open", keeper)
        expect("... and the set-up that needs a code leads there, too", answer.status == 200 and b'<p><a href="/r/network">' in answer.body,
               answer.raw[-900:])
        box.network("joined")
        way, answer = box.arrives(keeper)
        expect("a box that has joined leads nowhere else", way == ["/r/setup"] and answer.status == 200, (way, answer.raw[:300]))
        box.file.unlink()
        way, answer = box.arrives(keeper)
        expect("... nor a machine without a radio", way == ["/r/setup"] and answer.status == 200, (way, answer.raw[:300]))
    finally:
        box.end()


def without_place(programs, folder):
    box = Arrival(programs, folder, UNPLACED, "--await-place")
    try:
        keeper = box.page.pair("keeper", "Office")
        way, answer = box.arrives(keeper)
        expect("a new box: the set-up", way == ["/r/setup"] and b'name="place"' in answer.body, (way, answer.raw[:900]))
        box.network("hotspot", "not-found")
        way, answer = box.arrives(keeper)
        expect("a network that was not found comes first", way == ["/r/setup", "/r/network"] and b'class="problem"' in answer.body,
               (way, answer.raw[:900]))
        expect("... and leads back to the set-up", b'<p><a href="/r/setup?open">' in answer.body, answer.raw[-900:])
        answer = box.page.look("/r/setup?open", keeper)
        expect("... which is the set-up", answer.status == 200 and b'name="place"' in answer.body, answer.raw[:900])
        answer = box.page.act("/r/setup", encoded({"step": "place", "place": "Sarajevo"}), keeper)
        expect("an answer stays in it", answer.status == 303 and answer.header("location") == "/r/setup?open", answer.raw[:400])
        answer = box.page.look(answer.header("location"), keeper)
        expect("... with the next question", answer.status == 200 and b'name="method"' in answer.body, answer.raw[:900])
        way, answer = box.arrives(keeper)
        expect("a phone that joins again in between sees the network", way == ["/r/setup", "/r/network"], way)
        answer = box.page.look("/r/", keeper)
        expect("the first page leads to the set-up itself", b'<a href="/r/setup?open">No place' in answer.body, answer.raw[:900])
    finally:
        box.end()


def main():
    table = set(re.findall(r"^\| `([^`]*\.http)` \|", (HEADS / "README.md").read_text(), re.M))
    heads = {path.name: path.read_bytes() for path in sorted(HEADS.glob("*.http"))}
    expect("each head has a row in the table", table == set(heads), table ^ set(heads))
    for name, head in heads.items():
        lines = head.split(b"\r\n")
        whole = head.endswith(b"\r\n\r\n") and head.count(b"\r\n\r\n") == 1 and b"\n" not in head.replace(b"\r\n", b"")
        expect(f"{name} is one head",
               whole and re.fullmatch(rb"GET \S+ HTTP/1\.[01]", lines[0]) and sum(line.startswith(b"Host: ") for line in lines) == 1, head)
    with tempfile.TemporaryDirectory(prefix="probes-") as folder:
        page = TwoSockets(Path(sys.argv[1]).resolve(), Path(folder), f"{folder}/control.sock")
        try:
            for name, head in heads.items():
                probe(page, name, head)
            expect("adhan-remote goes on", page.process.poll() is None)
        finally:
            page.process.kill()
            page.process.wait(30)
    for trial in (with_place, without_place):
        with tempfile.TemporaryDirectory(prefix="probes-") as folder:
            trial(Path(sys.argv[1]).resolve(), Path(folder))
    print(f"{len(heads)} heads")
    sys.exit(findings.end())


if __name__ == "__main__":
    main()
