#!/usr/bin/env python3
"""Tests that a box leaves its fleet completely, as a real adhand with a real adhan-bridge and a real mosquitto: with one command,
without a bridge, killed at each step, at a stranger's request, and that it returns with a card whose token is still valid.

usage: leave.py ADHAND ADHAN-BRIDGE ADHAN-FLEET
"""
import json
import os
import pwd
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from messages_socket import MessagesSocket  # noqa: E402
from ends import until  # noqa: E402
from house import DEVICE, House, port, preloaded  # noqa: E402

ADHAND, BRIDGE, FLEET = (Path(word).absolute() for word in sys.argv[1:4])
house = House("adhan-leave")
folder, expect, run = house.folder, house.expect, house.run
broker_port = port()
etc, state, socket_path = folder / "etc/adhand", folder / "state", folder / "messages.sock"
config, settings = etc / "adhand.toml", etc / "bridge.toml"
drop_in, link = etc / "adhand.toml.d/fleet.toml", etc / "bridge.toml.d/fleet.toml"
token, authority = etc / "fleet-token", etc / "fleet-ca.pem"
password, known = state / "fleet-password.json", state / "fleet.json"
TRACES = (link, password, token, authority)
CLIENT = ["-V", "5", "-h", "127.0.0.1", "-p", str(broker_port), "-u", "fleet", "-P", "word"]
WAY_BACK = "a card with a fleet.toml whose word is still open"
WORD = "0a" * 32
bridged, called = None, None
listener = MessagesSocket(
    socket_path, [BRIDGE, "--config", settings, "--socket", folder / "s", "--state-dir", state, "--box", "trial", "messages"],
    open(house.log, "a"))

# Replaces systemd: a running service reloads its settings, and one without settings is stopped. The calls are recorded.
SYSTEMCTL = f"""#!/bin/sh
echo "$*" >> {folder}/called
read -r process < {folder}/process 2> /dev/null || exit 0
case $* in
    reload-or-try-restart*) kill -HUP "$process" ;;
    try-restart*) kill -TERM "$process" ;;
esac
exit 0
"""


def ask(before=()):
    """The bridge's answer to a request to forget the fleet."""
    program = ("import socket, sys\nline = socket.socket(socket.AF_UNIX)\nline.settimeout(30)\nline.connect(sys.argv[1])\n"
               "line.sendall(b'{\"act\":\"forget-fleet\"}\\n')\nprint(line.makefile().readline())\n")
    done = subprocess.run([*before, sys.executable, "-c", program, socket_path], capture_output=True, text=True, check=False, timeout=40)
    try:
        return json.loads(done.stdout)
    except ValueError:
        return done


def leave(*words, kill_at=None):
    environment = {**os.environ, "PATH": f"{folder}/bin:{os.environ['PATH']}", "ADHAN_BOX_ETC": str(folder / "etc"),
                   "ADHAN_BOX_BRIDGE": str(state), "ADHAN_BOX_MESSAGES": str(socket_path)}
    if kill_at:
        environment |= {"LD_PRELOAD": preloaded(folder / "killed.so"), "KILLED_AT_FSYNC": str(kill_at)}
    return subprocess.run(["adhanctl", "fleet", "leave", "--config", config, "--socket", folder / "s", *words], executable=ADHAND,
                          env=environment, capture_output=True, text=True, check=False, timeout=90)


def card():
    """Applies a card as a box does: token and certificate before the link, and the fleet last."""
    for file in (drop_in, link):
        file.parent.mkdir(parents=True, exist_ok=True)
    token.write_text(WORD + "\n")
    authority.write_text("-----BEGIN CERTIFICATE-----\nAA\n-----END CERTIFICATE-----\n")
    link.write_text(
        f'[fleet]\nbroker = ["mqtt://127.0.0.1:{broker_port}"]\ntoken-file = "{token}"\nca-file = "{authority}"\nbeat = "10s"\n')
    drop_in.write_text(f'[fleet]\norg = "noor"\nsigning-key = "{keys["signing"]}"\n')


def start_bridge():
    global bridged
    bridged = run(BRIDGE, "--config", settings, "--socket", folder / "s", "--state-dir", state, "--box", "trial")
    (folder / "process").write_text(f"{bridged.pid}\n")


