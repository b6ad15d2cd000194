// How a box without a place is set up by phone: QR codes for its own network and for its page, in three languages, and who has claimed
// it. Codes and keys come from this machine's helper alone; a page without its secret says where to look.
import * as touch from "./touch.js";
import { draw as drawCode } from "./code.js";
import { $, languages, state } from "./context.js";
import { fill } from "./player.js";
import { make, mark, show, write } from "./text.js";

/** ms between two questions: codes are renewed, and somebody waits to see that it worked. */
const pause = 2000;

let answer = null;
let timer = 0;
let tables = [];
let loading = "";

/** The texts' languages, as far as they are loaded. */
function load(codes) {
  const wanted = codes.join();
  if (loading === wanted) return;
  loading = wanted;
  Promise.all(codes.map((code) => languages.find((one) => one.code === code)
    || fetch("/assets/languages/" + code + ".json").then((reply) => reply.json())))
    .then((loaded) => { if (loading === wanted) tables = loaded; })
    .catch(() => { loading = ""; });
}

async function ask() {
  try {
    answer = (await touch.ask("set-up")).setUp;
  } catch (error) {
    answer = null;
  }
}

/** A sentence in each language, one below another. */
function sentence(list, key, values) {
  while (list.children.length > tables.length) list.lastChild.remove();
  while (list.children.length < tables.length) make("p", "", list);
  tables.forEach((language, index) => {
    const line = list.children[index];
    mark(line, "lang", language.code);
    mark(line, "dir", language.direction);
    write(line, key ? fill(language.phrases[key] || "", values || {}) : "");
  });
}

function lines(list, texts) {
  while (list.children.length > texts.length) list.lastChild.remove();
  while (list.children.length < texts.length) make("bdi", "", list);
  texts.forEach((text, index) => write(list.children[index], text));
}

/** What is to be typed where no camera reads the code, and its name in each language. */
function typed(step, text, key) {
  const names = tables.map((language) => language.remote[key] || "");
  const name = step.querySelector(".label");
  while (name.children.length > names.length) name.lastChild.remove();
  names.forEach((word, index) => {
    const part = name.children[index] || make("bdi", "", name);
    mark(part, "lang", tables[index].code);
    write(part, word);
  });
  name.classList.toggle("empty", text === "");
  show(step.querySelector(".digits"), text);
}

function drawStep(step, code, key, digits, below, label) {
  step.hidden = !code;
  if (!code) {
    // Nothing of a code that does not count any more stays in the page.
    lines(step.querySelector(".below"), []);
    typed(step, "", "");
    drawCode(step.querySelector("svg"), { size: 0, modules: "", text: label });
    return;
  }
  drawCode(step.querySelector("svg"), { size: code.size, modules: code.modules, text: label });
  sentence(step.querySelector(".words"), key);
  typed(step, ...digits);
  lines(step.querySelector(".below"), below);
}

/** What stands in place of codes. */
function said() {
  if (!answer) return ["setup-elsewhere"];
  if (answer.state === "claimed") return ["setup-claimed", { name: "\u2068" + (answer.by || "") + "\u2069" }];
  return answer.state === "open" && !answer.hasNetwork && !answer.hotspot ? ["setup-network"] : [];
}

export function drawSetUp(scene) {
  const isShown = scene.scene === "set-up" && Boolean(state.setUp);
  if (!isShown) {
    if (timer) clearInterval(timer);
    timer = 0;
    if (answer) {
      answer = null;
      drawStep($("setup-wifi"), null);
      drawStep($("setup-page"), null);
    }
    return;
  }
  load(state.setUp.languages);
  if (!timer) {
    if (touch.hasSecret) ask();
    timer = setInterval(() => { if (touch.hasSecret) ask(); }, pause);
  }
  const open = answer && answer.state === "open" ? answer : {};
  const own = tables[tables.length - 1];
  drawStep($("setup-wifi"), open.hotspot, "setup-join", [(open.hotspot || {}).key, "network-password"],
    open.hotspot ? ["Wi-Fi: " + open.hotspot.name] : [], own && own.phrases["setup-join"]);
  drawStep($("setup-page"), answer && (answer.hasNetwork || answer.hotspot) ? open.pairing : null, "setup-scan",
    // In the box's own network its key was the code.
    [open.hotspot ? "" : (open.pairing || {}).code, "code"],
    open.pairing ? open.pairing.urls.slice(0, 3).map((url) => url.replace(/^http:\/\//, "")) : [], own && own.phrases["setup-scan"]);
  const [key, values] = said();
  sentence($("setup-said"), key, values);
  $("setup-said").hidden = !key;
  document.body.classList.toggle("two-codes", !$("setup-wifi").hidden && !$("setup-page").hidden);
}
