// What can be shown beside the creature itself: forces, friction cones, centre of mass, capture point, footprints, load
// of joints, the reference as a ghost, the spring of a drag, a push. Each reads the frame record and puts instances or
// marks into the scene.

const PRINTS = 240; /* footprints that are kept */

/* u, v: half axes; kind: 0 disc, 1 cross hairs, 2 gauge of `value`. The order is MARK_VERTEX's. */
function putMark(marks, centre, u, v, colour, opacity, kind, value = 0) {
  marks.push(...centre, ...u, ...v, ...colour, opacity, kind, value);
}

function putArrow(scene, from, to, radius, colour) {
  const length = norm(sub(to, from));
  if (!(length > radius)) return;
  const head = Math.min(radius * 4.5, length * 0.6), neck = along(to, unit(sub(to, from)), -head);
  scene.plain.rod(from, neck, radius, colour);
  scene.cones.cone(neck, to, radius * 2.4, colour);
}

/* Forces are drawn in body weights: one weight is as long as 0.7 of the creature is high. */
function putForces(app, scene, record) {
  const { layout, theme, size, about } = app, perNewton = 0.7 * size / (about.mass * (about.gravity || 9.81));
  const arrow = (at, force) => putArrow(scene, at, along(at, force, perNewton), size * 0.009, theme.force);
  const [points, n] = layout.points;
  for (let i = 0; i < n; i++) {
    const k = points + 7 * i;
    arrow([record[k], record[k + 1], record[k + 2]], [record[k + 3], record[k + 4], record[k + 5]]);
  }
  const [forces, limbs] = layout.limb_forces, places = layout.limbs[0];
  for (let i = 0; i < limbs; i++) {
    const f = [0, 1, 2].map((j) => record[forces + 3 * i + j]), k = places + 12 * i;
    if (norm(f) > 0) arrow([record[k], record[k + 1], record[k + 2]], f);
  }
}

/* On each point that stands: forces outside of the cone would slip. */
function putFrictionCones(app, scene, record) {
  const { layout, theme, size, settings, about } = app, high = size * 0.16;
  const mu = settings.friction ?? about.friction ?? 0.8, [points, n] = layout.points;
  for (let i = 0; i < n; i++) {
    const k = points + 7 * i;
    if (record[k + 6] < 0.5) continue;
    const foot = [record[k], record[k + 1], record[k + 2]], up = app.ground.normal(foot[0], foot[1], size * 0.02);
    scene.clearCones.cone(along(foot, up, high), foot, high * Math.min(mu, 2), theme.force, 0.22);
  }
}

function putMassCentre(app, scene, record) {
  const { layout, theme, size, ground } = app, at = (k) => [record[k], record[k + 1], record[k + 2]];
  const com = at(layout.com), below = [com[0], com[1], ground.height(com[0], com[1])];
  scene.plain.ball(com, size * 0.03, theme.second);
  scene.plain.rod(below, com, size * 0.003, theme.second);
  putMark(scene.gauges, com, scale(app.camera.right, size * 0.045), scale(app.camera.up, size * 0.045), theme.second,
    0.9, 1);
  const capture = at(layout.capture), up = ground.height(capture[0], capture[1]) + size * 0.006, r = size * 0.075;
  putMark(scene.prints, [capture[0], capture[1], up], [r, 0, 0], [0, r, 0], theme.second, 0.95, 1);
}

/* A ring on each joint, filled by the share of the largest torque that its most loaded axis gives; of a joint without
 * a limit, by the share of what would hold an eighth of the body at arm's length. */
function putTorques(app, scene, record) {
  const { layout, theme, size, about, camera } = app, share = new Float32Array(about.limbs.length).fill(-1);
  const usual = app.weight() * app.unit() / 8;
  about.dofs.forEach((dof, i) => {
    if (dof.torque_max === 0) return; /* the root is moved by nothing */
    const most = dof.torque_max ?? usual;
    share[dof.limb] = Math.max(share[dof.limb], Math.abs(record[layout.torques[0] + i]) / most);
  });
  share.forEach((s, limb) => {
    if (s < 0) return;
    const k = layout.limbs[0] + 12 * limb, at = [record[k], record[k + 1], record[k + 2]], r = size * 0.032;
    const colour = [0, 1, 2].map((i) => mix(theme.done[i], theme.asked[i], clamp(s, 0, 1)));
    putMark(scene.gauges, at, scale(camera.right, r), scale(camera.up, r), colour, 0.95, 2, clamp(s, 0.02, 1));
  });
}

function putGhost(app, scene, record) {
  const [at] = app.layout.ghost, first = record.subarray(at + 3, at + 12);
  if (norm([first[0], first[1], first[2]]) < 0.5) return; /* none is computed yet */
  putCreature(scene.clear, app.shapes, record, at, () => app.theme.ghost, 0.4, 0.93);
}

function putBalls(app, scene, record) {
  const [at, n] = app.layout.balls;
  for (let i = 0; i < n; i++) {
    const k = at + 4 * i, r = record[k + 3];
    if (r > 0) scene.solids.ball([record[k], record[k + 1], record[k + 2]], r, app.theme.ball);
  }
}

