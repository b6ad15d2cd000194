"""A headless Firefox, driven by its own Marionette protocol: `length:[0, number, command, parameters]` over TCP, without a
library. It has the part of Browser's interface that drawing a page needs."""
import base64
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path


class Firefox:
    def __init__(self, preferences=None):
        program = shutil.which("firefox-esr") or shutil.which("firefox")
        if not program:
            raise SystemExit("firefox-esr is not installed")
        self.profile = tempfile.mkdtemp(prefix="display-firefox-")
        Path(self.profile, "user.js").write_text(
            'user_pref("marionette.port", 0);\nuser_pref("datareporting.policy.dataSubmissionEnabled", false);\n'
            'user_pref("app.update.enabled", false);\nuser_pref("browser.shell.checkDefaultBrowser", false);\n'
            'user_pref("network.captive-portal-service.enabled", false);\nuser_pref("network.connectivity-service.enabled", false);\n'
            + "".join(f'user_pref("{name}", {json.dumps(value)});\n' for name, value in (preferences or {}).items()))
        environment = {**os.environ, "HOME": self.profile, "MOZ_HEADLESS_WIDTH": "4096", "MOZ_HEADLESS_HEIGHT": "4096"}
        self.process = subprocess.Popen(
            [program, "--headless", "--marionette", "--no-remote", "--profile", self.profile, "about:blank"], env=environment,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        port = Path(self.profile, "MarionetteActivePort")
        end = time.monotonic() + 60
        while not (port.exists() and port.read_text().strip()):
            if time.monotonic() > end or self.process.poll() is not None:
                raise RuntimeError("Firefox does not start")
            time.sleep(0.1)
        self.line = socket.create_connection(("127.0.0.1", int(port.read_text())), timeout=60)
        self.buffer = b""
        self.number = 0
        self.receive()  # its greeting
        self.call("WebDriver:NewSession", capabilities={"alwaysMatch": {"pageLoadStrategy": "none"}})

    def receive(self):
        while b":" not in self.buffer:
            self.fill()
        length, _, self.buffer = self.buffer.partition(b":")
        while len(self.buffer) < int(length):
            self.fill()
        message, self.buffer = self.buffer[:int(length)], self.buffer[int(length):]
        return json.loads(message)

    def fill(self):
        chunk = self.line.recv(1 << 20)
        if not chunk:
            raise RuntimeError("Firefox has gone")
        self.buffer += chunk

    def call(self, command, **parameters):
        self.number += 1
        message = json.dumps([0, self.number, command, parameters]).encode()
        self.line.sendall(str(len(message)).encode() + b":" + message)
        _, _, error, result = self.receive()
        if error:
            raise RuntimeError(f"{command}: {error.get('message', error)}")
        return result

    def evaluate(self, expression):
        return self.call("WebDriver:ExecuteScript", script=f"return {expression}", args=[])["value"]

    def size(self, width, height):
        # The window's own borders must be added.
        for _ in range(3):
            inner = self.evaluate("[outerWidth - innerWidth, outerHeight - innerHeight, innerWidth, innerHeight]")
            if inner[2:] == [width, height]:
                return
            self.call("WebDriver:SetWindowRect", width=width + inner[0], height=height + inner[1])
            time.sleep(0.1)

    def open(self, url, ready="document.body && document.body.dataset.ready === 'yes'", seconds=60):
        self.call("WebDriver:Navigate", url=url)
        end = time.monotonic() + seconds
        while True:
            try:
                if self.evaluate(f"location.href === {json.dumps(url)} && ({ready})"):
                    return
            except RuntimeError:
                pass  # between two pages there is none to query
            if time.monotonic() > end:
                raise RuntimeError(f"{url} does not get ready")
            time.sleep(0.02)

    def picture(self, path):
        data = self.call("WebDriver:TakeScreenshot", full=False)["value"]
        Path(path).write_bytes(base64.b64decode(data))

    def close(self):
        self.line.close()
        self.process.terminate()
        self.process.wait(20)
        shutil.rmtree(self.profile, ignore_errors=True)
