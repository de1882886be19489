// The shaders, as text. Light is computed in linear colours: a key light with a soft shadow, a sky from above, a bounce
// from below, a thin rim. All programs share LIGHT, so that a limb and the ground below it are lit alike.

const LIGHT = `
uniform highp sampler2DShadow u_shadow;
uniform mat4 u_light;         // world to the shadow map
uniform vec3 u_sun;           // unit, towards the light
uniform vec4 u_strength;      // key, sky, bounce, how dark a shadow is
uniform float u_blur;         // of the shadow, in its texture
float lit(vec3 at, vec3 normal, float size) {
  vec4 l = u_light * vec4(at + normal * size * 0.006, 1);
  vec3 p = l.xyz * 0.5 + 0.5;
  if (any(lessThan(p, vec3(0.01))) || any(greaterThan(p, vec3(0.99)))) return 1.0;
  // a spiral of samples, turned from pixel to pixel: rings and bands become fine grain
  float turn = 6.2832 * fract(52.98 * fract(dot(gl_FragCoord.xy, vec2(0.0671, 0.00584))));
  float sum = 0.0;
  for (int i = 0; i < 12; i++) {
    float a = turn + 2.39996 * float(i), r = u_blur * sqrt((float(i) + 0.5) / 12.0);
    sum += texture(u_shadow, vec3(p.xy + r * vec2(cos(a), sin(a)), p.z - 0.0012));
  }
  return mix(1.0 - u_strength.w, 1.0, sum / 12.0);
}
vec3 encode(vec3 c) {
  c = c / (1.0 + 0.12 * c);
  return pow(max(c, 0.0), vec3(1.0 / 2.2));
}`;

/* A vertex is a corner c of a box and a direction n of a sphere: c * half + n * radius. So one mesh is capsules
 * (half along z only), boxes with round edges, and ellipsoids (no half, three radii). */
const SOLID_VERTEX = `#version 300 es
layout(location=0) in vec3 a_corner;
layout(location=1) in vec3 a_direction;
layout(location=2) in vec3 a_normal;
layout(location=3) in vec4 i_row0;
layout(location=4) in vec4 i_row1;
layout(location=5) in vec4 i_row2;
layout(location=6) in vec3 i_half;
layout(location=7) in vec3 i_radius;
layout(location=8) in vec4 i_colour;
uniform mat4 u_view;
out vec3 v_at, v_normal;
out vec4 v_colour;
void main() {
  vec4 p = vec4(a_corner * i_half + a_direction * i_radius, 1);
  vec3 n = a_normal / max(i_radius, vec3(1e-6));
  v_at = vec3(dot(i_row0, p), dot(i_row1, p), dot(i_row2, p));
  v_normal = vec3(dot(i_row0.xyz, n), dot(i_row1.xyz, n), dot(i_row2.xyz, n));
  v_colour = i_colour;
  gl_Position = u_view * vec4(v_at, 1);
}`;

const SOLID_FRAGMENT = `#version 300 es
precision highp float;
in vec3 v_at, v_normal;
in vec4 v_colour;
uniform vec3 u_eye, u_skyColour, u_groundColour;
uniform float u_size, u_rim, u_plain;
${LIGHT}
out vec4 o;
void main() {
  vec3 n = normalize(v_normal), e = normalize(u_eye - v_at);
  if (u_plain > 0.5) { // overlays: readable before realistic
    o = vec4(encode(v_colour.rgb * (0.72 + 0.28 * n.z)), v_colour.a);
    return;
  }
  float facing = dot(n, u_sun), key = max(facing, 0.0);
  if (key > 0.0) key *= lit(v_at, n, u_size);
  float wrapped = max(facing * 0.5 + 0.5, 0.0);
  vec3 ambient = mix(u_groundColour * u_strength.z, u_skyColour * u_strength.y, n.z * 0.5 + 0.5);
  vec3 c = v_colour.rgb * (key * u_strength.x * vec3(1.0, 0.96, 0.9) * 0.72 + ambient + 0.1 * wrapped);
  float h = max(dot(n, normalize(e + u_sun)), 0.0);
  c += 0.14 * pow(h, 28.0) * step(0.0, facing) * min(key * 2.0, 1.0);
  c += u_rim * pow(1.0 - max(dot(n, e), 0.0), 3.0) * u_skyColour;
  o = vec4(encode(c), v_colour.a);
}`;

const DEPTH_FRAGMENT = `#version 300 es
precision mediump float;
void main() {}`;

const GROUND_VERTEX = `#version 300 es
layout(location=0) in vec3 a_at;
layout(location=1) in vec3 a_normal;
uniform mat4 u_view;
out vec3 v_at, v_normal;
void main() { v_at = a_at; v_normal = a_normal; gl_Position = u_view * vec4(a_at, 1); }`;

