// The page's state and what can be done to it: one App, which the inputs (steer.js), the controls (panel.js), links and
// files (state.js, share.js) and scripts (window.stage) all call. It talks to the simulation and draws each frame.

const MODES = { clip: 0, play: 1, control: 2, modal: 3 };
const MODE_NAMES = Object.keys(MODES);
const BEST_MODES = ["control", "play", "clip", "modal"]; /* what a page begins with, if the package has it */
const PATIENCE = 4; /* seconds that it lies before it is set on its feet */

function defaultSettings() {
  return {
    theme: "system", paused: false, scale: 1, push: 0.35, ballMass: 0.06, standsUp: true, friction: null,
    ground: "flat", slope: 5 * DEGREE, steps: 0.04, beams: 0.03, pebbles: 0.03, /* heights in sizes of the creature */
    tempo: 1, stride: 1, loadLimb: -1, loadMass: 0,
    show: { forces: false, cones: false, mass: false, footprints: true, torques: false, ghost: false, graph: false,
      readout: false },
  };
}

/* A value of an interval as one reads it; 0 has a word of its own, "stop", where the kind of parameter has one. */
function intervalText(p, value) {
  if (p.zero && Math.abs(value) < 1e-6) return p.zero;
  return value.toFixed(p.most - p.least > 20 ? 0 : 2) + (p.unit ? " " + p.unit : "");
}

class App {
  constructor(canvas, data, sim) {
    this.canvas = canvas;
    this.packages = data.packages || [];
    this.packageIndex = 0;
    this.settings = defaultSettings();
    this.camera = new Camera();
    this.renderer = new Renderer(canvas);
    this.footprints = new Footprints();
    this.log = new AskedLog();
    this.sim = sim;
    sim.onFrame = (record) => this.passed(record);
    this.ground = new Ground((...where) => this.sim.call("heights", ...where));
    this.scene = { solids: new Instances(), plain: new Instances(), cones: new Instances(), clear: new Instances(),
      clearCones: new Instances(), prints: [], gauges: [], ground: this.ground };
    this.record = null;
    this.held = null;          /* {limb, local, target, distance} of a limb in hand */
    this.pushing = null;
    this.ringLit = 0;
    this.ringHover = false;
    this.fps = 0;
    this.asked = [];
    this.done = [];
    this.refreshers = [];      /* of the panel: make controls show what is set */
    this.listeners = [];       /* called after each frame is drawn */
    this.waiting = [];
  }

  /* ---- packages and modes ---- */

  openPackage(bytes, wanted) { return this.show(this.sim.open(bytes), wanted); }
  /* What the simulation opens. */
  async show(opened, wanted) {
    this.about = await opened;
    this.layout = this.about.record;
    this.shapes = creatureShapes(this.about);
    this.circles = this.about.parameters.flatMap((p, i) => (p.space === "circle" ? [i] : []));
    this.intervals = this.about.parameters.flatMap((p, i) => (p.space === "interval" ? [i] : []));
    this.categories = this.about.parameters.flatMap((p, i) => (p.space === "category" ? [i] : []));
    this.asked = this.about.parameters.map((p) => (p.space === "interval" ? (p.least + p.most) / 2 : 0));
    this.usualSpeed = Math.max(...this.about.clips.map((c) => Math.abs(c.speed || 0)), 1e-3);
    this.size = 0;
    this.footprints.clear();
    this.held = null;
    const name = wanted && this.about.modes[wanted.mode] ? wanted.mode
      : BEST_MODES.find((m) => this.about.modes[m]) || "clip";
    await this.setMode(MODES[name], wanted ? wanted.clip : -1);
  }

