"""Tests every act about settings, and a second command after it: change, undo, change again."""
import re
import time

from harness import encoded, expect


def day(offset):
    return time.strftime("%Y-%m-%d", time.localtime(time.time() + offset * 86400))


def trial(box, keeper, household):
    volumes(box, keeper, household)
    conflicts(box, keeper, household)
    iqama(box, keeper)
    friday(box, keeper)
    moon(box, keeper)
    announcements(box, keeper)
    pages(box, keeper, household)


def newest(box):
    return box.ask("GetSettings")["change"]


def volumes(box, keeper, household):
    page = box.page
    fields = {"adhan.fajr.volume": "45", "was:adhan.fajr.volume": "60", "adhan.asr.volume": "50", "was:adhan.asr.volume": "50",
              "expect": newest(box)}
    answer = page.act("/r/settings", encoded(fields), household)
    expect("a household's phone sets a volume", answer.status == 303 and answer.header("location") == "/r/settings", answer.raw[:300])
    expect("... which is in force", box.value("adhan.fajr.volume") == "45", box.value("adhan.fajr.volume"))
    expect("... and nothing that was not changed", not [s for s in box.ask("GetSettings")["settings"] if s["key"] == "adhan.asr.volume"])
    made = box.ask("GetSettings")["settings"]
    expect("... under the phone's name", [s["by"] for s in made] == ["Kitchen"], made)
    shown = page.look("/r/settings", household).body.decode()
    change = newest(box)
    expect("the page says so, and offers undo", "Saved" in shown and f'name="change" value="{change}"' in shown, shown[:900])
    answer = page.act("/r/undo", f"change={change}", household)
    expect("one tap undoes it", answer.status == 303 and box.value("adhan.fajr.volume") != "45", answer.raw[:300])
    shown = page.look("/r/settings", household).body.decode()
    expect("... which the page says", "Undone" in shown, shown[:900])
    status, body = page.settle("/r/settings", {"adhan.fajr.volume": "47"}, household)
    expect("it can be changed again", status == 200 and body["change"] == change + 2 and box.value("adhan.fajr.volume") == "47", body)
    status, body = page.settle("/r/undo", {}, household)
    expect("undo without a number is the newest change's", status == 200 and body["change"] == change + 3, body)
    status, body = page.settle("/r/undo", {"change": 9999}, household)
    expect("a change that is not there is not undone", (status, body["error"]) == (409, "nothing"), body)
    status, body = page.settle("/r/settings", {"adhan.fajr.volume": "55"}, household)
    first = body["change"]
    page.settle("/r/settings", {"adhan.fajr.volume": "56"}, keeper)
    status, body = page.settle("/r/undo", {"change": first}, household)
    expect("what somebody has changed since is not undone", (status, body["error"]) == (409, "conflict"), body)
    status, body = page.settle("/r/settings", {"adhan.fajr.volume": ""}, household)
    expect("an empty value takes the setting away", status == 200 and "adhan.fajr.volume" not in str(box.ask("GetSettings")["settings"]),
           body)
    status, body = page.settle("/r/settings", {"key": "adhan.sound", "value": "standard-ar"}, keeper)
    expect("a key is chosen from the list", status == 200 and box.value("adhan.sound") == '"standard-ar"', body)
    status, body = page.settle("/r/settings", {"adhan.sound": "standard-ar"}, keeper)
    expect("what is set already is no change", status == 200 and "change" not in body, body)
    page.settle("/r/undo", {}, keeper)