/* The ground, its grid, and what is drawn on it around the creature: the compass ring and the arrows of what is asked
 * and what is done. They are functions of the place on the ground and so lie on any terrain, sharp at any distance. */
const GROUND_FRAGMENT = `#version 300 es
precision highp float;
in vec3 v_at, v_normal;
uniform vec3 u_eye, u_ground, u_line, u_horizon, u_pool;
uniform vec3 u_centre;        // of the creature, on the ground
uniform float u_size, u_cell, u_lines;
uniform vec4 u_hole;          // x, y, half a side: a finer mesh lies there; w: on
uniform vec4 u_ring;          // radius, opacity, lit up (0..1), ticks
uniform vec4 u_arrows[4];     // angle, length from the ring, opacity, kind: asked, done; second asked, second done
uniform vec3 u_askedColour, u_doneColour, u_secondColour;
${LIGHT}
out vec4 o;
float gridLine(vec2 p, float cell, float width) {
  vec2 g = p / cell, w = fwidth(g), d = abs(fract(g - 0.5) - 0.5);
  vec2 half_ = max(vec2(width / cell * 0.5), w * 0.6);
  vec2 l = 1.0 - smoothstep(half_ - w * 0.5, half_ + w * 0.5, d);
  l *= clamp(width / cell / max(w, vec2(1e-6)) * 1.6, 0.0, 1.0);
  return max(l.x, l.y);
}
float cover(float d) { return clamp(0.5 - d / max(fwidth(d), 1e-6), 0.0, 1.0); }
float segment(vec2 p, float a, float b, float r) { return length(vec2(p.x - clamp(p.x, a, b), p.y)) - r; }
float triangle(vec2 p, float from, float to, float half_) {
  float t = (p.x - from) / (to - from);
  vec2 n = normalize(vec2(half_, to - from));
  return max(from - p.x, dot(vec2(p.x - to, abs(p.y)), n));
}
float arrow(vec2 p, vec4 a, float r) {
  float c = cos(a.x), s = sin(a.x);
  vec2 q = vec2(c * p.x + s * p.y, -s * p.x + c * p.y) / r;
  if (a.w < 0.5) return min(segment(q, 1.0, 1.0 + a.y, 0.034), triangle(q, 1.0 + a.y - 0.02, 1.26 + a.y, 0.15)) * r;
  if (a.w < 1.5)
    return min(segment(q, 0.14, max(a.y - 0.1, 0.14), 0.022), triangle(q, a.y - 0.13, a.y + 0.05, 0.085)) * r;
  if (a.w < 2.5) { vec2 k = abs(q - vec2(1.0, 0)); return (k.x + k.y - 0.1) * r; }
  vec2 k = abs(q - vec2(1.0, 0)); return abs(k.x + k.y - 0.1) * r - 0.02 * r;
}
void main() {
  if (u_hole.w > 0.5 && all(lessThan(abs(v_at.xy - u_hole.xy), vec2(u_hole.z)))) discard;
  vec3 n = normalize(v_normal);
  vec2 from = v_at.xy - u_centre.xy;
  float away = length(from), shade = lit(v_at, n, u_size);
  float pool = exp(-away * away / (u_size * u_size * 9.0));
  vec3 base = mix(u_ground, u_pool, pool);
  float slope = dot(n, u_sun) / u_sun.z;
  vec3 c = base * clamp(mix(0.12, 1.0, slope), 0.25, 1.5) * shade; // level ground has its own colour
  float major = gridLine(v_at.xy, u_cell * 5.0, u_size * 0.012), minor = gridLine(v_at.xy, u_cell, u_size * 0.007);
  c = mix(c, u_line * mix(1.0, shade, 0.6), u_lines * max(major * 0.9, minor * 0.38));
  if (u_ring.y > 0.0 && away < u_ring.x * 2.6) {
    float r = u_ring.x, ring = abs(away - r) - r * (0.012 + 0.012 * u_ring.z);
    float angle = atan(from.y, from.x), ticks = abs(fract(angle / 6.28318 * u_ring.w + 0.5) - 0.5) * 6.28318 / u_ring.w;
    float tick = max(abs(away - r) - r * 0.05, ticks * away - r * 0.01);
    c = mix(c, u_doneColour, u_ring.y * (0.42 + 0.5 * u_ring.z) * cover(min(ring, tick)));
    for (int i = 3; i >= 0; i--) {
      if (u_arrows[i].z <= 0.0) continue;
      vec3 tint = i == 0 ? u_askedColour : i == 1 ? u_doneColour : u_secondColour;
      float d = arrow(from, u_arrows[i], r);
      c = mix(c, tint, u_arrows[i].z * u_ring.y * cover(d));
    }
  }
  float fade = smoothstep(u_size * 5.0, u_size * 22.0, away);
  o = vec4(encode(mix(c, u_horizon, fade)), 1);
}`;

