#!/usr/bin/env python3
"""Tests the phone page with a real adhand, on loopback only: phones are paired, mute, set, send files and leave. Requests of
strangers, of foreign web pages and of phones with fewer rights are refused, each with its status.

usage: trial.py DIRECTORY-OF-PROGRAMS"""
import re
import stat
import sys
import tempfile
import time

import files
import messages
import second
import settings
import setup
import silent
from harness import Box, adhand_status, expect, findings
from hostile import codes, hostile

def ordinary(page, control):
    """The regular acts of people. Returns the tokens of an owner's and of a household's phone."""
    expect("an unpaired browser is led to the page for pairing", page.look("/r/").header("location") == "/r/pair")
    expect("the root leads to the page", page.look("/").header("location") == "/r/")
    form = page.look("/r/pair")
    expect("the page for pairing is there", form.status == 200 and b"<form" in form.body, form.raw[:300])
    for name, wanted in {"content-security-policy": "default-src 'none'", "x-frame-options": "DENY", "x-content-type-options": "nosniff",
                         "cross-origin-resource-policy": "same-origin", "cache-control": "no-store",
                         "referrer-policy": "same-origin"}.items():
        expect(f"{name} stands on every page, once", form.header(name).startswith(wanted) and len(form.headers.get(name, [])) == 1,
               form.header(name))
    expect("frame-ancestors 'none'", "frame-ancestors 'none'" in form.header("content-security-policy"))
    for path in ["/r/style.css", "/r/page.js"]:
        expect(f"{path} is there without a phone", page.look(path).status == 200)

    keeper, household = page.pair("keeper", "Office"), page.pair("household", "Kitchen")
    kept = page.state / "phones.json"
    expect("phones.json is for its user alone", stat.S_IMODE(kept.stat().st_mode) == 0o600)
    expect("no token is in it", keeper not in kept.read_text() and household not in kept.read_text())
    phones = page.varlink("org.adhand.Remote.GetPhones")["parameters"]["phones"]
    expect("both are listed", [(p["name"], p["role"]) for p in phones] == [("Office", "keeper"), ("Kitchen", "household")], phones)

    began = time.monotonic()
    muted = page.act("/r/mute", "for=30m", household)
    took = time.monotonic() - began
    expect("a mute leads back to the page", muted.status == 303 and muted.header("location") == "/r/", muted.raw[:300])
    expect("and adhand is muted, with an end", adhand_status(control)["mute"]["active"] and adhand_status(control)["mute"]["until"])
    expect("within a second", took < 1, took)
    now = page.look("/r/now.json", household).json
    expect("now.json says it", now["mute"]["active"] and now["phone"] == "Kitchen" and now["role"] == "household", now)
    shown = page.look("/r/", household)
    expect("the page says what was done", shown.status == 200 and b"Muted until" in shown.body, shown.raw[:300])
    json_answer = page.act("/r/unmute", "", household, headers=[("Accept", "application/json")])
    expect("a program gets JSON", json_answer.status == 200 and "message" in json_answer.json, json_answer.raw[:300])
    expect("and adhand is not muted", not adhand_status(control)["mute"]["active"])
    off = page.act("/r/prayers", "prayer=asr&enabled=no", household)
    asr = next((p for p in adhand_status(control)["prayers"] if p["prayer"] == "asr"), {})
    expect("a prayer is switched off", off.status == 303 and asr.get("enabled") is False, off.raw[:300])
    expect("and on", page.act("/r/prayers", "prayer=asr&enabled=yes", household).status == 303)
    for path in ["/r/", "/r/week", "/r/log", "/r/health"]:
        answer = page.look(path, household)
        expect(f"{path} is shown", answer.status == 200 and b"<h1>" in answer.body, answer.raw[:300])
    day = time.strftime("%Y-%m-%d", time.localtime(time.time() + 3 * 86400))
    answer = page.act("/r/exception", f"date={day}&prayer=isha&iqama=23:30&reason=Visitors", keeper)
    expect("a keeper sets an iqama", answer.status == 303 and answer.header("location") == "/r/week", answer.raw[:300])
    expect("a keeper sees the phones, a household does not",
           page.look("/r/phones", keeper).status == 200 and page.look("/r/phones", household).status == 403)
    key = page.open("household")["key"]
    answer = page.act("/r/pair", f"key={key}&name=Guest")
    guest = re.search(r"adhan_remote=([0-9a-f]{64})", answer.header("set-cookie"))
    expect("the key of the QR code pairs, too", answer.status == 303 and guest, answer.raw[:300])
    expect("a phone that leaves is out",
           page.act("/r/leave", "", guest[1]).status == 303 and page.act("/r/stop", "", guest[1]).status == 401)
    return keeper, household


