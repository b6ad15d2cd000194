#!/usr/bin/env python3
"""Tests that people who do not see the page can use it: names, roles, languages, live regions and the sheet of taps in the
browser's own accessibility tree, the reach of the keyboard, and zoom on a telephone.

usage: access.py ADHAN_DISPLAY"""
import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from browser import Browser  # noqa: E402
from page import expect, findings, wait  # noqa: E402
from display import Display, has_slides, png  # noqa: E402

MARKS = {0x2066: None, 0x2068: None, 0x2069: None, 0xA0: " "}


class Tree:
    """The nodes of the tree that are not ignored, in order."""

    def __init__(self, browser):
        nodes = browser.call("Accessibility.getFullAXTree")["nodes"]
        self.by_id = {node["nodeId"]: node for node in nodes}
        self.root = nodes[0]

    def walk(self, node=None):
        node = node or self.root
        if not node.get("ignored"):
            yield node
        for child in node.get("childIds", []):
            if child in self.by_id:
                yield from self.walk(self.by_id[child])

    def role(self, name):
        return [node for node in self.walk() if node["role"]["value"] == name]

    def text(self, node):
        return " ".join(part for part in (self.name(one) for one in self.walk(node) if one["role"]["value"] == "StaticText") if part)

    @staticmethod
    def name(node):
        return node.get("name", {}).get("value", "").translate(MARKS).strip()


def at(browser, display, instant, more=""):
    browser.open(f"{display.url}?now={instant}{more}")
    return Tree(browser)


SPEAKERS = "[...document.querySelectorAll('[aria-live], [role=status], [role=alert], [role=log]')].map((e) => e.id).sort().join()"
# Letters of another script than the page's are in an element that declares it.
FOREIGN = r"""(() => { const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
  for (let node; (node = walker.nextNode());) if (/\p{Script=Arabic}/u.test(node.nodeValue) && node.parentElement.offsetParent
    && !["ar", "fa", "ur"].includes(node.parentElement.closest("[lang]").lang)) found.push(node.nodeValue); return found; })()"""


def board(browser, display):
    tree = at(browser, display, "2026-11-21T10:00:00Z")
    expect("the page has a title", tree.name(tree.root) == "Our mosque · Prayer times", tree.name(tree.root))
    expect("and a heading", [tree.name(one) for one in tree.role("heading")] == ["Our mosque · Prayer times"])
    lists = tree.role("list")
    expect("the prayers are a list with a name", [tree.name(one) for one in lists] == ["Prayer times"], [tree.name(one) for one in lists])
    items = [tree.text(one) for one in tree.role("listitem")]
    expect("each says what its times are",
           items[:3] == ["Fajr, tomorrow, Adhan 05:30, Iqama 06:00", "Sunrise, tomorrow, 07:20", "Dhuhr, Adhan 12:05, Iqama 12:30"]
           and len(items) == 6, items)
    timers = [tree.text(one) for one in tree.role("timer")]
    expect("the countdown says what for", timers == ["Dhuhr in 2:05:00"], timers)
    single = [tree.name(one) for one in tree.role("StaticText") if len(tree.name(one)) == 1 and tree.name(one).isdigit()]
    expect("no clock is read digit by digit", not single, single)
    expect("the time of day is said as one", "10:00" in [tree.name(one) for one in tree.role("StaticText")])
    unnamed = [one for one in tree.walk() if one["role"]["value"] in ("image", "img", "button", "dialog", "link") and not tree.name(one)]
    expect("nothing that needs a name lacks one", not unnamed, [one["role"]["value"] for one in unnamed])
    expect("only scenes and what is wrong speak up", browser.evaluate(SPEAKERS) == "message-head,notices,setup", browser.evaluate(SPEAKERS))
    expect(f"Arabic says that it is {browser.evaluate(FOREIGN)}", browser.evaluate(FOREIGN) == [])
    tree = at(browser, display, "2026-11-21T12:05:40Z")
    heads = [tree.text(one) for one in tree.walk() if any(value["name"] == "live" and value["value"].get("value") == "polite"
                                                          for value in one.get("properties", []))]
    expect("a scene says what it is", "Adhan Dhuhr" in heads, heads)
    expect("and no countdown that is not shown", not tree.role("timer"))
    expect("its words are Arabic", browser.evaluate(FOREIGN) == [])
    tree = at(browser, display, "2026-11-21T10:00:00Z", "&lang=tr,ar")
    expect("in the screen's language", [tree.name(one) for one in tree.role("list")] == ["Namaz vakitleri"]
           and browser.evaluate("document.documentElement.lang") == "tr")
    expect("with a second one that says which it is", browser.evaluate(FOREIGN) == [])
    at(browser, display, "2026-11-21T10:00:00Z", "&lang=ar")
    expect("and its direction", browser.evaluate("[document.documentElement.lang, document.documentElement.dir].join()") == "ar,rtl")


