"""Joins pictures into one with as few colours as a page has, small enough for a guide."""
import base64
import struct
import sys
import zlib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "display"))
from browser import Browser  # noqa: E402

GAP = 12
# The most common shades form the palette, and each other shade becomes the nearest of them. Shades that differ only in three bits
# of a channel count as one.
REDUCE = """(async (source, most) => {
    const image = new Image();
    image.src = source;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    const points = context.getImageData(0, 0, image.width, image.height).data;
    const shade = (at) => points[at] >> 3 << 10 | points[at + 1] >> 3 << 5 | points[at + 2] >> 3;
    const sums = new Map();
    for (let at = 0; at < points.length; at += 4) {
        const key = shade(at);
        const sum = sums.get(key) || sums.set(key, [0, 0, 0, 0]).get(key);
        for (let part = 0; part < 3; part++) sum[part] += points[at + part];
        sum[3]++;
    }
    const mean = ([red, green, blue, count]) => [red, green, blue].map((sum) => Math.round(sum / count));
    const palette = [...sums.values()].sort((one, other) => other[3] - one[3]).slice(0, most).map(mean);
    const near = new Map([...sums].map(([key, sum]) => {
        const own = mean(sum);
        const far = palette.map((one) => one.reduce((total, value, part) => total + (value - own[part]) ** 2, 0));
        return [key, far.indexOf(Math.min(...far))];
    }));
    let text = "";
    for (let at = 0; at < points.length; at += 4) text += String.fromCharCode(near.get(shade(at)));
    return { width: image.width, height: image.height, palette: palette.flat(), points: btoa(text) };
})"""


def png(width, height, palette, points):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(b"\0" + points[start:start + width] for start in range(0, width * height, width))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)) + chunk(b"PLTE", bytes(palette))
            + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


def sheet(path, pictures, columns, width, direction, scratch, colours=160):
    """Numbered, in the reading direction of the language. - Returns: the bytes of the file."""
    cells = "".join(
        f'<figure><b>{number}</b><img src="data:image/png;base64,{base64.b64encode(Path(picture).read_bytes()).decode()}"></figure>'
                    for number, picture in enumerate(pictures, 1))
    whole = columns * (width + GAP) + GAP
    style = (
        f"body{{margin:0;padding:{GAP}px;background:#d8dedb;display:grid;grid-template-columns:repeat({columns},{width}px);gap:{GAP}px;"
        f"align-items:start}}"
             f"figure{{margin:0}}img{{display:block;width:{width}px}}b{{font:bold 22px sans-serif;line-height:1.4}}")
    document = Path(scratch) / "sheet.html"
    document.write_text(f"<!DOCTYPE html><html dir={direction}><meta charset=utf-8><title>sheet</title><style>{style}</style>{cells}")
    browser = Browser()
    try:
        browser.size(whole, 800)
        browser.open(document.as_uri(), ready="document.images.length > 0 && [...document.images].every((image) => image.complete)")
        height = browser.evaluate("document.documentElement.scrollHeight")
        data = browser.call("Page.captureScreenshot", format="png", captureBeyondViewport=True,
                            clip={"x": 0, "y": 0, "width": whole, "height": height, "scale": 1})["data"]
        found = browser.evaluate(f'{REDUCE}("data:image/png;base64,{data}", {colours})')
    finally:
        browser.close()
    content = png(found["width"], found["height"], found["palette"], base64.b64decode(found["points"]))
    Path(path).write_bytes(content)
    return len(content)
