// Slides, the donation's code and announcements, which have their turns beside the board.
import * as code from "./code.js";
import * as gallery from "./gallery.js";
import * as player from "./player.js";
import { $, state } from "./context.js";
import { announced, hides } from "./lines.js";
import { mark, show } from "./text.js";

let redraw = () => {};
/** `draw` draws the page again when a picture turns out to be none. */
export function start(draw) { redraw = draw; }

/** Pictures that this browser could not draw, by their addresses: they are left out instead of leaving a hole. */
const undrawable = new Set();
const slidePath = (image) => {
  const slide = state.slides.find((one) => one.image === image);
  return "/slides/" + encodeURIComponent(image) + (slide && slide.version ? "?v=" + slide.version : "");
};
function leaveOut(path) {
  undrawable.add(path);
  redraw();
}
$("slide-image").addEventListener("error", () => leaveOut($("slide-image").getAttribute("src")));
/** Names of those that are left out. */
export const undrawnSlides = () => state.slides.map((slide) => slide.image).filter((image) => image && undrawable.has(slidePath(image)));

// Nobody has said what is on it but by its file's name.
const slideAlt = (slide) => slide.alt || slide.image.replace(/\.[^.]*$/, "");

/** An announcement as a slide: its picture, where it has one that this browser can draw, and else its text. */
function announcement(one) {
  const isDrawn = one.picture && !undrawable.has(slidePath(one.picture));
  return isDrawn ? { image: one.picture, alt: one.text, seconds: one.seconds } : { text: one.text, seconds: one.seconds };
}

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
    ...announced("slide", at).map(announcement),
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

export function drawSlide(scene, at) {
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
