#!/usr/bin/env python3
"""Tests that the display's own session ends as a whole whenever a part of it is killed, so that systemd restarts it, and that it
is never left blank or stuck. The compositor and the browser are real; the screen is wlroots' headless backend.

usage: kiosk.py ADHAN_KIOSK ADHAN_DISPLAY     Run as root it uses the account "games", because cage refuses root."""
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from page import expect, findings  # noqa: E402
from display import Display  # noqa: E402
from ends import until  # noqa: E402


class Session:
    """adhan-kiosk as its service would start it, with a service manager's notify socket."""

    def __init__(self, program, folder, port, account):
        self.folder, self.account, self.group = folder, account, None
        self.runtime = Path(folder, "run")
        environment = {"PATH": f"{folder}/bin:/usr/bin:/bin", "HOME": str(self.runtime), "RUNTIME_DIRECTORY": str(self.runtime),
                       "XDG_RUNTIME_DIR": str(self.runtime), "WLR_BACKENDS": "headless", "WLR_RENDERER": "pixman",
                       "WLR_LIBINPUT_NO_DEVICES": "1", "LC_ALL": "C.UTF-8",
                       **{name: os.environ[name] for name in ("LD_LIBRARY_PATH",) if name in os.environ}}
        shutil.rmtree(self.runtime, ignore_errors=True)
        self.runtime.mkdir(mode=0o700)
        options = {}
        if account:
            os.chown(self.runtime, account.pw_uid, account.pw_gid)
            options = {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
        self.log = open(folder + "/log", "w+")
        self.process = subprocess.Popen([program, "--port", str(port), "--server", folder + "/launcher.sock",
                                         "--config", folder + "/display.toml"], env=environment,
                                        stdout=self.log, stderr=self.log, cwd="/", start_new_session=True, **options)

    def said(self):
        return Path(self.folder, "log").read_text(errors="replace")

    def shows(self, seconds=40):
        return until(lambda: "the screen is on the display" in self.said() and self.members(), seconds)

    def ends(self, seconds):
        return until(lambda: self.process.poll() is not None, seconds)

    def members(self):
        """Every process of the session: the launcher, and the process group of the compositor."""
        found = []
        for entry in Path("/proc").iterdir():
            try:
                if not entry.name.isdigit():
                    continue
                # The fields after the name in brackets: state, parent, group.
                parent, group = map(int, (entry / "stat").read_text().rpartition(")")[2].split()[1:3])
                if parent == self.process.pid:
                    self.group = group
                if group == self.group or int(entry.name) == self.process.pid:
                    found.append((int(entry.name), (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()))
            except OSError:
                continue
        return [(pid, command) for pid, command in found if command]

    def kill(self, what, number=signal.SIGKILL):
        count = 0
        for pid in [pid for pid, command in self.members() if what in command]:
            try:
                os.kill(pid, number)
                count += 1
            except ProcessLookupError:
                pass  # it ended with one that was killed before it
        return count

    def leaves_nothing(self):
        return until(lambda: not self.members(), 8)

    def megabytes(self):
        total = 0
        for pid, _ in self.members():
            try:
                total += sum(int(line.split()[1]) for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
                             if line.startswith("Pss:"))
            except OSError:
                continue
        return total / 1024

    def close(self):
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(15)
        self.kill("")


def television(folder):
    """A cec-ctl that records how it is called."""
    tool = Path(folder, "bin/cec-ctl")
    tool.parent.mkdir()
    tool.write_text(f'#!/bin/sh\necho "$@" >> {folder}/run/cec\n')
    tool.chmod(0o755)


def main():
    kiosk, program = map(os.path.abspath, sys.argv[1:3])
    account = pwd.getpwnam("games") if os.geteuid() == 0 else None
    with tempfile.TemporaryDirectory(prefix="kiosk-") as folder:
        os.chmod(folder, 0o755)
        # That account may not be able to read the folder of the build.
        shutil.copy(kiosk, folder + "/adhan-kiosk")
        television(folder)
        display = Display(program, folder, '[night]\nenabled = false\nscreen = "cec"\n',
                          launcher=folder + "/launcher.sock")
        # The session looks up the scene by its own clock.
        display.clock.set(-display.clock.begins)
        port = int(display.url.rstrip("/").split(":")[-1])

        def start():
            return Session(folder + "/adhan-kiosk", folder, port, account)

        session = start()
        try:
            expect("cage and Chromium come up, and the page beats", session.shows())
            arguments = " ".join(command for _, command in session.members())
            token = Path(folder, "run/start.html").read_text().split("kiosk=")[1].split('"')[0]
            expect("no argument of a program tells the page's secret to other users", token not in arguments)
            expect("and no file does", oct(Path(folder, "run/start.html").stat().st_mode)[-3:] == "600")
            megabytes = session.megabytes()
            expect(f"the session has {megabytes:.0f} MB (PSS)", megabytes <= 430)
            calls = Path(folder, "run/cec")
            expect("the television was switched on", until(calls.exists, 10) and "--image-view-on" in calls.read_text())

            expect("a page that has died (\"Aw, Snap!\") ends the session within 75 s",
                   session.kill("type=renderer") > 0 and session.ends(75) and session.process.returncode == 1)
            expect("and the journal says why", "silent for a minute" in session.said())
            expect("nothing of it is left", session.leaves_nothing())

            session = start()
            expect("started again, it is back", session.shows())
            session.kill("type=renderer", signal.SIGSTOP)
            expect("a page that hangs ends the session, too", session.ends(90) and session.leaves_nothing())

            session = start()
            expect("the browser is killed", session.shows() and session.kill("/chromium --") > 0)
            expect("the session ends at once", session.ends(8) and session.process.returncode == 1 and session.leaves_nothing())

            session = start()
            expect("the compositor is killed", session.shows() and session.kill("cage -d") > 0)
            expect("the session ends at once", session.ends(8) and session.process.returncode == 1 and session.leaves_nothing())

            session = start()
            expect("and is back", session.shows())
            display.process.kill()
            display.process.wait(30)
            expect("without its server the page is left alone", not session.ends(75))
            session.process.terminate()
            expect("told to end, it ends in peace with all that it started",
                   session.ends(12) and session.process.returncode == 0 and session.leaves_nothing())
        finally:
            if findings.failures:
                print(session.said()[-2000:])
            session.close()
            display.daemon.terminate()
            display.daemon.wait(10)
            if display.process.poll() is None:
                display.process.terminate()
    sys.exit(findings.end())


if __name__ == "__main__":
    main()
