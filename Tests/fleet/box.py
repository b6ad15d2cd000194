#!/usr/bin/env python3
"""Tests that a real adhand of a fleet applies the envelopes that are for it, refuses the others with a reason, and neither loses
nor repeats one when it is killed.

usage: box.py PROGRAMS
"""
import base64
import ctypes
import hashlib
import json
import os
import random
import re
import subprocess
import sys
import time
from datetime import datetime, timedelta, timezone
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from ends import until  # noqa: E402
from house import CLOCK, DEVICE, House  # noqa: E402

PROGRAMS = Path(sys.argv[1]).resolve()
house = House("adhan-fleet-box")
folder = house.folder
lab = Path(__file__).resolve().parent.parent / "Lab" / "clock_ahead.c"
ahead = folder / "clock_ahead.so"
TYPE = "application/vnd.adhand.fleet+json"
random.seed(11)
# A place at the equator where it is past one in the afternoon now. So asr and maghrib can be set to any time of day, and midnight
# is far. The signs of these zones are reversed: Etc/GMT-3 is three hours ahead.
EAST = 13 - datetime.now(timezone.utc).hour
ZONE = f"Etc/GMT{-EAST:+d}"


def fleet(*words):
    done = subprocess.run([PROGRAMS / "adhan-fleet", *map(str, words)], cwd=folder, capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode == 0, done
    return done


def instant(seconds):
    return (datetime.now(timezone.utc) + timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%SZ")


def sign(body, *words, kind="command", seq=1, key="keys/signing.pem", org="noor", begins=-60, ends=1800):
    (folder / "body").write_text(json.dumps(body))
    (folder / "envelope").unlink(missing_ok=True)
    fleet("sign", "--key", key, "--org", org, "--kind", kind, "--seq", seq, "--not-before", instant(begins), "--expires", instant(ends),
          *words, "body", "-o", "envelope")
    return folder / "envelope"


def sign_file(kind, text, seq, begins=-60, ends=36000):
    (folder / "text").write_text(text)
    (folder / "envelope").unlink(missing_ok=True)
    fleet("sign", "--key", "keys/signing.pem", "--org", "noor", "--kind", kind, "--seq", seq, "--not-before", instant(begins), "--expires",
          instant(ends), "text", "-o", "envelope")
    return folder / "envelope"


def sign_by_openssl(kind, body, seq):
    """An envelope that `adhan-fleet sign` would refuse to sign: the box must check it itself."""
    payload = json.dumps({"v": 1, "org": "noor", "kind": kind, "seq": seq, "for": {"all": True}, "notBefore": instant(-60),
                          "expires": instant(36000), "body": body}).encode()
    (folder / "message").write_bytes(b"DSSEv1 %d %s %d " % (len(TYPE), TYPE.encode(), len(payload)) + payload)
    subprocess.run(["openssl", "pkeyutl", "-sign", "-inkey", folder / "keys/signing.pem", "-rawin", "-in", folder / "message", "-out",
                    folder / "signature"],
                   check=True, capture_output=True, timeout=60)
    key = base64.b64decode(keys["signing"].removeprefix("ed25519:"))
    (folder / "envelope").write_text(json.dumps({
        "payloadType": TYPE, "payload": base64.b64encode(payload).decode(), "signatures": [
            {"keyid": hashlib.sha256(key).hexdigest()[:16], "sig": base64.b64encode((folder / "signature").read_bytes()).decode()}]}))
    return folder / "envelope"


def volume():
    """The volume that is set, and the file that sets it."""
    settings = json.loads(ctl("check").stdout)["settings"]
    found = next(setting for setting in settings if setting["key"] == "adhan.volume")
    return found["value"], Path(found["file"]).name


def fate(kind):
    return applied().get(kind, {}).get("state")


def by_clock(seconds):
    """An environment with a clock that is this far ahead."""
    return {"LD_PRELOAD": str(ahead), "CLOCK_AHEAD": str(int(CLOCK.get("CLOCK_AHEAD", 0)) + int(seconds))}


def begin(seconds):
    """Starts adhand with a clock that is this far ahead."""
    return start(environment=by_clock(seconds))


def stop(process):
    process.terminate()
    process.wait(20)


def clock(seconds):
    """Date and time at the box's place, this many seconds from now."""
    moment = int(time.time() + seconds)
    words = subprocess.run(["date", "-d", f"@{moment}", "+%Y-%m-%d %H:%M"], env={**os.environ, "TZ": ZONE}, capture_output=True, text=True,
                           check=True, timeout=60)
    return words.stdout.split()


def start(environment=None):
    (folder / "adhand").mkdir(exist_ok=True)
    process = house.run(PROGRAMS / "adhand", "--config", folder / "adhand.toml", "--state-dir", folder / "adhand", "--socket", folder / "s",
                        "--audio-dir", Path(__file__).resolve().parents[2] / "Resources/audio", "--box", "kitchen",
                        env={**os.environ, **(environment or {})})
    assert until(house.answers, 20), house.log.read_text()
    return process


def kill(process):
    process.kill()
    process.wait(30)


def ctl(*words):
    return house.ctl(PROGRAMS / "adhand", *map(str, words), "--json")


def apply(file):
    """The state in the answer, or the reason of the refusal."""
    done = ctl("fleet", "apply", file)
    if done.returncode == 0:
        return json.loads(done.stdout)["state"]
    found = re.search(r"has no effect \(([a-z-]+)\)", done.stderr)
    return found[1] if found else done.stderr.strip()


def applied():
    return {entry["kind"]: entry for entry in json.loads(ctl("fleet", "status").stdout)["fleet"]["applied"]}


def is_muted():
    return json.loads(ctl("status").stdout)["mute"]["active"]


def times_in_force(seq):
    return house.log.read_text().count(f"fleet noor: command {seq} is in force")


def configure(calls=""):
    (folder / "adhand.toml").write_text(f"""timezone = "{ZONE}"
{calls}
[location]
latitude = 0.0
longitude = {(15 * EAST + 180) % 360 - 180}
[adhan]
enabled = false
[audio]
devices = ["{DEVICE}"]
[fleet]
org = "noor"
signing-key = "{keys["signing"]}"
recovery-key = "{keys["recovery"]}"
groups = ["uk/london"]
""")


def is_synchronised():
    """Whether the kernel calls the clock synchronised, as adhand asks it: adjtimex(2), whose structure has the status
    (STA_UNSYNC is 0x40) as its sixth 64-bit word."""
    state = (ctypes.c_long * 40)()
    return ctypes.CDLL(None).adjtimex(state) != 5 and not state[5] & 0x40


keys = json.loads(fleet("keys", "--out", "keys", "--json").stdout)
fleet("keys", "--out", "theirs")
MUTE = {"verb": "mute", "duration": "2h"}
configure()
adhand = start()
expect = house.expect

status = json.loads(ctl("fleet", "status").stdout)["fleet"]
expect("the box says which fleet it belongs to", status == {"org": "noor", "groups": ["uk/london"], "signing": keys["signing"],
                                                            "applied": []}, status)
good = sign(MUTE).read_bytes()
(folder / "good").write_bytes(good)

# Refused envelopes change nothing.
for what, wanted, file in (
        ("an unknown key", "unknown-key", lambda: sign(MUTE, key="theirs/signing.pem")),
        ("another fleet", "foreign", lambda: sign(MUTE, org="other")),
        ("one that has expired", "expired", lambda: sign(MUTE, begins=-1800, ends=-1)),
        ("one that is valid later", "too-early", lambda: sign(MUTE, begins=600, ends=1200)),
        ("another box's", "not-for-me", lambda: sign(MUTE, "--for", "boxes:cellar")),
        ("another group's", "not-for-me", lambda: sign(MUTE, "--for", "groups:de/berlin"))):
    seen = apply(file())
    expect(f"{what}: {wanted}", seen == wanted, seen)
altered = json.loads(good)
altered["payload"] = base64.b64encode(base64.b64decode(altered["payload"]).replace(b'"2h"', b'"9h"')).decode()
(folder / "altered").write_text(json.dumps(altered))
expect("an altered one: signature", apply(folder / "altered") == "signature")
(folder / "empty").write_text("")
expect("an empty file: malformed", apply(folder / "empty") == "malformed")
(folder / "large").write_bytes(good + b" " * 60000)
done = ctl("fleet", "apply", folder / "large")
expect("a file that is too large is not sent", done.returncode == 1, done)
taken = []
for _ in range(200):
    at = random.randrange(len(good) - 1)
    (folder / "flipped").write_bytes(good[:at] + bytes([good[at] ^ random.randrange(1, 128)]) + good[at + 1:])
    done = ctl("fleet", "apply", folder / "flipped")
    if done.returncode == 0:
        taken.append(at)
expect("200 envelopes with a flipped byte", not taken, taken)
expect("nothing came of any of these",
       not is_muted() and applied() == {} and "fleet" not in json.loads((folder / "adhand/state.json").read_text()))

# An envelope for this box.
done = ctl("fleet", "apply", folder / "good")
expect("its own is in force at once",
       done.returncode == 0 and json.loads(done.stdout) == {"state": "confirmed", "kind": "command", "seq": 1} and is_muted(), done)
expect("the same again: already", apply(folder / "good") == "already")
house.ctl(PROGRAMS / "adhand", "unmute")
expect("a replay does not mute again", apply(folder / "good") == "already" and not is_muted())
expect("another one with its number: older", apply(sign({"verb": "disable"})) == "older")
expect("by its name", apply(sign(MUTE, "--for", "boxes:kitchen", seq=2)) == "confirmed" and is_muted())
expect("by its group", apply(sign({"verb": "unmute"}, "--for", "groups:uk/london", seq=3)) == "confirmed" and not is_muted())
day = (datetime.now() + timedelta(days=30)).strftime("%Y-%m-%d")
expect("a day by hand", apply(sign({"exceptions": [{"date": day, "prayer": "dhuhr", "iqama": "13:45"}]}, kind="exception")) == "confirmed"
       and f'"{day}"' in ctl("exception", "list").stdout)
text = subprocess.run(["adhanctl", "fleet", "status", "--socket", folder / "s"], executable=PROGRAMS / "adhand", capture_output=True,
                      text=True, check=False, timeout=60)
expect("status is for people, too", "fleet   noor" in text.stdout and re.search(r"command +3 +confirmed", text.stdout), text)

# adhand is killed at a random moment, and receives the same envelope again.
kill(adhand)
lost = []
for seq in range(10, 50):
    adhand = start()
    file = sign(MUTE if seq % 2 == 0 else {"verb": "unmute"}, seq=seq)
    caller = subprocess.Popen(["adhanctl", "fleet", "apply", file, "--socket", folder / "s"], executable=PROGRAMS / "adhand",
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(random.uniform(0, 0.06))
    kill(adhand)
    caller.wait(30)
    adhand = start()
    state = apply(file)
    # The result of the earlier run is there, whatever the moment of the kill was.
    if state not in ("confirmed",
                     "already") or is_muted() != (seq % 2 == 0) or applied()["command"]["seq"] != seq or times_in_force(seq) > 1:
        lost.append((seq, state, is_muted(), times_in_force(seq)))
    kill(adhand)
expect("40 times killed around an envelope: neither lost nor done twice", not lost, lost)

# Near an announcement it waits. The next start has a clock that is 15 minutes ahead.
configure(f'[[call]]\nname = "near"\nat = "{clock(120)[1]}"\nsound = "silent"\n')
adhand = start()
expect("it is not muted before", not is_muted())
file = sign(MUTE, seq=60)
done = ctl("fleet", "apply", file)
answer = json.loads(done.stdout or "{}")
expect("near an announcement it is scheduled, with its instant",
       answer.get("state") == "scheduled" and answer.get("at", "")[:16] == applied()["command"]["at"][:16] and not is_muted(), done)
expect("the same again: already", apply(file) == "already")
kill(adhand)
adhand = start()
expect("killed, it still waits", applied()["command"]["state"] == "scheduled" and not is_muted())
subprocess.run(["gcc", "-shared", "-fPIC", "-O2", lab, "-o", ahead, "-lpthread"], check=True, timeout=60)
kill(adhand)
later = by_clock(900)
adhand = start(environment=later)
expect("it is in force once its instant has come",
       until(is_muted, 5) and applied()["command"]["state"] == "confirmed" and times_in_force(60) == 1, applied())
house.ctl(PROGRAMS / "adhand", "unmute")
kill(adhand)
adhand = start(environment=later)
expect("and not once more after the next start", not is_muted() and apply(file) == "already" and not is_muted() and times_in_force(60) == 1)

# The state is lost, but what was applied stays applied.
kill(adhand)
(folder / "adhand/state.json").unlink()
adhand = start(environment=later)
expect("after the loss of the state nothing old is new", apply(file) == "already" and apply(sign(MUTE, seq=59, ends=3000)) == "older"
       and not is_muted())

# A configuration and a timetable are on trial: an adhan that is heard confirms them; otherwise they are reverted.
kill(adhand)
configure()
text = (folder / "adhand.toml").read_text().replace("enabled = false",
                                                    'enabled = false\nvolume = 60\nsound = "signal"\n[adhan.asr]\nenabled = true\n'
                                                    '[adhan.maghrib]\nenabled = true')
(folder / "adhand.toml").write_text(text)
due = (int(time.time()) // 60 + 40) * 60
FIRST = due - int(time.time())
adhand = begin(1000)
for prayer, seconds in (("asr", FIRST), ("maghrib", FIRST + 4 * 3600)):
    date, minute = clock(seconds)
    done = ctl("exception", date, prayer, minute)
    expect(f"{prayer} is at {minute}", done.returncode == 0, done)
file = sign_file("configuration", "[adhan]\nvolume = 33\n", 1)
expect("the box's own volume is in force before", volume() == ("60", "adhand.toml"), volume())
done = ctl("fleet", "apply", file)
expect("a configuration is on trial",
       done.returncode == 0 and json.loads(done.stdout) == {"state": "trial", "kind": "configuration", "seq": 1}, done)
expect("it is in force over adhand.toml, and check names the fleet", volume() == ("33", "fleet"), volume())
(folder / "adhand.toml.d").mkdir()
(folder / "adhand.toml.d/own.toml").write_text("[adhan]\nvolume = 70\n")
ctl("reload")
expect("a drop-in of the box has the last word", volume() == ("70", "own.toml"), volume())
(folder / "adhand.toml.d/own.toml").unlink()
ctl("reload")
plain = (folder / "adhand.toml").read_text()


def control(lines):
    """Writes the section [control] of the box's file."""
    (folder / "adhand.toml").write_text(plain.replace("[location]", f"[control]\n{lines}\n[location]"))
    ctl("reload")


control('pinned = "adhan.volume"')
expect("a key that is pinned later has the file's value, and check names file and pin", volume() == ("60", "adhand.toml")
       and "[control] pinned names adhan.volume" in ctl("check").stdout and fate("configuration") == "trial", ctl("check").stdout)
stop(adhand)
adhand = begin(1000)
expect("also after a restart, and the journal says so", volume() == ("60", "adhand.toml") and fate("configuration") == "trial"
       and "has no effect on adhan.volume" in house.log.read_text(), volume())
refused = ctl("fleet", "apply", sign_by_openssl("configuration", {"toml": '[adhan]\nvolume = 34\nsound = "adhan"\n'}, 2))
expect("a change of it is refused as a whole, with key and file",
       "(invalid)" in refused.stderr and "the fleet cannot change adhan.volume" in refused.stderr and "adhand.toml, line" in refused.stderr
       and applied()["configuration"]["seq"] == 1, refused)
control("loudest = 32")
expect("so is a volume above loudest",
       volume() == ("60", "adhand.toml") and apply(sign_by_openssl("configuration", {"toml": "[adhan]\nvolume = 34\n"}, 2)) == "invalid")
control("loudest = 33")
expect("what the files allow again is in force again", volume() == ("33", "fleet"), volume())
control('pinned = "adhan.asr.volume"')
loud = {prayer["prayer"]: prayer["volume"] for prayer in json.loads(ctl("status").stdout)["prayers"]}
expect("a pinned value of one prayer stays the box's own, and the others have the fleet's", (loud["asr"], loud["maghrib"]) == (60, 33),
       loud)
control('pinned = "adhan.volume"')
stop(adhand)
(folder / "adhand.toml").write_text(plain)
adhand = begin(1000)
expect("also where the pin went while adhand was away", volume() == ("33", "fleet") and fate("configuration") == "trial", volume())
for what, text in (("a sound that is not there", '[adhan]\nsound = "bells"\n'), ("an unknown key", "[adhan]\nvolum = 3\n"),
                   ("a device that writes files", '[audio]\ndevices = ["tee:null,out,raw"]\n')):
    expect(f"{what}: invalid", apply(sign_by_openssl("configuration", {"toml": text}, 2)) == "invalid" and volume() == ("33", "fleet")
           and applied()["configuration"]["seq"] == 1)
kill(adhand)
adhand = begin(1000)
expect("a crash is borne once", fate("configuration") == "trial" and volume() == ("33", "fleet"), applied())
stop(adhand)
adhand = begin(due - time.time() - 15)
expect("the adhan is heard, and the configuration is confirmed",
       until(lambda: fate("configuration") == "confirmed", 60) and volume() == ("33", "fleet"), applied())
stop(adhand)
LATER = FIRST + 1200
adhand = begin(LATER)
expect("a preflight that fails only since the change brings the last one back",
       apply(sign_file("configuration", '[adhan]\nvolume = 44\n[audio]\ndevices = ["hw:9"]\n', 2)) == "trial"
       and until(lambda: fate("configuration") == "reverted", 20) and volume() == ("33", "fleet"), applied())
expect("and the same envelope is refused from then on", apply(folder / "envelope") == "reverted-before")
file = sign_file("configuration", "[adhan]\nvolume = 55\n", 3)
expect("a better one is taken", apply(file) == "trial" and volume() == ("55", "fleet"))
for _ in range(2):
    kill(adhand)
    adhand = begin(LATER)
expect("after two crashes the last one is back", fate("configuration") == "reverted" and volume() == ("33", "fleet"), applied())
expect("also for the envelope of before", apply(file) == "reverted-before")
lost = []
for seq in range(4, 16):
    file = sign_file("configuration", f"[adhan]\nvolume = {seq}\n", seq)
    caller = subprocess.Popen(["adhanctl", "fleet", "apply", file, "--socket", folder / "s"], executable=PROGRAMS / "adhand",
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(random.uniform(0, 0.4))
    kill(adhand)
    caller.wait(30)
    adhand = begin(LATER)
    answer = apply(file)
    # The new run executes a command that was accepted before, beside its other work.
    until(lambda: applied()["configuration"]["seq"] == seq and fate("configuration") == "trial", 20)
    seen = (answer, fate("configuration"), volume())
    if seen not in ((known, "trial", (str(seq), "fleet")) for known in ("trial", "already")):
        lost.append((seq, seen))
expect("12 times killed around a configuration: in force, and on trial", not lost, lost)
days = [clock(86400 * day)[0] for day in range(1, 40)]
csv = "date,dhuhr\n" + "".join(f"{day},12:45\n" for day in days)
table = folder / "adhand/timetable.csv"
expect("a timetable of another place is refused", apply(sign_file("timetable", csv.replace("12:45", "19:10"), 1)) == "invalid"
       and not table.exists())
for what, wrong in (("with a mistake", csv.replace("12:45", "25:10", 1)), ("without a day", "date,dhuhr\n")):
    body = {"csv": wrong, "sha256": hashlib.sha256(wrong.encode()).hexdigest()}
    expect(f"a timetable {what} is refused", apply(sign_by_openssl("timetable", body, 1)) == "invalid" and not table.exists())
for what, wrong in (("of no time", {"prayer": "asr", "adhan": "20.00"}),
                    ("of a day that is past", {"prayer": "asr", "adhan": "16:00", "date": "2020-01-01"})):
    body = {"exceptions": [{"date": days[3], **wrong}]}
    expect(f"an exception {what} is refused",
           apply(sign_by_openssl("exception", body, 2)) == "invalid" and applied().get("exception", {}).get("seq") != 2)
expect("a timetable is on trial, and in force", apply(sign_file("timetable", csv, 1)) == "trial" and "12:45" in table.read_text(),
       applied())
expect("revert brings back what the box had", apply(sign({"kind": "timetable"}, kind="revert", seq=1, ends=36000)) == "confirmed"
       and until(lambda: "12:45" not in table.read_text(), 10) and fate("timetable") == "reverted", applied())
expect("and removes the day that the fleet had set, though the state was lost since", f'"{day}"' in ctl("exception", "list").stdout
       and apply(sign({"kind": "exception"}, kind="revert", seq=2, ends=36000)) == "confirmed"
       and f'"{day}"' not in ctl("exception", "list").stdout, ctl("exception", "list").stdout)
expect("the fleet's configuration stays", volume() == ("15", "fleet"), volume())

# While the clock shows the past, it is not trusted, and nothing is applied.
kill(adhand)
configure()
if is_synchronised():
    adhand = start()
    print("skipped a clock that is not trusted: a time server keeps this one right")
else:
    state = json.loads((folder / "adhand/state.json").read_text())
    state["clock"]["confirmed"] = "2099-01-01T00:00:00.000Z"
    (folder / "adhand/state.json").write_text(json.dumps(state))
    adhand = start()
    file = sign(MUTE, seq=70)
    done = ctl("fleet", "apply", file)
    expect("a clock that is not trusted: clock", done.returncode == 75 and "(clock)" in done.stderr and not is_muted(), done)

# The box leaves its fleet.
done = ctl("fleet", "leave", "--config", folder / "adhand.toml")
expect("the box leaves its fleet", done.returncode == 0 and "signing-key" not in (folder / "adhand.toml").read_text(), done)
done = ctl("check")
expect("and keeps no configuration of it", done.returncode == 0 and '"fleet"' not in done.stdout, done.stdout + done.stderr)
expect("then it takes nothing", apply(sign(MUTE, seq=80)) == "foreign" and json.loads(ctl("fleet", "status").stdout) == {"fleet": None})
done = ctl("fleet", "leave", "--config", folder / "adhand.toml")
expect("there is none to leave twice", done.returncode == 64 and "no fleet" in done.stderr, done)

sys.exit(house.end())