  /* A new one of the same creature, while it is edited: keeps what is asked, where names agree, mode and camera. */
  async replacePackage(bytes) {
    const before = { asked: new Map(), mode: MODE_NAMES[this.mode], clip: -1 }, place = this.record && this.rootPlace();
    this.about.parameters.forEach((p, i) => before.asked.set(p.name, this.asked[i]));
    await this.openPackage(bytes, before);
    this.packages[this.packageIndex] = { ...this.packages[this.packageIndex], raw: bytes };
    this.about.parameters.forEach((p, i) => { if (before.asked.has(p.name)) this.ask(i, before.asked.get(p.name)); });
    if (place) this.sim.tell("place", place[0], place[1], place[3]);
    this.applyWorld();
    this.onPackage();
  }

  async setMode(mode, clip = -1) {
    const before = this.mode;
    this.release();
    this.fallen = null;
    this.mode = mode;
    this.clip = Math.max(clip, 0);
    try {
      await this.sim.jump("mode", mode, clip);
    } catch (e) {
      this.mode = before;
      throw e;
    }
    this.sim.tell("show", 0, this.settings.show.ghost || mode === MODES.modal ? 1 : 0);
    this.sim.tell("record_on", 1);
    this.footprints.clear();
    this.takeAsked = true;
    if (this.onMode) this.onMode();
  }
  isPhysical() { return this.mode === MODES.control || this.mode === MODES.modal; }

  /* What the world was set to, told again to a simulation that is new. */
  applyWorld() {
    this.setGround(this.settings.ground);
    this.setFriction(this.settings.friction);
  }

  /* ---- asking ---- */

  ask(parameter, value) {
    const p = this.about.parameters[parameter];
    if (!p || !Number.isFinite(value)) return;
    const v = p.space === "interval" ? clamp(value, p.least, p.most)
      : p.space === "category" ? clamp(Math.round(value), 0, p.names.length - 1) : wrapAngle(value);
    this.asked[parameter] = v;
    this.takeAsked = false;
    this.sim.tell("ask", parameter, v);
    this.log.note(this, parameter, v, this.shownSeconds);
  }
  turnBy(circle, angle) {
    const parameter = this.circles[circle];
    if (parameter !== undefined) this.ask(parameter, this.asked[parameter] + angle);
  }
  /* Shares of the range; there is a first interval, usually the speed. */
  changeBy(interval, share) {
    const parameter = this.intervals[interval], p = this.about.parameters[parameter];
    if (p) this.ask(parameter, this.asked[parameter] + share * (p.most - p.least));
  }
  nextCategory() {
    const parameter = this.categories[0];
    if (parameter === undefined) return;
    const p = this.about.parameters[parameter];
    this.ask(parameter, (this.asked[parameter] + 1) % p.names.length);
    toast(words(p.name) + ": " + readable(p.names[this.asked[parameter]]));
    this.used("category");
    this.refresh();
  }
  /* The first circle is the direction of travel, the second the torso's. */
  headTo(point, circle = 0) {
    if (this.circles.length <= circle) return;
    const at = this.foot();
    this.ask(this.circles[circle], Math.atan2(point[1] - at[1], point[0] - at[0]));
  }
  askedSpeedShare() {
    const p = this.about.parameters[this.intervals[0]];
    return p ? (this.asked[this.intervals[0]] - p.least) / Math.max(p.most - p.least, 1e-9) : 0.6;
  }

  /* ---- touching ---- */

  weight() { return this.about.mass * (this.about.gravity || 9.81); }

