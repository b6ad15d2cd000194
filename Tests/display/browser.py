"""A headless Chromium, driven over the pipe of the DevTools protocol: JSON objects that end with NUL, without a port or a
library."""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time


# Far longer than an answer takes on a busy machine.
SECONDS = 180
# The protocol's errors when the page was replaced while it was queried.
LEAVING = ("Inspected target navigated or closed", "Execution context was destroyed", "Cannot find context",
           "Cannot find default execution context")


class PageLeft(RuntimeError):
    """The page was replaced while it was queried."""


class Browser:
    def __init__(self, *options, **variables):
        program = shutil.which("chromium-headless-shell") or shutil.which("chromium")
        if not program:
            raise SystemExit("chromium-headless-shell is not installed")
        self.profile = tempfile.mkdtemp(prefix="display-browser-")
        to_browser, self.to = os.pipe()
        self.back, from_browser = os.pipe()

        def wire():
            # The protocol uses descriptors 3 and 4, so these are first moved out of the way.
            high = os.dup2(to_browser, 30), os.dup2(from_browser, 31)
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        self.process = subprocess.Popen(
            [program, "--remote-debugging-pipe", "--no-sandbox", "--headless", "--hide-scrollbars", "--disable-gpu",
             # A background page would be scheduled after every other program of a busy machine.
             "--disable-renderer-backgrounding", "--disable-backgrounding-occluded-windows",
             "--font-render-hinting=none", f"--user-data-dir={self.profile}", *options, "about:blank"],
            preexec_fn=wire, close_fds=False, env={**os.environ, **variables}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer = b""
        self.number = 0
        self.session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Page.enable")
        self.call("Runtime.enable")

    def receive(self):
        while b"\0" not in self.buffer:
            if not select.select([self.back], [], [], SECONDS)[0]:
                raise RuntimeError(f"the browser has said nothing for {SECONDS} s")
            chunk = os.read(self.back, 1 << 20)
            if not chunk:
                raise RuntimeError("the browser has gone")
            self.buffer += chunk
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            reply = self.receive()
            if reply.get("method") == "Inspector.targetCrashed":
                # No answer would ever come.
                raise RuntimeError("the page has crashed")
            if reply.get("id") == self.number:
                if "error" in reply:
                    left = any(words in reply["error"].get("message", "") for words in LEAVING)
                    raise (PageLeft if left else RuntimeError)(f"{method}: {reply['error']}")
                return reply["result"]

    def size(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"].get("exception", {}).get("description", str(result)))
        return result["result"].get("value")

    def holds(self, expression):
        """Whether an expression is true now; false while the page is being replaced."""
        try:
            return bool(self.evaluate(expression))
        except PageLeft:
            return False

    def open(self, url, ready="document.body && document.body.dataset.ready === 'yes'", seconds=60):
        self.call("Page.navigate", url=url)
        # The loop runs outside the page, because a test may have replaced the page's timers. The page ignores the fragment after
        # "#".
        here = f"location.href.split('#')[0] === {json.dumps(url.split('#')[0])} && ({ready})"
        end = time.monotonic() + seconds
        while not self.holds(here):
            if time.monotonic() > end:
                raise RuntimeError(f"{url} does not get ready")
            time.sleep(0.02)

    def picture(self, path):
        data = self.call("Page.captureScreenshot", format="png", optimizeForSpeed=True)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def close(self):
        self.process.terminate()
        self.process.wait(10)
        os.close(self.to)
        os.close(self.back)
        shutil.rmtree(self.profile, ignore_errors=True)
