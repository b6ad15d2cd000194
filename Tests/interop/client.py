"""Tests that the `varlink` package can talk to adhand: introspection, every kind of answer, errors, and a stream."""
import signal
import sys
import threading
import time

import varlink

ADDRESS = "unix:" + sys.argv[1]
# The package waits for an answer without a limit.
SECONDS = 300


def wait_for_socket():
    """A client of a listening daemon. Creating a client does not connect, so the wait opens a connection."""
    client = varlink.Client.new_with_address(ADDRESS)
    deadline = time.monotonic() + 60
    while True:
        try:
            client.open("org.varlink.service").close()
            return client
        except (ConnectionError, FileNotFoundError):
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)


def expect(what, good, seen=""):
    if not good:
        sys.exit(f"interop: not so: {what}: {seen}")


def refused(call, error):
    try:
        call()
    except varlink.VarlinkError as refusal:
        expect(f"refused with {error}", refusal.error() == error, refusal.error())
        return refusal.parameters()
    sys.exit(f"interop: expected {error}, got an answer")


def too_long(*_):
    raise TimeoutError(f"adhand has not answered everything within {SECONDS} s")


signal.signal(signal.SIGALRM, too_long)
signal.alarm(SECONDS)
client = wait_for_socket()
with client.open("org.varlink.service") as service:
    info = service.GetInfo()
    expect("GetInfo names the interface", "org.adhand.Control" in info["interfaces"], info)

with client.open("org.adhand.Control") as control:
    status = control.GetStatus()["status"]
    expect("the status has the place", status["location"]["name"] == "Queens, New York", status)
    expect("the status has five prayers", len(status["prayers"]) == 5, status)
    # The package leaves out null values.
    expect("it does not start muted", status["mute"] == {"active": False}, status)

    reply = control.Mute(duration="2h")
    expect("a mute says until when", reply["message"].startswith("muted until "), reply)
    expect("the mute takes", control.GetStatus()["status"]["mute"]["active"])
    control.Unmute()
    expect("the unmute takes", not control.GetStatus()["status"]["mute"]["active"])

    control.DisablePrayers(["isha"])
    timers = [timer["id"] for timer in control.GetTimers()["timers"]]
    expect("a disabled prayer is not armed", timers and not any("isha" in name for name in timers), timers)
    control.EnablePrayers(["isha"])

    reply = control.SkipPrayers(["fajr"])
    expect("a skip says what comes of it", "will not be called" in reply["message"], reply)
    skips = control.GetSkips()["skips"]
    expect("the skip is kept", [skip["prayer"] for skip in skips] == ["fajr"], skips)
    expect("the status tells the skip", control.GetStatus()["status"]["skips"][0]["date"] == skips[0]["date"], skips)
    control.UnskipPrayers(["fajr"], skips[0]["date"])
    expect("the skip is undone", control.GetSkips()["skips"] == [])
    refused(lambda: control.UnskipPrayers(["fajr"]), "org.adhand.Control.NothingSet")

    unknown = refused(lambda: control.EnablePrayers(["tahajjud"]), "org.adhand.Control.UnknownPrayer")
    expect("an unknown prayer is named, with those that there are", unknown["prayer"] == "tahajjud" and "fajr" in unknown["allowed"],
           unknown)
    refused(lambda: control.Stop(), "org.adhand.Control.NothingPlaying")
    refused(lambda: control.Trigger("asr"), "org.adhand.Control.DebugDisabled")
    refused(lambda: control.Mute(until="25:00"), "org.adhand.Control.InvalidTime")

    played = control.TestPlay("fajr", 0.5)
    expect("a test names its sound", "standard" in played["message"], played)

    times = control.GetTimes("2026-11-20", 3)["times"]
    expect("three days of times", [day["date"] for day in times["days"]] == ["2026-11-20", "2026-11-21", "2026-11-22"], times)
    agenda = control.GetAgenda("2026-11-21", 2)["occasions"]
    expect("two days of the agenda", [o["id"] for o in agenda if o["kind"] == "sunrise"] == ["sunrise_20261121", "sunrise_20261122"],
           agenda)
    expect("the history is of seven days", control.GetHistory(7)["history"]["days"] == 7)
    expect("the log is not empty", control.GetLog(5)["entries"])

with client.open("org.adhand.Control") as watcher, client.open("org.adhand.Control") as control:
    # The package sends the call when the first event is requested.
    events = watcher.Monitor(_more=True)
    muting = threading.Timer(0.5, control.Mute)
    muting.start()
    # On a busy machine, the end of the test sound may not have arrived yet.
    seen = [next(events)["event"]["event"]]
    while seen[-1].startswith("test."):
        seen.append(next(events)["event"]["event"])
    expect("the monitor sees the mute", seen[-1] == "mute.changed", seen)
    muting.join(60)

print("interop: the varlink package understands adhand")
