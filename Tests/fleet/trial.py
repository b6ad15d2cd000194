#!/usr/bin/env python3
"""Tests that keys and envelopes of adhan-fleet and openssl are interchangeable, and that whatever is wrong is refused.

usage: trial.py ADHAN-FLEET
"""
import base64
import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent.parent)]
from findings import Findings  # noqa: E402

FLEET = Path(sys.argv[1]).absolute()
folder = Path(tempfile.mkdtemp(prefix="adhan-fleet-"))
findings = Findings()
expect = findings.expect
TYPE = "application/vnd.adhand.fleet+json"


def fleet(*words, **more):
    return subprocess.run([FLEET, *map(str, words)], cwd=folder, capture_output=True, text=True, timeout=30, check=False, **more)


def openssl(*words):
    return subprocess.run(["openssl", *map(str, words)], cwd=folder, capture_output=True, timeout=30, check=False)


def refused(what, done, status, *words):
    """Whether the command refuses with one sentence on standard error and prints nothing else."""
    lines = done.stderr.splitlines()
    good = done.returncode == status and len(lines) == 1 and lines[0].startswith("adhan-fleet: ") and not done.stdout
    expect(what, good and all(word in lines[0] for word in words), (done.returncode, done.stdout, done.stderr))


def public(file):
    """The public key of a private one, from openssl."""
    der = openssl("pkey", "-in", file, "-pubout", "-outform", "DER").stdout
    return "ed25519:" + base64.b64encode(der[-32:]).decode()


def signed_bytes(payload):
    return b"DSSEv1 %d %s %d " % (len(TYPE), TYPE.encode(), len(payload)) + payload


def sign(*words, key="keys/signing.pem", kind="command", seq=1, body="mute.json", out="out", org="noor"):
    (folder / out).unlink(missing_ok=True)
    return fleet("sign", "--key", key, "--org", org, "--kind", kind, "--seq", seq, *words, body, "-o", out)


(folder / "mute.json").write_text('{"verb":"mute","duration":"2h"}')
(folder / "keys.json").write_text("")

# Keys.
done = fleet("--help")
expect("help names the verbs", done.returncode == 0 and all(f"  {verb}" in done.stdout for verb in ("keys", "sign", "verify")), done)
os.umask(0)
done = fleet("keys", "--out", "keys", "--json")
keys = json.loads(done.stdout)
expect("keys are made", done.returncode == 0 and set(keys) == {"signing", "recovery", "files"}, done)
expect("they are readable by their owner alone, whatever the umask",
       all((folder / "keys" / name).stat().st_mode & 0o777 == 0o600 for name in ("signing.pem", "recovery.pem"))
       and (folder / "keys").stat().st_mode & 0o777 == 0o700)
expect("openssl reads them, and finds the same public keys",
       public("keys/signing.pem") == keys["signing"] and public("keys/recovery.pem") == keys["recovery"]
       and keys["signing"] != keys["recovery"])
before = (folder / "keys/signing.pem").read_bytes()
refused("keys are not overwritten", fleet("keys", "--out", "keys"), 1, "File exists")
expect("they are as they were", (folder / "keys/signing.pem").read_bytes() == before)
(folder / "half").mkdir()
(folder / "half/recovery.pem").write_text("mine")
refused("nor is one of them", fleet("keys", "--out", "half"), 1, "File exists")
expect("and no single key is left behind", [file.name for file in (folder / "half").iterdir()] == ["recovery.pem"])
(folder / "link").symlink_to("elsewhere")
refused("a folder that leads nowhere", fleet("keys", "--out", "link"), 1)

# An envelope.
done = sign("--for", "boxes:9f2c,kitchen")
expect("a command is signed", done.returncode == 0, done)
envelope = json.loads((folder / "out").read_bytes())
payload = base64.b64decode(envelope["payload"])
document = json.loads(payload)
expect("it has the design's form", set(envelope) == {"payloadType", "payload", "signatures"} and envelope["payloadType"] == TYPE
       and set(document) == {"v", "org", "kind", "seq", "for", "notBefore", "expires", "body"}
       and document["for"] == {"boxes": ["9f2c", "kitchen"]}, document)
