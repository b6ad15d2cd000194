#!/usr/bin/env python3
"""Draws the display's scenes in a real browser and looks whether each can be read: nothing cut, nothing on top of another,
everything inside the safe area, contrast, writing direction, no missing glyph.

usage: render.py ADHAN_DISPLAY [--all] [--keep FOLDER] [--only PART] [--firefox]
Without --all every scene, every language and every shape comes at least once; with it, all combinations."""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
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
  // Behind a scrim there may be any picture: white or black is the worst.
  const scrim = colour(getComputedStyle(document.documentElement).getPropertyValue("--scrim"));
  const pictured = document.documentElement.dataset.background && getComputedStyle(document.body).backgroundImage !== "none";
  const ground = (e) => { for (; e && !(pictured && e === document.body); e = e.parentElement) { const c = colour(getComputedStyle(e).backgroundColor); if (c.length < 4 || c[3] > 0) return [c.slice(0, 3)]; }
    return pictured ? [0, 255].map((worst) => scrim.slice(0, 3).map((v) => v * scrim[3] + worst * (1 - scrim[3]))) : [[255, 255, 255]]; };
  const canvas = document.createElement("canvas"); canvas.width = canvas.height = 40;
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  const leaves = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; (node = walker.nextNode());) {
    if (!node.nodeValue.trim() || !visible(node.parentElement)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    // A line's box is taller than its letters: what counts is the ink.
    const style = getComputedStyle(node.parentElement);
    pen.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    const ink = pen.measureText(node.nodeValue.trim());
    for (const { left, right, top, width } of range.getClientRects()) if (width > 0)
      leaves.push({ node, box: { left, right, width, top: top + ink.fontBoundingBoxAscent - ink.actualBoundingBoxAscent,
        bottom: top + ink.fontBoundingBoxAscent + ink.actualBoundingBoxDescent } });
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
    const front = colour(getComputedStyle(e).color).slice(0, 3);
    const ratio = Math.min(...ground(e).map((back) => { const [a, c] = [luminance(front), luminance(back)].sort((x, y) => y - x); return (a + .05) / (c + .05); }));
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
  const size = (e) => e && visible(e) ? parseFloat(getComputedStyle(e).fontSize) : 0;
  return { scene: document.body.dataset.scene, dir: document.documentElement.dir, shape: document.documentElement.dataset.shape,
    clock: document.querySelector("#clock bdi").textContent, countdown: document.querySelector("#countdown").textContent,
    time: size(document.querySelector('[data-prayer="asr"] .time')), asr: document.querySelector('[data-prayer="asr"] .time').textContent,
    iqama: document.querySelector('[data-prayer="asr"] .iqama').textContent,
    notices: [...document.querySelectorAll("#notices p")].map((p) => p.textContent), nodes: document.querySelectorAll("*").length, problems };
})()"""


def combinations(everything):
    if everything:
        return [(scene, language, shape) for scene in SCENES for language in LANGUAGES for shape in SHAPES + MORE_SHAPES]
    most = max(len(SCENES) * len(SHAPES), len(LANGUAGES))
    picked = [(SCENES[i % len(SCENES)], LANGUAGES[(i + i // len(LANGUAGES)) % len(LANGUAGES)],
               SHAPES[(i + i // len(SCENES)) % len(SHAPES)]) for i in range(most)]
    # Two languages at once, in every shape.
    pairs = ["tr,ar", "en,bn", "ur,en", "so,ar"]
    picked += [(scene, pairs[(i + j) % len(pairs)], shape) for i, scene in enumerate(SCENES) for j, shape in enumerate(SHAPES)
               if scene[0] in TITLED]
    # The board is what people look at most: in every language.
    picked += [(SCENES[0], language, SHAPES[i % 3]) for i, language in enumerate(LANGUAGES)]
    return picked


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

    def __init__(self, program, folder, config="", port=0, page=PAGE, launcher=None):
        path = folder + "/control.sock"
        self.clock = Clock(folder)
        environment = os.environ | self.clock.environment
        self.daemon = subprocess.Popen([sys.executable, str(HERE / "fake_adhand.py"), path], stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE, text=True, env=environment)
        self.daemon.stdout.readline()
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

    def say(self, **change):
        self.daemon.stdin.write(json.dumps(change) + "\n")
        self.daemon.stdin.flush()

    def close(self):
        for process in (self.process, self.daemon):
            process.terminate()
            process.wait(10)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--keep")
    parser.add_argument("--firefox", action="store_true")
    parser.add_argument("--only")
    options = parser.parse_args()
    failures = 0
    with tempfile.TemporaryDirectory(prefix="display-") as folder:
        display, browser = Display(options.program, folder), Firefox() if options.firefox else Browser()
        began = time.monotonic()
        try:
            done = combinations(options.all)
            if options.only:
                done = [one for one in done if options.only in f"{one[0][0]}-{one[1]}-{one[2][0]}x{one[2][1]}".replace(",", "+")]
            for (scene, at), language, (width, height) in done:
                name = f"{scene}-{language.replace(',', '+')}-{width}x{height}"
                browser.size(width, height)
                first = language.split(",")[0]
                digits = json.loads((PAGE / f"languages/{first}.json").read_text())["digits"]
                clock = 12 if first in ("en", "ur") else 24
                browser.open(f"{display.url}?now={at}&lang={language}&digits={digits}&clock={clock}")
                found = browser.evaluate(PROBE)
                problems = found["problems"]
                if found["scene"] != scene:
                    problems.append(f"shows {found['scene']}")
                if found["dir"] != ("rtl" if first in RTL else "ltr"):
                    problems.append(f"dir is {found['dir']}")
                if scene == "home" and (width, height) == (1920, 1080) and found["time"] < 0.055 * height:
                    problems.append(f"times of {found['time']:.0f} px are too small")
                if options.keep:
                    os.makedirs(options.keep, exist_ok=True)
                    browser.picture(f"{options.keep}/{name}.png")
                for problem in problems[:6]:
                    print(f"{name}: {problem}")
                failures += bool(problems)
        finally:
            browser.close()
            display.close()
    print(f"{len(done)} pictures in {time.monotonic() - began:.0f} s")
    print(f"{len(done) - failures} passed, {failures} failed")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
