#!/usr/bin/env python3
"""Tests the phone page as people use it, in Chromium and in Firefox, with and without script, in English and in Arabic: they
pair, mute, correct an iqama, send a recording and a photograph, and set a box up. Every click and key goes through the browser.

usage: people.py DIRECTORY-OF-PROGRAMS [--only chromium|firefox]"""
import argparse
import contextlib
import json
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(1, str(Path(__file__).parent.parent / "display"))
import files  # noqa: E402
from browser import Browser  # noqa: E402
from firefox import Firefox  # noqa: E402
from harness import Box, expect, findings  # noqa: E402
from ends import until  # noqa: E402


class Chromium:
    """Clicks are mouse events and texts are key events, because nothing else works without script."""

    def __init__(self, has_script, language):
        self.browser = Browser()
        self.browser.size(412, 900)
        self.browser.call("Emulation.setUserAgentOverride", userAgent="Mozilla/5.0 (Linux; Android 14) Trial", acceptLanguage=language)
        self.browser.call("Emulation.setScriptExecutionDisabled", value=not has_script)

    def look(self, expression):
        return self.browser.evaluate(expression)

    def go(self, address):
        self.browser.call("Page.navigate", url="about:blank")
        self.browser.call("Page.navigate", url=address)
        self.settle()

    def settle(self):
        wait(lambda: self.look("document.readyState === 'complete' && !!document.querySelector('h1')"), "the page")

    def address(self):
        return self.look("location.pathname + location.hash")

    def text(self):
        return self.look("document.body.innerText")

    def has(self, selector):
        return self.look(f"!!document.querySelector({json.dumps(selector)})")

    def value(self, selector, name):
        return self.look(f"document.querySelector({json.dumps(selector)})?.{name}")

    def is_seen(self, selector):
        return self.look(f"document.querySelector({json.dumps(selector)}).getClientRects().length > 0")

    def is_in_sight(self, selector):
        return self.look(f"""(() => {{ const box = document.querySelector({json.dumps(selector)}).getBoundingClientRect();
            return box.top >= 0 && box.bottom <= innerHeight && box.height > 0; }})()""")

    def follow(self, path):
        """Opens an address in the browser's present page."""
        self.look(f"location.href = {json.dumps(path)}")

    def click(self, selector):
        place = self.look(f"""(() => {{ const part = document.querySelector({json.dumps(selector)});
            part.scrollIntoView({{block: "center"}});
            const box = part.getBoundingClientRect(); return {{ x: box.x + box.width / 2, y: box.y + box.height / 2 }}; }})()""")
        for kind in ("mousePressed", "mouseReleased"):
            self.browser.call("Input.dispatchMouseEvent", type=kind, button="left", clickCount=1, **place)

    def write(self, selector, text):
        self.click(selector)
        self.look(f"document.querySelector({json.dumps(selector)}).select()")
        self.browser.call("Input.insertText", text=text)

    def choose(self, selector, value):
        self.look(f"document.querySelector({json.dumps(selector)}).value = {json.dumps(value)}")

    def attach(self, selector, path):
        document = self.browser.call("DOM.getDocument")["root"]["nodeId"]
        node = self.browser.call("DOM.querySelector", nodeId=document, selector=selector)["nodeId"]
        self.browser.call("DOM.setFileInputFiles", nodeId=node, files=[str(path)])

    def press(self, selector):
        """Presses a button that sends a form, and waits for the next page."""
        number = self.browser.call("Page.getFrameTree")["frameTree"]["frame"]["loaderId"]
        self.click(selector)
        wait(lambda: self.browser.call("Page.getFrameTree")["frameTree"]["frame"]["loaderId"] != number, f"a page after {selector}", 40)
        self.settle()

    def close(self):
        self.browser.close()


