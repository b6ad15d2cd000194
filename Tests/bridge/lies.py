#!/usr/bin/env python3
"""Tests that the bridge stays small and reaches other servers while its broker lies: with packets of any size, aliases that were
never assigned, unknown reason codes, and a zero keepalive. Takes two minutes.

usage: lies.py ADHAND ADHAN-BRIDGE
"""
import http.server
import json
import os
import socket
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from ends import until  # noqa: E402
from house import DEVICE, House, port, resident, wakes  # noqa: E402

ADHAND, BRIDGE = (Path(word).absolute() for word in sys.argv[1:3])
# MB: 16 for the bridge itself, 30 for the longest packet that it accepts, and the allocator's overhead.
MOST_MEMORY = 52
house = House("adhan-lies")
folder, expect = house.folder, house.expect
posts = []


class Sink(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        posts.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_words):
        pass


def length(number):
    """MQTT's variable byte integer."""
    out = bytearray()
    while True:
        number, digit = divmod(number, 128)
        out.append(digit | (128 if number else 0))
        if not number:
            return bytes(out)


def packet(kind, body):
    return bytes([kind]) + length(len(body)) + body


def text(word):
    return len(word).to_bytes(2, "big") + word


def connack(code=0, properties=b""):
    return packet(0x20, bytes([0, code]) + length(len(properties)) + properties)


def publish(topic, payload, properties=b"", flags=0):
    identifier = b"\0\1" if flags & 6 else b""
    return packet(0x30 | flags, text(topic) + identifier + length(len(properties)) + properties + payload)


def keepalive(seconds):
    return b"\x13" + seconds.to_bytes(2, "big")


class Broker:
    """Answers each connection with `lie`, a function that receives the connection after CONNECT was read."""

    def __init__(self):
        self.socket = socket.socket()
        self.socket.bind(("127.0.0.1", 0))
        self.socket.listen(50)
        self.port = self.socket.getsockname()[1]
        self.lie, self.calls = None, 0
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            line, _ = self.socket.accept()
            self.calls += 1
            threading.Thread(target=self.talk, args=(line, self.lie), daemon=True).start()

    @staticmethod
    def talk(line, lie):
        try:
            line.settimeout(60)
            line.recv(4096)
            lie(line)
        except OSError:
            pass
        line.close()


