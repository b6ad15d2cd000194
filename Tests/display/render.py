#!/usr/bin/env python3
"""Draws the display's scenes in a real browser and looks whether each can be read: nothing cut, nothing on top of another,
everything inside the safe area, contrast, writing direction, no missing glyph; slides whole and large enough, letters as large as
the server says.

usage: render.py ADHAN_DISPLAY [--all] [--keep FOLDER] [--only PART] [--firefox] [--table FILE]
Without --all every scene, theme, language, shape, slide and layout comes at least once; with it, all combinations, and
the table of cap heights in docs/DISPLAY.md. --table docs/DISPLAY.md writes that table."""
import argparse
import contextlib
import json
import math
import os
import re
import struct
import subprocess
import sys
import tempfile
import time
import typing
import urllib.request
import zlib
from datetime import datetime, timezone
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from browser import Browser  # noqa: E402
from clock import Clock  # noqa: E402
from firefox import Firefox  # noqa: E402

HERE = Path(__file__).parent
PAGE = HERE.parent.parent / "Resources/display/page"
# Scene, the page's own words for it, an instant at which the mosque of fake_adhand.py shows it.
SCENES = [("home", "2026-11-21T10:00:00Z"), ("approaching", "2026-11-21T12:01:30Z"), ("adhan", "2026-11-21T12:05:40Z"),
          ("dua", "2026-11-21T12:08:30Z"), ("to-iqama", "2026-11-21T12:27:15Z"), ("iqama", "2026-11-21T12:30:10Z"),
          ("prayer", "2026-11-21T12:35:00Z"), ("adhkar", "2026-11-21T12:41:30Z"), ("khutba", "2026-11-20T12:40:00Z"),
          ("night", "2026-11-21T22:00:00Z")]
IFTAR = "2027-02-20T16:05:40Z"
SHAPES = [(1920, 1080), (1080, 1920), (1024, 768)]
MORE_SHAPES = [(1280, 720), (3840, 2160), (800, 1280)]
# Scenes whose titles stand in both languages.
TITLED = {"home", "adhan", "to-iqama", "iqama", "khutba"}
LANGUAGES = sorted(path.stem for path in (PAGE / "languages").glob("*.json"))
RTL = {"ar", "fa", "ur"}