def conflicts(box, keeper, household):
    page = box.page
    seen = newest(box)
    page.settle("/r/settings", {"adhan.dhuhr.volume": "30"}, household)
    form = {"adhan.dhuhr.volume": "35", "was:adhan.dhuhr.volume": "60", "expect": seen}
    answer = page.act("/r/settings", encoded(form), keeper)
    text = answer.body.decode()
    expect("two at one key: 409", answer.status == 409, answer.raw[:300])
    expect("... with who it was, what, and the form as filled in beside it",
           "Kitchen" in text and "adhan.dhuhr.volume" in text and 'value="35"' in text and "In force: <bdi>30 %</bdi>" in text
           and text.count("Somebody else has changed this") == 2, text[:1500])
    found = re.search(r'name="expect" value="(\d+)"', text)
    form["expect"] = found[1] if found else ""
    expect("... and the same form again is taken",
           page.act("/r/settings", encoded(form), keeper).status == 303 and box.value("adhan.dhuhr.volume") == "35")
    status, body = page.settle("/r/settings", {"adhan.dhuhr.volume": "31", "expect": seen}, keeper)
    expect("a program gets the code", (status, body["error"]) == (409, "conflict"), body)
    status, body = page.settle("/r/settings", {"adhan.isha.volume": "31"}, keeper)
    expect("a pinned key: 409", (status, body["error"]) == (409, "pinned"), body)
    status, body = page.settle("/r/settings", {"adhan.maghrib.volume": "90"}, keeper)
    expect("louder than the loudest: 422", (status, body["error"]) == (422, "invalid"), body)
    form = {"adhan.maghrib.volume": "loud", "was:adhan.maghrib.volume": "60", "expect": newest(box)}
    answer = page.act("/r/settings", encoded(form), household)
    text = answer.body.decode()
    expect("a wrong value: 422, with its field, its reason and the words as typed",
           answer.status == 422 and 'value="loud" aria-invalid="true"' in text and '<bdi' in text, text[:1500])
    for key, value, status, code in [
            ("adhan.maghrib.volume", "101", 422, "invalid"), ("adhan.brunch.volume", "10", 422, "invalid"),
        ("control.loudest", "100", 422, "invalid"),
            ("adhan.sound", "/etc/passwd", 422, "invalid"), ("adhan.sound", "nowhere", 422, "invalid"),
        ("iqama.fajr.at", "25:00", 422, "invalid")]:
        got, body = page.settle("/r/settings", {key: value}, keeper)
        expect(f"{key} = {value}", (got, body.get("error")) == (status, code), body)
    got, body = page.settle("/r/settings", {"iqama.fajr.at": "+20m"}, household)
    expect("a household's phone sets no iqama", (got, body["error"]) == (403, "role"), body)
    answer = page.act("/r/settings", encoded({"iqama.fajr.at": "00:01", "page": "week"}), keeper)
    expect("an iqama before its adhan: 422 on the page of the form", answer.status == 422 and b"<h1>Week" in answer.body, answer.raw[:300])


def iqama(box, keeper):
    page, key = box.page, "iqama.change"
    page.settle("/r/settings", {"iqama.fajr.at": "+20m", "iqama.isha.at": "+15m"}, keeper)
    answer = page.act("/r/settings", encoded({"iqama": "8:15pm", "prayer": "isha", "from": day(5), "page": "week"}), keeper)
    expect("an iqama from a date on", answer.status == 303 and answer.header("location") == "/r/week", answer.raw[:400])
    expect("... in the words of the configuration", box.value(key) == f'[{{ from = {day(5)}, isha = "20:15" }}]', box.value(key))
    shown = page.look("/r/week", keeper).body.decode()
    mark = re.search(r'name="mark" value="([0-9a-f]{16})"', shown)
    expect("... shown with its way out and undo", mark and "20:15" in shown and "/r/undo" in shown, shown[:1200])
    page.settle("/r/settings", {"iqama": "+25m", "prayer": "fajr", "from": day(5)}, keeper)
    page.settle("/r/settings", {"iqama": "20:30", "prayer": "isha", "from": day(2)}, keeper)
    both = f'[{{ from = {day(2)}, isha = "20:30" }}, {{ fajr = "+25m", from = {day(5)}, isha = "20:15" }}]'
    expect("another prayer joins its date, another date its place", box.value(key) == both, box.value(key))
    stale = {"remove": key, "index": 0, "mark": mark[1] if mark else "", "page": "week"}
    status, body = page.settle("/r/settings", stale, keeper)
    expect("a row by a stale mark stays", (status, body["error"]) == (409, "conflict"), body)
    shown = page.look("/r/week", keeper).body.decode()
    marks = re.findall(r'name="mark" value="([0-9a-f]{16})"', shown)
    status, body = page.settle("/r/settings", {"remove": key, "index": 0, "mark": marks[0]}, keeper)
    expect("by its mark it goes", status == 200 and day(2) not in box.value(key), body)
    page.settle("/r/undo", {}, keeper)
    expect("... and comes back", day(2) in box.value(key), box.value(key))
    for words in ["soon", "", "25:00"]:
        status, body = page.settle("/r/settings", {"iqama": words, "prayer": "isha", "from": day(5)}, keeper)
        expect(f"an iqama of {words!r}", (status, body["error"]) == (422, "invalid"), body)


