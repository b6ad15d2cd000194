// The page is a player: the server says for two days what is due when, and this looks up what is due now. Nothing is counted
// down, nothing is remembered but the state, and only text that changed is touched. Syntax: ES2020.
import * as player from "./player.js";
import * as verses from "./verses.js";
import * as touch from "./touch.js";

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

const cards = {};
for (const item of document.querySelectorAll("#cards li")) {
  const make = (tag, name, parent) => {
    const element = document.createElement(tag);
    if (name) element.className = name;
    element.appendChild(document.createTextNode(""));
    parent.appendChild(element);
    return element;
  };
  const names = make("div", "names", item);
  const times = make("div", "times", item);
  const name = make("p", "name", names);
  const under = make("p", "under", names);
  const card = { item, name, second: make("span", "second", under), tomorrow: make("span", "tomorrow", under) };
  for (const kind of ["time", "iqama"]) {
    const line = make("p", kind, times);
    card[kind] = line;
    line.firstChild.remove();
    card[kind + "Value"] = make("bdi", "", line);
    card[kind + "Value"].dir = "ltr";
    card[kind + "Half"] = make("small", "", line);
  }
  cards[item.dataset.prayer] = card;
}
const clockHalf = document.createElement("small");
clockHalf.appendChild(document.createTextNode(""));
$("clock").appendChild(clockHalf);

function putTime(card, kind, text) {
  const shown = text ? player.clockText(player.instant(text), state, false) : { text: "", half: null };
  write(card[kind + "Value"], shown.text);
  write(card[kind + "Half"], shown.half ? languages[0].phrases[shown.half] : "");
  card[kind].classList.toggle("empty", !text);
}

function drawCards(at, scene) {
  const day = player.due(state.days, at);
  const next = player.due(state.next, at);
  for (const [prayer, card] of Object.entries(cards)) {
    const entry = player.due(state.cards[prayer], at);
    const name = entry && entry.jumua ? "jumua" : prayer;
    write(card.name, prayerName(name));
    const other = languages[1] || null;
    show(card.second, other ? prayerName(name, other) : "");
    if (other) inLanguage(card.second, other);
    if (entry) putTime(card, "time", entry.at);
    else { write(card.timeValue, "–"); write(card.timeHalf, ""); }
    putTime(card, "iqama", entry ? entry.iqama : null);
    show(card.tomorrow, entry && day && entry.date > day.date ? say("tomorrow") : "");
    const current = scene.scene === "home" || scene.scene === "approaching" ? next && next.prayer : scene.prayer;
    card.item.classList.toggle("next", !!current && (current === "jumua" ? "dhuhr" : current) === prayer);
    card.item.classList.toggle("off", !!entry && !entry.enabled && prayer !== "sunrise");
  }
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
  show($("second-date"), other ? named(player.hijriText(day.hijri, other, other.digits, state.monthFirst)) : "");
  if (other) mark($("second-date"), "lang", other.code);
}

function drawLines(at) {
  const friday = player.due(state.fridays, at);
  let text = "";
  if (friday) {
    const slots = friday.slots.map((slot) => time(slot.khutba || slot.adhan || slot.iqama) + (slot.iqama ? " · " + say("iqama") + " " + time(slot.iqama) : ""));
    text = prayerName("jumua") + "  " + slots.join("  |  ");
  }
  show($("jumua"), text);
  const fast = player.due(state.fasts, at);
  show($("fast"), fast ? [fast.imsak && say("imsak") + " " + time(fast.imsak), fast.iftar && say("iftar") + " " + time(fast.iftar)].filter(Boolean).join("   ·   ") : "");
  const notes = state.notes.filter((note) => player.instant(note.from) <= at && at < player.instant(note.until)).slice(0, 3);
  show($("notes"), notes.map((note) => say("note-" + note.kind, {
    prayer: note.prayer ? prayerName(note.prayer) : "", time: time(note.at), date: player.dateText(note.date, languages[0], state.page.digits, state.monthFirst),
  })).join("   ·   "));
  $("ticker").classList.toggle("empty", !state.page.ticker);
}

// MARK: The strip of honesty

const grave = ["lost", "no-sound", "not-heard", "clock", "fonts"];

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