raw = base64.b64decode(keys["signing"].removeprefix("ed25519:"))
expect("keyid is 16 digits of the key's SHA-256", envelope["signatures"][0]["keyid"] == hashlib.sha256(raw).hexdigest()[:16])
(folder / "message").write_bytes(signed_bytes(payload))
(folder / "signature").write_bytes(base64.b64decode(envelope["signatures"][0]["sig"]))
done = openssl("pkeyutl", "-verify", "-inkey", "keys/signing.pem", "-rawin", "-in", "message", "-sigfile", "signature")
expect("openssl finds its signature valid", done.returncode == 0, done)
done = fleet("verify", "out", "--signing-key", keys["signing"], "--org", "noor", "--json")
expect("verify takes it", done.returncode == 0 and json.loads(done.stdout)["digest"] == hashlib.sha256(payload).hexdigest(), done)
done = fleet("verify", "out")
expect("without a key it says that the signature was not checked", done.returncode == 0 and "not checked" in done.stdout, done)
refused("an envelope is not written over a file", fleet("sign", "--key", "keys/signing.pem", "--org", "noor", "--kind", "command", "--seq",
                                                        1, "mute.json", "-o", "keys/recovery.pem"), 1, "File exists")
expect("which is as it was", public("keys/recovery.pem") == keys["recovery"])

# With a key that openssl made, and with a signature that openssl made.
openssl("genpkey", "-algorithm", "ed25519", "-out", "theirs.pem")
done = sign(key="theirs.pem")
theirs = public("theirs.pem")
expect("a key of openssl signs", done.returncode == 0 and fleet("verify", "out", "--signing-key", theirs).returncode == 0, done)
openssl("pkeyutl", "-sign", "-inkey", "keys/signing.pem", "-rawin", "-in", "message", "-out", "signature")
envelope["signatures"][0]["sig"] = base64.b64encode((folder / "signature").read_bytes()).decode()
(folder / "by-openssl").write_text(json.dumps(envelope))
expect("a signature of openssl is valid here", fleet("verify", "by-openssl", "--signing-key", keys["signing"]).returncode == 0)

# Envelopes that must be refused.
sign()
good = (folder / "out").read_bytes()
refused("another key", fleet("verify", "out", "--signing-key", theirs), 65, "unknown-key")
refused("another fleet", fleet("verify", "out", "--signing-key", keys["signing"], "--org", "other"), 65, "foreign")
altered = json.loads(good)
altered["payload"] = base64.b64encode(base64.b64decode(altered["payload"]).replace(b'"2h"', b'"9h"')).decode()
(folder / "altered").write_text(json.dumps(altered))
refused("an altered one", fleet("verify", "altered", "--signing-key", keys["signing"]), 65, "(signature)")
sign("--not-before", "2020-01-01T00:00:00Z", "--expires", "1h")
refused("an old one", fleet("verify", "out", "--signing-key", keys["signing"]), 65, "expired")
sign("--not-before", "2199-01-01T00:00:00Z", "--expires", "2199-01-01T00:30:00Z")
refused("one that is not valid yet", fleet("verify", "out", "--signing-key", keys["signing"]), 65, "too-early")
refused("no key at all", fleet("verify", "out", "--signing-key", "ed25519:AAAA"), 64, "--signing-key")
refused("a file that is not there", fleet("verify", "nothing"), 1, "nothing")
(folder / "random").write_bytes(os.urandom(2000))
refused("bytes of no meaning", fleet("verify", "random"), 65, "malformed")
random.seed(7)
taken = []
for _ in range(300):
    at = random.randrange(len(good) - 1)
    (folder / "flipped").write_bytes(good[:at] + bytes([good[at] ^ random.randrange(1, 256)]) + good[at + 1:])
    if fleet("verify", "flipped", "--signing-key", keys["signing"]).returncode != 65:
        taken.append(at)
expect("300 envelopes with a flipped byte", not taken, taken)

