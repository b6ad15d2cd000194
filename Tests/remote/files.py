"""Tests recordings, timetables and pictures from a phone: received, chosen, played, removed; incomplete, junk, too large, two
at once."""
import hashlib
import io
import os
import re
import socket
import struct
import threading
import time
import zipfile
import zlib

from harness import CHECKOUT, encoded, expect

RECORDINGS = CHECKOUT / "Tests/PlaybackTests/Fixtures"


def chunk(name, content):
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def png(width=8, height=8, rows=None):
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    rows = b"\0" * (height * (1 + 3 * width)) if rows is None else rows
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def trial(box, keeper, household):
    sounds(box, keeper, household)
    pictures(box, keeper)
    timetables(box, keeper)
    large(box, keeper)
    cut(box, keeper)


def done(answer):
    return answer.status, answer.json if answer.body.startswith(b"{") else answer.raw[:300]


def sounds(box, keeper, household):
    page, file = box.page, (RECORDINGS / "cbr64_44k_mono.mp3").read_bytes()
    answer = page.upload("/r/sound", keeper, file, [("name", "our-adhan"), ("prayer", "")], json=False)
    kept = list((box.folder / "state/sounds").rglob("*.mp3"))
    expect("a recording is added", answer.status == 303 and answer.header("location") == "/r/sounds" and len(kept) == 1, answer.raw[:300])
    expect("... as it was", kept and kept[0].read_bytes() == file)
    shown = page.look("/r/sounds", keeper).body.decode()
    expect("the page says so and shows it", "Received" in shown and "our-adhan" in shown, shown[:600])
    status, body = done(page.upload("/r/sound", keeper, file, [("name", "our-adhan")]))
    expect("a name that is taken: 409", (status, body["error"]) == (409, "in-use"), body)
    status, body = done(page.upload("/r/sound", keeper, file, [("name", "night"), ("prayer", "isha")]))
    expect("for a prayer it is chosen at once", status == 200 and box.value("adhan.isha.sound") == '"night"', body)
    expect("... as a change that can be undone", page.settle("/r/undo", {"change": body["change"]}, keeper)[0] == 200
           and box.value("adhan.isha.sound") != '"night"')
    status, body = page.settle("/r/settings", {"adhan.fajr.sound": "our-adhan", "page": "sounds"}, keeper)
    expect("a sound is chosen for a prayer", status == 200 and box.value("adhan.fajr.sound") == '"our-adhan"', body)
    status, body = page.settle("/r/test", {"prayer": "fajr"}, household)
    expect("it is tried", status == 200 or body["error"] == "no-sound", body)
    page.settle("/r/stop", {}, household)
    status, body = page.settle("/r/sound/remove", {"name": "our-adhan"}, keeper)
    expect("a sound that is chosen stays: 409",
           (status, body["error"]) == (409, "in-use") and box.value("adhan.fajr.sound") == '"our-adhan"', body)
    answer = page.act("/r/sound/remove", encoded({"name": "our-adhan"}), keeper)
    expect("... which the page says", answer.status == 409 and b"<h1>Sounds" in answer.body, answer.raw[:300])
    page.settle("/r/settings", {"adhan.fajr.sound": ""}, keeper)
    status, body = page.settle("/r/sound/remove", {"name": "our-adhan"}, keeper)
    expect("when it is not, it goes", status == 200 and not [s for s in box.ask("GetSounds")["sounds"] if s["name"] == "our-adhan"], body)
    status, body = page.settle("/r/sound/remove", {"name": "our-adhan"}, keeper)
    expect("... once", status == 409, body)
    status, body = page.settle("/r/sound/remove", {"name": "standard"}, keeper)
    expect("a shipped sound stays", status == 409, body)
    for name, fields, want, code in [
            ("no name", [], 422, "invalid"), ("a path as name", [("name", "../../etc/x")], 422, "invalid"),
        ("a name with a line end", [("name", "a\r\nb")], 422, "invalid"),
            ("a prayer that is none", [("name", "a"), ("prayer", "brunch")], 422, "invalid")]:
        status, body = done(page.upload("/r/sound", keeper, file, fields))
        expect(f"a recording with {name}: {want}", (status, body["error"]) == (want, code), body)
    for name, junk in [("random bytes", os.urandom(50_000)), ("an MP3 that is a picture", png() + file[:300]), ("nothing", b"")]:
        status, body = done(page.upload("/r/sound", keeper, junk, [("name", "junk")]))
        expect(f"{name}: refused", status in (400, 415) and body["error"] in ("content", "cut"), body)
    expect("a path in the file's name is no path",
           page.upload("/r/sound", keeper, file, [("name", "plain")], name="../../../etc/passwd").status == 200)
    expect("a line end in a head of the body is a head of its own",
           page.upload("/r/sound", keeper, file, [("name", "plain2")], name='a"\r\nX: "y').status == 200)
    page.settle("/r/sound/remove", {"name": "plain2"}, keeper)
    page.settle("/r/sound/remove", {"name": "plain"}, keeper)
    page.settle("/r/sound/remove", {"name": "night"}, keeper)
    expect("nothing is left in the spool", box.spooled == [], box.spooled)


