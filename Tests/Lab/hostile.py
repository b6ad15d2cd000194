#!/usr/bin/env python3
"""Sends malformed and unfinished requests from many callers at once, for this many seconds, for other trials. If root starts it,
it runs as an ordinary user.

usage: hostile.py SOCKET SECONDS
"""

import contextlib
import os
import resource
import socket
import sys
import threading
import time

STATUS = b'{"method":"org.adhand.Control.GetStatus"}\0'
MONITOR = b'{"method":"org.adhand.Control.Monitor","more":true}\0'
attempts = {}


def caller(path):
    client = socket.socket(socket.AF_UNIX)
    client.settimeout(1)
    client.connect(path)
    return client


def crowd(path):
    """A thousand connections at once that send nothing."""
    with contextlib.ExitStack() as held:
        for _ in range(1000):
            held.enter_context(contextlib.closing(caller(path)))


def slow(path):
    """Sends a request of one byte at a time that never ends."""
    with contextlib.closing(caller(path)) as client:
        for _ in range(100):
            client.send(b" ")
            time.sleep(0.1)


def oversized(path):
    with contextlib.closing(caller(path)) as client:
        client.sendall(b'{"method":"' + b"x" * 10_000_000)


def nested(path):
    with contextlib.closing(caller(path)) as client:
        client.sendall((b'{"parameters":' * 4000 + b"\0") + (b"[" * 65_000 + b"\0"))
        client.recv(100)


def gibberish(path):
    with contextlib.closing(caller(path)) as client:
        client.sendall(b"\xff\xfe\xed\xa0\x80" * 1000 + b"\0")
        client.recv(100)


def truncated(path):
    """Closes the connection in the middle of a word."""
    with contextlib.closing(caller(path)) as client:
        client.sendall(STATUS * 3 + STATUS[:20])


def half_closed(path):
    """Closes its sending half before the end of the message."""
    with contextlib.closing(caller(path)) as client:
        client.sendall(STATUS[:-1])
        client.shutdown(socket.SHUT_WR)
        client.recv(100)


def many_at_once(path):
    """Sends thousands of requests before it reads the first reply, and never reads most of them."""
    with contextlib.closing(caller(path)) as client:
        client.settimeout(0.5)
        try:
            client.sendall(STATUS * 5000)
        except TimeoutError:
            pass
        client.recv(1000)


def deaf(path):
    """Subscribes to all events and reads none of them."""
    with contextlib.closing(caller(path)) as client:
        client.sendall(MONITOR)
        time.sleep(2)


def again_and_again(attack, path, end):
    while time.monotonic() < end:
        attempts[attack.__name__] = attempts.get(attack.__name__, 0) + 1
        try:
            attack(path)
        except OSError:
            time.sleep(0.02)  # the limits exist to refuse such connections


def main():
    path, seconds = sys.argv[1], float(sys.argv[2])
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 4096), most))
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)
    attacks = [
        crowd,
        slow,
        slow,
        oversized,
        nested,
        gibberish,
        truncated,
        half_closed,
        many_at_once,
        deaf,
        deaf,
    ]
    end = time.monotonic() + seconds
    threads = [
        threading.Thread(target=again_and_again, args=(attack, path, end), daemon=True) for attack in attacks
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(seconds + 12)
    print(" ".join(f"{name} {count}" for name, count in attempts.items()), file=sys.stderr)


if __name__ == "__main__":
    main()