# Contents that must not be signed.
refused("a body of another form", sign(body="keys.json"), 65, "nothing is signed")
(folder / "bad.json").write_text('{"verb":"reboot"}')
refused("a command that does not exist", sign(body="bad.json"), 65, "mute, unmute, stop, enable")
(folder / "bad.toml").write_text('[control]\nsettings = true\n')
refused("a configuration of who may do what", sign(kind="configuration", body="bad.toml"), 65, "[control]")
for what, kind, body, word in (
        ("a key that adhand does not have", "configuration", "[adhan]\nvolum = 3\n", "did you mean volume?"),
        ("a timetable with a mistake", "timetable", "date,dhuhr\n2099-01-01,25:10\n", "line 2"),
        ("a timetable without a day", "timetable", "date,dhuhr\n", "no day"),
        ("a time that is none", "exception", '{"exceptions":[{"date":"2099-01-01","prayer":"isha","adhan":"20.00"}]}', "20.00"),
        ("Jumu'ah on a Thursday", "exception", '{"exceptions":[{"date":"2099-01-01","prayer":"jumua","adhan":"13:00"}]}', "Fridays"),
        ("a day that is past", "exception", '{"exceptions":[{"date":"2020-01-01","prayer":"isha","adhan":"20:00"}]}', "past"),
        ("a month that cannot begin then", "hijri", '{"pins":{"1448-09":"2027-03-08"}}', "Umm al-Qura")):
    (folder / "wrong").write_text(body)
    refused(what, sign(kind=kind, body="wrong"), 65, "nothing is signed", word)
(folder / "good.csv").write_text("date,dhuhr\n2099-01-01,12:45\n")
expect("a timetable is signed", sign(kind="timetable", body="good.csv").returncode == 0)
(folder / "late.json").write_text('{"exceptions":[{"date":"2020-01-02","prayer":"isha","adhan":"20:00"}]}')
done = sign("--not-before", "2020-01-01T00:00:00Z", "--expires", "1h", kind="exception", body="late.json")
expect("an envelope that is over is signed with a day of its time", done.returncode == 0, done)
wrong = json.loads(base64.b64decode(json.loads((folder / "out").read_bytes())["payload"]))
wrong["body"]["exceptions"][0]["adhan"] = "20.00"
(folder / "message").write_bytes(signed_bytes(json.dumps(wrong).encode()))
openssl("pkeyutl", "-sign", "-inkey", "keys/signing.pem", "-rawin", "-in", "message", "-out", "signature")
(folder / "wrong").write_text(json.dumps({"payloadType": TYPE, "payload": base64.b64encode(json.dumps(wrong).encode()).decode(),
                                          "signatures": [
    {"keyid": hashlib.sha256(raw).hexdigest()[:16], "sig": base64.b64encode((folder / "signature").read_bytes()).decode()}]}))
refused("one that another program signed is looked at as closely", fleet("verify", "wrong"), 65, "invalid", "20.00")
(folder / "out").unlink()
(folder / "large.toml").write_text('# ' + "x" * 45000 + "\n")
refused("a large one", sign(kind="configuration", body="large.toml"), 65, "49152")
refused("a command for a week", sign("--expires", "168h"), 65, "expires")
refused("a kind that does not exist", sign(kind="comand"), 64, "did you mean command?")
refused("a number of zero", sign(seq=0), 65, "seq")
refused("a fleet's name in capitals", sign(org="NOOR"), 65, "org")
refused("nobody", sign("--for", "boxes:"), 65, "for")
refused("whom it is for, in other words", sign("--for", "everybody"), 64, "--for")
refused("two keys for a command", sign("--key", "keys/recovery.pem"), 64, "one --key")
expect("none of these left a file", not (folder / "out").exists())
openssl("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-out", "rsa.pem")
refused("a key of another kind", sign(key="rsa.pem"), 65, "Ed25519")
openssl("pkey", "-in", "theirs.pem", "-aes256", "-passout", "pass:x", "-out", "locked.pem")
refused("an encrypted key", sign(key="locked.pem"), 65, "encrypted")
refused("a file that is no key", sign(key="mute.json"), 65, "PEM")

