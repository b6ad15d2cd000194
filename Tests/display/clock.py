"""The clock of a server under test. It starts at ten in the morning at the mosque of fake_adhand.py, so a test sees the same
scenes at any hour, and a test can set it."""
import atexit
import functools
import os
import shutil
import subprocess
import tempfile
import time
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

ZONE = ZoneInfo("Europe/London")


@functools.cache
def library():
    # The clock of all tests (Tests/clocks.sh), from which this one continues.
    if "CLOCK_AHEAD" in os.environ:
        return os.environ["LD_PRELOAD"]
    folder = tempfile.mkdtemp(prefix="display-clock-")
    atexit.register(shutil.rmtree, folder)
    source = Path(__file__).parent.parent / "Lab/clock_ahead.c"
    subprocess.run(["gcc", "-shared", "-fPIC", "-O2", source, "-o", folder + "/clock.so", "-lpthread"], check=True, timeout=60)
    return folder + "/clock.so"


class Clock:
    def __init__(self, folder):
        self.file = Path(folder, "clock")
        ten = datetime.now(ZONE).replace(hour=10, minute=0, second=0, microsecond=0)
        self.begins = round(ten.timestamp() - time.time())
        self.set(0)
        self.environment = {"LD_PRELOAD": library(), "CLOCK_AHEAD_FILE": str(self.file)}

    def set(self, ahead):
        """Sets the clock to this many seconds from where it would be by itself."""
        self.ahead = self.begins + ahead
        new = self.file.with_suffix(".new")
        new.write_text(str(self.ahead))
        new.rename(self.file)

    def now(self):
        return datetime.fromtimestamp(time.time() + self.ahead, ZONE)