/* ---- footprints ---- */

class Footprints {
  constructor() { this.clear(); }
  clear() { this.list = []; this.on = []; }
  /* Called for each frame that is shown: a print where a point comes down. */
  frame(app, record) {
    const [at, n] = app.layout.points;
    for (let i = 0; i < n; i++) {
      const k = at + 7 * i, on = record[k + 6] > 0.5;
      if (on && !this.on[i])
        this.list.push({ x: record[k], y: record[k + 1], time: record[app.layout.time],
          side: app.about.limbs[app.about.points[i].limb].side });
      this.on[i] = on;
    }
    if (this.list.length > PRINTS) this.list.splice(0, this.list.length - PRINTS);
  }
  put(app, scene) {
    const r = app.size * 0.026, n = this.list.length;
    this.list.forEach((p, i) => {
      const fade = clamp((PRINTS - (n - 1 - i)) / PRINTS, 0, 1), z = app.ground.height(p.x, p.y) + app.size * 0.004;
      putMark(scene.prints, [p.x, p.y, z], [r, 0, 0], [0, r, 0], app.theme.print, fade * (p.side > 0 ? 0.8 : 0.5), 0);
    });
  }
}

/* ---- hands of the person ---- */

/* A coil from the limb to where the pointer is. */
function putSpring(app, scene, record) {
  const held = app.held;
  if (!held) return;
  const [places] = app.layout[app.mode === MODES.modal ? "ghost" : "limbs"];
  let k = places + 12 * held.limb;
  if (norm([record[k + 3], record[k + 4], record[k + 5]]) < 0.5) k = app.layout.limbs[0] + 12 * held.limb;
  const from = add([record[k], record[k + 1], record[k + 2]], rotate(record.subarray(k + 3, k + 12), held.local));
  const way = sub(held.target, from), length = norm(way), r = app.size * 0.0055;
  scene.plain.ball(from, app.size * 0.016, app.theme.asked);
  scene.plain.ball(held.target, app.size * 0.022, app.theme.asked);
  if (length < app.size * 0.03) return;
  const z = unit(way), [x, y] = frameAbout(z), coils = 9, steps = coils * 8, wide = app.size * 0.022;
  let before = from;
  for (let i = 1; i <= steps; i++) {
    const t = i / steps, swell = wide * smoothstep(0, 0.12, t) * smoothstep(0, 0.12, 1 - t), a = t * coils * TAU;
    const next = add(along(from, way, t), add(scale(x, swell * Math.cos(a)), scale(y, swell * Math.sin(a))));
    scene.plain.rod(before, next, r, app.theme.asked);
    before = next;
  }
}

/* While space is held the arrow grows; when the push is given it hits the trunk and fades. */
function putPush(app, scene, record) {
  const p = app.pushing;
  if (!p) return;
  const k = app.layout.limbs[0] + 12 * p.limb, at = [record[k], record[k + 1], record[k + 2] + app.size * 0.08];
  const length = app.size * (0.22 + 0.5 * Math.min(p.strength, 1.2)), gap = app.size * (p.given ? 0.02 : 0.16);
  const to = along(at, p.direction, -gap - app.size * 0.08), from = along(to, p.direction, -length);
  putArrow(scene, from, to, app.size * 0.017, app.theme.asked);
}

/* ---- ring and arrows: what is asked, what is done ---- */

/* A scene's ring: shape (radius, opacity, lit up, ticks) and four arrows (angle, length, opacity, kind). */
function ringOf(app, record) {
  const arrows = new Float32Array(16), circles = app.circles, R = app.layout;
  const speed = clamp(app.speed / (app.usualSpeed || 1), 0.25, 1.1);
  circles.slice(0, 2).forEach((parameter, i) => {
    const asked = app.asked[parameter], done = record[R.done[0] + parameter];
    arrows.set([asked, 0.12 + 0.2 * app.askedSpeedShare(), 1, 2 * i], 8 * i);
    arrows.set([Number.isFinite(done) ? done : 0, i ? 0 : 0.9 * speed, Number.isFinite(done) ? 0.9 : 0, 2 * i + 1],
      8 * i + 4);
  });
  const on = circles.length && app.mode !== MODES.clip && app.mode !== MODES.modal;
  return { shape: [app.ringRadius(), on ? 0.9 : 0, app.ringLit, 12], arrows };
}

function putOverlays(app, scene, record) {
  const show = app.settings.show;
  putBalls(app, scene, record);
  if (show.footprints) app.footprints.put(app, scene);
  if (show.forces) putForces(app, scene, record);
  if (show.cones) putFrictionCones(app, scene, record);
  if (show.mass) putMassCentre(app, scene, record);
  if (show.torques) putTorques(app, scene, record);
  if (show.ghost || app.mode === MODES.modal) putGhost(app, scene, record);
  putSpring(app, scene, record);
  putPush(app, scene, record);
}