  /* strength in body weights, for a tenth of a second; by default across the screen, away from the left hand. */
  push(strength = this.settings.push, direction = [this.camera.right[0], this.camera.right[1], 0]) {
    if (!this.isPhysical()) return;
    const d = unit(direction), limb = this.about.trunk, f = scale(d, strength * this.weight());
    this.sim.tell("push", limb, f[0], f[1], f[2], 0.1);
    this.pushing = { limb, direction: d, strength, given: true, until: performance.now() + 260 };
    this.pushes = (this.pushes || 0) + 1;
    say("Pushed.");
    this.used("push");
  }
  /* From beside the camera at the trunk, so as to hit it where it will be. */
  throwBall() {
    if (!this.isPhysical() || !this.record) return;
    const k = this.layout.limbs[0] + 12 * this.about.trunk, r = this.record, g = this.about.gravity || 9.81;
    const goal = [r[k], r[k + 1], r[k + 2] + this.size * 0.05], speed = 3.2 * Math.sqrt(g * this.size);
    const side = unit([this.camera.eye[0] - goal[0], this.camera.eye[1] - goal[1], this.size * 0.6]);
    const from = add(along(goal, side, 2.4 * this.size), scale(this.camera.right, -0.5 * this.size));
    from[2] = Math.max(from[2], this.ground.height(from[0], from[1]) + this.size * 0.3);
    const seconds = norm(sub(goal, from)) / speed, aim = along(goal, this.velocity, seconds);
    const v = scale(sub(aim, from), 1 / seconds);
    v[2] += g * seconds / 2;
    const radius = this.size * (0.045 + 0.04 * Math.cbrt(this.settings.ballMass / 0.06));
    this.sim.tell("ball", ...from, ...v, this.settings.ballMass * this.about.mass, radius);
    say("A ball is thrown.");
    this.used("ball");
  }
  grab(hit) {
    this.held = { limb: hit.limb, local: hit.local, target: hit.point, distance: hit.distance };
    this.moveHeld(hit.point);
    this.used("grab");
  }
  moveHeld(target) {
    if (!this.held) return;
    this.held.target = target;
    this.sim.tell("grab", this.held.limb, ...this.held.local, ...target);
  }
  release() {
    if (!this.held) return;
    this.held = null;
    this.sim.tell("release");
  }
  /* By its place in the list of limbs, for those who use no pointer. */
  holdLimb(limb) {
    this.release();
    const shape = this.shapes.find((s) => s.limb === limb);
    if (limb < 0 || !shape) return;
    const at = this.layout.limbs[0] + 12 * limb;
    this.grab({ limb, local: shape.centre, point: shapePlace(shape, this.record, at).place, distance: 0 });
    say("Holding " + readable(this.about.limbs[limb].name) + ". Keys I, J, K and L move it, Escape lets go.");
  }

  async standUp() {
    this.release();
    this.fallen = null;
    await this.sim.jump("restart");
    say("Back on its feet.");
    if (this.onFall) this.onFall();
  }

  /* ---- the world ---- */

  groundNumbers(kind) {
    const s = this.settings, size = this.unit();
    return { flat: [0, 1], slope: [s.slope, 1], steps: [s.steps * size, 0.55 * size],
      beams: [s.beams * size, 0.9 * size],
      pebbles: [s.pebbles * size, 0.2 * size] }[kind];
  }
  /* The creature's height as its file has it: what is set must not depend on the pose that is seen. */
  unit() { return this.about.height > 0 ? this.about.height : this.size || 1; }
  setGround(kind) {
    this.settings.ground = kind;
    const [size, spacing] = this.groundNumbers(kind);
    this.ground.set(kind, size, spacing);
    this.sim.tell("ground", GROUND_KINDS.indexOf(kind), size, spacing, 1);
    this.footprints.clear();
  }
  /* By a person. Stairs and beams lie across the way from x = 0 on: it is put before them. */
  async chooseGround(kind) {
    this.setGround(kind);
    if (kind !== "steps" && kind !== "beams") return;
    const [x, y, , yaw] = this.rootPlace();
    if (x > 0 && Math.cos(yaw) > 0.7) return;
    if (this.circles.length) this.ask(this.circles[0], 0);
    await this.sim.jump("place", 0, y, 0);
  }
  setFriction(mu) {
    this.settings.friction = mu;
    this.sim.tell("friction", mu === null ? -1 : mu);
  }
  setShow(what, on) {
    this.settings.show[what] = on;
    if (what === "ghost") this.sim.tell("show", 0, on || this.mode === MODES.modal ? 1 : 0);
    this.refresh();
  }
  setPaused(on) {
    this.settings.paused = on;
    this.stepping = 0;
    say(on ? "Paused." : "Goes on.");
    this.refresh();
  }
  step() {
    if (!this.settings.paused) this.setPaused(true);
    this.stepping = (this.stepping || 0) + 1;
  }
  setTheme(name) {
    this.settings.theme = name;
    const resolved = resolveTheme(name);
    this.theme = THEMES[resolved];
    document.documentElement.dataset.theme = resolved;
    this.refresh();
  }
  setCamera(kind) {
    this.camera.choose(kind);
    this.refresh();
  }
  edit(kind, value) {
    this.sim.call("edit", kind, value).catch((e) => toast(e.message));
  }
  loadLimb(limb, share) {
    const s = this.settings;
    if (s.loadLimb >= 0 && s.loadLimb !== limb) this.sim.tell("load_limb", s.loadLimb, 0);
    Object.assign(s, { loadLimb: limb, loadMass: share });
    if (limb >= 0) this.sim.tell("load_limb", limb, share * this.about.mass);
  }

