#!/usr/bin/env python3
"""A newcomer's walk, photographed: a box without a place on a cable, then without one, its wall screen, and a phone that claims it, answers
the five questions, names the Wi-Fi with a wrong password and with the right one, and sees the page of every day. adhand, adhan-remote,
adhan-display, adhan-touch and the box's scripts for its own network are the real ones, in a network namespace of their own, with
the addresses of a real box. Not tried here: a radio, the browser of a phone, a loudspeaker.

usage: walk.py DIRECTORY-OF-PROGRAMS [--keep FOLDER] [--sheets FOLDER] [--languages en,ar]
--keep keeps each picture; --sheets makes a picture of all steps for each language, as docs/pictures has them."""
import argparse
import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from datetime import datetime, timedelta, timezone
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "display"), str(HERE.parent / "box")]
import hotspot  # noqa: E402
from browser import Browser  # noqa: E402
from clock import Clock  # noqa: E402
from display import PAGE, PROBE as WALL_PROBE  # noqa: E402
from harness import CHECKOUT, check, failed, until, varlink  # noqa: E402
from people import Chromium, wait  # noqa: E402
from pictures import PROBE, RTL  # noqa: E402
from sheet import sheet  # noqa: E402
from touch import SECRET, serve  # noqa: E402
from zero import sound_card  # noqa: E402

NAME = "adhan-1a2b3c"
OWN, HOME = "10.77.77.1", "192.168.1.44"
PORT = 8790
PHONE, WALL = (390, 844), (1920, 1080)
# The morning of the coming Saturday: limits of programs on an earlier clock than the machine's would be over at once.
NOW = datetime.now(timezone.utc)
BEGINS = (NOW + timedelta(days=(5 - NOW.weekday()) % 7 or 7)).replace(hour=10, minute=0, second=0, microsecond=0)
PEOPLE = {"en": ("Office", "Bradford, GB"), "ar": ("المكتب", "مكة")}
WIFI = "Home"
# The sheets of each language: columns, points of width for a picture, and the pictures by their names.
SHEETS = {"setup": (4, 293, ["code", "place", "method", "asr", "loudspeaker", "hear", "volume", "summary"]),
          "network": (3, 293, ["name", "network", "joining", "wrong-password", "again", "now"])}
WALLS = (2, 720, ["two-codes", "one-code", "claimed", "board"])
LARGEST = 300_000
CARDS = {"default": "Default Audio Device", "plughw": "USB Audio Device, USB Audio\nHardware device with all software conversions",
         "hdmi": "vc4-hdmi-0, MAI PCM i2s-hifi-0\nHDMI Audio Output"}

# Hands the doors over, as systemd does: the page for every network, and the one in the box's own network.
DOORS = """
import os, socket, sys
doors = [socket.create_server(("::", int(sys.argv[2])), family=socket.AF_INET6, dualstack_ipv6=True), socket.create_server((sys.argv[1], 80))]
for index, number in enumerate([os.dup2(door.fileno(), 20 + index) for index, door in enumerate(doors)]):
    os.dup2(number, 3 + index)
    os.close(number)
os.environ.update(LISTEN_FDS="2", LISTEN_PID=str(os.getpid()), LISTEN_FDNAMES="remote:setup")
os.execv(sys.argv[3], sys.argv[3:])
"""


def enter_own_network():
    """Nothing of this is to be seen on the machine's network, and nothing of that one here."""
    if os.environ.get("ADHAN_WALK") != "inside":
        own = [] if os.geteuid() == 0 else ["--map-root-user"]
        os.environ["ADHAN_WALK"] = "inside"
        os.execvp("unshare", ["unshare", "--net", "--uts", *own, sys.executable, *sys.argv])
    socket.sethostname(NAME)
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    for address in (OWN, HOME):
        subprocess.run(["ip", "address", "add", f"{address}/32", "dev", "lo"], check=True)


