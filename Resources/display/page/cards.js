// The prayers' cards.
import * as player from "./player.js";
import { $, languages, state } from "./context.js";
import { inLanguage, make, mark, prayerName, say, show, time, write } from "./text.js";

/** Whether whoever looks wants nothing to move. */
const wantsCalm = matchMedia("(prefers-reduced-motion: reduce)");

export const cards = {};
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

export function drawCards(at, scene) {
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