class Fox:
    """Firefox with Marionette, whose clicks and keys are the browser's own."""

    def __init__(self, has_script, language):
        self.browser = Firefox({"javascript.enabled": has_script, "intl.accept_languages": language})
        self.browser.call("WebDriver:SetWindowRect", width=520, height=960)

    def find(self, selector):
        found = self.browser.call("WebDriver:FindElements", using="css selector", value=selector)
        # A list is the whole answer, or in `value`.
        found = found if isinstance(found, list) else found["value"]
        return next(iter(found[0].values())) if found else None

    def ask(self, command, selector, **more):
        end = time.monotonic() + 20
        while True:
            try:
                ident = self.find(selector)
                if ident:
                    return self.browser.call(f"WebDriver:{command}", id=ident, **more).get("value")
                trouble = f"no {selector}"
            except RuntimeError as error:
                trouble = error  # the page was replaced meanwhile
            if time.monotonic() > end:
                raise RuntimeError(str(trouble))
            time.sleep(0.1)

    def go(self, address):
        self.browser.call("WebDriver:Navigate", url="about:blank")
        wait(lambda: self.find("h1") is None, "nothing")
        self.browser.call("WebDriver:Navigate", url=address)
        self.settle()

    def settle(self):
        # Without script, nothing reports that a page is complete, so the footer at the end of `main` is awaited.
        wait(lambda: self.find("main h1") is not None, "the page")
        time.sleep(0.3)

    def address(self):
        url = self.browser.call("WebDriver:GetCurrentURL")["value"]
        return "/" + url.split("/", 3)[3]

    def text(self):
        return self.ask("GetElementText", "body")

    def has(self, selector):
        return self.find(selector) is not None

    def value(self, selector, name):
        return self.ask("GetElementProperty", selector, name=name)

    def is_seen(self, selector):
        ident = self.find(selector)
        return self.browser.call("WebDriver:IsElementDisplayed", id=ident)["value"]

    def is_in_sight(self, selector):
        # A picture of the whole window, because the page may run no script of the trial.
        box = self.browser.call("WebDriver:GetElementRect", id=self.find(selector))
        return box.get("value", box)["height"] > 0

    def follow(self, path):
        address = self.browser.call("WebDriver:GetCurrentURL")["value"].split("/r/")[0]
        self.browser.call("WebDriver:Navigate", url=address + path)

    def click(self, selector):
        self.ask("ElementClick", selector)

    def write(self, selector, text):
        self.ask("ElementClear", selector)
        self.ask("ElementSendKeys", selector, text=text)

    def choose(self, selector, value):
        self.click(f'{selector} option[value="{value}"]')

    def attach(self, selector, path):
        self.ask("ElementSendKeys", selector, text=str(path))

    def press(self, selector):
        ident = self.find("h1")
        self.click(selector)

        def is_new():
            try:
                now = self.find("h1")
            except RuntimeError:
                return False
            return now is not None and now != ident
        wait(is_new, f"a page after {selector}", 40)
        self.settle()

    def close(self):
        self.browser.close()


def wait(condition, what, seconds=20):
    """- Throws: `RuntimeError` if it does not come in time, as for a browser that does not answer."""
    def holds():
        # Between two pages there is none to query.
        with contextlib.suppress(RuntimeError):
            return condition()
        return False

    if not until(holds, seconds):
        raise RuntimeError(f"{what} does not come")


def pair(hand, box, has_script, name):
    """With the QR code's address if script can read it, otherwise with its digits."""
    address = f"http://{box.page.host}"
    hand.go(f"{address}/r/")
    expect("an unpaired browser is led to the page for pairing", hand.address() == "/r/pair", hand.address())
    opening = box.page.open("keeper")
    hand.go(f"{address}/r/pair#{opening['key']}")
    expect("the digits are asked for, in sight, where no script reads the key", hand.is_seen("#pair [name=code]") != has_script)
    if has_script:
        expect("the key is taken out of the address", hand.address() == "/r/pair", hand.address())
        rescan(hand, box, name)
    else:
        wrong = "000000" if opening["code"] != "000000" else "111111"
        hand.write("#pair [name=code]", wrong)
        hand.write("#pair [name=name]", name)
        hand.press("#pair button")
        expect("a wrong code stays on the page", hand.has("#pair"), hand.text()[:200])
        hand.write("#pair [name=code]", opening["code"])
    hand.write("#pair [name=name]", name)
    hand.press("#pair button")
    expect("a phone is paired", hand.address() == "/r/#here" and name in hand.text(), hand.text()[:300])