  /* ---- frames ---- */

  /* A frame that the screen passes. */
  passed(record) {
    const L = this.layout, state = record[L.state], com = [0, 1, 2].map((i) => record[L.com + i]), dt = this.about.dt;
    this.shownSeconds = (this.shownSeconds || 0) + dt;
    if (this.lastCom && norm(sub(com, this.lastCom)) < this.unit()) {
      const v = scale(sub(com, this.lastCom), 1 / dt), k = closing(dt, 0.25);
      this.velocity = this.velocity.map((x, i) => x + (v[i] - x) * k);
    } else {
      this.velocity = [0, 0, 0];
    }
    this.speed = Math.hypot(this.velocity[0], this.velocity[1]);
    this.lastCom = com;
    if (this.mode !== MODES.clip) this.footprints.frame(this, record);
    this.judge(state, dt);
  }

  /* Falls: says so, and after a while sets it on its feet, unless the person wants to look. */
  judge(state, dt) {
    if (state === 1 || !this.isPhysical()) {
      if (this.fallen) { this.fallen = null; if (this.onFall) this.onFall(); }
      return;
    }
    if (!this.fallen) {
      this.fallen = { lost: state === 0, seconds: 0 };
      this.falls = (this.falls || 0) + 1;
      say("It fell. Press R to set it on its feet.");
      if (this.onFall) this.onFall();
    }
    this.fallen.seconds += dt;
    const f = this.fallen, waits = this.settings.standsUp || f.lost;
    if (!waits || f.rising || this.held || f.seconds < (f.lost ? 0.4 : PATIENCE)) return;
    f.rising = true;
    this.standUp();
  }

  rootPlace() {
    const k = this.layout.limbs[0], r = this.record;
    return [r[k], r[k + 1], r[k + 2], Math.atan2(r[k + 6], r[k + 3])];
  }
  heading() {
    const h = this.record[this.layout.heading];
    return Number.isFinite(h) ? h : this.rootPlace()[3];
  }
  foot() {
    const c = this.layout.com, [x, y, z] = this.record.subarray(c, c + 3);
    return [x, y, this.ground.isKnown() ? this.ground.height(x, y) : z - 0.55 * this.size];
  }
  ringRadius() { return this.size * 0.62; }
  onRing(angle) { return add(this.foot(), scale([Math.cos(angle), Math.sin(angle), 0], this.ringRadius())); }

  /* How large it is to look at: as high as it is, or long enough for a centipede. */
  measure(record) {
    const { low, high } = creatureBounds(this.shapes, record, this.layout.limbs[0]);
    const wide = Math.hypot(high[0] - low[0], high[1] - low[1]);
    this.size = Math.max(high[2] - low[2], 0.75 * wide, 1e-4);
    this.middle = (high[2] - low[2]) * 0.52;
  }

