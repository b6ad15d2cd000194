// Long names and verses get smaller instead of being cut, and together where there is too little room for all of them. Measured only
// when a text or the arrangement changed: measuring makes the browser lay everything out again.
const root = document.documentElement;
const $ = (id) => document.getElementById(id);
const central = ["clock", "next", "countdown", "message-over", "message-title", "message-second", "message-arabic", "message-text", "bar"];
const others = ["title", "dates", "slide-text", "jumua", "head-adhan", "head-iqama"];
let fits = new Map();

function isNew(name, key) {
  if (fits.get(name) === key) return false;
  fits.set(name, key);
  return true;
}

/** Everything is to be measured again. */
export function forget() { fits = new Map(); }

// A clock and a countdown change each second and keep their width (digits.js).
const measured = (id) => (["clock", "countdown"].includes(id) ? $(id).textContent.length
  : id === "next" ? $("next-label").textContent + $("countdown").textContent.length : $(id).textContent);

/** Whether a line is cut. scrollWidth is a whole number: a name that is a quarter of a pixel too long would end in dots, unnoticed. */
function isCut(line) {
  const letters = document.createRange();
  letters.selectNodeContents(line);
  return line.scrollWidth > line.clientWidth || letters.getBoundingClientRect().width > line.getBoundingClientRect().width + 0.05;
}

const isWide = (element, box) => element.scrollWidth > element.clientWidth && element.clientWidth > 0 || element.offsetWidth > box.clientWidth + 1;

/** Makes elements smaller in steps, as long as something is too large; from the size that the style sheet gives them, or `on` from
    what they have. */
function shrink(elements, isOver, most, on) {
  // What cannot be read does not help: there it stops, and something else has to give way.
  const smallest = 1.8 * parseFloat(getComputedStyle(root).fontSize);
  if (!on) for (const element of elements) element.style.fontSize = "";
  const sizes = elements.map((element) => parseFloat(getComputedStyle(element).fontSize));
  for (let step = 0; step < most && isOver(); step += 1) {
    elements.forEach((element, index) => {
      if (sizes[index] * 0.95 < smallest) return;
      sizes[index] *= 0.95;
      element.style.fontSize = sizes[index] + "px";
    });
  }
}

/** Whether the clock, the message or the cards stand beyond their room. */
function isOver() {
  const main = document.querySelector("main").getBoundingClientRect();
  const stage = $("stage").getBoundingClientRect();
  const parts = [[$("now"), main], [$("message"), main]];
  for (const id of ["cards", "notices", "slide"]) parts.push([$(id), stage]);
  return parts.some(([part, room]) => {
    const box = part.getBoundingClientRect();
    return box.height > 0 && (box.top < room.top - 1 || box.bottom > room.bottom + 1);
  });
}

export function fit(cards) {
  const body = document.body;
  const main = document.querySelector("main");
  const arrangement = [innerWidth, innerHeight, body.dataset.scene, body.dataset.slide || "", $("notices").textContent, $("notes").textContent.length,
    $("jumua").textContent, $("fast").textContent.length].join("|");
  if (isNew("main", arrangement + "|" + central.map(measured).join("|"))) {
    // What is least missed goes first: the ornament and the corner. Then a clock of half the size does, and when a fast is broken and
    // an Eid is prayed still stands there. From afar letters keep their size, and the foot goes.
    for (const tight of root.dataset.layout === "full" ? [null, "on", "most"] : [null, "most"]) {
      if (tight) body.dataset.tight = tight;
      else delete body.dataset.tight;
      const shown = central.map($).filter((element) => element.offsetParent !== null);
      for (const element of shown) shrink([element], () => isWide(element, main), 36);
      if (!isOver()) break;
      if (tight) shrink(shown, isOver, tight === "on" ? 13 : 36, true);
      if (tight && !isOver()) break;
    }
  }
  const tight = body.dataset.tight || "";
  for (const id of others) {
    const [element, box] = [$(id), id === "slide-text" ? $("slide") : $("stage")];
    if (!element.offsetParent || !isNew(id, arrangement + tight + "|" + measured(id))) continue;
    // A word gets smaller before it is broken.
    element.style.overflowWrap = "normal";
    shrink([element], () => isWide(element, box) || id === "slide-text" && element.scrollHeight > box.clientHeight + 1, 40);
    element.style.overflowWrap = "";
  }
  for (const [prayer, card] of Object.entries(cards)) {
    for (const name of ["name", "second", "time", "iqama", "label"]) {
      const line = card[name];
      if (!line.offsetParent || !isNew(prayer + name, arrangement + "|" + card.item.className + "|" + line.textContent)) continue;
      shrink([line], () => isCut(line), 24);
    }
  }
}
