#!/usr/bin/env python3
"""Tests and photographs a newcomer's way: a box without a place, first on a cable and then without one, its screen, and a phone
that claims it, answers the five questions, enters the Wi-Fi with a wrong password and with the right one, and reaches the daily
page. adhand, adhan-remote, adhan-display, adhan-touch and the box's scripts for its own network are the real ones, in a network
namespace with the addresses of a real box. It does not test a radio, a phone's own browser, or a loudspeaker.

usage: walk.py DIRECTORY-OF-PROGRAMS [--keep FOLDER] [--sheets FOLDER] [--languages en,ar]
--keep keeps each picture; --sheets makes a picture of all steps for each language, as docs/pictures has them."""
import argparse
import contextlib
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "display"), str(HERE.parent / "box")]
import hotspot  # noqa: E402
from browser import Browser  # noqa: E402
from display import PROBE as WALL_PROBE  # noqa: E402
from harness import expect, findings, varlink  # noqa: E402
from ends import until  # noqa: E402
from newborn import HOME, NAME, OWN, PORT, Newborn  # noqa: E402
from people import Chromium, wait  # noqa: E402
from pictures import PROBE, RTL  # noqa: E402
from sheet import sheet  # noqa: E402
from touch import SECRET  # noqa: E402

PHONE, WALL = (390, 844), (1920, 1080)
PEOPLE = {"en": ("Office", "Bradford, GB"), "ar": ("المكتب", "مكة")}
LANGUAGES = {"en": "English", "ar": "العربية"}
WIFI = "Home"
# The sheets of each language: columns, width of a picture in points, and the names of the pictures.
SHEETS = {"setup": (4, 293, ["code", "place", "method", "asr", "loudspeaker", "hear", "volume", "summary"]),
          "network": (3, 293, ["name", "network", "joining", "wrong-password", "again", "now"])}
WALLS = (2, 720, ["two-codes", "one-code", "claimed", "board"])
LARGEST = 300_000
# A phone's internet probe, with a name for which the box's own network returns its own address.
PROBE_HOST, PROBE_PATH = "captive.apple.com", "/hotspot-detect.html"


def enter_own_network():
    """Creates a network namespace, so that this network and the machine's do not see each other."""
    if os.environ.get("ADHAN_WALK") != "inside":
        own = [] if os.geteuid() == 0 else ["--map-root-user"]
        os.environ["ADHAN_WALK"] = "inside"
        os.execvp("unshare", ["unshare", "--net", "--uts", *own, sys.executable, *sys.argv])
    socket.sethostname(NAME)
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True, timeout=60)
    for address in (OWN, HOME):
        subprocess.run(["ip", "address", "add", f"{address}/32", "dev", "lo"], check=True, timeout=60)


class Phone(Chromium):
    """A phone's browser. It finds the box by its name, as a phone does, and resolves other names as the box's own network
    does. Like Firefox, it counts a redirect from another site as foreign, so a strict cookie would not be sent."""

    def __init__(self, language):
        self.language, self.language_name = language, LANGUAGES[language]
        self.browser = Browser(f"--host-resolver-rules=MAP {NAME}.local {HOME},MAP {PROBE_HOST} {OWN}",
                               "--enable-features=CookieSameSiteConsidersRedirectChain")
        self.browser.call("Emulation.setDeviceMetricsOverride", width=PHONE[0], height=PHONE[1], deviceScaleFactor=2, mobile=True)
        self.browser.call("Emulation.setUserAgentOverride", userAgent="Mozilla/5.0 (Linux; Android 14) Trial", acceptLanguage=language)

    def sign_in(self):
        """The sheet that a phone opens by itself in the box's own network, because the answer to its probe leads there."""
        self.go(f"http://{PROBE_HOST}{PROBE_PATH}")
        host = self.look("location.host")
        expect("the sheet is led to the box's own number", host == OWN, host)


class Album:
    """The pictures of one walk, by name."""

    def __init__(self, language, folder):
        self.language, self.folder, self.shots = language, Path(folder), {}

    def phone(self, phone, name):
        # A field with the cursor in it would blink.
        phone.look("document.activeElement.blur()")
        phone.look("scrollTo(0, 0)")
        self.take(phone.browser, name, phone.look(PROBE)["problems"])

    def wall(self, browser, name):
        self.take(browser, name, browser.evaluate(WALL_PROBE)["problems"])

    def take(self, browser, name, problems):
        expect(f"{self.language} {name}: nothing is cut, on top of another or too small for a thumb", not problems, problems[:4])
        self.shots[name] = self.folder / f"walk-{name}-{self.language}.png"
        browser.picture(self.shots[name])

    def join(self, folder, scratch, sheets):
        for name, (columns, width, names) in sheets.items():
            path = Path(folder) / f"walk-{name}.png"
            size = sheet(path, [self.shots[one] for one in names], columns, width, "rtl" if self.language in RTL else "ltr", scratch)
            expect(f"{path.name} can be carried", size <= LARGEST, size)