def pictures(box, keeper):
    page, folder = box.page, box.folder / "slides"
    status, body = done(page.upload("/r/picture", keeper, png(40, 30)))
    digest = hashlib.sha256(png(40, 30)).hexdigest()
    expect("a picture is taken under its digest", status == 200 and body.get("picture") == digest and os.listdir(folder) == [digest], body)
    shown = page.look("/r/announcements", keeper).body.decode()
    expect("the form of an announcement has it", f'name="picture" value="{digest}"' in shown and 'value="slide" checked' in shown,
           shown[:900])
    if box.value("display.announcement") is not None:
        day = time.strftime("%Y-%m-%d", time.localtime(time.time() + 5 * 86400))
        fields = [("text", "Bazaar"), ("until", day), ("show", "slide"), ("picture", digest)]
        status, body = page.settle("/r/announcement", fields, keeper)
        expect("an announcement with its picture", status == 200 and digest in box.value("display.announcement"), body)
        shown = page.look("/r/announcements", keeper).body.decode()
        expect("... after which no picture waits", 'name="picture"' not in shown, shown[:900])
    for name, file, want in [("a bomb", png(rows=b"\0" * (16 << 20)), (413, 415)), ("half a picture", png()[:60], (415,)),
                             ("a drawing with a script", b"<svg onload='x'/>", (415,))]:
        status, body = done(page.upload("/r/picture", keeper, file))
        expect(f"{name} is refused", status in want, body)
    status, body = done(page.upload("/r/picture", keeper, bytes(4_000_001)))
    expect("a picture of more than 4 MB: 413", status == 413 and body["error"] == "too-large", body)
    expect("none of these is kept", os.listdir(folder) == [digest], os.listdir(folder))


def unseen(box, keeper, table):
    """Nobody can activate a timetable that they have not seen, and a second undo does not restore what the first one removed."""
    page = box.page
    other = page.pair("keeper", "Other office")
    answered = {"dates": "day-month"}

    def taken():
        return box.ask("GetTimetable")["table"].count("\n") > 4

    def mark(phone):
        return re.search(r'name="mark" value="(\d+)"', page.look("/r/timetable", phone).body.decode())[1]
    status, body = page.settle("/r/timetable/undo", {}, keeper)
    expect("a second undo: 409, and the table stays withdrawn", status == 409 and not taken(), body)
    page.upload("/r/timetable", keeper, table, name="times.csv")
    page.settle("/r/timetable/answer", answered, keeper)
    seen = mark(keeper)
    page.upload("/r/timetable", other, table.replace(b"06:00", b"05:00"), name="others.csv")
    page.settle("/r/timetable/answer", answered, other)
    for fields in ({"replace": "all", "mark": seen}, {"replace": "all"}):
        status, body = page.settle("/r/timetable/take", fields, keeper)
        expect("a file that came meanwhile is not taken by who saw another",
               (status, body.get("error")) == (409, "conflict") and not taken(), body)
    status, body = page.settle("/r/timetable/take", {"replace": "all", "mark": mark(keeper)}, keeper)
    expect("... but when he has looked", status == 200 and "05:00" in box.ask("GetTimetable")["table"], body)
    expect("... and undone by the other", page.settle("/r/timetable/undo", {}, other)[0] == 200 and not taken())
    status, body = page.settle("/r/timetable/undo", {}, keeper)
    expect("... whereupon there is nothing to undo", (status, body.get("error")) == (409, "nothing") and not taken(), body)
    page.act("/r/leave", "", other)


