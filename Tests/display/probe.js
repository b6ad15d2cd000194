// Looks at the page as it stands: what is cut, overlaps, lies outside the safe area, has too little contrast or no glyph, and how
// large letters and slides are. An expression, evaluated in a browser.
(() => {
  const problems = [];
  const [width, height] = [innerWidth, innerHeight];
  const visible = (e) => { const s = getComputedStyle(e), b = e.getBoundingClientRect(); return s.visibility !== "hidden" && s.display !== "none" && b.width > 0 && b.height > 0; };
  const luminance = (c) => { const [r, g, b] = c.map((v) => { v /= 255; return v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; }); return .2126 * r + .7152 * g + .0722 * b; };
  const colour = (text) => text.match(/[\d.]+/g).map(Number);
  // What is dimmed is nearer to what is behind it, and so is its own ground.
  const behind = colour(getComputedStyle(document.body).backgroundColor);
  const base = (behind[3] === 0 ? colour(getComputedStyle(document.documentElement).backgroundColor) : behind).slice(0, 3);
  const dimmed = (e, c) => { let left = 1; for (let p = e; p && p !== document.body; p = p.parentElement) left *= parseFloat(getComputedStyle(p).opacity);
    return c.map((v, i) => v * left + base[i] * (1 - left)); };
  // Behind a scrim there may be any picture: white or black is the worst.
  const scrim = colour(getComputedStyle(document.documentElement).getPropertyValue("--scrim"));
  const pictured = document.documentElement.dataset.background && getComputedStyle(document.body).backgroundImage !== "none";
  const ground = (e) => { for (; e && !(pictured && e === document.body); e = e.parentElement) { const c = colour(getComputedStyle(e).backgroundColor); if (c.length < 4 || c[3] > 0) return [c.slice(0, 3)]; }
    return pictured ? [0, 255].map((worst) => scrim.slice(0, 3).map((v) => v * scrim[3] + worst * (1 - scrim[3]))) : [[255, 255, 255]]; };
  const canvas = document.createElement("canvas"); canvas.width = canvas.height = 40;
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  // Where a text stands on its line: Firefox says how tall the font is that really draws it, and measures by the first of the list.
  const ascent = (node, rects, ink) => {
    if (!rects.length || Math.abs(rects[0].height - ink.fontBoundingBoxAscent - ink.fontBoundingBoxDescent) < 2) return ink.fontBoundingBoxAscent;
    const foot = document.createElement("span");
    foot.style.cssText = "display: inline-block; width: 0; height: 0";
    node.parentElement.insertBefore(foot, node);
    const above = foot.getBoundingClientRect().bottom - rects[0].top;
    foot.remove();
    return above;
  };
  const leaves = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; (node = walker.nextNode());) {
    if (!node.nodeValue.trim() || !visible(node.parentElement) || node.parentElement.closest(".spoken")) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    // A line's box is taller than its letters: what counts is the ink.
    const style = getComputedStyle(node.parentElement);
    pen.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    const ink = pen.measureText(node.nodeValue.trim());
    const rects = [...range.getClientRects()].filter((rect) => rect.width > 0);
    const above = ascent(node, rects, ink);
    for (const { left, right, top, width } of rects)
      leaves.push({ node, box: { left, right, width, top: top + above - ink.actualBoundingBoxAscent, bottom: top + above + ink.actualBoundingBoxDescent } });
  }
  const margin = Math.min(width, height) * 0.02;
  const inTicker = (n) => n.parentElement.closest("#ticker");
  for (const { node, box } of leaves) {
    if (inTicker(node)) continue;
    const name = node.nodeValue.trim().slice(0, 40);
    if (box.left < margin - 1 || box.right > width - margin + 1 || box.top < 0 || box.bottom > height)
      problems.push(`outside the safe area: "${name}" ${[box.left, box.top, box.right, box.bottom].map(Math.round)}`);
    const e = node.parentElement;
    for (let p = e; p && p !== document.body; p = p.parentElement) {
      const s = getComputedStyle(p), b = p.getBoundingClientRect();
      if (s.overflowX === "visible" && s.overflowY === "visible") continue;
      if (box.left < b.left - 2 || box.right > b.right + 2 || box.top < b.top - 2 || box.bottom > b.bottom + 2)
        problems.push(`cut off: "${name}" in ${p.id || p.className || p.tagName}`);
    }
    const front = dimmed(e, colour(getComputedStyle(e).color).slice(0, 3));
    // A hair is enough for dots, and scrollWidth is a whole number.
    const letters = document.createRange(); letters.selectNodeContents(e);
    if (getComputedStyle(e).textOverflow === "ellipsis" && e.clientWidth > 0 && letters.getBoundingClientRect().width > e.getBoundingClientRect().width + .05 && e.id !== "place" && e.id !== "proof") problems.push(`ends in dots: "${name}"`);
    const ratio = Math.min(...ground(e).map((back) => { const [a, c] = [luminance(front), luminance(pictured ? back : dimmed(e, back))].sort((x, y) => y - x); return (a + .05) / (c + .05); }));
    if (ratio < 7) problems.push(`contrast ${ratio.toFixed(1)}: "${name}"`);
    const smallest = parseFloat(getComputedStyle(document.documentElement).fontSize) * 1.6;
    if (parseFloat(getComputedStyle(e).fontSize) < smallest && e.tagName !== "SMALL") problems.push(`too small: "${name}"`);
    if (/undefined|null|NaN|\{\w+\}/.test(node.nodeValue)) problems.push(`no text: "${name}"`);
  }
  for (let i = 0; i < leaves.length; i++) for (let j = i + 1; j < leaves.length; j++) {
    const [a, b] = [leaves[i], leaves[j]];
    if (a.node === b.node || inTicker(a.node) || inTicker(b.node)) continue;
    const w = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
    const h = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
    if (w > 1 && h > 1)
      problems.push(`overlap: "${a.node.nodeValue.trim().slice(0, 30)}" and "${b.node.nodeValue.trim().slice(0, 30)}"`);
  }
  const draw = (text) => { pen.clearRect(0, 0, 40, 40); pen.font = "24px " + getComputedStyle(document.body).fontFamily; pen.fillText(text, 4, 30); return pen.getImageData(0, 0, 40, 40).data.join(""); };
  const missing = draw("\u{10FFFF}");
  for (const letter of new Set(leaves.map((leaf) => leaf.node.nodeValue).join(""))) {
    if (/[\s\p{M}\p{Cf}]/u.test(letter)) continue;
    if (draw(letter) === missing) problems.push(`no glyph for ${letter} U+${letter.codePointAt(0).toString(16)}`);
  }
  const next = document.querySelector("#cards li.next[data-prayer]");
  if (next && visible(next)) {
    const lightness = (e) => luminance(colour(getComputedStyle(e).backgroundColor).slice(0, 3));
    const others = [...document.querySelectorAll("#cards li[data-prayer]:not(.next)")].filter(visible);
    const away = (e) => Math.abs(lightness(e) - luminance(base));
    const isCalm = ["prayer", "night"].includes(document.body.dataset.scene);
    if (!isCalm && others.some((e) => away(e) >= away(next))) problems.push("the next prayer's card is not the brightest");
    for (const e of document.querySelectorAll("#cards li[data-prayer]")) {
      const line = e.querySelector(".iqama");
      if (!visible(line)) continue;
      const [own, adhan] = [line, e.querySelector(".time")].map((part) => parseFloat(getComputedStyle(part).fontSize));
      if (own < adhan - .01 && document.documentElement.dataset.emphasis === "iqama") problems.push(`the iqama of ${e.dataset.prayer} is smaller than its adhan`);
      const label = visible(document.querySelector("#heads")) ? document.querySelector("#head-iqama") : e.querySelector(".of-iqama .label");
      if (!visible(label) || !label.textContent) problems.push(`the iqama of ${e.dataset.prayer} has no label`);
    }
  }
  const picture = document.querySelector("#slide-image");
  let slide = null;
  if (document.body.dataset.slide) {
    const room = document.querySelector("#slide").getBoundingClientRect();
    const code = document.querySelector("#slide-code");
    if (room.left < margin - 1 || room.top < 0 || room.right > width - margin + 1 || room.bottom > height) problems.push("the slide is outside the safe area");
    let area = room.width * room.height;
    if (!picture.hidden) {
      const box = picture.getBoundingClientRect();
      if (box.left < room.left - 1 || box.top < room.top - 1 || box.right > room.right + 1 || box.bottom > room.bottom + 1) problems.push("the slide's picture is cropped");
      if (getComputedStyle(picture).objectFit !== "contain") problems.push("the slide's picture is not contained");
      // One that is still on its way has no size.
      area = !picture.naturalWidth ? null : picture.naturalWidth * picture.naturalHeight * Math.min(box.width / picture.naturalWidth, box.height / picture.naturalHeight) ** 2;
    }
    if (visible(code)) {
      const box = code.getBoundingClientRect();
      if (box.left < room.left - 1 || box.top < room.top - 1 || box.right > room.right + 1 || box.bottom > room.bottom + 1) problems.push("the code is cropped");
      area = Math.min(box.width, box.height) ** 2;
    }
    slide = area === null ? 0 : area / (width * height);
    if (area !== null && slide < .15) problems.push(`the slide has ${(slide * 100).toFixed(1)} % of the screen`);
    for (const part of document.querySelectorAll("#now, #cards li")) { const b = part.getBoundingClientRect();
      if (visible(part) && b.left < room.right - 1 && room.left < b.right - 1 && b.top < room.bottom - 1 && room.top < b.bottom - 1) problems.push("the slide lies over the board"); }
  }
  const caps = (e) => e && visible(e) ? parseFloat(getComputedStyle(e).fontSize) : 0;
  const letters = { clock: caps(document.querySelector("#clock")), ...Object.fromEntries([["names", ".name"], ["times", ".time"], ["iqama", ".iqama"], ["labels", ".of-iqama .label"]]
    .map(([part, name]) => [part, Math.min(...[...document.querySelectorAll("#cards li[data-prayer]:not([data-prayer=sunrise]) " + name)].filter((e) => visible(e) && e.textContent).map(caps))])) };
  if (visible(document.querySelector("#heads"))) letters.labels = caps(document.querySelector("#head-iqama"));
  const size = (e) => e && visible(e) ? parseFloat(getComputedStyle(e).fontSize) : 0;
  return { scene: document.body.dataset.scene, dir: document.documentElement.dir, shape: document.documentElement.dataset.shape,
    clock: document.querySelector("#clock bdi").textContent, countdown: document.querySelector("#countdown").textContent,
    time: size(document.querySelector('[data-prayer="asr"] .time')), left: caps(document.querySelector("#countdown")), asr: document.querySelector('[data-prayer="asr"] .time').textContent,
    iqama: document.querySelector('[data-prayer="asr"] .iqama').textContent,
    notices: [...document.querySelectorAll("#notices p")].map((p) => p.textContent), nodes: document.querySelectorAll("*").length, layout: document.documentElement.dataset.layout, letters, slide, problems };
})()