def at_rest(box, keeper):
    """The memory between two visits: each page was opened, and then nothing is requested for a few seconds."""
    for name in ["", "week", "friday", "ramadan", "announcements", "sounds", "timetable", "settings", "health", "log", "setup", "phones"]:
        expect(f"/r/{name} is shown", box.page.look(f"/r/{name}", keeper).status == 200)
    busy, resting = box.memory(), box.rested()
    expect("at rest memory is given back", resting < busy, f"{busy} KB, {resting} KB")
    expect("at most 16 MB are resident at rest", resting <= 16 << 10, f"{resting} KB")
    print(f"adhan-remote: {busy} KB after all pages, {resting} KB at rest")
    expect("and everything is there", box.page.look("/r/", keeper).status == 200)


def unkept(box, keeper):
    """The daemon's folder is missing, as on a read-only card: a mute works, a setting does not."""
    page, folder = box.page, box.folder / "state"
    folder.rename(box.folder / "elsewhere")
    status, reply = page.settle("/r/mute", {"for": "30m"}, keeper)
    expect("of a mute that cannot be saved a program learns just that", (status, reply.get("error")) == (503, "not-kept"), reply)
    expect("... and is in force", adhand_status(box.control)["mute"]["active"])
    shown = page.act("/r/mute", "for=30m", keeper)
    expect("... in words that do not deny it", shown.status == 503 and b"It is done, but could not be saved" in shown.body,
           shown.raw[-900:])
    before = box.value("adhan.fajr.volume")
    status, reply = page.settle("/r/settings", {"adhan.fajr.volume": 37}, keeper)
    expect("a setting that cannot be saved has no effect, and a program learns it",
           (status, reply.get("error")) == (503, "not-saved") and box.value("adhan.fajr.volume") == before, reply)
    (box.folder / "elsewhere").rename(folder)
    expect("when the folder is back, the mute is taken away and kept", page.act("/r/unmute", "", keeper).status == 303)


def away(box, keeper):
    box.daemon.terminate()
    box.daemon.wait(20)
    page = box.page
    answer = page.act("/r/stop", "", keeper)
    expect("without adhand: 503", answer.status == 503 and page.look("/r/", keeper).status == 503, answer.raw[:200])
    shown = page.look("/r/settings", keeper)
    expect("... with a page that tries again", shown.status == 503 and b'http-equiv="refresh"' in shown.body, shown.raw[:200])
    status, reply = page.settle("/r/settings", {"adhan.fajr.volume": 40}, keeper)
    expect("... and a code for programs", (status, reply.get("error")) == (503, "away"), reply)
    box.daemon = box.adhand()
    status, reply = page.settle("/r/settings", {"adhan.fajr.volume": 41}, keeper)
    expect("when it is back, so is the page", status == 200 and box.value("adhan.fajr.volume") == "41", reply)


def main():
    silent.trial(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="remote-") as name, Box(sys.argv[1], name) as box:
        page = box.page
        keeper, household = ordinary(page, box.control)
        at_rest(box, keeper)
        settings.trial(box, keeper, household)
        files.trial(box, keeper, household)
        # A phone may act 120 times a minute.
        time.sleep(61)
        messages.trial(box, keeper, household)
        setup.trial(box, keeper)
        count = hostile(page, keeper, household)
        expect("at least sixty hostile requests", count >= 60, count)
        time.sleep(61)
        second.trial(box, keeper)
        time.sleep(61)
        files.hostile(box, keeper)
        codes(page)
        unkept(box, keeper)
        away(box, keeper)
        ident = next(p["id"] for p in page.varlink("org.adhand.Remote.GetPhones")["parameters"]["phones"] if p["name"] == "Kitchen")
        page.varlink("org.adhand.Remote.RevokePhone", id=ident)
        expect("a revoked phone is out", page.act("/r/mute", "for=30m", household).status == 401)
        expect("nothing of all that has muted adhand", not adhand_status(box.control)["mute"]["active"])
        expect("everything is running", page.process.poll() is None and box.daemon.poll() is None)
        print(f"{count} hostile requests; adhan-remote is resident with {box.memory()} KB, at most {box.memory('VmHWM')} KB")
        if findings.failures:
            print((box.folder / "journal").read_text(errors="replace")[-3000:])
    sys.exit(findings.end())


if __name__ == "__main__":
    main()