PROBE = r"""(() => {
  const problems = [];
  const [width, height] = [innerWidth, innerHeight];
  const visible = (e) => { const s = getComputedStyle(e), b = e.getBoundingClientRect(); return s.visibility !== "hidden" && s.display !== "none" && b.width > 0 && b.height > 0; };
  const luminance = (c) => { const [r, g, b] = c.map((v) => { v /= 255; return v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; }); return .2126 * r + .7152 * g + .0722 * b; };
  const colour = (text) => text.match(/[\d.]+/g).map(Number);
  // What is dimmed is nearer to what is behind it, and so is its own ground.
  const behind = colour(getComputedStyle(document.body).backgroundColor);
  const base = (behind[3] === 0 ? colour(getComputedStyle(document.documentElement).backgroundColor) : behind).slice(0, 3);
  const dimmed = (e, c) => { let left = 1; for (let p = e; p && p !== document.body; p = p.parentElement) left *= parseFloat(getComputedStyle(p).opacity);
    return c.map((v, i) => v * left + base[i] * (1 - left)); };
  // Behind a scrim there may be any picture: white or black is the worst.
  const scrim = colour(getComputedStyle(document.documentElement).getPropertyValue("--scrim"));
  const pictured = document.documentElement.dataset.background && getComputedStyle(document.body).backgroundImage !== "none";
  const ground = (e) => { for (; e && !(pictured && e === document.body); e = e.parentElement) { const c = colour(getComputedStyle(e).backgroundColor); if (c.length < 4 || c[3] > 0) return [c.slice(0, 3)]; }
    return pictured ? [0, 255].map((worst) => scrim.slice(0, 3).map((v) => v * scrim[3] + worst * (1 - scrim[3]))) : [[255, 255, 255]]; };
  const canvas = document.createElement("canvas"); canvas.width = canvas.height = 40;
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  // Where a text stands on its line: Firefox says how tall the font is that really draws it, and measures by the first of the list.
  const ascent = (node, rects, ink) => {
    if (!rects.length || Math.abs(rects[0].height - ink.fontBoundingBoxAscent - ink.fontBoundingBoxDescent) < 2) return ink.fontBoundingBoxAscent;
    const foot = document.createElement("span");
    foot.style.cssText = "display: inline-block; width: 0; height: 0";
    node.parentElement.insertBefore(foot, node);
    const above = foot.getBoundingClientRect().bottom - rects[0].top;
    foot.remove();
    return above;
  };
  const leaves = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; (node = walker.nextNode());) {
    if (!node.nodeValue.trim() || !visible(node.parentElement) || node.parentElement.closest(".spoken")) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    // A line's box is taller than its letters: what counts is the ink.
    const style = getComputedStyle(node.parentElement);
    pen.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    const ink = pen.measureText(node.nodeValue.trim());
    const rects = [...range.getClientRects()].filter((rect) => rect.width > 0);
    const above = ascent(node, rects, ink);
    for (const { left, right, top, width } of rects)
      leaves.push({ node, box: { left, right, width, top: top + above - ink.actualBoundingBoxAscent, bottom: top + above + ink.actualBoundingBoxDescent } });
  }
  const margin = Math.min(width, height) * 0.02;
  const inTicker = (n) => n.parentElement.closest("#ticker");
  for (const { node, box } of leaves) {
    if (inTicker(node)) continue;
    const name = node.nodeValue.trim().slice(0, 40);
    if (box.left < margin - 1 || box.right > width - margin + 1 || box.top < 0 || box.bottom > height)
      problems.push(`outside the safe area: "${name}" ${[box.left, box.top, box.right, box.bottom].map(Math.round)}`);
    const e = node.parentElement;
    for (let p = e; p && p !== document.body; p = p.parentElement) {
      const s = getComputedStyle(p), b = p.getBoundingClientRect();
      if (s.overflowX === "visible" && s.overflowY === "visible") continue;
      if (box.left < b.left - 2 || box.right > b.right + 2 || box.top < b.top - 2 || box.bottom > b.bottom + 2)
        problems.push(`cut off: "${name}" in ${p.id || p.className || p.tagName}`);
    }
    const front = dimmed(e, colour(getComputedStyle(e).color).slice(0, 3));
    // A hair is enough for dots, and scrollWidth is a whole number.
    const letters = document.createRange(); letters.selectNodeContents(e);
    if (getComputedStyle(e).textOverflow === "ellipsis" && e.clientWidth > 0 && letters.getBoundingClientRect().width > e.getBoundingClientRect().width + .05 && e.id !== "place" && e.id !== "proof") problems.push(`ends in dots: "${name}"`);
    const ratio = Math.min(...ground(e).map((back) => { const [a, c] = [luminance(front), luminance(pictured ? back : dimmed(e, back))].sort((x, y) => y - x); return (a + .05) / (c + .05); }));
    if (ratio < 7) problems.push(`contrast ${ratio.toFixed(1)}: "${name}"`);
    const smallest = parseFloat(getComputedStyle(document.documentElement).fontSize) * 1.6;
    if (parseFloat(getComputedStyle(e).fontSize) < smallest && e.tagName !== "SMALL") problems.push(`too small: "${name}"`);
    if (/undefined|null|NaN|\{\w+\}/.test(node.nodeValue)) problems.push(`no text: "${name}"`);
  }
  for (let i = 0; i < leaves.length; i++) for (let j = i + 1; j < leaves.length; j++) {
    const [a, b] = [leaves[i], leaves[j]];
    if (a.node === b.node || inTicker(a.node) || inTicker(b.node)) continue;
    const w = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
    const h = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
    if (w > 1 && h > 1)
      problems.push(`overlap: "${a.node.nodeValue.trim().slice(0, 30)}" and "${b.node.nodeValue.trim().slice(0, 30)}"`);
  }
  const draw = (text) => { pen.clearRect(0, 0, 40, 40); pen.font = "24px " + getComputedStyle(document.body).fontFamily; pen.fillText(text, 4, 30); return pen.getImageData(0, 0, 40, 40).data.join(""); };
  const missing = draw("\u{10FFFF}");
  for (const letter of new Set(leaves.map((leaf) => leaf.node.nodeValue).join(""))) {
    if (/[\s\p{M}\p{Cf}]/u.test(letter)) continue;
    if (draw(letter) === missing) problems.push(`no glyph for ${letter} U+${letter.codePointAt(0).toString(16)}`);
  }
  const next = document.querySelector("#cards li.next[data-prayer]");
  if (next && visible(next)) {
    const lightness = (e) => luminance(colour(getComputedStyle(e).backgroundColor).slice(0, 3));
    const others = [...document.querySelectorAll("#cards li[data-prayer]:not(.next)")].filter(visible);
    const away = (e) => Math.abs(lightness(e) - luminance(base));
    const isCalm = ["prayer", "night"].includes(document.body.dataset.scene);
    if (!isCalm && others.some((e) => away(e) >= away(next))) problems.push("the next prayer's card is not the brightest");
    for (const e of document.querySelectorAll("#cards li[data-prayer]")) {
      const line = e.querySelector(".iqama");
      if (!visible(line)) continue;
      const [own, adhan] = [line, e.querySelector(".time")].map((part) => parseFloat(getComputedStyle(part).fontSize));
      if (own < adhan - .01 && document.documentElement.dataset.emphasis === "iqama") problems.push(`the iqama of ${e.dataset.prayer} is smaller than its adhan`);
      const label = visible(document.querySelector("#heads")) ? document.querySelector("#head-iqama") : e.querySelector(".of-iqama .label");
      if (!visible(label) || !label.textContent) problems.push(`the iqama of ${e.dataset.prayer} has no label`);
    }
  }
  const picture = document.querySelector("#slide-image");
  let slide = null;
  if (document.body.dataset.slide) {
    const room = document.querySelector("#slide").getBoundingClientRect();
    const code = document.querySelector("#slide-code");
    if (room.left < margin - 1 || room.top < 0 || room.right > width - margin + 1 || room.bottom > height) problems.push("the slide is outside the safe area");
    let area = room.width * room.height;
    if (!picture.hidden) {
      const box = picture.getBoundingClientRect();
      if (box.left < room.left - 1 || box.top < room.top - 1 || box.right > room.right + 1 || box.bottom > room.bottom + 1) problems.push("the slide's picture is cropped");
      if (getComputedStyle(picture).objectFit !== "contain") problems.push("the slide's picture is not contained");
      // One that is still on its way has no size.
      area = !picture.naturalWidth ? null : picture.naturalWidth * picture.naturalHeight * Math.min(box.width / picture.naturalWidth, box.height / picture.naturalHeight) ** 2;
    }
    if (visible(code)) {
      const box = code.getBoundingClientRect();
      if (box.left < room.left - 1 || box.top < room.top - 1 || box.right > room.right + 1 || box.bottom > room.bottom + 1) problems.push("the code is cropped");
      area = Math.min(box.width, box.height) ** 2;
    }
    slide = area === null ? 0 : area / (width * height);
    if (area !== null && slide < .15) problems.push(`the slide has ${(slide * 100).toFixed(1)} % of the screen`);
    for (const part of document.querySelectorAll("#now, #cards li")) { const b = part.getBoundingClientRect();
      if (visible(part) && b.left < room.right - 1 && room.left < b.right - 1 && b.top < room.bottom - 1 && room.top < b.bottom - 1) problems.push("the slide lies over the board"); }
  }
  const caps = (e) => e && visible(e) ? parseFloat(getComputedStyle(e).fontSize) : 0;
  const letters = { clock: caps(document.querySelector("#clock")), ...Object.fromEntries([["names", ".name"], ["times", ".time"], ["iqama", ".iqama"], ["labels", ".of-iqama .label"]]
    .map(([part, name]) => [part, Math.min(...[...document.querySelectorAll("#cards li[data-prayer] " + name)].filter((e) => visible(e) && e.textContent).map(caps))])) };
  if (visible(document.querySelector("#heads"))) letters.labels = caps(document.querySelector("#head-iqama"));
  const size = (e) => e && visible(e) ? parseFloat(getComputedStyle(e).fontSize) : 0;
  return { scene: document.body.dataset.scene, dir: document.documentElement.dir, shape: document.documentElement.dataset.shape,
    clock: document.querySelector("#clock bdi").textContent, countdown: document.querySelector("#countdown").textContent,
    time: size(document.querySelector('[data-prayer="asr"] .time')), left: caps(document.querySelector("#countdown")), asr: document.querySelector('[data-prayer="asr"] .time').textContent,
    iqama: document.querySelector('[data-prayer="asr"] .iqama').textContent,
    notices: [...document.querySelectorAll("#notices p")].map((p) => p.textContent), nodes: document.querySelectorAll("*").length, layout: document.documentElement.dataset.layout, letters, slide, problems };
})()"""