class Newborn:
    """A box that was flashed a minute ago: no place, no network, nobody's."""

    def __init__(self, programs, folder):
        self.programs, self.folder = Path(programs).resolve(), Path(folder)
        self.processes, self.threads, self.own = [], [], None
        self.journal = open(self.folder / "journal", "w")
        self.clock = Clock(folder)
        self.clock.set(round(BEGINS.timestamp() - time.time()) - self.clock.begins)
        self.control = str(self.folder / "control.sock")
        (self.folder / "box").mkdir()
        self.box = hotspot.Box(self.folder / "box")
        # As long as on a box.
        self.box.environment["ADHAN_BOX_PAUSE"] = "3"
        self.ended = threading.Event()
        self.join_socket = socket.socket(socket.AF_UNIX)
        self.listener = None

    def start(self):
        environment = {**sound_card(str(self.folder)), **self.clock.environment}
        run, state = self.box.root / "run", self.folder / "state"
        with open(self.folder / "asound.conf", "a") as file:
            # In the words of alsa-lib for a Raspberry Pi with a USB card.
            for name, words in CARDS.items():
                file.write(f'pcm.!{name} {{ type plug slave.pcm "lab" hint {{ show on description "{words}" }} }}\n')
        (self.folder / "adhand.toml").write_text("")
        self.run("adhand", "--config", self.folder / "adhand.toml", "--state-dir", state, "--socket", self.control, "--audio-dir",
                 CHECKOUT / "Resources/audio", "--await-place", environment=environment)
        until("adhand", lambda: os.path.exists(self.control))
        self.follow(self.obey)
        self.bring_up()
        until("the box's own network", (run / "hotspot").exists)
        self.join_socket.bind(str(run / "join.sock"))
        self.join_socket.listen(8)
        self.follow(self.answer_joins)
        credentials = self.folder / "credentials"
        credentials.mkdir()
        shutil.copy(self.box.root / "state/hotspot-key", credentials / "hotspot-key")
        (self.folder / "remote.toml").write_text("")
        environment |= {"CREDENTIALS_DIRECTORY": str(credentials), "ADHAN_NETWORK_FILE": str(run / "network.json"), "ADHAN_JOIN_SOCKET": str(run / "join.sock")}
        pairing = self.folder / "pairing.sock"
        self.run("adhan-remote", "--config", self.folder / "remote.toml", "--socket", self.control, "--state-dir", self.folder / "remote", "--pairing-socket",
                 pairing, "--intake-socket", self.folder / "intake.sock", "--messages-socket", self.folder / "messages.sock", "--set-up",
                 before=[sys.executable, "-c", DOORS, OWN, str(PORT)], environment=environment)
        until("adhan-remote", pairing.exists)
        until("the set-up", lambda: self.set_up()["state"] == "open")
        self.screen(environment, run)

    def screen(self, environment, run):
        (self.folder / "display.toml").write_text("")
        (self.folder / "secret").write_text(f"{SECRET}\n8787\n")
        self.addresses(OWN)
        touch = {**environment, "ADHAND_SOCKET": self.control, "ADHAN_TOUCH_SECRET": f"{self.folder}/secret", "ADHAN_DISPLAY_CONFIG": f"{self.folder}/display.toml",
                 "ADHAN_PAIRING_SOCKET": f"{self.folder}/pairing.sock", "ADHAN_TOUCH_HOTSPOT": str(run / "hotspot"),
                 "ADHAN_TOUCH_ADDRESSES": f"{self.folder}/addresses", "ADHAN_SET_UP": "yes"}
        self.listener = socket.create_server(("127.0.0.1", 8789))
        self.follow(serve, self.listener, self.programs / "adhan-touch", touch)
        self.run("adhan-display", "--socket", self.control, "--listen", "127.0.0.1:8787", "--page-dir", PAGE, "--config", self.folder / "display.toml",
                 environment={**environment, "ADHAN_SET_UP": "yes"})

    def run(self, program, *words, before=(), environment=None):
        process = subprocess.Popen([*before, self.programs / program, *words], stdout=self.journal, stderr=subprocess.STDOUT, env=environment)
        self.processes.append(process)

    def follow(self, work, *words):
        thread = threading.Thread(target=work, args=words, daemon=True)
        thread.start()
        self.threads.append(thread)

    def addresses(self, *numbers):
        (self.folder / "addresses").write_text("".join(f"{number}\n" for number in numbers))

    def set_up(self):
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(20)
            line.connect(str(self.folder / "pairing.sock"))
            line.sendall(b'{"method": "org.adhand.Remote.GetSetUp", "parameters": {}}\0')
            answer = b""
            while not answer.endswith(b"\0") and (piece := line.recv(65536)):
                answer += piece
            return json.loads(answer[:-1])["parameters"]

    @property
    def status(self):
        return varlink(self.control, "GetStatus")["status"]

    @property
    def network(self):
        return json.loads((self.box.root / "run/network.json").read_text())

    # The units that a service manager would start and stop.

    def bring_up(self):
        self.own = subprocess.Popen(["/bin/sh", hotspot.BOX / "hotspot.sh", "up"], env=self.box.environment, stdout=self.journal, stderr=subprocess.STDOUT,
                                    start_new_session=True)

    def take_down(self):
        if self.own and self.own.poll() is None:
            os.killpg(self.own.pid, signal.SIGTERM)
            self.own.wait(20)
            self.lay_down()
        self.own = None

    def lay_down(self):
        subprocess.run(["/bin/sh", hotspot.BOX / "hotspot.sh", "down"], env=self.box.environment, stdout=self.journal, stderr=subprocess.STDOUT,
                       timeout=60, check=False)

    def plug(self, is_wired):
        """A cable ends the box's own network; without one it comes back."""
        self.box.network(is_wired, False)
        if is_wired:
            self.own.wait(60)
            self.lay_down()
        else:
            self.bring_up()
            until("the box's own network", (self.box.root / "run/hotspot").exists)
        self.addresses(HOME if is_wired else OWN)

    def obey(self):
        done = 0
        while not self.ended.wait(0.1):
            lines = self.box.called.splitlines()
            for line in lines[done:]:
                if line.endswith("stop adhan-box-hotspot.service"):
                    self.take_down()
                elif line.endswith("start adhan-box-hotspot.service"):
                    self.bring_up()
            done = len(lines)

    def answer_joins(self):
        while True:
            try:
                line, _ = self.join_socket.accept()
            except OSError:
                return
            with line:
                subprocess.run(["/bin/sh", hotspot.BOX / "join.sh"], env=self.box.environment, stdin=line, stdout=line, stderr=self.journal, timeout=120, check=False)

    def end(self):
        self.ended.set()
        for line in filter(None, (self.join_socket, self.listener)):
            with contextlib.suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)
            line.close()
        for process in reversed(self.processes):
            process.terminate()
        for process in reversed(self.processes):
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        for thread in self.threads:
            thread.join(20)
        self.take_down()
        self.journal.close()

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.end()
            print(Path(self.journal.name).read_text()[-3000:], file=sys.stderr)
            raise
        return self

    def __exit__(self, *_):
        self.end()


