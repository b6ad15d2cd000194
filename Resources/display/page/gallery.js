// What the slides are on a page that scrolls: all of them at once, small, below the times. A tap opens a picture as large as the
// telephone shows it; the donation has a link beside its code, because no telephone photographs its own screen.
import * as code from "./code.js";

const box = document.getElementById("gallery");
let drawn = "";

const make = (tag, parent, text) => {
  const element = document.createElement(tag);
  if (text) element.textContent = text;
  parent.appendChild(element);
  return element;
};

/** An address that a browser may open; `null` for a bank's lines, and for what a browser would run. */
function address(text) {
  try {
    const url = new URL(text);
    return ["http:", "https:"].includes(url.protocol) ? url.href : null;
  } catch (error) {
    return null;
  }
}

function link(parent, href) {
  const element = make("a", parent);
  element.href = href;
  element.target = "_blank";
  element.rel = "noopener noreferrer";
  return element;
}

function picture(item, { path, alt }, onFailure) {
  const image = make("img", link(item, path));
  // Only what somebody scrolls to is fetched: pictures have up to 8 MB.
  image.loading = "lazy";
  image.decoding = "async";
  image.alt = alt;
  image.addEventListener("error", () => onFailure(path));
  image.src = path;
}

function donation(item, entry) {
  const template = document.getElementById("slide-code");
  const drawing = template.cloneNode(true);
  drawing.removeAttribute("id");
  delete drawing.dataset.drawn;
  item.appendChild(drawing);
  code.draw(drawing, entry);
  if (entry.text) make("p", item, entry.text);
  const href = address(entry.url);
  if (href) make("bdi", link(item, href), entry.url);
  else make("p", item, entry.url);
}

/** `entries` are slides with a `path` or a `text`, and the donation with its `modules`. They are made again only when there are
    others. */
export function draw(entries, onFailure) {
  const key = JSON.stringify(entries);
  if (drawn === key) return;
  drawn = key;
  box.textContent = "";
  box.classList.toggle("empty", !entries.length);
  for (const entry of entries) {
    const item = make("li", box);
    if (entry.modules) donation(item, entry);
    else if (entry.path) picture(item, entry, onFailure);
    else make("p", item, entry.text);
  }
}
