"""Start-up, answer, memory and wake-ups of adhand, beside MPD and cron with mpg123. usage: footprint.py RELEASE-DIRECTORY ROUNDS"""
import os
import pathlib
import select
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent.parent / "Tests")]
import ends  # noqa: E402

RELEASE, ROUNDS = pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2])
WORK = pathlib.Path(tempfile.mkdtemp(prefix="adhand-footprint-"))
SOUND = pathlib.Path("Resources/audio/signal.mp3").resolve()
# Seconds until a started program is idle, and seconds over which its wake-ups are counted.
SETTLING, REST = 100, 120
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


def switches(pid):
    """The voluntary context switches of all threads, which is how often the threads were woken."""
    counts = {}
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        try:
            text = (task / "status").read_text()
        except OSError:
            continue  # the thread has just ended
        counts[task.name] = int(text.partition("\nvoluntary_ctxt_switches:")[2].split()[0])
    return counts


def wakeups(pids, seconds):
    """The wake-ups per minute of each process over the same time, including threads that end during it."""
    last, sums = [switches(pid) for pid in pids], [0] * len(pids)
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        time.sleep(1)
        for index, pid in enumerate(pids):
            now = switches(pid)
            sums[index] += sum(count - last[index].get(thread, 0) for thread, count in now.items())
            last[index] = now
    return [total * 60 / seconds for total in sums]


def ended(process):
    process.send_signal(signal.SIGTERM)
    process.wait(10)


def adhand():
    """Starts adhand as systemd would. Returns the process and the milliseconds from exec to READY=1."""
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
    """Starts MPD on the null device. Returns the process and the milliseconds until it greets a client."""
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
                client.settimeout(10)
                client.connect(str(path))
                if client.recv(64).startswith(b"OK MPD"):
                    return process, milliseconds(began)
        except OSError:
            time.sleep(0.0005)
    raise SystemExit("mpd did not start")


def display():
    """Starts adhan-display for the running adhand, with the watchdog of its unit. Returns the process and its port."""
    process = subprocess.Popen(
        [RELEASE / "adhan-display", "--socket", WORK / "control.sock", "--listen", "127.0.0.1:0", "--page-dir",
         "Resources/display/page"], env=dict(os.environ, WATCHDOG_USEC="60000000"), stderr=subprocess.PIPE, text=True)
    return process, int(ends.line(process.stderr, "adhan-display").rstrip("/").rpartition(":")[2])


def companion(name, socket_path):
    """Starts adhan-companion for a user without a session bus."""
    home = WORK / name
    (home / "config/adhand").mkdir(parents=True)
    shutil.copy(WORK / "adhand.toml", home / "config/adhand")
    environment = {"HOME": str(home), "XDG_CONFIG_HOME": f"{home}/config", "XDG_DATA_HOME": f"{home}/data",
                   "XDG_RUNTIME_DIR": str(home), "ADHAND_SOCKET": str(socket_path), "PATH": os.environ["PATH"]}
    return subprocess.Popen([RELEASE / "adhan-companion", "run"], env=environment, stderr=subprocess.DEVNULL)


def rest():
    """The wake-ups per minute of all programs while nothing is due, beside those of other programs."""
    others = {}
    if shutil.which("mpd"):
        others["MPD: wake-ups a minute at rest"] = mpd()[0]
    if shutil.which("cron"):
        others["cron: wake-ups a minute at rest"] = subprocess.Popen(["cron", "-f"], stderr=subprocess.DEVNULL)
    lone, _ = adhand()
    # By then, the pauses between attempts to reach a missing bus and a missing daemon have grown to their maximum.
    alone = companion("alone", WORK / "nobody.sock")
    time.sleep(SETTLING)
    processes = {"adhand: wake-ups a minute at rest": (lone, 2), "adhan-companion, no bus and no adhand": (alone, 2)}
    processes |= {what: (process, None) for what, process in others.items() if process.poll() is None}
    for (what, (_, limit)), count in zip(
            processes.items(), wakeups([process.pid for process, _ in processes.values()], REST)):
        row(what, count, "", limit)
    for process in [alone, *others.values()]:
        if process.poll() is None:
            ended(process)

    screen, port = display()
    beside = companion("beside", WORK / "control.sock")
    time.sleep(SETTLING)
    nobody, person = wakeups([screen.pid, beside.pid], REST)
    row("adhan-display, nobody looks", nobody, "", 4, "watched by the service manager")
    row("adhan-companion beside adhand, no bus", person, "", 2)
    with socket.create_connection(("127.0.0.1", port), timeout=REST + 60) as viewer:
        viewer.sendall(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        reader = threading.Thread(target=read_to_the_end, args=[viewer], daemon=True)
        reader.start()
        time.sleep(3)
        row("adhan-display, one screen", wakeups([screen.pid], REST)[0], "", 70, "a tick each second")
        viewer.shutdown(socket.SHUT_RDWR)
        reader.join(10)
    for process in (screen, beside, lone):
        ended(process)


def read_to_the_end(connection):
    while connection.recv(65536):
        pass


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
        process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
        # A wait with a timeout polls after 0.5, 1.5, 3.5, 7.5 and 15.5 ms, which is too coarse to measure.
        descriptor = os.pidfd_open(process.pid)
        has_ended = bool(select.select([descriptor], [], [], 60)[0])
        times.append(milliseconds(began))
        os.close(descriptor)
        if not has_ended:
            process.kill()
        if process.wait(10) != 0:
            raise SystemExit(f"{command} ended with {process.returncode}")
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
    # Memory that starting needed is returned two to three seconds after the last event.
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
        # Between cron's minute and the first sample, a shell and a player start, and the player loads, opens and decodes the
        # file.
        quiet = dict(os.environ, ALSA_CONFIG_PATH=str(WORK / "asound.conf"))
        player = whole(["sh", "-c", f"exec mpg123 -q -o alsa -n 1 {SOUND}"], quiet)
        row("cron with mpg123: late by the player's start", player, "ms", other="and cron knows minutes only")
    rest()


try:
    main()
finally:
    shutil.rmtree(WORK, ignore_errors=True)
sys.exit(failed)