def end_bridge():
    (folder / "process").unlink(missing_ok=True)
    if bridged and bridged.poll() is None:
        bridged.terminate()
        bridged.wait(20)


def start_adhand():
    global called
    called = run(ADHAND, "--config", config, "--state-dir", folder / "adhand", "--socket", folder / "s")
    expect("adhand answers", until(house.answers, 20))


def end_adhand():
    called.terminate()
    called.wait(20)


def retained():
    words = ["mosquitto_sub", *CLIENT, "-t", "adhand/v1/noor/trial/up/status", "-C", "1", "-W", "1"]
    text = subprocess.run(words, capture_output=True, text=True, check=False, timeout=60).stdout.strip()
    return json.loads(text).get("state") if text else None


def status():
    done = subprocess.run([BRIDGE, "status", "--json", "--state-dir", state], capture_output=True, text=True, check=False, timeout=20)
    return json.loads(done.stdout) if done.returncode == 0 else {}


def fleet_of_adhand():
    return json.loads(house.ctl(ADHAND, "fleet", "status", "--json").stdout)["fleet"]


def remains():
    return [file.name for file in (*TRACES, known) if file.exists()]


def house_connected():
    return (status().get("mqtt") or {}).get("connected") is True


def reload_adhand():
    house.ctl(ADHAND, "reload")


def join(what):
    """The box joins with its card, whatever remains of its former membership. Without a password it asks for one."""
    asks = not password.exists()
    before = house.log.read_text().count("asks for its place")
    card()
    reload_adhand()
    bridged.send_signal(signal.SIGHUP)
    good = until(lambda: (status().get("fleet") or {}).get("membership") == "member" and retained() == "online", 60)
    asked = house.log.read_text().count("asks for its place") > before
    expect(what, good and asked == asks and fleet_of_adhand() is not None and house_connected(),
           (status(), retained(), remains(), asks, asked))


