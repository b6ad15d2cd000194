#!/usr/bin/env python3
"""Tests that the screen is right on unusual days and for other readers: before adhand has answered, on an Eid, during a fast, and
with digits of unequal width.

usage: content.py ADHAN_DISPLAY"""
import argparse
import json
import re
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from browser import Browser  # noqa: E402
from page import expect, findings, wait  # noqa: E402
from pictures import LANGUAGES  # noqa: E402
from display import PAGE, PROBE, Display  # noqa: E402

READY = "document.body && document.body.dataset.scene !== 'waiting'"


def text(browser, selector):
    """The text without the control characters that keep a number in order."""
    found = browser.evaluate(f"(document.querySelector('{selector}') || {{ textContent: '' }}).textContent")
    return found.translate({0x2066: None, 0x2068: None, 0x2069: None, 0xA0: " "})


def at(browser, display, instant, more=""):
    browser.open(f"{display.url}?now={instant}{more}")


def days(browser, display):
    at(browser, display, "2027-03-10T08:05:00Z")
    label = text(browser, "#next-label")
    expect("an Eid prayer has no iqama to count from", label == "Eid" and text(browser, "#countdown") == "", label)
    at(browser, display, "2027-03-09T17:00:00Z")
    notes = text(browser, "#notes")
    expect("both prayers of an Eid are reported", "Eid prayer: Wednesday 10 March 2027, 08:00, 09:30" in notes, notes)
    display.say(iftar=False)
    at(browser, display, "2027-02-20T13:00:00Z")
    expect("an iftar that is not announced is reported",
           wait(browser, "true") and text(browser, "#fast") == "Imsak 05:20   ·   Iftar 16:05", text(browser, "#fast"))
    at(browser, display, "2027-02-20T15:00:00Z")
    expect("who fasts counts to iftar", (text(browser, "#next-label"), text(browser, "#countdown")) == ("Iftar in", "1:05:00"),
           text(browser, "#next"))
    at(browser, display, "2027-02-20T05:00:00Z")
    expect("and before fajr to imsak", (text(browser, "#next-label"), text(browser, "#countdown")) == ("Sahur ends in", "20:00"),
           text(browser, "#next"))
    at(browser, display, "2027-02-20T05:22:00Z")
    expect("and after it to fajr", (text(browser, "#next-label"), text(browser, "#countdown")) == ("Fajr in", "8:00"),
           text(browser, "#next"))
    at(browser, display, "2027-02-20T16:05:40Z")
    expect("what is said when a fast is broken",
           "الظَّمَأُ" in text(browser, "#message-arabic") and text(browser, "#message-over") == "Iftar", text(browser, "#message"))
    at(browser, display, "2026-11-21T16:05:40Z")
    expect("and on no other day", text(browser, "#message-over") == "Adhan" and "الظَّمَأُ" not in text(browser, "#message-arabic"))
    at(browser, display, "2027-02-20T17:00:00Z")
    expect("after it comes tomorrow's", text(browser, "#fast").startswith("tomorrow   ·   Imsak 05:20"), text(browser, "#fast"))
    at(browser, display, "2027-03-10T16:06:30Z")
    expect("and after the last one none", text(browser, "#fast") == "", text(browser, "#fast"))
    at(browser, display, "2026-11-21T12:05:40Z", "&lang=ur&clock=12")
    expect("noon is not evening in Urdu", text(browser, "#clock").endswith("PM"), text(browser, "#clock"))
    at(browser, display, "2026-11-21T12:05:40Z", "&lang=sw&clock=12")
    expect("nor in Swahili", text(browser, "#clock").endswith("PM"))


def notes(browser, display):
    """In each language and on each screen, the end of the fast and the time of the Eid prayer are shown."""
    for size in ((1920, 1080), (1080, 1920), (1024, 768), (1280, 720)):
        browser.size(*size)
        left_out = []
        for language in LANGUAGES:
            for instant, part in (("2027-03-09T17:00:00Z", "notes"), ("2027-02-20T13:00:00Z", "fast")):
                at(browser, display, instant, f"&lang={language}")
                box = browser.evaluate(f"document.querySelector('#{part}').getBoundingClientRect().height")
                problems = browser.evaluate(PROBE)["problems"]
                if not box or problems:
                    left_out.append((language, part, problems[:2]))
        expect(f"notes and the times of a fast are on the board in every language at {size}", not left_out, left_out[:4])
    browser.size(1920, 1080)


