// The solids that a creature is made of: one mesh for all of them, lists of instances to draw, and where a ray meets
// them. A shape is the creature file's: centre, frame (row-major; its columns are the solid's axes) and full lengths
// along these axes; a capsule lies along its third axis, its length includes the caps.

/* Floats of an instance: three rows (rotation | place), half lengths, radii, colour. See SOLID_VERTEX. */
const INSTANCE = 22;

/* A sphere cut at the three planes through its middle: its eighths move apart to the corners of a box, and the faces
 * between them are flat. `steps`: facets of a quarter circle. */
function roundedMesh(steps) {
  const vertices = [], indices = [], columns = 4 * (steps + 1), rows = 2 * (steps + 1);
  for (let i = 0; i < rows; i++) {
    const lower = i <= steps, latitude = (lower ? i - steps : i - steps - 1) / steps * Math.PI / 2;
    for (let j = 0; j < columns; j++) {
      const quarter = Math.floor(j / (steps + 1)), longitude = (quarter + (j % (steps + 1)) / steps) * Math.PI / 2;
      const n = [Math.cos(latitude) * Math.cos(longitude), Math.cos(latitude) * Math.sin(longitude),
        Math.sin(latitude)];
      const corner = [quarter === 0 || quarter === 3 ? 1 : -1, quarter < 2 ? 1 : -1, lower ? -1 : 1];
      vertices.push(...corner, ...n, ...n);
      if (i === 0) continue;
      const a = i * columns + j, b = i * columns + (j + 1) % columns;
      indices.push(a - columns, b - columns, b, a - columns, b, a);
    }
  }
  const q = steps + 1, top = (rows - 1) * columns;
  indices.push(0, 2 * q, q, 0, 3 * q, 2 * q, top, top + q, top + 2 * q, top, top + 2 * q, top + 3 * q);
  return { vertices: new Float32Array(vertices), indices: new Uint16Array(indices) };
}

/* A cone of unit height on a unit disc: the radii are those of the disc, half[2] is the height. */
function coneMesh(sides) {
  const vertices = [], indices = [];
  for (let j = 0; j <= sides; j++) {
    const x = Math.cos(j / sides * TAU), y = Math.sin(j / sides * TAU);
    vertices.push(0, 0, 0, x, y, 0, x, y, 0.35, 0, 0, 1, 0, 0, 0, x, y, 0.35, 0, 0, 0, x, y, 0, 0, 0, -1);
    if (j === sides) break;
    const k = 3 * j;
    indices.push(k, k + 3, k + 1);
    if (j > 0 && j < sides - 1) indices.push(2, k + 5, k + 2);
  }
  return { vertices: new Float32Array(vertices), indices: new Uint16Array(indices) };
}

/* A growing list of instances of one mesh. */
class Instances {
  constructor() { this.data = new Float32Array(INSTANCE * 64); this.count = 0; }
  clear() { this.count = 0; }
  room() {
    if ((this.count + 1) * INSTANCE > this.data.length) {
      const larger = new Float32Array(this.data.length * 2);
      larger.set(this.data);
      this.data = larger;
    }
    return INSTANCE * this.count++;
  }
  /* rotation: nine numbers, row-major. */
  put(rotation, place, half, radius, colour, opacity = 1) {
    const k = this.room(), d = this.data;
    for (let i = 0; i < 3; i++) {
      d[k + 4 * i] = rotation[3 * i];
      d[k + 4 * i + 1] = rotation[3 * i + 1];
      d[k + 4 * i + 2] = rotation[3 * i + 2];
      d[k + 4 * i + 3] = place[i];
      d[k + 12 + i] = half[i];
      d[k + 15 + i] = radius[i];
      d[k + 18 + i] = colour[i];
    }
    d[k + 21] = opacity;
  }
  ball(place, radius, colour, opacity) {
    this.put([1, 0, 0, 0, 1, 0, 0, 0, 1], place, [0, 0, 0], [radius, radius, radius], colour, opacity);
  }
  rod(from, to, radius, colour, opacity) {
    const z = unit(sub(to, from)), [x, y] = frameAbout(z), half = norm(sub(to, from)) / 2;
    this.put([x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]], scale(add(from, to), 0.5),
      [0, 0, half], [radius, radius, radius], colour, opacity);
  }
  /* From the middle of its disc to its point. */
  cone(from, to, radius, colour, opacity) {
    const z = unit(sub(to, from)), [x, y] = frameAbout(z);
    this.put([x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]], from, [0, 0, norm(sub(to, from))],
      [radius, radius, radius], colour, opacity);
  }
}

/* What INSTANCE needs of a shape, computed once: half lengths and radii. Boxes get slightly round edges. */
function shapeBody(shape) {
  const s = shape.size;
  if (shape.kind === "capsule") {
    const r = s[0] / 2;
    return { half: [0, 0, Math.max(s[2] / 2 - r, 0)], radius: [r, r, r] };
  }
  if (shape.kind === "box") {
    const r = Math.min(s[0], s[1], s[2]) * 0.12;
    return { half: [s[0] / 2 - r, s[1] / 2 - r, s[2] / 2 - r], radius: [r, r, r] };
  }
  return { half: [0, 0, 0], radius: [s[0] / 2, s[1] / 2, s[2] / 2] };
}

