// The page is a player: the server says for two days what is due when, and this looks up what is due now. Nothing is counted
// down, nothing is remembered but the state, and only text that changed is touched. Syntax: ES2020.
import * as player from "./player.js";
import * as verses from "./verses.js";
import * as touch from "./touch.js";
import * as digits from "./digits.js";
import { fit, forget } from "./fit.js";
import * as code from "./code.js";
import * as gallery from "./gallery.js";
import * as ticker from "./ticker.js";

const $ = (id) => document.getElementById(id);
const root = document.documentElement;
const query = new URLSearchParams(location.search);

let state = null;
let languages = [];
/** ms that the server's clock is ahead of this browser's. */
let ahead = 0;
let lastTick = performance.now();
/** In a preview the time stands still. */
let frozen = null;

const now = () => (frozen === null ? Date.now() + ahead : frozen);

// MARK: Writing

/** Changes a text only when it is another one: rebuilding elements each second would fill the memory. */
function write(element, text) {
  if (!element.firstChild) element.appendChild(document.createTextNode(""));
  if (element.firstChild.nodeValue !== text) element.firstChild.nodeValue = text;
}
function show(element, text) {
  write(element, text);
  element.classList.toggle("empty", text === "");
}
function mark(element, name, value) {
  if (value === null) element.removeAttribute(name);
  else if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

// Isolates: a number keeps its order in a sentence that runs the other way.
const isolated = (text) => "\u2066" + text + "\u2069";
const named = (text) => "\u2068" + text + "\u2069";

const say = (key, values) => player.fill(languages[0].phrases[key] || key, values || {});
const prayerName = (prayer, language) => (language || languages[0]).prayers[prayer] || prayer;

function time(text) {
  const shown = player.clockText(player.instant(text), state, false);
  return isolated(shown.text) + (shown.half ? "\u00a0" + languages[0].phrases[shown.half] : "");
}

// MARK: The board

const make = (tag, name, parent) => {
  const element = document.createElement(tag);
  if (name) element.className = name;
  element.appendChild(document.createTextNode(""));
  parent.appendChild(element);
  return element;
};

/** Whether whoever looks wants nothing to move. */
const wantsCalm = matchMedia("(prefers-reduced-motion: reduce)");

const cards = {};
for (const item of document.querySelectorAll("#cards li[data-prayer]")) {
  const spoken = make("p", "spoken", item);
  const names = make("div", "names", item);
  const times = make("div", "times", item);
  for (const part of [names, times]) part.setAttribute("aria-hidden", "true");
  const name = make("p", "name", names);
  const under = make("p", "under", names);
  const card = { item, spoken, name, second: make("span", "second", under), tomorrow: make("span", "tomorrow", under) };
  for (const kind of ["time", "iqama"]) {
    const cell = make("div", "cell of-" + kind, times);
    const label = make("p", "label", cell);
    const line = make("p", kind, cell);
    Object.assign(card, { [kind]: line, [kind === "time" ? "adhanLabel" : "label"]: label, [kind + "Cell"]: cell });
    line.firstChild.remove();
    card[kind + "Value"] = make("bdi", "", line);
    card[kind + "Value"].dir = "ltr";
    card[kind + "Half"] = make("small", "", line);
  }
  cards[item.dataset.prayer] = card;
}
const clockHalf = make("small", "", $("clock"));
// Eight digits and marks: no clock and no countdown of two days has more.
for (const box of [$("clock").firstElementChild, $("countdown")]) digits.boxes(box, 8);

function putTime(card, kind, text) {
  const shown = text ? player.clockText(player.instant(text), state, false) : { text: "–", half: null };
  write(card[kind + "Value"], shown.text);
  write(card[kind + "Half"], shown.half ? languages[0].phrases[shown.half] : "");
}

/** The prayer whose card stands out: the one that is called or prayed now, else the next one that has a card. */
function currentPrayer(at, scene) {
  const next = player.due(state.next, at);
  const named = scene.scene === "home" || scene.scene === "approaching" ? next && next.prayer : scene.prayer;
  if (named) return named === "jumua" ? "dhuhr" : named;
  const coming = Object.keys(cards).filter((prayer) => prayer !== "sunrise").map((prayer) => [prayer, player.due(state.cards[prayer], at)])
    .filter(([, entry]) => entry && player.instant(entry.at) > at).sort((one, other) => player.instant(one[1].at) - player.instant(other[1].at));
  return coming.length ? coming[0][0] : null;
}

function drawCards(at, scene) {
  const day = player.due(state.days, at);
  const current = currentPrayer(at, scene);
  let hasIqama = false;
  for (const [prayer, card] of Object.entries(cards)) {
    const entry = player.due(state.cards[prayer], at);
    const name = entry && entry.jumua ? "jumua" : prayer;
    write(card.name, prayerName(name));
    const other = languages[1] || null;
    show(card.second, other ? prayerName(name, other) : "");
    if (other) inLanguage(card.second, other);
    putTime(card, "time", entry && entry.at);
    putTime(card, "iqama", entry && entry.iqama);
    card.iqamaCell.classList.toggle("empty", !(entry && entry.iqama));
    hasIqama = hasIqama || !!(entry && entry.iqama);
    // A line as high as the others: the times of a row stand side by side.
    const begins = prayer === "sunrise" ? "" : say(entry && entry.khutba ? "khutba" : "adhan");
    write(card.adhanLabel, begins || "\u00a0");
    write(card.label, say("iqama"));
    show(card.tomorrow, entry && day && entry.date > day.date ? say("tomorrow") : "");
    // In a list of its own, as it would be said.
    write(card.spoken, [prayerName(name), card.tomorrow.textContent, entry && [begins, time(entry.at)].filter(Boolean).join(" "),
      entry && entry.iqama && say("iqama") + " " + time(entry.iqama)].filter(Boolean).join(", "));
    card.item.classList.toggle("next", current === prayer);
    // A pulse by the second: an animation would have the browser look at the page sixty times a second.
    card.item.classList.toggle("lit", current === prayer && scene.scene === "approaching" && !wantsCalm.matches && Math.floor(at / 1000) % 2 === 0);
  }
  write($("head-adhan"), hasIqama ? say("adhan") : "");
  write($("head-iqama"), hasIqama ? say("iqama") : "");
  $("cards").classList.toggle("plain", !hasIqama);
  mark($("cards"), "aria-label", say("prayer-times"));
}

/** The language that stands beside the screen's own, where one is set; Arabic names of prayers alone are none. */
const second = () => (state.page.languages.length > 1 ? languages[1] : null);
function inLanguage(element, language) {
  mark(element, "lang", language.code);
  mark(element, "dir", language.direction);
}

function drawDates(at) {
  const day = player.due(state.days, at);
  if (!day) return;
  write($("gregorian"), player.dateText(day.date, languages[0], state.page.digits, state.monthFirst));
  write($("hijri"), player.hijriText(day.hijri, languages[0], state.page.digits, state.monthFirst));
  const other = second();
  // Isolated, not turned around: it stands under the other dates.
  show($("second-date"), other ? named(player.hijriText(day.hijri, other, other.digits, state.monthFirst))
    : player.gregorianText(day.date, languages[0], state.page.digits));
  mark($("second-date"), "lang", other ? other.code : null);
}

/** What the mosque has to say in a place of the screen now. */
const isNow = (one, at) => player.instant(one.from) <= at && at < player.instant(one.until);
const announced = (place, at) => (state.announcements || []).filter((one) => one.show.includes(place) && isNow(one, at));
const hides = (part) => state.page.hide.includes(part);

/** How many notes stand beside one another, and for how long (ms) before the others have their turn. */
const notesAtOnce = 3;
const notesStay = 12000;

/** The fast that is kept now or comes next. After the last one's end there is none. */
function fastAt(at) {
  const fast = player.due(state.fasts, at);
  return fast && at < player.instant(fast.iftar || fast.imsak) ? fast : null;
}

function drawLines(at) {
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
    prayer: note.prayer ? prayerName(note.prayer) : "", date: player.dateText(note.date, languages[0], state.page.digits, state.monthFirst),
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

// MARK: The alert strip

const grave = ["lost", "no-sound", "not-heard", "clock", "state-loss", "fonts"];

/** Which alphabets this browser cannot write, by their names in English. */
let unwritable = [];
const alphabets = { Arabic: "بسمة", Bengali: "নামাজ", Cyrillic: "Фажр" };
function lookForLetters() {
  const pen = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  pen.canvas.width = pen.canvas.height = 40;
  const draw = (letter, family) => {
    pen.clearRect(0, 0, 40, 40);
    pen.font = "24px " + family;
    pen.fillText(letter, 4, 30);
    return pen.getImageData(0, 0, 40, 40).data.join();
  };
  // What stands for a letter that is in no font, and what a browser without fonts draws: nothing.
  const none = (family) => [draw("\u{10FFFF}", family), draw(" ", family)];
  const lacks = (word, family) => [...word].some((letter) => none(family).includes(draw(letter, family)));
  const shown = languages.map((language) => JSON.stringify([language.prayers, language.phrases, language.months])).join();
  const family = getComputedStyle(document.body).fontFamily;
  unwritable = Object.keys(alphabets).filter((name) => {
    // The basmala is always there.
    const isShown = name === "Arabic" || [...alphabets[name]].some((letter) => shown.includes(letter));
    return isShown && lacks(alphabets[name], name === "Arabic" ? getComputedStyle($("bismillah")).fontFamily : family);
  });
}

/** A time of day; alone it would be taken for today's. Within a week the day of the week says which one is meant, else the date. */
function moment(text, at) {
  const [then, today] = [player.instant(text), at].map((ms) => player.localDate(ms, state));
  const days = Math.abs(Date.parse(then) - Date.parse(today)) / 86400000;
  if (days === 0) return time(text);
  return (days < 7 ? player.weekdayText(then, languages[0]) + " " : player.dateText(then, languages[0], state.page.digits, state.monthFirst) + ", ") + time(text);
}
function drawNotices(at) {
  const lines = state.alerts.map((alert) => {
    const key = { "no-sound": alert.at ? "no-sound" : "no-sound-now", mute: alert.at ? "mute" : "mute-open" }[alert.kind] || alert.kind;
    return [alert.kind, say("alert-" + key, {
      time: alert.at ? moment(alert.at, at) : "", date: alert.date ? player.dateText(alert.date, languages[0], state.page.digits, state.monthFirst) : "",
      prayer: alert.prayer ? prayerName(alert.prayer) : "", place: named(alert.text || ""), names: named(alert.text || ""),
    })];
  });
  if (silence() >= 30 && frozen === null) {
    lines.unshift(["lost", say("alert-stale", { time: moment(new Date(now() - silence() * 1000).toISOString(), at) })]);
  }
  // In letters that every browser has: those that it lacks could not be read.
  if (unwritable.length) lines.push(["fonts", "No font for " + unwritable.join(", ") + ": apt install fonts-noto-core fonts-hosny-amiri"]);
  const unseen = state.slides.map((slide) => slide.image).filter((image) => image && undrawable.has(slidePath(image)));
  if (unseen.length) lines.push(["slides", say("alert-slides", { names: named(unseen.join(", ")) })]);
  const box = $("notices");
  while (box.children.length > lines.length) box.lastChild.remove();
  while (box.children.length < lines.length) box.appendChild(document.createElement("p"));
  lines.forEach(([kind, text], index) => {
    const line = box.children[index];
    write(line, text);
    line.classList.toggle("grave", grave.includes(kind));
    mark(line, "data-kind", kind);
  });
}

// MARK: The scenes

/** The same in the language that stands beside. */
function putSecond(parts) {
  const other = second();
  show($("message-second"), other ? parts(other).filter(Boolean).join(" · ") : "");
  if (other) inLanguage($("message-second"), other);
}

/** The words of the call that are due: they take as long as its sound does, and are not begun again. */
function called(scene, at, isFajr) {
  const from = player.instant(scene.from);
  const next = state.scenes.map((one) => player.instant(one.from)).find((other) => other > from);
  const length = (next === undefined ? from + 180000 : next) - from;
  return player.part(isFajr ? verses.fajrCall : verses.call, isFajr ? verses.fajrBreaths : verses.breaths, at - from, length);
}

/** What a text in Arabic means, where that is wanted and one of the screen's languages has it. */
function meaning(name, index) {
  const language = state.page.translation ? state.page.languages.find((code) => verses.translations[code]) : undefined;
  const text = language && verses.translations[language][name];
  mark($("message-text"), "lang", language && language !== languages[0].code ? language : null);
  mark($("message-text"), "dir", language && language !== languages[0].code ? "ltr" : null);
  return text ? (index === undefined ? text : text[index]) : "";
}

function putMessage(over, title, arabic, text) {
  show($("message-over"), over);
  show($("message-title"), title);
  show($("message-arabic"), arabic);
  show($("message-text"), text);
}

function drawMessage(scene, at) {
  const name = scene.eid ? prayerName("eid") : scene.prayer ? prayerName(scene.prayer) : "";
  meaning("");
  switch (scene.scene) {
    case "adhan": {
      const isFajr = scene.prayer === "fajr";
      const failed = scene.unheard === true;
      if (scene.iftar) putMessage(say("iftar"), name, verses.iftar, failed ? say("sound-failed") : meaning("iftar"));
      else putMessage(say("adhan"), name, state.page.adhanWords ? called(scene, at, isFajr) : "", failed ? say("sound-failed") : "");
      break;
    }
    case "dua": putMessage(say("dua"), "", verses.dua, meaning("dua")); break;
    case "iqama": putMessage(name, say("iqama"), "", say("rows")); break;
    case "adhkar": {
      const { index } = player.turn(verses.adhkarLengths.map((length, index) => ({ index, seconds: length * state.page.adhkarSeconds })), at - player.instant(scene.from));
      putMessage(say("adhkar"), "", verses.adhkar[index], meaning("adhkar", index));
      break;
    }
    case "khutba": putMessage(name, say("khutba"), "", say("listen")); break;
    case "waiting": putMessage("", say("wait"), "", isolated("systemctl status adhand")); break;
    case "to-iqama": putMessage("", "", "", player.left(player.instant(scene.target), at) <= 180 ? say("phones") : ""); break;
    default: putMessage("", "", "", "");
  }
  const titles = { adhan: "adhan", dua: "dua", iqama: "iqama", adhkar: "adhkar", khutba: "khutba" };
  const named_ = scene.eid ? "eid" : scene.prayer;
  putSecond((other) => [titles[scene.scene] && other.phrases[titles[scene.scene]],
    ["adhan", "iqama"].includes(scene.scene) && named_ && prayerName(named_, other)]);
}

function drawCountdown(scene, at) {
  const kind = state.page.digits;
  const target = player.instant(scene.target);
  let label = "";
  let value = "";
  if (scene.scene === "to-iqama") {
    label = prayerName(scene.prayer) + " · " + say("iqama-in");
    value = player.duration(player.left(target, at), kind);
  } else if (scene.scene === "prayer" && scene.eid) {
    // It has neither adhan nor iqama from which to count.
    label = prayerName("eid");
  } else if (scene.scene === "prayer" && target !== null) {
    label = say("since-iqama");
    value = player.duration(player.since(target, at), kind);
  } else {
    const next = player.due(state.next, at);
    if (next) {
      const fast = fastAt(at);
      const isFast = fast && next.kind === "adhan" && fast.date === player.localDate(player.instant(next.at), state);
      const name = next.kind === "khutba" ? say("khutba") : prayerName(next.prayer);
      // Who fasts counts to the meal, and to its end: imsak is when eating stops.
      const isIftar = isFast && next.prayer === "maghrib" && fast.iftar;
      const isSahur = isFast && next.prayer === "fajr" && fast.imsak && at < player.instant(fast.imsak);
      label = isIftar ? say("iftar-in") : isSahur ? say("sahur-ends-in") : next.kind === "eid" ? say("next-in-eid") : say("next-in", { prayer: name });
      value = player.duration(player.left(player.instant(isSahur ? fast.imsak : next.at), at), kind);
    }
  }
  write($("next-label"), label);
  digits.write($("countdown"), value);
  write($("next-spoken"), [label, value && isolated(value)].filter(Boolean).join(" "));
}

/** Pictures that this browser could not draw, by their addresses: they are left out instead of leaving a hole. */
const undrawable = new Set();
const slidePath = (image) => {
  const slide = state.slides.find((one) => one.image === image);
  return "/slides/" + encodeURIComponent(image) + (slide && slide.version ? "?v=" + slide.version : "");
};
function leaveOut(path) {
  undrawable.add(path);
  draw();
}
$("slide-image").addEventListener("error", () => leaveOut($("slide-image").getAttribute("src")));
// Nobody has said what is on it but by its file's name.
const slideAlt = (slide) => slide.image.replace(/\.[^.]*$/, "");

/** The slides of today that this browser can draw. */
function dueSlides(at) {
  const day = player.localDate(at, state);
  return state.slides.filter((slide) => (!slide.from || slide.from <= day) && (!slide.until || day <= slide.until)
    && (!slide.image || !undrawable.has(slidePath(slide.image))));
}

/** What comes in turn beside the board, each with its seconds; the last turn is the bare board's. */
function turns(at) {
  const text = (one) => ({ text: one.text, seconds: one.seconds });
  const turns = [
    ...dueSlides(at).map((slide) => ({ ...slide, seconds: state.page.slideSeconds })),
    ...(state.donation ? [{ text: state.donation.text, code: state.donation, seconds: state.page.slideSeconds }] : []),
    ...announced("slide", at).map(text),
    ...announced("screen", at).map((one) => ({ ...text(one), isAll: true })),
  ];
  return turns.length ? [...turns, { seconds: state.page.slideSeconds, isBoard: true }] : [];
}

/** A page that scrolls has its slides below the board, all at once. */
function drawGallery(at) {
  const isShown = state.page.scroll && !hides("slides");
  const slides = isShown ? dueSlides(at).map((slide) => (slide.image ? { path: slidePath(slide.image), alt: slideAlt(slide) } : { text: slide.text })) : [];
  gallery.draw(isShown && state.donation ? [...slides, state.donation] : slides, leaveOut);
}

function drawSlide(scene, at) {
  drawGallery(at);
  const due = scene.scene === "home" && !hides("slides") && !state.page.scroll ? player.turn(turns(at), at) : null;
  const slide = due && !due.isBoard ? due : null;
  mark(document.body, "data-slide", slide ? "on" : null);
  mark(document.body, "data-all", slide && slide.isAll ? "on" : null);
  mark(document.body, "data-code", slide && slide.code ? "on" : null);
  if (!slide) return;
  const image = $("slide-image");
  if (slide.image) {
    const path = slidePath(slide.image);
    if (image.getAttribute("src") !== path) image.setAttribute("src", path);
    mark(image, "alt", slideAlt(slide));
  }
  image.hidden = !slide.image;
  if (slide.code) code.draw($("slide-code"), slide.code);
  show($("slide-text"), slide.text || "");
}

/** Under the countdown to the iqama, one after another. */
function drawBar(scene, at) {
  const due = scene.scene === "to-iqama" ? player.turn(announced("bar", at), at) : null;
  show($("bar"), due ? due.text : "");
}

function drawClock(at, scene) {
  const calm = ["night", "khutba", "prayer"].includes(scene.scene);
  const isRoomy = sizes.layout === "full" && !document.body.dataset.slide;
  const shown = player.clockText(at, state, state.page.seconds && !calm && isRoomy);
  digits.write($("clock").firstElementChild, shown.text);
  write(clockHalf, shown.half ? languages[0].phrases[shown.half] : "");
  write($("clock-spoken"), time(new Date(at).toISOString()));
}

/** Wanders along a closed path, one step a minute, against burn-in. */
function wander(at) {
  if (state.page.scroll) return;
  const minute = Math.floor(at / 60000);
  // As far as a stroke of the clock is thick, and never out of the margin.
  const reach = (Math.min(innerWidth, innerHeight) * Math.min(state.page.shift, 0.7 * (state.page.margin + 1))) / 100;
  const angle = (minute % 60) / 60 * 2 * Math.PI;
  root.style.setProperty("--shift-x", Math.round(reach * Math.cos(angle)) + "px");
  root.style.setProperty("--shift-y", Math.round(reach * Math.sin(2 * angle)) + "px");
}

/** ms for which the server tells what comes. */
const reach = 48 * 3600 * 1000;

let drawnSecond = null;
function draw() {
  if (!state || !languages.length) return;
  const at = now();
  const nothing = { scene: "home", prayer: null, reason: "", from: new Date(at).toISOString(), target: null };
  // What was reported reaches two days; after that there is a clock, and no times that would be another day's.
  const isOver = at > player.instant(state.now) + reach;
  const due = (!isOver && player.due(state.scenes, at)) || nothing;
  const scene = state.waiting ? { ...nothing, scene: "waiting" } : due.board ? { ...due, scene: "home" } : due;
  mark(document.body, "data-scene", scene.scene);
  document.body.classList.toggle("over", isOver);
  mark(document.body, "data-style", state.page.prayerStyle);
  drawSlide(scene, at);
  drawClock(at, scene);
  drawCountdown(scene, at);
  drawMessage(scene, at);
  drawBar(scene, at);
  drawCards(at, scene);
  drawDates(at);
  drawLines(at);
  drawNotices(at);
  const proof = state.proof && state.page.proof && !hides("proof")
    ? say("played", { prayer: prayerName(state.proof.prayer), time: moment(state.proof.at, at), span: player.spanText(state.proof.seconds, languages[0], state.page.digits) }) : "";
  write($("proof"), proof);
  write($("place"), [state.place, state.basis].filter(Boolean).join("  ·  "));
  show($("title"), state.page.title);
  const name = [state.page.title, state.place].filter(Boolean)[0];
  const heading = [name, say("prayer-times")].filter(Boolean).join(" · ");
  write($("heading"), heading);
  if (document.title !== heading) document.title = heading;
  const logo = state.page.logo ? "/logo?v=" + state.page.logo : null;
  mark($("logo"), "src", logo);
  $("logo").hidden = !logo;
  // Beside the title it says nothing more.
  $("logo").alt = state.page.title ? "" : state.place;
  const minute = Math.floor(at / 60000);
  if (drawnSecond !== minute) { drawnSecond = minute; wander(at); }
  const quiet = silence();
  document.body.classList.toggle("late", frozen === null && quiet >= 5 && quiet < 30);
  document.body.classList.toggle("lost", frozen === null && quiet >= 30);
  fit(cards);
}

// MARK: The screen

/** Of the letters, in hundredths of the screen; the server computes them. */
let sizes = { layout: "full", clock: 20, name: 4.2, label: 3.2, time: 6.2, iqama: 7 };

function measure() {
  const [width, height] = [innerWidth, innerHeight];
  const ratio = width / height;
  const shape = ratio < 0.9 ? "tall" : ratio < 1.5 ? "square" : "wide";
  const page = state ? state.page : { margin: 3, nightBrightness: 35 };
  if (page.scroll) return measureScrolling(width, page);
  mark(root, "data-shape", shape);
  // A hundredth of the height, or what the width has room for.
  // A wider margin makes everything smaller.
  const rest = Math.min(1, (98 - 2 * page.margin) / 92);
  const unit = rest * (shape === "tall" ? Math.min(width / 75, height / 133) : shape === "square" ? Math.min(height / 100, width / 128) : Math.min(height / 100, width / 168));
  root.style.setProperty("--unit", unit + "px");
  root.style.setProperty("--margin", (Math.min(width, height) * (page.margin + 1)) / 100 + "px");
  setSizes(shape, page);
}

/** A page that scrolls has letters of a size of its own: a browser that zooms in has fewer, larger pixels, and what no longer fits in
    the width stands below. */
function measureScrolling(width, page) {
  const shape = width < 1000 ? "tall" : "wide";
  mark(root, "data-shape", shape);
  root.style.setProperty("--unit", Math.min(8, width / (shape === "tall" ? 78 : 172)) + "px");
  root.style.setProperty("--margin", page.margin + "vw");
  setSizes(shape, page);
}

function setSizes(shape, page) {
  // Percent of the light: an eye, and with it a colour's number, takes the root of it.
  root.style.setProperty("--dim", (page.nightBrightness / 100) ** (1 / 2.2));
  // What the letters' sizes are was decided by the screen's size and the distance of whoever reads it.
  if (state) sizes = (state.letters || {})[shape] || sizes;
  mark(root, "data-layout", sizes.layout);
  mark(root, "data-emphasis", page.emphasis || "iqama");
  for (const part of ["clock", "name", "label", "time", "iqama"]) root.style.setProperty("--" + part, sizes[part] + "rem");
  if (state) root.style.setProperty("--digit", digits.widest(page.digits, getComputedStyle($("countdown")).fontFamily) + "em");
  forget();
}

async function take(document_) {
  const first = !state;
  // The server was exchanged for another one: its page is another one, too.
  if (state && frozen === null && state.build !== document_.build && renew()) return;
  if (query.get("lang") && document_.preview) document_.page.languages = query.get("lang").split(",");
  if (query.get("theme") && document_.preview) document_.page.theme = query.get("theme");
  if (query.get("digits") && document_.preview) document_.page.digits = query.get("digits");
  if (query.get("clock") && document_.preview) document_.page.clock = Number(query.get("clock"));
  const codes = document_.page.languages.slice(0, 2);
  // Without a second language the prayers' names stand in Arabic beside the local ones.
  if (codes.length === 1 && document_.page.arabicNames && codes[0] !== "ar") codes.push("ar");
  if (languages.map((language) => language.code).join(",") !== codes.join(",")) {
    languages = await Promise.all(codes.map((code) => fetch("/assets/languages/" + code + ".json").then((answer) => answer.json())));
    mark(root, "lang", languages[0].code);
    mark(root, "dir", languages[0].direction);
    lookForLetters();
  }
  state = document_;
  mark(root, "data-theme", state.page.theme);
  mark(root, "data-view", state.page.view);
  mark(root, "data-page", state.page.scroll ? "scrolls" : null);
  mark(root, "data-hide", state.page.hide.length ? state.page.hide.join(" ") : null);
  mark(root, "data-background", state.page.background ? "on" : null);
  const version = state.page.backgroundVersion ? "?v=" + state.page.backgroundVersion : "";
  root.style.setProperty("--picture", 'url("/background' + version + '")');
  measure();
  draw();
  if (first) document.fonts.ready.then(() => { measure(); draw(); });
}

/** Seconds without a tick. */
const silence = () => Math.floor((performance.now() - lastTick) / 1000);

const token = query.get("kiosk");
/** Which of the screens that are shown from this box it is. */
const view = query.get("view");
const asking = (values) => {
  const given = Object.entries(values).filter(([, value]) => value !== null);
  return given.length ? "?" + new URLSearchParams(given) : "";
};
const beat = (more) => fetch("/beat?token=" + encodeURIComponent(token) + more).catch(() => {});

/** Loads the page again. One that has the secret of taps would lose it: there the browser is started again by its launcher, and
    this page goes on until then. Whether it is over at once. */
function renew() {
  if (!token || !touch.hasSecret) {
    location.reload();
    return true;
  }
  beat("&renew=1");
  return false;
}

let stream = null;
let listening = 0;
function listen() {
  if (stream) stream.close();
  listening = performance.now();
  // The wall's own screen has a seat at the server that no other caller can take.
  stream = new EventSource("/events" + asking({ kiosk: token, view }));
  stream.addEventListener("state", (event) => { take(JSON.parse(event.data)).catch(() => {}); });
  stream.addEventListener("tick", (event) => {
    lastTick = performance.now();
    const offset = Date.parse(JSON.parse(event.data).at) - Date.now();
    // The quickest tick is the truest: a slow one is let in only when the clock has really moved.
    if (offset > ahead || ahead - offset > 250) ahead = offset;
  });
  stream.onerror = () => {
    // Where the server refused, the browser gives up by itself.
    if (stream.readyState === EventSource.CLOSED) setTimeout(listen, 2000);
  };
}

/** One timer, aimed again at the next second of the server's clock, or at the next scene where that comes first: calculated times
    that are not rounded begin within a second. */
function keepTime() {
  draw();
  // A connection that a network has forgotten stays open, and is silent for ever.
  if (frozen === null && silence() >= 15 && performance.now() - listening >= 15000) listen();
  const at = now();
  const next = state ? state.scenes.map((scene) => player.instant(scene.from)).find((from) => from > at) : undefined;
  setTimeout(keepTime, Math.min(1000 - (at % 1000), next === undefined ? 1000 : next - at) + 1);
}

touch.listen({ say: (key) => say(key), prayer: (name) => prayerName(name) }, () => state !== null && state.page.touch);

if (token) setInterval(() => beat(""), 10000);

addEventListener("resize", () => { measure(); draw(); });
const asked = query.get("now");
if (asked) {
  fetch("/state.json" + asking({ now: asked, view })).then((answer) => answer.json()).then(async (document_) => {
    if (!document_.preview) { listen(); keepTime(); return; }
    frozen = Date.parse(asked);
    await take(document_);
    await document.fonts.ready;
    measure();
    draw();
    mark(document.body, "data-ready", "yes");
  }).catch(() => {});
} else {
  measure();
  listen();
  keepTime();
}
