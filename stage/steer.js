// Hands on the stage: keys, mouse, touch, game pad, and the joystick on screens that are touched. They only call the
// App. A pointer that comes down on a limb takes hold of it, on the torso's mark on the ring turns the torso, else on
// the ring or inside it points the way, elsewhere turns the camera; a click on the ground sends the creature there.

const TAP_TURN = 15 * DEGREE, HOLD_TURN = 120 * DEGREE, HOLD_AFTER = 0.22;

/* ---- keys ---- */

/* Controls that use keys themselves keep them: arrows on a slider, space on a button, letters in a list. */
function takesKey(target, key) {
  if (!target || target === document.body || target.id === "view") return false;
  const tag = target.tagName;
  if (tag === "SELECT" || tag === "TEXTAREA") return true;
  if (tag === "INPUT") return target.type === "range" || target.type === "radio" || target.type === "text"
    ? /^Arrow|^Page|^Home|^End|^ $/.test(key) : key === " ";
  if (target.getAttribute("role") === "slider") return /^Arrow|^Page|^Home|^End/.test(key);
  return key === " " || key === "Enter";
}

class Keys {
  constructor(app, commands) {
    this.app = app;
    this.commands = commands;   /* key -> function */
    this.down = new Map();      /* key -> seconds that it has been held */
    addEventListener("keydown", (e) => this.press(e));
    addEventListener("keyup", (e) => this.lift(e));
    addEventListener("blur", () => { this.down.clear(); endPush(app, false); });
  }

  press(e) {
    const key = e.key.length === 1 ? e.key.toLowerCase() : e.key;
    if (!this.app.record || e.ctrlKey || e.metaKey || e.altKey || takesKey(e.target, e.key) ||
      document.querySelector("dialog[open]")) return;
    if (e.repeat) { if (this.uses(key)) e.preventDefault(); return; }
    if (key === " ") { beginPush(this.app); e.preventDefault(); return; }
    if (HELD_KEYS[key]) {
      this.down.set(key, 0);
      HELD_KEYS[key](this.app, e.shiftKey, true, 0);
      this.shift = e.shiftKey;
      e.preventDefault();
    } else if (this.commands[key]) {
      this.commands[key]();
      e.preventDefault();
    }
  }
  uses(key) { return key === " " || HELD_KEYS[key] || this.commands[key]; }
  lift(e) {
    const key = e.key.length === 1 ? e.key.toLowerCase() : e.key;
    this.down.delete(key);
    if (e.key === " ") endPush(this.app, true);
  }
  frame(dt) {
    for (const [key, seconds] of this.down) {
      this.down.set(key, seconds + dt);
      if (seconds > HOLD_AFTER) HELD_KEYS[key](this.app, this.shift, false, dt);
    }
    chargePush(this.app);
  }
}

/* (app, shift, first, seconds): a step when pressed, then as long as held. With shift the camera moves. */
const turnKey = (sign) => (app, shift, first, dt) => {
  if (shift) return app.camera.orbit(-sign * (first ? 6 * DEGREE : 90 * DEGREE * dt), 0);
  app.turnBy(0, sign * (first ? TAP_TURN : HOLD_TURN * dt));
  if (first) app.used("steer");
};
const speedKey = (sign) => (app, shift, first, dt) => {
  if (shift) return app.camera.orbit(0, sign * (first ? 4 * DEGREE : 60 * DEGREE * dt));
  if (app.intervals.length) app.changeBy(0, sign * (first ? 0.1 : 0.6 * dt));
  else if (first && app.circles.length) {
    /* without a speed to ask for: straight on as it goes, or back */
    const done = app.done[app.circles[0]];
    if (Number.isFinite(done)) app.ask(app.circles[0], done + (sign > 0 ? 0 : Math.PI));
  }
  if (first) app.used(app.intervals.length ? "interval" : "steer");
};
const torsoKey = (sign) => (app, shift, first, dt) => {
  app.turnBy(1, sign * (first ? TAP_TURN : HOLD_TURN * dt));
  if (first) app.used("torso");
};
const panKey = (right, up, else_) => (app, shift, first, dt) => {
  const k = app.size * (first ? 0.05 : 0.8 * dt);
  if (shift) app.camera.panBy(right * k, up * k); else else_(app, false, first, dt);
};
const holdKey = (right, up) => (app, shift, first, dt) => {
  if (!app.held) return;
  const k = app.size * (first ? 0.06 : 0.9 * dt), c = app.camera;
  app.moveHeld(add(app.held.target, add(scale(c.right, right * k), scale(c.up, up * k))));
};
const zoomKey = (sign) => (app, shift, first, dt) =>
  app.camera.zoomBy(first ? 1 + 0.08 * sign : Math.exp(1.2 * sign * dt));
