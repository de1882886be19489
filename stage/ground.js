// The ground's shape, for drawing and for rays. Flat ground and slopes are planes and known exactly; steps, beams and
// pebbles are sampled around the creature by the simulation (its height()), on a fine mesh near it and a coarse one
// beyond, and sampled again when it has walked on.

const GROUND_KINDS = ["flat", "slope", "steps", "beams", "pebbles"]; /* enum terrain_kind */
const NEAR_CELLS = 256, FAR_CELLS = 128;

class Ground {
  constructor(sample) {
    this.sample = sample; /* (x, y, step, n) -> promise of n x n heights, row by row along x */
    this.kind = "flat";
    this.tangent = 0;
    this.tiles = null;    /* {near, far}: {x, y, step, n, z} */
    this.serial = 0;      /* changes when the meshes must be made anew */
    this.asked = 0;
  }

  set(kind, size, spacing) {
    this.kind = kind;
    this.tangent = kind === "slope" ? Math.tan(size) : 0;
    this.fine = kind === "pebbles" ? spacing / 8 : spacing / 24; /* [m] */
    this.tiles = null;
    this.asked++;
    this.serial++;
  }

  isKnown() { return this.isPlane() || !!this.tiles; }
  isPlane() { return this.kind === "flat" || this.kind === "slope"; }

  /* Keeps the tiles around x, y; `size` is the creature's. */
  async follow(x, y, size) {
    if (this.isPlane() || this.waiting === this.asked) return;
    const step = Math.min(this.fine, size / 24), reach = step * NEAR_CELLS;
    const t = this.tiles && this.tiles.near;
    if (t && Math.abs(x - t.x - reach / 2) < reach / 5 && Math.abs(y - t.y - reach / 2) < reach / 5) return;
    const request = this.waiting = this.asked, far = Math.max(size * 46 / FAR_CELLS, step * 2.5);
    try {
      const [near, wide] = await Promise.all([this.tile(x, y, step, NEAR_CELLS), this.tile(x, y, far, FAR_CELLS)]);
      if (request !== this.asked) return;
      this.tiles = { near, far: wide };
      this.serial++;
    } finally {
      if (this.waiting === request) this.waiting = 0;
    }
  }

  /* Corners lie on multiples of the step, so that what is drawn does not swim as the tile moves. */
  async tile(x, y, step, cells) {
    const x0 = (Math.round(x / step) - cells / 2) * step, y0 = (Math.round(y / step) - cells / 2) * step;
    return { x: x0, y: y0, step, n: cells + 1, z: await this.sample(x0, y0, step, cells + 1) };
  }

  height(x, y) {
    if (this.isPlane()) return x * this.tangent;
    for (const t of this.tiles ? [this.tiles.near, this.tiles.far] : []) {
      const u = (x - t.x) / t.step, v = (y - t.y) / t.step, i = Math.floor(u), j = Math.floor(v);
      if (i < 0 || j < 0 || i >= t.n - 1 || j >= t.n - 1) continue;
      const k = j * t.n + i, a = u - i, b = v - j;
      return mix(mix(t.z[k], t.z[k + 1], a), mix(t.z[k + t.n], t.z[k + t.n + 1], a), b);
    }
    return 0;
  }

  /* Upwards, from differences over so many metres. */
  normal(x, y, over) {
    return unit([this.height(x - over, y) - this.height(x + over, y),
      this.height(x, y - over) - this.height(x, y + over), 2 * over]);
  }

  /* Where a ray meets the ground, or null: steps along it, then halves the interval. */
  meet(from, direction, reach) {
    const above = (t) => { const p = along(from, direction, t); return p[2] - this.height(p[0], p[1]); };
    let low = 0, high = 0;
    for (let k = 1; k <= 160; k++) {
      high = reach * (k / 160) ** 2;
      if (above(high) < 0) break;
      low = high;
      if (k === 160) return null;
    }
    for (let k = 0; k < 24; k++) {
      const middle = (low + high) / 2;
      if (above(middle) < 0) high = middle; else low = middle;
    }
    return along(from, direction, high);
  }

  /* Meshes to draw around x, y: [{vertices (x y z nx ny nz), indices}], the finest first. */
  meshes(x, y, size) {
    if (!this.isPlane() && this.tiles) return [tileMesh(this.tiles.near), tileMesh(this.tiles.far)];
    const r = size * 60, n = unit([-this.tangent, 0, 1]), vertices = [];
    for (const [a, b] of [[-r, -r], [r, -r], [r, r], [-r, r]])
      vertices.push(x + a, y + b, (x + a) * this.tangent, ...n);
    return [{ vertices: new Float32Array(vertices), indices: new Uint32Array([0, 1, 2, 0, 2, 3]), hole: null }];
  }
}

/* Triangles of a square of n by n corners; the same for all tiles of a size. */
const tileIndices = new Map();
function indicesOf(n) {
  if (!tileIndices.has(n)) {
    const indices = new Uint32Array(6 * (n - 1) ** 2);
    for (let j = 0, k = 0; j < n - 1; j++)
      for (let i = 0; i < n - 1; i++, k += 6) {
        const a = j * n + i;
        indices[k] = indices[k + 3] = a;
        indices[k + 1] = a + 1;
        indices[k + 2] = indices[k + 4] = a + n + 1;
        indices[k + 5] = a + n;
      }
    tileIndices.set(n, indices);
  }
  return tileIndices.get(n);
}

function tileMesh(t) {
  const { n, z, step } = t, vertices = new Float32Array(6 * n * n), indices = indicesOf(n);
  for (let j = 0, k = 0; j < n; j++)
    for (let i = 0; i < n; i++, k += 6) {
      const at = j * n + i, right = i < n - 1 ? 1 : 0, left = i > 0 ? 1 : 0;
      const up = j < n - 1 ? 1 : 0, down = j > 0 ? 1 : 0;
      const dx = (z[at + right] - z[at - left]) / (step * (right + left));
      const dy = (z[at + up * n] - z[at - down * n]) / (step * (up + down)), l = 1 / Math.hypot(dx, dy, 1);
      vertices[k] = t.x + i * step;
      vertices[k + 1] = t.y + j * step;
      vertices[k + 2] = z[at];
      vertices[k + 3] = -dx * l;
      vertices[k + 4] = -dy * l;
      vertices[k + 5] = l;
    }
  const half = step * (n - 1) / 2;
  return { vertices, indices, hole: [t.x + half, t.y + half, half * 0.995] };
}
