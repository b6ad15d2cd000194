#!/usr/bin/env python3
"""Tests that publishing and withdrawing survive faults, beside a real mosquitto: a command that is killed in the middle, one that
is withdrawn, damaged files, links, and another client that writes to the same topics.

usage: published.py ADHAN-FLEET
"""
import contextlib
import datetime
import json
import os
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from ends import until  # noqa: E402
from house import House, port, preloaded  # noqa: E402

FLEET = Path(sys.argv[1]).absolute()
house = House("adhan-published")
folder, expect, run = house.folder, house.expect, house.run
broker_port, page_port = port(), port()
base = folder / "fleet"
published = base / "published"
CLIENT = ["-V", "5", "-p", str(broker_port), "-u", "fleet", "-P", "word"]
ALL = "all/down/configuration"


def fleet(*words, before=()):
    return subprocess.run([*before, FLEET, *map(str, words)], capture_output=True, text=True, check=False, timeout=60)


def publish(file, before=()):
    return fleet("publish", "--dir", base, file, before=before)


def withdraw(name, *words, before=()):
    return fleet("withdraw", "--dir", base, name, *words, before=before)


def killed_at(call):
    """The words before a command that kill it at its first or second fsync."""
    return ["env", f"LD_PRELOAD={preloaded(folder / 'killed.so')}", f"KILLED_AT_FSYNC={call}"]


def write(topic, *words):
    subprocess.run(["mosquitto_pub", *CLIENT, "-q", "1", "-r", "-t", f"adhand/v1/noor/{topic}", *map(str, words)], check=True, timeout=20)


def stands(topic):
    done = subprocess.run(["mosquitto_sub", *CLIENT, "-t", f"adhand/v1/noor/{topic}", "-C", "1", "-W", "4"], capture_output=True, text=True,
                          check=False, timeout=60)
    return done.stdout.strip()


def has(topic, file):
    return stands(topic) == file.read_text().strip()


def signed(kind, seq, body, *words, key="keys/signing.pem"):
    (folder / "body").write_text(body)
    file = folder / f"{kind}-{seq}-{time.monotonic_ns()}"
    fleet("sign", "--key", folder / key, "--org", "noor", "--kind", kind, "--seq", seq, *words, folder / "body", "-o", file)
    return file


def louder(seq, volume, *words, key="keys/signing.pem"):
    return signed("configuration", seq, f"[adhan]\nvolume = {volume}\n", *words, key=key)


def kept(file):
    """The copy of an envelope in published/."""
    return next((found for found in published.glob("*.envelope") if found.read_bytes() == file.read_bytes()), None)


def digest_of(file):
    return json.loads(fleet("verify", file, "--json").stdout)["digest"]


def is_withdrawn(file):
    """Whether an envelope is marked as withdrawn in published/."""
    return (published / f"{digest_of(file)}.withdrawn").exists() and not kept(file)


def broker():
    started = run("/usr/sbin/mosquitto", "-c", folder / "broker.conf")
    until(lambda: subprocess.run(["mosquitto_pub", *CLIENT, "-t", "adhand/v1/noor/x", "-m", "x"], capture_output=True, check=False,
                                 timeout=60).returncode == 0, 10)
    return started


def forget(process):
    """Starts a broker that has lost everything."""
    process.kill()
    process.wait(30)
    (folder / "mosquitto.db").unlink(missing_ok=True)
    return broker()


def alerts():
    done = fleet("status", "--dir", base, "--json")
    overview = json.loads(done.stdout or "{}").get("overview") or {}
    return overview.get("alerts", [])


def alarms():
    return [(alert["alertname"], alert["labels"].get("file")) for alert in alerts()]


def contested():
    """Whether the watch reports that another client keeps changing a topic."""
    return any(alert["alertname"] == "ChangeConflict" and "again and again" in alert["summary"] for alert in alerts())


def former(kind):
    """The status message about envelopes of a kind that a former key has signed."""
    return next((alert["summary"] for alert in alerts() if alert["alertname"] == "FormerKey" and alert["labels"]["kind"] == kind), "")