def listen(line, seconds=60):
    """Reads everything, and answers nothing."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and line.recv(65536):
        pass


def acknowledge(line):
    """A broker that acknowledges every message, as far as it understands it."""
    rest = b""
    while True:
        more = line.recv(65536)
        if not more:
            return
        rest += more
        while len(rest) > 2:
            size, shift, at = 0, 0, 1
            while at < len(rest):
                size |= (rest[at] & 127) << shift
                shift, at = shift + 7, at + 1
                if not rest[at - 1] & 128:
                    break
            if len(rest) < at + size:
                break
            kind, body, rest = rest[0], rest[at:at + size], rest[at + size:]
            if kind >> 4 == 3 and kind & 2:
                topic = int.from_bytes(body[:2], "big")
                line.sendall(packet(0x40, body[2 + topic:4 + topic]))
            elif kind >> 4 == 8:
                line.sendall(packet(0x90, body[:2] + b"\0\1"))
            elif kind >> 4 == 12:
                line.sendall(b"\xd0\0")


def sized(total, sent):
    """Announces a packet of this many bytes, and sends only part of it."""
    def lie(line):
        line.sendall(connack() + b"\x30" + length(total))
        line.sendall(text(b"adhand/trial/cmd/mute") + b"\0")
        for _ in range(sent >> 16):
            line.sendall(b"x" * 65536)
        listen(line, 5)
    return lie


def saying(*parts, pause=0.0):
    def lie(line):
        for part in parts:
            line.sendall(part)
            time.sleep(pause)
        listen(line, 5)
    return lie


def command(payload, properties=b"", flags=0, topic=b"adhand/trial/cmd/mute"):
    return publish(topic, payload, properties, flags)


def slowly(line):
    for byte in connack() + command(b"on"):
        line.sendall(bytes([byte]))
        time.sleep(0.2)
    listen(line, 5)


def flood(line):
    line.sendall(connack())
    many = command(b"x") * 5000
    end = time.monotonic() + 5
    line.settimeout(1)
    while time.monotonic() < end:
        try:
            line.send(many)
        except TimeoutError:
            pass


DEADLY = saying(connack() + command(b"on", b"\x7e\1"))

LIES = [
    ("a packet of 256 MB, of which 64 come", sized(268_435_455, 64 << 20)),
    ("a packet of 30 MB, all of it", sized(30 << 20, 31 << 20)),
    ("a length that never ends", saying(connack() + b"\x30\xff\xff\xff\xff\xff\xff")),
    ("an alias that was never given", saying(connack(properties=b"\x22\0\5") + command(b"on", b"\x23\0\7", topic=b""))),
    ("an alias of zero", saying(connack() + command(b"on", b"\x23\0\0", topic=b""))),
    ("a command without a topic", saying(connack() + command(b"on", topic=b""))),
    ("a topic that is no text", saying(connack() + command(b"on", topic=b"adhand/trial/cmd/\xff\xfe\0"))),
    ("properties longer than their packet", saying(connack() + packet(0x30, text(b"adhand/trial/cmd/mute") + b"\x7f\1\1"))),
    ("a property twice", saying(connack() + command(b"on", b"\x01\1\x01\1"))),
    ("a response topic with wildcards", saying(connack() + command(b"on", b"\x08" + text(b"#")))),
    ("an acknowledgement of nothing",
     saying(connack() + packet(0x40, b"\x12\x34") + packet(0x90, b"\x12\x34\0\x80") + packet(0x62, b"\x12\x34"))),
    ("a second CONNACK", saying(connack() + connack(0x87))),
    ("a CONNACK of nothing", saying(packet(0x20, b""))),
    ("a reason that nobody knows", saying(connack(0xEE))),
    ("a reason for going that nobody knows", saying(connack() + packet(0xE0, b"\xEE\0"))),
    ("an unknown kind of packet", saying(connack() + packet(0xF0, b"\x18\0") + packet(0x00, b""))),
    ("no room for any message", saying(connack(properties=b"\x21\0\0\x27\0\0\0\1"))),
    ("bytes, and no MQTT", saying(b"HTTP/1.1 200 OK\r\n\r\n" * 500)),
    ("a byte at a time", slowly),
    ("as many commands as it takes", flood),
]

web = port()
threading.Thread(target=http.server.ThreadingHTTPServer(("127.0.0.1", web), Sink).serve_forever, daemon=True).start()
broker = Broker()
(folder / "adhand.toml").write_text(
    'timezone = "Europe/London"\n[location]\nname = "Trial"\nlatitude = 51.5\nlongitude = -0.1\n[audio]\n' f'devices = ["{DEVICE}"]\n')
(folder / "bridge.toml").write_text(f"""
[mqtt]
broker = "mqtt://127.0.0.1:{broker.port}"
[mqtt.commands]
allow = ["stop"]
[alerts]
after = {{ daemon = "1s" }}
[[alert]]
name = "web"
kind = "webhook"
url = "http://127.0.0.1:{web}/"
[prometheus]
textfile = ""
""")


def bridge():
    return house.run(BRIDGE, "--config", folder / "bridge.toml", "--socket", folder / "s", "--state-dir", folder / "state", "--box",
                     "trial", env={**os.environ, "SWIFT_BACKTRACE": "enable=no"})


def arrived(phase):
    return sum(message["alert"] == "daemon" and message["phase"] == phase for message in posts)


def switches(process, seconds):
    before = wakes(process)
    time.sleep(seconds)
    return (wakes(process) - before) / seconds


try:
    called = house.adhand(ADHAND)
    expect("adhand answers", until(lambda: house.ctl(ADHAND, "status").returncode == 0, 20))
    for name, lie in LIES:
        broker.lie, broker.calls = lie, 0
        # This run has a state of its own, so it knows nothing of the previous one.
        (folder / "state/broker.json").unlink(missing_ok=True)
        bridged, most = bridge(), 0.0
        expect(f"{name}: it connects", until(lambda: broker.calls > 0, 10))
        end = time.monotonic() + 4
        while time.monotonic() < end and bridged.poll() is None:
            try:
                most = max(most, resident(bridged))
            except StopIteration:
                # The process has just ended.
                break
            time.sleep(0.02)
        good = bridged.poll() is None and most <= MOST_MEMORY and broker.calls <= 4
        expect(f"{name}: it lives, stays small and does not knock without end", good, (bridged.poll(), most, broker.calls))
        muted = json.loads(house.ctl(ADHAND, "status", "--json").stdout)["mute"]["active"]
        expect(f"{name}: nothing is muted", not muted)
        bridged.kill()
        bridged.wait(30)

    # A keepalive of zero and one of a second, from a broker that is correct otherwise.
    for seconds, most in ((0, 1), (1, 15)):
        broker.lie = lambda line, seconds=seconds: (line.sendall(connack(properties=keepalive(seconds))), acknowledge(line))
        bridged = bridge()
        time.sleep(3)
        rate = switches(bridged, 8)
        expect(f"a keepalive of {seconds} s keeps nobody awake", rate <= most and bridged.poll() is None, rate)
        bridged.kill()
        bridged.wait(30)

    # A property that libmosquitto 2.0.11 does not know ends the program. The service manager starts it again, and messages to
    # other servers are sent in between, because the bridge waits longer for the broker each time.
    (folder / "state/broker.json").unlink(missing_ok=True)
    broker.lie, broker.calls = DEADLY, 0
    posts.clear()
    deaths, bridged, over = 0, bridge(), time.monotonic() + 45
    called.kill()
    called.wait(30)
    while time.monotonic() < over and not arrived("begin"):
        if bridged.poll() is not None:
            deaths += 1
            time.sleep(1)
            bridged = bridge()
        time.sleep(0.05)
    expect("a broker that ends the program keeps no call for help back", arrived("begin") == 1, (deaths, posts))
    print(f"        {deaths} ends, {broker.calls} connections")
    expect("and is left alone for a while", broker.calls <= 5, broker.calls)
    bridged.kill()
    bridged.wait(30)
    called = house.adhand(ADHAND)
    (folder / "state/broker.json").unlink(missing_ok=True)

    # The bridge sends messages to other servers during a flood.
    broker.lie, broker.calls = flood, 0
    posts.clear()
    bridged = bridge()
    expect("the flood reaches the bridge", until(lambda: broker.calls > 0, 20))
    # The bridge knows that adhand is there, and the flood has started.
    time.sleep(1)
    called.kill()
    called.wait(30)
    expect("beside a flood somebody learns that adhand is away", until(lambda: arrived("begin") == 1, 15), posts)
    called = house.adhand(ADHAND)
    expect("and that it is back", until(lambda: arrived("end") == 1, 30), posts)
    print(f"        {resident(bridged):.1f} MB resident at the end")
finally:
    status = house.end()
sys.exit(status)
