// What every part of the page draws from: the state that the server sent, the tables of its languages, and the server's clock.
export const $ = (id) => document.getElementById(id);
export const root = document.documentElement;

export let state = null;
/** The screen's own first. */
export let languages = [];
export function setState(document_) { state = document_; }
export function setLanguages(tables) { languages = tables; }

/** ms that the server's clock is ahead of this browser's. */
let ahead = 0;
let lastTick = performance.now();
/** In a preview the time stands still. */
let frozen = null;

export const now = () => (frozen === null ? Date.now() + ahead : frozen);
export const isFrozen = () => frozen !== null;
export function freeze(instant) { frozen = instant; }

/** The server says what time it is. */
export function tick(instant) {
  lastTick = performance.now();
  const offset = instant - Date.now();
  // The quickest tick is the truest: a slow one is let in only when the clock has really moved.
  if (offset > ahead || ahead - offset > 250) ahead = offset;
}

/** Seconds without a tick. */
export const silence = () => Math.floor((performance.now() - lastTick) / 1000);