def box(name):
    """A box that the watch knows."""
    now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    write(f"{name}/up/status", "-m",
          json.dumps({"v": 1, "state": "online", "at": now, "boot": "b", "version": "0.1.0", "image": None, "hardware": name,
                      "adhand": "up", "beat": 60, "groups": ["uk/london"]}))


try:
    subprocess.run(["gcc", "-shared", "-fPIC", "-O2", Path(__file__).with_name("killed.c"), "-o", folder / "killed.so"], check=True,
                   timeout=60)
    fleet("init", "--dir", base, "--org", "noor", "--broker", f"mqtt://127.0.0.1:{broker_port}")
    keys = json.loads(fleet("keys", "--out", folder / "keys", "--json").stdout)
    for user, word in (("fleet", "word"), ("taken-out", "other"), ("box-a", "a"), ("box-b", "b")):
        new = [] if (base / "passwords").exists() else ["-c"]
        subprocess.run(["mosquitto_passwd", *new, "-b", base / "passwords", user, word], check=True, capture_output=True, timeout=20)
    (base / "broker-password").write_text("word\n")
    text = (base / "fleet.toml").read_text().replace("127.0.0.1:8791",
                                                     f"127.0.0.1:{page_port}").replace("[watch]\n", '[watch]\nsettle = "10s"\n')
    (base / "fleet.toml").write_text(text.replace('# signing-key = "ed25519:..."', f'signing-key = "{keys["signing"]}"'))
    conf = (base / "mosquitto.conf").read_text().split("\nlistener ")[0] + "\n"
    (folder / "broker.conf").write_text(conf + f"persistence_location {folder}/\nlistener {broker_port} 127.0.0.1\nuser root\n")
    brokered = broker()
    box("box-a")
    watching = run(FLEET, "watch", "--dir", base)

    # Several envelopes at once, and a command that is killed before the broker has them.
    many = [louder(1, volume) for volume in range(40, 46)]
    started = [subprocess.Popen([FLEET, "publish", "--dir", base, file], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
               for file in many]
    expect("of six that publish one number one succeeds", sorted(process.wait(60) for process in started) == [0, 1, 1, 1, 1, 1])
    winner = next(file for process, file in zip(started, many) if process.returncode == 0)
    expect("... whose envelope stands there", has(ALL, winner) and kept(winner))
    two = louder(2, 50)
    # After the file, its folder is synced to disk; only then does the envelope go to the broker.
    publish(two, before=killed_at(2))
    expect("one that is killed before the broker has it is written down", kept(two) and has(ALL, winner), list(published.iterdir()))
    expect("... so its number counts", publish(louder(2, 51, "--for", "boxes:box-a")).returncode == 1)
    expect("... and the watch gives it", until(lambda: has(ALL, two), 40), stands(ALL))

    # Another client publishes an older envelope over it, again and again.
    for turn in ("once", "twice", "three times"):
        write(ALL, "-f", winner)
        expect(f"an older one over it is put right, {turn}", until(lambda: has(ALL, two), 20), stands(ALL))
        time.sleep(7)
    expect("... which is no alarm yet", not contested(), alerts())
    write(ALL, "-f", winner)
    expect("whoever goes on is an alarm", until(contested, 40), alerts())
    expect("... and is contradicted later", until(lambda: has(ALL, two), 90), stands(ALL))

    # Unknown names, and a box that was revoked.
    done = publish(signed("hijri", 1, '{"pins":{"1449-09":"2028-01-29"}}', "--for", "boxes:box-a,box-z"))
    expect("a name that the watch does not know is said", done.returncode == 0 and "box-z" in done.stderr and "box-a" not in done.stderr,
           done)
    fleet("enrol", "new", "--dir", base, "--count", 2, "--until", "2099-01-01", "--broker", "mqtts://fleet.example.org:8883", "-o",
          folder / "card")
    done = fleet("enrol", "revoke", "--dir", base, "taken-out")
    expect("a box is taken out", done.returncode == 0, done)
    done = publish(signed("hijri", 2, '{"pins":{"1449-09":"2028-01-30"}}', "--for", "boxes:taken-out"))
    expect("nothing is published for it alone", done.returncode == 1 and "taken out" in done.stderr and not stands("taken-out/down/hijri"),
           done)
    both = signed("hijri", 3, '{"pins":{"1449-09":"2028-01-30"}}', "--for", "boxes:box-a,taken-out")
    done = publish(both)
    expect("with others it is left out", done.returncode == 0 and "taken-out" in done.stderr and has("box-a/down/hijri", both), done)
    for words in (["-n"], ["-m", "nonsense"]):
        write("box-a/down/hijri", *words)
        expect(f"what somebody takes away is given again: {words}", until(lambda: has("box-a/down/hijri", both), 20),
               stands("box-a/down/hijri"))
    for name in ("state.json", "state.copy.json"):
        (base / "enrol" / name).write_text("{")
    brokered = forget(brokered)
    box("box-a")
    expect("a broker that lost all is given what it lacks", until(lambda: has(ALL, two), 60), stands(ALL))
    time.sleep(7)
    expect("... and not the topics of a box that was taken out, whatever became of the list", not stands("taken-out/down/hijri"))

    done = publish(signed("hijri", 4, '{"pins":{"1449-09":"2028-01-29"}}', "--for", "boxes:taken-out"))
    expect("... nor does a command put anything there",
           done.returncode == 1 and "taken out" in done.stderr and not stands("taken-out/down/hijri"), done)

    # A file is damaged after it was read. Boxes receive the correct envelope, or nothing.
    own = kept(two)
    own.write_text("{rubbish")
    brokered = forget(brokered)
    expect("a file that was damaged meanwhile is an alarm", until(lambda: ("FileDamaged", f"published/{own.name}") in alarms(), 60),
           alarms())
    expect("... and is given to nobody", not stands(ALL), stands(ALL))
    expect("published again it is whole, and stands there", publish(two).returncode == 0 and has(ALL, two) and kept(two))
    expect("... and the alarm ends", until(lambda: ("FileDamaged", f"published/{own.name}") not in alarms(), 30), alarms())

    # Withdrawal happens first in the folder, then at the broker, and the folder is synced to disk in between.
    three = louder(3, 55)
    expect("one is published by mistake", publish(three).returncode == 0 and has(ALL, three))
    done = withdraw(digest_of(three)[:16], before=killed_at(1))
    expect("a withdrawal that is killed before the broker knows of it is written down",
           done.returncode not in (0, 1) and is_withdrawn(three), done)
    expect("... and the watch gives what was there before", until(lambda: has(ALL, two), 40), stands(ALL))
    done = withdraw(three)
    expect("the same again says that nothing is left to do", done.returncode == 0 and "already" in done.stdout, done)
    done = withdraw(published / f"{digest_of(three)}.envelope")
    expect("... also by the path that its file had there", done.returncode == 0 and "already" in done.stdout, done)
    done = publish(three)
    expect("what was withdrawn is not published again", done.returncode == 1 and "withdrawn" in done.stderr and is_withdrawn(three), done)
    done = publish(louder(3, 56))
    expect("... and its number counts", done.returncode == 1 and "--seq 4" in done.stderr, done)
    write(ALL, "-f", three)
    expect("whoever puts it there again is put right", until(lambda: has(ALL, two), 20), stands(ALL))
    four = signed("hijri", 4, '{"pins":{"1449-09":"2028-01-29"}}', "--for", "boxes:box-a,box-b")
    done = publish(four)
    expect("one for boxes, by mistake", done.returncode == 0 and has("box-b/down/hijri", four), done)
    done = withdraw(four, "--json")
    answer = json.loads(done.stdout or "{}")
    expect("what stood before stands again, and nothing where nothing stood", done.returncode == 0 and not answer.get("already")
           and answer.get("cleared") == ["adhand/v1/noor/box-b/down/hijri"] and has("box-a/down/hijri", both)
           and not stands("box-b/down/hijri")
           and answer.get("restored") == [{"topic": "adhand/v1/noor/box-a/down/hijri", "seq": 3, "digest": digest_of(both)}], done)
    time.sleep(7)
    expect("... and the watch leaves it so", has("box-a/down/hijri", both) and not stands("box-b/down/hijri"))
    done = withdraw("0" * 64)
    expect("one that nobody published is refused with those that were", done.returncode == 1 and digest_of(two)[:16] in done.stderr, done)
    rolled = signed("hijri", 9, '{"pins":{"1449-09":"2028-01-29"}}')
    done = fleet("rollout", "start", "--dir", base, rolled)
    expect("a roll-out begins", done.returncode == 0, done)
    done = withdraw(rolled)
    expect("... which is ended by a verb of its own", done.returncode == 1 and f"rollout abort {digest_of(rolled)[:16]}" in done.stderr,
           done)
    expect("... as it says", fleet("rollout", "abort", "--dir", base, digest_of(rolled)[:16]).returncode == 0)
    # If no watch runs, the command does everything itself.
    watching.terminate()
    watching.wait(20)
    lost = signed("hijri", 10, '{"pins":{"1449-09":"2028-01-30"}}')
    expect("one is published, and lost by the broker and the disk", publish(lost).returncode == 0 and has("all/down/hijri", lost))
    kept(lost).write_text("{")
    write("all/down/hijri", "-n")
    done = withdraw(digest_of(lost), "--json")
    answer = json.loads(done.stdout or "{}")
    expect("... it is withdrawn though nothing has a copy", done.returncode == 0 and is_withdrawn(lost) and answer.get("damaged") is True
           and answer.get("kind") is answer.get("seq") is None and answer.get("cleared") == [], done)
    done = withdraw(digest_of(lost)[:16])
    expect("... and the same again says that its number is unknown",
           done.returncode == 0 and "already" in done.stdout and "unknown" in done.stdout, done)
    done = publish(lost)
    expect("... and it is not published again", done.returncode == 1 and "was withdrawn" in done.stderr and not stands("all/down/hijri"),
           done)
    done = withdraw(lost, "--json")
    expect("... with its own file the number counts again", done.returncode == 0 and json.loads(done.stdout)["seq"] == 10
           and "--seq 11" in publish(signed("hijri", 10, '{"pins":{"1449-09":"2028-01-29"}}')).stderr, done)
    five = louder(5, 57)
    expect("published without a watch", publish(five).returncode == 0 and has(ALL, five))
    brokered.kill()
    brokered.wait(30)
    done = withdraw(five)
    expect("without a broker it is written down, and says what to type",
           done.returncode == 69 and "the same again" in done.stderr and is_withdrawn(five), done)
    brokered = broker()
    write(ALL, "-f", five)
    done = withdraw(five)
    expect("the same again finishes it", done.returncode == 0 and "already" not in done.stdout and has(ALL, two), done)
    write(ALL, "-f", five)
    watching = run(FLEET, "watch", "--dir", base)
    expect("a watch that finds it at its start takes it away, and does not take it over",
           until(lambda: has(ALL, two), 60) and is_withdrawn(five), stands(ALL))

    # A damaged file does not keep a person from withdrawing its envelope.
    six = louder(6, 58)
    expect("one is published whose file is damaged then", publish(six).returncode == 0 and has(ALL, six))
    kept(six).write_text("{rubbish")
    done = withdraw(published / f"{digest_of(six)}.envelope", "--json")
    answer = json.loads(done.stdout or "{}")
    expect("... it is withdrawn by the path of that file", done.returncode == 0 and answer.get("damaged") is True and answer.get("seq") == 6
           and is_withdrawn(six) and has(ALL, two), done)
    done = publish(louder(6, 59))
    expect("... and its number counts, as the broker had a copy", done.returncode == 1 and "--seq 7" in done.stderr, done)
    seven = louder(7, 60)
    expect("another one", publish(seven).returncode == 0 and has(ALL, seven))
    kept(seven).write_text("")
    done = withdraw(f"adhand/v1/noor/{ALL}")
    expect("... is withdrawn by its topic, and the damage is said",
           done.returncode == 0 and "was damaged" in done.stdout and is_withdrawn(seven) and has(ALL, two), done)
    done = withdraw("adhand/v1/noor/box-q/down/configuration")
    expect("a topic on which nothing stands means nothing", done.returncode == 1 and "nothing stands" in done.stderr, done)

    # A damaged signature counts as damage although the digest is right, because no box would accept it.
    own = kept(two)
    whole = own.read_text()
    document = json.loads(whole)
    document["signatures"][0]["sig"] = "A" * 86 + "=="
    own.write_text(json.dumps(document))
    brokered = forget(brokered)
    expect("a damaged signature is an alarm", until(lambda: ("FileDamaged", f"published/{own.name}") in alarms(), 60), alarms())
    expect("... and is given to nobody", not stands(ALL), stands(ALL))
    expect("published again it is whole", publish(two).returncode == 0 and has(ALL, two) and own.read_text() == whole)
    expect("... which the watch sees", until(lambda: ("FileDamaged", f"published/{own.name}") not in alarms(), 30), alarms())

    # The signing key is replaced. Envelopes of the former key are listed until they are signed again.
    new = json.loads(fleet("keys", "--out", folder / "keys-2", "--json").stdout)
    text = (base / "fleet.toml").read_text()
    (base / "fleet.toml").write_text(text.replace(keys["signing"], new["signing"]))
    early = louder(8, 62, key="keys-2/signing.pem")
    expect("the new key signs before the watch knows it", publish(early).returncode == 0 and has(ALL, early))
    expect("... which is said, with both remedies", until(lambda: "systemctl restart" in former("configuration"), 30),
           former("configuration"))
    expect("... and the watch puts nothing lower there", has(ALL, early), stands(ALL))
    watching.terminate()
    watching.wait(20)
    watching = run(FLEET, "watch", "--dir", base)
    expect("after a restart the other kind is named, above what was withdrawn",
           until(lambda: "--kind hijri --seq 11" in former("hijri"), 60), alerts())
    expect("... and the first one no longer, as a later one is there", not former("configuration"), alerts())
    done = fleet("status", "--dir", base)
    expect("... by status, for people",
           "FormerKey: Number 3 of hijri for boxes box-a, taken-out and another one of this kind are signed" in done.stdout, done)
    brokered = forget(brokered)
    box("box-a")
    expect("a broker that lost all is given what the new key signed", until(lambda: has(ALL, early), 60), stands(ALL))
    expect("... and nothing of the former one", not stands("box-a/down/hijri"))
    again = signed("hijri", 11, '{"pins":{"1449-09":"2028-01-30"}}', "--for", "boxes:box-a,box-z,taken-out", key="keys-2/signing.pem")
    expect("signed again it is published", publish(again).returncode == 0 and has("box-a/down/hijri", again))
    expect("... and the alarm ends", until(lambda: not former("hijri"), 30), alerts())

    # A folder that cannot be read is not an empty one.
    aside = folder / "aside"
    published.rename(aside)
    published.symlink_to("published")
    expect("a folder that cannot be looked into is an alarm", until(lambda: ("FileDamaged", "published") in alarms(), 30), alarms())
    published.unlink()
    aside.rename(published)
    expect("... which ends", until(lambda: ("FileDamaged", "published") not in alarms(), 30), alarms())

    # Root changes passwords in a folder that the service owns. A link in it must not lead elsewhere.
    secret = folder / "secret"
    secret.write_text("secret of root\n")
    before = (base / "passwords").read_text()
    (base / "enrol/passwords.new").symlink_to(secret)
    done = fleet("enrol", "new", "--dir", base, "--count", 1, "--until", "2099-01-01", "--broker", "mqtts://fleet.example.org:8883", "-o",
                 folder / "card2")
    expect("a link in the place of the new passwords is not followed", done.returncode == 1 and "link" in done.stderr
           and (base / "passwords").read_text() == before, done)
    (base / "enrol/passwords.new").unlink()
    with contextlib.suppress(OSError):
        os.remove(folder / "card2")
finally:
    outcome = house.end()
sys.exit(outcome)
