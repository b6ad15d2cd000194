"""Bounded waits and programs that end, for trials: each wait has a limit, and a message that names what did not come."""
import atexit
import os
import select
import signal
import sys
import time


def until(condition, seconds=30, what=None, pause=0.05):
    """Polls until the condition holds.
    - Parameter what: the thing that is awaited. If it is given, a trial that waits in vain ends with it as the message.
    - Returns: the condition's last value."""
    end = time.monotonic() + seconds
    while not (found := condition()) and time.monotonic() < end:
        time.sleep(pause)
    if what and not found:
        sys.exit(f"{what} has not come within {seconds} s")
    return found


def with_trial(process):
    """Ends the program when the trial ends for any reason, even if the program is frozen.
    - Returns: the program."""
    def end():
        if process.poll() is None:
            process.send_signal(signal.SIGCONT)
            process.kill()
            process.wait(20)
    atexit.register(end)
    return process


def line(stream, what, seconds=60):
    """The next line of a program's output, without its line end.
    - Parameter stream: a pipe that only this function reads, so that nothing stays in its buffer.
    - Parameter what: the name of the output, for the message.
    - Returns: "" if the program has closed its output."""
    end, received = time.monotonic() + seconds, b""
    while not received.endswith(b"\n"):
        if not select.select([stream], [], [], max(0, end - time.monotonic()))[0]:
            raise TimeoutError(f"{what} has said nothing more for {seconds} s than {received!r}")
        # Reads byte by byte, because the rest of the pipe is for another call, or for a reader of the errors.
        byte = os.read(stream.fileno(), 1)
        if not byte:
            break
        received += byte
    return received.decode(errors="replace").rstrip("\n")
