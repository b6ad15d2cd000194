// What a tap opens on a display of the box's own: mute, stop and the prayers' switches. The page shows what adhand says and asks a
// helper on this machine for what is to be changed; without that helper's secret in the address there is none of this.
import { draw as drawCode } from "./code.js";

const address = "http://127.0.0.1:8789/touch";
const token = new URLSearchParams(location.hash.slice(1)).get("touch");
// Whoever comes to see the address of this page later does not find it there.
if (token) history.replaceState(null, "", location.pathname + location.search);
export const hasSecret = token !== null;
/** Seconds after which a sheet that nobody touches closes. */
const patience = 30;

const make = (tag, name, parent) => {
  const element = document.createElement(tag);
  element.className = name;
  parent.appendChild(element);
  return element;
};

let sheet = null;
/** What is behind the sheet: nobody gets there while it is open. */
const board = document.getElementById("stage");
let closing = 0;

export async function ask(what) {
  // A text: nothing that a browser would first ask leave for.
  const answer = await fetch(address, { method: "POST", headers: { "Content-Type": "text/plain" }, body: JSON.stringify({ token, do: what }) });
  const said = await answer.json();
  if (!answer.ok) throw new Error(said.message);
  return said;
}

function button(text, action, parent, isOn) {
  const element = make("button", "", parent);
  element.type = "button";
  element.textContent = text;
  if (isOn !== undefined) element.setAttribute("aria-pressed", String(isOn));
  element.addEventListener("click", (event) => { event.stopPropagation(); action(); });
}

function close() {
  clearTimeout(closing);
  if (sheet) sheet.remove();
  sheet = null;
  board.inert = false;
}

/** A code and its QR code for one phone, for as long as the window is open; they are on this screen alone. */
function showPairing(words, pairing) {
  const part = make("div", "pairing", sheet);
  const space = "http://www.w3.org/2000/svg";
  const code = document.createElementNS(space, "svg");
  code.setAttribute("class", "code");
  code.setAttribute("role", "img");
  code.appendChild(document.createElementNS(space, "path"));
  part.appendChild(code);
  drawCode(code, { size: pairing.size, modules: pairing.modules, text: words.say("touch-pair") });
  const text = make("div", "", part);
  make("p", "digits", text).textContent = "\u2066" + pairing.code + "\u2069";
  make("p", "label", text).textContent = words.say("touch-pair-help");
  for (const url of pairing.urls) make("p", "label", text).textContent = "\u2066" + url + "\u2069";
}

/** The phrase for what comes of a request for the box's own network. */
const hotspotPhrases = { up: "touch-hotspot-coming", coming: "touch-hotspot-coming", connected: "touch-hotspot-connected" };

/** Shows what is so now; what was said of it, or why it failed, stands above. */
async function show(words, what) {
  let status = null;
  let line = "";
  try {
    status = await ask(what);
    line = status.message || "";
    // Its name keeps its order among words that run the other way.
    if (status.hotspot) line = words.say(hotspotPhrases[status.hotspot.outcome] || "touch-hotspot-none", { name: "\u2068" + status.hotspot.network + "\u2069" });
  } catch (error) {
    line = words.say("touch-failed");
    status = what === "status" ? null : await ask("status").catch(() => null);
  }
  // Whoever uses the keyboard stays where they were.
  const before = sheet ? [...sheet.querySelectorAll("button")].indexOf(document.activeElement) : 0;
  close();
  sheet = make("div", "", document.body);
  sheet.id = "sheet";
  sheet.setAttribute("role", "dialog");
  sheet.setAttribute("aria-modal", "true");
  sheet.setAttribute("aria-label", words.say("adhan"));
  sheet.addEventListener("keydown", (event) => { if (event.key === "Escape") close(); });
  sheet.addEventListener("click", (event) => event.stopPropagation());
  const said = make("p", "said", sheet);
  said.setAttribute("role", "status");
  said.textContent = line;
  const change = (action) => () => show(words, action);
  const actions = make("div", "actions", sheet);
  if (status) {
    if (status.muted) button(words.say("touch-unmute"), change("unmute"), actions);
    else {
      button(words.say("touch-mute-hour"), change("mute-hour"), actions);
      button(words.say("touch-mute-next"), change("mute-next"), actions);
    }
    if (status.playing) button(words.say("touch-stop"), change("stop"), actions);
    make("p", "label", sheet).textContent = words.say("touch-calls");
    const switches = make("div", "switches", sheet);
    for (const one of status.prayers) {
      const name = (one.enabled ? "\u2713 " : "\u2715 ") + words.prayer(one.prayer);
      button(name, change((one.enabled ? "disable " : "enable ") + one.prayer), switches, one.enabled);
    }
    // Names of sounds and methods are what people type, and no language's; each keeps its order among words that run the other way.
    const isolated = (text) => "\u2068" + text + "\u2069";
    make("p", "facts", sheet).textContent = [...status.prayers.map((one) => words.prayer(one.prayer) + ": " + isolated(one.sound + ", " + one.volume + " %")),
      isolated(status.method), words.prayer("asr") + ": " + isolated(status.asr), isolated("adhand " + status.version)].join("  ·  ");
  }
  if (status && status.pairing) showPairing(words, status.pairing);
  else if (status && status.pairs) button(words.say("touch-pair"), change("pair"), actions);
  if (status && status.offersHotspot) button(words.say("touch-hotspot"), change("hotspot"), actions);
  button(words.say("touch-close"), close, sheet);
  board.inert = true;
  const buttons = sheet.querySelectorAll("button");
  buttons[Math.min(Math.max(before, 0), buttons.length - 1)].focus();
  closing = setTimeout(close, (status && status.pairing ? status.pairing.seconds : patience) * 1000);
}

/** `words.say(key, values)` and `words.prayer(name)` are the page's own; `isOn()` whether the settings allow it. */
export function listen(words, isOn) {
  if (!token) return;
  const open = () => { if (isOn()) show(words, "status").catch(() => {}); };
  document.addEventListener("click", () => { if (sheet) close(); else open(); });
  document.addEventListener("keydown", (event) => { if (!sheet && event.key === "Enter") open(); });
}
