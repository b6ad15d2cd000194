"""The year of film.py at its mosque, as adhand itself reports it, and the expected screen at each second of it."""
import datetime
import json
import subprocess

from clock import ZONE
from display import PAGE

YEAR = 2027
PRAYERS = ("fajr", "dhuhr", "asr", "maghrib", "isha")
EID_SECONDS = 900
MONTHS = json.loads((PAGE / "languages/en.json").read_text())["hijriMonths"]


def minute(at):
    return datetime.datetime.fromtimestamp(at, ZONE).strftime("%H:%M")


def spoken(seconds):
    hours, rest = divmod(seconds, 3600)
    return f"{hours}:{rest // 60:02}:{rest % 60:02}" if hours else f"{rest // 60}:{rest % 60:02}"


class Calendar:
    """The year as adhand reports it: days with their instants (Unix seconds)."""

    def __init__(self, release, folder):
        self.days = {}
        for number in range(130):
            self.read(release, folder, datetime.date(YEAR, 1, 30) + datetime.timedelta(days=number))
        self.ramadan = [day for day, one in self.days.items() if one["hijri"][1] == 9]
        self.eids = [day for day, one in self.days.items() if tuple(one["hijri"][1:]) in ((10, 1), (12, 10))]

    def read(self, release, folder, day):
        done = subprocess.run([f"{release}/adhanctl", "times", "--json", "--date", day.isoformat(), "--config", folder + "/adhand.toml"],
                              capture_output=True, text=True, check=True, timeout=60)
        one = json.loads(done.stdout)["days"][0]
        instant = lambda text: round(datetime.datetime.fromisoformat(text).timestamp())  # noqa: E731
        hijri = one["hijri"]
        self.days[day] = {"adhan": {prayer: instant(one["events"][prayer]) for prayer in PRAYERS},
                          "imsak": instant(one["events"]["imsak"]), "hijri": (hijri["year"], hijri["month"], hijri["day"]),
                          "iqama": {prayer: instant(text) for prayer, text in one["iqama"].items()}}

    def eid(self, day):
        return [round(datetime.datetime(day.year, day.month, day.day, *clock, tzinfo=ZONE).timestamp()) for clock in ((8, 0), (9, 30))]

    def expected(self, at):
        """The expected content of a frame of that second; parts that are left out are not checked."""
        day = datetime.datetime.fromtimestamp(at, ZONE).date()
        one, tomorrow = self.days[day], self.days.get(day + datetime.timedelta(days=1))
        wanted = {}
        fasts = day in self.ramadan
        eids = self.eid(day) if day in self.eids else []
        coming = [(instant, prayer) for prayer, instant in one["adhan"].items()] + [(instant, "eid") for instant in eids]
        coming += [(tomorrow["adhan"]["fajr"], "fajr")] if tomorrow else []
        due, prayer = min(pair for pair in coming if at < pair[0])
        name = {"fajr": "Fajr in", "dhuhr": "Dhuhr in", "asr": "Asr in", "maghrib": "Maghrib in", "isha": "Isha in",
                "eid": "Eid in"}[prayer]
        if prayer == "dhuhr" and day.weekday() == 4:
            name = "Jumu'ah in"
        if fasts and prayer == "maghrib":
            name = "Iftar in"
        morning = day if due == one["adhan"]["fajr"] else day + datetime.timedelta(days=1)
        if prayer == "fajr" and morning in self.ramadan and at < self.days[morning]["imsak"]:
            name, due = "Sahur ends in", self.days[morning]["imsak"]
        wanted.update(label=name, countdown=spoken(due - at))
        for prayer, adhan in one["adhan"].items():
            iqama = one["iqama"][prayer]
            if adhan <= at < adhan + 2:
                is_iftar = fasts and prayer == "maghrib"
                wanted.update(scene="adhan", over="Iftar" if is_iftar else "Adhan", dua=is_iftar)
            elif adhan + 2 <= at < iqama - 30:
                wanted.pop("label"), wanted.pop("countdown")
            elif iqama - 30 <= at < iqama:
                wanted.update(scene="to-iqama", label=f"{prayer.capitalize()} · Iqama in", countdown=spoken(iqama - at))
            elif iqama <= at < iqama + 30:
                wanted.update(scene="iqama")
            elif adhan - 300 <= at < adhan:
                wanted.update(scene="approaching")
        if one["adhan"]["fajr"] - 2700 <= at < one["adhan"]["fajr"] - 300:
            wanted.update(scene="home")
        for instant in eids:
            if instant <= at < instant + EID_SECONDS:
                wanted.update(scene="prayer", label="Eid", countdown="")
            elif instant - 300 <= at < instant:
                wanted.update(scene="approaching")
        evening = at >= one["adhan"]["maghrib"]
        date = tomorrow if evening else one
        if date:
            wanted["hijri"] = "{2} {1} {0} AH".format(date["hijri"][0], MONTHS[date["hijri"][1] - 1], date["hijri"][2])
            of = tomorrow if evening else one
            is_fast = (day + datetime.timedelta(days=1 if evening else 0)) in self.ramadan
            times = f"Imsak {minute(of['imsak'])}   ·   Iftar {minute(of['adhan']['maghrib'])}"
            wanted["fast"] = ("tomorrow   ·   " if evening else "") + times if is_fast else ""
        return wanted
