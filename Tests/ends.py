"""Waits and programs that end, for trials: whatever does not come within its time is named."""
import atexit
import os
import select
import signal
import sys
import time


def until(condition, seconds=30, what=None, pause=0.05):
    """Looks again and again whether the condition holds.
    - Parameter what: what comes with it. Where it is named, a trial that waits in vain ends with it.
    - Returns: what the condition gave at last."""
    end = time.monotonic() + seconds
    while not (found := condition()) and time.monotonic() < end:
        time.sleep(pause)
    if what and not found:
        sys.exit(f"{what} has not come within {seconds} s")
    return found


def with_trial(process):
    """Whatever ends the trial ends this program as well, a frozen one too.
    - Returns: it."""
    def end():
        if process.poll() is None:
            process.send_signal(signal.SIGCONT)
            process.kill()
            process.wait(20)
    atexit.register(end)
    return process


def line(stream, what, seconds=60):
    """The next line of a program's output, without its end.
    - Parameter stream: a pipe that is read by this function alone, so that nothing waits in its buffer.
    - Parameter what: whose line it is, for the message.
    - Returns: "" once the program has closed its output."""
    end, said = time.monotonic() + seconds, b""
    while not said.endswith(b"\n"):
        if not select.select([stream], [], [], max(0, end - time.monotonic()))[0]:
            raise TimeoutError(f"{what} has said nothing more for {seconds} s than {said!r}")
        # A byte at a time: the rest of the pipe is for another call, or for whoever reads the errors.
        byte = os.read(stream.fileno(), 1)
        if not byte:
            break
        said += byte
    return said.decode(errors="replace").rstrip("\n")
