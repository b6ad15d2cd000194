#!/usr/bin/env python3
"""A fake daemon for the tests of the screen: a mosque in London with fixed times, an iqama for each prayer, Friday congregations,
and the fast in Ramadan. It speaks as much Varlink as adhan-display needs.

usage: fake_adhand.py SOCKET    (reads one JSON object a line from standard input, and lets it change what it says)"""
import contextlib
import json
import os
import socket
import sys
import threading
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

ZONE = ZoneInfo("Europe/London")
TIMES = {"fajr": ("05:30", "06:00"), "dhuhr": ("12:05", "12:30"), "asr": ("14:05", "14:30"),
         "maghrib": ("16:05", "16:10"), "isha": ("18:00", "18:30")}
FRIDAYS = [("12:30", "12:50"), ("13:15", "13:35")]
RAMADAN = (date(2027, 2, 8), date(2027, 3, 9))
EID = date(2027, 3, 10)
world = {"healthy": True, "muted": False, "trusted": True, "approximate": False, "history": [], "place": "Whitechapel, London",
         "published_until": None, "last_error": None, "problem": None, "disabled": [], "iftar": True, "loss": None, "internal": None,
         "iqamas": {}, "awaiting": None, "unsaved": None}
listeners = []
lock = threading.Lock()


def at(day, clock):
    hour, minute = map(int, clock.split(":"))
    return datetime(day.year, day.month, day.day, hour, minute, tzinfo=ZONE).isoformat(timespec="milliseconds")


def occasions(first, count):
    for number in range(count):
        day = first + timedelta(days=number)
        stamp = day.strftime("%Y%m%d")
        source = "computed"
        if world["published_until"] and day.isoformat() <= world["published_until"]:
            source = "published"

        def one(kind, name, prayer, clock, slot=None, sounds=()):
            return {"id": f"{name}_{stamp}", "kind": kind, "prayer": prayer, "slot": slot or (1 if prayer else None),
                    "at": at(day, clock), "source": source, "sounds": list(sounds), "enabled": bool(sounds), "state": "upcoming"}

        ramadan = RAMADAN[0] <= day <= RAMADAN[1]
        if ramadan:
            yield one("wake", "wake", None, "04:30", sounds=["signal"])
            yield one("imsak", "imsak", None, "05:20")
        for prayer, (adhan, iqama) in TIMES.items():
            if prayer == "dhuhr" and day.weekday() == 4:
                for slot, (khutba, prays) in enumerate(FRIDAYS, 1):
                    suffix = "" if slot == 1 else f"-{slot}"
                    if slot == 1:
                        yield one("adhan", "jumua", "jumua", "12:05", slot, ["standard"])
                    yield one("khutba", "khutba" + suffix, "jumua", khutba, slot)
                    yield one("iqama", "iqama_jumua" + suffix, "jumua", prays, slot)
                continue
            iqama = world["iqamas"].get(prayer, iqama)
            if prayer == "maghrib" and ramadan and world["iftar"]:
                yield one("iftar", "iftar", None, adhan)
            yield one("adhan", prayer, prayer, adhan, 1, ["standard"])
            yield one("iqama", "iqama_" + prayer, prayer, iqama)
            if prayer == "isha" and ramadan:
                yield one("tarawih", "tarawih", None, "19:00")
        yield one("sunrise", "sunrise", None, "07:20")
        if day == EID:
            yield one("eid", "eid", None, "08:00")
            yield one("eid", "eid-2", None, "09:30")


