// Vectors of three numbers, matrices of sixteen (column-major, as WebGL takes them), angles. For all files of the page.
// The world is the program's: metres, radians, x forward, z up.

const TAU = 2 * Math.PI;
const DEGREE = Math.PI / 180;

const clamp = (x, least, most) => Math.min(Math.max(x, least), most);
const mix = (a, b, t) => a + (b - a) * t;
const wrapAngle = (a) => a - TAU * Math.round(a / TAU);
const smoothstep = (a, b, x) => { const t = clamp((x - a) / (b - a), 0, 1); return t * t * (3 - 2 * t); };

/* The share of a difference that a filter with this time constant closes in dt: frame rates then do not matter. */
const closing = (dt, seconds) => (seconds > 0 ? 1 - Math.exp(-dt / seconds) : 1);

const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const scale = (a, k) => [a[0] * k, a[1] * k, a[2] * k];
const along = (a, b, k) => [a[0] + b[0] * k, a[1] + b[1] * k, a[2] + b[2] * k];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const norm = (a) => Math.hypot(a[0], a[1], a[2]);
const unit = (a) => { const n = norm(a); return n > 0 ? scale(a, 1 / n) : [0, 0, 1]; };

/* Two unit vectors at right angles to the unit vector z, so that x, y, z is a frame. */
function frameAbout(z) {
  const x = unit(cross(Math.abs(z[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0], z));
  return [x, cross(z, x)];
}

/* Rotations are row-major (nine numbers), as the frame record has them: frame of a limb to the world. */
const rotate = (m, v) => [m[0] * v[0] + m[1] * v[1] + m[2] * v[2], m[3] * v[0] + m[4] * v[1] + m[5] * v[2],
  m[6] * v[0] + m[7] * v[1] + m[8] * v[2]];
const rotateBack = (m, v) => [m[0] * v[0] + m[3] * v[1] + m[6] * v[2], m[1] * v[0] + m[4] * v[1] + m[7] * v[2],
  m[2] * v[0] + m[5] * v[1] + m[8] * v[2]];
function rotationProduct(a, b) {
  const r = new Array(9);
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < 3; j++) r[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
  return r;
}

function product(a, b) {
  const r = new Float32Array(16);
  for (let j = 0; j < 4; j++)
    for (let i = 0; i < 4; i++)
      r[4 * j + i] = a[i] * b[4 * j] + a[4 + i] * b[4 * j + 1] + a[8 + i] * b[4 * j + 2] + a[12 + i] * b[4 * j + 3];
  return r;
}

function lookAt(eye, centre, up) {
  const z = unit(sub(eye, centre)), x = unit(cross(up, z)), y = cross(z, x);
  return new Float32Array([x[0], y[0], z[0], 0, x[1], y[1], z[1], 0, x[2], y[2], z[2], 0,
    -dot(x, eye), -dot(y, eye), -dot(z, eye), 1]);
}

function perspective(angle, aspect, near, far) {
  const f = 1 / Math.tan(angle / 2);
  return new Float32Array([f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / (near - far), -1,
    0, 0, 2 * far * near / (near - far), 0]);
}

function orthographic(half, near, far) {
  return new Float32Array([1 / half, 0, 0, 0, 0, 1 / half, 0, 0, 0, 0, 2 / (near - far), 0,
    0, 0, (far + near) / (near - far), 1]);
}

/* 1, 2 or 5 times a power of ten, the nearest below or at x: spacing of grids and steps of sliders. */
function niceStep(x) {
  const p = 10 ** Math.floor(Math.log10(x)), k = x / p;
  return p * (k >= 5 ? 5 : k >= 2 ? 2 : 1);
}