# New keys.
(folder / "keys.json").write_text(json.dumps({"signing": theirs, "recovery": keys["recovery"]}))
known = ("--signing-key", keys["signing"], "--recovery-key", keys["recovery"])
sign(kind="keys", body="keys.json", key="keys/recovery.pem")
expect("a new signing key, by the recovery key", fleet("verify", "out", *known).returncode == 0)
sign(kind="keys", body="keys.json")
refused("a new signing key, by the old one", fleet("verify", "out", *known), 65, "unknown-key")
(folder / "keys.json").write_text(json.dumps({"signing": keys["signing"], "recovery": theirs}))
sign(kind="keys", body="keys.json", key="keys/recovery.pem")
refused("a new recovery key, by one key", fleet("verify", "out", *known), 65, "two signatures")
sign("--key", "keys/signing.pem", kind="keys", body="keys.json", key="keys/recovery.pem")
expect("a new recovery key, by both", fleet("verify", "out", *known).returncode == 0)
both = ("keys/signing.pem", "keys/recovery.pem")
for what, words in (("both behind one --key", ("--key", *both, "--org", "noor", "--kind", "keys", "--seq", 1, "keys.json", "-o", "out")),
                    ("the body behind them", ("--org", "noor", "--kind", "keys", "--seq", 1, "-o", "out", "--key", *both, "keys.json"))):
    (folder / "out").unlink()
    done = fleet("sign", *words)
    expect(what, done.returncode == 0 and fleet("verify", "out", *known).returncode == 0, done)
refused("a body that is missing", fleet("sign", "--key", "keys/signing.pem", "--org", "noor", "--kind", "keys", "--seq", 1, "-o", "none"),
        64, "body")
refused("a key in place of the body", fleet("sign", "--key", *both, "--org", "noor", "--kind", "keys", "--seq", 1, "-o", "none"), 65,
        "nothing is signed")
expect("leaves no file", not (folder / "none").exists())

# The files of a server.
brokers = ["mqtts://a:8883", "mqtts://b:8883"]
for name, words in (("one", ("--broker", *brokers)), ("each", ("--broker", brokers[0], "--broker", brokers[1]))):
    done = fleet("init", "--dir", folder / name, "--org", "noor", *words)
    expect(f"several brokers, {name} --broker",
           done.returncode == 0 and 'broker = ["mqtts://a:8883", "mqtts://b:8883"]' in (folder / name / "fleet.toml").read_text(), done)

# Options before the command.
for words in (("--dir", "nowhere", "--json", "status"), ("--dir=nowhere", "rollout", "status"), ("rollout", "--dir", "nowhere", "status"),
              ("--json", "enrol", "--dir=nowhere", "list"), ("--dir", "nowhere", "init", "--org", "noor", "--broker", "mqtt://a")):
    wanted = (64, "absolute") if "init" in words else (65, "nowhere/fleet.toml")
    refused(f"{' '.join(words)} is the command with these options", fleet(*words), *wanted)
done = fleet("--json", "verify", "out")
expect("--json may stand before verify, which prints JSON", done.returncode == 0 and json.loads(done.stdout)["org"] == "noor", done)
refused("--dir is for commands that use a folder", fleet("--dir", "nowhere", "keys", "--out", "keys-3"), 64, "keys uses no folder", "--dir")
refused("without its value it is wrong usage", fleet("status", "--dir"), 64, "--dir")
refused("also where no command follows", fleet("--dir"), 64, "--dir")
refused("a word that is no command is named", fleet("--dir", "nowhere", "statsu"), 64, '"statsu"', "did you mean status?")
refused("and one that is none of rollout", fleet("rollout", "--dir", "nowhere", "stop"), 64, '"stop" is no command')
expect("help is help", "OVERVIEW" in fleet("--json", "--help").stdout and "--dir" in fleet("--json", "status", "--help").stdout)
expect("and no folder was made", not (folder / "nowhere").exists() and not (folder / "keys-3").exists())

for program, wanted in (("bash", "_adhan-fleet"), ("zsh", "#compdef adhan-fleet"), ("fish", "adhan-fleet")):
    expect(f"completions for {program}", wanted in fleet("--generate-completion-script", program).stdout)
sys.exit(findings.end())
