// Texts: how they are written into the page, in which language, and with which digits.
import * as player from "./player.js";
import { languages, state } from "./context.js";

/** Changes a text only when it is another one: rebuilding elements each second would fill the memory. */
export function write(element, text) {
  if (!element.firstChild) element.appendChild(document.createTextNode(""));
  if (element.firstChild.nodeValue !== text) element.firstChild.nodeValue = text;
}
export function show(element, text) {
  write(element, text);
  element.classList.toggle("empty", text === "");
}
export function mark(element, name, value) {
  if (value === null) element.removeAttribute(name);
  else if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

export const make = (tag, name, parent) => {
  const element = document.createElement(tag);
  if (name) element.className = name;
  element.appendChild(document.createTextNode(""));
  parent.appendChild(element);
  return element;
};

// Isolates: a number keeps its order in a sentence that runs the other way.
export const isolated = (text) => "\u2066" + text + "\u2069";
export const named = (text) => "\u2068" + text + "\u2069";

export const say = (key, values) => player.fill(languages[0].phrases[key] || key, values || {});
export const prayerName = (prayer, language) => (language || languages[0]).prayers[prayer] || prayer;

/** The digits of a text in a language. What stands alone (clock, countdown, cards) has those that are set. */
export const digitsIn = (language) => player.digitsIn(language, state.page.digits);

/** A time of day in a text. */
export function time(text) {
  const shown = player.clockText(player.instant(text), state, false, digitsIn(languages[0]));
  return isolated(shown.text) + (shown.half ? "\u00a0" + languages[0].phrases[shown.half] : "");
}

export const dateText = (date) => player.dateText(date, languages[0], digitsIn(languages[0]), state.monthFirst);

/** A time of day; alone it would be taken for today's. Within a week the day of the week says which one is meant, else the date. */
export function moment(text, at) {
  const [then, today] = [player.instant(text), at].map((ms) => player.localDate(ms, state));
  const days = Math.abs(Date.parse(then) - Date.parse(today)) / 86400000;
  if (days === 0) return time(text);
  return (days < 7 ? player.weekdayText(then, languages[0]) + " " : dateText(then) + ", ") + time(text);
}

/** The language that stands beside the screen's own, where one is set; Arabic names of prayers alone are none. */
export const second = () => (state.page.languages.length > 1 ? languages[1] : null);
export function inLanguage(element, language) {
  mark(element, "lang", language.code);
  mark(element, "dir", language.direction);
}
