"""Start-up, answer and memory of adhand, beside MPD and cron with mpg123. usage: footprint.py RELEASE-DIRECTORY ROUNDS"""
import os
import pathlib
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time

RELEASE, ROUNDS = pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2])
WORK = pathlib.Path(tempfile.mkdtemp(prefix="adhand-footprint-"))
SOUND = pathlib.Path("Resources/audio/signal.mp3").resolve()
failed = False


def milliseconds(since):
    return (time.monotonic() - since) * 1000


def resident(pid):
    """Resident memory, in MB of a million bytes."""
    for line in open(f"/proc/{pid}/status"):
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024 / 1e6
    return 0


def row(what, figure, unit, limit=None, other=""):
    global failed
    verdict = ""
    if limit is not None:
        verdict = f"limit {limit:g}" if figure <= limit else f"OVER the limit of {limit:g}"
        failed |= figure > limit
    print(f"  {what:<46}{figure:9.1f} {unit:<3} {verdict:<18} {other}".rstrip())


def ended(process):
    process.send_signal(signal.SIGTERM)
    process.wait(10)


def adhand():
    """Starts it as systemd would; returns the process and the milliseconds from exec to READY=1."""
    path = str(WORK / "notify")
    pathlib.Path(path).unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notify:
        notify.bind(path)
        notify.settimeout(10)
        environment = dict(os.environ, NOTIFY_SOCKET=path, ALSA_CONFIG_PATH=str(WORK / "asound.conf"))
        began = time.monotonic()
        process = subprocess.Popen(
            [RELEASE / "adhand", "--config", WORK / "adhand.toml", "--state-dir", WORK / "state", "--socket",
             WORK / "control.sock", "--audio-dir", SOUND.parent], env=environment, stderr=subprocess.DEVNULL)
        while b"READY=1" not in notify.recv(4096).split(b"\n"):
            pass
        return process, milliseconds(began)


def mpd():
    """Starts MPD on the null device; returns the process and the milliseconds until it greets a client."""
    path = WORK / "mpd.sock"
    path.unlink(missing_ok=True)
    (WORK / "music").mkdir(exist_ok=True)
    (WORK / "mpd.conf").write_text(
        f'music_directory "{WORK}/music"\ndb_file "{WORK}/mpd.db"\nbind_to_address "{path}"\n'
        'audio_output {\n type "alsa"\n name "null"\n device "null"\n}\n')
    began = time.monotonic()
    process = subprocess.Popen(["mpd", "--no-daemon", str(WORK / "mpd.conf")], stderr=subprocess.DEVNULL)
    while time.monotonic() - began < 10:
        try:
            with socket.socket(socket.AF_UNIX) as client:
                client.connect(str(path))
                if client.recv(64).startswith(b"OK MPD"):
                    return process, milliseconds(began)
        except OSError:
            time.sleep(0.0005)
    raise SystemExit("mpd did not start")


def several(start):
    times = []
    for _ in range(ROUNDS):
        process, took = start()
        ended(process)
        times.append(took)
    return statistics.median(times)


def whole(command, environment=None):
    times = []
    for _ in range(ROUNDS):
        began = time.monotonic()
        subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=True)
        times.append(milliseconds(began))
    return statistics.median(times)


def main():
    (WORK / "asound.conf").write_text("pcm.!default { type null }\n")
    (WORK / "adhand.toml").write_text(
        'timezone = "Etc/UTC"\n[location]\nlatitude = 21.4225\nlongitude = 39.8262\n')
    load = os.getloadavg()[0]
    print(f"== footprint (median of {ROUNDS}; load average {load:.1f} on {os.cpu_count()} processors)")
    ready = several(adhand)
    process, _ = adhand()
    status = whole([RELEASE / "adhanctl", "--socket", WORK / "control.sock", "status"])
    # What starting needed is given back two to three seconds after the last thing that happened.
    time.sleep(6)
    memory = resident(process.pid)
    ended(process)
    row("adhand: exec to ready", ready, "ms", 50)
    row("adhanctl status, the whole process", status, "ms", 15)
    row("adhand: resident memory, idle", memory, "MB", 12)

    if shutil.which("mpd"):
        began = several(mpd)
        process, _ = mpd()
        time.sleep(3)
        other = resident(process.pid)
        ended(process)
        row("MPD: exec to its greeting", began, "ms", other=f"adhand takes {ready / began:.2f} of it")
        row("MPD: resident memory, idle", other, "MB", other=f"adhand takes {memory / other:.2f} of it")
    if shutil.which("cron") and shutil.which("mpg123"):
        process = subprocess.Popen(["cron", "-f"], stderr=subprocess.DEVNULL)
        time.sleep(1)
        if process.poll() is None:
            row("cron: resident memory, idle", resident(process.pid), "MB")
            ended(process)
        # What lies between cron's minute and the first sample: a shell, and a player that loads, opens and decodes.
        quiet = dict(os.environ, ALSA_CONFIG_PATH=str(WORK / "asound.conf"))
        player = whole(["sh", "-c", f"exec mpg123 -q -o alsa -n 1 {SOUND}"], quiet)
        row("cron with mpg123: late by the player's start", player, "ms", other="and cron knows minutes only")


try:
    main()
finally:
    shutil.rmtree(WORK, ignore_errors=True)
sys.exit(failed)
