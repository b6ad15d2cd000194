#!/usr/bin/env python3
"""Tests the box's own network on folders, with programs that replace the machine's: when the network starts, what phones learn,
and what becomes of a network that a phone names. It does not test a radio.

usage: hotspot.py DIRECTORY-OF-PROGRAMS
"""

import itertools
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent.parent)]
import ends  # noqa: E402
from findings import Findings  # noqa: E402

CHECKOUT = Path(__file__).resolve().parent.parent.parent
BOX = CHECKOUT / "box"
PROGRAMS = Path(sys.argv[1]).resolve()
PASSWORD = 'our $(touch OWNED) "net" pass'
findings = Findings()
expect = findings.expect

ADHANCTL = """#!/bin/sh
case $* in
    *status*)
        # adhand that is slow answers when the time in this file is that long ago.
        while [ -e "$ROOT/slow" ] && [ $(($(date +%s) - $(cat "$ROOT/slow"))) -lt 12 ]; do sleep 0.2; done
        # So often it answers, where that is counted.
        if [ -e "$ROOT/answers" ]; then
            left=$(cat "$ROOT/answers")
            [ "$left" -gt 0 ] || exit 1
            echo $((left - 1)) > "$ROOT/answers"
        fi
        cat "$ROOT/status" 2> /dev/null; [ -s "$ROOT/status" ] ;;
    *join-verdict*) [ ! -e "$ROOT/no-verdict" ] || exit 1; exec "$PROGRAMS/adhanctl" "$@" ;;
    *) exec "$PROGRAMS/adhanctl" "$@" ;;
esac
"""
WPA = """#!/bin/sh
echo "wpa_supplicant $*" >> "$ROOT/called"
case $* in
    *join.conf*)
        cp "$ADHAN_BOX_RUN/join.conf" "$ROOT/tried"
        while [ "$1" != -f ]; do shift; done
        cat "$ROOT/events" >> "$2"
        exec sleep 600 ;;
    *) exit 0 ;;
esac
"""
CLI = """#!/bin/sh
case $* in
    *scan_results)
        [ ! -e "$ROOT/no-scan" ] || { echo FAIL; exit 0; }
        printf 'bssid / frequency / signal level / flags / ssid\\n'
        cat "$ROOT/around" 2> /dev/null ;;
    *all_sta) cat "$ROOT/stations" 2> /dev/null ;;
    *status) [ -e "$ROOT/no-access-point" ] && echo wpa_state=SCANNING || echo wpa_state=COMPLETED ;;
esac
"""
IP = """#!/bin/sh
[ ! -e "$ROOT/lease" ] || echo '3: wlan0    inet 192.168.1.44/24 brd 192.168.1.255 scope global dynamic wlan0'
"""
AROUND = ("02:00:00:00:01:00\t2437\t-40\t[WPA2-PSK-CCMP][ESS]\tHome\n" "02:00:00:00:02:00\t2412\t-70\t[ESS]\tCaf\\xc3\\xa9\n"
          "02:00:00:00:03:00\t2437\t-60\t[WPA2-PSK-CCMP][ESS]\tHome\n" "02:00:00:00:04:00\t5180\t-50\t[WPA2-SAE-CCMP][SAE-H2E][ESS]\t\n")
UNPLACED = {"awaiting": "place", "playback": {"state": "idle"}}
PLACED = {"awaiting": None, "playback": {"state": "idle"}}
TIMELESS = {"awaiting": "clock", "playback": {"state": "idle"}}


class Box:
    def __init__(self, root):
        self.root = root
        for name in ("bin", "run", "state", "net/eth0", "net/wlan0", "etc/wpa_supplicant", "networks"):
            (root / name).mkdir(parents=True)
        # The name of a profile that Imager wrote, and one that is longer than a network's name may be.
        (root / "etc/hostname").write_text("the-mosque-of-our-street-and-of-the-next\n")
        (root / "etc/machine-id").write_text("1a2b3c4d5e6f708192a3b4c5d6e7f809\n")
        (root / "run/layer").touch()
        (root / "around").write_text(AROUND)
        called = ('#!/bin/sh\necho "${0##*/} $*" >> "$ROOT/called"\ncase $* in *ActiveEnterTimestampMonotonic*) cat "$ROOT/radio" 2> '
                  '/dev/null ;; esac\n')
        for name, text in (("adhanctl", ADHANCTL), ("wpa_supplicant", WPA), ("wpa_cli", CLI), ("systemctl", called), ("networkctl", called),
                           ("ip", IP)):
            (root / "bin" / name).write_text(text)
            (root / "bin" / name).chmod(0o755)
        self.environment = os.environ | {
            "PATH": f"{root}/bin:/usr/sbin:/usr/bin:/sbin:/bin", "ROOT": str(root), "PROGRAMS": str(PROGRAMS),
            "ADHAN_BOX_RUN": str(root / "run"), "ADHAN_BOX_STATE": str(root / "state"), "ADHAN_BOX_NET": str(root / "net"),
            "ADHAN_BOX_ETC": str(root / "etc"), "ADHAN_BOX_NETWORKS": str(root / "networks"), "ADHAN_BOX_LIB": str(BOX / "lib"),
            "ADHAN_BOX_TRIES": "1", "ADHAN_BOX_PAUSE": "1", "ADHAN_BOX_PATIENCE": "2", "ADHAN_BOX_LIMIT": "2"}
        self.network(wired=False, wireless=False)
        self.say(UNPLACED)

    def network(self, wired, wireless):
        (self.root / "net/eth0/carrier").write_text("1\n" if wired else "0\n")
        (self.root / "net/wlan0/operstate").write_text("up\n" if wireless else "down\n")

    def say(self, status):
        (self.root / "status").write_text(json.dumps(status))

    def run(self, script, *words, standard_input=b""):
        (self.root / "called").unlink(missing_ok=True)
        done = subprocess.run(["/bin/sh", BOX / script, *words], env=self.environment, input=standard_input, capture_output=True,
                              timeout=120, check=False)
        return done.returncode, (done.stdout + done.stderr).decode()

    @property
    def called(self):
        file = self.root / "called"
        return file.read_text() if file.exists() else ""

    def comes_up(self):
        self.code, self.said = self.run("hotspot.sh", "look")
        return "systemctl --no-block start adhan-box-hotspot.service" in self.called


