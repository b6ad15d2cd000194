#!/usr/bin/env python3
"""Tests that a screen on a wall is never blank or stuck, and reports its faults: networks that drop its connection silently,
clocks that are set, pictures that cannot be drawn, a server that is replaced or gone for days, a browser without fonts.

usage: faults.py ADHAN_DISPLAY"""
import re
import shutil
import signal
import socket
import struct
import sys
import tempfile
import threading
import time
import urllib.request
import zlib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from browser import Browser  # noqa: E402
from page import accelerate, expect, findings, wait  # noqa: E402
from display import PAGE, PROBE, Display  # noqa: E402

READY = "document.body && document.body.dataset.scene !== 'waiting'"
NOTICES = "[...document.querySelectorAll('#notices p')].map((p) => p.dataset.kind + ': ' + p.textContent).join('|')"
MIXED = "Masjid 🌙🕌 مسجد النور — মসজিদ Ⅷ Мечеть " + "al-Huda " * 12


class Connection:
    """A connection through a router. When the router forgets it, nothing is closed, and no more data arrives."""

    def __init__(self, near, far):
        self.near, self.far, self.has_events, self.is_forgotten = near, far, False, False
        for one, other in ((near, far), (far, near)):
            threading.Thread(target=self.pump, args=(one, other), daemon=True).start()

    def pump(self, one, other):
        try:
            while data := one.recv(65536):
                self.has_events = self.has_events or data.startswith(b"GET /events")
                if self.is_forgotten:
                    return
                other.sendall(data)
        except OSError:
            pass
        if not self.is_forgotten:
            self.end()

    def end(self):
        for socket_ in (self.near, self.far):
            try:
                socket_.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


class Router:
    """A router before the server that can forget the connection of the events. The other connections have long been closed."""

    def __init__(self, port):
        self.port, self.connections = port, []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}/"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            near, _ = self.listener.accept()
            far = socket.create_connection(("127.0.0.1", self.port), timeout=30)
            # From here on, neither end times out before the router does.
            far.settimeout(None)
            self.connections.append(Connection(near, far))

    def forget(self):
        for connection in self.connections:
            connection.is_forgotten = connection.has_events
            if not connection.has_events:
                connection.end()


class Displays:
    """All servers of these tests, which end with it."""

    def __init__(self, program):
        self.program, self.started = program, []

    def start(self, folder, config="", **options):
        display = Display(self.program, folder, config, **options)
        self.started.append(display)
        end = time.monotonic() + 60
        while time.monotonic() < end:
            try:
                return urllib.request.urlopen(display.url + "state.json", timeout=5).status and display
            except OSError:
                time.sleep(0.1)
        raise SystemExit("adhan-display has nothing to show")

    def close(self):
        for display in self.started:
            for process in (display.process, display.daemon):
                if process.poll() is None:
                    process.kill()
                process.wait(30)


def png(width, height, colour):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = (b"\0" + bytes(colour) * width) * height
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR",
                                         struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(rows))
            + chunk(b"IEND", b""))


def port_of(display):
    return int(display.url.rstrip("/").split(":")[-1])


def forgotten(browser, displays, folder):
    display = displays.start(folder)
    way = Router(port_of(display))
    browser.open(way.url, READY)
    expect("a page that comes by a router ticks", wait(browser, "!document.body.classList.contains('late')"))
    way.forget()
    expect("one whose connection is forgotten marks itself", wait(browser, "document.body.classList.contains('late')", 12))
    expect("and comes back by another connection",
           wait(browser, "!document.body.classList.contains('late') && !document.body.classList.contains('lost')", 25))
    display.close()


def hanging(browser, displays, folder):
    """A daemon that accepts connections and does not answer."""
    display = displays.start(folder)
    browser.open(display.url, READY)
    expect("a daemon that answers is not told as gone", wait(browser, "!document.querySelector('#notices p[data-kind=lost]')"))
    began = time.monotonic()
    display.daemon.send_signal(signal.SIGSTOP)
    found = wait(browser, "document.querySelector('#notices p[data-kind=lost]') !== null", 60)
    took = time.monotonic() - began
    expect(f"one that hangs is reported after {took:.0f} s", found and took <= 42)
    display.daemon.send_signal(signal.SIGCONT)
    expect("and no longer when it goes on", wait(browser, "!document.querySelector('#notices p[data-kind=lost]')", 20))
    display.close()