def rescan(hand, box, name):
    """The window closes before the key is sent, and the next code is scanned while the same page is open."""
    box.page.varlink("org.adhand.Remote.ClosePairing")
    hand.write("#pair [name=name]", name)
    hand.press("#pair button")
    expect("a key that has expired is refused beside the field for the digits, with what to do",
           hand.is_seen("#pair [name=code]") and hand.text().count("Open pairing again, and scan") == 2, hand.text()[:400])
    opening = box.page.open("keeper")
    hand.follow(f"/r/pair#{opening['key']}")
    wait(lambda: not hand.is_seen("#pair [name=code]"), "the new key")
    expect("a new code is taken without a reload, and what was wrong is gone",
           hand.value("#pair [name=key]", "value") == opening["key"] and "Open pairing again" not in hand.text(), hand.text()[:400])


def moment(hand, box):
    began = time.monotonic()
    hand.press('form[action="/r/mute#here"]:has(input[value="30m"]) button')
    took = time.monotonic() - began
    mute = box.ask("GetStatus")["status"]["mute"]
    expect("one tap mutes, with an end", mute["active"] and mute["until"], mute)
    expect("within two seconds, the next page included", took < 2, took)
    hand.press('form[action="/r/unmute#here"] button')
    expect("one tap takes it away", not box.ask("GetStatus")["status"]["mute"]["active"])
    hand.press('form[action="/r/prayers#here"]:has(input[value="asr"]) button')
    asr = next(one for one in box.ask("GetStatus")["status"]["prayers"] if one["prayer"] == "asr")
    expect("a prayer is switched off", asr["enabled"] is False, asr)
    hand.press('form[action="/r/prayers#here"]:has(input[value="asr"]) button')


def change(hand, box):
    """Sets a volume, one that is too loud, and the former one."""
    field = 'main form:has(input[name="adhan.fajr.volume"]) [name="adhan.fajr.volume"]'
    address = f"http://{box.page.host}/r/settings"
    hand.go(address)
    before = box.value("adhan.fajr.volume")
    hand.write(field, "45")
    hand.press('main form:has(input[name="adhan.fajr.volume"]) button')
    expect("a setting is set", box.value("adhan.fajr.volume") == "45", hand.text()[:300])
    hand.press('form[action="/r/undo#here"] button')
    expect("undo is one tap", box.value("adhan.fajr.volume") == before, box.value("adhan.fajr.volume"))


def iqama(hand, box):
    """Isha's iqama: the page, the field, the button."""
    began, before = time.monotonic(), box.value("iqama.isha.at")
    hand.click("nav summary")
    hand.press('nav div a[href="/r/week#iqama"]')
    hand.write('[name="iqama.isha.at"]', "+15")
    hand.press('main form:has([name="iqama.isha.at"]) button')
    expect("an iqama is set with four taps", box.value("iqama.isha.at") == '"+15m"', hand.text()[:300])
    expect("within a minute", time.monotonic() - began < 60)
    expect("the line about it has people's words", "+ 15" in hand.text() and "+15m" not in hand.text(), hand.text()[:300])
    hand.press('form[action="/r/undo#here"] button')
    expect("undo leads back to the page with the form", hand.address() == "/r/week#here", hand.address())
    expect("... and says what is in force", box.value("iqama.isha.at") == before and hand.has("#here p:nth-of-type(2)"), hand.text()[:300])
    hand.write('[name="iqama.isha.at"]', " + 15 ")
    hand.press('main form:has([name="iqama.isha.at"]) button')
    expect("spaces do no harm", box.value("iqama.isha.at") == '"+15m"', hand.text()[:300])
    hand.write('[name="iqama.isha.at"]', "-15m")
    hand.press('main form:has([name="iqama.isha.at"]) button')
    expect("one before its adhan is refused, and the field keeps what was written",
           box.value("iqama.isha.at") == '"+15m"' and hand.value('[name="iqama.isha.at"]', "value") == "-15m", hand.text()[:300])
    expect("the field and why it was refused are in sight", hand.is_in_sight("#here") and hand.is_in_sight("label:has(#here) strong"))
    hand.click("nav summary")
    hand.press('nav div a[href="/r/settings"]')
    expect("the list of changes has people's words", "+ 15" in hand.text() and "iqama.isha.at" not in hand.text(), hand.text()[-600:])
    hand.press('form[action="/r/undo#here"] button')
    expect("and undo removes it", box.value("iqama.isha.at") == before, box.value("iqama.isha.at"))


