"""A newly flashed box for walk.py: adhand, adhan-remote, adhan-display, adhan-touch and the scripts for its own network are
the real ones, with a clock of their own."""
import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from datetime import datetime, timedelta, timezone
from pathlib import Path

import hotspot
from clock import Clock
from display import PAGE
from harness import CHECKOUT, varlink
from ends import until
from touch import SECRET, serve
from zero import sound_card

NAME = "adhan-1a2b3c"
OWN, HOME = "10.77.77.1", "192.168.1.44"
PORT = 8790
# The morning of the coming Saturday, because with a clock behind the machine's, time limits of programs would be over at once.
NOW = datetime.now(timezone.utc)
BEGINS = (NOW + timedelta(days=(5 - NOW.weekday()) % 7 or 7)).replace(hour=10, minute=0, second=0, microsecond=0)
CARDS = {"default": "Default Audio Device", "plughw": "USB Audio Device, USB Audio\nHardware device with all software conversions",
         "hdmi": "vc4-hdmi-0, MAI PCM i2s-hifi-0\nHDMI Audio Output"}

# Passes the sockets as systemd does: the page for every network, and the one for the box's own network.
LISTENERS = """
import os, socket, sys
listeners = [socket.create_server(("::", int(sys.argv[2])), family=socket.AF_INET6, dualstack_ipv6=True),
         socket.create_server((sys.argv[1], 80))]
for index, number in enumerate([os.dup2(listener.fileno(), 20 + index) for index, listener in enumerate(listeners)]):
    os.dup2(number, 3 + index)
    os.close(number)
os.environ.update(LISTEN_FDS="2", LISTEN_PID=str(os.getpid()), LISTEN_FDNAMES="remote:setup")
os.execv(sys.argv[3], sys.argv[3:])
"""