def when(box):
    expect("a box without a place and without a network makes its own", box.comes_up())
    for what, wired, wireless in (("a cable", True, False), ("a network that it has joined", False, True)):
        box.network(wired, wireless)
        expect(f"with {what} it does not", not box.comes_up())
    box.network(False, False)
    box.say(PLACED)
    expect("a box with a place does not by itself", not box.comes_up())
    (box.root / "status").write_text("")
    comes_up = box.comes_up()
    expect("nor one whose adhand does not answer, which the journal says", not comes_up and "adhand does not answer" in box.said, box.said)
    box.say(PLACED)
    box.say(TIMELESS)
    expect("one that waits for the time and knows no network does, as after a set-up that was cut off", box.comes_up(), box.said)
    known = box.root / "etc/wpa_supplicant/wpa_supplicant-wlan0.conf"
    known.touch()
    expect("and does not where it knows one, which may come", not box.comes_up())
    known.unlink()
    box.say(PLACED)
    (box.root / "run/hotspot-asked").touch()
    expect("it does when somebody asks", box.comes_up())
    expect("once", not box.comes_up())
    box.say(UNPLACED)
    (box.root / "state/hotspot").write_text("off\n")
    (box.root / "run/hotspot-asked").touch()
    expect("and never with hotspot = off", not box.comes_up())
    (box.root / "state/hotspot").unlink()
    (box.root / "state/phone-off").touch()
    expect("nor with phone = off, since nobody could set it up there", not box.comes_up())
    (box.root / "state/phone-off").unlink()
    asked = box.root / "run/hotspot-asked"
    for what, wired, wireless, why in (("a cable", True, False, "a cable connects"),
                                       ("a network that it has joined", False, True, "in a wireless network")):
        box.network(wired, wireless)
        asked.touch()
        comes_up = box.comes_up()
        expect(f"asked for it with {what} the box says why not, and forgets it", not comes_up and why in box.said and not asked.exists(),
               box.said)
    box.network(False, False)
    (box.root / "run/joining").touch()
    asked.touch()
    comes_up = box.comes_up()
    expect("nor while it tries a network that a phone named", not comes_up and "that a phone named" in box.said and not asked.exists(),
           box.said)
    (box.root / "run/joining").unlink()


def up_for(box, seconds):
    """The seconds since the boot. A reader always sees a complete number."""
    (box.root / "uptime.new").write_text(f"{seconds:.2f} 1.00\n")
    (box.root / "uptime.new").rename(box.root / "uptime")


def slowly(box):
    """adhand starts slowly, and a known network is out of reach."""
    box.environment["ADHAN_BOX_LIMIT"] = "60"
    (box.root / "slow").write_text(str(int(time.time())))
    expect("an adhand that answers after 12 s is waited for", box.comes_up(), box.said)
    (box.root / "slow").unlink()
    (box.root / "etc/wpa_supplicant/wpa_supplicant-wlan0.conf").touch()
    box.environment["ADHAN_BOX_TRIES"] = "20"
    up_for(box, 60.31)
    box.environment["ADHAN_BOX_UPTIME"] = str(box.root / "uptime")

    def seconds():
        began = time.monotonic()
        comes_up = box.comes_up()
        return comes_up and time.monotonic() - began

    took = seconds()
    expect("the minute for the networks that it knows counts from the boot, without a place", took and took < 8, took)
    up_for(box, 55)
    took = seconds()
    expect("and they get all of it", took and took >= 5, took)
    up_for(box, 600)
    (box.root / "radio").write_text("552400000\n")
    took = seconds()
    expect("after a radio that came late as well", took and 12 <= took < 20, took)
    (box.root / "radio").unlink()
    box.say(PLACED)
    (box.root / "run/hotspot-asked").touch()
    up_for(box, 600)
    took = seconds()
    expect("a box with a place tries them for as long as ever", took and took >= 20, took)


