#!/usr/bin/env python3
"""Tests that each scene of the display can be read in a real browser: nothing is cut or overlaps, everything is inside the safe
area, contrast and writing direction are right, no glyph is missing; slides are whole and large enough, and letters are as large
as the server promises.

usage: render.py ADHAN_DISPLAY [--all] [--keep FOLDER] [--only PART] [--firefox] [--table FILE]
Without --all every scene, theme, language, shape, slide and layout comes at least once; with it, all combinations, and
the table of cap heights in docs/DISPLAY.md. --table docs/DISPLAY.md writes that table."""
import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from browser import Browser  # noqa: E402
from display import HERE, PAGE, PROBE, Display, has_slides  # noqa: E402
from firefox import Firefox  # noqa: E402
from pictures import DONATION, LANGUAGES, RTL, SCENES, SCREENS, SLIDES, combinations, configuration  # noqa: E402

# Fractions of a font's size, as in LetterSizes.swift.
CAP = 0.7
NEEDED = {"clock": 5, "names": 5, "times": 5, "iqama": 5, "labels": 4}


def millimetres(letters, width, height, inches):
    """The drawn cap heights."""
    return {part: pixels * CAP * inches * 25.4 / math.hypot(width, height) for part, pixels in letters.items() if pixels}


def letters_problems(picture, found):
    """On a wide screen, the drawn letters are as large as promised."""
    screen = next((one for one in SCREENS if one[0] == picture.setup), None)
    if not screen or picture.shape[0] / picture.shape[1] < 1.5:
        return []
    _, inches, metres, layout = screen
    if picture.scene == "to-iqama":
        left = millimetres({"countdown": found["left"]}, *picture.shape, inches)["countdown"]
        return [] if left >= NEEDED["clock"] * metres else [f"the countdown to the iqama has {left:.1f} mm"]
    if picture.scene not in ("home", "approaching"):
        return []
    problems = [] if found["layout"] == layout else [f"has the layout {found['layout']}, not {layout}"]
    drawn = millimetres(found["letters"], *picture.shape, inches)
    problems += [f"{part} have {drawn[part]:.1f} mm, and {metres} m need {NEEDED[part] * metres}" for part in NEEDED
                 if drawn.get(part, 0) < NEEDED[part] * metres]
    return problems


def read_code(browser):
    """The content of a code, as a camera reads it from the screen."""
    with tempfile.NamedTemporaryFile(suffix=".png") as picture:
        browser.picture(picture.name)
        found = subprocess.run(["zbarimg", "--quiet", "--raw", picture.name], capture_output=True, text=True, check=False, timeout=60)
        return found.stdout.removesuffix("\n")


def logo_problems(browser, one):
    """The logo is in the header, whole."""
    if one.setup != "logo" or one.scene != "home":
        return []
    box = browser.evaluate(
        "(() => { const e = document.getElementById('logo'), b = e.getBoundingClientRect(); return [e.naturalWidth, b.left, b.top, "
        "b.right, b.bottom, b.height / innerHeight]; })()")
    is_inside = box[1] >= 0 and box[2] >= 0 and box[3] <= one.shape[0] and box[4] <= one.shape[1]
    return [] if box[0] and is_inside and box[5] > 0.03 else [f"the logo is not shown: {box}"]


def said_problems(browser, one):
    """The mosque's announcements are in their places, and only those that are due."""
    if not one.setup.startswith("said"):
        return []
    shown = browser.evaluate(
        "['slide-text', 'bar', 'ticker'].map((id) => { const e = document.getElementById(id); return e.offsetParent ? e.textContent : "
        "''; })")
    problems = ["says what is not due"] if "THIS IS" in "".join(shown) else []
    expected = {"code": (0, "new roof"), "announcement": (0, "Funeral"), "all": (0, "car park"), "": (1, "Funeral")}[one.slide]
    if expected[1] not in shown[expected[0]]:
        problems.append(f"does not say {expected[1]!r}: {shown}")
    if one.slide == "code" and (read := read_code(browser)) != DONATION:
        problems.append(f"the code reads {read!r}")
    return problems