class Phone(Chromium):
    """A phone's browser, which finds the box by its name as a phone does."""

    def __init__(self, language):
        self.browser = Browser(f"--host-resolver-rules=MAP {NAME}.local {HOME}")
        self.browser.call("Emulation.setDeviceMetricsOverride", width=PHONE[0], height=PHONE[1], deviceScaleFactor=2, mobile=True)
        self.browser.call("Emulation.setUserAgentOverride", userAgent="Mozilla/5.0 (Linux; Android 14) Trial", acceptLanguage=language)


class Album:
    """The pictures of one walk, by their names."""

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
        check(f"{self.language} {name}: nothing is cut, on top of another or too small for a thumb", not problems, problems[:4])
        self.shots[name] = self.folder / f"walk-{name}-{self.language}.png"
        browser.picture(self.shots[name])

    def join(self, folder, scratch, sheets):
        for name, (columns, width, names) in sheets.items():
            path = Path(folder) / f"walk-{name}.png"
            size = sheet(path, [self.shots[one] for one in names], columns, width, "rtl" if self.language in RTL else "ltr", scratch)
            check(f"{path.name} can be carried", size <= LARGEST, size)


def shows(browser, what, expression, seconds=30):
    wait(what, lambda: browser.holds(expression), seconds)


HEARD = 'form:has(input[name=heard][value="yes"]) button'
SEEN = "((id) => { const part = document.getElementById(id); return part && part.getClientRects().length > 0; })"


def on_a_cable(phone, box, album, wall):
    """A box in a network: one code, and the page on which it is typed, or a word of the card."""
    box.plug(True)
    shows(wall, "one code", f"!{SEEN}('setup-wifi') && {SEEN}('setup-page') && document.querySelectorAll('#setup .words p').length >= 4")
    album.wall(wall, "one-code")
    phone.go(f"http://{NAME}.local:{PORT}/")
    check("a code is asked for there", phone.address() == "/r/pair" and phone.has("#pair [name=code]"), phone.text()[:400])
    album.phone(phone, "code")
    box.plug(False)