/* All shapes of a creature in one list: {limb, kind, centre, frame, half, radius}. */
function creatureShapes(about) {
  return about.limbs.flatMap((limb, i) => limb.shapes.filter((s) => s.kind !== "none").map((s) => ({
    limb: i, side: limb.side, kind: s.kind, centre: s.centre, frame: s.frame, ...shapeBody(s) })));
}

/* Where its limb is: at = index of 12 floats (place, rotation) in the record. */
function shapePlace(shape, record, at) {
  const rotation = record.subarray(at + 3, at + 12);
  return { place: add([record[at], record[at + 1], record[at + 2]], rotate(rotation, shape.centre)),
    rotation: rotationProduct(rotation, shape.frame) };
}

/* thin: shares of the radii; a ghost is a little thinner than the body, and so is inside it where they agree */
function putCreature(list, shapes, record, at, colourOf, opacity = 1, thin = 1) {
  for (const s of shapes) {
    const p = shapePlace(s, record, at + 12 * s.limb);
    list.put(p.rotation, p.place, s.half, thin === 1 ? s.radius : scale(s.radius, thin), colourOf(s), opacity);
  }
}

/* ---- rays ---- */

/* Distance along the ray (unit direction) to an ellipsoid at the origin; Infinity when it misses. */
function rayEllipsoid(from, direction, radius) {
  const o = [from[0] / radius[0], from[1] / radius[1], from[2] / radius[2]];
  const d = [direction[0] / radius[0], direction[1] / radius[1], direction[2] / radius[2]];
  const a = dot(d, d), b = dot(o, d), c = dot(o, o) - 1, root = b * b - a * c;
  if (root < 0) return Infinity;
  const t = (-b - Math.sqrt(root)) / a;
  return t > 0 ? t : Infinity;
}

function rayBox(from, direction, half) {
  let near = -Infinity, far = Infinity;
  for (let i = 0; i < 3; i++) {
    const a = (-half[i] - from[i]) / direction[i], b = (half[i] - from[i]) / direction[i];
    near = Math.max(near, Math.min(a, b));
    far = Math.min(far, Math.max(a, b));
  }
  return near <= far && near > 0 ? near : Infinity;
}

/* A capsule along z: the cylinder where its side is hit, else the nearer cap. */
function rayCapsule(from, direction, half, r) {
  const a = direction[0] ** 2 + direction[1] ** 2, b = from[0] * direction[0] + from[1] * direction[1];
  const c = from[0] ** 2 + from[1] ** 2 - r * r, root = b * b - a * c;
  if (root >= 0 && a > 1e-12) {
    const t = (-b - Math.sqrt(root)) / a;
    if (t > 0 && Math.abs(from[2] + t * direction[2]) <= half) return t;
  }
  const cap = (z) => rayEllipsoid([from[0], from[1], from[2] - z], direction, [r, r, r]);
  return Math.min(cap(half), cap(-half));
}

/* The first shape that the ray meets: {limb, point (world), local (limb frame), distance}, or null. `grow` [m] widens
 * all of them: fingers are thicker than limbs. */
function pickShape(shapes, record, at, from, direction, grow) {
  let best = null, nearest = Infinity;
  for (const s of shapes) {
    const p = shapePlace(s, record, at + 12 * s.limb);
    const o = rotateBack(p.rotation, sub(from, p.place)), d = rotateBack(p.rotation, direction);
    const wide = s.radius.map((r) => r + grow);
    const t = s.kind === "capsule" ? rayCapsule(o, d, s.half[2], wide[0])
      : s.kind === "box" ? rayBox(o, d, s.half.map((h, i) => h + wide[i])) : rayEllipsoid(o, d, wide);
    if (t >= nearest) continue;
    nearest = t;
    best = s;
  }
  if (!best) return null;
  const k = at + 12 * best.limb, point = along(from, direction, nearest);
  const local = rotateBack(record.subarray(k + 3, k + 12), sub(point, [record[k], record[k + 1], record[k + 2]]));
  return { limb: best.limb, point, local, distance: nearest };
}

/* Least and greatest coordinates of all shapes: [x0, y0, z0], [x1, y1, z1]. */
function creatureBounds(shapes, record, at) {
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  for (const s of shapes) {
    const { place, rotation: m } = shapePlace(s, record, at + 12 * s.limb);
    for (let i = 0; i < 3; i++) {
      let reach = 0;
      for (let j = 0; j < 3; j++) reach += Math.abs(m[3 * i + j]) * (s.half[j] + s.radius[j]);
      low[i] = Math.min(low[i], place[i] - reach);
      high[i] = Math.max(high[i], place[i] + reach);
    }
  }
  return { low, high };
}