def friday(box, keeper):
    page, key = box.page, "jumua.slot"
    answer = page.act("/r/settings", encoded({"jumua": "13:20", "congregation": "13:45", "adhan": "", "page": "friday"}), keeper)
    body = page.settle("/r/settings", {"jumua": "13:21"}, keeper) if answer.status != 303 else ""
    expect("a congregation of Friday", answer.status == 303 and answer.header("location") == "/r/friday" and "13:20" in box.value(key),
           body)
    page.settle("/r/settings", {"jumua": "14:10", "congregation": "14:30", "adhan": "khutba-15m"}, keeper)
    expect("a second one", "14:10" in box.value(key) and "13:20" in box.value(key), box.value(key))
    shown = page.look("/r/friday", keeper).body.decode()
    marks = re.findall(r'name="mark" value="([0-9a-f]{16})"', shown)
    expect("both are shown", len(marks) == 2 and "14:30" in shown, shown[:900])
    status, body = page.settle("/r/settings", {"remove": key, "index": 0, "mark": marks[0]}, keeper)
    expect("the first goes", status == 200 and "13:20" not in box.value(key) and "14:10" in box.value(key), body)
    status, body = page.settle("/r/settings", {"jumua": "", "congregation": ""}, keeper)
    expect("without a time there is none", (status, body["error"]) == (422, "invalid"), body)
    status, body = page.settle("/r/settings", {"jumua": "noon"}, keeper)
    expect("a time that is none", (status, body["error"]) == (422, "invalid"), body)


def moon(box, keeper):
    page = box.page
    answer = page.act("/r/settings", encoded({"ramadan.tarawih": "21:00", "page": "ramadan"}), keeper)
    expect("a setting of Ramadan", answer.status == 303 and answer.header("location") == "/r/ramadan"
           and box.value("ramadan.tarawih") == '"21:00"', answer.raw[:300])
    status, body = page.settle("/r/hijri", {"do": "complete"}, keeper)
    expect("the Hijri month is complete, or adhand says why not", status == 200 or body["error"] == "invalid", body)
    status, body = page.settle("/r/hijri", {"do": "eaten"}, keeper)
    expect("a word that is none", (status, body["error"]) == (422, "invalid"), body)


def announcements(box, keeper):
    page = box.page
    if box.value("display.announcement") is None:
        status, body = page.settle("/r/announcement", {"text": "x", "until": day(3), "show": "board"}, keeper)
        expect("an adhand without the display's settings says so", (status, body["error"]) == (422, "invalid"), body)
        return
    text = 'Funeral prayer after Dhuhr\r\n"all" are welcome'
    fields = [("text", text), ("from", ""), ("until", day(3)), ("show", "board"), ("show", "bar")]
    answer = page.act("/r/announcement", encoded(fields), keeper)
    expect("an announcement", answer.status == 303 and "Funeral" in box.value("display.announcement"), answer.raw[:400])
    status, body = page.settle("/r/announcement", [("text", "Classes on Sunday"), ("until", day(9)), ("show", "board")], keeper)
    expect("a second one", status == 200 and "Classes" in box.value("display.announcement"), body)
    shown = page.look("/r/announcements", keeper).body.decode()
    marks = re.findall(r'name="mark" value="([0-9a-f]{16})"', shown)
    expect("both are shown", len(marks) == 2, shown[:900])
    status, body = page.settle("/r/announcement/remove", {"index": 0, "mark": marks[0]}, keeper)
    expect("one goes", status == 200 and "Funeral" not in box.value("display.announcement"), body)
    status, body = page.settle("/r/announcement/remove", {"index": 0, "mark": marks[0]}, keeper)
    expect("by a stale index nothing goes", (status, body["error"]) == (409, "conflict") and "Classes" in box.value("display.announcement"),
           body)
    status, body = page.settle("/r/undo", {}, keeper)
    expect("undo brings it back", status == 200 and "Funeral" in box.value("display.announcement"), body)
    answer = page.act("/r/announcement", encoded({"text": "<b>x", "until": "tomorrow", "show": "board"}), keeper)
    expect("a date that is none: 422, with the text as typed", answer.status == 422 and b"&lt;b&gt;x" in answer.body, answer.raw[:300])


def pages(box, keeper, household):
    page = box.page
    for path in ["", "week", "friday", "ramadan", "announcements", "sounds", "timetable", "settings", "health", "log"]:
        for name, phone in [("keeper", keeper), ("household", household)]:
            for language in ["en", "fa"]:
                answer = page.look(f"/r/{path}?lang={language}", phone)
                expect(f"/r/{path} in {language} for a {name}", answer.status == 200 and f'lang="{language}"'.encode() in answer.body,
                       answer.raw[:300])
    document = page.look("/r/settings.json", household).json
    expect("settings.json is what GetSettings says", document == box.ask("GetSettings"), str(document)[:300])
    chosen = page.look("/r/?lang=tr", household).header("set-cookie")
    expect("a language is kept", chosen.startswith("adhan_language=tr; HttpOnly; SameSite=Lax; Path=/r/"), chosen)
    shown = page.ask("GET", "/r/", [("Cookie", f"adhan_remote={household}; adhan_language=tr")])
    expect("... and goes on", b'lang="tr"' in shown.body, shown.raw[:200])
