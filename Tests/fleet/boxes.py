"""Thousands of simulated boxes in one process for rig.py, as raw MQTT 5 sessions: they send beats, plans and adhans, receive
envelopes, and reconnect after a loss as adhan-bridge does.

usage: boxes.py PORT NUMBER ORDERS          a line of JSON on the standard input is an order, one on the standard output an answer
"""
import asyncio
import base64
import datetime
import hashlib
import json
import random
import resource
import sys
import time

PASSWORD = "word of the boxes"
BEAT = 60


def instant(seconds):
    return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def number(value):
    """A variable byte integer."""
    out = bytearray()
    while True:
        value, digit = divmod(value, 128)
        out.append(digit | (128 if value else 0))
        if not value:
            return bytes(out)


def text(words):
    raw = words if isinstance(words, bytes) else words.encode()
    return len(raw).to_bytes(2, "big") + raw


def packet(kind, body):
    return bytes([kind]) + number(len(body)) + body


class Box(asyncio.Protocol):
    def __init__(self, crowd, name):
        self.crowd, self.name, self.transport, self.buffer = crowd, name, None, b""
        self.online, self.pause, self.beats, self.message = False, 1.0, 0, 0
        self.reports = {}

    # The MQTT session.

    def connection_made(self, transport):
        self.transport, self.buffer = transport, b""
        will = self.status("offline")
        will_properties = b"\x18" + (30).to_bytes(4, "big")
        body = (text("MQTT") + b"\x05" + bytes([0b1110_1110]) + BEAT.to_bytes(2, "big") + number(0) + text(f"adhand-fleet-{self.name}")
                + number(len(will_properties)) + will_properties + text(f"{self.crowd.base}/{self.name}/up/status") + text(will)
                + text(self.name) + text(PASSWORD))
        transport.write(packet(0x10, body))

    def connection_lost(self, _error):
        if self.online:
            self.crowd.online -= 1
        self.online = False
        self.transport = None
        asyncio.get_running_loop().call_later(self.pause * random.uniform(0.8, 1.2), self.come)
        self.pause = min(self.pause * 2, 40.0)

    def come(self):
        asyncio.ensure_future(self.crowd.connect(self))

    def data_received(self, data):
        buffer = self.buffer + data
        while len(buffer) >= 2:
            size, shift, at = 0, 0, 1
            while at < len(buffer) and at < 5:
                size |= (buffer[at] & 127) << shift
                shift += 7
                at += 1
                if not buffer[at - 1] & 128:
                    break
            else:
                break
            if len(buffer) < at + size:
                break
            self.take(buffer[0], buffer[at:at + size])
            buffer = buffer[at + size:]
        self.buffer = buffer

    def take(self, head, body):
        kind = head >> 4
        if kind == 2:
            if body[1] != 0:
                self.crowd.refused += 1
                return self.transport.close()
            self.online, self.pause = True, 1.0
            self.crowd.online += 1
            filters = b"".join(text(f"{self.crowd.base}/{who}/down/#") + b"\x01" for who in (self.name, "all"))
            self.transport.write(packet(0x82, b"\x00\x01" + number(0) + filters))
            asyncio.get_running_loop().call_later(random.uniform(0, 10), self.report_all)
        elif kind == 3:
            quality, length = head >> 1 & 3, int.from_bytes(body[:2], "big")
            topic, at = body[2:2 + length].decode(), 2 + length
            if quality:
                self.transport.write(packet(0x40, body[at:at + 2]))
                at += 2
            # The properties take only a few bytes.
            at += 1 + body[at]
            if body[at:]:
                self.crowd.envelope(self, topic, body[at:])
        return None

    def publish(self, topic, document, retained=True, sure=True):
        if not self.online or self.transport is None:
            return
        payload = document if isinstance(document, bytes) else json.dumps(document, separators=(",", ":")).encode()
        self.message = self.message % 65_000 + 2
        body = text(f"{self.crowd.base}/{self.name}/up/{topic}") + (self.message.to_bytes(2, "big") if sure else b"") + number(0) + payload
        self.transport.write(packet(0x30 | (2 if sure else 0) | (1 if retained else 0), body))

    # Reports.

    def status(self, state):
        return json.dumps({"v": 1, "state": state, "at": instant(time.time()), "boot": "b", "version": "0.1.0", "image": None,
                           "hardware": f"board of {self.name}", "adhand": "up", "beat": BEAT, "groups": [f"town/{hash(self.name) % 20}"]},
                          separators=(",", ":")).encode()

    def report_all(self):
        self.publish("plan", self.crowd.plan)
        self.publish("problems", {"v": 1, "open": []})
        for topic, document in self.reports.items():
            self.publish(topic, document)
        self.publish("status", self.status("online"))
        self.beat()

    def beat(self):
        if self.online:
            self.beats += 1
            self.publish("hb", {"v": 1, "at": instant(time.time()), "seq": self.beats}, retained=False, sure=False)

    def adhan(self, entry, state):
        document = {"v": 1, "id": entry["id"], "prayer": entry["prayer"], "due": entry["at"], "state": state, "at": instant(time.time()),
                    "latenessMs": 3, "reason": None, "cause": None, "ear": None}
        self.reports[f"adhan/{entry['prayer']}"] = document
        self.publish(f"adhan/{entry['prayer']}", document)


