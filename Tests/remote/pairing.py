#!/usr/bin/env python3
"""Tests the pairing of phones from the command line: adhanctl remote pair, phones, revoke and status with a real adhan-remote and
a phone's requests, and every exit status.

usage: pairing.py DIRECTORY-OF-PROGRAMS"""
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent.parent)]
import ends  # noqa: E402
from findings import Findings  # noqa: E402

PROGRAMS = Path(sys.argv[1]).resolve()
CHECKOUT = Path(__file__).resolve().parent.parent.parent
findings = Findings(is_quiet=True)
expect = findings.expect


class Trial:
    def __init__(self, folder):
        self.folder = folder
        self.control, self.pairing = str(folder / "control.sock"), str(folder / "pairing.sock")
        config = folder / "adhand.toml"
        config.write_text('timezone = "UTC"\n[location]\nlatitude = 51.5\nlongitude = 0.0\n[audio]\ndevices = ["null"]\n')
        self.adhand = ends.with_trial(subprocess.Popen(
            [PROGRAMS / "adhand", "--config", config, "--state-dir", folder / "state", "--socket", self.control, "--audio-dir",
             CHECKOUT / "Resources/audio"], stderr=subprocess.DEVNULL))
        end = time.monotonic() + 20
        while self.run("status", remote=False)[0] != 0:
            if time.monotonic() > end:
                sys.exit("adhand does not answer")
            time.sleep(0.1)
        self.page = ends.with_trial(subprocess.Popen(
            [PROGRAMS / "adhan-remote", "--socket", self.control, "--listen", "127.0.0.1:0", "--state-dir", folder / "remote",
             "--pairing-socket", self.pairing], stderr=subprocess.PIPE, text=True))
        self.port = int(re.search(r":(\d+)/r/", ends.line(self.page.stderr, "adhan-remote"))[1])

    def command(self, *words, remote=True):
        where = ["--pairing-socket", self.pairing] if remote else []
        return [PROGRAMS / "adhanctl", "--socket", self.control, *(["remote"] if remote else []), *words, *where]

    def run(self, *words, remote=True, before=()):
        done = subprocess.run([*before, *self.command(*words, remote=remote)], capture_output=True, text=True, timeout=60)
        return done.returncode, done.stdout, done.stderr

    def begin(self, *words):
        """Starts "pair", and waits until its window is open."""
        waiting = ends.with_trial(
            subprocess.Popen(self.command("pair", "--json", *words), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True))
        return waiting, json.loads(ends.line(waiting.stdout, "adhanctl remote pair"))

    def enter(self, fields, cookie=None):
        """Sends a phone's request. Returns its status and its cookie."""
        host = f"127.0.0.1:{self.port}"
        request = urllib.request.Request(f"http://{host}/r/pair", fields.encode(), {"Origin": f"http://{host}"})
        if cookie:
            request.add_header("Cookie", f"adhan_remote={cookie}")

        class Stay(urllib.request.HTTPRedirectHandler):
            def redirect_request(self, *_):
                return None
        try:
            answer = urllib.request.build_opener(Stay).open(request, timeout=20)
        except urllib.error.HTTPError as error:
            answer = error
        found = re.match(r"adhan_remote=([0-9a-f]{64})", answer.headers.get("Set-Cookie", ""))
        return answer.status, found and found[1]

    def end(self):
        for process in (self.page, self.adhand):
            process.terminate()
            process.wait(20)


def ended(waiting):
    out, err = waiting.communicate(timeout=30)
    return waiting.returncode, out, err


def main():
    with tempfile.TemporaryDirectory() as folder:
        return tried(Trial(Path(folder)))


def tried(trial):
    try:
        status, out, _ = trial.run("phones")
        expect("no phone at first", status == 0 and "adhanctl remote pair" in out, out)

        waiting, window = trial.begin("--role", "keeper")
        expect("a window in JSON", re.fullmatch(r"\d{6}", window["code"]) and re.fullmatch(r"[0-9a-f]{32}", window["key"])
               and window["role"] == "keeper" and window["urls"] == [f"http://127.0.0.1:{trial.port}/r/pair"], window)
        expect("status has the window", 0 < json.loads(trial.run("status", "--json")[1])["pairing"] <= 120)
        answer, cookie = trial.enter(f"code={window['code']}&name=Office")
        status, out, err = ended(waiting)
        expect("the phone is paired and named", answer == 303 and cookie and status == 0 and json.loads(out)["phone"]["name"] == "Office",
               (answer, status, out, err))
        phone = json.loads(trial.run("phones", "--json")[1])["phones"][0]
        expect("as a keeper", phone["role"] == "keeper" and phone["name"] == "Office", phone)

        waiting, window = trial.begin()
        answer, again = trial.enter(f"key={window['key']}&name=Office", cookie)
        status, out, err = ended(waiting)
        expect("the same phone with a new code is no new one", answer == 303 and status == 0 and json.loads(out)["phone"] is None,
               (answer, status, out, err))
        expect("and stays a keeper", [p["role"] for p in json.loads(trial.run("phones", "--json")[1])["phones"]] == ["keeper"])

        status, out, err = trial.run("pair", "--seconds", "1")
        expect("nobody comes: 1", status == 1 and "no phone was paired" in err and "█" in out, (status, err))
        waiting, window = trial.begin()
        waiting.send_signal(signal.SIGINT)
        status, _, err = ended(waiting)
        expect("Ctrl-C: 130, and the window is closed", status == 130 and trial.enter(f"code={window['code']}&name=x")[0] == 403,
               (status, err))
        first, window = trial.begin("--seconds", "3")
        second, _ = trial.begin("--seconds", "1")
        expect("a second window closes the first", trial.enter(f"code={window['code']}&name=x")[0] == 403)
        expect("the second ends in time", ended(second)[0] == 1)
        ended(first)

        expect("an unknown phone: 1", trial.run("revoke", "nobody")[0] == 1)
        status, out, _ = trial.run("revoke", phone["id"])
        expect("revoked", status == 0 and "Office" in out and not json.loads(trial.run("phones", "--json")[1])["phones"], out)
        expect("a wrong role: 64", trial.run("pair", "--role", "boss")[0] == 64)
        expect("wrong seconds: 64", trial.run("pair", "--seconds", "601")[0] == 64)
        if os.geteuid() == 0:
            trial.folder.chmod(0o755)
            program = trial.folder / "adhanctl"
            program.write_bytes((PROGRAMS / "adhanctl").read_bytes())
            program.chmod(0o755)
            done = subprocess.run(["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", program, "remote", "phones",
                                   "--pairing-socket", trial.pairing], capture_output=True, text=True, timeout=60)
            expect("a stranger: 77", done.returncode == 77 and "usermod" in done.stderr, (done.returncode, done.stderr))
        trial.page.terminate()
        trial.page.wait(20)
        expect("the page is away: 69", trial.run("phones")[0] == 69 and trial.run("pair")[0] == 69)
    finally:
        trial.end()
    return findings.end()


if __name__ == "__main__":
    sys.exit(main())
