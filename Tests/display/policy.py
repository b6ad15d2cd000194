#!/usr/bin/env python3
"""Tests that the kiosk's browser opens only the screen, under the policy that adhan-kiosk.service mounts. The real browser runs
in a network and with a /run of its own; a page counts as opened if its server receives a request.

usage: policy.py POLICY.JSON     As root, because it mounts."""
import http.server
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from page import expect, findings  # noqa: E402

START = "<!doctype html><meta http-equiv=refresh content='0;url=http://127.0.0.1:8787/%s'>"


class Pages(http.server.BaseHTTPRequestHandler):
    asked = []

    def do_GET(self):  # noqa: N802
        Pages.asked.append(f"{self.server.server_port}{self.path}")
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"<p>page")

    def log_message(self, *_):
        pass


def run(*command):
    subprocess.run(command, check=True, timeout=60)


def opens(folder, address, page):
    """Whether the browser, started with this address, requests the page."""
    browser = subprocess.Popen(["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
                                f"--user-data-dir={folder}/profile", address], stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        browser.wait(6)
    except subprocess.TimeoutExpired:
        os.killpg(browser.pid, 9)
        browser.wait(30)
    return page in Pages.asked


def main():
    policy = os.path.abspath(sys.argv[1])
    if os.environ.get("POLICY_INSIDE") != "yes":
        os.environ["POLICY_INSIDE"] = "yes"
        os.execvp("unshare", ["unshare", "--mount", "--net", "--pid", "--fork", "--mount-proc", sys.executable, *sys.argv])
    if not shutil.which("chromium"):
        sys.exit("chromium is not installed")
    run("ip", "link", "set", "lo", "up")
    for port in (8787, 9999):
        threading.Thread(target=http.server.ThreadingHTTPServer(("127.0.0.1", port), Pages).serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory(prefix="policy-") as folder:
        run("mount", "-t", "tmpfs", "none", "/run")
        Path("/run/adhan-kiosk").mkdir()
        Path("/run/adhan-kiosk/start.html").write_text(START % "start")
        other = Path(folder, "other.html")
        other.write_text(START % "other-file")
        expect("without the policy this browser opens any file", opens(folder, f"file://{other}", "8787/other-file"))
        Path("/etc/chromium/policies/managed").mkdir(parents=True, exist_ok=True)
        run("mount", "-t", "tmpfs", "none", "/etc/chromium/policies/managed")
        shutil.copy(policy, "/etc/chromium/policies/managed/adhand.json")
        Pages.asked.clear()
        expect("with it the session's first page leads to the screen", opens(folder, "file:///run/adhan-kiosk/start.html", "8787/start"))
        expect("no other file is opened", not opens(folder, f"file://{other}", "8787/other-file"))
        expect("no other server of this machine", not opens(folder, "http://127.0.0.1:9999/", "9999/"))
        expect("and no address that is a page itself", not opens(folder, "data:text/html," + START % "data", "8787/data"))
    sys.exit(findings.end())


if __name__ == "__main__":
    main()