def claim(phone, box, album, wall, name):
    """The phone has joined the box's own network, and its browser opens the page by itself."""
    shows(wall, "both codes", f"{SEEN}('setup-wifi') && {SEEN}('setup-page') && document.querySelectorAll('#setup .words p').length >= 4")
    album.wall(wall, "two-codes")
    phone.go(f"http://{OWN}/r/setup")
    check("who has joined needs no code", phone.has("#pair") and not phone.has("#pair [name=code]"), phone.text()[:400])
    album.phone(phone, "name")
    phone.write("#pair [name=name]", name)
    phone.press("#pair button")
    check("the first phone is the keeper's", box.set_up() | {"by": name} == box.set_up() and box.set_up()["state"] == "claimed", box.set_up())
    shows(wall, "the phone's name", f"{SEEN}('setup-said') && document.getElementById('setup-said').textContent.includes({json.dumps(name)})")
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
    answered("method", "select[name=method]")
    answered("asr", "[name=asr]")
    phone.choose("select[name=device]", "plughw")
    answered("loudspeaker", "select[name=device]")
    check("a tone plays, and the page asks for it", phone.has(HEARD), phone.text()[:400])
    album.phone(phone, "hear")
    until("the end of the tone", lambda: box.status["playback"]["state"] == "idle")
    phone.press(HEARD)
    answered("volume", "[name=volume]", "60")
    album.phone(phone, "summary")
    phone.press('main form:has(input[value="done"]) button')
    check("the box has a place", box.status["awaiting"] is None, box.status["awaiting"])


def network(phone, box, album, wall, name):
    """A wrong password, the right one, and the same phone on the new network."""
    check("the last answer leads to the network", phone.address().startswith("/r/network"), phone.address())

    def join(password):
        seen = f'[data-ssid][value="{WIFI}"]'
        if phone.has(seen):
            phone.click(seen)
            check("a tap names a network that was seen", phone.value("[name=ssid]", "value") == WIFI, phone.value("[name=ssid]", "value"))
        else:
            phone.write("[name=ssid]", WIFI)
        phone.write("[name=password]", password)
        phone.write("[name=country]", "GB")

    album.phone(phone, "network")
    join("our wifi pasword")
    (box.box.root / "events").write_text(hotspot.WRONG)
    phone.press("form:has([name=ssid]) > button:not([type])")
    album.phone(phone, "joining")
    until("the box leaves its own network", lambda: box.network["state"] != "hotspot", 60)
    until("and comes back", lambda: box.network["state"] == "hotspot" and box.network["last"], 60)
    phone.go(f"http://{OWN}/r/network")
    check("the reason is on the page", phone.has("main .problem"), phone.text()[:400])
    album.phone(phone, "wrong-password")
    (box.box.root / "events").write_text(hotspot.CONNECTED)
    (box.box.root / "lease").touch()
    join("our wifi password")
    link = phone.look("[...document.querySelectorAll('main a')].map((a) => a.href).find((a) => a.includes('.local'))")
    check("a link leads to the page on the next network", link and link.startswith(f"http://{NAME}.local:{PORT}/r/pair#"), link)
    phone.press("form:has([name=ssid]) > button:not([type])")
    until("the box joins", lambda: box.network["state"] == "joined", 60)
    box.addresses(HOME)
    phone.go(link)
    album.phone(phone, "again")
    phone.write("#pair [name=name]", name)
    phone.press("#pair button")
    album.phone(phone, "now")
    shows(wall, "the board", "document.body.dataset.scene === 'home' && document.querySelector('#clock').textContent.trim() !== ''", 90)
    # Sizes settle.
    time.sleep(2)
    album.wall(wall, "board")


def walk(programs, language, keep):
    name, place = PEOPLE[language]
    album = Album(language, keep)
    with tempfile.TemporaryDirectory(prefix="walk-") as folder, Newborn(programs, folder) as box:
        phone, wall = Phone(language), Browser()
        try:
            wall.size(*WALL)
            wall.open(f"http://127.0.0.1:8787/?lang={language}#touch={SECRET}", "document.body && document.body.dataset.scene === 'set-up'")
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
                album.join(chosen.sheets, scratch, {f"{name}-{language}": made for name, made in SHEETS.items()} | ({"wall": WALLS} if language == "en" else {}))
            print(f"{language}: {len(album.shots)} pictures", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