# The helper of taps, as far as the page sees it.
HELPER = """(() => { const real = window.fetch; window.asked = [];
  window.fetch = (address, more) => { if (!String(address).includes(":8789/")) return real(address, more);
    const what = JSON.parse(more.body).do; asked.push(what);
    return Promise.resolve(new Response(JSON.stringify({ message: what === "status" ? "" : "Done", muted: what === "mute-hour",
      playing: false, method: "mwl", asr: "standard",
      version: "0", prayers: ["fajr", "dhuhr"].map((prayer) => ({ prayer, enabled: true, sound: "standard", volume: 80 })) }))); }; })();"""
FOCUS = "document.activeElement && document.activeElement.closest('#sheet') ? document.activeElement.textContent : ''"


def press(browser, key, code):
    for kind in ("rawKeyDown", "keyUp"):
        browser.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code)


def sheet(browser, program):
    with tempfile.TemporaryDirectory(prefix="display-") as folder:
        display = Display(program, folder, "[touch]\nenabled = true\n")
        script = browser.call("Page.addScriptToEvaluateOnNewDocument", source=HELPER)["identifier"]
        try:
            browser.open(display.url + "#touch=secret", ready="document.body && document.body.dataset.scene === 'home'")
            press(browser, "Enter", 13)
            expect("the Enter key opens what a tap does", wait(browser, "document.querySelector('#sheet') !== null", 5))
            tree = Tree(browser)
            dialogs = tree.role("dialog")
            expect("it is a dialog with a name", [tree.name(one) for one in dialogs] == ["Adhan"], [tree.name(one) for one in dialogs])
            expect("and nothing else is there while it is open",
                   not tree.role("list") and browser.evaluate("document.querySelector('#stage').inert"))
            seen = [browser.evaluate(FOCUS)]
            for _ in range(4):
                press(browser, "Tab", 9)
                seen.append(browser.evaluate(FOCUS))
            expect("the keyboard goes through it from the first to the last",
                   seen == ["Mute for an hour", "Mute the next adhan", "✓ Fajr", "✓ Dhuhr", "Close"], seen)
            browser.evaluate("document.querySelector('#sheet button').focus()")
            browser.evaluate("document.activeElement.click()")
            expect("what was done is said, and the keyboard stays",
                   wait(browser, "document.querySelector('#sheet .said').textContent === 'Done'", 5)
                   and browser.evaluate(FOCUS) == "Unmute")
            press(browser, "Escape", 27)
            expect("Escape closes it",
                   browser.evaluate("document.querySelector('#sheet') === null && !document.querySelector('#stage').inert"))
        finally:
            browser.call("Page.removeScriptToEvaluateOnNewDocument", identifier=script)
            display.close()


