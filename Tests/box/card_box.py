"""A card and a box as folders, and what the box does with the card at a boot."""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent.parent)]
from findings import Findings  # noqa: E402

CHECKOUT = Path(__file__).resolve().parent.parent.parent
SOUNDS = CHECKOUT / "Resources/audio"
PLACE = '[location]\nname = "Our mosque"\nlatitude = 21.4225\nlongitude = 39.8262\n[audio]\ndevices = ["hall"]\n'
# A sound device that no check finds silent, and that needs no sound card.
HALL = "</usr/share/alsa/alsa.conf>\npcm.hall { type file slave.pcm null file /dev/null format raw }\n"
SECRET = 'correct "horse" battery'
findings = Findings()
expect = findings.expect

# This trial's adhanctl has its own state and configuration, whoever runs it.
ADHANCTL = """#!/bin/sh
words=" $* "
case $words in
    *" card "*)
        export LD_PRELOAD="$TOLD${LD_PRELOAD:+:$LD_PRELOAD}"
        exec "$RELEASE/adhanctl" "$@" --state-dir "$STATE" --config "$CONFIG" --audio-dir "$AUDIO" ;;
    *" timetable "* | *" times "*) exec "$RELEASE/adhanctl" "$@" --state-dir "$STATE" --config "$CONFIG" ;;
    *) exec "$RELEASE/adhanctl" "$@" ;;
esac
"""

# A disk that keeps only what "sync" had written when the power was cut. A hash that is recorded before the file that it describes
# is reported.
SYNC = """#!/bin/sh
echo "$*" >> "$ROOT/synced"
case $* in
    '') rm -rf "$ROOT/kept" && cp -a "$ROOT/etc" "$ROOT/kept" ;;
    */seen/*.new) diff -r "$ROOT/etc" "$ROOT/kept" >> "$ROOT/torn" 2>&1 ;;
esac
exit 0
"""


class Box:
    """A card and a box as folders, and the events of a boot."""

    def __init__(self, release, root):
        self.root = root
        self.card = root / "card"
        self.state = root / "state"
        self.config = root / "etc/adhand/adhand.toml"
        self.adhand = None
        shutil.rmtree(root, ignore_errors=True)
        for folder in ("card/sounds", "etc/adhand", "bin", "run", "adhand"):
            (root / folder).mkdir(parents=True)
        called = '#!/bin/sh\necho "$*" >> "$CALLED"\n'
        for name, text in (("adhanctl", ADHANCTL), ("systemctl", called), ("hostname", called), ("sync", SYNC)):
            (root / "bin" / name).write_text(text)
            (root / "bin" / name).chmod(0o755)
        (root / "asound.conf").write_text(HALL)
        self.called = root / "called"
        subprocess.run(["gcc", "-shared", "-fPIC", "-O2", CHECKOUT / "Tests/Lab/told_sync.c", "-o", root / "told_sync.so"], check=True,
                       timeout=60)
        self.environment = {
            "PATH": f"{root}/bin:{release}:/usr/sbin:/usr/bin:/sbin:/bin",
            "ROOT": str(root),
            "RELEASE": str(release),
            "STATE": str(root / "adhand"),
            "CONFIG": str(self.config),
            "AUDIO": str(SOUNDS),
            "CALLED": str(self.called),
            "ALSA_CONFIG_PATH": str(root / "asound.conf"),
            "ADHAND_SOCKET": str(root / "control.sock"),
            "ADHAN_BOX_CARD": str(self.card),
            "ADHAN_BOX_STATE": str(self.state),
            "ADHAN_BOX_ETC": str(root / "etc"),
            "ADHAN_BOX_RUN": str(root / "run"),
            "ADHAN_BOX_BRIDGE": str(root / "bridge"),
            "ADHAN_BOX_MESSAGES": str(root / "none"),
            "ADHAN_BOX_LIB": str(CHECKOUT / "box/lib"),
            "TOLD": str(root / "told_sync.so"),
            "ADHAN_BOX_PATIENCE": "10",
        }
        # The tests' clock (Tests/clocks.sh).
        self.environment |= {name: os.environ[name] for name in ("LD_PRELOAD", "CLOCK_AHEAD") if name in os.environ}
        self.release = release

    def put(self, name, content):
        file = self.card / name
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())

    def step(self, phase):
        done = subprocess.run(
            [CHECKOUT / "box/card.sh", phase],
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=120,
            check=False,
        )
        self.said = getattr(self, "said", "") + done.stdout
        if done.returncode:
            expect(f"card.sh {phase} ends with 0", False, f"{done.returncode}: {done.stdout}")
        return done.stdout

    def boot(self):
        """Runs both halves of the import, with adhand started between them. Returns the report."""
        self.said = ""
        self.shut_down()
        self.step("before")
        configuration = ["--config", self.config] if self.config.exists() else []
        self.adhand = subprocess.Popen(
            [self.release / "adhand", "--await-place", *configuration, "--audio-dir", SOUNDS, "--state-dir", self.root / "adhand",
             "--socket", self.environment["ADHAND_SOCKET"]],
            env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.step("after")
        return self.report()

    def report(self):
        file = self.card / "adhand-report.txt"
        return file.read_bytes().decode().rstrip() if file.exists() else ""

    def shut_down(self):
        if self.adhand:
            self.adhand.terminate()
            self.adhand.wait(timeout=20)
            self.adhand = None

    def everything(self):
        """All files that determine the box's behaviour, without those that are only reports."""
        files = [f for f in self.root.rglob("*") if f.is_file() and f.parts[len(self.root.parts)] in ("etc", "adhand")]
        kept = [f for f in files if not f.name.startswith(("state.json", "history", "configuration", "kept", "adhand.lock"))]
        return {str(f): hashlib.sha256(f.read_bytes()).hexdigest() for f in kept}
