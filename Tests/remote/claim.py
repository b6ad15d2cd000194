#!/usr/bin/env python3
"""Tests that the first phone that shows a code claims a box without a place and sets it up, and that nobody else can. It runs a
real adhand that waits for its place, and adhan-remote as a box's unit starts it.

usage: claim.py DIRECTORY-OF-PROGRAMS"""
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
import typing
from pathlib import Path

import harness
from harness import Box, encoded, expect, findings
from ends import until

KEY = "k7m2-9qxd-4wtp"
WORD = "open sesame"
REMOTE = "org.adhand.Remote."
UNPLACED = '[audio]\ndevices = ["null"]\n'


class NewBox(Box):
    """adhand waits for its place, and adhan-remote has the codes of a box."""

    def __init__(self, programs, folder):
        credentials = folder / "credentials"
        credentials.mkdir()
        (credentials / "hotspot-key").write_text(KEY + "\n")
        self.card = credentials / "card-pairing"
        self.insert_card("a", WORD)
        os.environ["CREDENTIALS_DIRECTORY"] = str(credentials)
        super().__init__(programs, folder, UNPLACED)

    def insert_card(self, start, word):
        self.card.write_text(f"{start * 32}\n{word}\n")

    def adhand(self):
        daemon = self.start("adhand", *self.common, *self.paths, "--await-place")
        until(lambda: os.path.exists(self.control), what="adhand")
        return daemon

    def set_up(self):
        return self.page.varlink(REMOTE + "GetSetUp")["parameters"]

    def tool(self, *words, before=()):
        done = subprocess.run([*before, self.programs / "adhanctl", "--socket", self.control, "remote", *words, "--pairing-socket",
                               self.page.pairing],
                              capture_output=True, text=True, timeout=60, check=False)
        return done.returncode, done.stdout + done.stderr


class SetUpPage(harness.Page):
    """adhan-remote as a box's unit starts it. Its output is kept."""

    output: typing.ClassVar[list] = []

    def begin(self):
        if "--set-up" not in self.command:
            self.command.append("--set-up")
        super().begin()
        threading.Thread(target=self.output.extend, args=(self.process.stderr,), daemon=True).start()


def outsiders(box):
    """Attempts of a person on the same network who sees neither the screen nor the label."""
    page = box.page
    window = box.set_up()
    secrets = [window["code"], window["key"], KEY, WORD]
    pages = [page.look(path).raw + page.look(path, headers=[("Accept", "application/json")]).raw
             for path in ("/r/pair", "/r/", "/r/setup", "/r/now.json", "/r/network.json")]
    expect("no page has a code", not any(secret.encode() in raw for raw in pages for secret in secrets))
    for code in ("", "none", "000000" if window["code"] != "000000" else "000001", "hotspot-key", "0" * 12, "k7m2-9qxd-4wt", KEY[::-1],
                 "9" * 60, "9" * 61):
        answer = page.act("/r/pair", encoded({"code": code, "name": "Stranger"}))
        expect(f"{code!r} pairs nobody", answer.status in (403, 422, 429) and "set-cookie" not in answer.headers, answer.raw[:300])
    for headers in ({"Host": ["evil.example"]}, {"Origin": []}, {"Origin": ["http://evil.example"]}, {"Origin": ["null"]}):
        answer = page.act("/r/pair", f"code={KEY}&name=Stranger", replace=headers)
        expect(f"right code, wrong {headers}", answer.status in (403, 421) and "set-cookie" not in answer.headers, answer.raw[:300])
    expect("settings need a phone", page.act("/r/setup", "step=place&place=Sarajevo").status == 401)
    expect("nobody has claimed it", box.set_up()["state"] == "open")
    stranger = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
    status, reply = box.tool("reset", before=stranger) if os.geteuid() == 0 else (77, "")
    expect("a stranger does not even reach the pairing socket", status != 0, reply)


