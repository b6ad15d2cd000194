// The alert strip: what is wrong, above every scene.
import { $, isFrozen, languages, now, silence, state } from "./context.js";
import { undrawnSlides } from "./slides.js";
import { dateText, mark, moment, named, prayerName, say, write } from "./text.js";

const grave = ["lost", "no-sound", "no-sound-in", "not-heard", "clock", "state-loss", "fonts"];

/** Which alphabets this browser cannot write, by their names in English. */
let unwritable = [];
const alphabets = { Arabic: "بسمة", Bengali: "নামাজ", Cyrillic: "Фажр" };
export function lookForLetters() {
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
  // Chromium crashes when it balances lines and there is no font at all.
  document.documentElement.toggleAttribute("data-letters", !none(family).includes(draw("0", family)));
  unwritable = Object.keys(alphabets).filter((name) => {
    // The basmala is always there.
    const isShown = name === "Arabic" || [...alphabets[name]].some((letter) => shown.includes(letter));
    return isShown && lacks(alphabets[name], name === "Arabic" ? getComputedStyle($("bismillah")).fontFamily : family);
  });
}

export function drawNotices(at) {
  const lines = state.alerts.map((alert) => {
    const key = {
      "no-sound": alert.at ? "no-sound" : "no-sound-now", "no-sound-in": alert.prayer ? "no-sound-in" : "no-sound-in-now",
      mute: alert.at ? "mute" : "mute-open",
    }[alert.kind] || alert.kind;
    return [alert.kind, say("alert-" + key, {
      time: alert.at ? moment(alert.at, at) : "", date: alert.date ? dateText(alert.date) : "",
      prayer: alert.prayer ? prayerName(alert.prayer) : "", place: named(alert.text || ""), names: named(alert.text || ""),
    })];
  });
  if (silence() >= 30 && !isFrozen()) {
    lines.unshift(["lost", say("alert-stale", { time: moment(new Date(now() - silence() * 1000).toISOString(), at) })]);
  }
  // In letters that every browser has: those that it lacks could not be read.
  if (unwritable.length) lines.push(["fonts", "No font for " + unwritable.join(", ") + ": apt install fonts-noto-core fonts-hosny-amiri"]);
  const unseen = undrawnSlides();
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