GALLERY = """(async () => { const items = [...document.querySelectorAll('#gallery li')];
  for (const image of document.querySelectorAll('#gallery img')) { image.loading = 'eager'; await image.decode(); }
  return { height: document.documentElement.scrollHeight, width: document.documentElement.scrollWidth,
    said: document.getElementById('ticker').textContent,
    shown: items.length > 0 && getComputedStyle(items[0].parentElement).display !== 'none',
    pictures: [...document.querySelectorAll('#gallery img')].map((image) => { const box = image.getBoundingClientRect(),
      item = image.closest('li').getBoundingClientRect();
      return { path: image.closest('a').pathname,
        wide: Math.min(box.width, box.height * image.naturalWidth / image.naturalHeight) / item.width,
        fit: getComputedStyle(image).objectFit, inside: box.left >= 0 && box.right <= innerWidth, alt: image.alt }; }),
    texts: items.map((item) => item.textContent),
    code: (() => { const box = document.querySelector('#gallery svg').getBoundingClientRect(); return Math.min(box.width, box.height); })(),
    link: (() => { const link = document.querySelector('#gallery svg').parentElement.querySelector('a');
      return link && [link.href, link.rel, link.textContent]; })() }; })()"""


def phone_problems(browser, one):
    """The slides are below the times, whole; the donation has its link, and a readable code. The window is made as high as the
    page, so that the picture contains all of it."""
    found = browser.evaluate(GALLERY)
    browser.size(one.shape[0], max(one.shape[1], found["height"]))
    problems = [] if found["width"] <= one.shape[0] else [f"is {found['width']} px wide"]
    if not found["shown"]:
        return problems + ["shows no slides"]
    paths = [picture["path"] for picture in found["pictures"]]
    if [path.split("-")[-1] for path in paths] != ["portrait.png", "square.png", "wide.png"]:
        problems.append(f"has the pictures {paths}")
    problems += [f"the picture is not whole: {picture}" for picture in found["pictures"]
                 if picture["fit"] != "contain" or not picture["inside"] or picture["wide"] < 0.3 or not picture["alt"]]
    if not any("Lesson after maghrib" in text for text in found["texts"]):
        problems.append("has no slide of text")
    if found["link"] != [DONATION, "noopener noreferrer", DONATION]:
        problems.append(f"the donation's link is {found['link']}")
    if found["code"] < 100 or (read := read_code(browser)) != DONATION:
        problems.append(f"the code of {found['code']:.0f} px reads {read!r}" if found["code"] >= 100
                        else f"the code has {found['code']:.0f} px")
    if one.scene in ("home", "approaching", "to-iqama") and ("Funeral" not in found["said"] or "car park" not in found["said"]):
        problems.append(f"announces {found['said']!r}")
    return problems + (["says what is not due"] if "THIS IS" in found["said"] + "".join(found["texts"]) else [])


def look(browser, display, one, keep):
    """Draws one picture. Returns whether it has a problem."""
    browser.size(*one.shape)
    first = one.language.split(",")[0]
    digits = json.loads((PAGE / f"languages/{first}.json").read_text())["digits"]
    clock = 12 if first in ("en", "ur") else 24
    theme = f"&theme={one.theme}" if one.theme else ""
    browser.open(f"{display.url}?now={one.at}&lang={one.language}&digits={digits}&clock={clock}{theme}"
                 + ("&view=phone" if one.setup == "phone" else ""))
    problems = phone_problems(browser, one) if one.setup == "phone" else []
    if one.slide in ("portrait", "square", "wide"):
        browser.evaluate("document.querySelector('#slide-image').decode()")
    found = browser.evaluate(PROBE)
    problems += found["problems"] + letters_problems(one, found) + said_problems(browser, one) + logo_problems(browser, one)
    if found["scene"] != one.scene:
        problems.append(f"shows {found['scene']}")
    if found["dir"] != ("rtl" if first in RTL else "ltr"):
        problems.append(f"dir is {found['dir']}")
    if bool(one.slide) != bool(found["slide"]):
        problems.append("shows a slide" if found["slide"] else "shows no slide")
    if one.scene == "home" and one.setup == "usual" and one.shape == (1920, 1080) and found["time"] < 0.055 * one.shape[1]:
        problems.append(f"times of {found['time']:.0f} px are too small")
    if keep:
        os.makedirs(keep, exist_ok=True)
        browser.picture(f"{keep}/{one.name}.png")
    for problem in problems[:6]:
        print(f"{one.name}: {problem}")
    return bool(problems)


