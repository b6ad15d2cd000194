"""Tests the second tap and the second command: a repeated request is executed once, manual changes are undone one by one, and
a refused upload keeps its form."""
import os
import re
import stat
import threading
import time

import files
from harness import encoded, expect
from settings import day


def trial(box, keeper):
    twice(box, keeper)
    announcements(box, keeper)
    # Before the restart of the program, which forgets who has entered a code.
    uploads(box, keeper)
    exceptions(box, keeper)
    months(box, keeper)
    moments(box, keeper)


def both(work):
    """The same work from two threads at once."""
    answers = []
    threads = [threading.Thread(target=lambda: answers.append(work()), daemon=True) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return answers


def twice(box, keeper):
    page = box.page
    form = {"adhan.dhuhr.volume": "51", "was:adhan.dhuhr.volume": "50", "expect": box.ask("GetSettings")["change"]}
    answers = both(lambda: page.act("/r/settings", encoded(form), keeper))
    expect("a double tap on a setting is no conflict",
           [a.status for a in answers] == [303, 303] and box.value("adhan.dhuhr.volume") == "51", answers[0].raw[:300])
    before = box.ask("GetSettings")["change"]
    fields = {"text": "Tea after Isha", "until": day(4), "show": "board"}
    answers = both(lambda: page.act("/r/announcement", encoded(fields), keeper))
    expect("a double tap on an announcement adds one",
           [a.status for a in answers] == [303, 303] and box.value("display.announcement").count("Tea after Isha") == 1,
           box.value("display.announcement"))
    expect("... by one change", box.ask("GetSettings")["change"] == before + 1)
    slot = {"jumua": "13:10", "page": "friday", "expect": box.ask("GetSettings")["change"]}
    had = (box.value("jumua.slot") or "").count("khutba")
    answers = both(lambda: page.act("/r/settings", encoded(slot), keeper))
    expect("a double tap on a congregation adds one",
           [a.status for a in answers] == [303, 303] and box.value("jumua.slot").count("khutba") == had + 1, box.value("jumua.slot"))
    page.act("/r/undo", "", keeper)


def announcements(box, keeper):
    page = box.page
    status, reply = page.settle("/r/announcement", {"text": "Over", "until": day(-1), "show": "board"}, keeper)
    expect("an announcement that is over: 422",
           (status, reply["error"]) == (422, "invalid") and "Over" not in box.value("display.announcement"), reply)
    answer = page.act("/r/announcement", encoded({"text": "Over", "until": day(-1), "show": "board"}), keeper)
    expect("... with the form and the reason", b">Over</textarea>" in answer.body and b"over already" in answer.body, answer.raw[:300])
    status, reply = page.settle("/r/announcement", {"text": "Nobody's", "until": day(3), "show": "slide", "picture": "a" * 64}, keeper)
    expect("a picture that nobody has: 422",
           (status, reply["error"]) == (422, "invalid") and "a" * 64 not in box.value("display.announcement"), reply)
    text = "\u200f\u0628\u0627\u0632\u0627\u0631 <b>"
    status, reply = page.settle("/r/announcement", {"text": text, "until": day(3), "show": "board"}, keeper)
    expect("a mark of direction, and markup as it is", status == 200 and "<b>" in box.value("display.announcement"), reply)
    answer = page.act("/r/announcement", encoded({"text": "a\u202eb", "until": day(3), "show": "board"}), keeper)
    expect("an override: 422, which names the character", answer.status == 422 and b"U+202E" in answer.body, answer.raw[:300])
    rows = ", ".join(f'{{ text = "Lesson {n}", until = {day(5)} }}' for n in range(70))
    box.ask("SetSettings", changes=[{"key": "display.announcement", "value": f"[{rows}]"}])
    shown = page.look("/r/announcements?from=60", keeper).body.decode()
    mark = re.search(r'name="index" value="69"><input type="hidden" name="mark" value="([0-9a-f]+)"', shown)
    expect("the last of seventy can be reached", mark and "Lesson 69<" in shown and "Lesson 3<" not in shown, shown[-900:])
    page.act("/r/announcement/remove", f"index=69&mark={mark[1] if mark else ''}", keeper)
    expect("... and removed", "Lesson 68" in box.value("display.announcement") and "Lesson 69" not in box.value("display.announcement"))
    box.ask("SetSettings", changes=[{"key": "display.announcement"}])


def hand(page, path, keeper):
    # The newest is first; the one of the notice is in the list as well.
    return list(dict.fromkeys(re.findall(r'name="hand" value="(\d+)"', page.look(path, keeper).body.decode())))


def exceptions(box, keeper):
    page, when = box.page, day(6)
    friday = next(day(n) for n in range(1, 8) if time.strptime(day(n), "%Y-%m-%d").tm_wday == 4)

    def set_to():
        found = [e for e in box.ask("GetExceptions")["exceptions"] if (e["date"], e["prayer"]) == (when, "isha")]
        return found[0]["iqama"] if found else None

    def put(iqama):
        answer = page.act("/r/exception", encoded({"date": when, "prayer": "isha", "iqama": iqama}), keeper)
        expect(f"an exception at {iqama}", answer.status == 303 and set_to() == iqama, answer.raw[:300])
        return page.look("/r/week", keeper).body.decode()
    put("22:15")
    shown = put("22:30")
    expect("a second exception says what it replaces", "22:15" in shown and "replaces the one before" in shown, shown[:2500])
    numbers = hand(page, "/r/week", keeper)
    expect("both can be undone", len(numbers) >= 2, numbers)
    second, first = numbers[0], numbers[1]
    status, reply = page.settle("/r/undo", {"hand": first}, keeper)
    expect("the first not before the second", (status, reply["error"]) == (409, "conflict") and set_to() == "22:30", reply)
    answer = page.act("/r/undo", f"hand={second}&page=week", keeper)
    expect("the second: the first is back", answer.status == 303 and answer.header("location") == "/r/week" and set_to() == "22:15",
           answer.raw[:300])
    expect("... once", page.settle("/r/undo", {"hand": second}, keeper)[0] == 409 and set_to() == "22:15")
    expect("then the first: none is left", page.settle("/r/undo", {"hand": first}, keeper)[0] == 200 and set_to() is None)
    put("22:20")
    page.act("/r/exception/remove", f"date={when}&prayer=isha", keeper)
    expect("a removal", set_to() is None)
    expect("... is undone", page.settle("/r/undo", {"hand": hand(page, "/r/week", keeper)[0]}, keeper)[0] == 200 and set_to() == "22:20")
    put("22:45")
    page.restart()
    status, reply = page.settle("/r/undo", {"hand": hand(page, "/r/week", keeper)[0]}, keeper)
    expect("the undo of one outlives the program", status == 200 and set_to() == "22:20", reply)
    put("22:50")
    box.ask("SetException", date=when, prayer="isha", iqama="22:55")
    page.restart()
    status, reply = page.settle("/r/undo", {"hand": hand(page, "/r/week", keeper)[0]}, keeper)
    expect("what was changed since is not undone after a restart either, and the answer says why",
           (status, reply["error"]) == (409, "conflict") and set_to() == "22:55" and "changed again" in reply["message"], reply)
    kept = page.state / "hand.json"
    expect("its file is for its user alone", stat.S_IMODE(kept.stat().st_mode) == 0o600)
    put("22:40")
    box.ask("RemoveException", date=when, prayer="isha")
    status, reply = page.settle("/r/undo", {"hand": hand(page, "/r/week", keeper)[0]}, keeper)
    expect("what somebody else has changed since: 409", (status, reply["error"]) == (409, "conflict") and set_to() is None, reply)
    page.settle("/r/exception", {"date": friday, "prayer": "dhuhr", "iqama": "13:50"}, keeper)
    row = next((row for row in page.look("/r/week", keeper).body.decode().split("<tr>") if friday[5:] in row), "")
    expect("a Friday's iqama is shown with its mark", "13:50" in row and "*" in row, row)
    box.ask("RemoveException", date=friday, prayer="dhuhr")


def months(box, keeper):
    page = box.page
    hijri = box.ask("GetTimes", days=31)["times"]["days"]
    eve = next(d["date"] for d in hijri if d["hijri"]["day"] == 29)

    def pins():
        return [(pin["month"], pin["date"]) for pin in box.ask("GetHijriPins")["pins"] if pin["source"] == "command"]
    before = pins()
    expect("a new moon is sighted", page.act("/r/hijri", f"do=sighted&date={eve}", keeper).status == 303 and len(pins()) == len(before) + 1,
           pins())
    sighted = pins()
    expect("... then the month is complete after all", page.act("/r/hijri", f"do=complete&date={eve}", keeper).status == 303
           and pins() != sighted, pins())
    numbers = hand(page, "/r/ramadan", keeper)
    expect("both are undone one after the other",
           [page.settle("/r/undo", {"hand": n, "page": "ramadan"}, keeper)[0] for n in numbers[:2]] == [200, 200] and pins() == before,
           (numbers, pins()))


def uploads(box, keeper):
    page = box.page
    answer = page.upload("/r/sound", keeper, os.urandom(4000), [("name", "junk-name"), ("prayer", "asr")], json=False)
    text = answer.body.decode()
    expect("a refused upload keeps its form, with the reason",
           answer.status == 415 and 'value="junk-name"' in text and '<option value="asr" selected>' in text
           and 'name="file" type="file" aria-invalid="true"' in text, text[-2500:])
    answer = page.upload("/r/sound", keeper, b"x", [("name", "a/b"), ("prayer", "asr")], json=False)
    expect("a wrong name too", answer.status == 422 and b'value="a/b" aria-invalid="true"' in answer.body, answer.raw[:300])
    answer = page.upload("/r/sound", keeper, bytes(21_000_000), [("name", "big")], json=False)
    expect("too large by its length: 413, with the way back to the form", answer.status == 413 and b'href="/r/sounds"' in answer.body,
           answer.raw[:300])
    began = time.monotonic()
    replace = {"Content-Type": ["multipart/form-data; boundary=edge"], "Content-Length": ["21000000"]}
    answer = page.ask("POST", "/r/sound", [("Cookie", f"adhan_remote={keeper}")], b"", replace)
    expect("... at once, before any of it is sent", answer.status == 413 and time.monotonic() - began < 0.5,
           (time.monotonic() - began, answer.raw[:300]))
    recording = (files.RECORDINGS / "cbr64_44k_mono.mp3").read_bytes()
    answer = page.upload("/r/sound", keeper, recording, [("name", "kept-only"), ("prayer", "jumua")], json=False)
    shown = page.look("/r/sounds", keeper).body.decode()
    expect("a recording that is kept and cannot be chosen says both",
           answer.status == 303 and "Received" in shown and "Fixed by the owner" in shown and "Jumu&#39;ah · Sound</p>" in shown
           and "kept-only" in shown, shown[:2500])
    status, reply = page.settle("/r/sound/remove", {"name": "kept-only"}, keeper)
    expect("... and goes again", status == 200, reply)


def moments(box, keeper):
    page = box.page
    page.act("/r/mute", "until=next", keeper)
    shown = page.look("/r/", keeper).body.decode()
    mute = box.ask("GetStatus")["status"]["mute"]
    expect("a mute of the next adhan names its prayer", mute["id"].split("_")[0].title() in re.search(r'class="state">(.*?)</p>', shown)[1],
           shown[:2500])
    page.act("/r/unmute", "", keeper)
    page.look("/r/", keeper)
    page.act("/r/settings", encoded({"adhan.asr.volume": "44"}), keeper)
    line = re.search(r"<p>Saved</p><p>Asr · Volume: <bdi>[0-9]+ %</bdi> → <bdi>44 %</bdi></p>",
                     page.look("/r/settings", keeper).body.decode())
    expect("a notice has people's words, before and after", line)
    other = page.pair("household", "Leaving")
    ident = next(p["id"] for p in page.varlink("org.adhand.Remote.GetPhones")["parameters"]["phones"] if p["name"] == "Leaving")
    page.varlink("org.adhand.Remote.RevokePhone", id=ident)
    answer = page.act("/r/leave", "", other)
    expect("a revoked phone that leaves learns that it is not paired", answer.status == 401 and b"This phone is not paired" in answer.body
           and b'href="/r/pair"' in answer.body, answer.raw[:300])
