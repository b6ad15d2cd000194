#!/usr/bin/env python3
"""Tests that three clients of Debian's Snapcast and a wired output play in step: on the loopback, how far apart a sound is heard
that starts at one instant.

usage: snapcast.py BENCH-PLAYBACK

Snapcast is fed as its manual says: by a device of ALSA's type "file" over "null" that writes into its pipe. The wired output and the
clients play on cards of the tests (Tests/Lab/pcm_lab.c), and what they are heard to play is looked at as it comes.
"""
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent.parent)]
from ends import until  # noqa: E402

CHECKOUT = Path(__file__).resolve().parents[2]
BENCH = Path(sys.argv[1]).resolve()
PORT = 21704
RATE, FRAME = 48000, 4
# Fraction of the largest sample that counts as the start of the sound, whatever volume a client applies.
LOUD = 1000
ROUNDS, MOST_APART_MS = 5, 30
LATENCY = 1.0

folder = Path(tempfile.mkdtemp(prefix="snapcast-"))
os.environ["ALSA_CONFIG_PATH"] = str(folder / "asound.conf")
names = ["wired", "client1", "client2", "client3"]
running = []


def run(name, *words):
    with open(folder / f"{name}.log", "w", encoding="utf-8") as log:
        running.append(subprocess.Popen([str(word) for word in words], stdout=log, stderr=log, stdin=subprocess.DEVNULL))


def onset(piece):
    """The first loud frame."""
    for at in range(0, len(piece) - FRAME + 1, FRAME):
        if abs(int.from_bytes(piece[at:at + 2], "little", signed=True)) > LOUD:
            return at // FRAME
    return None


def listen(name, heard, end):
    """The moments when sounds begin on a card: the last frame of a recording is played when it is written."""
    at, loud = 0, 0
    file = folder / f"{name}.raw"
    while not end.is_set():
        time.sleep(0.002)
        size = os.path.getsize(file) // FRAME * FRAME if file.exists() else 0
        if size <= at:
            continue
        now = time.time()
        with open(file, "rb") as raw:
            raw.seek(at)
            piece = raw.read(size - at)
        at = size
        found = onset(piece)
        if found is not None:
            if now - loud > 1.5:
                heard[name].append(now - (len(piece) // FRAME - found) / RATE)
            loud = now


subprocess.run(["gcc", "-shared", "-fPIC", "-O2", "-DPIC", CHECKOUT / "Tests/Lab/pcm_lab.c", "-o", folder / "libasound_module_pcm_lab.so",
                "-lasound"], check=True, timeout=60)
cards = "".join(f'pcm.{name} {{ type lab rate {RATE} format S16_LE channels 2 file "{folder}/{name}.raw" }}\n' for name in names)
cards += (f'pcm.snap {{ type plug slave.pcm {{ type file file "{folder}/snap.pipe" format raw slave.pcm null }}'
          f' slave.rate {RATE} slave.format S16_LE slave.channels 2 }}\n')
(folder / "asound.conf").write_text(f'</usr/share/alsa/alsa.conf>\npcm_type.lab {{ lib "{folder}/libasound_module_pcm_lab.so" }}\n' + cards)
os.mkfifo(folder / "snap.pipe")
# The pipe is held open, so that nobody waits for its other end.
pipe = os.open(folder / "snap.pipe", os.O_RDWR)
heard = {name: [] for name in names}
end = threading.Event()
try:
    run("server", "snapserver", "-c", "/dev/null", "--http.enabled=false", "--tcp.enabled=false", f"--stream.port={PORT}",
        f"--server.datadir={folder}", f"--stream.buffer={int(LATENCY * 1000)}",
        f"--stream.source=pipe://{folder}/snap.pipe?name=adhan&sampleformat={RATE}:16:2&codec=pcm&mode=read")
    until(lambda: socket.socket().connect_ex(("127.0.0.1", PORT)) == 0, what="snapserver")
    for number in (1, 2, 3):
        run(f"client{number}", "snapclient", "-h", "127.0.0.1", "-p", PORT, "-i", number, "--hostID", f"client{number}", "-s",
            f"client{number}")
    time.sleep(3)
    listeners = [threading.Thread(target=listen, args=(name, heard, end), daemon=True) for name in names]
    for listener in listeners:
        listener.start()
    for _ in range(ROUNDS):
        subprocess.run([BENCH, "together", CHECKOUT / "Resources/audio/signal.mp3", "1", "2", "wired", f"snap@{LATENCY}"], check=True,
                       timeout=30, stdout=subprocess.DEVNULL)
        time.sleep(2.5)
    end.set()
    for listener in listeners:
        listener.join(60)
finally:
    for process in running:
        process.kill()
        process.wait(30)
    os.close(pipe)

failed = False
for number, at in enumerate(heard["wired"][:ROUNDS]):
    apart = {name: next((1000 * (time - at) for time in times if abs(time - at) < 1), None) for name, times in heard.items()}
    worst = max(abs(value) if value is not None else 1e9 for value in apart.values())
    failed = failed or worst > MOST_APART_MS
    print(f"sound {number + 1}: " + ", ".join(f"{name} {'not heard' if value is None else f'{value:+.1f} ms'}" for name,
                                              value in apart.items()))
if len(heard["wired"]) < ROUNDS or failed:
    print(f"more than {MOST_APART_MS} ms apart, or not heard; see {folder}", file=sys.stderr)
    sys.exit(1)
print(f"all within {MOST_APART_MS} ms")