def send(hand, box, folder, number):
    address = f"http://{box.page.host}/r"
    name = f"sound-{number}"
    hand.go(f"{address}/sounds")
    hand.write('form[action="/r/sound#here"] [name=name]', name)
    hand.attach('form[action="/r/sound#here"] [name=file]', files.RECORDINGS / "cbr64_44k_mono.mp3")
    hand.press('form[action="/r/sound#here"] button')
    sounds = [one["name"] for one in box.ask("GetSounds")["sounds"]]
    expect("a recording is sent", name in sounds, hand.text()[:300])
    junk = folder / "junk.mp3"
    junk.write_bytes(b"no recording" * 1000)
    hand.write('form[action="/r/sound#here"] [name=name]', f"junk-{number}")
    hand.attach('form[action="/r/sound#here"] [name=file]', junk)
    hand.press('form[action="/r/sound#here"] button')
    expect("junk is refused", f"junk-{number}" not in [one["name"] for one in box.ask("GetSounds")["sounds"]])


def setup(hand, box):
    hand.go(f"http://{box.page.host}/r/setup")
    hand.write("[name=place]", "Sarajevo")
    hand.press("main form button")
    hand.choose("select[name=method]", "auto")
    hand.press("main form button")
    asr = "select[name=asr]"
    if hand.has(asr):
        hand.choose(asr, "hanafi")
    else:
        hand.click("[name=asr][value=hanafi]")
    hand.press("main form button")
    for _ in range(6):
        if hand.has("[name=volume]"):
            break
        if hand.has('button[value="yes"]'):
            hand.press('button[value="yes"]')
        elif hand.has("select[name=device]"):
            # The null device accepts every tone.
            hand.choose("select[name=device]", "null")
            hand.press("main form button")
        else:
            hand.press("main form button")
    hand.write("[name=volume]", "35")
    hand.press("main form button")
    expect("today's times are shown before anything is in force",
           "Sarajevo" in hand.text() and box.ask("GetStatus")["status"]["location"]["name"] == "Trial", hand.text()[:400])
    hand.press('main form:has(input[value="done"]) button')
    expect("five questions set a box up", box.ask("GetStatus")["status"]["location"]["name"].startswith("Sarajevo"), hand.text()[:400])
    hand.press('form[action="/r/undo#here"] button')
    expect("and one tap takes all of it back", box.ask("GetStatus")["status"]["location"]["name"] == "Trial", hand.text()[:300])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("programs")
    parser.add_argument("--only", choices=("chromium", "firefox"))
    chosen = parser.parse_args()
    kinds = [(name, kind) for name, kind in (("chromium", Chromium), ("firefox", Fox)) if chosen.only in (None, name)]
    with tempfile.TemporaryDirectory(prefix="remote-") as name, Box(chosen.programs, name) as box:
        number = 0
        for browser, kind in kinds:
            for has_script, language in ((True, "en"), (False, "ar")):
                number += 1
                began, before = time.monotonic(), len(findings.failures)
                hand = kind(has_script, language)
                try:
                    pair(hand, box, has_script, f"Phone {number}")
                    expect("in the browser's language", hand.value("html", "lang") == language and
                           hand.value("html", "dir") == ("rtl" if language == "ar" else "ltr"))
                    moment(hand, box)
                    change(hand, box)
                    iqama(hand, box)
                    send(hand, box, Path(name), number)
                    setup(hand, box)
                except RuntimeError as error:
                    expect(f"{browser} goes all the way", False, f"{error}; {hand.address()}: {hand.text()[:600]}")
                finally:
                    hand.close()
                print(f"{browser}, {'with' if has_script else 'without'} script, {language}: {len(findings.failures) - before} failed, "
                      f"{time.monotonic() - began:.0f} s",
                      flush=True)
    sys.exit(findings.end())


if __name__ == "__main__":
    main()