def fridays(browser, display):
    """The times of all Friday congregations are shown."""
    line = "Jumu'ah  Khutba 12:30 · Iqama 12:50  |  Khutba 13:15 · Iqama 13:35"
    at(browser, display, "2026-11-20T10:00:00Z")
    expect("Friday's line says what each time is", text(browser, "#jumua") == line, text(browser, "#jumua"))
    card = "[data-prayer=dhuhr]"
    for instant, expected in (("2026-11-20T12:55:00Z", ("12:05", "12:50", "Adhan")),
                              ("2026-11-20T13:12:00Z", ("13:15", "13:35", "Khutba"))):
        at(browser, display, instant)
        found = tuple(text(browser, f"{card} {part}") for part in (".time", ".iqama", ".of-time .label"))
        expect(f"at {instant[11:16]} the card has {found}", found == expected)
    browser.size(1080, 1920)
    at(browser, display, "2026-11-20T10:00:00Z", "&clock=12")
    broken = browser.evaluate("""(() => { const node = document.querySelector('#jumua').firstChild, range = document.createRange();
      let split = 0;
      for (const found of node.nodeValue.matchAll(/(Khutba|Iqama)\u00a0[^·|]*m/g)) {
        range.setStart(node, found.index); range.setEnd(node, found.index + found[0].trimEnd().length);
        const tops = new Set([...range.getClientRects()].map((box) => Math.round(box.top / 8))); split += tops.size > 1; }
      return split; })()""")
    expect(f"no line ends between a word and its time, {broken} do", broken == 0)
    browser.size(1920, 1080)


def words(browser, program):
    """The words of the call are spread over the time of its sound, once; the remembrance after a prayer has the pace that is
    set."""
    with tempfile.TemporaryDirectory(prefix="display-") as folder:
        display = Display(program, folder, '[scenes]\nadhkar-each = "10s"\ntranslation = true\n')
        try:
            def call(first, last):
                seen = []
                for second in range(first, last):
                    at(browser, display, f"2026-11-21T12:{5 + second // 60:02}:{second % 60:02}Z")
                    if text(browser, "#message-over") == "Adhan":
                        words_shown = text(browser, "#message-arabic")
                        if not seen or seen[-1][0] != words_shown:
                            seen.append([words_shown, 0])
                        seen[-1][1] += 1
                return seen
            length = 72
            display.say(history=[{"id": "dhuhr_20261120", "prayer": "dhuhr", "outcome": "played",
                                  "scheduled": "2026-11-20T12:05:00.000+00:00", "started": "2026-11-20T12:05:00.000+00:00", "rate": 44100,
                                  "framesDecoded": 44100 * length, "framesPlayed": 44100 * length, "dropouts": 0, "sound": ["standard"]}])
            wait(browser, "true")
            shown = call(0, length + 5)
            expect(f"the words fill the {length} s of the call", [part[1] for part in shown] == [12, 12, 12, 12, 12, 6, 6],
                   [part[1] for part in shown])
            expect("and end with its last ones", shown[0][0] == shown[5][0] and "إِلَٰهَ" in shown[6][0])
            at(browser, display, "2026-11-21T12:06:30Z")
            expect("what the supplication means stands under it", "perfect call" in text(browser, "#message-text"),
                   text(browser, "#message-text"))
            seen = []
            # The remembrance begins ten minutes after the iqama.
            for second in (5, 15, 30, 50, 70, 85, 95):
                at(browser, display, f"2026-11-21T12:{40 + second // 60:02}:{second % 60:02}Z")
                seen.append((text(browser, "#message-arabic")[:12], text(browser, "#message-text")[:12]))
            expect("the remembrance goes on every ten seconds",
                   len(set(seen)) == 6 and seen[6] == seen[0] and seen[1][1].startswith("O Allah"), seen)
            at(browser, display, "2026-11-21T12:06:30Z", "&lang=tr")
            expect("where nobody has translated it there is none", text(browser, "#message-text") == "")
            at(browser, display, "2026-11-21T12:06:30Z", "&lang=ar,en")
            where = browser.evaluate("[document.querySelector('#message-text').lang, document.querySelector('#message-text').dir].join()")
            expect("beside another language it says which it is", where == "en,ltr" and "perfect call" in text(browser, "#message-text"),
                   where)
        finally:
            display.close()


