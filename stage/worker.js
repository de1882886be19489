// The simulation's side of the page: a host that owns the WebAssembly module and does what messages ask. It runs in a
// Worker, so that a long look-ahead does not hold up drawing; where a page may not start one (some browsers refuse
// workers in files), the same host runs in the page. simulationHost() is turned into text for the worker: it must use
// nothing of the page but what it is handed.
//
// In:  {do: name, args: [...], id?, epoch}. Out: {id, result} or {id, error}; {epoch, frames, count, ...} after "run"
// and whatever else shows a new picture. An epoch is what lies between two jumps (another mode, a restart ...): frames
// of an older one, still on their way, are thrown away by the page.

function simulationHost(post, clock) {
  let module = null, layout = null, epoch = 0, length = 0, dt = 0;
  const busy = { seconds: [], now: 0, simulated: 0, total: 0, spent: 0, worst: Infinity };

  const bytesAt = (at, n) => new Uint8Array(module.memory.buffer, at, n);
  function textAt(at) {
    if (!at) return "";
    const all = new Uint8Array(module.memory.buffer);
    return new TextDecoder().decode(all.slice(at, all.indexOf(0, at)));
  }
  function handIn(bytes) {
    const at = module.mem(bytes.length);
    if (!at) throw new Error("There is not enough memory.");
    bytesAt(at, bytes.length).set(bytes);
    return at;
  }
  function check(good) {
    if (!good) throw new Error(textAt(module.why()) || "The simulation refused.");
    return good;
  }
  function copyOut(at) {
    if (!at) check(0);
    return bytesAt(at, module.saved()).slice();
  }
  const counters = () => ({ time: module.time(), looks: module.looks(), putOff: module.put_off(),
    value: module.value() });

  /* Time that was simulated for time that was spent: of the last seconds, and of the worst second. */
  function spend(ms) {
    busy.now += ms / 1000;
    busy.spent += ms / 1000;
    busy.simulated += dt;
    busy.total += dt;
    if (busy.simulated < 1) return;
    const reserve = busy.simulated / Math.max(busy.now, 1e-6);
    busy.seconds.push(reserve);
    if (busy.seconds.length > 5) busy.seconds.shift();
    if (busy.total > 1.5) busy.worst = Math.min(busy.worst, reserve); /* the first second warms up */
    busy.now = busy.simulated = 0;
  }
  function reserve() {
    const s = busy.seconds, inverse = s.reduce((sum, x) => sum + 1 / x, 0);
    return { last: s.length ? s.length / inverse : 0, worst: Number.isFinite(busy.worst) ? busy.worst : 0,
      mean: busy.spent > 0 ? busy.total / busy.spent : 0 };
  }

  function send(frames, count, slowest) {
    post({ epoch, frames, count, slowest, reserve: reserve(), ...counters() }, [frames.buffer]);
  }
  /* The picture as it is, without going on. */
  function peek() {
    send(new Float32Array(module.memory.buffer, module.record(), length).slice(), 1, 0);
  }
  function run(count) {
    const frames = new Float32Array(length * count);
    let slowest = 0;
    for (let i = 0; i < count; i++) {
      const start = clock();
      const state = module.frame();
      const ms = clock() - start;
      frames.set(new Float32Array(module.memory.buffer, module.record(), length), i * length);
      if (layout.state !== undefined) frames[i * length + layout.state] = state;
      spend(ms);
      slowest = Math.max(slowest, ms);
    }
    send(frames, count, slowest);
  }

  function read() {
    const about = JSON.parse(textAt(module.about()));
    layout = about.record;
    length = layout.length;
    dt = about.dt;
    return about;
  }
  function heights(x, y, step, n) {
    const z = new Float32Array(n * n);
    for (let j = 0, k = 0; j < n; j++)
      for (let i = 0; i < n; i++) z[k++] = module.height(x + i * step, y + j * step);
    return z;
  }

  const does = {
    async load(bytes) {
      const made = await WebAssembly.instantiate(bytes, {});
      module = made.instance.exports;
      if (module._initialize) module._initialize();
    },
    open(bytes) { check(module.open(handIn(bytes), bytes.length)); return read(); },
    mode(mode, clip) { check(module.mode(mode, clip)); peek(); },
    run,
    ask(parameter, value) { check(module.ask(parameter, value)); },
    push(limb, x, y, z, seconds) { module.push(limb, x, y, z, seconds); },
    grab(...args) { module.grab(...args); },
    release() { module.release(); },
    ball(...args) { module.throw_ball(...args); },
    ground(kind, size, spacing, seed) { module.ground(kind, size, spacing, seed); },
    friction(mu) { module.friction(mu); },
    restart() { module.restart(); peek(); },
    place(x, y, heading) { if (module.place) { module.place(x, y, heading); peek(); } },
    seek(frame) { module.seek(frame); peek(); },
    load_limb(limb, mass) { module.load_limb(limb, mass); },
    edit(kind, value) { check(module.edit(kind, value)); },
    show(what, on) { module.show(what, on); },
    record_on(on) { module.log_on(on); },
    save() { return copyOut(module.save()); },
    restore(bytes) { check(module.restore(handIn(bytes), bytes.length)); peek(); },
    export_as(name) {
      const bytes = new TextEncoder().encode(name);
      return copyOut(module.export_(handIn(bytes), bytes.length));
    },
    heights,
  };

  return async function receive(message) {
    if (message.epoch !== undefined) epoch = message.epoch;
    try {
      const result = await does[message.do](...(message.args || []));
      if (message.id !== undefined) post({ id: message.id, result });
    } catch (e) {
      post({ id: message.id, error: e.message, lost: e instanceof WebAssembly.RuntimeError });
    }
  };
}

/* {send(message), worker: whether it is one}. The worker is given up when it does not answer a first word. */
async function startHost(onMessage) {
  try {
    const text = `const receive = (${simulationHost})((m, t) => self.postMessage(m, t), () => performance.now());` +
      "let queue = Promise.resolve();" +
      "self.onmessage = (e) => { if (e.data === 'hello') self.postMessage('hello');" +
      " else queue = queue.then(() => receive(e.data)); };";
    const url = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
    const worker = new Worker(url);
    await new Promise((yes, no) => {
      worker.onmessage = yes;
      worker.onerror = no;
      setTimeout(no, 3000);
      worker.postMessage("hello");
    });
    URL.revokeObjectURL(url);
    worker.onmessage = (e) => onMessage(e.data);
    return { worker: true, send: (m) => worker.postMessage(m) };
  } catch {
    const receive = simulationHost((m) => onMessage(m), () => performance.now());
    let queue = Promise.resolve();
    return { worker: false, send: (m) => { queue = queue.then(() => receive(m)); } };
  }
}