LAID = """(() => { const e = (s) => document.querySelector(s); const card = e('[data-prayer=asr] .time').getBoundingClientRect();
  return { letters: parseFloat(getComputedStyle(e('[data-prayer=asr] .time')).fontSize) * devicePixelRatio,
    wide: document.documentElement.scrollWidth - innerWidth,
    inside: card.left >= 0 && card.right <= innerWidth, cursor: getComputedStyle(document.body).cursor,
    scene: document.body.dataset.scene, ground: getComputedStyle(document.body).backgroundColor }; })()"""


def telephone(browser, display):
    def look(width, height, zoom, instant):
        browser.call("Emulation.setDeviceMetricsOverride", width=round(width / zoom), height=round(height / zoom), deviceScaleFactor=zoom,
                     mobile=False)
        browser.open(f"{display.url}?now={instant}&view=phone")
        return browser.evaluate(LAID)

    for name, width, height in (("a telephone", 390, 844), ("a small telephone", 320, 568), ("a desk", 1920, 1080)):
        laid = {zoom: look(width, height, zoom, "2026-11-21T10:00:00Z") for zoom in (1, 2)}
        expect(f"on {name} nothing stands beside the window, zoomed or not",
               all(one["wide"] <= 0 and one["inside"] for one in laid.values()), laid)
        if name == "a desk":
            expect(f"zoom makes letters larger: {laid[1]['letters']:.0f}, {laid[2]['letters']:.0f} px",
                   laid[2]["letters"] >= 1.9 * laid[1]["letters"])
        expect("the pointer is seen", laid[1]["cursor"] == "auto")
    expect("two fingers make it larger, too",
           "user-scalable" not in browser.evaluate("document.querySelector('meta[name=viewport]').content"))
    for what, instant in (("in a prayer", "2026-11-21T12:35:00Z"), ("at night", "2026-11-21T23:30:00Z")):
        laid = look(390, 844, 1, instant)
        expect(f"it does not go dark {what}", laid["scene"] == "home" and laid["ground"] != "rgb(0, 0, 0)", laid["scene"])
    browser.size(1920, 1080)
    browser.call("Emulation.setDeviceMetricsOverride", width=390, height=844, deviceScaleFactor=1, mobile=False)
    browser.open(f"{display.url}?now=2026-11-21T10:00:00Z&view=phone")
    tree = Tree(browser)
    links = [tree.name(one) for one in tree.role("link")]
    expect("pictures and the donation are links with names", links == ["Lesson", "https://example.org/donate"], links)
    opened = browser.evaluate("fetch(document.querySelector('#gallery a').href).then((a) => a.headers.get('content-type'))")
    expect("a picture can be opened by itself", opened == "image/png", opened)
    browser.size(1920, 1080)
    icon = browser.evaluate("fetch(document.querySelector('link[rel=icon]').href).then((a) => a.headers.get('content-type'))")
    expect("it has an icon", icon == "image/svg+xml", icon)
    browser.call("Page.navigate", url=display.url + "?view=men")
    told = "document.body && document.body.textContent.includes('There is no view \"men\" here. There are: wall, phone.')"
    expect("a view that there is not is reported", wait(browser, told, 5))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    options = parser.parse_args()
    browser = Browser()
    try:
        browser.size(1920, 1080)
        browser.call("Accessibility.enable")
        with tempfile.TemporaryDirectory(prefix="display-") as folder:
            display = Display(options.program, folder, 'title = "Our mosque"\n')
            try:
                board(browser, display)
            finally:
                display.close()
        with tempfile.TemporaryDirectory(prefix="display-") as folder:
            slides = Path(folder, "slides")
            slides.mkdir()
            (slides / "Lesson.png").write_bytes(png(300, 200, (240, 240, 240)))
            display = Display(options.program, folder,
                              f'title = "Our mosque"\n[slides]\nfolder = "{slides}"\n[donate]\nurl = "https://example.org/donate"\n')
            has_slides(display, 1)
            try:
                telephone(browser, display)
            finally:
                display.close()
        sheet(browser, options.program)
    finally:
        browser.close()
    sys.exit(findings.end())


if __name__ == "__main__":
    main()