def calendars(browser, display):
    """In Persian, the calendar of Iran is shown beside the others."""
    for instant, solar, gregorian in (("2026-11-21T10:00:00Z", "شنبه ۳۰ آبان ۱۴۰۵", "۲۱ نوامبر ۲۰۲۶"),
                                      ("2027-03-20T10:00:00Z", "شنبه ۲۹ اسفند ۱۴۰۵", None),
                                      ("2027-03-21T10:00:00Z", "یکشنبه ۱ فروردین ۱۴۰۶", None),
                                      ("2029-03-20T10:00:00Z", "سه‌شنبه ۱ فروردین ۱۴۰۸", None)):
        at(browser, display, instant, "&lang=fa&digits=persian")
        expect(f"{instant[:10]} is {text(browser, '#gregorian')!r}", text(browser, "#gregorian") == solar)
        expect(f"and {text(browser, '#second-date')!r}", gregorian is None or text(browser, "#second-date") == gregorian)
        expect("the lunar date says that it is one", "قمری" in text(browser, "#hijri"))


def told(browser, display):
    display.say(disabled=["asr", "isha"], iqamas={"asr": "14:00"})
    at(browser, display, "2026-11-21T10:00:00Z")
    crosses = "[...document.querySelectorAll('#cards, #cards *')].map((e) => e.textContent + getComputedStyle(e, '::after').content).join()"
    expect("a prayer whose adhan is off is not crossed out", "✕" not in browser.evaluate(crosses))
    expect("an iqama before its adhan is reported",
           "early-iqama: Asr: the iqama (14:00) is before the adhan" in text(browser, "#notices") or
           "the iqama (14:00) is before the adhan" in text(browser, "#notices"), text(browser, "#notices"))
    loss = {"cause": "damaged", "at": "2026-11-20T10:00:00Z", "restored": False, "message": "x", "fix": "x"}
    display.say(disabled=[], iqamas={}, loss=loss)
    at(browser, display, "2026-11-21T10:00:00Z")
    expect("a lost state is reported", "set by hand has been lost" in text(browser, "#notices p[data-kind=state-loss]"))
    display.say(loss={**loss, "restored": True})
    at(browser, display, "2026-11-21T10:00:00Z")
    expect("one that came back from its copy is not lost", text(browser, "#notices p[data-kind=state-loss]") == "")
    display.say(internal={"code": "shared-token", "message": "x", "fix": "adhanctl feedback"})
    at(browser, display, "2026-11-21T10:00:00Z")
    expect("a fault that adhand finds in itself is reported",
           "has a fault; the adhan is still called" in text(browser, "#notices p[data-kind=internal]"))
    display.say(internal=None)
    played = {"id": "jumua_20261120", "prayer": "jumua", "outcome": "played", "scheduled": "2026-11-20T12:05:00.000+00:00",
              "started": "2026-11-20T12:05:00.000+00:00", "rate": 44100, "framesDecoded": 44100 * 9, "framesPlayed": 44100 * 9,
              "dropouts": 0, "sound": ["standard"]}
    display.say(loss=None, history=[played])
    at(browser, display, "2026-11-24T10:00:00Z")
    expect("the proof of play has its day", text(browser, "#proof") == "Jumu'ah was called (Friday 12:05): 9 s", text(browser, "#proof"))
    at(browser, display, "2026-12-24T10:00:00Z")
    expect("after a week its date", "Friday 20 November 2026, 12:05" in text(browser, "#proof"), text(browser, "#proof"))
    ahead = {**played, "outcome": "missed", "scheduled": "2027-03-09T05:28:00.000+00:00", "started": None, "reason": "x"}
    display.say(history=[played, ahead])
    at(browser, display, "2026-11-24T10:00:00Z")
    expect("a clock that was months ahead leaves no call that was not heard", text(browser, "#notices p[data-kind=not-heard]") == "")
    display.say(history=[])


def marks(browser, display):
    for size in ((1920, 1080), (1080, 1920), (1024, 768)):
        browser.size(*size)
        at(browser, display, "2026-11-21T10:00:00Z")
        next_ = browser.evaluate("""(() => { const next = document.querySelector('#cards .next[data-prayer]');
          return next && { prayer: next.dataset.prayer, time: next.querySelector('.time').textContent,
            iqama: next.querySelector('.iqama').textContent }; })()""")
        expect(f"the next prayer's element is marked at {size}", next_ == {"prayer": "dhuhr", "time": "12:05", "iqama": "12:30"}, next_)
    browser.size(1920, 1080)