class Crowd:
    def __init__(self, port, count, org):
        self.port, self.base = port, f"adhand/v1/{org}"
        self.boxes = [Box(self, f"box-{n:05}") for n in range(count)]
        self.online = self.refused = 0
        self.plan = {"v": 1, "made": instant(time.time()), "until": instant(time.time() + 7 * 86400), "entries": []}
        # Few connections are opened at once, because a listen queue is short.
        self.gate = asyncio.Semaphore(200)
        self.failing, self.taken, self.seen = set(), {}, {}

    async def connect(self, box):
        async with self.gate:
            try:
                await asyncio.wait_for(asyncio.get_running_loop().create_connection(lambda: box, "127.0.0.1", self.port), 15)
            except (OSError, asyncio.TimeoutError):
                box.connection_lost(None)

    async def beats(self):
        """The beats are spread over the minute, because boxes are switched on at random times."""
        loop, step = asyncio.get_running_loop(), BEAT / len(self.boxes)
        due = loop.time()
        while True:
            for box in self.boxes:
                due += step
                if due > loop.time() + 0.05:
                    await asyncio.sleep(due - loop.time())
                box.beat()

    def envelope(self, box, topic, payload):
        """Answers each envelope once, after a moment, as adhand does: applied or reverted."""
        document = json.loads(payload)
        body = base64.b64decode(document["payload"])
        digest = hashlib.sha256(body).hexdigest()
        if self.seen.get(box.name) == digest:
            return
        self.seen[box.name] = digest
        self.taken.setdefault(digest, set()).add(box.name)
        seq = json.loads(body)["seq"]
        state = "reverted" if box.name in self.failing else "confirmed"

        def answer():
            report = {"v": 1, "kind": topic.split("/")[-1], "seq": seq, "digest": digest, "state": state,
                      "reason": "failed" if state == "reverted" else None, "at": instant(time.time())}
            box.reports[f"applied/{topic.split('/')[-1]}"] = report
            box.publish(f"applied/{topic.split('/')[-1]}", report)

        asyncio.get_running_loop().call_later(random.uniform(0.5, 4), answer)

    async def obey(self, order):
        match order["order"]:
            case "plan":
                self.plan = {"v": 1, "made": instant(time.time()), "until": instant(time.time() + 7 * 86400), "entries": order["entries"]}
                for index, box in enumerate(self.boxes):
                    box.publish("plan", self.plan)
                    if index % 100 == 99:
                        await asyncio.sleep(0.1)
            case "adhan":
                # Two reports of each box within ten seconds of a city's Maghrib.
                silent, entry = set(order["silent"]), order["entry"]
                loop = asyncio.get_running_loop()
                for box in self.boxes:
                    if box.name not in silent:
                        at = random.uniform(0, 2)
                        loop.call_later(at, box.adhan, entry, "playing")
                        loop.call_later(at + random.uniform(3, 8), box.adhan, entry, "played")
            case "failing":
                self.failing = set(order["boxes"])
            case "look":
                pass
        return {"online": self.online, "refused": self.refused, "taken": {digest: len(boxes) for digest, boxes in self.taken.items()}}


async def main():
    port, count, org = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    crowd = Crowd(port, count, org)
    for box in crowd.boxes:
        box.come()
    loop = asyncio.get_running_loop()
    beating = asyncio.ensure_future(crowd.beats())
    orders = asyncio.StreamReader(limit=1 << 20)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(orders), sys.stdin)
    while line := await orders.readline():
        print(json.dumps(await crowd.obey(json.loads(line))), flush=True)
    beating.cancel()


asyncio.run(main())