def asking(box):
    """`adhanctl card hotspot` promises only what hotspot.sh does."""
    if os.geteuid():
        print("  only root asks for the network: not tried")
        return
    asked = box.root / "run/hotspot-asked"

    def ask():
        (box.root / "called").unlink(missing_ok=True)
        done = subprocess.run([PROGRAMS / "adhanctl", "card", "hotspot"], env=box.environment, capture_output=True, text=True, timeout=60,
                              check=False)
        return done.returncode, done.stdout + done.stderr

    (box.root / "state/hotspot-key").write_text("k7m2-9qxd-4wtp\n")
    code, log = ask()
    good = code == 0 and '"adhan-1a2b3c"' in log and "k7m2-9qxd-4wtp" in log and "restart adhan-box-hotspot-look.service" in box.called
    expect("asked for, the network is named with its key", good and asked.exists(), log)
    code, log = ask()
    expect("asked once more, what was begun goes on",
           code == 0 and " start adhan-box-hotspot-look" in box.called and "restart" not in box.called, box.called)
    asked.unlink(missing_ok=True)
    for name in ("hotspot.conf", "hotspot"):
        (box.root / "run" / name).touch()
        # The radio is also up while the box's own network runs.
        box.network(False, True)
        code, log = ask()
        expect(f"and with {name} nothing is done again", code == 0 and "k7m2-9qxd-4wtp" in log and not box.called and not asked.exists(),
               f"{log}{box.called}")
    for name in ("hotspot.conf", "hotspot"):
        (box.root / "run" / name).unlink()
    box.network(False, False)
    (box.root / "run/joining").touch()
    code, log = ask()
    expect("a network that is being joined is left alone",
           code == 1 and "that a phone named" in log and not asked.exists() and not box.called, log)
    (box.root / "run/joining").unlink()
    for what, wired, wireless, why in (("a cable", True, False, "a cable connects"),
                                       ("a network that it has joined", False, True, "in a wireless network")):
        box.network(wired, wireless)
        code, log = ask()
        expect(f"with {what} the box refuses, and says why", code == 1 and why in log and not asked.exists() and not box.called, log)
    box.network(False, False)
    for what, file, why in (("hotspot = off", "hotspot", '"hotspot = off"'), ("phone = off", "phone-off", '"phone = off"')):
        (box.root / "state" / file).write_text("off\n")
        code, log = ask()
        expect(f"with {what} it does, too", code == 1 and why in log and not asked.exists(), log)
        (box.root / "state" / file).unlink()
    shutil.rmtree(box.root / "net/wlan0")
    code, log = ask()
    expect("and without a radio", code == 1 and "no radio" in log and not asked.exists(), log)


def requests(box):
    """The socket for a button and for the screen: the requests that its service handles, one connection or many."""
    asked = box.root / "run/hotspot-asked"
    words = re.search(r"^ExecStart=(.*)$", (BOX / "units/adhan-box-hotspot-ask@.service").read_text(), re.M)[1].split()
    expect("the service runs adhanctl", words[0] == "/usr/bin/adhanctl", words)

    def ask():
        """One connection as systemd passes it: the program reads nothing from it, and writes the answer to it."""
        (box.root / "called").unlink(missing_ok=True)
        own, other = socket.socketpair(socket.AF_UNIX)
        own.settimeout(60)
        with own, other:
            subprocess.run([PROGRAMS / "adhanctl", *words[1:]], env=box.environment, stdin=subprocess.DEVNULL, stdout=other, timeout=60,
                           check=False)
            other.close()
            log = b""
            while more := own.recv(4096):
                log += more
        expect("  the answer has no key", b"k7m2" not in log and log.endswith(b"}\n"), log)
        return json.loads(log)

    (box.root / "state/hotspot-key").write_text("k7m2-9qxd-4wtp\n")
    reply = ask()
    good = reply["outcome"] == "coming" and reply[
        "network"] == "adhan-1a2b3c" and "restart adhan-box-hotspot-look.service" in box.called and asked.exists()
    expect("a connection asks for the network", good, f"{reply}{box.called}")
    for _ in range(10):
        reply = ask()
        if reply["outcome"] != "coming" or box.called != "systemctl --no-block start adhan-box-hotspot-look.service\n":
            break
    else:
        reply = None
    expect("ten more leave it alone", reply is None, f"{reply}{box.called}")
    asked.unlink()
    for what, outcome, file in (("up", "up", "run/hotspot"), ("coming up", "coming", "run/hotspot.conf"),
                                ("tried by a phone", "connected", "run/joining"), ("off by hotspot", "impossible", "state/hotspot"),
                                ("off by phone", "impossible", "state/phone-off")):
        (box.root / file).write_text("off\n")
        reply = ask()
        expect(f"one that is {what} stays so", reply["outcome"] == outcome and not box.called and not asked.exists(),
               f"{reply}{box.called}")
        (box.root / file).unlink()
    for what, wired, wireless in (("a cable", True, False), ("a network that it has joined", False, True)):
        box.network(wired, wireless)
        reply = ask()
        expect(f"with {what} the box stays in it", reply["outcome"] == "connected" and not box.called and not asked.exists(),
               f"{reply}{box.called}")
    box.network(False, False)
    (box.root / "run/layer").unlink()
    reply = ask()
    expect("on another machine nothing is done", reply["outcome"] == "impossible" and "no flashed box" in reply["message"]
           and not box.called, reply)
    (box.root / "run/layer").touch()


def one_rule(box):
    """hotspot.sh and adhanctl both decide whether the network starts. For each set of obstacles they agree, and name the same
    one."""
    reasons = ('"hotspot = off"', '"phone = off"', "a cable connects", "that a phone named", "in a wireless network")
    files = [box.root / name for name in ("state/hotspot", "state/phone-off", "run/joining")]
    asked = box.root / "run/hotspot-asked"
    found = {}
    for wired, wireless, *others in itertools.product((False, True), repeat=5):
        box.network(wired, wireless)
        for file, is_there in zip(files, others):
            file.unlink(missing_ok=True)
            if is_there:
                file.write_text("off\n")
        asked.touch()
        shell = box.comes_up(), next((reason for reason in reasons if reason in box.said), None)
        done = subprocess.run([PROGRAMS / "adhanctl", "card", "hotspot-ask"], env=box.environment, capture_output=True, text=True,
                              timeout=60, check=False)
        reply = json.loads(done.stdout)
        found[shell,
              (reply["outcome"] == "coming",
               next((reason for reason in reasons if reason in reply["message"]), None))] = f"{box.said}{reply}"
    expect("hotspot.sh makes the network where adhanctl promises it, and nowhere else", all(shell == swift for shell, swift in found),
           found)
    expect("and both gave each of the reasons", {shell for shell, _ in found} == {(True, None), *((False, reason) for reason in reasons)},
           found)


