"""What the desktop's rigs share."""
import time

faults = []


def check(is_true, what, shown=""):
    print(("ok   " if is_true else "FAIL ") + what + (f": {shown}" if shown else ""), flush=True)
    if not is_true:
        faults.append(what)


def eventually(condition, seconds=20):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return False