def removal(box, keeper):
    """A timetable that does not match the place blocks no setting. The page can remove it, and undo that once."""
    page, first = box.page, time.time() + 86400
    days = [time.strftime("%Y-%m-%d", time.localtime(first + day * 86400)) for day in range(60)]
    # The times are three hours off.
    table = "date,fajr,sunrise,dhuhr,asr,maghrib,isha\n" + "".join(f"{day},07:40,09:10,15:00,18:10,20:50,22:00\n" for day in days)
    page.settle("/r/settings", {"iqama.fajr.at": "+20m"}, keeper)
    page.upload("/r/timetable", keeper, table.encode(), name="elsewhere.csv")

    def count():
        return sum(day in box.ask("GetTimetable")["table"] for day in days)
    status, body = page.settle("/r/timetable/take", {"replace": "all"}, keeper)
    expect("a timetable of elsewhere is taken", status == 200 and count() == 60, body)
    expect("... and said not to fit", "Trial" in body["message"], body)
    for key, value in (("adhan.asr.volume", "33"), ("adhan.asr.volume", "34"), ("iqama.fajr.at", "")):
        status, body = page.settle("/r/settings", {key: value}, keeper)
        expect(f"... and {key} can be set all the same", status == 200, body)
    shown = page.look("/r/timetable", keeper).body.decode()
    expect("the page offers to remove it", 'action="/r/timetable/remove#here"' in shown, shown[:1500])
    answer = page.act("/r/timetable/remove", "", keeper)
    expect("it is removed", answer.status == 303 and answer.header("location") == "/r/timetable" and count() == 0, answer.raw[:300])
    expect("nothing is left to remove", page.settle("/r/timetable/remove", {}, keeper)[0] == 409)
    shown = page.look("/r/timetable", keeper).body.decode()
    expect("... the page offers it no more, but undo", "/r/timetable/remove" not in shown and "/r/timetable/undo" in shown, shown[:1500])
    expect("it comes back", page.settle("/r/timetable/undo", {}, keeper)[0] == 200 and count() == 60)
    expect("... once", page.settle("/r/timetable/undo", {}, keeper)[0] == 409 and count() == 60)
    page.settle("/r/timetable/remove", {}, keeper)
    expect("a setting of after it is taken", page.settle("/r/settings", {"adhan.asr.volume": ""}, keeper)[0] == 200)


