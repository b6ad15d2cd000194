#!/usr/bin/env python3
"""Tests the calendar files of `adhanctl times` with the `icalendar` and `vobject` packages from PyPI. Each event must be there once,
at the instant that `--json` gives, with the chosen reminder, and a later file must declare itself newer.

usage: calendars.py ADHANCTL FOLDER
"""
import datetime as dt
import json
import os
import subprocess
import sys
import time

import icalendar
import vobject

ctl, folder = sys.argv[1:3]
PLACE = ["--latitude", "59.9139", "--longitude", "10.7522", "--timezone", "Europe/Oslo", "--method", "mwl"]
DAYS = ["--date", "2026-03-25", "--days", "10"]  # the clocks change on the 29th
NAMES = ["fajr", "dhuhr", "asr", "maghrib", "isha", "sunrise", "imsak"]


def run(*options):
    environment = dict(os.environ, XDG_CONFIG_HOME=folder)
    return subprocess.run([ctl, "times", *PLACE, *DAYS, *options], check=True, capture_output=True, env=environment, timeout=60).stdout


def expected():
    days = json.loads(run("--json"))["days"]
    return sorted(dt.datetime.fromisoformat(day["events"][name]).astimezone(dt.timezone.utc) for day in days for name in NAMES)


def check(what, holds, seen):
    if not holds:
        sys.exit(f"calendars.py: {what}: {seen}")


def read_by_icalendar(data):
    events = icalendar.Calendar.from_ical(data).walk("VEVENT")
    starts = []
    for event in events:
        starts.append(event.decoded("dtstart").astimezone(dt.timezone.utc))
        check("icalendar: DTSTAMP is in UTC", event.decoded("dtstamp").utcoffset() == dt.timedelta(0), event["dtstamp"])
        alarms = event.walk("VALARM")
        check("icalendar: one alarm, ten minutes before", [a.decoded("trigger") for a in alarms] == [dt.timedelta(minutes=-10)], alarms)
    ids = [str(event["uid"]) for event in events]
    check("icalendar: every UID once", len(set(ids)) == len(ids), ids)
    return sorted(starts), {str(e["uid"]): e.decoded("last-modified") if "last-modified" in e else e.decoded("dtstamp") for e in events}


def read_by_vobject(data):
    calendar = vobject.readOne(data.decode())
    calendar.validate(raiseException=True)
    starts = []
    for event in calendar.vevent_list:
        starts.append(event.dtstart.value.astimezone(dt.timezone.utc))
        check("vobject: the alarm", event.valarm.trigger.value == dt.timedelta(minutes=-10), event.valarm)
        check("vobject: a summary", bool(event.summary.value), event)
    return sorted(starts)


file = run("--format", "ics", "--include", "sunrise", "--include", "imsak", "--alarm", "10m")
wanted = expected()
check("events wanted", len(wanted) == 70, len(wanted))
starts, made = read_by_icalendar(file)
check("icalendar: the instants of --json", starts == wanted, [pair for pair in zip(starts, wanted) if pair[0] != pair[1]][:3])
starts = read_by_vobject(file)
check("vobject: the instants of --json", starts == wanted, [pair for pair in zip(starts, wanted) if pair[0] != pair[1]][:3])

time.sleep(1.1)
_, later = read_by_icalendar(run("--format", "ics", "--include", "sunrise", "--include", "imsak", "--alarm", "10m"))
check("the same events again, newer", made.keys() == later.keys() and all(later[uid] > made[uid] for uid in made), later)
print(f"calendars: {len(wanted)} events read alike by icalendar {icalendar.__version__} and vobject {vobject.VERSION}")