THEMES = ["night", "day", "green", "plain"]
# Pictures and texts of the folder of slides, in the order in which they are shown.
SLIDES = ["portrait", "square", "wide", "text"]
# The same of the setup "said": a code, an announcement beside the board, one that has all of the screen.
SAID = ["code", "announcement", "all"]
DONATION = "https://example.org/donate?mosque=an-nur&for=new%20roof"
SETTINGS_OF_SAID = f"""
[slides]
each = "12s"
[donate]
text = "For the new roof · للسقف الجديد"
url = "{DONATION}"
[[announcement]]
text = "Funeral prayer after Dhuhr\\nصلاة الجنازة بعد الظهر!"
until = 2026-11-29
show = ["slide", "bar", "board"]
seconds = 12
[[announcement]]
text = "The car park is closed this Friday. Please come on foot, by bus or by bicycle."
from = 2026-11-20T08:00:00
until = 2026-11-29
show = "screen"
seconds = 12
[[announcement]]
text = "THIS IS OVER"
until = 2026-11-20T09:00:00
show = ["slide", "bar", "board", "screen"]
[[announcement]]
text = "THIS IS ANOTHER DAY'S"
until = 2026-11-29
days = "wednesday"
show = ["slide", "bar", "board", "screen"]
"""
# A telephone, upright and on its side, a tablet, a desk: the page scrolls, and has its slides below the times.
PHONES = [(390, 844), (320, 568), (844, 390), (820, 1180), (1440, 900)]
# Screens far away: name, inches, metres, and the layout that they get.
SCREENS = [("43in", 43, 7, "rows"), ("55in-9m", 55, 9, "rows"), ("55in", 55, 12, "next"), ("43in-10m", 43, 10, "next")]