def shows(browser, what, expression, seconds=30):
    wait(lambda: browser.holds(expression), what, seconds)


HEARD = 'form:has(input[name=heard][value="yes"]) button'
SEEN = "((id) => { const part = document.getElementById(id); return part && part.getClientRects().length > 0; })"


def on_a_cable(phone, box, album, wall):
    """A box in a network: one code, and the page for typing it or a word of the card."""
    box.plug(True)
    shows(wall, "one code", f"!{SEEN}('setup-wifi') && {SEEN}('setup-page') && document.querySelectorAll('#setup .words p').length >= 4")
    album.wall(wall, "one-code")
    phone.go(f"http://{NAME}.local:{PORT}/")
    expect("a code is asked for there", phone.address() == "/r/pair" and phone.has("#pair [name=code]"), phone.text()[:400])
    album.phone(phone, "code")
    box.plug(False)


def claim(phone, box, album, wall, name):
    """The phone has joined the box's own network, and its browser opens the page by itself."""
    shows(wall, "both codes", f"{SEEN}('setup-wifi') && {SEEN}('setup-page') && document.querySelectorAll('#setup .words p').length >= 4")
    album.wall(wall, "two-codes")
    phone.sign_in()
    expect("who has joined needs no code", phone.has("#pair") and not phone.has("#pair [name=code]"), phone.text()[:400])
    album.phone(phone, "name")
    phone.write("#pair [name=name]", name)
    phone.press("#pair button")
    expect("the first phone is the keeper's", box.set_up() | {"by": name} == box.set_up() and box.set_up()["state"] == "claimed",
           box.set_up())
    shows(wall, "the phone's name",
          f"{SEEN}('setup-said') && document.getElementById('setup-said').textContent.includes({json.dumps(name)})")
    album.wall(wall, "claimed")


def questions(phone, box, album, place):
    def answered(name, field, value=None):
        if value is not None:
            phone.write(field, value)
        album.phone(phone, name)
        phone.press("main form:has([name]:not([type=hidden])) button")
    answered("place", "[name=place]", place)
    if phone.has("select[name=town]"):
        answered("town", "select[name=town]")
    phone.sign_in()
    expect("the sheet of a paired phone asks for no code, and goes on with the set-up",
           phone.address() == "/r/setup" and phone.has("select[name=method]"), phone.text()[:400])
    answered("method", "select[name=method]")
    answered("asr", "[name=asr]")
    phone.choose("select[name=device]", "plughw")
    answered("loudspeaker", "select[name=device]")
    expect("a tone plays, and the page asks for it", phone.has(HEARD), phone.text()[:400])
    album.phone(phone, "hear")
    phone.press(HEARD)
    answered("volume", "[name=volume]", "60")
    album.phone(phone, "summary")
    expect("... with the language that the wall will speak, where it is another one",
           (phone.language == "en") != (phone.language_name in phone.text()), phone.text()[:400])
    varlink(box.control, "TestDevice", device="plughw", volume=30)
    phone.press('main form:has(input[value="done"]) button')
    expect("the box has a place", box.status["awaiting"] is None, box.status["awaiting"])
    expect("saved while the tone sounds, without a word about devices", phone.has("#here.done") and not phone.has("#here [lang=en]")
           and "device" not in phone.text().lower() and not phone.has("#here p:nth-of-type(2)"), phone.text()[:600])


