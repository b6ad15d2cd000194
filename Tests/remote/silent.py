"""Tests that a loudspeaker that drops every sound is reported: when it is chosen, in the history of its adhan, and on every
page."""
import os
import tempfile
import time
from pathlib import Path

from harness import CONFIGURATION, Box, encoded, expect
from ends import until


def trial(programs):
    """A box of its own, whose card "quiet" drops every sound."""
    with tempfile.TemporaryDirectory(prefix="remote-") as name:
        cards = Path(name) / "asound.conf"
        cards.write_text("</usr/share/alsa/alsa.conf>\npcm.quiet { type null hint { show on description \"A quiet card\" } }\n")
        os.environ["ALSA_CONFIG_PATH"] = str(cards)
        try:
            configuration = CONFIGURATION.replace('"null"', '"quiet"') + "[debug]\ntriggers = true\n"
            with Box(programs, name, configuration) as box:
                keeper = box.page.pair("keeper", "Office")
                choice(box, keeper)
                adhan(box, keeper)
        finally:
            del os.environ["ALSA_CONFIG_PATH"]


def choice(box, keeper):
    """Chooses another loudspeaker, without the other questions of the set-up."""
    page = box.page
    reply = box.ask("SetSettings", changes=[{"key": "audio.devices", "value": '["default"]'}])
    expect("the answer names a device that does not open",
           reply.get("silent") is True and "nothing would be heard now" in reply["problems"][-1], reply)
    shown = page.look("/r/settings", keeper).body.decode()
    expect("the settings lead to the loudspeaker", 'value="loudspeaker-alone"' in shown)
    status, reply = page.settle("/r/setup", {"step": "loudspeaker-alone"}, keeper)
    expect("it is the only question", status == 200 and reply.get("step") == "loudspeaker", reply)
    expect("... without a number", b"4 / 5" not in page.look("/r/setup", keeper).body)
    status, reply = page.settle("/r/setup", {"step": "loudspeaker", "device": "quiet"}, keeper)
    expect("a tone is played", status == 200, reply)
    status, reply = page.settle("/r/heard", {"device": "quiet", "heard": "yes"}, keeper)
    expect("whoever claims to have heard it may save it", reply.get("step") == "done", reply)
    before = box.ask("GetSettings")["change"]
    answer = page.act("/r/setup", encoded({"step": "done"}), keeper)
    shown = page.look("/r/", keeper).body.decode()
    expect("saved", answer.status == 303 and box.value("audio.devices") == '["quiet"]' and box.ask("GetSettings")["change"] == before + 1)
    expect("... and told that it is silent, beside the way back", "No sound" in shown and "is silent" in shown and "/r/undo" in shown,
           shown[:1500])
    expect("... and not that it is tried later, as it sounds", "present sound" not in shown and "not tried" not in shown, shown[:1500])
    until(lambda: box.ask("GetStatus")["status"]["playback"]["state"] == "idle", what="the tone is over")
    status, reply = page.settle("/r/undo", {}, keeper)
    expect("an undo says what it leaves", status == 200 and "nothing would be heard now" in str(reply.get("problems")), reply)
    page.settle("/r/undo", {}, keeper)


def adhan(box, keeper):
    page = box.page
    box.ask("Trigger", prayer="asr", delay="1s")

    def entry():
        found = [e for e in box.ask("GetHistory", days=1)["history"]["announcements"] if e["id"].startswith("trigger-")]
        return found[-1] if found else None

    until(lambda: (entry() or {}).get("outcome"), 90, what="the adhan is over")
    found = entry()
    expect("nobody heard it", found["outcome"] == "failed" and "is silent" in found["reason"] and found["framesPlayed"] > 0, found)
    expect("it is not shown as heard", b"failed" in page.look("/r/log", keeper).body)
    expect("nor is the loudspeaker", box.ask("GetStatus")["status"]["audio"]["healthy"] is False)
    time.sleep(1)
    shown = page.look("/r/health", keeper).body.decode()
    expect("the page of health has the loudspeaker as a fault", "Fault" in shown and "is silent" in shown, shown[:1500])
