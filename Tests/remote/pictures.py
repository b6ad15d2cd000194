#!/usr/bin/env python3
"""Tests that each page of the phone page can be used, drawn in Chromium on a phone that is really paired: nothing is wider than
the screen, targets have 44 px, every field has a label, the writing direction is right, no glyph is missing, and nothing is
requested from elsewhere.

usage: pictures.py DIRECTORY-OF-PROGRAMS [--keep FOLDER] [--sheets FOLDER] [--languages en,ar,tr,ur] [--sizes 320x700,412x900]
--keep keeps each picture; --sheets makes one picture of all pages for each language, as docs/pictures has them."""
import argparse
import base64
import html
import json
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(1, str(Path(__file__).parent.parent / "display"))
import files  # noqa: E402
from browser import Browser  # noqa: E402
from harness import Box, encoded, expect, findings  # noqa: E402

PAGES = ["pair", "", "week", "friday", "ramadan", "announcements", "sounds", "timetable", "settings", "health", "log", "setup", "phones"]
RTL = {"ar", "fa", "ur"}

# Obstacles for a thumb or for a screen reader.
PROBE = """(() => {
    const problems = [];
    const root = document.scrollingElement;
    if (root.scrollWidth > innerWidth) {
        const wide = [...document.querySelectorAll("main *")].filter((part) => {
            const box = part.getBoundingClientRect();
            return (box.right > innerWidth + 1 || box.left < -1) && !part.closest(".wide");
        });
        problems.push(`wider than the screen: ${root.scrollWidth} ${wide.slice(0, 3).map((part) => part.outerHTML.slice(0, 80))}`);
    }
    if (document.querySelectorAll("h1").length !== 1) problems.push("not one h1");
    for (const part of document.querySelectorAll("a, button, input:not([type=hidden]), select, textarea, summary")) {
        const target = part.closest("label.box") || part;
        const box = target.getBoundingClientRect();
        if (box.width === 0 && part.closest("details:not([open]), [hidden]")) continue;
        if (box.height < 43.5 || box.width < 43.5)
            problems.push(`a target of ${box.width} x ${box.height}: ${part.outerHTML.slice(0, 80)}`);
        if (part.matches("input, select, textarea") && !part.labels.length) problems.push(`no label: ${part.outerHTML.slice(0, 80)}`);
        if (part.matches("button") && part.scrollWidth > part.clientWidth + 1) problems.push(`cut off: ${part.textContent}`);
    }
    const english = [...document.querySelectorAll("main [lang=en]")].map((part) => part.textContent);
    return { problems, dir: document.documentElement.dir, lang: document.documentElement.lang, english,
             height: root.scrollHeight, text: document.body.innerText };
})()"""


class Phone:
    """A browser that was paired with the address of a QR code."""

    def __init__(self, box):
        self.box, self.browser = box, Browser()
        self.address = f"http://{box.page.host}"
        self.requests = []
        opening = box.page.open("keeper")
        self.browser.call("Emulation.setUserAgentOverride", userAgent="Mozilla/5.0 (Linux; Android 14) Trial", acceptLanguage="en")
        self.go(f"{self.address}/r/pair#{opening['key']}")
        self.submit("pair", name="Office")

    def go(self, address):
        self.browser.call("Page.navigate", url="about:blank")
        self.browser.open(address, ready="document.readyState === 'complete' && document.querySelector('h1') !== null")

    def submit(self, ident, **fields):
        """Fills in a form and sends it, as a person does."""
        script = "".join(f"form.elements[{json.dumps(name)}].value = {json.dumps(value)};" for name, value in fields.items())
        self.browser.evaluate(
            f"(() => {{ window.old = true; const form = document.getElementById({json.dumps(ident)}); {script} form.requestSubmit(); }})()")
        end = time.monotonic() + 20
        while not self.browser.holds("window.old !== true && document.readyState === 'complete'"):
            if time.monotonic() > end:
                raise RuntimeError("the form leads nowhere")
            time.sleep(0.05)

    @property
    def token(self):
        cookies = self.browser.call("Network.getAllCookies")["cookies"]
        return next(cookie["value"] for cookie in cookies if cookie["name"] == "adhan_remote")

    def picture(self, path, height):
        data = self.browser.call(
            "Page.captureScreenshot", format="png", captureBeyondViewport=True,
            clip={"x": 0, "y": 0, "width": self.width, "height": height, "scale": 1})["data"]
        Path(path).write_bytes(base64.b64decode(data))

    def size(self, width, height):
        self.width = width
        self.browser.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=True)


