// A code for telephones, drawn from its modules: dark on white whatever the theme is, with the quiet zone of four modules without
// which many cameras find nothing.
const quiet = 4;

export function draw(element, { size, modules, text }) {
  const key = size + modules;
  if (element.dataset.drawn === key) return;
  element.dataset.drawn = key;
  const side = size + 2 * quiet;
  element.setAttribute("viewBox", [0, 0, side, side].join(" "));
  element.setAttribute("aria-label", text || "QR");
  let path = "";
  for (let index = 0; index < modules.length; index += 1) {
    if (modules[index] !== "1") continue;
    // What lies side by side is one stroke: seams between squares would be seen.
    let end = index;
    while (end + 1 < modules.length && (end + 1) % size && modules[end + 1] === "1") end += 1;
    path += "M" + (quiet + index % size) + " " + (quiet + Math.floor(index / size)) + "h" + (end - index + 1) + "v1h-" + (end - index + 1) + "z";
    index = end;
  }
  element.querySelector("path").setAttribute("d", path);
}