/** A time of day; of another day with its date, lest it be taken for today's. */
function moment(text, at) {
  const day = (ms) => player.localDate(ms, state);
  const then = player.instant(text);
  return (day(then) === day(at) ? "" : player.dateText(day(then), languages[0], state.page.digits, state.monthFirst) + ", ") + time(text);
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

function putMessage(over, title, arabic, text) {
  show($("message-over"), over);
  show($("message-title"), title);
  show($("message-arabic"), arabic);
  show($("message-text"), text);
}

function drawMessage(scene, at) {
  const name = scene.eid ? prayerName("eid") : scene.prayer ? prayerName(scene.prayer) : "";
  const passed = player.since(player.instant(scene.from), at);
  switch (scene.scene) {
    case "adhan": {
      const words = scene.prayer === "fajr" ? verses.fajrCall : verses.call;
      const failed = scene.reason.startsWith("the sound failed");
      putMessage(say("adhan"), name, state.page.adhanWords ? words[Math.floor(passed / 12) % words.length] : "", failed ? say("sound-failed") : "");
      break;
    }
    case "dua": putMessage(say("dua"), "", verses.dua, ""); break;
    case "iqama": putMessage(name, say("iqama"), "", say("rows")); break;
    case "adhkar": putMessage(say("adhkar"), "", verses.adhkar[Math.floor(passed / 20) % verses.adhkar.length], ""); break;
    case "khutba": putMessage(name, say("khutba"), "", say("listen")); break;
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
  } else if (scene.scene === "prayer" && target !== null) {
    label = say("since-iqama");
    value = player.duration(player.since(target, at), kind);
  } else {
    const next = player.due(state.next, at);
    if (next) {
      const name = next.kind === "eid" ? prayerName("eid") : next.kind === "khutba" ? say("khutba") : prayerName(next.prayer);
      label = say("next-in", { prayer: name });
      value = player.duration(player.left(player.instant(next.at), at), kind);
    }
  }
  write($("next-label"), label);
  write($("countdown"), value);
}

/** Pictures that this browser could not draw, by their addresses: they are left out instead of leaving a hole. */
const undrawable = new Set();
const slidePath = (image) => {
  const slide = state.slides.find((one) => one.image === image);
  return "/slides/" + encodeURIComponent(image) + (slide && slide.version ? "?v=" + slide.version : "");
};
$("slide-image").addEventListener("error", () => {
  undrawable.add($("slide-image").getAttribute("src"));
  draw();
});

function drawSlide(scene, at) {
  const slides = scene.scene === "home" ? state.slides.filter((slide) => !slide.image || !undrawable.has(slidePath(slide.image))) : [];
  if (!slides.length) return mark(document.body, "data-slide", null);
  // Every slide in turn, and one turn of the bare board.
  const turn = Math.floor(at / 1000 / state.page.slideSeconds) % (slides.length + 1);
  const slide = slides[turn] || null;
  mark(document.body, "data-slide", slide ? "on" : null);
  const image = $("slide-image");
  if (slide && slide.image) {
    const path = slidePath(slide.image);
    if (image.getAttribute("src") !== path) image.setAttribute("src", path);
  }
  image.hidden = !(slide && slide.image);
  show($("slide-text"), slide && slide.text ? slide.text : "");
}

function drawClock(at, scene) {
  const calm = ["night", "khutba", "prayer"].includes(scene.scene);
  const shown = player.clockText(at, state, state.page.seconds && !calm && !document.body.dataset.slide);
  write($("clock").firstElementChild, shown.text);
  write(clockHalf, shown.half ? languages[0].phrases[shown.half] : "");
}

/** Wanders along a closed path, one step a minute, against burn-in. */
function wander(at) {
  const minute = Math.floor(at / 60000);
  const reach = (Math.min(innerWidth, innerHeight) * state.page.shift) / 100;
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
  // What was told reaches two days; after that there is a clock, and no times that would be another day's.
  const isOver = at > player.instant(state.now) + reach;
  const scene = (!isOver && player.due(state.scenes, at)) || nothing;
  mark(document.body, "data-scene", scene.scene);
  document.body.classList.toggle("over", isOver);
  mark(document.body, "data-style", state.page.prayerStyle);
  drawSlide(scene, at);
  drawClock(at, scene);
  drawCountdown(scene, at);
  drawMessage(scene, at);
  drawCards(at, scene);
  drawDates(at);
  drawLines(at);
  drawNotices(at);
  if (state.page.ticker) write($("ticker").firstElementChild, state.page.ticker);
  const proof = state.proof && state.page.proof
    ? say("played", {
      prayer: prayerName(state.proof.prayer), time: time(state.proof.at),
      minutes: player.digits(Math.floor(state.proof.seconds / 60), state.page.digits), seconds: player.digits(state.proof.seconds % 60, state.page.digits),
    }) : "";
  write($("proof"), proof);
  write($("place"), state.place);
  show($("title"), state.page.title);
  const minute = Math.floor(at / 60000);
  if (drawnSecond !== minute) { drawnSecond = minute; wander(at); }
  const quiet = silence();
  document.body.classList.toggle("late", frozen === null && quiet >= 5 && quiet < 30);
  document.body.classList.toggle("lost", frozen === null && quiet >= 30);
  fit();
}

/** Long names and verses get smaller instead of being cut, and together where there is too little room for all of them. Looked at only
    when a text or the arrangement changed: measuring makes the browser lay everything out anew. */
const central = ["clock", "next", "countdown", "message-over", "message-title", "message-second", "message-arabic", "message-text"];
const others = ["title", "dates", "slide-text"];
let fits = new Map();
function isNew(name, key) {
  if (fits.get(name) === key) return false;
  fits.set(name, key);
  return true;
}
// A clock and a countdown change each second and keep their width: digits are all alike.
const measured = (id) => (["clock", "next", "countdown"].includes(id) ? $(id).textContent.length : $(id).textContent);
function fit() {
  const body = document.body;
  const main = document.querySelector("main");
  const arrangement = [innerWidth, innerHeight, body.dataset.scene, body.dataset.slide || "", $("notices").textContent.length, $("notes").textContent.length,
    $("jumua").textContent.length, $("fast").textContent.length].join("|");
  const isWide = (element, box) => element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0 || element.offsetWidth > box.clientWidth + 1;
  for (const id of others) {
    if (!isNew(id, arrangement + "|" + measured(id))) continue;
    const [element, box] = [$(id), id === "slide-text" ? $("slide") : main];
    shrink([element], () => isWide(element, box) || id === "slide-text" && element.scrollHeight > box.clientHeight + 1, 24);
  }
  if (isNew("main", arrangement + "|" + central.map(measured).join("|"))) {
    const isOver = () => {
      const room = main.getBoundingClientRect();
      return [$("now"), $("message")].some((part) => {
        const box = part.getBoundingClientRect();
        return box.height > 0 && (box.top < room.top - 1 || box.bottom > room.bottom + 1);
      });
    };
    // Where letters that can be read do not suffice, what is least missed goes: the ornament and the foot.
    for (const tight of [null, "on"]) {
      mark(body, "data-tight", tight);
      const shown = central.map($).filter((element) => element.offsetParent !== null);
      for (const element of shown) shrink([element], () => isWide(element, main), 24);
      shrink(shown, isOver, 36, true);
      if (!isOver()) break;
    }
  }
  for (const [prayer, card] of Object.entries(cards)) {
    for (const name of ["name", "second", "time", "iqama"]) {
      const line = card[name];
      if (isNew(prayer + name, arrangement + "|" + line.textContent)) shrink([line], () => line.scrollWidth > line.clientWidth + 1, 16);
    }
  }
}
/** Makes elements smaller in steps, as long as something is too large; from the size that the style sheet gives them, or `on` from
    what they have. */
function shrink(elements, isOver, most, on) {
  // What cannot be read does not help: there it stops, and something else has to give way.
  const smallest = 1.8 * parseFloat(getComputedStyle(root).fontSize);
  if (!on) for (const element of elements) element.style.fontSize = "";
  const sizes = elements.map((element) => parseFloat(getComputedStyle(element).fontSize));
  for (let step = 0; step < most && isOver(); step += 1) {
    elements.forEach((element, index) => {
      if (sizes[index] * 0.93 < smallest) return;
      sizes[index] *= 0.93;
      element.style.fontSize = sizes[index] + "px";
    });
  }
}

// MARK: The screen

function measure() {
  const [width, height] = [innerWidth, innerHeight];
  const ratio = width / height;
  const shape = ratio < 0.9 ? "tall" : ratio < 1.5 ? "square" : "wide";
  mark(root, "data-shape", shape);
  // A hundredth of the height, or what the width has room for.
  const unit = shape === "tall" ? Math.min(width / 75, height / 133) : shape === "square" ? Math.min(height / 100, width / 128) : Math.min(height / 100, width / 168);
  root.style.setProperty("--unit", unit + "px");
  const page = state ? state.page : { margin: 3, diagonal: 0, distance: 0, nightBrightness: 35 };
  root.style.setProperty("--margin", (Math.min(width, height) * (page.margin + 1)) / 100 + "px");
  root.style.setProperty("--dim", page.nightBrightness / 100);
  // 5 mm of capital height for each metre: 50 mm at 10 m. A capital has 0.71 of the font's size.
  const cap = page.diagonal && page.distance ? player.capMillimetres(6.4 * unit * 0.71, width, height, page.diagonal) : 1e9;
  mark(root, "data-far", shape === "wide" && cap < 5 * page.distance ? "on" : null);
  fits = new Map();
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
const beat = (more) => fetch("/beat?token=" + encodeURIComponent(token) + more).catch(() => {});

/** Loads the page anew. One that has the secret of taps would lose it: there the browser is started again by its launcher, and
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
  stream = new EventSource("/events" + (token ? "?kiosk=" + encodeURIComponent(token) : ""));
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

/** One timer, aimed anew at the next second of the server's clock, or at the next scene where that comes first: calculated times
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
  fetch("/state.json?now=" + encodeURIComponent(asked)).then((answer) => answer.json()).then(async (document_) => {
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
