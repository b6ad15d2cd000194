"""Tests that fleet.toml on the card makes the box join its fleet."""

import json
import subprocess

from card_box import expect

KEY = "ed25519:qBTmYq9uXayAo87x2zka7P6V+BGHAhQXN8yX920ebHU="
OTHER = "ed25519:fPzlyUVVRWAN/5sugFeHG4Yo7rZfQUNyppvUATYVfd4="
FLEET = f"""[fleet]
org = "noor"
signing-key = "{KEY}"
recovery-key = "{OTHER}"
groups = ["uk/london"]
broker = ["mqtts://broker.example:8883"]
"""


def membership(box):
    drop_in = box.root / "etc/adhand/adhand.toml.d/fleet.toml"

    def checked():
        done = subprocess.run([box.release / "adhanctl", "--socket", box.root / "none", "check", box.config, "--json"], env=box.environment,
            capture_output=True, text=True, timeout=60, check=False)
        return {setting["key"]: setting["value"] for setting in json.loads(done.stdout)["settings"] if setting["key"].startswith("fleet.")}

    def leave(*words):
        return subprocess.run([box.release / "adhanctl", "--socket", box.root / "none", "fleet", "leave", "--config", box.config, *words],
            env=box.environment, capture_output=True, text=True, timeout=60, check=False)

    for what, text, told in (
        ("no key", '[fleet]\norg = "noor"\n', "signing-key"),
        ("a broken key", FLEET.replace(KEY, "ed25519:abc"), "public key"),
        ("no fleet", "[other]\na = 1\n", "names no fleet"),
        ("no TOML", "[fleet]\norg noor\n", "line 2"),
    ):
        box.put("fleet.toml", text)
        report = box.boot()
        expect(f"fleet.toml with {what} is not taken over, and the report says why",
               not drop_in.exists() and "NOT taken over" in report and told in report, report)
    box.put("fleet.toml", FLEET.replace("\n", "\r\n").encode("utf-16"))
    report = box.boot()
    expect("fleet.toml is taken over, and the report names fleet, groups and what is not adhand's",
        "fleet noor, groups uk/london" in report and "not for adhand: broker" in report, report)
    good = {"fleet.org": '"noor"', "fleet.signing-key": f'"{KEY}"', "fleet.recovery-key": f'"{OTHER}"', "fleet.groups": '"uk/london"'}
    expect("as a drop-in of adhand.toml", checked() == good, checked())
    done = leave()
    expect("adhanctl fleet leave takes it out of the drop-in", done.returncode == 0 and checked() == {}, done)
    box.boot()
    expect("and the card does not bring it back", checked() == {}, drop_in.read_text())
    box.put("fleet.toml", FLEET.replace("noor", "other"))
    box.boot()
    expect("another fleet.toml does", checked().get("fleet.org") == '"other"', checked())
    # The card's file as "adhan-fleet enrol new" writes it.
    etc = box.root / "etc/adhand"
    link, token, authority = etc / "bridge.toml.d/fleet.toml", etc / "fleet-token", etc / "fleet-ca.pem"
    way = '[enrol]\nbroker = ["mqtts://fleet.example.org:8883"]\ntoken = "%s"\n' % ("0a" * 32)
    box.put("fleet.toml", FLEET + way.replace("0a", "0a ", 1))
    report = box.boot()
    expect("a token that is not whole is refused, and nothing is half taken over",
           "token" in report and not link.exists() and not token.exists()
        and checked().get("fleet.org") == '"other"', report)
    box.put("fleet.toml", FLEET + way + 'ca = "-----BEGIN CERTIFICATE-----\\nAA\\n-----END CERTIFICATE-----\\n"\n')
    report = box.boot()
    expect("with [enrol] the box gets the way into its fleet, and the report says where it asks, without the word",
        "asks for its place at mqtts://fleet.example.org:8883" in report and "0a0a" not in report and checked() == good, report)
    expect("the word is for the bridge alone", token.read_text() == "0a" * 32 + "\n" and token.stat().st_mode & 0o777 == 0o640,
           oct(token.stat().st_mode))
    expect("the certificate is readable", authority.read_text().startswith("-----BEGIN") and authority.stat().st_mode & 0o777 == 0o644)
    done = subprocess.run([box.release / "adhan-bridge", "--check", "--config", etc / "bridge.toml"], capture_output=True, text=True,
                          timeout=60, check=False)
    expect("adhan-bridge understands it", done.returncode == 0, done)
    # The bridge stores it in this form.
    kept = box.root / "bridge"
    kept.mkdir()
    password, known = kept / "fleet-password.json", kept / "fleet.json"
    for file in (password, known):
        file.write_text("{}")
    box.put("fleet.toml", FLEET)
    box.boot()
    expect("a fleet.toml without a way in takes that away",
           not link.exists() and not token.exists() and not authority.exists() and checked() == good)
    expect("... and leaves the password to a box that is still in its fleet", password.exists() and known.exists())
    box.put("fleet.toml", FLEET + way)
    box.boot()
    expect("... and brings it back", link.exists() and "ca-file" not in link.read_text(), link)
    box.called.write_text("")
    done = leave("--json")
    reply = json.loads(done.stdout) if done.returncode == 0 else {}
    files = (link, token, password, known)
    expect("adhanctl fleet leave takes the way in, the word and the password as well",
           done.returncode == 0 and not any(file.exists() for file in files)
        and set(reply.get("removed", [])) == {str(file) for file in files} and reply["left"] == [], done)
    expect("... says what the way back is, and has the bridge read its settings", "whose word is still open" in reply.get("message", "")
        and "try-restart adhan-bridge.service" in box.called.read_text(), (reply, box.called.read_text()))
    done = leave()
    expect("... and a second time there is no fleet to leave", done.returncode == 64 and "no fleet" in done.stderr, done)
    box.boot()
    expect("the same card does not bring it back", checked() == {} and not link.exists() and not token.exists())
    box.put("fleet.toml", FLEET + way.replace("0a", "0b"))
    box.boot()
    expect("a card with another word does", checked() == good and token.read_text() == "0b" * 32 + "\n" and link.exists())
    for file in (password, known):
        file.write_text("{}")
    # The box is killed once before the token was stored.
    link.unlink()
    box.put("fleet.toml", "# nothing\n")
    report = box.boot()
    expect("an empty one leaves no word and no password, also where the way in has gone before",
           checked() == {} and not any(file.exists() for file in files),
        (report, [file.name for file in files if file.exists()]))
    box.put("fleet.toml", FLEET + way)
    box.boot()
    password.write_text("{}")
    named = etc / "bridge.toml"
    named.write_text(f'[fleet]\nbroker = ["mqtts://fleet.example.org:8883"]\ntoken-file = "{token}"\n')
    done = leave("--json")
    reply = json.loads(done.stdout) if done.returncode == 0 else {}
    expect("a word that bridge.toml names stays, and is named",
           done.returncode == 0 and token.exists() and not link.exists() and not password.exists()
        and [entry["file"] for entry in reply["left"]] == [str(token)], done)
    named.unlink()
    box.put("fleet.toml", FLEET + way.replace("0a", "0c"))
    box.boot()
    password.write_text("{}")
    box.put("fleet.toml", "# nothing\n")
    report = box.boot()
    expect("an empty one takes the box out of its fleet",
           checked() == {} and "belongs to no fleet" in report and not any(file.exists() for file in files), report)
    (box.card / "fleet.toml").unlink()
