// What does not fit on one line is turned over like pages, and stands still in between: a text that runs past is drawn again sixty
// times a second, which a small box feels, and is hard to read from afar.

/** Parts of a text that fit into a width; `measure` says how wide a text is. */
export function pages(text, width, measure) {
  const done = [];
  let line = "";
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const longer = line ? line + " " + word : word;
    if (measure(longer) <= width) { line = longer; continue; }
    if (line) done.push(line);
    line = "";
    // A word that is too long for any line is broken.
    for (const letter of word) {
      if (line && measure(line + letter) > width) { done.push(line); line = ""; }
      line += letter;
    }
  }
  return line ? [...done, line] : done;
}

/** Seconds for which a page stays: as long as it takes to read it twice. */
export const seconds = (page) => Math.max(5, Math.ceil([...page].length / 8));
