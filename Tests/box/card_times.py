"""Tests that the timetables on a card are in force after its import."""

import json
import subprocess

from card_box import expect


def in_force(box):
    """The days that adhand itself calls by, as rows."""
    shown = subprocess.run([box.release / "adhanctl", "--socket", box.environment["ADHAND_SOCKET"], "timetable", "export", "--state-dir",
        box.root / "adhand"], env=box.environment, capture_output=True, text=True, timeout=60, check=False).stdout
    lines = [line for line in shown.splitlines() if line and not line.startswith("#")]
    names = lines[0].split(",") if lines else []
    wanted = ["date", "fajr", "sunrise", "dhuhr", "asr", "maghrib", "isha"]
    return sorted(",".join(dict(zip(names, line.split(",")))[name] for name in wanted)
                  for line in lines[1:]) if set(wanted) <= set(names) else shown


def timetables(box):
    rows = "date,fajr,sunrise,dhuhr,asr,maghrib,isha\n" + "".join(
        f"2027-01-{day:02d},05:40,06:59,12:27,15:37,17:55,19:25\n" for day in range(1, 29)
    )
    box.put("timetable.csv", rows.replace("12:27", "25:99"))
    report = box.boot()
    expect("a timetable with an impossible time is refused",
           "NOT taken over" in report and not list((box.root / "adhand").glob("timetable*")), report)
    box.put("timetable.csv", b"\xef\xbb\xbf" + rows.replace("\n", "\r\n").encode())
    report = box.boot()
    expect("a right one is imported", "NOT taken over" not in report and list((box.root / "adhand").glob("timetable*")), report + box.said)
    expect("and what was understood of it is reported",
           all(w in report for w in ("28 days, 2027-01-01 to", "clock", "columns  fajr, sunrise")), report)
    for what, table, told in (
        ("of the wrong hour", rows.replace("12:27", "13:27"), "3 h 57 min from the computed ones"),
        ("whose maghrib is before sunset", rows.replace("17:55", "12:55"), "maghrib does not come after asr"),
        ("of years past", rows.replace("2027", "2020"), "all days of the table are past"),
        ("with a day missing", rows.replace("2027-01-10,05:40,06:59,12:27,15:37,17:55,19:25\n", ""), "2027-01-10 has no row"),
    ):
        box.put("timetable.csv", table)
        report = box.boot()
        expect(f"a timetable {what} is taken over with a warning", "warning" in report and told in " ".join(report.split()), report)
        expect("  and it is in force, with nothing of the one before", in_force(box) == sorted(table.splitlines()[1:]), in_force(box))
    expect("which later reports have too, as the screen of a keyboard has not",
           box.boot() == report and "+1" not in report and "saved" not in report, report)
    box.put("timetable.csv", "# date,fajr\r\n\r\n")
    report = box.boot()
    shown = subprocess.run(["adhanctl", "timetable", "show"], env=box.environment | {"PATH": f"{box.root}/bin:/usr/bin:/bin"},
                           capture_output=True, text=True, timeout=60)
    expect("one of comments alone removes what was taken over", "removed" in report and "no timetable" in shown.stderr + shown.stdout,
           f"{report}{shown}")
    expect("and says so at later boots", box.boot() == report, box.report())
    box.put("timetable.csv", rows)
    expect("the table that comes again is taken over again", "28 days" in box.boot(), box.report())
    shorter = "\n".join(rows.splitlines()[:11]) + "\n"
    box.put("timetable.csv", shorter)
    box.boot()
    expect("of a table that is shorter than the one before only its own days are in force",
           in_force(box) == sorted(shorter.splitlines()[1:]), in_force(box))
    box.put("timetable.json", "[]")
    report = box.boot()
    good = "timetable.json           NOT taken over" in report and "take one of them away" in report and in_force(box) == sorted(
        shorter.splitlines()[1:])
    expect("of two tables the first stays in force, and the report says so", good, report)
    times = {"Date": "2027-01-01", "Fajr": "06:25", "Sunrise": "08:06", "Dhuhr": "12:05", "Asr": "13:48", "Maghrib": "16:03",
             "Isha": "17:43"}
    box.put("timetable.json", json.dumps([times]))
    box.put("timetable.csv", "# date,fajr\r\n")
    report = box.boot()
    good = "timetable.csv            says nothing any more" in report and "timetable.json           taken over" in report and in_force(
        box) == [",".join(times.values())]
    expect("one that says nothing stands in the way of none, and is reported", good, report)
    expect("and so at later boots", box.boot() == report, box.report())
    (box.card / "timetable.json").unlink()
    box.put("timetable.csv", rows)
    box.boot()
