"""Tests the address for messages, from a phone: it is offered, tried before it is stored, and removed; unusable ones are
refused. The socket to adhan-bridge works as under systemd: one program for each connection. Messages go to a web server of the
trial."""
import http.server
import json
import subprocess
import sys
import threading
import time
from pathlib import Path

from harness import encoded, expect
from ends import until

sys.path.insert(1, str(Path(__file__).resolve().parent.parent))
from messages_socket import MessagesSocket  # noqa: E402

ADDRESS = "/r/messages"


class Sink(http.server.BaseHTTPRequestHandler):
    """Accepts messages, or refuses them."""

    def do_POST(self):
        self.server.bodies.append(self.rfile.read(int(self.headers["Content-Length"])).decode())
        self.send_response(self.server.status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_words):
        pass


def bridge(box, state):
    return [box.programs / "adhan-bridge", "--config", box.folder / "bridge.toml", "--state-dir", state, "--box", "kitchen"]


def trial(box, keeper, household):
    page, state = box.page, box.folder / "bridge"
    kept = state / "page.json"
    listener = MessagesSocket(box.folder / "messages.sock", [*bridge(box, state), "messages", "--near"], box.journal)

    def settle(**fields):
        return page.settle(ADDRESS, fields, keeper)

    shown = page.look(ADDRESS, keeper).body.decode()
    expect("without the bridge the page names its package",
           "sudo apt install adhand-bridge" in shown and "<form method" not in shown.split("<h1>")[1], shown[-600:])
    status, reply = settle(do="test")
    expect("... and an act is refused", (status, reply["error"]) == (503, "away"), reply)
    sink = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Sink)
    sink.bodies, sink.status = [], 200
    threading.Thread(target=sink.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{sink.server_port}/our-mosque"
    listener.open()
    try:
        asked(page, keeper, household, settle, listener, kept, sink, address)
        service(box, listener, sink, state)
        hostile(listener, kept)
    finally:
        expect("adhan-bridge messages ends by itself", listener.end())
        sink.shutdown()


def asked(page, keeper, household, settle, listener, kept, sink, address):
    shown = page.look(ADDRESS, keeper).body.decode()
    topic = shown.split("https://ntfy.sh/")[1].split('"')[0]
    expect("a topic is proposed", len(topic) == 18 and topic.startswith("adhan-"), topic)
    expect("... and stays, as a phone is subscribed to it first", topic in page.look(ADDRESS, keeper).body.decode())
    expect("health leads there", ADDRESS in page.look("/r/health", keeper).body.decode())
    expect("a household's phone sees none of it",
           page.look(ADDRESS, household).status == 403 and ADDRESS not in page.look("/r/health", household).body.decode())
    expect("... and sets none", page.act(ADDRESS, encoded({"do": "remove"}), household).status == 403)
    status, reply = settle(do="set", address="not an address")
    expect("no address: refused, with the reason", (status, reply["error"]) == (422, "invalid") and "https://" in reply["message"]
           or "spaces" in reply["message"], reply)
    answer = page.act(ADDRESS, encoded({"do": "set", "address": "not an address"}), keeper)
    expect("... as typed, at its field", answer.status == 422 and b'value="not an address" aria-invalid="true"' in answer.body,
           answer.raw[:300])
    sink.status = 403
    status, reply = settle(do="set", address=address)
    expect("a server that takes no message: refused", (status, reply["error"]) == (409, "undelivered"), reply)
    expect("... and nothing is kept", not kept.exists() and len(sink.bodies) == 1)
    sink.status = 200
    answer = page.act(ADDRESS, encoded({"do": "set", "address": address}), keeper)
    expect("an address: a test message first", answer.status == 303 and len(sink.bodies) == 2 and "test" in sink.bodies[1].lower(),
           sink.bodies)
    expect("... which names the place", "Trial" in sink.bodies[1], sink.bodies[1])
    expect("... then it is kept, for its user alone",
           json.loads(kept.read_text())["address"] == address and kept.stat().st_mode & 0o777 == 0o600)
    shown = page.look(ADDRESS, keeper).body.decode()
    expect("the page says so", "A test message was sent, and the address is kept" in shown and f"<bdi>{address}</bdi>" in shown,
           shown[-1500:])
    expect("... and that the service does not run", "sudo systemctl enable --now adhan-bridge" in shown)
    began = time.monotonic()
    status, reply = settle(do="test")
    expect("a test of what is kept", status == 200 and len(sink.bodies) == 3, reply)
    expect("... five seconds after the last message", time.monotonic() - began < 20)


def service(box, listener, sink, state):
    """The service knows the address without a bridge.toml, applies a new one by itself, and drops one that was removed."""
    words = [*bridge(box, state), "--socket", box.control]
    box.processes.append(subprocess.Popen(words, stdout=box.journal, stderr=box.journal))
    until(lambda: listener.ask(b'{"act":"show"}\n')["isRunning"], what="the service")
    status = json.loads(subprocess.run(
        [box.programs / "adhan-bridge", "alert", "--config", box.folder / "bridge.toml", "--json"],
        env={"STATE_DIRECTORY": str(state)}, capture_output=True, timeout=20, check=False).stdout)
    expect("adhan-bridge alert lists it", [alert["name"] for alert in status["alerts"]] == ["page"], status)
    (box.folder / "bridge.toml").write_text('[[alert]]\nname = "page"\nkind = "webhook"\nurl = "https://example.org/x"\n')
    reply = listener.ask(json.dumps({"act": "set", "address": f"http://127.0.0.1:{sink.server_port}/b"}).encode() + b"\n")
    expect("the file's own alert of that name goes before it", reply["error"] == "pinned", reply)
    (box.folder / "bridge.toml").write_text("[[alert]\n")
    expect("beside a damaged file nothing is set", listener.ask(b'{"act":"test"}\n')["error"] == "configuration")
    (box.folder / "bridge.toml").unlink()


def hostile(listener, kept):
    for line in [b"\n", b"{}\n", b'{"act":"exec"}\n', b"\xff\xfe\n", b"[" * 3000 + b"\n", b"x" * 70_000, b'{"act":"set"}\n']:
        reply = listener.ask(line)
        expect(f"{line[:20]!r} is refused", reply.get("error") in ("request", "address"), reply)
    before = kept.read_bytes()
    kept.write_bytes(before[:9])
    reply = listener.ask(b'{"act":"test"}\n')
    expect("a damaged file is reported, and stays", reply["error"] == "not-saved" and kept.read_bytes() == before[:9], reply)
    reply = listener.ask(b'{"act":"remove"}\n')
    expect("... and can be removed", "error" not in reply and not kept.exists(), reply)
    expect("nothing is removed twice", listener.ask(b'{"act":"remove"}\n')["error"] == "nothing")