def clocks(browser, displays, folder):
    display = displays.start(folder)
    browser.open(display.url, READY)
    here = "document.querySelector('#clock bdi').textContent.slice(0, 5) + ' ' + document.querySelector('#gregorian').textContent"
    def shown():
        end = time.monotonic() + 30
        while time.monotonic() < end:
            if browser.evaluate(here).startswith(f"{display.clock.now():%H:%M}"):
                return True
            time.sleep(0.1)
        return False
    expect("the page shows the server's time", shown())
    before = browser.evaluate(here)
    for ahead, what in ((7200, "two hours forward"), (-5 * 3600, "seven hours back"), (40 * 3600, "to the day after tomorrow")):
        display.clock.set(ahead)
        expect(f"set {what}, the page's clock goes with it", shown())
    expect("and so does its date", wait(browser, f"({here}).split(' ').slice(1).join() !== {before!r}.split(' ').slice(1).join()"))
    display.close()


def pictures(browser, displays, folder):
    slides = Path(folder, "slides")
    slides.mkdir()
    (slides / "1 good.png").write_bytes(png(64, 64, (200, 30, 30)))
    # A valid header without image data.
    (slides / "2 torn.png").write_bytes(png(64, 64, (0, 0, 0))[:40] + b"\xff" * 400)
    (slides / "3 huge.jpg").write_bytes(b"\xff\xd8\xff" + bytes(50 << 20))
    (slides / "4 bomb.png").write_bytes(png(1, 1, (0, 0, 0))[:16] + struct.pack(">II", 30000, 30000) + bytes(60))
    (slides / "5 text.txt").write_text(MIXED + "\n<b>no markup</b>")
    display = displays.start(folder, f'title = "{MIXED}"\nticker = "{MIXED}"\n[slides]\nfolder = "{slides}"\neach = "2s"\n')
    display.say(place=MIXED)
    browser.open(display.url, READY)
    wait(browser, f"({NOTICES}).includes('torn')", 15)
    report = browser.evaluate(NOTICES)
    for name in ("2 torn.png", "3 huge.jpg", "4 bomb.png"):
        expect(f"{name} is reported as one that cannot be shown", name in report)
    # Several checks: at each second, the page shows either the board or a slide that exists.
    blank = browser.evaluate("""new Promise((done) => { const seen = []; const image = document.querySelector('#slide-image');
      const look = setInterval(() => { if (document.body.dataset.slide === 'on' && document.querySelector('#slide-text').textContent === ''
        && (image.hidden || image.complete && !image.naturalWidth)) seen.push(image.src); }, 50);
      setTimeout(() => { clearInterval(look); done(seen); }, 9000); })""")
    expect("no turn of the slides is blank", not blank, blank[:2])
    for size in ((1920, 1080), (1080, 1920), (1024, 768)):
        browser.size(*size)
        browser.open(f"{display.url}?now=2026-11-21T10:00:00Z")
        # Emoji are pictures with boxes larger than they look; texts that are too long end in an ellipsis.
        problems = [one for one in browser.evaluate(PROBE)["problems"] if not re.search('no glyph|overlap|"Masjid', one)]
        problems += browser.evaluate("""[...document.querySelectorAll("#title, #place, #ticker, #cards, #clock, #next")].filter((e) => {
          const box = e.getBoundingClientRect();
          return box.left < 0 || box.top < 0 || box.right > innerWidth || box.bottom > innerHeight; }).map((e) => e.id)""")
        expect(f"emoji, mixed scripts and long names stay in their places at {size[0]}x{size[1]}", not problems, problems[:2])
    browser.size(1920, 1080)
    display.close()


def crowded(browser, displays, folder):
    """All warnings at once in the banner, with large letters for a distant reader or a wide frame: nothing is cut."""
    for name, settings in (("a frame of 10 %", "margin = 10.0"), ("43 inches at 10 m", "diagonal = 43.0\ndistance = 10.0"),
                           ("32 inches at 15 m", "diagonal = 32.0\ndistance = 15.0\nmargin = 5.0")):
        display = displays.start(folder, f"[screen]\n{settings}\n")
        display.say(healthy=False, muted=True, trusted=False, approximate=True)
        found = []
        for language in ("de", "ur,en", "so,ar"):
            for size in ((1920, 1080), (1080, 1920), (1024, 768)):
                for at in ("2026-11-21T10:00:00Z", "2026-11-21T12:05:40Z", "2026-11-21T12:27:15Z"):
                    browser.size(*size)
                    browser.open(f"{display.url}?now={at}&lang={language}&clock=12")
                    found += [(language, size, one) for one in browser.evaluate(PROBE)["problems"]]
        expect(f"{name}, and a strip full of what is wrong: nothing is cut", not found, found[:2])
        display.close()
    browser.size(1920, 1080)