def trial(box):
    page = box.page
    until(lambda: box.set_up()["state"] == "open", what="the set-up")
    first = box.set_up()
    expect("a code, a key and an address", re.fullmatch(r"\d{6}", first["code"]) and re.fullmatch(r"[0-9a-f]{32}", first["key"])
           and first["url"] == f"http://127.0.0.1:{page.port}/r/pair" and 0 < first["seconds"] <= 120, first)
    shown = page.look("/r/pair").body.decode()
    expect("the page takes a word", 'maxlength="60"' in shown and 'inputmode="text"' in shown, shown[:900])
    outsiders(box)
    # After many wrong labels, words are refused, but codes from the screen and the QR code still work.
    page.restart()
    until(lambda: box.set_up()["state"] == "open", what="the set-up after a restart")
    answer = page.act("/r/pair", encoded({"code": KEY.upper().replace("-", " "), "name": "Kitchen phone"}))
    cookie = re.match(r"adhan_remote=([0-9a-f]{64})", answer.header("set-cookie"))
    expect("the label's key pairs the first phone, which goes on with the set-up",
           answer.status == 303 and answer.header("location") == "/r/setup" and cookie, answer.raw[:400])
    keeper = cookie[1]
    expect("an answer that may be lost claims nothing", box.set_up()["state"] == "open", box.set_up())
    expect("the page that follows does", page.look("/r/setup", keeper).status == 200)
    state = box.set_up()
    expect("the screen says who did it", state == {"state": "claimed", "by": "Kitchen phone", "code": None, "key": None, "url": None,
                                                   "seconds": None}
           or state == {"state": "claimed", "by": "Kitchen phone"}, state)
    phones = json.loads((page.state / "phones.json").read_text())
    expect("phones.json says so, too, and has no token", phones["claimed"]["by"] == "Kitchen phone" and keeper not in json.dumps(phones),
           phones)
    for code in (KEY, WORD, first["code"]):
        expect("no code counts twice", page.act("/r/pair", encoded({"code": code, "name": "Second"})).status == 403)
    page.restart()
    until(lambda: box.set_up()["state"] == "claimed", what="the claim after a restart")
    expect("its keeper goes on without another code", page.act("/r/setup", "step=again", keeper).status == 303)
    for path in ("/r/", "/r/week"):
        shown = page.look(path, keeper).body.decode()
        expect(f"{path} says that no place is set, and shows no times",
               "No place is set" in shown and 'href="/r/setup"' in shown and "to come" not in shown, shown[:900])
    wizard(box, keeper)
    box.insert_card("b", WORD)
    page.restart()
    until(lambda: page.varlink(REMOTE + "GetPhones")["parameters"].get("open"), what="the card's window")
    expect("on a box that is set up the label counts no more", page.act("/r/pair", encoded({"code": KEY, "name": "Label"})).status == 403)
    answer = page.act("/r/pair", encoded({"code": WORD.title(), "name": "Family"}))
    phones = page.varlink(REMOTE + "GetPhones")["parameters"]["phones"]
    expect("pair.txt pairs one phone of the household", answer.status == 303 and answer.header("location") == "/r/"
           and {one["name"]: one["role"] for one in phones} == {"Kitchen phone": "keeper", "Family": "household"},
           (answer.raw[:300], phones))
    page.restart()
    time.sleep(3)
    expect("and no second one at that start", not page.varlink(REMOTE + "GetPhones")["parameters"].get("open"))
    reset(box)
    words = Path(box.folder / "journal").read_text() + "".join(page.output)
    expect("no log has a secret", not any(secret in words.lower() for secret in (KEY, WORD, first["key"], keeper)), words[-2000:])


def wizard(box, keeper):
    """Five questions, and a test tone that is heard."""
    page = box.page

    def step(fields, path="/r/setup"):
        return page.settle(path, fields, keeper)

    expect("the wizard begins with the place", 'name="place"' in page.look("/r/setup", keeper).body.decode())
    for fields in ({"step": "place", "place": "Sarajevo"}, {"step": "method", "method": "auto"}, {"step": "asr", "asr": "standard"},
                   {"step": "loudspeaker", "device": ""}):
        status, reply = step(fields)
        expect(f"{fields} is answered without a place", status == 200, reply)
    shown = page.look("/r/setup", keeper).body.decode()
    expect("a tone plays, and the page asks whether it is heard", "Do you hear the tone?" in shown, shown[:900])
    expect("not heard: another try", step({"device": "", "heard": "no"}, "/r/heard")[1].get("step") == "loudspeaker")
    expect("it plays again", step({"step": "loudspeaker", "device": ""})[0] == 200)
    expect("heard", step({"device": "", "heard": "yes"}, "/r/heard")[1].get("step") == "volume")
    expect("the volume", step({"step": "volume", "volume": 40})[1].get("step") == "done")
    expect("nothing is armed before it is saved", box.ask("GetStatus")["status"]["awaiting"] == "place")
    expect("saved", step({"step": "done"})[0] == 200)
    answer = page.act("/r/setup", "step=done", keeper)
    expect("a second tap has the same result", answer.status == 303 and "problem" not in page.look("/r/", keeper).body.decode(),
           answer.raw[-900:])
    status = box.ask("GetStatus")["status"]
    expect("a place that only a phone named is a named one",
           status["awaiting"] != "place" and status["location"]["name"].startswith("Sarajevo") and not status["location"]["approximate"]
           and status["next"], status)
    until(lambda: box.set_up()["state"] == "closed", what="the set-up is over")
    box.daemon.terminate()
    box.daemon.wait(20)
    box.daemon = box.adhand()
    until(lambda: box.ask("GetStatus"), what="adhand again")
    expect("and so it is after a restart", box.ask("GetStatus")["status"]["location"]["timezone"] == "Europe/Sarajevo")


def reset(box):
    if os.geteuid() != 0:
        return
    page = box.page
    status, reply = box.tool("reset")
    expect("root resets it", status == 0 and not page.varlink(REMOTE + "GetPhones")["parameters"]["phones"], reply)
    expect("a box with a place does not open", box.set_up()["state"] == "closed" and "remote pair" in reply, reply)
    box.ask("SetSettings",
            changes=[{"key": key} for key in ("location.name", "location.latitude", "location.longitude", "location.town-elevation",
                                              "timezone")])
    page.restart()
    until(lambda: box.set_up()["state"] == "open", what="without one it is open again")


def main():
    harness.Page = SetUpPage
    with tempfile.TemporaryDirectory() as folder, NewBox(Path(sys.argv[1]), Path(folder)) as box:
        trial(box)
    return findings.end()


if __name__ == "__main__":
    sys.exit(main())