class Picture(typing.NamedTuple):
    """One to draw: which display, and what its address says."""
    scene: str
    at: str
    language: str
    shape: tuple
    setup: str = "usual"
    theme: str = ""
    # Of SLIDES; otherwise none is due.
    slide: str = ""

    @property
    def name(self):
        parts = [self.scene, self.language.replace(",", "+"), f"{self.shape[0]}x{self.shape[1]}"]
        return "-".join(parts + [part for part in (self.setup, self.theme, self.slide) if part and part != "usual"])


def slide_time(slide):
    """An instant of that morning at which it is the slide's turn."""
    began = int(datetime.fromisoformat("2026-11-21T10:00:00+00:00").timestamp())
    slides = SLIDES if slide in SLIDES else SAID
    due = next(second for second in range(began, began + 600, 12) if second // 12 % (len(slides) + 1) == slides.index(slide))
    return datetime.fromtimestamp(due, timezone.utc).isoformat().replace("+00:00", "Z")


def phones(languages):
    """What other machines see: each language, and each scene that they have."""
    home = [Picture("home", "2026-11-21T10:00:00Z", language, PHONES[i % len(PHONES)], "phone", THEMES[i % len(THEMES)]) for i, language in enumerate(languages)]
    return home + [Picture(*SCENES[number], languages[(3 * number + j) % len(languages)], shape, "phone")
                   for number in (0, 1, 2, 3, 4, 5, 7, 8) for j, shape in enumerate(PHONES[:3])]


def combinations(everything):
    home = SCENES[0]
    if everything:
        done = [Picture(*scene, language, shape) for scene in SCENES for language in LANGUAGES for shape in SHAPES + MORE_SHAPES]
        done += [Picture(*scene, language, shape, theme=theme) for scene in SCENES for language in ("en", "ar", "bn") for shape in SHAPES for theme in THEMES]
        done += [Picture("home", slide_time(slide), language, shape, "slides" + far, slide=slide)
                 for slide in SLIDES for language in LANGUAGES for shape in SHAPES + MORE_SHAPES for far in ("", "-far")]
        done += [Picture("home", slide_time(slide), language, shape, "said" + far, slide=slide)
                 for slide in SAID for language in LANGUAGES for shape in SHAPES + MORE_SHAPES for far in ("", "-far")]
        done += [Picture(*SCENES[4], language, shape, "said" + far) for language in LANGUAGES for shape in SHAPES for far in ("", "-far")]
        done += [Picture(*scene, language, shape, name) for name, *_ in SCREENS for scene in SCENES for language in LANGUAGES for shape in SHAPES]
        done += [Picture("adhan", IFTAR, language, shape, "iftar" + far) for language in LANGUAGES for shape in SHAPES for far in ("", "-far")]
        done += [Picture("home", SCENES[0][1], language, shape, "phone") for language in LANGUAGES for shape in PHONES]
        return done + phones(LANGUAGES)
    most = max(len(SCENES) * len(SHAPES), len(LANGUAGES))
    done = [Picture(*SCENES[i % len(SCENES)], LANGUAGES[(i + i // len(LANGUAGES)) % len(LANGUAGES)],
                    SHAPES[(i + i // len(SCENES)) % len(SHAPES)]) for i in range(most)]
    # Two languages at once, in every shape.
    pairs = ["tr,ar", "en,bn", "ur,en", "so,ar"]
    done += [Picture(*scene, pairs[(i + j) % len(pairs)], shape) for i, scene in enumerate(SCENES) for j, shape in enumerate(SHAPES)
             if scene[0] in TITLED]
    # The board is what people look at most: in every language.
    done += [Picture(*home, language, SHAPES[i % 3]) for i, language in enumerate(LANGUAGES)]
    done += [Picture(*scene, LANGUAGES[(7 * i + 3 * j) % len(LANGUAGES)], SHAPES[(i + j) % 3], theme=theme) for i, scene in enumerate(SCENES)
             for j, theme in enumerate(THEMES)]
    done += [Picture(*SCENES[6], "en", SHAPES[0], "times", theme) for theme in THEMES]
    done += [Picture("home", slide_time(slide), LANGUAGES[(5 * i + j) % len(LANGUAGES)], shape, "slides" + far, slide=slide)
             for i, slide in enumerate(SLIDES) for j, shape in enumerate(SHAPES) for far in ("", "-far")]
    done += [Picture("home", slide_time(slide), LANGUAGES[(5 * i + j) % len(LANGUAGES)], shape, "said" + far, theme=theme, slide=slide)
             for i, slide in enumerate(SAID) for j, shape in enumerate(SHAPES) for far, theme in (("", "day"), ("-far", "night"))]
    done += [Picture(*SCENES[4], language, shape, "said" + far) for language, shape in zip(("en", "ar", "bn"), SHAPES) for far in ("", "-far")]
    done += [Picture(*SCENES[i], LANGUAGES[(i + 6 * j) % len(LANGUAGES)], shape, "logo") for i in (0, 4) for j, shape in enumerate(SHAPES)]
    # The adhan with which a fast is broken.
    done += [Picture("adhan", IFTAR, language, shape, "iftar" + far) for language, shape in zip(("en", "ar", "ru", "ur", "de", "bn"), SHAPES * 2) for far in ("", "-far")]
    # The longest texts with what they mean, and a board with parts left out.
    done += [Picture(scene, when, language, shape, "meaning" + far) for scene, when in (SCENES[3], SCENES[7], ("adhkar", "2026-11-21T12:40:25Z"))
             for shape, language in zip(SHAPES, ("en", "ar,en", "en")) for far in ("", "-far")]
    done += [Picture(*home, language, shape, "few") for language, shape in zip(("en", "ar", "de"), SHAPES)]
    # From afar each language has words of its own length.
    done += [Picture(*home, language, SHAPES[0], name) for name in ("55in-9m", "55in") for language in LANGUAGES]
    done += [Picture(*scene, LANGUAGES[(4 * i + j) % len(LANGUAGES)], shape, name) for i, scene in enumerate(SCENES) for j, shape in enumerate(SHAPES)
             for name in ("43in", "43in-10m")]
    return done + phones(LANGUAGES)


def folder_of_slides(folder):
    slides = Path(folder, "slides")
    slides.mkdir()
    for number, (name, width, height) in enumerate([("portrait", 1200, 1697), ("square", 600, 600), ("wide", 1920, 1080)]):
        slides.joinpath(f"{number}-{name}.png").write_bytes(png(width, height, (240, 240, 240)))
    slides.joinpath("3-text.txt").write_text("Lesson after maghrib, every Friday!\nدرس بعد المغرب كل جمعة! 20:00\nIBAN: DE02 1203 0000 0000 2020 51")
    return slides


def configuration(setup, folder):
    if setup == "usual":
        return ""
    if setup == "logo":
        Path(folder, "logo.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 40 20'><path d='M0 20V8L20 0l20 8v12z' fill='#dcb65c'/></svg>")
        return f'title = "An-Nur Mosque"\nlogo = "{folder}/logo.svg"\n'
    if setup.startswith("iftar"):
        return "[screen]\ndiagonal = 55\ndistance = 12\n" if setup.endswith("far") else ""
    if setup.startswith("meaning"):
        return "[scenes]\ntranslation = true\n" + ("[screen]\ndiagonal = 55\ndistance = 12\n" if setup.endswith("far") else "")
    if setup == "few":
        return 'hide = ["dates", "sunrise", "jumua", "proof"]\n'
    if setup == "times":
        return '[prayer]\nstyle = "times"\n'
    if setup.startswith("said"):
        return SETTINGS_OF_SAID + ("[screen]\ndiagonal = 55\ndistance = 12\n" if setup.endswith("far") else "")
    if setup == "phone":
        return SETTINGS_OF_SAID.replace("[slides]", f'[slides]\nfolder = "{folder_of_slides(folder)}"')
    if setup.startswith("slides"):
        return f'[slides]\nfolder = "{folder_of_slides(folder)}"\neach = "12s"\n' + ("[screen]\ndiagonal = 55\ndistance = 12\n" if setup.endswith("far") else "")
    _, inches, metres, _ = next(screen for screen in SCREENS if screen[0] == setup)
    return f"[screen]\ndiagonal = {inches}\ndistance = {metres}\n"


def png(width, height, colour):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = (b"\0" + bytes(colour) * width) * height
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(rows))
            + chunk(b"IEND", b""))


# Of a font's size, as LetterSizes.swift has it.
CAP = 0.7
NEEDED = {"clock": 5, "names": 5, "times": 5, "iqama": 5, "labels": 4}


def millimetres(letters, width, height, inches):
    """Cap heights as drawn."""
    return {part: pixels * CAP * inches * 25.4 / math.hypot(width, height) for part, pixels in letters.items() if pixels}


def letters_problems(picture, found):
    """What a wide screen far away promises is what it draws."""
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


# Hands two sockets over, as systemd does: one of TCP, and the launcher's of Unix, at argument 1.
DOORS = """
import os, socket, sys
doors = [socket.create_server(("127.0.0.1", 0)), socket.socket(socket.AF_UNIX)]
doors[1].bind(sys.argv[1])
os.chmod(sys.argv[1], 0o666)
doors[1].listen(64)
for index, number in enumerate([os.dup2(door.fileno(), 20 + index) for index, door in enumerate(doors)]):
    os.dup2(number, 3 + index)
    os.close(number)
os.environ.update(LISTEN_FDS="2", LISTEN_PID=str(os.getpid()), LISTEN_FDNAMES="display:display")
os.execv(sys.argv[2], sys.argv[2:])
"""


class Display:
    """adhan-display in front of a daemon that is none, at ten in the morning."""

    def __init__(self, program, folder, config="", port=0, page=PAGE, launcher=None, has_daemon=True):
        path = self.path = folder + "/control.sock"
        self.clock = Clock(folder)
        self.environment = environment = os.environ | self.clock.environment
        self.daemon = None
        if has_daemon:
            self.start_daemon()
        command = [program, "--socket", path, "--listen", f"127.0.0.1:{port}", "--preview", "--page-dir", str(page)]
        # Never what the box itself has in /etc/adhand.
        Path(folder, "display.toml").write_text(config)
        command += ["--config", folder + "/display.toml"]
        if launcher:
            command = [sys.executable, "-c", DOORS, launcher] + command
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment)
        line = self.process.stderr.readline()
        found = re.search(r"http://\S+/", line)
        if not found:
            raise SystemExit(f"adhan-display does not start: {line}{self.process.stderr.read()}")
        self.url = found.group()

    def start_daemon(self):
        self.daemon = subprocess.Popen([sys.executable, str(HERE / "fake_adhand.py"), self.path], stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE, text=True, env=self.environment)
        self.daemon.stdout.readline()

    def say(self, **change):
        self.daemon.stdin.write(json.dumps(change) + "\n")
        self.daemon.stdin.flush()

    def close(self):
        for process in filter(None, (self.process, self.daemon)):
            process.terminate()
            process.wait(10)


def has_slides(display, count):
    """The folder is looked at when adhand has answered for the first time."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        with contextlib.suppress(OSError, KeyError):
            if len(json.load(urllib.request.urlopen(display.url + "state.json", timeout=5))["slides"]) == count:
                return
        time.sleep(0.05)
    raise SystemExit("adhan-display does not find its slides")


def read_code(browser):
    """What a camera reads from the screen."""
    with tempfile.NamedTemporaryFile(suffix=".png") as picture:
        browser.picture(picture.name)
        found = subprocess.run(["zbarimg", "--quiet", "--raw", picture.name], capture_output=True, text=True, check=False)
        return found.stdout.removesuffix("\n")


def logo_problems(browser, one):
    """It stands in the header, whole."""
    if one.setup != "logo" or one.scene != "home":
        return []
    box = browser.evaluate("(() => { const e = document.getElementById('logo'), b = e.getBoundingClientRect(); return [e.naturalWidth, b.left, b.top, b.right, b.bottom, b.height / innerHeight]; })()")
    is_inside = box[1] >= 0 and box[2] >= 0 and box[3] <= one.shape[0] and box[4] <= one.shape[1]
    return [] if box[0] and is_inside and box[5] > 0.03 else [f"the logo is not shown: {box}"]


def said_problems(browser, one):
    """What the mosque has to say stands where it belongs, and only what is due."""
    if not one.setup.startswith("said"):
        return []
    said = browser.evaluate("['slide-text', 'bar', 'ticker'].map((id) => { const e = document.getElementById(id); return e.offsetParent ? e.textContent : ''; })")
    problems = ["says what is not due"] if "THIS IS" in "".join(said) else []
    expected = {"code": (0, "new roof"), "announcement": (0, "Funeral"), "all": (0, "car park"), "": (1, "Funeral")}[one.slide]
    if expected[1] not in said[expected[0]]:
        problems.append(f"does not say {expected[1]!r}: {said}")
    if one.slide == "code" and (read := read_code(browser)) != DONATION:
        problems.append(f"the code reads {read!r}")
    return problems


GALLERY = """(async () => { const items = [...document.querySelectorAll('#gallery li')];
  for (const image of document.querySelectorAll('#gallery img')) { image.loading = 'eager'; await image.decode(); }
  return { height: document.documentElement.scrollHeight, width: document.documentElement.scrollWidth, said: document.getElementById('ticker').textContent,
    shown: items.length > 0 && getComputedStyle(items[0].parentElement).display !== 'none',
    pictures: [...document.querySelectorAll('#gallery img')].map((image) => { const box = image.getBoundingClientRect(), item = image.closest('li').getBoundingClientRect();
      return { path: image.closest('a').pathname, wide: Math.min(box.width, box.height * image.naturalWidth / image.naturalHeight) / item.width,
        fit: getComputedStyle(image).objectFit, inside: box.left >= 0 && box.right <= innerWidth, alt: image.alt }; }),
    texts: items.map((item) => item.textContent), code: (() => { const box = document.querySelector('#gallery svg').getBoundingClientRect(); return Math.min(box.width, box.height); })(),
    link: (() => { const link = document.querySelector('#gallery svg').parentElement.querySelector('a'); return link && [link.href, link.rel, link.textContent]; })() }; })()"""


def phone_problems(browser, one):
    """The slides stand below the times, whole; the donation has its link, and a code that can be read. The window is made as high as
    the page, so that the picture has all of it."""
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
        problems.append(f"the code of {found['code']:.0f} px reads {read!r}" if found["code"] >= 100 else f"the code has {found['code']:.0f} px")
    if one.scene in ("home", "approaching", "to-iqama") and ("Funeral" not in found["said"] or "car park" not in found["said"]):
        problems.append(f"announces {found['said']!r}")
    return problems + (["says what is not due"] if "THIS IS" in found["said"] + "".join(found["texts"]) else [])


def look(browser, display, one, keep):
    """Draws one picture; returns whether it has a problem."""
    browser.size(*one.shape)
    first = one.language.split(",")[0]
    digits = json.loads((PAGE / f"languages/{first}.json").read_text())["digits"]
    clock = 12 if first in ("en", "ur") else 24
    theme = f"&theme={one.theme}" if one.theme else ""
    browser.open(f"{display.url}?now={one.at}&lang={one.language}&digits={digits}&clock={clock}{theme}" + ("&view=phone" if one.setup == "phone" else ""))
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
    """Cap heights in millimetres as drawn on a screen of 16:9, the smallest of all languages."""
    lines = ["| screen | `distance` | layout | clock | names | times | iqama | labels |", "| --- | --- | --- | --- | --- | --- | --- | --- |"]
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
    """Writes the table into the document, or compares the two; returns whether they differ."""
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