const HELD_KEYS = {
  ArrowLeft: turnKey(1), ArrowRight: turnKey(-1), ArrowUp: speedKey(1), ArrowDown: speedKey(-1),
  a: panKey(-1, 0, turnKey(1)), d: panKey(1, 0, turnKey(-1)), w: panKey(0, 1, speedKey(1)),
  s: panKey(0, -1, speedKey(-1)),
  q: torsoKey(1), e: torsoKey(-1), "+": zoomKey(-1), "=": zoomKey(-1), "-": zoomKey(1),
  j: holdKey(-1, 0), l: holdKey(1, 0), i: holdKey(0, 1), k: holdKey(0, -1),
};

/* ---- pushes: the longer the key or button is held, the harder ---- */

function beginPush(app) {
  if (!app.isPhysical() || (app.pushing && !app.pushing.given)) return;
  app.pushing = { limb: app.about.trunk, direction: unit([app.camera.right[0], app.camera.right[1], 0]),
    strength: app.settings.push, began: performance.now(), given: false };
}
function chargePush(app) {
  const p = app.pushing;
  if (!p || p.given) return;
  const held = clamp((performance.now() - p.began - 180) / 1200, 0, 1);
  p.strength = app.settings.push * (1 + 2.5 * held);
}
function endPush(app, give) {
  const p = app.pushing;
  if (!p || p.given) return;
  app.pushing = null;
  if (give) app.push(p.strength, p.direction);
}

/* ---- pointers ---- */

class Pointers {
  constructor(app, canvas) {
    Object.assign(this, { app, canvas, points: new Map(), doing: null });
    canvas.addEventListener("pointerdown", (e) => this.press(e));
    canvas.addEventListener("pointermove", (e) => this.move(e));
    canvas.addEventListener("pointerup", (e) => this.lift(e));
    canvas.addEventListener("pointercancel", (e) => this.lift(e));
    canvas.addEventListener("pointerleave", () => { app.ringHover = false; });
    canvas.addEventListener("contextmenu", (e) => e.preventDefault());
    canvas.addEventListener("wheel", (e) => {
      app.camera.zoomBy(Math.exp(clamp(e.deltaY, -120, 120) * (e.ctrlKey ? 0.006 : 0.0016)));
      e.preventDefault();
    }, { passive: false });
  }

  ray(e) {
    const box = this.canvas.getBoundingClientRect();
    return this.app.camera.ray((e.clientX - box.left) / box.width * 2 - 1, 1 - (e.clientY - box.top) / box.height * 2);
  }
  limbAt(e) {
    const app = this.app;
    if (!app.record || !(app.isPhysical() || app.mode === MODES.modal)) return null;
    const grow = app.camera.pixel(app.camera.distance, this.canvas.clientHeight) * (e.pointerType === "touch" ? 12 : 3);
    return pickShape(app.shapes, app.record, app.layout.limbs[0], app.camera.eye, this.ray(e), grow);
  }
  groundAt(e) { return this.app.ground.meet(this.app.camera.eye, this.ray(e), this.app.size * 60); }
  onRing(e) {
    const app = this.app, p = app.record && app.circles.length && app.mode !== MODES.clip && app.mode !== MODES.modal
      ? this.groundAt(e) : null;
    if (!p) return null;
    const foot = app.foot(), away = Math.hypot(p[0] - foot[0], p[1] - foot[1]);
    return away > app.size * 0.12 && away < app.ringRadius() * 1.5 ? p : null;
  }

  /* On the mark of the torso that is asked? */
  onTorso(e) {
    const app = this.app, torso = app.asked[app.circles[1]], p = torso === undefined ? null : this.onRing(e);
    if (!p) return false;
    const mark = app.onRing(torso), reach = app.size * (e.pointerType === "touch" ? 0.16 : 0.1);
    return Math.hypot(mark[0] - p[0], mark[1] - p[1]) < reach;
  }