DIGITS = """(() => { const boxes = [...document.querySelectorAll('#clock bdi span')].filter((e) => e.textContent);
  return boxes.map((e) => Math.round(e.getBoundingClientRect().left * 10)).join(); })()"""


def digits(browser, display):
    for language in ("ar", "fa", "ur", "bn", "en"):
        kind = json.loads((PAGE / f"languages/{language}.json").read_text())["digits"]
        places = set()
        for second in range(10, 60, 7):
            at(browser, display, f"2026-11-21T10:00:{second}Z", f"&lang={language}&digits={kind}")
            places.add(browser.evaluate(DIGITS))
        expect(f"a clock of {kind} digits stands still", len(places) == 1)


EASTERN = {"arabic": "٠١٢٣٤٥٦٧٨٩", "persian": "۰۱۲۳۴۵۶۷۸۹", "bengali": "০১২৩৪৫৬৭৮৯"}
# The texts of the page, each with the letters around it in its element.
TEXTS = """(() => { const found = [], walker = document.createTreeWalker(document.getElementById("stage"), NodeFilter.SHOW_TEXT);
  for (let node; (node = walker.nextNode());) if (node.nodeValue.trim()) found.push(node.nodeValue);
  return found; })()"""
# The letters of a script, and the digits that it uses beside the Latin ones.
LETTERS = {"Latin, Cyrillic": (r"[A-Za-z\u0400-\u04ff]", ""), "Arabic": (r"[\u0620-\u064a]", EASTERN["arabic"] + EASTERN["persian"]),
           "Bengali": (r"[\u0985-\u09b9]", EASTERN["bengali"])}


def scripts(browser, display):
    """Whatever digits are set, a text has none that its script lacks; the clock has those that are set."""
    display.say(trusted=False, muted=True)
    for language in ("en", "ru", "ar", "bn", "ur,en"):
        for kind, own in EASTERN.items():
            at(browser, display, "2026-11-27T10:00:00Z", f"&lang={language}&digits={kind}")
            foreign = [(script, text) for text in browser.evaluate(TEXTS) for script, (letters, digits) in LETTERS.items()
                       if re.search(letters, text) and set(text) & (set("".join(EASTERN.values())) - set(digits))]
            expect(f"{kind} digits stand in {language} only where its script has them", not foreign, foreign[:2])
            expect("and the clock has them", set(text(browser, "#clock bdi")) <= set(own + ":"), text(browser, "#clock bdi"))
    at(browser, display, "2026-11-27T10:00:00Z", "&lang=en&digits=arabic")
    expect(f"where Arabic digits are set, an English date is {text(browser, '#gregorian')!r}",
           text(browser, "#gregorian") == "Friday 27 November 2026")
    display.say(trusted=True, muted=False)


def waiting(browser, program):
    with tempfile.TemporaryDirectory(prefix="display-") as folder:
        display = Display(program, folder, has_daemon=False)
        try:
            browser.call("Page.navigate", url=display.url)
            shown = "document.querySelector('#message-title') && document.querySelector('#message-title').textContent"
            expect("before adhand has answered the screen says so",
                   wait(browser, f"({shown}) === \"Waiting for the prayer clock's service\""), browser.evaluate(shown))
            expect("and what to type", text(browser, "#message-text") == "systemctl status adhand")
            expect("and what time it is",
                   ":" in text(browser, "#clock")
                   and browser.evaluate("getComputedStyle(document.querySelector('#clock')).visibility") == "visible")
            found = browser.evaluate(PROBE)
            expect("and all of it can be read", found["scene"] == "waiting" and not found["problems"], found["problems"][:3])
            display.start_daemon()
            expect("and when it answers, the board comes", wait(browser, READY, 15))
        finally:
            display.close()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    options = parser.parse_args()
    browser = Browser()
    try:
        browser.size(1920, 1080)
        with tempfile.TemporaryDirectory(prefix="display-") as folder:
            display = Display(options.program, folder)
            try:
                for part in (marks, days, notes, fridays, calendars, told, digits, scripts):
                    part(browser, display)
            finally:
                display.close()
        words(browser, options.program)
        waiting(browser, options.program)
    finally:
        browser.close()
    sys.exit(findings.end())


if __name__ == "__main__":
    main()
