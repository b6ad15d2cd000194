// How large the letters are, and where on the screen the content stands.
import * as digits from "./digits.js";
import { $, root, state } from "./context.js";
import { forget } from "./fit.js";
import { mark } from "./text.js";

/** Of the letters, in hundredths of the screen; the server computes them. */
export let sizes = { layout: "full", clock: 20, name: 4.2, label: 3.2, time: 6.2, iqama: 7 };

export function measure() {
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

/** Wanders along a closed path, one step a minute, against burn-in. */
export function wander(at) {
  if (state.page.scroll) return;
  const minute = Math.floor(at / 60000);
  // As far as a stroke of the clock is thick, and never out of the margin.
  const reach = (Math.min(innerWidth, innerHeight) * Math.min(state.page.shift, 0.7 * (state.page.margin + 1))) / 100;
  const angle = (minute % 60) / 60 * 2 * Math.PI;
  root.style.setProperty("--shift-x", Math.round(reach * Math.cos(angle)) + "px");
  root.style.setProperty("--shift-y", Math.round(reach * Math.sin(2 * angle)) + "px");
}
