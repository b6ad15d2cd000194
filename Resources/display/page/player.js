// What is due at an instant, from lists of values with the instants from which they hold. No clock, no document: tried by itself.

export const instant = (text) => (text === null || text === undefined ? null : Date.parse(text));

/** The last entry that is not later than `now` (ms); the first one before that. */
export function due(list, now) {
  let found = null;
  for (const entry of list || []) {
    if (instant(entry.from) <= now) found = entry;
    else break;
  }
  return found || (list && list.length ? list[0] : null);
}

export const eastern = {
  latin: "0123456789", arabic: "٠١٢٣٤٥٦٧٨٩", persian: "۰۱۲۳۴۵۶۷۸۹", bengali: "০১২৩৪৫৬৭৮৯",
};

export const digits = (text, kind) => {
  const own = eastern[kind] || eastern.latin;
  return String(text).replace(/[0-9]/g, (digit) => own[digit]);
};

/** The digits of a text in a language: those that are set (`kind`) where its script has them, else its own. Persian has other forms
    of some of the digits of Arabic, and Latin ones are read in every script. */
export function digitsIn(language, kind) {
  const script = (one) => (one === "persian" ? "arabic" : one);
  return kind === "latin" || script(kind) === script(language.digits) ? kind : language.digits;
}

const two = (number) => (number < 10 ? "0" : "") + number;

/** The wall clock of the place: hours, minutes, seconds. Never the browser's own zone. */
export function wall(now, state) {
  const offset = due(state.offsets, now);
  const seconds = Math.floor(now / 1000) + (offset ? offset.seconds : 0);
  const day = ((seconds % 86400) + 86400) % 86400;
  return { hour: Math.floor(day / 3600), minute: Math.floor(day / 60) % 60, second: day % 60 };
}

/** `2026-11-20`, by the place's clocks. */
export function localDate(at, state) {
  const offset = due(state.offsets, at);
  return new Date(at + (offset ? offset.seconds : 0) * 1000).toISOString().slice(0, 10);
}

/** `{text: "14:05", half: "pm"|"am"|null}` */
export function clockText(now, state, withSeconds, kind = state.page.digits) {
  const { hour, minute, second } = wall(now, state);
  const twelve = state.page.clock === 12;
  const shown = twelve ? String(hour % 12 || 12) : two(hour);
  const text = shown + ":" + two(minute) + (withSeconds ? ":" + two(second) : "");
  return { text: digits(text, kind), half: twelve ? (hour < 12 ? "am" : "pm") : null };
}

/** Seconds that are left, upwards: the countdown says 0:00 in the very second in which it happens. */
export const left = (target, now) => Math.max(0, Math.ceil((target - now) / 1000));
export const since = (target, now) => Math.max(0, Math.floor((now - target) / 1000));

export function duration(seconds, kind) {
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  const text = hours ? hours + ":" + two(minutes) + ":" + two(seconds % 60) : minutes + ":" + two(seconds % 60);
  return digits(text, kind);
}

export function fill(pattern, values) {
  return pattern.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? values[name] : whole));
}

/** Year, month and day of a solar calendar (Languages/SolarCalendar.swift has the same); `null` for a day of no year that is known. */
export function solarDay(date, solar) {
  const gregorian = Number(date.slice(0, 4));
  for (const year of [gregorian - 621, gregorian - 622]) {
    const first = solar.newYears.slice((year - solar.firstYear) * 2).slice(0, 2);
    if (year < solar.firstYear || first.length < 2) continue;
    const passed = Math.round((Date.parse(date) - Date.UTC(year + 621, 2, Number(first))) / 86400000);
    if (passed < 0) continue;
    return passed < 186 ? [year, Math.floor(passed / 31) + 1, passed % 31 + 1] : [year, Math.floor((passed - 186) / 30) + 7, (passed - 186) % 30 + 1];
  }
  return null;
}

/** The day of the week of a date `2026-11-20`, in a language's words. */
export const weekdayText = (date, language) => language.weekdays[(new Date(date).getUTCDay() || 7) - 1];

/** A date `2026-11-20` with its weekday in a language's words. */
export function dateText(date, language, kind, monthFirst) {
  const [year, month, day] = date.split("-").map(Number);
  const solar = language.solar && solarDay(date, language.solar);
  return fill((monthFirst && language.monthFirst || language).date, {
    weekday: weekdayText(date, language), ...(solar
      ? { day: digits(solar[2], kind), month: language.solar.months[solar[1] - 1], year: digits(solar[0], kind) }
      : { day: digits(day, kind), month: language.months[month - 1], year: digits(year, kind) }),
  });
}

/** The same in the Gregorian calendar, where the language's own is another one. */
export const gregorianText = (date, language, kind) => (language.solar ? dateText(date, { ...language, solar: undefined, date: "{day} {month} {year}" }, kind, false) : "");

export function hijriText(hijri, language, kind, monthFirst) {
  if (!hijri) return "";
  return fill((monthFirst && language.monthFirst || language).hijriDate, { day: digits(hijri[2], kind), month: language.hijriMonths[hijri[1] - 1], year: digits(hijri[0], kind) });
}

/** `2 min 58 s`, `9 s`, in a language's words. */
export function spanText(seconds, language, kind) {
  const part = (key, number) => fill(language.person[key], { n: digits(number, kind) });
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
  return [minutes ? part("minutes", minutes) : "", rest || !minutes ? part("seconds", rest) : ""].filter(Boolean).join(" ");
}

/** Which way a text runs: as its first letter does. */
export function direction(text) {
  const letter = /\p{L}/u.exec(text);
  return letter && /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/.test(letter[0]) ? "rtl" : "ltr";
}

/** Of more than fit at once, those whose turn it is; every `stay` ms the next ones. */
export function inTurn(list, most, now, stay) {
  if (list.length <= most) return list;
  const turn = Math.floor(now / stay) % Math.ceil(list.length / most);
  return list.slice(turn * most, (turn + 1) * most);
}

/** Of parts that fill a length (ms) together, in proportion to `weights`, the one that is due `passed` ms after its beginning. They
    are said once: after them the last one stays. */
export function part(parts, weights, passed, length) {
  let left = length > 0 ? Math.max(0, passed / length) * weights.reduce((sum, one) => sum + one, 0) : Infinity;
  const due = weights.findIndex((weight) => (left -= weight) < 0);
  return parts[due < 0 ? parts.length - 1 : due];
}

/** Of things that stay for their own `seconds`, the one whose turn it is; `null` of none. */
export function turn(list, now) {
  const all = list.reduce((sum, one) => sum + one.seconds, 0);
  let left = (now / 1000) % all;
  for (const one of list) {
    if (left < one.seconds) return one;
    left -= one.seconds;
  }
  return list.length ? list[list.length - 1] : null;
}
