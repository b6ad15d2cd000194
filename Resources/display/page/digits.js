// Clocks and countdowns in which nothing moves but what changes: in many fonts the digits of one alphabet differ in width, so each
// stands in a box as wide as the widest of the ten.
import * as player from "./player.js";

const all = Object.values(player.eastern).join("");

/** Boxes for as many characters as a countdown ever has: elements that come and go would cost the browser memory. */
export function boxes(element, count) {
  for (let index = element.children.length; index < count; index += 1) {
    const box = document.createElement("span");
    box.appendChild(document.createTextNode(""));
    element.appendChild(box);
  }
}

export function write(element, text) {
  boxes(element, text.length);
  [...element.children].forEach((box, index) => {
    const letter = text[index] || "";
    if (box.firstChild.nodeValue === letter) return;
    box.firstChild.nodeValue = letter;
    box.className = letter && all.includes(letter) ? "digit" : "";
  });
}

/** The width of the widest of ten digits, in a font of size 1. */
export function widest(kind, family) {
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = "200px " + family;
  return Math.max(...[...(player.eastern[kind] || player.eastern.latin)].map((digit) => pen.measureText(digit).width)) / 200;
}
