#!/usr/bin/env python3
"""Tests that adhanctl withstands a compromised adhand, and the owner of the directory in which root works.
usage: client.py DIRECTORY-OF-PROGRAMS"""
import json, os, pathlib, shutil, signal, socket, subprocess, sys, tempfile, time

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent.parent)]
from findings import Findings  # noqa: E402

PROGRAMS = pathlib.Path(sys.argv[1]).resolve()
HERE = pathlib.Path(__file__).resolve().parent
STRANGER = 12345
findings = Findings()
expect = findings.expect


def adhanctl(home, *arguments, wait=90, cwd=None, prefix=()):
    environment = {"HOME": str(home), "XDG_RUNTIME_DIR": str(home), "PATH": "/usr/bin:/bin", "TZ": "Europe/London"}
    began = time.monotonic()
    done = subprocess.run([*prefix, PROGRAMS / "adhanctl", *arguments], env=environment, cwd=cwd, capture_output=True,
                          timeout=wait, stdin=subprocess.DEVNULL)
    return done, time.monotonic() - began


def status(directory):
    text = (HERE.parent / "AdhanctlTests/Fixtures/status.json").read_text()
    document = json.loads(text)
    document = document.get("status", document)
    document["stateDirectory"] = str(directory)
    document["configuration"] = "x"
    document["configurationLookedFor"] = ["/etc/adhand/adhand.toml"]
    return document


def serve(path, answer, user=None):
    """Runs a fake daemon in a process of its own. Returns the process id."""
    child = os.fork()
    if child:
        deadline = time.monotonic() + 30
        while not path.exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(0.05)
        return child
    try:
        if user:
            os.setgroups([]), os.setgid(user), os.setuid(user)
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(str(path))
        os.chmod(path, 0o666)
        listener.listen(16)
        while True:
            connection, _ = listener.accept()
            try:
                question = b""
                while not question.endswith(b"\0"):
                    question += connection.recv(4096) or b"\0"
                answer(connection, json.loads(question[:-1]))
            except (OSError, ValueError):
                pass
            connection.close()
    finally:
        os._exit(0)


def end(child):
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def turn(link, targets):
    """Switches a link between two targets as fast as possible. Returns the process id."""
    child = os.fork()
    if child:
        return child
    os.setgroups([]), os.setgid(STRANGER), os.setuid(STRANGER)
    new = f"{link}.new"
    while True:
        for target in targets:
            os.symlink(target, new)
            os.rename(new, link)


def turning_directory(room):
    """root writes to a path that a daemon names. Its directory is a link that alternates between a directory of the daemon and
    one of root."""
    lair, secret = room / "lair", room / "secret"
    (lair / "state").mkdir(parents=True)
    (lair / "state/adhand.lock").touch()
    secret.mkdir(mode=0o700)
    for path in [lair, *lair.rglob("*")]:
        os.chown(path, STRANGER, STRANGER)
    link = lair / "turning"

    def answer(connection, question):
        reply = {"parameters": {"status": status(link)}} if question["method"].endswith("GetStatus") else \
            {"error": "org.varlink.service.MethodNotImplemented", "parameters": {"method": question["method"]}}
        connection.sendall(json.dumps(reply).encode() + b"\0")

    os.symlink(lair / "state", link)
    daemon = serve(lair / "s", answer, STRANGER)
    turner = None
    try:
        table = room / "t.csv"
        table.write_text("date,fajr,sunrise,dhuhr,asr,maghrib,isha\n2026-11-24,05:40,07:30,11:50,13:55,16:00,17:40\n")
        sound = HERE.parent / "PlaybackTests/Fixtures/cbr64_44k_mono.mp3"
        done, _ = adhanctl(room, "--socket", str(lair / "s"), "timetable", "import", str(table), "--yes")
        expect("where the link stays, the daemon's own directory is written in",
               done.returncode == 0 and (lair / "state/timetable.csv").exists(), done.stderr.decode().strip())
        turner = turn(link, [secret, lair / "state"])
        written = 0
        for _ in range(3):
            for command in (["timetable", "import", str(table), "--yes"], ["timetable", "undo"],
                            ["sound", "add", str(sound), "--name", "x", "--replace"], ["sound", "remove", "x"]):
                done, _ = adhanctl(room, "--socket", str(lair / "s"), *command)
                written += done.returncode == 0
            if any(secret.iterdir()):
                break
        expect(f"a link that turns between check and use, {written} changes in the daemon's own directory", not any(secret.iterdir()),
               f"root wrote {sorted(p.name for p in secret.iterdir())}")
        strange = [p for p in (lair / "state").rglob("*") if p.stat().st_uid != STRANGER]
        expect("what root makes there is the daemon's", not strange, ", ".join(map(str, strange)))
    finally:
        if turner:
            end(turner)
        end(daemon)


def output_links(room):
    """root's reports must follow no link in another user's directory, nor stay with the owner of an older file."""
    theirs = room / "theirs"
    theirs.mkdir()
    os.chown(theirs, STRANGER, STRANGER)
    today = time.strftime("%Y-%m-%d")
    victim, made = room / "victim", room / "made"
    victim.write_text("kept\n")
    for name in (f"adhand-feedback-{today}.txt", "dangling"):
        os.symlink(made, theirs / name)
    os.symlink(victim, theirs / "full")
    old = theirs / "old"
    old.write_text("old\n")
    os.chown(old, STRANGER, STRANGER)
    nobody = ["--socket", "/nowhere/s"]
    report = ["feedback", "--kind", "idea", "--text", "x"]
    adhanctl(room, *nobody, *report, cwd=theirs)
    adhanctl(room, *nobody, *report, "--output", "dangling", cwd=theirs)
    for name in ("dangling", "full", "old"):
        adhanctl(room, *nobody, "diagnostics", "--output", name, cwd=theirs)
    expect("a link in somebody else's directory makes no file", not made.exists())
    expect("a link in somebody else's directory empties no file", victim.read_text() == "kept\n")
    expect("a report in place of an older file is the writer's alone",
           old.stat().st_uid == os.geteuid() and old.stat().st_mode & 0o777 == 0o600)


def endless_answer(room):
    """The answer has endless parts; the client gives up by size and by time."""
    def answer(connection, question):
        part = {"continues": True, "parameters": {"history": {"days": 1, "due": 0, "played": 0, "announcements": []}}}
        if question["method"].endswith("GetHistory"):
            block = (json.dumps(part).encode() + b"\0") * 500
            while True:
                connection.sendall(block)

    daemon = serve(room / "e", answer)
    try:
        limit = ["bash", "-c", 'ulimit -v 3000000; exec "$@"', "-"]
        done, took = adhanctl(room, "--socket", str(room / "e"), "history", prefix=limit)
        sentence = done.stderr.decode()
        expect(f"an answer without end is given up after {took:.0f} s",
               done.returncode == 1 and "had not finished" in sentence and took < 75, (done.returncode, sentence))
    except subprocess.TimeoutExpired:
        expect("an answer without end is given up", False, "still reading after 90 s")
    finally:
        end(daemon)


room = pathlib.Path(tempfile.mkdtemp(prefix="ah-"))
os.chmod(room, 0o755)
try:
    if os.geteuid() == 0:
        output_links(room)
        turning_directory(room)
    else:
        print("left out  what only root can be led to: run as root")
    endless_answer(room)
finally:
    shutil.rmtree(room)
sys.exit(findings.end())
