"""Tests the set-up from a phone: five questions, a test tone that is heard, today's times, and one change at the end."""
from harness import encoded, expect


def trial(box, keeper):
    page = box.page

    def step(fields, path="/r/setup"):
        return page.settle(path, fields, keeper)

    before = box.ask("GetSettings")["change"]
    shown = page.look("/r/setup", keeper).body.decode()
    expect("the set-up begins with the place", 'name="place"' in shown and "1 / 5" in shown, shown[:600])
    expect("a town that is none: 422, as typed",
           page.act("/r/setup", encoded({"step": "place", "place": "Xyzzyville"}), keeper).status == 422)
    status, reply = step({"step": "volume", "volume": 30})
    expect("no step before the one that it needs", (status, reply["error"]) == (422, "invalid"), reply)
    status, reply = step({"step": "place", "place": "Springfield"})
    expect("a name of several towns", status == 200 and reply["step"] == "town", reply)
    shown = page.look("/r/setup", keeper).body.decode()
    expect("... is a choice among them", shown.count("<option") > 2 and "Illinois" in shown, shown[:900])
    expect("a choice that was not offered: 422", step({"step": "town", "town": 999999999})[0] == 422)
    answer = page.act("/r/setup", encoded({"step": "place", "place": "Sarajevo"}), keeper)
    expect("a town", answer.status == 303 and answer.header("location") == "/r/setup", answer.raw[:300])
    shown = page.look("/r/setup", keeper).body.decode()
    expect("then the method", "Sarajevo" in shown and 'name="method"' in shown and 'value="auto" selected' in shown, shown[:900])
    expect("a method that is none: 422", step({"step": "method", "method": "magic"})[0] == 422)
    expect("the method", step({"step": "method", "method": "auto"})[1].get("step") == "asr")
    status, reply = step({"step": "asr", "asr": "hanafi"})
    expect("Asr", reply.get("step") == "loudspeaker", reply)
    answer = page.look("/r/setup", keeper)
    expect("the loudspeaker is asked for", answer.status == 200 and b'name="device"' in answer.body, answer.raw[:400])
    expect("an answer to no tone: 409", page.settle("/r/heard", {"device": "null", "heard": "yes"}, keeper)[0] == 409)
    expect("a device that nobody lists: refused", step({"step": "loudspeaker", "device": "file:/etc/x"})[0] in (422, 503))
    heard(box, keeper, step)
    status, reply = step({"step": "volume", "volume": 101})
    expect("a volume of 101: 422", status == 422, reply)
    answer = page.act("/r/setup", encoded({"step": "volume", "volume": 81}), keeper)
    text = answer.body.decode()
    expect("a volume above the loudest: 422 at its question, as typed, with the reason",
           answer.status == 422 and 'value="81" aria-invalid="true"' in text and "is above 80" in text, text[:1500])
    box.ask("SetSettings", changes=[{"key": "adhan.fajr.volume", "value": "0"}])
    before = box.ask("GetSettings")["change"]
    status, reply = step({"step": "volume", "volume": 35})
    expect("the volume", reply.get("step") == "done", reply)
    expect("nothing is in force yet", box.ask("GetSettings")["change"] == before)
    shown = page.look("/r/setup", keeper).body.decode()
    expect("... with the prayer that stays silent", "<bdi>0</bdi> · silent" in shown and "<bdi>35</bdi>" in shown, shown[:1500])
    box.ask("SetSettings", changes=[{"key": "adhan.fajr.volume"}])
    before = box.ask("GetSettings")["change"]
    expect("today's times by these answers", shown.count("<bdi>") >= 5 and "Asr" in shown and "Sarajevo" in shown, shown[:1500])
    # The fixed iqamas and Friday's congregation that were set before were for another town.
    status, reply = step({"step": "done"})
    expect("iqamas that cannot be in that town: refused, with the reason",
           (status, reply["error"]) == (422, "invalid") and "isha's iqama" in reply["message"], reply)
    expect("... and the answers are kept",
           "Sarajevo" in page.look("/r/setup", keeper).body.decode() and box.ask("GetSettings")["change"] == before)
    box.ask("SetSettings", changes=[{"key": "iqama.change"}])
    status, reply = step({"step": "done"})
    expect("nor can a congregation after Asr", (status, reply["error"]) == (422, "invalid") and "Friday's congregation" in reply["message"],
           reply)
    box.ask("SetSettings", changes=[{"key": "jumua.slot"}])
    before = box.ask("GetSettings")["change"]
    arabic = page.look("/r/setup?lang=ar", keeper).body.decode()
    expect("the last page names the screen's language, where it is another one than the screen has",
           "<bdi>العربية</bdi>" in arabic and "Language on the screen" not in shown)
    answer = page.act("/r/setup", "step=done", keeper, headers=[("Accept-Language", "ar")])
    expect("saved", answer.status == 303 and answer.header("location") == "/r/", answer.raw[:400])
    changes = box.ask("GetChanges")["changes"]
    expect("... as one change", box.ask("GetSettings")["change"] == before + 1 and len(changes[-1]["steps"]) >= 6, changes[-1])
    expect("... and the screen speaks the language of the page", "ar" in box.value("display.languages"), box.value("display.languages"))
    status = box.ask("GetStatus")["status"]
    expect("... which is in force",
           status["location"]["name"].startswith("Sarajevo") and status["location"]["timezone"] == "Europe/Sarajevo", status["location"])
    shown = page.look("/r/", keeper).body.decode()
    expect("undo is offered", "/r/undo" in shown and "Sarajevo" in shown, shown[:600])
    expect("one tap takes all of it back",
           page.settle("/r/undo", {}, keeper)[0] == 200 and box.ask("GetStatus")["status"]["location"]["name"] == "Trial")
    expect("... the screen's language with it", "en" in box.value("display.languages"), box.value("display.languages"))
    expect("the next set-up begins at the first question", b'name="place"' in page.look("/r/setup", keeper).body)


def heard(box, keeper, step):
    """A tone on each listed device until one plays it; if none does, the devices stay as they are."""
    page = box.page
    for device in [found["name"] for found in box.ask("GetDevices")["devices"]]:
        status, reply = step({"step": "loudspeaker", "device": device})
        if status != 200:
            expect(f"a device that does not sound says so: {device}", reply["error"] in ("no-sound", "invalid"), reply)
            continue
        shown = page.look("/r/setup", keeper).body.decode()
        expect("do you hear it?", "Do you hear the tone?" in shown and 'value="yes"' in shown, shown[:900])
        status, reply = page.settle("/r/heard", {"device": device, "heard": "no"}, keeper)
        expect("not heard: the next one", reply.get("step") == "loudspeaker", reply)
        status, reply = step({"step": "loudspeaker", "device": device})
        expect("it is tried again while the tone before it still sounds", status == 200, reply)
        status, reply = page.settle("/r/heard", {"device": device, "heard": "yes"}, keeper)
        expect("heard", reply.get("step") == "volume", reply)
        return
    expect("the devices stay as they are", step({"step": "loudspeaker", "device": ""})[1].get("step") == "volume")
