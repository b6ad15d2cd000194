#!/usr/bin/env python3
"""Tests that the page works on a wall: it connects, ticks on the second, reports faults, continues when its server was killed,
and does not grow.

usage: page.py ADHAN_DISPLAY [--seconds N]     how many seconds of a day are run through at once (default 14400)"""
import argparse
import struct
import sys
import tempfile
import zlib
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).resolve().parent.parent)]
from browser import Browser  # noqa: E402
from display import PROBE, Display  # noqa: E402
from ends import until  # noqa: E402
from findings import Findings  # noqa: E402

findings = Findings()
expect = findings.expect


def wait(browser, expression, seconds=60):
    return until(lambda: browser.holds(expression), seconds)


# A page whose clock and timers the test controls, and whose events come from /state.json once. It starts at its server's time.
ACCELERATED = """
(() => {
  let at = Date.now() + AHEAD * 1000; const due = [];
  window.advance = (ms) => { at += ms; const now = due.splice(0); for (const callback of now) callback(); };
  Date.now = () => at; performance.now = () => at;
  window.setTimeout = (callback) => { due.push(callback); return 1; };
  window.EventSource = class { addEventListener(name, callback) {
    if (name === "state") fetch("/state.json").then((answer) => answer.text())
      .then((text) => { callback({ data: text }); window.loaded = true; });
    if (name === "tick") window.tick = () => callback({ data: JSON.stringify({ at: new Date(at).toISOString(), sequence: 1 }) });
  } close() {} };
})();
"""


def accelerate(browser, display):
    """Opens the page with such a clock. Returns the script that must be removed from later pages."""
    source = ACCELERATED.replace("AHEAD", str(display.clock.ahead))
    script = browser.call("Page.addScriptToEvaluateOnNewDocument", source=source)["identifier"]
    browser.open(display.url, ready="window.loaded && document.body.dataset.scene !== 'waiting'")
    return script


def live(browser, display):
    browser.open(display.url, ready="document.body && document.body.dataset.scene !== 'waiting'")
    expect("the marks that others rely on are there",
           browser.evaluate("document.querySelectorAll('[data-prayer=\"asr\"] .time, [data-prayer=\"asr\"] .iqama').length") == 2)
    expect("styles are applied",
           browser.evaluate("getComputedStyle(document.querySelector('#clock')).fontFamily.length > 0") and
           browser.evaluate("document.documentElement.dir") == "ltr")
    samples = browser.evaluate("""new Promise((done) => { const seen = []; let last = document.querySelector('#countdown').textContent;
      const look = setInterval(() => { const text = document.querySelector('#countdown').textContent;
        if (text !== last) { last = text; seen.push(Date.now() % 1000); }
        if (seen.length === 4) { clearInterval(look); done(seen); } }, 1); })""")
    worst = max(min(ms, 1000 - ms) for ms in samples)
    expect(f"the second turns {worst:.0f} ms from the true one at most", worst <= 120)
    display.say(healthy=False, place="Masjid 🌙 " + "al-Huda " * 30)
    expect("a box without sound is reported on the screen",
           wait(browser, "[...document.querySelectorAll('#notices p')].some((p) => p.dataset.kind === 'no-sound')"))
    expect("a very long name of a place breaks nothing",
           browser.evaluate(
               "document.documentElement.scrollWidth <= innerWidth && document.querySelector('#place').getBoundingClientRect().right <= "
               "innerWidth"))
    display.say(healthy=True)
    expect("and it goes when the sound is back", wait(browser, "!document.querySelector('#notices p')"))
    display.daemon.kill()
    expect("a daemon that has gone is reported within seconds",
           wait(browser, "[...document.querySelectorAll('#notices p')].some((p) => p.dataset.kind === 'lost')", 5))
    display.process.kill()
    expect("a page without its server marks itself", wait(browser, "document.body.classList.contains('late')", 9))
    before = browser.evaluate("document.querySelector('#countdown').textContent")
    expect("and its clock goes on", wait(browser, f"document.querySelector('#countdown').textContent !== '{before}'", 3))


def day(browser, display, seconds):
    script = accelerate(browser, display)
    count = "document.querySelectorAll('*').length"
    # One pass through all scenes creates every text.
    first = browser.evaluate(f"(() => {{ for (let i = 0; i < 300; i++) {{ tick(); advance(1000); }} return {count}; }})()")
    scenes, drawn = set(), 0
    browser.call("HeapProfiler.collectGarbage")
    heap = browser.call("Runtime.getHeapUsage")["usedSize"]
    while drawn < seconds:
        step = min(3600, seconds - drawn)
        seen = browser.evaluate(
            f"(() => {{ const seen = {{}}; for (let i = 0; i < {step}; i++) {{ tick(); advance(1000); seen[document.body.dataset.scene] = "
            f"1; }} return Object.keys(seen); }})()")
        scenes.update(seen)
        drawn += step
    last = browser.evaluate(count)
    browser.call("HeapProfiler.collectGarbage")
    end = browser.call("Runtime.getHeapUsage")["usedSize"]
    expect(f"{drawn} seconds leave {last} elements of {first}", abs(last - first) <= 3)
    expect(f"and a heap of {end / 1024:.0f} KB, {heap / 1024:.0f} KB before", end < 4 << 20 and end - heap < 400_000)
    print("        scenes passed: " + ", ".join(sorted(scenes)))
    browser.call("Page.removeScriptToEvaluateOnNewDocument", identifier=script)


def background(browser, folder, program):
    """A picture behind the board. A white one is the worst for the letters."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + b"\xff" * 192 for _ in range(64))
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", 64, 64, 8, 2, 0, 0, 0))
    Path(folder, "white.png").write_bytes(b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
    display = Display(program, folder, f'[screen]\nbackground = "{folder}/white.png"\n')
    try:
        for theme in ("night", "day", "green", "plain"):
            browser.open(f"{display.url}?now=2026-11-21T10:00:00Z&theme={theme}")
            found = browser.evaluate(PROBE)
            # The slides are read when adhand has answered for the first time.
            wait(browser, "fetch('/background').then((answer) => answer.ok)")
            loaded = browser.evaluate("fetch('/background').then((answer) => answer.headers.get('content-type'))")
            expect(f"a white picture behind the theme {theme} takes nothing from the letters",
                   loaded == "image/png" and browser.evaluate("getComputedStyle(document.body).backgroundImage").count("/background") == 1
                   and not found["problems"], found["problems"][:2])
    finally:
        display.close()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--seconds", type=int, default=14400)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="display-") as folder:
        display, browser = Display(options.program, folder), Browser()
        try:
            browser.size(1920, 1080)
            day(browser, display, options.seconds)
            with tempfile.TemporaryDirectory(prefix="display-") as other:
                background(browser, other, options.program)
            live(browser, display)
        finally:
            browser.close()
            for process in (display.process, display.daemon):
                if process.poll() is None:
                    process.terminate()
                process.wait(10)
    sys.exit(findings.end())


if __name__ == "__main__":
    main()