def radio(box):
    """A radio that cannot make a network, and a box without a radio."""
    def up():
        return box.run("hotspot.sh", "up")

    def hotspot_line():
        (box.root / "card").mkdir(exist_ok=True)
        done = subprocess.run([PROGRAMS / "adhanctl", "card", "report"], env=box.environment | {"ADHAN_BOX_CARD": str(box.root / "card")},
                              capture_output=True, text=True, timeout=60, check=False)
        return next((line for line in done.stdout.splitlines() if line.startswith("Hotspot ")), done.stdout + done.stderr)

    none = "no hotspot with this radio; use a cable or the card"
    (box.root / "state/hotspot-key").write_text("k7m2-9qxd-4wtp\n")
    line = hotspot_line()
    expect("the report promises the network under its own name", "adhan-1a2b3c, key k7m2-9qxd-4wtp" in line, line)
    (box.root / "no-access-point").touch()
    code, log = up()
    good = code == 1 and "no hotspot with this radio" in log and "start adhan-box-answer.service" in box.called and not (
        box.root / "run/hotspot").exists()
    expect("a radio that does not serve ends it, and the report is written again", good, f"{code} {log} {box.called}")
    line = hotspot_line()
    expect("which promises it no longer", none in line and "adhan-1a2b3c" not in line, line)
    box.run("hotspot.sh", "down")
    up()
    expect("and is not written for the same again", "adhan-box-answer" not in box.called, box.called)
    (box.root / "no-access-point").unlink()
    box.network(True, False)
    up()
    line = hotspot_line()
    expect("a radio that serves after all is reported as well", "start adhan-box-answer.service" in box.called and "adhan-1a2b3c" in line,
           f"{box.called}{line}")
    box.run("hotspot.sh", "down")
    box.network(False, False)
    shutil.rmtree(box.root / "net/wlan0")
    comes_up = box.comes_up()
    line = hotspot_line()
    expect("and so is a box without one", not comes_up and "no hotspot with this radio" in box.said and none in line, f"{box.said}{line}")
    (box.root / "state/hotspot").write_text("off\n")
    line = hotspot_line()
    expect("hotspot = off turns it off in the report, where the key stays as a code",
           "off, as box.txt says" in line and "k7m2-9qxd-4wtp" in line, line)
    (box.root / "state/phone-off").touch()
    line = hotspot_line()
    expect("phone = off turns off the code as well", line.endswith("off, as box.txt says"), line)
    (box.root / "state/hotspot").unlink()
    line = hotspot_line()
    expect("  also by itself", line.endswith("off, as box.txt says"), line)


def units(box):
    drop_ins = CHECKOUT / "box/drop-ins"
    for unit in ("adhan-remote.socket", "adhan-remote-setup.socket", "adhan-remote-pairing.socket", "adhan-remote.service"):
        text = (drop_ins / f"{unit}.conf").read_text()
        expect(f"phone = off keeps {unit} off", "\nConditionPathExists=!/var/lib/adhan-box/phone-off\n" in text, text)
        makefile = (CHECKOUT / "install.mk").read_text().partition("BOX_DROP_INS =")[2].partition("install-box:")[0]
        expect("  and the package has that", unit in makefile.split(), makefile)
    for unit in ("adhan-hooks.service", "adhan-touch@.service"):
        text = (drop_ins / f"{unit}.conf").read_text()
        expect(f"{unit} may ask on a box", "\nSupplementaryGroups=adhan-hotspot\n" in text and unit in makefile.split(), text)
    text = (BOX / "units/adhan-box-hotspot-ask.socket").read_text()
    expect("  as may nobody else", "\nSocketGroup=adhan-hotspot\nSocketMode=0660\n" in text, text)
    expect("  by a group that the package makes", "\ng adhan-hotspot " in (drop_ins / "sysusers.conf").read_text())
    stop = re.search(r"^ExecStopPost=/bin/sh -c '(.*)'$", (BOX / "units/adhan-box-join@.service").read_text(), re.M)[1]
    stop = stop.replace("/run/adhan-box", str(box.root / "run"))
    joining = box.root / "run/joining"
    for was_ended in (True, False):
        (box.root / "called").unlink(missing_ok=True)
        kept = box.root / "run/join.conf"
        if was_ended:
            joining.touch()
            kept.touch()
        done = subprocess.run(["/bin/sh", "-c", stop], env=box.environment, timeout=20, check=False)
        expect("a trial that was ended half-way brings the hotspot back" if was_ended else "and one that was through does not",
               done.returncode == 0 and not joining.exists() and not kept.exists()
               and ("start adhan-box-hotspot.service" in box.called) == was_ended, box.called)


def power_cycles(box):
    box.say(PLACED)
    asked = box.root / "run/hotspot-asked"

    def boots(*lasted):
        """Whether the last boot requests the hotspot. Each argument says whether that boot lasted a minute."""
        (box.root / "state/boots").unlink(missing_ok=True)
        for one in lasted:
            asked.unlink(missing_ok=True)
            box.run("hotspot.sh", "boot")
            is_asked = asked.exists()
            if one:
                asked.unlink(missing_ok=True)
                box.run("hotspot.sh", "look")
        return is_asked

    expect("three boots that each ended before a minute ask for it in the fourth", boots(False, False, False, True))
    expect("two do not", not boots(False, False, True))
    expect("one that lasts begins the count again", not boots(False, False, True, False, False, True))
    expect("it is asked for once", not boots(False, False, False, False, True))
    for damage in ("", "x\n", "99999\n", "-1\n", "2; touch OWNED\n"):
        (box.root / "state/boots").write_text(damage)
        asked.unlink(missing_ok=True)
        code, log = box.run("hotspot.sh", "boot")
        expect(f"a count that is damaged is none: {damage!r}", code == 0 and not asked.exists(), log)
    box.say(UNPLACED)