TABLE = [(43, 0), (43, 5), (43, 7), (43, 10), (55, 0), (55, 7), (55, 9), (55, 12), (55, 15)]


def table(program, browser):
    """Cap heights in millimetres on a 16:9 screen, the smallest of all languages."""
    lines = ["| screen | `distance` | layout | clock | names | times | iqama | labels |",
             "| --- | --- | --- | --- | --- | --- | --- | --- |"]
    for inches, metres in TABLE:
        with tempfile.TemporaryDirectory(prefix="display-") as folder:
            display = Display(program, folder, f"[screen]\ndiagonal = {inches}\ndistance = {metres}\n")
            try:
                smallest, layout = {}, ""
                browser.size(1920, 1080)
                for language in LANGUAGES:
                    browser.open(f"{display.url}?now={SCENES[0][1]}&lang={language}")
                    found = browser.evaluate(PROBE)
                    layout = found["layout"]
                    for part, size in millimetres(found["letters"], 1920, 1080, inches).items():
                        smallest[part] = min(size, smallest.get(part, size))
                cells = [f"{smallest[part]:.0f} mm, {smallest[part] / NEEDED[part]:.1f} m" for part in NEEDED]
                lines.append(f"| {inches}\" | {f'{metres} m' if metres else 'not set'} | `{layout}` | " + " | ".join(cells) + " |")
            finally:
                display.close()
    return "\n".join(lines) + "\n"


DOCUMENT = HERE.parent.parent / "docs/DISPLAY.md"
MARKS = "<!-- made by render.py -->\n", "<!-- end -->\n"


def hold_table(document, made, is_written):
    """Writes the table into the document, or compares the two. Returns whether they differ."""
    text = document.read_text()
    before, rest = text.split(MARKS[0])
    held, after = rest.split(MARKS[1])
    if is_written:
        document.write_text(before + MARKS[0] + made + MARKS[1] + after)
    elif held != made:
        print(f"{document}: its table of cap heights is another one; --table {document} writes it:\n{made}")
    return not is_written and held != made


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--keep")
    parser.add_argument("--firefox", action="store_true")
    parser.add_argument("--only")
    parser.add_argument("--table")
    options = parser.parse_args()
    failures, began = 0, time.monotonic()
    done = [one for one in combinations(options.all) if not options.only or options.only in one.name]
    # Firefox has no narrower window.
    done = [one for one in done if not options.firefox or one.shape[0] >= 500]
    browser = Firefox() if options.firefox else Browser()
    try:
        for setup in sorted({one.setup for one in done}):
            with tempfile.TemporaryDirectory(prefix="display-") as folder:
                display = Display(options.program, folder, configuration(setup, folder))
                try:
                    if setup.startswith("slides") or setup == "phone":
                        has_slides(display, len(SLIDES))
                    for one in (one for one in done if one.setup == setup):
                        failures += look(browser, display, one, options.keep)
                finally:
                    display.close()
        if options.table or options.all:
            failures += hold_table(Path(options.table or DOCUMENT), table(options.program, browser), is_written=bool(options.table))
    finally:
        browser.close()
    print(f"{len(done)} pictures in {time.monotonic() - began:.0f} s")
    print(f"{len(done) - failures} passed, {failures} failed")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
