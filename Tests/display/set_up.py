#!/usr/bin/env python3
"""Tests that the screen of a box without a place shows its codes readably, in every language and shape, and only on the machine's
own display. Then a phone claims the box, and the box gets a place. The helper's port 8789, which the page knows, must be free.

usage: set_up.py ADHAN_TOUCH ADHAN_DISPLAY [--keep FOLDER]"""
import argparse
import contextlib
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent)]
from browser import Browser  # noqa: E402
from display import PROBE, Display  # noqa: E402
from house import CLOCK, port as free_port  # noqa: E402
from page import expect, findings, wait  # noqa: E402
from pictures import LANGUAGES, SHAPES  # noqa: E402
from touch import SECRET, serve  # noqa: E402

KEY = "k7m2-9qxd-4wtp"
PAIRING = "00112233445566778899aabbccddeeff"
CODE = "482913"
JOIN = f"WIFI:T:WPA;S:adhan-1a2b3c;P:{KEY};;"
OPEN = {"state": "open", "code": CODE, "key": PAIRING, "url": "http://adhan-1a2b3c.local:8790/r/pair", "seconds": 100}
CLAIMED = {"state": "claimed", "by": "Küche <b>تلفون</b>"}


class Room:
    """The pairing socket of a fake adhan-remote, and the box's own network."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.reply = OPEN
        (self.folder / "credentials").mkdir()
        (self.folder / "credentials/hotspot-key").write_text(KEY + "\n")
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.bind(str(self.folder / "pairing.sock"))
        self.socket.listen(16)
        threading.Thread(target=self.answer, daemon=True).start()

    def answer(self):
        with contextlib.suppress(OSError):
            while True:
                line, _ = self.socket.accept()
                with line, contextlib.suppress(ConnectionError):
                    asked = b""
                    while not asked.endswith(b"\0"):
                        asked += line.recv(4096) or b"\0"
                    line.sendall(json.dumps({"parameters": self.reply}).encode() + b"\0")

    def network(self, has_hotspot, numbers):
        file = self.folder / "hotspot"
        file.write_text("adhan-1a2b3c\n") if has_hotspot else file.unlink(missing_ok=True)
        (self.folder / "addresses").write_text("".join(f"{number}\n" for number in numbers))

    def environment(self):
        folder = self.folder
        return {"ADHAND_SOCKET": f"{folder}/control.sock", "ADHAN_TOUCH_SECRET": f"{folder}/secret",
                "ADHAN_DISPLAY_CONFIG": f"{folder}/display.toml", "ADHAN_PAIRING_SOCKET": f"{folder}/pairing.sock",
                "ADHAN_TOUCH_HOTSPOT": f"{folder}/hotspot", "ADHAN_TOUCH_ADDRESSES": f"{folder}/addresses",
                "CREDENTIALS_DIRECTORY": f"{folder}/credentials", "ADHAN_SET_UP": "yes", **CLOCK,
                **{name: os.environ[name] for name in ("LD_LIBRARY_PATH",) if name in os.environ}}


def codes(browser, folder):
    """The content of all codes, as a camera reads them."""
    path = f"{folder}/screen.png"
    browser.picture(path)
    done = subprocess.run(["zbarimg", "--quiet", "--raw", path], capture_output=True, text=True, check=False, timeout=60)
    return set(done.stdout.split("\n")) - {""}


SHOWN = """(() => { const shown = (e) => e && e.getClientRects().length > 0;
  return { wifi: shown(document.getElementById('setup-wifi')), page: shown(document.getElementById('setup-page')),
    labels: [...document.querySelectorAll('#setup .label')].filter(shown).map((e) => e.textContent),
    said: shown(document.getElementById('setup-said')), text: document.getElementById('setup').textContent,
    words: [...document.querySelectorAll('#setup .words p')].filter(shown).map((p) => [p.lang, p.dir, p.textContent]) }; })()"""


def touch(action, port):
    """The answer to a tap, as the page would receive it."""
    body = json.dumps({"token": SECRET, "do": action}).encode()
    request = urllib.request.Request("http://127.0.0.1:8789/touch", body,
                                     {"Origin": f"http://127.0.0.1:{port}", "Content-Type": "text/plain"})
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def open_page(browser, display, language, secret=True):
    # A change of the fragment alone would load nothing.
    browser.open("about:blank", "true")
    browser.open(f"{display.url}?lang={language}" + (f"#touch={SECRET}" if secret else ""),
                 "document.body && document.body.dataset.scene === 'set-up'")


def is_drawn(browser, expression):
    return wait(browser, f"(() => {{ const now = {SHOWN}; return now.words.length >= 2 && ({expression}); }})()", 30)


def look(browser, name, keep):
    found = browser.evaluate(PROBE)
    expect(f"{name}: nothing is cut, on top of another or without a glyph", not found["problems"], found["problems"][:4])
    if keep:
        browser.picture(f"{keep}/{name}.png")


def secrecy(browser, display, room, folder):
    """Only this machine's own display receives a code."""
    state = urllib.request.urlopen(display.url + "state.json", timeout=10).read().decode()
    document = json.loads(state)
    expect("the scene comes before all others", document["scenes"][0]["scene"] == "set-up" and len(document["scenes"]) == 1)
    expect("/state.json has neither key nor code", not any(secret in state for secret in (KEY, PAIRING, CODE, "WIFI:")))
    open_page(browser, display, "en", secret=False)
    expect("a page without the session's secret says where to look", is_drawn(browser, "now.said"))
    shown = browser.evaluate(SHOWN)
    expect("and has no code", not shown["wifi"] and not shown["page"] and KEY not in shown["text"] and not codes(browser, folder))
    expect("the display's own page is answered, though taps are off", touch("set-up", display.port)[0] == 200)
    status, said = touch("mute-hour", display.port)
    expect("and taps stay off", status == 403 and "touch is off" in said["message"])
    secret = room.folder / "secret"
    kept = secret.read_text()
    secret.write_text(kept.replace(SECRET, SECRET[::-1]))
    status, said = touch("set-up", display.port)
    expect("nobody else's question is answered", status == 403 and KEY not in json.dumps(said))
    secret.write_text(kept)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("touch")
    parser.add_argument("program")
    parser.add_argument("--keep")
    options = parser.parse_args()
    helper, program = os.path.abspath(options.touch), os.path.abspath(options.program)
    if options.keep:
        os.makedirs(options.keep, exist_ok=True)
    os.environ["ADHAN_SET_UP"] = "yes"
    with tempfile.TemporaryDirectory(prefix="set-up-") as folder:
        room = Room(folder)
        room.network(True, ["10.77.77.1"])
        port = free_port()
        (room.folder / "secret").write_text(f"{SECRET}\n{port}\n")
        listener = socket.create_server(("127.0.0.1", 8789))
        threading.Thread(target=serve, args=(listener, helper, room.environment()), daemon=True).start()
        display = Display(program, folder, port=port)
        display.port = port
        display.say(awaiting="place")
        browser = Browser()
        try:
            browser.size(*SHAPES[0])
            for _ in range(200):
                with contextlib.suppress(OSError, KeyError, IndexError):
                    if json.load(urllib.request.urlopen(display.url + "state.json", timeout=5))["scenes"][0]["scene"] == "set-up":
                        break
                time.sleep(0.05)
            secrecy(browser, display, room, folder)
            for number, language in enumerate(LANGUAGES):
                shape = SHAPES[number % len(SHAPES)]
                browser.size(*shape)
                open_page(browser, display, language)
                expect(f"{language}: two codes without a network", is_drawn(browser, "now.wifi && now.page"))
                shown = browser.evaluate(SHOWN)
                words = shown["words"]
                expect(f"{language}: the password is called so, and digits that nobody asks for there are not shown",
                       len(shown["labels"]) == 1 and "Password" in shown["labels"][0] and CODE not in shown["text"], shown["labels"])
                expected = list(dict.fromkeys(["ar", "en", language]))
                expect(f"{language}: the texts are {expected}", [one[0] for one in words] == expected * 2 and all(one[2] for one in words))
                look(browser, f"two-{language}-{shape[0]}x{shape[1]}", options.keep)
                read = codes(browser, folder)
                expect(f"{language}: a camera reads both", read == {JOIN, f"http://10.77.77.1/r/pair#{PAIRING}"}, read)
            for number, shape in enumerate(SHAPES):
                for language in (LANGUAGES[number], "ur", "de"):
                    browser.size(*shape)
                    room.network(False, ["192.168.1.30", "192.168.178.21"])
                    room.reply = OPEN
                    open_page(browser, display, language)
                    expect(f"{language} {shape}: with a network one code", is_drawn(browser, "!now.wifi && now.page"))
                    look(browser, f"one-{language}-{shape[0]}x{shape[1]}", options.keep)
                    expect(f"{language} {shape}: which a camera reads",
                           codes(browser, folder) == {f"http://192.168.1.30:8790/r/pair#{PAIRING}"})
                    found = browser.evaluate(SHOWN)
                    shown = found["text"]
                    expect(f"{language} {shape}: the digits are called so",
                           len(found["labels"]) == 1 and "Six-digit code" in found["labels"][0], found["labels"])
                    expect(f"{language} {shape}: code, numbers and name stand beside it",
                           all(one in shown for one in (CODE, "192.168.1.30:8790/r/pair", "192.168.178.21:8790",
                                                        "adhan-1a2b3c.local:8790")))
                    room.reply = {**OPEN, "code": None}
                    expect(f"{language} {shape}: digits that do not count are gone, the code stays",
                           is_drawn(browser, f"!now.text.includes('{CODE}') && now.page"))
                    room.network(False, [])
                    expect(f"{language} {shape}: without any network it says so", is_drawn(browser, "now.said && !now.page && !now.wifi"))
                    look(browser, f"none-{language}-{shape[0]}x{shape[1]}", options.keep)
                    room.reply = CLAIMED
                    expect(f"{language} {shape}: claimed, and by whom, as plain text",
                           is_drawn(browser, "now.said && now.text.includes('Küche <b>تلفون</b>')"))
                    expect(f"{language} {shape}: and no code is left in the page",
                           not re.search(f"{KEY}|{PAIRING}|{CODE}", browser.evaluate("document.documentElement.outerHTML")))
                    look(browser, f"claimed-{language}-{shape[0]}x{shape[1]}", options.keep)
            room.network(True, ["10.77.77.1"])
            room.reply = OPEN
            browser.size(*SHAPES[0])
            open_page(browser, display, "en")
            expect("codes once more", is_drawn(browser, "now.wifi"))
            display.say(awaiting=None)
            expect("with a place it is the board", wait(browser, "document.body.dataset.scene === 'home'", 15))
            expect("and no code is left in the page",
                   not re.search(f"{KEY}|{PAIRING}|{CODE}", browser.evaluate("document.documentElement.outerHTML")))
        finally:
            browser.close()
            listener.shutdown(socket.SHUT_RDWR)
            listener.close()
            display.close()
    sys.exit(findings.end())


if __name__ == "__main__":
    main()