def furnish(box, token):
    """Content for every page."""
    page = box.page
    date = time.strftime("%Y-%m-%d", time.localtime(time.time() + 4 * 86400))
    acts = [
        ("settings", {"iqama.fajr.at": "+20m", "iqama.dhuhr.at": "13:30", "iqama.asr.at": "+15m", "iqama.maghrib.at": "+5m",
                      "iqama.isha.at": "+10m"}),
        ("settings", {"iqama": "20:15", "prayer": "isha", "from": date}),
        ("settings", {"jumua": "13:20", "congregation": "13:45"}),
        ("settings", {"adhan.fajr.volume": "45"}),
        ("exception", {"date": date, "prayer": "asr", "iqama": "15:15", "reason": "Visitors"}),
        ("announcement", [("text", "Funeral prayer after Dhuhr"), ("until", date), ("show", "board"), ("show", "bar")]),
        ("mute", {"for": "30m"}),
    ]
    for path, fields in acts:
        page.act(f"/r/{path}", encoded(fields), token)
    year = time.gmtime().tm_year + 1
    rows = [f"{day}/1/{year},06:0{day % 10},07:40,12:10,14:10,16:30,18:10" for day in range(13, 31)]
    table = "date,fajr,sunrise,dhuhr,asr,maghrib,isha\n" + "\n".join(rows) + "\n"
    page.upload("/r/timetable", token, table.encode(), name="times.csv")
    page.upload("/r/sound", token, (files.RECORDINGS / "cbr64_44k_mono.mp3").read_bytes(), [("name", "our-adhan")])


def draw(phone, page, language, size, keep):
    """One page at one size."""
    width, height = map(int, size.split("x"))
    phone.size(width, height)
    phone.go(f"{phone.address}/r/{page}?lang={language}")
    found = phone.browser.evaluate(PROBE)
    problems = found["problems"]
    if found["dir"] != ("rtl" if language in RTL else "ltr") or found["lang"] != language:
        problems.append(f"dir {found['dir']}, lang {found['lang']}")
    if "\ufffd" in found["text"]:
        problems.append("a character that is none")
    name = page or "now"
    if keep:
        phone.picture(Path(keep) / f"remote-{name}-{language}-{width}.png", min(found["height"], 2600))
    expect(f"{name} {language} {size}", not problems, "\n".join(problems))


def sheet(phone, language, folder, scratch):
    """All pages of a language side by side."""
    cells = []
    for page in PAGES:
        phone.size(320, 700)
        phone.go(f"{phone.address}/r/{page}?lang={language}")
        path = Path(scratch) / f"{page or 'now'}.png"
        phone.picture(path, 700)
        data = base64.b64encode(path.read_bytes()).decode()
        cells.append(
            '<figure><img src="data:image/png;'
            f'base64,{data}" width=320 height=700><figcaption>{html.escape("/r/" + page)}</figcaption></figure>')
    style = ("body{margin:0;padding:12px;background:#d8dedb;display:grid;grid-template-columns:repeat(5,320px);gap:12px;width:1648px;"
             "font:16px sans-serif}")
    style += "figure{margin:0}img{display:block}figcaption{padding:4px}"
    document = Path(scratch) / "sheet.html"
    document.write_text(f"<!DOCTYPE html><title>sheet</title><style>{style}</style>" + "".join(cells))
    browser = Browser()
    try:
        browser.size(1672, 800)
        browser.open(document.as_uri(), ready="document.images.length > 0 && [...document.images].every((image) => image.complete)")
        rows = (len(PAGES) + 4) // 5
        data = browser.call("Page.captureScreenshot", format="png", captureBeyondViewport=True,
                            clip={"x": 0, "y": 0, "width": 1672, "height": 12 + rows * 743, "scale": 0.5})["data"]
        (Path(folder) / f"remote-{language}.png").write_bytes(base64.b64decode(data))
    finally:
        browser.close()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("programs")
    parser.add_argument("--keep")
    parser.add_argument("--sheets")
    parser.add_argument("--languages", default="en,ar,tr,ur")
    parser.add_argument("--sizes", default="320x700,412x900")
    chosen = parser.parse_args()
    for folder in [chosen.keep, chosen.sheets]:
        if folder:
            Path(folder).mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="remote-") as name, Box(chosen.programs, name) as box:
        phone = Phone(box)
        try:
            furnish(box, phone.token)
            for language in chosen.languages.split(","):
                for page in PAGES:
                    for size in chosen.sizes.split(","):
                        draw(phone, page, language, size, chosen.keep)
                if chosen.sheets:
                    sheet(phone, language, chosen.sheets, name)
        finally:
            phone.browser.close()
    sys.exit(findings.end())


if __name__ == "__main__":
    main()