try:
    folder.chmod(0o755)
    etc.mkdir(parents=True)
    (folder / "bin").mkdir()
    (folder / "adhand").mkdir()
    (folder / "bin/systemctl").write_text(SYSTEMCTL)
    (folder / "bin/systemctl").chmod(0o755)
    subprocess.run(["gcc", "-shared", "-fPIC", "-O2", Path(__file__).with_name("killed.c"), "-o", folder / "killed.so"], check=True,
                   timeout=60)
    keys = json.loads(subprocess.run([FLEET, "keys", "--out", folder / "keys", "--json"], check=True, capture_output=True,
                                     timeout=30).stdout)
    # Accepts every box by its name, because enrolment is the subject of join.py.
    (folder / "acl").write_text(
        "user fleet\ntopic readwrite adhand/v1/noor/#\n\nuser enrol\ntopic write adhand/v1/noor/enrol/+\n\nuser house\n"
        "topic readwrite #\n\n"
        "pattern write adhand/v1/noor/%u/up/#\npattern read adhand/v1/noor/%u/down/#\npattern read adhand/v1/noor/all/down/#\n")
    (folder / "broker.conf").write_text(
        f"listener {broker_port} 127.0.0.1\nallow_anonymous true\nacl_file {folder}/acl\nuser root\n")
    broker = run("/usr/sbin/mosquitto", "-c", folder / "broker.conf")
    probe = ["mosquitto_pub", *CLIENT, "-t", "adhand/v1/noor/x", "-m", "x"]
    expect("the broker answers", until(lambda: subprocess.run(probe, capture_output=True, check=False, timeout=60).returncode == 0, 20))

    config.write_text(
        'timezone = "Europe/London"\n[location]\nname = "Trial"\nlatitude = 51.5\nlongitude = -0.1\n[audio]\n' f'devices = ["{DEVICE}"]\n'
        "[control.grants]\n" + json.dumps(pwd.getpwuid(os.getuid()).pw_name) + ' = ["mute", "stop", "fleet"]\n')
    (folder / "house-password").write_text("house\n")
    settings.write_text(
        f'[mqtt]\nbroker = ["mqtt://127.0.0.1:{broker_port}"]\nusername = "house"\npassword-file = "{folder}/house-password"\n')
    start_adhand()
    start_bridge()
    listener.open()
    expect("the house is connected", until(house_connected, 20), status())

    # A box that was never in a fleet.
    done = leave()
    expect("a box of no fleet has none to leave", done.returncode == 64 and "no fleet" in done.stderr, done)

    join("a box comes in by its card")
    expect("it has a password, a word and a way in", all(file.exists() for file in TRACES), remains())

    # A request by a stranger, and one that comes too early.
    answer = ask()
    expect("the bridge forgets nothing while adhand belongs to the fleet",
           isinstance(answer, dict) and answer.get("error") == "member" and password.exists(), answer)
    if os.geteuid() == 0:
        answer = ask(["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"])
        expect("nobody but root may ask", isinstance(answer, dict) and answer.get("error") == "not-permitted" and password.exists(), answer)

    # The regular course.
    (folder / "called").unlink(missing_ok=True)
    began = time.monotonic()
    done = leave("--json")
    data = json.loads(done.stdout) if done.returncode == 0 else {}
    expect("the box leaves", done.returncode == 0 and data["reloaded"] and fleet_of_adhand() is None, done)
    print(f"        {time.monotonic() - began:.1f} s")
    expect("nothing of the fleet is left",
           not remains() and data.get("left") == [] and {str(file) for file in TRACES} <= set(data.get("removed", [])), (remains(), data))
    expect("it says what the way back is", WAY_BACK in data.get("message", ""), data)
    expect("the fleet has the farewell, and not a broker's word half a minute later", retained() == "offline", retained())
    expect("the bridge reads its settings again, and the house stays",
           (folder / "called").read_text().startswith("reload-or-try-restart adhan-bridge") and bridged.poll() is None
           and until(house_connected, 20) and status().get("fleet") is None, status())
    done = leave()
    expect("there is none to leave twice", done.returncode == 64 and "no fleet" in done.stderr, done)
    check = subprocess.run([BRIDGE, "--check", "--config", settings], capture_output=True, text=True, check=False, timeout=20)
    expect("the settings of the bridge are valid", check.returncode == 0, check)
    join("it comes back by a card whose word is open")

    # adhand is still in the fleet because the reload failed. The second command continues what the first one began.
    drop_in.write_text("# left by hand\n")
    done = leave()
    expect("a leave that was cut off before adhand learned of it is ended by the next one",
           done.returncode == 0 and fleet_of_adhand() is None and not remains() and WAY_BACK in done.stdout, (done, remains()))
    join("... and the box comes back")

    # The command is killed at every step.
    turn, killed = 0, 0
    while True:
        turn += 1
        done = leave(kill_at=turn)
        if done.returncode != -signal.SIGKILL:
            expect("a leave without a kill is whole", done.returncode == 0 and not remains(), (done, remains()))
            break
        killed += 1
        obeys = fleet_of_adhand() is not None
        expect(f"killed at step {turn}, a box that obeys can be reached", not obeys or password.exists() and link.exists(), remains())
        check = subprocess.run([BRIDGE, "--check", "--config", settings], capture_output=True, text=True, check=False, timeout=20)
        expect("... and the bridge would start", check.returncode == 0, check)
        if turn % 2:
            done = leave()
            expect("... and the next leave ends it", done.returncode == 0 and not remains() and fleet_of_adhand() is None
                   or done.returncode == 64 and not remains(), (done, remains()))
            expect("... where the fleet has the farewell", until(lambda: retained() == "offline", 20), retained())
        else:
            end_bridge()
            start_bridge()
            expect("... or a bridge that was ended comes up", until(house_connected, 20), status())
        join("... and the box comes back")
        if turn > 40:
            expect("a leave has an end", False)
            break
    expect("several steps were cut off", killed >= 4, killed)

    # Without a bridge, and with one that does not answer.
    join("back again")
    end_bridge()
    listener.close()
    done = leave()
    expect("without a bridge the files go all the same", done.returncode == 0 and not remains() and WAY_BACK in done.stdout,
           (done, remains()))
    start_bridge()
    expect("... and the bridge starts, for the house alone", until(house_connected, 20) and status().get("fleet") is None, status())
    listener.open()
    join("... and the box comes back")
    listener.is_asleep = True
    began = time.monotonic()
    done = leave()
    took = time.monotonic() - began
    expect("a bridge that says nothing holds a leave up for a while, and no longer",
           done.returncode == 0 and not remains() and 10 < took < 60, (done, remains(), took))
    expect("... and the fleet has its farewell", until(lambda: retained() == "offline", 20) and status().get("fleet") is None, status())
    listener.is_asleep = False
    join("... and the box comes back")

    # Without adhand, the files decide. The bridge is still connected to the fleet, so it forgets nothing before it has reloaded
    # its settings.
    end_adhand()
    done = leave("--json")
    data = json.loads(done.stdout) if done.returncode == 0 else {}
    expect("without adhand the configuration decides", done.returncode == 0 and not remains() and data["reloaded"] is False,
           (done, remains()))
    expect("... and the fleet has its farewell", until(lambda: retained() == "offline", 20), retained())
    start_adhand()
    expect("... and adhand starts without a fleet", fleet_of_adhand() is None)

    # The bridge's settings came only from the card; and a token file that another program's settings use.
    join("back again")
    kept = settings.read_text()
    settings.unlink()
    end_bridge()
    start_bridge()
    expect("with the card's settings alone", until(lambda: retained() == "online", 30), retained())
    (folder / "called").unlink(missing_ok=True)
    done = leave()
    expect("... the bridge is ended by its unit",
           done.returncode == 0 and (folder / "called").read_text().startswith("try-restart adhan-bridge") and bridged.wait(20) == 0
           and retained() == "offline" and not remains(), (done, remains()))
    settings.write_text(kept + f'[fleet]\nbroker = ["mqtt://127.0.0.1:{broker_port}"]\ntoken-file = "{token}"\n')
    card()
    link.unlink()
    authority.unlink()
    start_bridge()
    reload_adhand()
    expect("a way in that somebody wrote by hand", until(lambda: (status().get("fleet") or {}).get("membership") == "member", 60), status())
    done = leave("--json")
    data = json.loads(done.stdout) if done.returncode == 0 else {}
    expect("... keeps its word, without which the bridge would not start", done.returncode == 0 and remains() == ["fleet-token"]
           and str(token) in data.get("message", ""), (done, remains()))
    end_bridge()
    start_bridge()
    expect("... and it starts", until(house_connected, 20), status())
    settings.write_text(kept)

    # Only root may leave. The message is complete, and names the command to type.
    stranger = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    reach = [*stranger, "bash", "-c", 'exec -a adhanctl "$0" --version', str(ADHAND)]
    if os.geteuid() == 0 and subprocess.run(reach, capture_output=True, check=False, timeout=60).returncode != 0:
        print("skipped an ordinary user: this one cannot run the programs of the trial")
    elif os.geteuid() == 0:
        user = "nobody"
        card()
        password.write_text("{}")
        shutil.chown(etc, user)
        shutil.chown(drop_in.parent, user)
        for file in (config, drop_in):
            shutil.chown(file, user)
        state.chmod(0o700)
        link.parent.chmod(0o755)
        end_adhand()
        listener.close()
        words = [*stranger, "env", f"PATH={folder}/bin:{os.environ['PATH']}",
                 f"ADHAN_BOX_ETC={folder}/etc", f"ADHAN_BOX_BRIDGE={state}", f"ADHAN_BOX_MESSAGES={socket_path}", "bash", "-c",
                 'exec -a adhanctl "$0" "$@"', ADHAND, "fleet", "leave", "--config", config, "--socket", folder / "none", "--json"]
        done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False, timeout=60)
        data = json.loads(done.stdout) if done.returncode == 0 else {}
        left = {entry["file"] for entry in data.get("left", [])}
        expect("by an ordinary user the box leaves", done.returncode == 0 and "org" not in drop_in.read_text(), done)
        expect("... and what is left is named, with what to type", {str(link), str(password)} <= left and link.exists() and token.exists()
               and data.get("fix", "").startswith("sudo adhanctl fleet leave") and WAY_BACK not in data.get("message", ""), data)
        done = leave()
        expect("... which ends it", done.returncode == 0 and not remains(), (done, remains()))
        listener.open()
finally:
    expect("adhan-bridge messages ends by itself", listener.end())
    outcome = house.end()
sys.exit(outcome)
