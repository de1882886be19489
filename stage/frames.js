// Frames on their way from the simulation to the screen. The page asks for a few more than it shows (the lead), so
// that a frame which takes long, because the controller looks ahead, does not show; and what it shows lies between two
// frames, so that the screen's rate and the simulation's need not agree.

class Simulation {
  /* onFrame(record) is called once for every frame that the screen passes, in order. */
  constructor(onTrouble) {
    this.onFrame = () => {};
    this.onTrouble = onTrouble;
    this.answers = new Map();
    this.nextId = 1;
    this.epoch = 0;
    this.counters = { time: 0, looks: 0, putOff: 0, value: 0 };
    this.reserve = { last: 0, worst: 0, mean: 0 };
    this.slowest = 0;
    this.clear();
  }

  async start(wasm) {
    this.host = await startHost((m) => this.receive(m));
    await this.call("load", wasm);
  }

  clear() {
    this.frames = [];
    this.head = 0;       /* what is shown: frames from the first of the list */
    this.coming = 0;     /* asked for and not here yet */
    this.shown = null;
    this.still = false;  /* no more frames are asked for, see save() */
  }

  /* Opens a package; its about(). */
  async open(bytes) {
    this.epoch++;
    this.clear();
    this.about = await this.call("open", bytes);
    this.layout = this.about.record;
    return this.about;
  }

  tell(name, ...args) { this.host.send({ do: name, args, epoch: this.epoch }); }
  call(name, ...args) {
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      this.answers.set(id, { resolve, reject });
      this.host.send({ do: name, args, id, epoch: this.epoch });
    });
  }
  /* A call after which the old frames are of no use: resolves when its first picture is here. */
  async jump(name, ...args) {
    this.epoch++;
    this.frames.length = Math.min(this.frames.length, 1); /* keeps the last picture until the new one comes */
    this.head = 0;
    this.coming = 0;
    this.stale = true;
    await this.call(name, ...args);
  }

  receive(message) {
    if (message.frames) return this.take(message);
    const answer = this.answers.get(message.id);
    this.answers.delete(message.id);
    if (message.error && !answer) return this.onTrouble(message.error);
    if (answer) message.error ? answer.reject(new Error(message.error)) : answer.resolve(message.result);
  }

  take(m) {
    if (m.epoch !== this.epoch) return;
    if (this.stale) { this.frames = []; this.stale = false; }
    const n = this.layout.length;
    for (let i = 0; i < m.count; i++) this.frames.push(m.frames.subarray(i * n, (i + 1) * n));
    if (m.count > 1 || this.coming > 0) this.coming = Math.max(0, this.coming - m.count);
    this.slowest = Math.max(m.slowest, this.slowest * 0.995);
    this.counters = { time: m.time, looks: m.looks, putOff: m.putOff, value: m.value };
    this.reserve = m.reserve;
  }

  /* Seconds of lead: the slowest frame of late and half as much again, within reason: what one asks is seen so late. */
  lead() { return clamp(this.slowest * 0.0015, 0.06, 0.25); }

  /* Goes on by so many seconds of simulated time; the record to show, or null as long as there is none. */
  advance(seconds) {
    if (!this.layout) return null;
    if (seconds > 0) this.still = false;
    this.pass(seconds / this.about.dt);
    this.fetch(seconds > 0);
    return this.between();
  }

  /* By so many frames, or as many as are here. */
  pass(frames) {
    const last = this.frames.length - 1, before = Math.floor(this.head);
    this.head = Math.min(this.head + frames, Math.max(last, 0));
    for (let i = before + (this.shown ? 1 : 0); i <= Math.floor(this.head) && i <= last; i++) {
      this.shown = this.frames[i];
      this.onFrame(this.frames[i]);
    }
    const passed = Math.floor(this.head);
    if (passed > 0) { this.frames.splice(0, passed); this.head -= passed; }
  }

  /* The simulation's state. Of a page that stands still it is what is seen, to the frame: the picture moves up to the
   * last frame that was computed, and none is asked for until it goes on. */
  async save(standing) {
    this.still = standing;
    const bytes = await this.call("save");
    if (standing) this.pass(this.frames.length);
    return bytes;
  }

  /* Is there a frame after the one that is shown? */
  hasNext() { return this.frames.length > 1; }

  fetch(moving) {
    if (this.still || this.stale || !this.frames.length) return;
    const lead = moving ? Math.ceil(this.lead() / this.about.dt) : 2, have = this.frames.length - 1 - this.head;
    const missing = Math.ceil(lead - have - this.coming);
    if (missing <= 0 || this.coming > lead) return;
    this.coming += missing;
    this.tell("run", missing);
  }

  between() {
    if (!this.frames.length) return null;
    const a = this.frames[0], b = this.frames[Math.min(1, this.frames.length - 1)];
    return interpolate(this.layout, a, b, clamp(this.head, 0, 1));
  }
}

/* The record a share t of the way from a to b. Places are mixed; rotations too, and made rotations again. */
function interpolate(layout, a, b, t) {
  const r = new Float32Array(a);
  if (t <= 0 || a === b) return r;
  for (const [at, n] of [layout.limbs, layout.ghost].filter(Boolean))
    for (let i = 0; i < n; i++) mixPlace(r, a, b, at + 12 * i, t);
  for (const at of [layout.com, layout.capture]) mixNumbers(r, a, b, at, 3, t);
  for (const [at, n] of [layout.balls]) for (let i = 0; i < n; i++)
    if (a[at + 4 * i + 3] > 0 && b[at + 4 * i + 3] > 0) mixNumbers(r, a, b, at + 4 * i, 3, t);
  for (const [at, n] of [layout.points]) mixNumbers(r, a, b, at, 7 * n, t);
  mixNumbers(r, a, b, layout.limb_forces[0], 3 * layout.limb_forces[1], t);
  mixNumbers(r, a, b, layout.torques[0], layout.torques[1], t);
  mixNumbers(r, a, b, layout.time, 1, t);
  return r;
}
function mixNumbers(r, a, b, at, n, t) { for (let i = at; i < at + n; i++) r[i] = a[i] + (b[i] - a[i]) * t; }
function mixPlace(r, a, b, at, t) {
  mixNumbers(r, a, b, at, 12, t);
  const row = (i) => [r[at + 3 + 3 * i], r[at + 4 + 3 * i], r[at + 5 + 3 * i]];
  const x = unit(row(0)), z = unit(cross(x, row(1))), y = cross(z, x);
  if (norm(row(0)) === 0) return; /* a ghost that is not shown is all zero */
  r.set([...x, ...y, ...z], at + 3);
}
