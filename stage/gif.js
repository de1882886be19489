// Writes an animated GIF from pictures (RGBA bytes): a palette of 256 colours by median cut over all of them, LZW. For
// films that can be put anywhere. Pictures are handed in as they are taken; encode() gives the bytes at the end.

const BAYER = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5].map((x) => x / 4); /* of a step of 4 */

class Gif {
  constructor(width, height, seconds) {
    Object.assign(this, { width, height, delay: Math.round(seconds * 100), pictures: [] });
    this.histogram = new Uint32Array(1 << 18);
  }

  /* Keeps six bits of each colour, which a table can look up, rounded up or down by a fixed pattern: soft skies then
   * have no bands, and pixels that stay the same stay so. */
  add(rgba) {
    const n = this.width * this.height, picture = new Uint32Array(n);
    for (let i = 0; i < n; i++) {
      const x = i % this.width, y = (i - x) / this.width, up = BAYER[(y & 3) * 4 + (x & 3)];
      const six = (at) => Math.min((rgba[4 * i + at] + up) >> 2, 63), k = six(0) << 12 | six(1) << 6 | six(2);
      picture[i] = k;
      this.histogram[k]++;
    }
    this.pictures.push(picture);
  }

  encode() {
    const palette = medianCut(this.histogram, 255), table = nearestTable(this.histogram, palette);
    const out = [], word = (x) => out.push(x & 255, x >> 8);
    const text = (s) => { for (const c of s) out.push(c.charCodeAt(0)); };
    text("GIF89a");
    word(this.width);
    word(this.height);
    out.push(0xf7, 0, 0);
    for (let i = 0; i < 256; i++) out.push(...(palette[i] || [0, 0, 0]));
    out.push(0x21, 0xff, 11);
    text("NETSCAPE2.0");
    out.push(3, 1, 0, 0, 0);
    let before = null;
    for (const picture of this.pictures) {
      out.push(0x21, 0xf9, 4, before ? 5 : 4); /* leaves what was there; 255 is transparent */
      word(this.delay);
      out.push(255, 0, 0x2c);
      word(0);
      word(0);
      word(this.width);
      word(this.height);
      out.push(0, 8);
      const pixels = new Uint8Array(picture.length);
      for (let i = 0; i < picture.length; i++)
        pixels[i] = before && before[i] === picture[i] ? 255 : table[picture[i]];
      lzw(pixels, out);
      before = picture;
    }
    out.push(0x3b);
    return new Uint8Array(out);
  }
}

/* Boxes of colours are halved at the middle of their longest side, the fullest and widest first; one colour a box. */
function medianCut(histogram, most) {
  const all = [];
  histogram.forEach((count, k) => { if (count) all.push([k >> 12, k >> 6 & 63, k & 63, count]); });
  const measure = (colours) => {
    const side = [0, 1, 2].map((i) => {
      let low = 63, high = 0;
      for (const c of colours) { low = Math.min(low, c[i]); high = Math.max(high, c[i]); }
      return high - low;
    });
    const axis = side.indexOf(Math.max(...side)), count = colours.reduce((sum, c) => sum + c[3], 0);
    return { colours, axis, worth: colours.length > 1 ? side[axis] * Math.cbrt(count) : 0 };
  };
  const boxes = [measure(all)];
  while (boxes.length < most) {
    const worst = boxes.reduce((a, b) => (b.worth > a.worth ? b : a));
    if (worst.worth <= 0) break;
    boxes.splice(boxes.indexOf(worst), 1);
    const sorted = worst.colours.sort((a, b) => a[worst.axis] - b[worst.axis]);
    const half = sorted.reduce((sum, c) => sum + c[3], 0) / 2;
    let cut = 0;
    for (let sum = 0; cut < sorted.length - 1 && (sum += sorted[cut][3]) < half;) cut++;
    cut = clamp(cut, 1, sorted.length - 1);
    boxes.push(measure(sorted.slice(0, cut)), measure(sorted.slice(cut)));
  }
  return boxes.map(({ colours }) => [0, 1, 2].map((i) => {
    let sum = 0, count = 0;
    for (const c of colours) { sum += c[i] * c[3]; count += c[3]; }
    return Math.round(sum / count * 255 / 63);
  }));
}

function nearestTable(histogram, palette) {
  const table = new Uint8Array(1 << 18);
  histogram.forEach((count, k) => {
    if (!count) return;
    const c = [k >> 12, k >> 6 & 63, k & 63].map((x) => x * 255 / 63);
    let best = Infinity;
    palette.forEach((p, i) => {
      const d = (p[0] - c[0]) ** 2 + (p[1] - c[1]) ** 2 + (p[2] - c[2]) ** 2;
      if (d < best) { best = d; table[k] = i; }
    });
  });
  return table;
}

/* GIF's LZW with codes of 9 to 12 bits, in blocks of at most 255 bytes. */
function lzw(pixels, out) {
  const CLEAR = 256, END = 257;
  let codes = new Map(), next = 258, size = 9, bits = 0, held = 0, block = [];
  const byte = (x) => {
    block.push(x);
    if (block.length === 255) { out.push(255, ...block); block = []; }
  };
  const emit = (code) => {
    held |= code << bits;
    bits += size;
    while (bits >= 8) { byte(held & 255); held >>>= 8; bits -= 8; }
  };
  emit(CLEAR);
  let prefix = pixels[0];
  for (let i = 1; i < pixels.length; i++) {
    const key = prefix << 8 | pixels[i], known = codes.get(key);
    if (known !== undefined) { prefix = known; continue; }
    emit(prefix);
    if (next < 4096) {
      codes.set(key, next);
      if (next++ === 1 << size) size++;
    } else {
      emit(CLEAR);
      codes = new Map();
      next = 258;
      size = 9;
    }
    prefix = pixels[i];
  }
  emit(prefix);
  emit(END);
  if (bits > 0) byte(held & 255);
  if (block.length) out.push(block.length, ...block);
  out.push(0);
}