class Newborn:
    """A newly flashed box: without a place, a network or an owner."""

    def __init__(self, programs, folder):
        self.programs, self.folder = Path(programs).resolve(), Path(folder)
        self.processes, self.threads, self.own = [], [], None
        self.journal = open(self.folder / "journal", "w")
        self.clock = Clock(folder)
        self.clock.set(round(BEGINS.timestamp() - time.time()) - self.clock.begins)
        self.control = str(self.folder / "control.sock")
        (self.folder / "box").mkdir()
        self.box = hotspot.Box(self.folder / "box")
        # The unit on a box has the same limit.
        self.box.environment["ADHAN_BOX_PAUSE"] = "3"
        # A service manager returns from a stop once the whole unit has ended; obey() does the rest meanwhile.
        with open(self.box.root / "bin/systemctl", "a") as file:
            file.write('case $* in "stop adhan-box-hotspot.service") while [ -e "$ADHAN_BOX_RUN/hotspot" ]; do sleep 0.1; done ;; esac\n')
        self.ended = threading.Event()
        self.join_socket = socket.socket(socket.AF_UNIX)
        self.listener = None

    def start(self):
        environment = {**sound_card(str(self.folder)), **self.clock.environment}
        run, state = self.box.root / "run", self.folder / "state"
        with open(self.folder / "asound.conf", "a") as file:
            # The words of alsa-lib for a Raspberry Pi with a USB card.
            for name, words in CARDS.items():
                file.write(f'pcm.!{name} {{ type plug slave.pcm "lab" hint {{ show on description "{words}" }} }}\n')
        (self.folder / "adhand.toml").write_text("")
        self.run("adhand", "--config", self.folder / "adhand.toml", "--state-dir", state, "--socket", self.control, "--audio-dir",
                 CHECKOUT / "Resources/audio", "--await-place", environment=environment)
        until(lambda: os.path.exists(self.control), what="adhand")
        self.follow(self.obey)
        self.bring_up()
        until((run / "hotspot").exists, what="the box's own network")
        self.join_socket.bind(str(run / "join.sock"))
        self.join_socket.listen(8)
        self.follow(self.answer_joins)
        credentials = self.folder / "credentials"
        credentials.mkdir()
        shutil.copy(self.box.root / "state/hotspot-key", credentials / "hotspot-key")
        (self.folder / "remote.toml").write_text("")
        environment |= {"CREDENTIALS_DIRECTORY": str(credentials), "ADHAN_NETWORK_FILE": str(run / "network.json"),
                        "ADHAN_JOIN_SOCKET": str(run / "join.sock")}
        pairing = self.folder / "pairing.sock"
        self.run("adhan-remote", "--config", self.folder / "remote.toml", "--socket", self.control, "--state-dir", self.folder / "remote",
                 "--pairing-socket", pairing, "--intake-socket", self.folder / "intake.sock", "--messages-socket",
                 self.folder / "messages.sock", "--set-up", before=[sys.executable, "-c", LISTENERS, OWN, str(PORT)],
                 environment=environment)
        until(pairing.exists, what="adhan-remote")
        until(lambda: self.set_up()["state"] == "open", what="the set-up")
        self.screen(environment, run)

    def screen(self, environment, run):
        (self.folder / "display.toml").write_text("")
        (self.folder / "secret").write_text(f"{SECRET}\n8787\n")
        self.addresses(OWN)
        touch = {**environment, "ADHAND_SOCKET": self.control, "ADHAN_TOUCH_SECRET": f"{self.folder}/secret",
                 "ADHAN_DISPLAY_CONFIG": f"{self.folder}/display.toml", "ADHAN_PAIRING_SOCKET": f"{self.folder}/pairing.sock",
                 "ADHAN_TOUCH_HOTSPOT": str(run / "hotspot"), "ADHAN_TOUCH_ADDRESSES": f"{self.folder}/addresses", "ADHAN_SET_UP": "yes"}
        self.listener = socket.create_server(("127.0.0.1", 8789))
        self.follow(serve, self.listener, self.programs / "adhan-touch", touch)
        self.run("adhan-display", "--socket", self.control, "--listen", "127.0.0.1:8787", "--page-dir", PAGE, "--config",
                 self.folder / "display.toml", environment={**environment, "ADHAN_SET_UP": "yes"})

    def run(self, program, *words, before=(), environment=None):
        process = subprocess.Popen([*before, self.programs / program, *words], stdout=self.journal, stderr=subprocess.STDOUT,
                                   env=environment)
        self.processes.append(process)

    def follow(self, work, *words):
        thread = threading.Thread(target=work, args=words, daemon=True)
        thread.start()
        self.threads.append(thread)

    def addresses(self, *numbers):
        (self.folder / "addresses").write_text("".join(f"{number}\n" for number in numbers))

    def set_up(self):
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(20)
            line.connect(str(self.folder / "pairing.sock"))
            line.sendall(b'{"method": "org.adhand.Remote.GetSetUp", "parameters": {}}\0')
            answer = b""
            while not answer.endswith(b"\0") and (piece := line.recv(65536)):
                answer += piece
            return json.loads(answer[:-1])["parameters"]

    @property
    def status(self):
        return varlink(self.control, "GetStatus")["status"]

    @property
    def network(self):
        return json.loads((self.box.root / "run/network.json").read_text())

    # The units that a service manager would start and stop.

    def bring_up(self):
        self.own = subprocess.Popen(["/bin/sh", hotspot.BOX / "hotspot.sh", "up"], env=self.box.environment, stdout=self.journal,
                                    stderr=subprocess.STDOUT, start_new_session=True)

    def take_down(self):
        if self.own and self.own.poll() is None:
            os.killpg(self.own.pid, signal.SIGTERM)
            self.own.wait(20)
            self.lay_down()
        self.own = None

    def lay_down(self):
        subprocess.run(["/bin/sh", hotspot.BOX / "hotspot.sh", "down"], env=self.box.environment, stdout=self.journal,
                       stderr=subprocess.STDOUT, timeout=60, check=False)

    def plug(self, is_wired):
        """A cable ends the box's own network; without a cable it returns."""
        self.box.network(is_wired, False)
        if is_wired:
            self.own.wait(60)
            self.lay_down()
        else:
            self.bring_up()
            until((self.box.root / "run/hotspot").exists, what="the box's own network")
        self.addresses(HOME if is_wired else OWN)

    def obey(self):
        done = 0
        while not self.ended.wait(0.1):
            lines = self.box.called.splitlines()
            for line in lines[done:]:
                if line.endswith("stop adhan-box-hotspot.service"):
                    self.take_down()
                elif line.endswith("start adhan-box-hotspot.service"):
                    self.bring_up()
            done = len(lines)

    def answer_joins(self):
        while True:
            try:
                line, _ = self.join_socket.accept()
            except OSError:
                return
            with line:
                subprocess.run(["/bin/sh", hotspot.BOX / "join.sh"], env=self.box.environment, stdin=line, stdout=line, stderr=self.journal,
                               timeout=120, check=False)

    def end(self):
        self.ended.set()
        for line in filter(None, (self.join_socket, self.listener)):
            with contextlib.suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)
            line.close()
        for process in reversed(self.processes):
            process.terminate()
        for process in reversed(self.processes):
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait(30)
        for thread in self.threads:
            thread.join(20)
        self.take_down()
        self.journal.close()

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.end()
            print(Path(self.journal.name).read_text()[-3000:], file=sys.stderr)
            raise
        return self

    def __exit__(self, *_):
        self.end()