def network(phone, box, album, wall, name):
    """A wrong password, the right one, and the same phone on the new network."""
    expect("the last answer leads to the network", phone.address().startswith("/r/network"), phone.address())

    def join(password):
        seen = f'[data-ssid][value="{WIFI}"]'
        if phone.has(seen):
            phone.click(seen)
            expect("a tap names a network that was seen", phone.value("[name=ssid]", "value") == WIFI, phone.value("[name=ssid]", "value"))
        else:
            phone.write("[name=ssid]", WIFI)
        phone.write("[name=password]", password)
        expect("a password is dots", phone.value("[name=password]", "type") == "password")
        phone.click("label:has([data-shows])")
        expect("a tap shows it", phone.value("[name=password]", "type") == "text" and phone.value("[name=password]", "value") == password)
        phone.write("[name=country]", "GB")

    album.phone(phone, "network")
    if phone.has(f'[data-ssid][value="{WIFI}"]'):
        phone.click(f'[data-ssid][value="{WIFI}"]')
        phone.press("form:has([name=ssid]) > button:not([type])")
        expect("a network that was seen is not tried without its password", phone.has("[name=password][aria-invalid]")
               and phone.value("[name=ssid]", "value") == WIFI and box.network["state"] == "hotspot", phone.text()[:600])
    join("our wifi pasword")
    (box.box.root / "events").write_text(hotspot.WRONG)
    phone.press("form:has([name=ssid]) > button:not([type])")
    album.phone(phone, "joining")
    text = phone.text()
    expect("the page says how to get in again, with the address and without the link",
           text.count(f"{NAME}.local:{PORT}") == 2 and "pair.txt" in text and "15" in text, text[:900])
    until(lambda: box.network["state"] != "hotspot", 60, what="the box leaves its own network")
    until(lambda: box.network["state"] == "hotspot" and box.network["last"], 60, what="and comes back")
    phone.sign_in()
    expect("the sheet of the phone that came back says why, with the name", phone.address() == "/r/network" and phone.has("main .problem")
           and phone.value("[name=ssid]", "value") == WIFI, phone.text()[:400])
    album.phone(phone, "wrong-password")
    (box.box.root / "events").write_text(hotspot.CONNECTED)
    (box.box.root / "lease").touch()
    join("our wifi password")
    link = phone.look("[...document.querySelectorAll('main a')].map((a) => a.href).find((a) => a.includes('.local'))")
    expect("a link leads to the page on the next network", link and link.startswith(f"http://{NAME}.local:{PORT}/r/pair#"), link)
    phone.press("form:has([name=ssid]) > button:not([type])")
    until(lambda: box.network["state"] == "joined", 60, what="the box joins")
    box.addresses(HOME)
    phone.go(link)
    album.phone(phone, "again")
    phone.write("#pair [name=name]", name)
    phone.press("#pair button")
    album.phone(phone, "now")
    row = phone.look("document.querySelector('nav').getBoundingClientRect().height")
    expect("the menu is one row, and all pages are behind its button",
           row < 64 and phone.has("nav details:not([open]) a[href='/r/sounds']"), row)
    expect("the board is in sight", phone.is_in_sight("table tr:nth-of-type(5)"))
    town = phone.value("main > p:not(.next) bdi", "textContent")
    expect("the town keeps its direction among other words", town and "," in town, town)
    shows(wall, "the board", "document.body.dataset.scene === 'home' && document.querySelector('#clock').textContent.trim() !== ''", 90)
    # The layout needs a moment.
    time.sleep(2)
    wait(lambda: wall.holds(f"document.documentElement.lang === '{album.language}'"), "the phone's language on the wall")
    place = wall.evaluate("document.querySelector('#place').textContent")
    expect("the foot of the board names authorities", "moonsighting" not in place and "Umm al-Qura" in place, place)
    album.wall(wall, "board")


def walk(programs, language, keep):
    name, place = PEOPLE[language]
    album = Album(language, keep)
    with tempfile.TemporaryDirectory(prefix="walk-") as folder, Newborn(programs, folder) as box:
        phone, wall = Phone(language), Browser()
        try:
            wall.size(*WALL)
            wall.open(f"http://127.0.0.1:8787/#touch={SECRET}", "document.body && document.body.dataset.scene === 'set-up'")
            on_a_cable(phone, box, album, wall)
            claim(phone, box, album, wall, name)
            questions(phone, box, album, place)
            network(phone, box, album, wall, name)
        except BaseException:
            print(Path(folder, "journal").read_text()[-3000:], file=sys.stderr)
            with contextlib.suppress(RuntimeError):
                print(phone.address(), phone.text()[:800], file=sys.stderr)
            raise
        finally:
            phone.close()
            wall.close()
    return album


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("programs")
    parser.add_argument("--keep")
    parser.add_argument("--sheets")
    parser.add_argument("--languages", default="en,ar")
    chosen = parser.parse_args()
    enter_own_network()
    for folder in filter(None, (chosen.keep, chosen.sheets)):
        Path(folder).mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="walk-") as scratch:
        for language in chosen.languages.split(","):
            album = walk(chosen.programs, language, chosen.keep or scratch)
            if chosen.sheets:
                album.join(chosen.sheets, scratch,
                           {f"{name}-{language}": made for name, made in SHEETS.items()} | ({"wall": WALLS} if language == "en" else {}))
            print(f"{language}: {len(album.shots)} pictures", flush=True)
    sys.exit(findings.end())


if __name__ == "__main__":
    main()