def timetables(box, keeper):
    page, year = box.page, time.gmtime().tm_year + 1
    rows = [f"{day}/{month}/{year},06:00,07:40,12:10,14:10,16:30,18:10" for month in (1, 2) for day in range(1, 13)]
    table = ("date,fajr,sunrise,dhuhr,asr,maghrib,isha\n" + "\n".join(rows) + "\n").encode()
    status, body = done(page.upload("/r/timetable", keeper, table, name="times.csv"))
    expect("a timetable with an open question", status == 200 and body["question"] == "dates", body)
    shown = page.look("/r/timetable", keeper).body.decode()
    expect("... which the page asks", 'name="dates"' in shown and "Day, month" in shown and "/r/timetable/take" not in shown, shown[:900])
    status, body = page.settle("/r/timetable/take", {"replace": "all"}, keeper)
    expect("it is not taken before the answer", status == 409 and box.ask("GetTimetable")["table"].count("\n") < 4, body)
    status, body = page.settle("/r/timetable/answer", {"dates": "sideways"}, keeper)
    expect("a wrong answer: 422", (status, body["error"]) == (422, "invalid"), body)
    status, body = page.settle("/r/timetable/answer", {"dates": "day-month"}, keeper)
    expect("answered", status == 200 and "question" not in body, body)
    shown = page.look("/r/timetable", keeper).body.decode()
    expect("days and findings are shown, and how to take it",
           "<bdi>24</bdi>" in shown and "/r/timetable/take" in shown and "Warning" in shown, shown[:1500])
    expect("nothing is in force yet", box.ask("GetTimetable")["table"].count("\n") < 4)
    persian = page.look("/r/timetable?lang=fa", keeper).body.decode()
    expect("findings are said in the phone's language", "هشدار" in persian or "یادداشت" in persian, persian[:600])
    answer = page.act("/r/timetable/take", "replace=dates", keeper)
    expect("it is taken", answer.status == 303 and f"{year}-02-12" in box.ask("GetTimetable")["table"], answer.raw[:300])
    shown = page.look("/r/timetable", keeper).body.decode()
    expect("... and can be undone", "/r/timetable/undo" in shown and "/r/timetable/take" not in shown, shown[:900])
    status, body = page.settle("/r/timetable/undo", {}, keeper)
    expect("undone", status == 200 and f"{year}-02-12" not in box.ask("GetTimetable")["table"], body)
    expect("there is nothing left to take", page.settle("/r/timetable/take", {"replace": "all"}, keeper)[0] == 409)
    page.upload("/r/timetable", keeper, table, name="times.csv")
    page.settle("/r/timetable/answer", {"dates": "day-month"}, keeper)
    expect("it is taken again, as a whole", page.settle("/r/timetable/take", {"replace": "all"}, keeper)[0] == 200
           and f"{year}-01-03" in box.ask("GetTimetable")["table"])
    page.settle("/r/timetable/undo", {}, keeper)
    unseen(box, keeper, table)
    removal(box, keeper)
    status, body = done(page.upload("/r/timetable", keeper, b"PK\3\4" + os.urandom(3000), name="times.zip"))
    expect("a broken archive: 415", status == 415, body)


