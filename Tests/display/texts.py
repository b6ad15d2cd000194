#!/usr/bin/env python3
"""Tests the texts of a mosque on its screen: those in the other writing direction, those of any length, and the pictures of
announcements.

usage: texts.py ADHAN_DISPLAY"""
import argparse
import hashlib
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from browser import Browser  # noqa: E402
from content import at, text  # noqa: E402
from page import expect, findings  # noqa: E402
from display import PROBE, Display, has_slides, png  # noqa: E402


def directions(browser, program):
    arabic = "درس بعد صلاة المغرب كل يوم جمعة إن شاء الله!"
    with tempfile.TemporaryDirectory(prefix="display-") as folder:
        display = Display(program, folder, f'ticker = "{arabic}"\ntitle = "مسجد النور!"\n')
        try:
            at(browser, display, "2026-11-21T10:00:00Z")
            found = browser.evaluate("""(() => { const style = (id) => getComputedStyle(document.getElementById(id));
              return [style('ticker').direction, style('title').direction, style('title').textAlign]; })()""")
            expect("an Arabic text on an English page runs its own way", found == ["rtl", "rtl", "left"], found)
        finally:
            display.close()


def ticker(browser, program):
    """Texts of any length are shown page by page, and none of them is cut."""
    long = "Lesson after maghrib, every Friday, for everybody; " * 8 + "W" * 300
    with tempfile.TemporaryDirectory(prefix="display-") as folder:
        display = Display(program, folder, f'ticker = "{long[:500]}"\n[[announcement]]\ntext = "درس بعد المغرب"\nuntil = 2027-01-01\n')
        try:
            for size in ((1920, 1080), (1080, 1920)):
                browser.size(*size)
                seen, directions, cut = [], set(), 0
                for second in range(0, 180, 4):
                    at(browser, display, f"2026-11-21T10:{second // 60:02}:{second % 60:02}Z")
                    page, direction, is_inside = browser.evaluate("""(() => {
                      const line = document.querySelector('#ticker'), text = line.firstElementChild.getBoundingClientRect();
                      const is_inside = text.left >= 0 && text.right <= innerWidth && line.scrollWidth <= line.clientWidth;
                      return [line.textContent, line.dir, is_inside]; })()""")
                    seen.append(page)
                    directions.add((direction, "درس" in page))
                    cut += not is_inside
                words = {word for page in seen for word in page.split()}
                expect(f"all of a long text is shown in turn at {size}, {cut} pages are cut",
                       not cut and {"Lesson", "everybody;", "درس"} <= words)
                expect("each page runs its own way", directions == {("ltr", False), ("rtl", True)}, directions)
        finally:
            browser.size(1920, 1080)
            display.close()


def pictured(browser, program):
    """An announcement's picture is among the slides, whole. If it is missing, the text is there, and the banner reports it."""
    with tempfile.TemporaryDirectory(prefix="display-") as folder:
        picture = png(600, 900, (240, 240, 240))
        names = [hashlib.sha256(picture).hexdigest(), "0" * 64]
        Path(folder, names[0]).write_bytes(picture)
        display = Display(program, folder, "".join(
            f'[[announcement]]\ntext = "Bazaar {number}"\nuntil = 2026-11-29\nshow = "slide"\nseconds = 12\npicture = "{name}"\n'
            for number, name in enumerate(names)), options=["--slides-dir", folder])
        try:
            has_slides(display, 0)
            seen = {}
            for second in range(0, 36, 12):
                at(browser, display, f"2026-11-21T10:00:{second:02}Z")
                if browser.evaluate("!!document.body.dataset.slide && !document.getElementById('slide-image').hidden"):
                    browser.evaluate("document.getElementById('slide-image').decode()")
                    found = browser.evaluate(PROBE)
                    alt = browser.evaluate("document.getElementById('slide-image').alt")
                    expect("an announcement's picture is shown whole",
                           alt == "Bazaar 0" and found["slide"] > 0.15 and not found["problems"], (alt, found))
                    seen["picture"] = True
                elif browser.evaluate("!!document.body.dataset.slide"):
                    seen["text"] = text(browser, "#slide-text")
                else:
                    seen["board"] = True
            expect("each has its turn", seen == {"picture": True, "text": "Bazaar 1", "board": True}, seen)
            expect("a picture that is not there is reported", "Cannot be shown: 00000000…" in text(browser, "#notices"),
                   text(browser, "#notices"))
            at(browser, display, "2026-11-21T10:00:00Z", "&view=phone")
            shown = browser.evaluate("[...document.querySelectorAll('#gallery img')].map((image) => image.alt).join()")
            expect("a telephone has picture and text", shown == "Bazaar 0" and "Bazaar 1" in text(browser, "#ticker"), shown)
        finally:
            display.close()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    options = parser.parse_args()
    browser = Browser()
    try:
        browser.size(1920, 1080)
        for part in (directions, ticker, pictured):
            part(browser, options.program)
    finally:
        browser.close()
    sys.exit(findings.end())


if __name__ == "__main__":
    main()