def times(first, count):
    hijri = (date(2026, 11, 20), (1448, 6, 10))
    days = []
    for number in range(count):
        day = first + timedelta(days=number)
        offset = (day - hijri[0]).days + hijri[1][2] - 1
        month = hijri[1][1] - 1 + offset // 30
        days.append({"date": day.isoformat(), "events": {}, "notes": {},
                     "hijri": {"year": 1448 + month // 12, "month": month % 12 + 1, "day": offset % 30 + 1, "text": ""}})
    place = {"name": world["place"], "latitude": 51.5, "longitude": -0.1, "elevation": 0, "timezone": "Europe/London",
             "approximate": False}
    return {"location": place, "days": days, "calculation": {
        "method": "mwl", "asr": "standard", "highLatitude": "auto", "rounding": "nearest", "midnight": "standard"}}


def status():
    now = datetime.now(ZONE).isoformat(timespec="milliseconds")
    return {"version": "0.1.0", "now": now, "startedAt": now, "configuration": "none",
            "location": {"name": world["place"], "latitude": 51.5, "longitude": -0.1, "timezone": "Europe/London",
                         "approximate": world["approximate"]},
            "calculation": {"method": "mwl", "asr": "standard", "highLatitude": "auto"},
            "clock": {"synchronized": world["trusted"], "trusted": world["trusted"]},
            "mute": {"active": world["muted"], "until": None, "scope": None}, "next": None, "timers": [],
            "prayers": [{"prayer": name, "at": at(date.today(), times[0]), "enabled": name not in world["disabled"], "sound": ["standard"],
                         "volume": 80, "state": "upcoming"} for name, times in TIMES.items()],
            "playback": world.get("playback") or {"state": "idle"},
            "audio": {"devices": ["default"], "healthy": world["healthy"], "lastError": world["last_error"], "checkedAt": now},
            **({"awaiting": world["awaiting"]} if world["awaiting"] else {}),
            **({"stateLoss": world["loss"]} if world["loss"] else {}),
            **({"internalProblem": world["internal"]} if world["internal"] else {}),
            **({"configurationProblem": world["problem"]} if world["problem"] else {})}


def answer(method, parameters):
    name = method.split(".")[-1]
    if name in ("GetStatus", "Monitor"):
        return {"status": status()}
    if name == "GetAgenda" and world["awaiting"] == "place":
        return {"occasions": []}
    if name == "GetAgenda":
        found = list(occasions(date.fromisoformat(parameters["from"]), parameters["days"]))
        return {"occasions": sorted(found, key=lambda one: one["at"])}
    if name == "GetTimes":
        return {"times": times(date.fromisoformat(parameters["date"]), parameters["days"])}
    if name == "GetSettings":
        return {"change": len(world.get("settings", [])), "settings": world.get("settings", []), "keys": []}
    if name == "GetHistory":
        entries = world["history"]
        return {"history": {"days": 7, "due": len(entries), "played": len(entries), "announcements": entries}}
    if name in ("Mute", "Unmute"):
        world["muted"] = name == "Mute"
    elif name == "EnablePrayers":
        world["disabled"] = [one for one in world["disabled"] if one not in parameters["prayers"]]
    elif name == "DisablePrayers":
        world["disabled"] = world["disabled"] + parameters["prayers"]
    return {"message": name + " " + json.dumps(parameters, sort_keys=True)}


def serve(connection):
    with contextlib.suppress(ConnectionError):  # a caller may be killed at any time
        buffer = b""
        while chunk := connection.recv(65536):
            buffer += chunk
            while b"\0" in buffer:
                message, buffer = buffer.split(b"\0", 1)
                call = json.loads(message)
                with lock:
                    reply = {"parameters": answer(call["method"], call.get("parameters") or {})}
                    if world["unsaved"] and "message" in reply["parameters"]:
                        reply = {"error": "org.adhand.Control.StateNotSaved", "parameters": {"reason": world["unsaved"], "done": True}}
                    if call["method"].endswith("Monitor"):
                        reply["continues"] = True
                        listeners.append(connection)
                connection.sendall(json.dumps(reply).encode() + b"\0")


def change(line):
    event = {"at": datetime.now(ZONE).isoformat(timespec="milliseconds"), "event": "mute.changed", "level": "info", "message": "changed"}
    with lock:
        world.update(json.loads(line))
        for listener in list(listeners):
            try:
                listener.sendall(json.dumps({"parameters": {"event": event}, "continues": True}).encode() + b"\0")
            except OSError:
                listeners.remove(listener)


def main():
    path = sys.argv[1]
    if os.path.exists(path):
        os.unlink(path)
    server = socket.socket(socket.AF_UNIX)
    server.bind(path)
    server.listen(16)

    def accept():
        while True:
            connection, _ = server.accept()
            threading.Thread(target=serve, args=(connection,), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    print("ready", flush=True)
    for line in sys.stdin:
        change(line)


if __name__ == "__main__":
    main()
