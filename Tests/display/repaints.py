#!/usr/bin/env python3
"""Tests that the screen costs little: how often a browser computes styles and layout, and how much processor time its processes
use, at home with a long ticker, and in the minutes before an adhan. Nothing on the page may repaint sixty times a second.

usage: repaints.py ADHAN_DISPLAY [--seconds N] [--page FOLDER] [--processor]
how long each is measured (default 20); another page than this one; the share of a processor is held to its limit, too, which
means something on an idle machine alone"""
import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from browser import Browser  # noqa: E402
from page import expect, findings, wait  # noqa: E402
from display import PAGE, Display  # noqa: E402

# Percent of one processor.
MOST = {"home": 1.0, "approaching": 3.0}
# Times a second: the page repaints when a second changes, and applies changes in a few steps. An animation reaches 60.
DRAWN = 4.0
TICKER = "Lesson after maghrib, every Friday, for everybody who wants to come; tea is served beside the library. " * 4


def family(process):
    """A process and all of its descendants."""
    children = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        children.setdefault(int(fields[1]), []).append((int(folder.name), int(fields[11]) + int(fields[12])))
    found, left = 0, [process]
    while left:
        for child, ticks in children.get(left.pop(), []):
            found += ticks
            left.append(child)
    own = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (found + int(own[11]) + int(own[12])) / os.sysconf("SC_CLK_TCK")


def drawn(browser):
    """The number of times that the page's styles and its layout were computed so far."""
    metrics = {metric["name"]: metric["value"] for metric in browser.call("Performance.getMetrics")["metrics"]}
    return max(metrics["RecalcStyleCount"], metrics["LayoutCount"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("--page", default=str(PAGE))
    parser.add_argument("--processor", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="display-") as folder:
        display, browser = Display(options.program, folder, f'ticker = "{TICKER}"\n', page=options.page), Browser()
        try:
            browser.size(1920, 1080)
            browser.call("Performance.enable")
            # The clock starts at ten; fake_adhand.py calls dhuhr at 12:05.
            for scene, ahead in (("home", 0), ("approaching", 2 * 3600 + 60)):
                display.clock.set(ahead)
                browser.open(display.url, ready=f"document.body && document.body.dataset.scene === '{scene}'")
                wait(browser, "document.querySelector('#ticker').textContent.length > 20")
                time.sleep(3)
                before, computed, began = family(browser.process.pid), drawn(browser), time.monotonic()
                time.sleep(options.seconds)
                passed = time.monotonic() - began
                share, rate = 100 * (family(browser.process.pid) - before) / passed, (drawn(browser) - computed) / passed
                moving = browser.evaluate("document.getAnimations().length")
                expect(f"{scene}: computed {rate:.1f} times a second, {DRAWN:.0f} at most; {moving} animations",
                       0 < rate <= DRAWN and moving == 0)
                expectation = f"{scene}: {share:.1f} % of a processor, {MOST[scene]:.0f} at most on an idle machine"
                expect(expectation, share <= MOST[scene]) if options.processor else print(expectation)
        finally:
            browser.close()
            display.close()
    sys.exit(findings.end())


if __name__ == "__main__":
    main()