  frame(now) {
    const real = Math.min((now - (this.lastNow ?? now)) / 1000, 0.1);
    this.lastNow = now;
    if (real > 0) this.fps += (1 / real - this.fps) * closing(real, 0.5);
    let seconds = this.settings.paused ? 0 : real * this.settings.scale;
    if (this.settings.paused && this.stepping > 0 && this.layout) {
      if (this.sim.hasNext()) { this.stepping--; seconds = this.about.dt; }
      else this.sim.still = false;
    }
    const record = this.sim.advance(seconds);
    if (!record) return;
    this.record = record;
    if (!this.size) this.measure(record);
    if (this.takeAsked) this.readAsked(record);
    for (let i = 0; i < this.about.parameters.length; i++) this.done[i] = record[this.layout.done[0] + i];
    if (this.pushing && this.pushing.given && now > this.pushing.until) this.pushing = null;
    this.ringLit += ((this.ringHover ? 1 : 0) - this.ringLit) * closing(real, 0.08);
    this.draw(real, record);
    for (const f of this.listeners) f(now, real, record);
    for (const done of this.waiting.splice(0)) done();
  }
  /* What a fresh simulation asks of itself. */
  readAsked(record) {
    const [at, n] = this.layout.asked;
    for (let i = 0; i < Math.min(n, this.asked.length); i++)
      if (Number.isFinite(record[at + i])) this.asked[i] = record[at + i];
  }

  draw(real, record) {
    const scene = this.scene, foot = this.foot(), camera = this.camera;
    const paused = this.settings.paused || this.settings.scale === 0;
    camera.update(real, [foot[0], foot[1], foot[2] + this.middle], paused ? [0, 0, 0]
      : scale([this.velocity[0], this.velocity[1], 0], this.settings.scale), this.heading(), this.size,
    this.renderer.resize());
    this.renderer.adapt(this.fps, real);
    camera.lift(this.ground, this.size);
    this.ground.follow(foot[0], foot[1], this.size);
    for (const list of ["solids", "plain", "cones", "clear", "clearCones"]) scene[list].clear();
    scene.prints.length = scene.gauges.length = 0;
    const t = this.theme, tone = (s) => (s.side > 0 ? t.left : s.side < 0 ? t.right : t.middle);
    putCreature(scene.solids, this.shapes, record, this.layout.limbs[0], tone);
    putOverlays(this, scene, record);
    Object.assign(scene, { theme: t, camera, foot, size: this.size, cell: niceStep(this.size * 0.22),
      ring: ringOf(this, record) });
    this.renderer.draw(scene);
  }

  /* When the next frame has been drawn. */
  drawn() { return new Promise((done) => { this.waiting.push(done); }); }

  refresh() { for (const f of this.refreshers) f(); }
  /* What the person has found out by himself needs no hint any more. */
  used(what) { if (this.onUsed) this.onUsed(what); }

  stat() {
    if (!this.record) return null;
    const byName = (v) => Object.fromEntries(this.about.parameters.map((p, i) => [p.name, v[i]]));
    return { time: this.sim.counters.time, shown: this.record[this.layout.time], mode: MODE_NAMES[this.mode],
      state: this.record[this.layout.state], root: this.rootPlace(), asked: byName(this.asked), done: byName(this.done),
      speed: this.speed, fps: this.fps, reserve: this.sim.reserve, looks: this.sim.counters.looks,
      putOff: this.sim.counters.putOff, value: this.sim.counters.value, lead: this.sim.lead(),
      slowest: this.sim.slowest, worker: this.sim.host.worker, falls: this.falls || 0, pushes: this.pushes || 0,
      creature: this.about.name, paused: this.settings.paused, camera: this.camera.kind,
      yaw: this.camera.yaw(), held: !!this.held, pushing: !!this.pushing };
  }
}