  press(e) {
    if (!this.app.record) return;
    this.canvas.focus({ preventScroll: true });
    this.canvas.setPointerCapture(e.pointerId);
    this.points.set(e.pointerId, { x: e.clientX, y: e.clientY });
    if (this.points.size === 2) return this.beginPinch();
    if (this.points.size > 2) return;
    this.start = { x: e.clientX, y: e.clientY, time: performance.now() };
    if (e.button === 1 || (e.button === 0 && e.shiftKey)) { this.doing = "pan"; return; }
    if (e.button === 2) { this.doing = "orbit"; return; }
    const hit = this.limbAt(e);
    if (hit) {
      this.doing = "hold";
      this.last = { clientX: e.clientX, clientY: e.clientY };
      this.depth = dot(sub(hit.point, this.app.camera.eye), this.app.camera.forward);
      this.app.grab(hit);
    } else if (this.onTorso(e)) {
      this.doing = "torso";
      this.app.used("torso");
    } else if (this.onRing(e)) {
      this.doing = "steer";
      this.app.headTo(this.onRing(e));
      this.app.used("steer");
    } else {
      this.doing = "orbit";
    }
  }

  beginPinch() {
    this.app.release();
    this.doing = "pinch";
    this.pinch = this.spread();
  }
  spread() {
    const [a, b] = [...this.points.values()];
    return { length: Math.hypot(a.x - b.x, a.y - b.y), x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
  }

  move(e) {
    const before = this.points.get(e.pointerId), app = this.app;
    if (!before) return this.hover(e);
    const dx = e.clientX - before.x, dy = e.clientY - before.y;
    this.points.set(e.pointerId, { x: e.clientX, y: e.clientY });
    const metres = app.camera.pixel(app.camera.distance, this.canvas.clientHeight);
    if (this.doing === "hold" && app.held) {
      this.last = { clientX: e.clientX, clientY: e.clientY };
      this.pull();
    } else if (this.doing === "steer" || this.doing === "torso") {
      const p = this.groundAt(e);
      if (p) app.headTo(p, this.doing === "torso" ? 1 : 0);
    } else if (this.doing === "orbit") {
      app.camera.orbit(-dx * 0.006, dy * 0.005);
      if (Math.hypot(e.clientX - this.start.x, e.clientY - this.start.y) > 12) app.used("orbit");
    } else if (this.doing === "pan") {
      app.camera.panBy(-dx * metres, dy * metres);
    } else if (this.doing === "pinch" && this.points.size >= 2) {
      const s = this.spread();
      if (s.length > 8) app.camera.zoomBy(this.pinch.length / s.length);
      app.camera.panBy(-(s.x - this.pinch.x) * metres, (s.y - this.pinch.y) * metres);
      this.pinch = s;
    }
  }

  /* What is held is wanted below the pointer, in the plane that faces the camera, as deep as where it was taken. */
  pull() {
    const d = this.ray(this.last), camera = this.app.camera;
    this.app.moveHeld(along(camera.eye, d, this.depth / dot(d, camera.forward)));
  }
  /* The camera goes along with the creature: a pointer that rests leads it still. */
  frame() { if (this.doing === "hold" && this.app.held && !this.app.settings.paused) this.pull(); }

  hover(e) {
    if (e.pointerType === "touch") return;
    const limb = this.limbAt(e), ring = !limb && this.onRing(e);
    this.app.ringHover = !!ring;
    this.canvas.style.cursor = limb || (ring && this.onTorso(e)) ? "grab" : ring ? "crosshair" : "default";
  }

  lift(e) {
    if (!this.points.delete(e.pointerId)) return;
    const moved = this.start && Math.hypot(e.clientX - this.start.x, e.clientY - this.start.y);
    if (this.doing === "hold") this.app.release();
    if (this.doing === "orbit" && e.button === 0 && moved < 7 && performance.now() - this.start.time < 450) {
      const p = this.groundAt(e);
      if (p && this.app.mode !== MODES.clip) { this.app.headTo(p); this.app.used("steer"); }
    }
    if (!this.points.size) this.doing = null;
    else if (this.doing === "pinch") this.doing = "none";
  }
}

/* ---- sticks ---- */

/* x to the right of the screen, y away from the viewer, both up to 1. How far the stick is out is the speed, where one
 * can be asked for; without a direction to ask for, forward is faster and back slower. */
function steerBy(app, x, y, dt) {
  const far = Math.hypot(x, y);
  if (far < 0.25 || !(app.circles.length || app.intervals.length)) return;
  app.used(app.circles.length ? "steer" : "interval");
  if (!app.circles.length) return app.changeBy(0, 0.6 * y * dt);
  const f = app.camera.forward, flat = Math.hypot(f[0], f[1]) > 0.05 ? f : app.camera.up, r = app.camera.right;
  app.ask(app.circles[0], Math.atan2(flat[1] * y + r[1] * x, flat[0] * y + r[0] * x));
  const p = app.about.parameters[app.intervals[0]];
  if (p && p.unit === "m/s") app.ask(app.intervals[0], mix(p.least, p.most, clamp((far - 0.3) / 0.65, 0, 1)));
}

/* A stick that is let go asks for a stop, where one can be asked for. */
function rest(app) {
  const p = app.about.parameters[app.intervals[0]];
  if (p && p.zero && p.least === 0 && app.circles.length) app.ask(app.intervals[0], 0);
}

class Joystick {
  constructor(app, box) {
    this.app = app;
    this.box = box;
    this.knob = box.querySelector(".knob");
    this.x = this.y = 0;
    box.addEventListener("pointerdown", (e) => {
      this.id = e.pointerId;
      box.setPointerCapture(e.pointerId);
      this.to(e);
    });
    box.addEventListener("pointermove", (e) => { if (e.pointerId === this.id) this.to(e); });
    for (const end of ["pointerup", "pointercancel"])
      box.addEventListener(end, () => {
        if (this.id !== undefined) rest(app);
        this.id = undefined;
        this.set(0, 0);
      });
  }
  to(e) {
    const b = this.box.getBoundingClientRect(), r = b.width / 2;
    let x = (e.clientX - b.left - r) / r, y = -(e.clientY - b.top - r) / r;
    const far = Math.hypot(x, y);
    if (far > 1) { x /= far; y /= far; }
    this.set(x, y);
    e.preventDefault();
  }
  set(x, y) {
    Object.assign(this, { x, y });
    this.knob.style.transform = `translate(${x * 34}px, ${-y * 34}px)`;
  }
  frame(dt) { if (this.id !== undefined) steerBy(this.app, this.x, this.y, dt); }
}

/* Buttons of the standard mapping (W3C Gamepad, "Remapping"). */
const PAD_ARROWS = { 12: "ArrowUp", 13: "ArrowDown", 14: "ArrowLeft", 15: "ArrowRight", 4: "q", 5: "e" };

class GamePad {
  constructor(app, commands) { Object.assign(this, { app, commands, before: [], held: [] }); }
  /* The first that is there; a page inside of another may be forbidden to ask. */
  find() {
    try {
      return [...navigator.getGamepads()].find((p) => p && p.connected) || null;
    } catch {
      return null;
    }
  }
  frame(dt) {
    const pad = this.find(), app = this.app;
    if (!pad) {
      if (this.before[0]) endPush(app, false);
      this.before = [];
      this.known = false;
      return;
    }
    if (!this.known) toast("Game pad: left stick steers, A pushes, ? lists the rest.");
    this.known = true;
    const axis = (i) => (Math.abs(pad.axes[i] || 0) > 0.15 ? pad.axes[i] : 0);
    const out = Math.hypot(axis(0), axis(1)) >= 0.25;
    steerBy(app, axis(0), -axis(1), dt);
    if (this.out && !out) rest(app);
    this.out = out;
    if (axis(2) || axis(3)) app.camera.orbit(-axis(2) * 2.2 * dt, axis(3) * 1.6 * dt);
    const down = pad.buttons.map((b) => b.pressed);
    const press = (i) => down[i] && !this.before[i];
    if (press(0)) beginPush(app);
    if (!down[0] && this.before[0]) endPush(app, true);
    if (press(1)) this.commands.b();
    if (press(2)) this.commands.g();
    if (press(3)) this.commands.r();
    if (press(8)) this.commands.c();
    if (press(9)) this.commands.p();
    for (const [i, key] of Object.entries(PAD_ARROWS)) {
      this.held[i] = down[i] ? (press(i) ? 0 : this.held[i] + dt) : 0;
      if (press(i)) HELD_KEYS[key](app, false, true, 0);
      else if (this.held[i] > HOLD_AFTER) HELD_KEYS[key](app, false, false, dt);
    }
    this.before = down;
  }
}