const SKY_VERTEX = `#version 300 es
out vec2 v_at;
void main() {
  v_at = vec2((gl_VertexID << 1) & 2, gl_VertexID & 2) * 2.0 - 1.0;
  gl_Position = vec4(v_at, 0.99999, 1);
}`;
const SKY_FRAGMENT = `#version 300 es
precision highp float;
in vec2 v_at;
uniform vec3 u_right, u_up, u_forward, u_zenith, u_horizon;
out vec4 o;
vec3 encode(vec3 c) { c = c / (1.0 + 0.12 * c); return pow(max(c, 0.0), vec3(1.0 / 2.2)); }
void main() {
  vec3 d = normalize(u_forward + v_at.x * u_right + v_at.y * u_up);
  float grain = fract(52.98 * fract(dot(gl_FragCoord.xy, vec2(0.0671, 0.00584)))) - 0.5;
  o = vec4(encode(mix(u_horizon, u_zenith, smoothstep(0.0, 0.45, d.z))) + grain / 255.0, 1);
}`;

/* The measuring grid behind the creature: lines stay where they are in the world while it passes them. */
const WALL_VERTEX = `#version 300 es
uniform mat4 u_view;
uniform vec3 u_origin, u_along; // middle of its foot, its direction
uniform vec2 u_extent;          // half its length, its height
out vec2 v_at;
out vec2 v_local;
void main() {
  vec2 k = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  v_local = vec2(k.x * 2.0 - 1.0, k.y);
  vec3 p = u_origin + u_along * v_local.x * u_extent.x + vec3(0, 0, k.y * u_extent.y);
  v_at = vec2(dot(p, u_along), p.z);
  gl_Position = u_view * vec4(p, 1);
}`;
const WALL_FRAGMENT = `#version 300 es
precision highp float;
in vec2 v_at, v_local;
uniform vec3 u_line, u_cloth;
uniform float u_cell, u_opacity, u_floor;
out vec4 o;
float lines(vec2 p, float cell, float width) {
  vec2 g = p / cell, w = fwidth(g), d = abs(fract(g - 0.5) - 0.5);
  vec2 half_ = max(vec2(width * 0.5), w * 0.55);
  vec2 l = (1.0 - smoothstep(half_ - w * 0.5, half_ + w * 0.5, d)) * clamp(width / max(w, vec2(1e-6)) * 1.4, 0.0, 1.0);
  return max(l.x, l.y);
}
void main() {
  vec2 p = vec2(v_at.x, v_at.y - u_floor);
  float l = max(lines(p, u_cell, 0.03) * 0.3, lines(p, u_cell * 5.0, 0.014) * 0.9);
  float side = 1.0 - smoothstep(0.3, 1.0, abs(v_local.x)), fade = side * (1.0 - smoothstep(0.7, 1.0, v_local.y));
  // the wall is cloth: it hides the ground behind it
  o = vec4(pow(mix(u_cloth, u_line, l * fade), vec3(1.0 / 2.2)), u_opacity * smoothstep(0.0, 0.3, side));
}`;

/* Flat marks in space: footprints, the capture point, gauges on joints. u and v span the mark. */
const MARK_VERTEX = `#version 300 es
layout(location=0) in vec2 a_at;
layout(location=1) in vec3 i_centre;
layout(location=2) in vec3 i_u;
layout(location=3) in vec3 i_v;
layout(location=4) in vec4 i_colour;
layout(location=5) in vec2 i_kind;  // kind, value
uniform mat4 u_view;
out vec2 v_at, v_kind;
out vec4 v_colour;
void main() {
  v_at = a_at; v_kind = i_kind; v_colour = i_colour;
  gl_Position = u_view * vec4(i_centre + a_at.x * i_u + a_at.y * i_v, 1);
}`;
const MARK_FRAGMENT = `#version 300 es
precision highp float;
in vec2 v_at, v_kind;
in vec4 v_colour;
out vec4 o;
float cover(float d) { return clamp(0.5 - d / max(fwidth(d), 1e-6), 0.0, 1.0); }
void main() {
  float r = length(v_at), a;
  if (v_kind.x < 0.5) a = cover(r - 0.96);                                            // disc
  else if (v_kind.x < 1.5) {                                                          // cross hairs
    vec2 k = abs(v_at);
    a = max(cover(abs(r - 0.66) - 0.09), cover(max(min(k.x, k.y) - 0.06, max(k.x, k.y) - 0.97)));
  } else {                                                                            // gauge, clockwise from the top
    float turn = fract(atan(v_at.x, v_at.y) / 6.28318 + 1.0);
    float band = cover(abs(r - 0.74) - 0.2);
    a = band * (turn < v_kind.y ? 1.0 : 0.22);
  }
  if (a <= 0.003) discard;
  o = vec4(pow(v_colour.rgb, vec3(1.0 / 2.2)), v_colour.a * a);
}`;
