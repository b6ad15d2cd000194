#!/usr/bin/env python3
"""Tests a finger on the display: the sheet opens, mutes, switches a prayer and closes, and is absent without the session's
secret. The page has a port of its own; the helper's port 8789, which the page knows, must be free.

usage: touch.py ADHAN_TOUCH ADHAN_DISPLAY [PICTURE]"""
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent)]
from browser import Browser  # noqa: E402
from page import expect, findings, wait  # noqa: E402
from display import Display  # noqa: E402
from house import port as free_port  # noqa: E402

SECRET = "9f8e7d6c5b4a39281706f5e4d3c2b1a0"


def serve(listener, program, environment):
    """Starts a process for each connection, as systemd does for a socket with Accept=yes."""
    while True:
        try:
            connection, _ = listener.accept()
        except OSError:
            return
        subprocess.Popen([program], stdin=connection, stdout=connection, env=environment)
        connection.close()


def box(path, outcomes):
    """A flashed box: adhan-box-hotspot-ask.socket, with an answer for each connection."""
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen(8)

    def answer():
        for outcome in outcomes:
            connection, _ = listener.accept()
            with connection:
                connection.sendall(json.dumps({"outcome": outcome, "network": "adhan-1a2b3c", "message": outcome}).encode() + b"\n")

    threading.Thread(target=answer, daemon=True).start()


def main():
    touch, program = map(os.path.abspath, sys.argv[1:3])
    with tempfile.TemporaryDirectory(prefix="touch-") as folder:
        port = free_port()
        Path(folder, "secret").write_text(f"{SECRET}\n{port}\n")
        listener = socket.create_server(("127.0.0.1", 8789))
        environment = {"ADHAND_SOCKET": folder + "/control.sock", "ADHAN_TOUCH_SECRET": folder + "/secret",
                       "ADHAN_DISPLAY_CONFIG": folder + "/display.toml", "ADHAN_HOTSPOT_SOCKET": folder + "/hotspot.sock",
                       **{name: os.environ[name] for name in ("LD_LIBRARY_PATH",) if name in os.environ}}
        threading.Thread(target=serve, args=(listener, touch, environment), daemon=True).start()
        display = Display(program, folder, "[touch]\nenabled = true\n", port=port)
        browser = Browser()
        try:
            browser.size(1280, 800)
            ready = "document.body && document.body.dataset.scene !== 'waiting'"
            tap = "document.body.click()"
            press = "[...document.querySelectorAll('#sheet button')].find((b) => b.textContent.includes('%s')).click()"
            has = "[...document.querySelectorAll('#sheet button')].some((b) => b.textContent.includes('%s'))"
            browser.open(display.url, ready)
            browser.evaluate(tap)
            time.sleep(1)
            expect("without the session's secret a tap opens nothing", not browser.evaluate("document.querySelector('#sheet')"))
            browser.open("about:blank", "true")
            browser.open(f"{display.url}#touch={SECRET}", ready)
            browser.evaluate(tap)
            expect("with it the sheet opens", wait(browser, has % "Mute for an hour"))
            expect("and shows sounds, volumes, method and version",
                   browser.evaluate("document.querySelector('#sheet .facts').textContent.includes('standard, 80 %')"))
            if len(sys.argv) > 3:
                browser.picture(sys.argv[3])
            browser.evaluate(press % "Mute for an hour")
            expect("a tap mutes, and the sheet says so", wait(browser, has % "Unmute"))
            browser.evaluate(press % "Asr")
            expect("a tap switches Asr off", wait(browser, has % "\\u2715 Asr"))
            expect("nothing of the sheet is cut",
                   wait(browser,
                        "[...document.querySelectorAll('#sheet button, #sheet p')].every((e) => e.scrollWidth <= e.clientWidth + 1)"))
            expect("this machine is no flashed box, and nobody can ask for a network of its own", not browser.evaluate(has % "own Wi-Fi"))
            browser.evaluate(press % "Close")
            expect("and it closes", not browser.evaluate("document.querySelector('#sheet')"))
            box(folder + "/hotspot.sock", ["coming", "connected", "impossible"])
            browser.evaluate(tap)
            expect("on a flashed box the sheet has it", wait(browser, has % "own Wi-Fi"))
            for words in ("\u2068adhan-1a2b3c\u2069", "is in a network", "report on the card says why"):
                browser.evaluate(press % "own Wi-Fi")
                expect(f"and says what comes of it: {words}",
                       wait(browser, f"document.querySelector('#sheet .said').textContent.includes('{words}')"))
            expect("nothing of that is cut",
                   wait(browser,
                        "[...document.querySelectorAll('#sheet button, #sheet p')].every((e) => e.scrollWidth <= e.clientWidth + 1)"))
            browser.evaluate(press % "Close")
            listener.shutdown(socket.SHUT_RDWR) if listener.fileno() >= 0 else None
            listener.close()
            browser.evaluate(tap)
            expect("a helper that does not answer is reported",
                   wait(browser, "document.querySelector('#sheet .said') && document.querySelector('#sheet .said').textContent.length > 0"))
        finally:
            browser.close()
            listener.shutdown(socket.SHUT_RDWR) if listener.fileno() >= 0 else None
            listener.close()
            display.close()
    sys.exit(findings.end())


if __name__ == "__main__":
    main()