def exchanged(browser, displays, folder):
    display = displays.start(folder)
    port = port_of(display)
    browser.open(display.url, READY)
    browser.evaluate("window.old = true")
    display.close()
    display = displays.start(folder, port=port)
    time.sleep(6)
    expect("a server that was started again is found, and the page stays",
           browser.evaluate("window.old === true") and wait(browser, "!document.body.classList.contains('late')"))
    display.close()
    page = Path(folder, "page")
    shutil.copytree(PAGE, page)
    (page / "verses.js").write_text((page / "verses.js").read_text() + "\n// newer\n")
    display = displays.start(folder, port=port, page=page)
    expect("one with another page makes the page load itself again", wait(browser, "window.old !== true", 15) and wait(browser, READY))
    display.close()


def alone(browser, displays, folder):
    display = displays.start(folder)
    script = accelerate(browser, display)
    display.close()
    browser.evaluate("window.EventSource = class { addEventListener() {} close() {} }")
    cards = "getComputedStyle(document.querySelector('#cards')).visibility"
    drawn = browser.evaluate("""(() => { const seen = {}; for (let i = 0; i < 47 * 360; i++) {
        advance(10000); seen[document.body.dataset.scene] = 1; }
      return Object.keys(seen).sort().join(); })()""")
    expect(f"for two days without anybody the page shows {drawn}", "night" in drawn and "prayer" in drawn and "home" in drawn)
    expect("with its times, and a red bar",
           browser.evaluate(cards) == "visible" and browser.evaluate("document.body.classList.contains('lost')"))
    report = browser.evaluate(NOTICES)
    expect("and says since which day", re.search(r"since (Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day \W?\d", report), report)
    browser.evaluate("for (let i = 0; i < 720; i++) advance(10000)")
    expect("then there is a clock, and no times of another day",
           browser.evaluate(cards) == "hidden" and browser.evaluate("document.body.dataset.scene") == "home"
           and browser.evaluate("document.querySelector('#clock bdi').textContent.length") >= 5)
    browser.call("Page.removeScriptToEvaluateOnNewDocument", identifier=script)


def fonts(displays, folder):
    """A browser with only Latin letters, and one without any font: the page of every scene works."""
    known = [Path("/usr/share/fonts/truetype") / name for name in ("liberation", "liberation2", "freefont")]
    path = next((one for one in known if one.is_dir()), None)
    expect("a font of Latin letters alone is installed", path)
    display = displays.start(folder)
    for name, line in (("latin", f"<dir>{path}</dir>"), ("none", "")):
        config = Path(folder, name + ".conf")
        config.write_text(f"<?xml version='1.0'?><fontconfig>{line}<cachedir>{folder}/{name}</cachedir></fontconfig>")
        browser = Browser(FONTCONFIG_FILE=str(config))
        try:
            browser.size(1920, 1080)
            browser.open(f"{display.url}?now=2026-11-21T10:00:00Z&lang=ar")
            report = browser.evaluate(NOTICES)
            expect(f"a browser with {name} of its letters says so", "No font for Arabic: apt install" in report, report)
            # The moments of a prayer, from before it until after its iqama.
            for minute in range(0, 40, 2):
                browser.open(f"{display.url}?now=2026-11-21T12:{minute:02}:00Z&lang={'ar' if minute % 4 else 'de'}", READY)
            expect(f"and shows a prayer from its warning to its end ({name})", browser.evaluate("1 + 1") == 2)
        finally:
            browser.close()
    display.close()


def main():
    displays, browser = Displays(sys.argv[1]), Browser()
    browser.size(1920, 1080)
    try:
        for test in (forgotten, hanging, clocks, pictures, crowded, exchanged, alone):
            with tempfile.TemporaryDirectory(prefix="display-") as folder:
                test(browser, displays, folder)
        with tempfile.TemporaryDirectory(prefix="display-") as folder:
            fonts(displays, folder)
    finally:
        browser.close()
        displays.close()
    sys.exit(findings.end())


if __name__ == "__main__":
    main()
