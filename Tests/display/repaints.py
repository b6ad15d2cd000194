#!/usr/bin/env python3
"""How much of a processor a browser takes for the screen: all processes of it, at home with a long ticker and in the minutes before an adhan.
Nothing on the page may have it drawn sixty times a second.

usage: repaints.py ADHAN_DISPLAY [--seconds N] [--page FOLDER]     how long each is measured (default 20); another page than this one"""
import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from browser import Browser  # noqa: E402
from page import check, failures, wait  # noqa: E402
from render import PAGE, Display  # noqa: E402

# Percent of one processor.
MOST = {"home": 1.0, "approaching": 3.0}
TICKER = "Lesson after maghrib, every Friday, for everybody who wants to come; tea is served beside the library. " * 4


def family(process):
    """A process and all that it started."""
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


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("--page", default=str(PAGE))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="display-") as folder:
        display, browser = Display(options.program, folder, f'ticker = "{TICKER}"\n', page=options.page), Browser()
        try:
            browser.size(1920, 1080)
            # It begins at ten; fake_adhand.py calls to dhuhr at 12:05.
            for scene, ahead in (("home", 0), ("approaching", 2 * 3600 + 60)):
                display.clock.set(ahead)
                browser.open(display.url, ready=f"document.body && document.body.dataset.scene === '{scene}'")
                wait(browser, "document.querySelector('#ticker').textContent.length > 20")
                time.sleep(3)
                before, began = family(browser.process.pid), time.monotonic()
                time.sleep(options.seconds)
                share = 100 * (family(browser.process.pid) - before) / (time.monotonic() - began)
                moving = browser.evaluate("document.getAnimations().length")
                check(share <= MOST[scene] and moving == 0, f"{scene}: {share:.1f} % of a processor, {MOST[scene]:.0f} at most; {moving} animations")
        finally:
            browser.close()
            display.close()
    if failures:
        sys.exit(f"{len(failures)} failed")


if __name__ == "__main__":
    main()
