// The page is a player: the server says for two days what is due when, and this looks up what is due now. Nothing is counted
// down, nothing is remembered but the state, and only text that changed is touched. Syntax: ES2020.
import * as player from "./player.js";
import * as touch from "./touch.js";
import { cards, drawCards } from "./cards.js";
import { $, freeze, isFrozen, languages, now, root, setLanguages, setState, silence, state, tick } from "./context.js";
import { fit } from "./fit.js";
import { drawDates, drawLines, hides } from "./lines.js";
import { drawNotices, lookForLetters } from "./notices.js";
import { drawSetUp } from "./setup.js";
import { drawBar, drawClock, drawCountdown, drawMessage } from "./scenes.js";
import { measure, wander } from "./sizes.js";
import * as slides from "./slides.js";
import { digitsIn, mark, moment, named, prayerName, say, show, write } from "./text.js";

const query = new URLSearchParams(location.search);

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
  slides.drawSlide(scene, at);
  drawSetUp(scene);
  drawClock(at, scene);
  drawCountdown(scene, at);
  drawMessage(scene, at);
  drawBar(scene, at);
  drawCards(at, scene);
  drawDates(at);
  drawLines(at);
  drawNotices(at);
  const proof = state.proof && state.page.proof && !hides("proof")
    ? say("played", { prayer: prayerName(state.proof.prayer), time: moment(state.proof.at, at), span: player.spanText(state.proof.seconds, languages[0], digitsIn(languages[0])) })
      + (state.proof.outputs ? " (" + named(state.proof.outputs.join(", ")) + ")" : "") : "";
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
  document.body.classList.toggle("late", !isFrozen() && quiet >= 5 && quiet < 30);
  document.body.classList.toggle("lost", !isFrozen() && quiet >= 30);
  fit(cards);
}

slides.start(draw);

// MARK: The server

async function take(document_) {
  const first = !state;
  // The server was exchanged for another one: its page is another one, too.
  if (state && !isFrozen() && state.build !== document_.build && renew()) return;
  if (query.get("lang") && document_.preview) document_.page.languages = query.get("lang").split(",");
  if (query.get("theme") && document_.preview) document_.page.theme = query.get("theme");
  if (query.get("digits") && document_.preview) document_.page.digits = query.get("digits");
  if (query.get("clock") && document_.preview) document_.page.clock = Number(query.get("clock"));
  if (query.get("lang") && document_.preview && document_.setUp) {
    document_.setUp.languages = ["ar", "en", ...document_.page.languages].filter((code, index, all) => all.indexOf(code) === index).slice(0, 3);
  }
  const codes = document_.page.languages.slice(0, 2);
  // Without a second language the prayers' names stand in Arabic beside the local ones.
  if (codes.length === 1 && document_.page.arabicNames && codes[0] !== "ar") codes.push("ar");
  if (languages.map((language) => language.code).join(",") !== codes.join(",")) {
    setLanguages(await Promise.all(codes.map((code) => fetch("/assets/languages/" + code + ".json").then((answer) => answer.json()))));
    mark(root, "lang", languages[0].code);
    mark(root, "dir", languages[0].direction);
    lookForLetters();
  }
  setState(document_);
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
    tick(Date.parse(JSON.parse(event.data).at));
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
  if (!isFrozen() && silence() >= 15 && performance.now() - listening >= 15000) listen();
  const at = now();
  const next = state ? state.scenes.map((scene) => player.instant(scene.from)).find((from) => from > at) : undefined;
  setTimeout(keepTime, Math.min(1000 - (at % 1000), next === undefined ? 1000 : next - at) + 1);
}

touch.listen({ say: (key, values) => say(key, values), prayer: (name) => prayerName(name) }, () => state !== null && state.page.touch);

if (token) setInterval(() => beat(""), 10000);

addEventListener("resize", () => { measure(); draw(); });
const asked = query.get("now");
if (asked) {
  fetch("/state.json" + asking({ now: asked, view })).then((answer) => answer.json()).then(async (document_) => {
    if (!document_.preview) { listen(); keepTime(); return; }
    freeze(Date.parse(asked));
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
