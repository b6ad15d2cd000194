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
export function clockText(now, state, withSeconds) {
  const { hour, minute, second } = wall(now, state);
  const twelve = state.page.clock === 12;
  const shown = twelve ? String(hour % 12 || 12) : two(hour);
  const text = shown + ":" + two(minute) + (withSeconds ? ":" + two(second) : "");
  return { text: digits(text, state.page.digits), half: twelve ? (hour < 12 ? "am" : "pm") : null };
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

/** A date `2026-11-20` with its weekday (1 = Monday) in a language's words. */
export function dateText(date, language, kind, monthFirst) {
  const [year, month, day] = date.split("-").map(Number);
  const weekday = new Date(Date.UTC(year, month - 1, day)).getUTCDay() || 7;
  return fill((monthFirst && language.monthFirst || language).date, {
    weekday: language.weekdays[weekday - 1], day: digits(day, kind), month: language.months[month - 1], year: digits(year, kind),
  });
}

export function hijriText(hijri, language, kind, monthFirst) {
  if (!hijri) return "";
  return fill((monthFirst && language.monthFirst || language).hijriDate, { day: digits(hijri[2], kind), month: language.hijriMonths[hijri[1] - 1], year: digits(hijri[0], kind) })
    .replace(/ г\.$/, "");
}

/** Millimetres of a capital letter, given the screen's diagonal (inches), its shape, and the letter's pixels. */
export function capMillimetres(pixels, width, height, diagonal) {
  return (pixels * diagonal * 25.4) / Math.hypot(width, height);
}