def large(box, keeper):
    """A recording of nearly 20 MB: how much of it the phone page keeps in memory."""
    page, frames = box.page, (RECORDINGS / "cbr64_44k_mono.mp3").read_bytes()
    # A debug build takes minutes for all of it.
    size = 19_900_000 if "release" in str(box.programs) else 1_500_000
    file = (frames * (size // len(frames) + 1))[:size]
    before, most, ended = box.rested(), [0], threading.Event()

    def watch():
        while not ended.is_set() and box.page.process.poll() is None:
            most[0] = max(most[0], box.memory())
            time.sleep(0.01)

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    began = time.monotonic()
    status, body = done(page.upload("/r/sound", keeper, file, [("name", "large")]))
    took = time.monotonic() - began
    ended.set()
    watcher.join(60)
    expect("a recording of 20 MB is taken or refused for what it is", status in (200, 415), body)
    print(f"a recording of {len(file)} bytes took {took:.1f} s; adhan-remote: {before} KB before, at most {most[0]} KB meanwhile")
    if size > 19_000_000:
        expect("adhan-remote holds at most 16 MB before", before <= 16 << 10, before)
        expect("... and 24 MB meanwhile", most[0] <= 24 << 10, most)
    for name, length in [("one byte more than a file may have", 20_000_001), ("too large by its length alone", 21_000_000)] * 3:
        began = time.monotonic()
        status, body = done(page.upload("/r/sound", keeper, bytes(length), [("name", "larger")]))
        took = time.monotonic() - began
        expect(f"{name}: 413", (status, body["error"] if status else "") == (413, "too-large"), body)
        expect("... as soon as it is sent", took < 20, took)
    end = time.monotonic() + 10
    while box.spooled and time.monotonic() < end:
        time.sleep(0.02)
    expect("... and nothing of it is left", box.spooled == [] and not (box.folder / "state/sounds/larger").exists(), box.spooled)
    page.settle("/r/sound/remove", {"name": "large"}, keeper)


def cut(box, keeper):
    page, file = box.page, bytes(900_000)
    head = ["POST /r/sound HTTP/1.1", f"Host: {page.host}", f"Origin: http://{page.host}", f"Cookie: adhan_remote={keeper}",
            "Content-Type: multipart/form-data; boundary=edge", f"Content-Length: {len(file) + 300}"]
    part = (b'--edge\r\nContent-Disposition: form-data; name="name"\r\n\r\nhalf\r\n--edge\r\nContent-Disposition: form-data; name="file";'
            b' filename="x"\r\n\r\n')
    slow = socket.create_connection(("127.0.0.1", page.port), timeout=20)
    slow.sendall("\r\n".join(head).encode() + b"\r\n\r\n" + part + file[:200_000])
    end = time.monotonic() + 10
    while not box.spooled and time.monotonic() < end:
        time.sleep(0.02)
    expect("half an upload lies in the spool", box.spooled == ["upload"], box.spooled)
    status, body = done(page.upload("/r/picture", keeper, png()))
    expect("one upload at a time: 503", (status, body["error"]) == (503, "busy"), body)
    expect("the page itself answers meanwhile", page.look("/r/", keeper).status == 200)
    slow.close()
    end = time.monotonic() + 10
    while box.spooled and time.monotonic() < end:
        time.sleep(0.02)
    expect("an upload that is cut off leaves nothing", box.spooled == [] and not (box.folder / "state/sounds/half").exists(), box.spooled)
    status, body = done(page.upload("/r/picture", keeper, png()))
    expect("and the next one is taken", status == 200, body)


def hostile(box, keeper):
    """Bodies that no browser sends."""
    page = box.page
    end = b"\r\n------edge--\r\n"
    for name, tail, want in [
            ("no end", b"", (400, 0)), ("another boundary at the end", b"\r\n------other--\r\n", (400,)),
        ("words behind the end", end + b"more", (400,)),
            ("a field behind the file", b'\r\n------edge\r\nContent-Disposition: form-data; name="x"\r\n\r\ny' + end, (400,)),
            ("two files", b'\r\n------edge\r\nContent-Disposition: form-data; name="file"; filename="b"\r\n\r\nz' + end, (400,))]:
        answer = page.upload("/r/sound", keeper, b"ID3" + bytes(500), [("name", "odd")], tail=tail or b" ")
        expect(f"an upload with {name}: refused", answer.status in want, answer.raw[:300])
    answer = page.upload("/r/sound", keeper, bytes(100), [("name", "x" * 5000)])
    expect("a field of 5000 bytes: refused", answer.status in (400, 422), answer.raw[:200])
    answer = page.upload("/r/sound", keeper, bytes(100), [(f"f{i}", "x") for i in range(40)])
    expect("forty fields: refused", answer.status == 400, answer.raw[:200])
    answer = page.ask("POST", "/r/sound", [("Cookie", f"adhan_remote={keeper}")], b"------edge--\r\n",
                      {"Content-Type": ["multipart/form-data; boundary=----edge"]})
    expect("no file at all: refused", answer.status == 422, answer.raw[:200])
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", bytes(300 << 20))
    status, body = done(page.upload("/r/timetable", keeper, packed.getvalue(), name="times.xlsx"))
    expect("a bomb in an archive: refused", status in (413, 415), body)
    expect("all of this leaves nothing", box.spooled == [] and not (box.folder / "state/sounds/odd").exists(), box.spooled)
    expect("the intake takes the next one",
           re.match(r"[0-9a-f]{64}$", page.upload("/r/picture", keeper, png(9, 9)).json.get("picture", "")))
