// The lines around the board: dates, Jumu'ah, the fast, notes, the ticker.
import * as player from "./player.js";
import * as ticker from "./ticker.js";
import { $, languages, state } from "./context.js";
import { dateText, digitsIn, mark, named, prayerName, say, second, show, time, write } from "./text.js";

export function drawDates(at) {
  const day = player.due(state.days, at);
  if (!day) return;
  write($("gregorian"), dateText(day.date));
  write($("hijri"), player.hijriText(day.hijri, languages[0], digitsIn(languages[0]), state.monthFirst));
  const other = second();
  // Isolated, not turned around: it stands under the other dates.
  show($("second-date"), other ? named(player.hijriText(day.hijri, other, other.digits, state.monthFirst))
    : player.gregorianText(day.date, languages[0], digitsIn(languages[0])));
  mark($("second-date"), "lang", other ? other.code : null);
}

/** What the mosque has to say in a place of the screen now. */
const isNow = (one, at) => player.instant(one.from) <= at && at < player.instant(one.until);
export const announced = (place, at) => (state.announcements || []).filter((one) => one.show.includes(place) && isNow(one, at));
export const hides = (part) => state.page.hide.includes(part);

/** How many notes stand beside one another, and for how long (ms) before the others have their turn. */
const notesAtOnce = 3;
const notesStay = 12000;

/** The fast that is kept now or comes next. After the last one's end there is none. */
export function fastAt(at) {
  const fast = player.due(state.fasts, at);
  return fast && at < player.instant(fast.iftar || fast.imsak) ? fast : null;
}

export function drawLines(at) {
  const friday = player.due(state.fridays, at);
  let text = "";
  if (friday) {
    // What begins when, and no line ends between a word and its time.
    const begins = (word, instant) => instant && say(word) + "\u00a0" + time(instant);
    const slots = friday.slots.map((slot) => [slot.khutba ? begins("khutba", slot.khutba) : begins("adhan", slot.adhan), begins("iqama", slot.iqama)].filter(Boolean).join("\u00a0·\u00a0"));
    text = prayerName("jumua") + "  " + slots.join("  |  ");
  }
  show($("jumua"), text);
  const fast = fastAt(at);
  const day = player.due(state.days, at);
  const isTomorrow = fast && day && fast.date > day.date;
  show($("fast"), fast ? [isTomorrow && say("tomorrow"), fast.imsak && say("imsak") + " " + time(fast.imsak),
    fast.iftar && say("iftar") + " " + time(fast.iftar)].filter(Boolean).join("   ·   ") : "");
  const notes = state.notes.filter((note) => player.instant(note.from) <= at && at < player.instant(note.until));
  show($("notes"), player.inTurn(notes, notesAtOnce, at, notesStay).map((note) => say("note-" + note.kind, {
    prayer: note.prayer ? prayerName(note.prayer) : "", date: dateText(note.date),
    // The prayers of a feast that are over are no news.
    time: [note.at, ...(note.later || [])].filter((one, index, all) => index === all.length - 1 || player.instant(one) > at).map(time).join(", "),
  })).join("   ·   "));
  // Each line keeps its own direction; the whole runs as the first one does.
  // A page without turns of slides says here what they would.
  const said = hides("slides") || state.page.scroll ? (state.announcements || []).filter((one) => isNow(one, at)) : announced("board", at);
  const inLine = (lines) => (lines.length > 1 ? lines.map(named).join("  ·  ") : lines[0]);
  drawTicker([state.page.ticker, ...said.map((one) => inLine(one.text.split(/\n+/)))].filter(Boolean), at);
}

let turning = { key: "", pages: [] };
/** One page after another, each in its own direction. */
function drawTicker(texts, at) {
  const line = $("ticker");
  line.classList.toggle("empty", !texts.length);
  if (state.page.scroll) {
    show(line.firstElementChild, texts.map(named).join("\n"));
    return;
  }
  const key = [line.clientWidth, getComputedStyle(line).fontSize, ...texts].join("\n");
  if (turning.key !== key && (line.clientWidth > 0 || !texts.length)) {
    const pen = document.createElement("canvas").getContext("2d");
    const style = getComputedStyle(line);
    pen.font = style.fontSize + " " + style.fontFamily;
    // A little less than all of it: how a browser draws letters differs by a hair from how it measures them.
    const all = texts.flatMap((text) => ticker.pages(text, line.clientWidth * 0.99, (part) => pen.measureText(part).width));
    turning = { key, pages: all.map((text) => ({ text, seconds: ticker.seconds(text) })) };
  }
  const page = player.turn(turning.pages, at);
  show(line.firstElementChild, page ? page.text : "");
  mark(line, "dir", page ? player.direction(page.text) : null);
}
