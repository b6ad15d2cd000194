#!/usr/bin/env python3
"""Attacks the control socket for other trials: as many callers of several users, or as one caller. The kernel makes the users.

usage: crowd.py SOCKET hold KIND SECONDS UID...   32 connections of each user, renewed as they are ended
                                                  prints "ready" once each of them has had all of them
       crowd.py SOCKET ask UID GID METHOD [JSON]  one call; prints its seconds and the answer

KIND: half (a request that never ends), unread (answers that nobody reads), history (thousands of questions that nobody waits
for, and answers that nobody reads), refused (changes that are not permitted).
"""

import json
import os
import socket
import sys
import time

MOST = 32


def become(uid, gid):
    os.setgroups([])
    os.setgid(gid)
    os.setuid(uid)


def call(method, parameters=None, **more):
    text = {"method": f"org.adhand.Control.{method}", "parameters": parameters or {}, **more}
    return json.dumps(text).encode() + b"\0"


SAID = {
    "half": b'{"method":"org.adhand',
    "unread": call("GetLog", {"limit": 500}) * 50,
    "history": call("GetHistory", {"days": 3660}, oneway=True) * 500 + call("GetHistory", {"days": 3660}, more=True) * 50,
    "refused": call("Unmute", oneway=True) * 400,
}


def connect(path, kind):
    client = socket.socket(socket.AF_UNIX)
    client.settimeout(2)
    client.connect(path)
    client.setblocking(False)
    try:
        client.send(SAID[kind])
    except OSError:
        pass
    return client


def is_over(client):
    """Whether the other end has closed the connection. Data that it has sent stays unread."""
    try:
        return client.recv(1, socket.MSG_PEEK) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


def hold(path, kind, seconds, ready):
    """- Parameter ready: a pipe that is closed when all connections were open at the same time."""
    held = []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for client in [client for client in held if is_over(client)]:
            held.remove(client)
            client.close()
        try:
            while len(held) < MOST:
                held.append(connect(path, kind))
        except OSError:
            pass
        if len(held) == MOST and ready is not None:
            os.close(ready)
            ready = None
        time.sleep(0.05)


def ask(path, method, parameters):
    begin = time.monotonic()
    client = socket.socket(socket.AF_UNIX)
    client.settimeout(60)
    client.connect(path)
    client.sendall(call(method, parameters))
    answer = b""
    while not answer.endswith(b"\0"):
        piece = client.recv(65536)
        if not piece:
            sys.exit(f"{method}: no answer after {time.monotonic() - begin:.1f} s")
        answer += piece
    sys.stderr.write(f"{time.monotonic() - begin:.2f} {answer[:200].decode()}\n")


def main():
    path, what = sys.argv[1:3]
    if what == "ask":
        become(int(sys.argv[3]), int(sys.argv[4]))
        return ask(path, sys.argv[5], json.loads(sys.argv[6]) if len(sys.argv) > 6 else {})
    kind, seconds = sys.argv[3], float(sys.argv[4])
    children = []
    are_ready, ready = os.pipe()
    for uid in sys.argv[5:]:
        child = os.fork()
        if child == 0:
            become(int(uid), int(uid))
            hold(path, kind, seconds, ready)
            os._exit(0)
        children.append(child)
    os.close(ready)
    # The read ends when each child has closed its end.
    os.read(are_ready, 1)
    print("ready", file=sys.stderr, flush=True)
    for child in children:
        os.waitpid(child, 0)


if __name__ == "__main__":
    main()