def up(box):
    process = subprocess.Popen(["/bin/sh", BOX / "hotspot.sh", "up"], env=box.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    end = time.monotonic() + 60
    while not (box.root / "run/hotspot").exists() and time.monotonic() < end:
        time.sleep(0.1)
    configuration = (box.root / "run/hotspot.conf").read_text()
    key = (box.root / "state/hotspot-key").read_text().strip()
    expect("WPA2 with the key, on the channel with the least signal, by rules that hold everywhere",
           all(line in configuration for line in ("mode=2", "key_mgmt=WPA-PSK", "proto=RSN", f'psk="{key}"', "frequency=2462",
                                                  "country=00"))
           and f"ssid={b'adhan-1a2b3c'.hex()}" in configuration, configuration)
    expect("for root alone",
           (box.root / "run/hotspot.conf").stat().st_mode & 0o077 == 0 and (box.root / "state/hotspot-key").stat().st_mode & 0o077 == 0)
    expect("phones get addresses and the box as their name server",
           "DNS=10.77.77.1" in (box.root / "networks/30-adhan-box-hotspot.network").read_text())
    document = json.loads((box.root / "run/network.json").read_text())
    expect("what was seen before is listed, once each, the strongest first", document["state"] == "hotspot" and document["last"] is None
           and [(one["ssid"], one["secured"]) for one in document["networks"]] == [("Home", True), ("Café", False)], document)
    name = (box.root / "run/hotspot").read_text()
    expect("the screen learns the same name, which is the box's own and fits", name == "adhan-1a2b3c\n", name)
    (box.root / "run/last").write_text("wrong-password\n")
    (box.root / "run/joining").touch()
    box.run("hotspot.sh", "down")
    left = [name for name in ("last", "network.json") if (box.root / "run" / name).exists()]
    expect("while a network is tried the page keeps its document", left == ["last", "network.json"] and "wpa_supplicant@" not in box.called,
           left)
    (box.root / "run/joining").unlink()
    (box.root / "net/eth0/carrier").write_text("1\n")
    log = process.communicate(timeout=60)[0].decode()
    expect("a cable ends it", process.returncode == 0 and "a cable" in log, log)
    box.run("hotspot.sh", "down")
    left = [name for name in ("last", "network.json") if (box.root / "run" / name).exists()]
    expect("after that no page says why an earlier network was not joined", not left, left)
    expect("and nothing of it is left",
           not any((box.root / name).exists() for name in ("run/hotspot", "run/hotspot.conf", "networks/30-adhan-box-hotspot.network"))
           and "start wpa_supplicant@wlan0.service" in box.called, box.called)
    box.network(False, False)
    stays(box)
    unused(box)


def stays(box):
    """A phone joins by itself and never leaves."""
    known = box.root / "etc/wpa_supplicant/wpa_supplicant-wlan0.conf"
    (box.root / "stations").write_text("02:00:00:00:00:09\n")
    box.environment["ADHAN_BOX_UPTIME"] = str(box.root / "uptime")
    for what, status, is_known, is_ended in (("with a place and a network that it knows", PLACED, True, True),
                                             ("that knows no other network", PLACED, False, False),
                                         ("without a place", UNPLACED, True, False)):
        box.say(status)
        known.unlink(missing_ok=True)
        if is_known:
            known.touch()
        up_for(box, 100)
        process = subprocess.Popen(["/bin/sh", BOX / "hotspot.sh", "up"], env=box.environment, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT)
        end = time.monotonic() + 60
        while not (box.root / "run/hotspot").exists() and time.monotonic() < end:
            time.sleep(0.1)
        up_for(box, 3690)
        time.sleep(3)
        stayed = process.poll() is None
        up_for(box, 3710)
        # The network is to end soon, but on a busy machine this may take longer.
        end = time.monotonic() + (30 if is_ended else 3)
        while process.poll() is None and time.monotonic() < end:
            time.sleep(0.1)
        expect(f"a box {what} leaves a phone that stays after an hour: {is_ended}", stayed and (process.poll() is not None) == is_ended)
        process.kill()
        process.wait(30)
        box.run("hotspot.sh", "down")
    known.unlink()


def unused(box):
    """Nobody joins the network, and adhand answers once and then never again. The network lasts half an hour without a place,
    ten minutes with one. Each check stands for five minutes."""
    (box.root / "stations").write_text("")
    box.environment["ADHAN_BOX_PAUSE"] = "300"
    (box.root / "bin/sleep").write_text('#!/bin/sh\necho "$1" >> "$ROOT/slept"\nexec /bin/sleep 0.1\n')
    (box.root / "bin/sleep").chmod(0o755)
    for what, status, answers, looks in (("without a place", UNPLACED, 1, 6), ("with a place", PLACED, 1, 2),
                                         ("whose adhand never answers", UNPLACED, 0, 6)):
        box.say(status)
        (box.root / "answers").write_text(f"{answers}\n")
        (box.root / "slept").unlink(missing_ok=True)
        code, log = box.run("hotspot.sh", "up")
        looked = (box.root / "slept").read_text().split("\n").count("300")
        expect(f"a box {what} keeps a network that nobody uses for {looks * 5} minutes",
               code == 0 and "nobody uses" in log and looked == looks, f"{looked} {log}")
        box.run("hotspot.sh", "down")


CONNECTED = "wlan0: CTRL-EVENT-CONNECTED - Connection to 02:00:00:00:01:00 completed\n"
WRONG = 'wlan0: CTRL-EVENT-SSID-TEMP-DISABLED id=0 ssid="Home" auth_failures=1 duration=10 reason=WRONG_KEY\n'
# The messages of a WPA3 network, from newer and from older versions.
WRONG_SAE = "wlan0: CTRL-EVENT-AUTH-REJECT 02:00:00:00:01:00 auth_type=3 auth_transaction=2 status_code=15\n"
WRONG_SAE_OLD = "wlan0: CTRL-EVENT-AUTH-REJECT 02:00:00:00:01:00 auth_type=3 auth_transaction=2 status_code=1\n"


def joining(box):
    known = box.root / "etc/wpa_supplicant/wpa_supplicant-wlan0.conf"
    known.write_text("ctrl_interface=/run/wpa_supplicant\ncountry=DE\nnetwork={\n\tssid=6f6c64\n}\n")
    asked = json.dumps({"ssid": "Home", "password": PASSWORD, "hidden": False, "country": "GB"}).encode() + b"\n"
    for what, events, lease, reason in (
            ("a wrong password", WRONG, False, "wrong-password"), ("a wrong password of WPA3", WRONG_SAE, False, "wrong-password"),
        ("one of older WPA3", WRONG_SAE_OLD, False, "wrong-password"),
        ("one that is not there", "wlan0: CTRL-EVENT-NETWORK-NOT-FOUND\n", False, "not-found"),
            ("nothing at all", "", False, "not-found"), ("one of WPA3 alone", "wlan0: CTRL-EVENT-ASSOC-REJECT status_code=31\n", False,
                                                         "refused"),
            ("one that gives no address", WRONG + CONNECTED, False, "no-address")):
        (box.root / "events").write_text(events)
        code, log = box.run("join.sh", standard_input=asked)
        tried = (box.root / "tried").read_text()
        expect(f"{what}: tried by the rules of the country that was named", "country=GB\n" in tried and "country=DE" not in tried, tried)
        last = (box.root / "run/last").read_text().strip()
        expect(f"{what}: back in the hotspot, with the reason", code == 0 and log.startswith("ok") and last == reason
               and "stop adhan-box-hotspot.service" in box.called and "start adhan-box-hotspot.service" in box.called,
               f"{log} {last} {box.called}")
        expect("  what was known stays known", "6f6c64" in known.read_text())
    (box.root / "events").write_text("wlan0: CTRL-EVENT-SCAN-RESULTS\n")
    for what, flags, password, reason in (
            ("a company's", "[WPA2-EAP-CCMP][ESS]", PASSWORD, "refused"),
        ("one of WPA3 with the key of Imager", "[WPA2-SAE-CCMP][ESS]", "0a" * 32, "refused"),
            ("one of WPA2 without its password", "[WPA2-PSK-CCMP][ESS]", None, "refused"),
        ("an open one with a password", "[ESS]", PASSWORD, "refused"),
            ("one that has gone away", "[WPA2-PSK-CCMP][ESS]", PASSWORD, "not-found")):
        (box.root / "around").write_text(f"02:00:00:00:01:00\t2437\t-40\t{flags}\tHome\n")
        code, log = box.run("join.sh",
                            standard_input=json.dumps({"ssid": "Home", "password": password, "hidden": False, "country": None}).encode()
                            + b"\n")
        last = (box.root / "run/last").read_text().strip()
        expect(f"{what}, which wpa_supplicant passes over: {reason}", code == 0 and last == reason, f"{log} {last}")
    (box.root / "around").write_text(AROUND)
    countries(box)
    patience = box.environment["ADHAN_BOX_PATIENCE"]
    for what, events in (("", WRONG), (" of WPA3", WRONG_SAE), (" of older WPA3", WRONG_SAE_OLD)):
        (box.root / "events").write_text(events * 2)
        box.environment["ADHAN_BOX_PATIENCE"] = "45"
        began = time.monotonic()
        code, log = box.run("join.sh", standard_input=asked)
        took = time.monotonic() - began
        box.environment["ADHAN_BOX_PATIENCE"] = patience
        expect(f"twice a wrong password{what} is enough: {took:.0f} s",
               took < 30 and (box.root / "run/last").read_text().strip() == "wrong-password", f"{log}{box.called}")
    expect("the password is in no file that is left, and no line",
           not any(PASSWORD in file.read_text(errors="replace") for file in box.root.rglob("*")
if file.is_file() and file.name != "tried") and PASSWORD not in log and not list(box.root.rglob("OWNED")))
    (box.root / "events").write_text(CONNECTED)
    (box.root / "lease").touch()
    (box.root / "no-verdict").touch()
    code, log = box.run("join.sh", standard_input=asked)
    expect("without a verdict: back in the hotspot", code == 0 and "start adhan-box-hotspot.service" in box.called
           and "start wpa_supplicant@wlan0.service" not in box.called and "not known" in log and not (box.root / "run/last").exists(),
           f"{log} {box.called}")
    expect("  what was known stays known", "6f6c64" in known.read_text())
    (box.root / "no-verdict").unlink()
    (box.root / "bin/sync").write_text("#!/bin/sh\necho 'sync: Read-only file system' >&2\nexit 1\n")
    (box.root / "bin/sync").chmod(0o755)
    code, log = box.run("join.sh", standard_input=asked)
    (box.root / "bin/sync").unlink()
    expect("one that cannot be written down: back in the hotspot", code == 0 and "start adhan-box-hotspot.service" in box.called
           and "start wpa_supplicant@wlan0.service" not in box.called and "cannot be written down" in log, f"{log} {box.called}")
    expect("  what was known stays known", "6f6c64" in known.read_text() and not list(known.parent.glob("*.new")))
    code, log = box.run("join.sh", standard_input=asked)
    text = known.read_text()
    expect("the right one is kept as wifi.txt would be, for root alone", code == 0 and "ssid=486f6d65" in text and "6f6c64" not in text
           and f'psk="{PASSWORD}"' in text and "country=GB" in text and "country=DE" not in text and known.stat().st_mode & 0o077 == 0,
           f"{log}{text}")
    document = json.loads((box.root / "run/network.json").read_text())
    expect("and the page says that the box is in it",
           document["state"] == "joined" and document["last"] is None and PASSWORD not in json.dumps(document), document)
    expect("the hotspot is gone",
           "start wpa_supplicant@wlan0.service" in box.called and "start adhan-box-hotspot.service" not in box.called, box.called)
    kept = known.read_text()
    for damage in (b"", b"{}\n", b"[]\n", b"x" * 3000 + b"\n", asked.replace(b"Home", b"a\\nb\\u0000"), asked[:-1],
                   asked.replace(b'"GB"', b'"gb;x"'),
                   json.dumps({"ssid": "x" * 33, "password": None, "hidden": False, "country": None}).encode() + b"\n",
                   json.dumps({"ssid": "x", "password": "short", "hidden": False, "country": None}).encode() + b"\n"):
        code, log = box.run("join.sh", standard_input=damage)
        expect(f"what is no network changes nothing: {damage[:40]}",
               "refused" in log and known.read_text() == kept and "stop" not in box.called, log)


def pausing(box):
    """The hotspot may end by itself before join.sh ends it, for instance because of a cable. The known networks must not start
    beside the trial."""
    (box.root / "events").write_text(WRONG)
    (box.root / "called").unlink(missing_ok=True)
    asked = json.dumps({"ssid": "Home", "password": PASSWORD, "hidden": False, "country": None}) + "\n"
    process = subprocess.Popen(["/bin/sh", BOX / "join.sh"], env=box.environment | {"ADHAN_BOX_PAUSE": "5"}, stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    process.stdin.write(asked)
    process.stdin.close()
    answer = ends.line(process.stdout, "the answer to the phone")
    subprocess.run(["/bin/sh", BOX / "hotspot.sh", "down"], env=box.environment, capture_output=True, timeout=60, check=False)
    is_early, called = "stop adhan-box-hotspot.service" not in box.called, box.called
    process.wait(60)
    process.stdout.close()
    expect("a hotspot that ends before the trial begins starts nothing beside it",
           answer == "ok" and is_early and "wpa_supplicant@" not in called, called)
    expect("  and is back after it", "start adhan-box-hotspot.service" in box.called and not (box.root / "run/joining").exists(),
           box.called)


def back(box):
    """After a failed trial, the box's own network returns without another scan, because the trial has scanned."""
    def up():
        (box.root / "called").unlink(missing_ok=True)
        process = subprocess.Popen(["/bin/sh", BOX / "hotspot.sh", "up"], env=box.environment, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.STDOUT)
        end = time.monotonic() + 60
        while not (box.root / "run/hotspot").exists() and time.monotonic() < end:
            time.sleep(0.1)
        called = box.called
        document = json.loads((box.root / "run/network.json").read_text())
        process.kill()
        process.wait(30)
        box.run("hotspot.sh", "down")
        return "scan.pid" in called, document

    asked = json.dumps({"ssid": "Home", "password": PASSWORD, "hidden": False, "country": None}).encode() + b"\n"
    has_looked, document = up()
    expect("the box looks around before it makes its own network", has_looked and document["networks"], document)
    (box.root / "events").write_text(WRONG)
    (box.root / "around").write_text("02:00:00:00:09:00\t2437\t-40\t[WPA2-PSK-CCMP][ESS]\tNew\n")
    box.run("join.sh", standard_input=asked)
    has_looked, document = up()
    expect("and does not after a trial that failed", not has_looked and document["last"] == "wrong-password", document)
    expect("  the page lists what the trial saw", [one["ssid"] for one in document["networks"]] == ["New"], document)
    has_looked, _ = up()
    expect("  but does so the next time", has_looked)
    (box.root / "no-scan").touch()
    box.run("join.sh", standard_input=asked)
    kept = (box.root / "run/scan").read_text()
    (box.root / "no-scan").unlink()
    has_looked, _ = up()
    expect("  and after a trial that saw nothing", has_looked and "New" in kept, kept)
    # This machine is busy.
    patience = box.environment["ADHAN_BOX_PATIENCE"]
    box.environment["ADHAN_BOX_PATIENCE"] = "10"
    (box.root / "events").write_text("")
    (box.root / "bin/ip").write_text(f"#!/bin/sh\nsleep 2\n{IP.partition(chr(10))[2]}")
    began = time.monotonic()
    box.run("join.sh", standard_input=asked)
    took = time.monotonic() - began
    (box.root / "bin/ip").write_text(IP)
    box.environment["ADHAN_BOX_PATIENCE"] = patience
    expect(f"a trial ends by the clock, however slow the machine is: {took:.0f} s", 9 < took < 22, took)


def countries(box):
    """The card sets the country GB and a wrong password. A phone corrects the password and leaves the country empty."""
    known = box.root / "etc/wpa_supplicant/wpa_supplicant-wlan0.conf"
    kept = known.read_text()
    known.write_text(kept.replace("country=DE", "country=GB"))
    shutil.rmtree(box.root / "run", ignore_errors=True)
    (box.root / "run").mkdir()

    def adhanctl(*words):
        done = subprocess.run([PROGRAMS / "adhanctl", "card", *words], env=box.environment, capture_output=True, text=True, timeout=60,
                              check=False)
        return done.stdout

    (box.root / "run/scan").write_text("")
    document = json.loads(adhanctl("network-state", "hotspot", "--scan", str(box.root / "run/scan")))
    expect("the form has the country of the box", document["country"] == "GB", document)
    (box.root / "events").write_text(WRONG)
    for typed, tried, shown in ((None, "GB", "GB"), ("GP", "GP", "GP")):
        box.run("join.sh",
                standard_input=json.dumps({"ssid": "Home", "password": PASSWORD, "hidden": False, "country": typed}).encode() + b"\n")
        text = (box.root / "tried").read_text()
        expect(f"with the country {typed} it is tried by the rules of {tried}",
               f"country={tried}\n" in text and text.count("country=") == 1, text)
        document = json.loads(adhanctl("network-state", "hotspot", "--scan", str(box.root / "run/scan")))
        expect(f"  the form has {shown} afterwards", document["country"] == shown, document)
        text = adhanctl("hotspot-configuration", "--scan", str(box.root / "run/scan"))
        expect("  and the box's own network keeps the rules of the box", "country=GB\n" in text, text)
    (box.root / "events").write_text("")
    (box.root / "lease").touch()
    box.run("join.sh", standard_input=json.dumps({"ssid": "Home", "password": PASSWORD, "hidden": False, "country": None}).encode() + b"\n")
    text = known.read_text()
    expect("  and the network that is joined has them, too", "country=GB\n" in text and "ssid=486f6d65" in text, text)
    (box.root / "lease").unlink()
    known.write_text(kept)


def imager(box):
    """The box knows the network that Imager named, with Imager's key. A field tells the page so, until a phone sends the
    password."""
    known = box.root / "etc/wpa_supplicant/wpa_supplicant-wlan0.conf"

    def document():
        done = subprocess.run([PROGRAMS / "adhanctl", "card", "network-state", "hotspot", "--scan", str(box.root / "run/scan")],
                              env=box.environment, capture_output=True, text=True, timeout=60, check=False)
        return json.loads(done.stdout)

    key = "0a1b2c3d" * 8
    settings = {"wifi": [{"ssid": "486f6d65", "psk": key, "hidden": False}], "country": "GB", "hostname": None, "timezone": None,
                "keys": [], "skipped": []}
    (box.root / "state/network-config.json").write_text(json.dumps(settings))
    (box.root / "state/networks-from").write_text("network-config 0011\n")
    configuration = (f"ctrl_interface=/run/wpa_supplicant\ncountry=GB\nnetwork={{\n\tssid=486f6d65\n\tkey_mgmt=WPA-PSK WPA-PSK-SHA256\n"
                     f"\tpsk={key}\n}}\n")
    known.write_text(configuration)
    found = document()
    expect("the page learns that the box has Imager's key", found.get("hasDerivedKey") is True and key not in json.dumps(found), found)
    (box.root / "state/networks-from").write_text("wifi.txt\n")
    expect("  not where wifi.txt comes first", "hasDerivedKey" not in document(), document())
    (box.root / "state/networks-from").write_text("network-config 0011\n")
    known.write_text(configuration.replace(f"psk={key}", f'psk="{PASSWORD}"'))
    expect("  nor once the password was named", "hasDerivedKey" not in document(), document())
    (box.root / "state/network-config.json").unlink()
    known.write_text(configuration)
    expect("  nor where Imager's file is gone", "hasDerivedKey" not in document(), document())


def names(folder):
    """adhan-hotspot-dns serves a socket that it inherits, is killed, and starts again on the same socket."""
    server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    server.bind(("127.0.0.1", 0))
    client = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    client.settimeout(20)

    def begin():
        code = ("import os, sys; os.dup2(int(sys.argv[1]), 3); os.environ.update(LISTEN_FDS='1', LISTEN_PID=str(os.getpid()));"
                "os.execv(sys.argv[2], sys.argv[2:])")
        return subprocess.Popen([sys.executable, "-c", code, str(server.fileno()), str(PROGRAMS / "adhan-hotspot-dns")],
                                pass_fds=[server.fileno()])

    question = bytes.fromhex("abcd01000001000000000000") + b"\7captive\5apple\3com\0" + bytes.fromhex("00010001")

    def ask(message):
        client.sendto(message, server.getsockname())
        return client.recv(600)

    for _ in range(2):
        process = begin()
        try:
            reply = ask(question)
            expect("every name is the box", reply[:2] == question[:2] and reply.endswith(bytes([10, 77, 77, 1])), reply.hex())
            # A DNS answer and junk get no reply, and do not end the program.
            for bad in (b"", b"x", question[:11], bytes.fromhex("abcd8180") + question[4:], os.urandom(2000)):
                client.sendto(bad, server.getsockname())
            expect("and after rubbish, too; AAAA has no data", ask(question[:-4] + bytes.fromhex("001c0001"))[6:8] == b"\0\0")
        finally:
            process.kill()
            process.wait(30)
    done = subprocess.run([PROGRAMS / "adhan-hotspot-dns"], capture_output=True, text=True, timeout=60, check=False)
    expect("without a socket it says so", done.returncode == 1 and "handed over no socket" in done.stderr, done)


def main():
    for part in (when, slowly, asking, requests, one_rule, radio, units, power_cycles, up, joining, pausing, back, imager):
        with tempfile.TemporaryDirectory(prefix="adhan-box-hotspot-") as folder:
            part(Box(Path(folder)))
    names(None)
    return findings.end()


if __name__ == "__main__":
    sys.exit(main())
