// Opens the page: reads what the program put into it, starts the simulation, wires buttons to the App, and runs the
// drawing loop. Also window.stage, for tests and scripts.

function readData() {
  const data = JSON.parse(byId("stage-data").textContent);
  if (!data.wasm || !data.packages || !(data.packages.length || data.live))
    throw new Error("This page holds no creature. `muybridge view RUN -o page.html` makes one that does.");
  return data;
}
/* Packages are deflated or plain, which their first bytes tell. They are decoded when they are first shown. */
async function packageBytes(p) {
  if (!p.raw) {
    const bytes = fromBase64(p.bytes), plain = String.fromCharCode(...bytes.subarray(0, 8)) === "MUYSTAGE";
    p.raw = plain ? bytes : await inflate(bytes);
  }
  return p.raw.slice();
}

/* ---- what is written on the stage ---- */

function showTitle(app) {
  byId("name").textContent = readable(app.about.name);
  document.title = words(app.about.name) + " · Muybridge";
  const list = byId("creature");
  list.replaceChildren(...app.packages.map((p, value) =>
    make("option", { value, text: readable(p.name || "creature") })));
  list.value = String(app.packageIndex);
  byId("creature-box").hidden = app.packages.length < 2;
}
const DOING = { control: "Simulated: it balances by itself", play: "Played back, without physics",
  modal: "Simulated: follows the ghost", clip: "A clip" };
function showDoing(app) {
  const mode = MODE_NAMES[app.mode];
  byId("doing").textContent = mode === "clip" ? readable(app.about.clips[app.clip]?.name || "") : DOING[mode];
  for (const id of ["push", "ball", "up"]) byId(id).hidden = !app.isPhysical();
  byId("timeline").hidden = mode !== "clip";
  byId("category").hidden = !(mode === "control" || mode === "play") || !app.categories.length;
  const category = app.about.parameters[app.categories[0]];
  if (category) byId("category").title = `Next ${readable(category.name)} (G)`;
  byId("joystick").classList.toggle("offered", (mode === "control" || mode === "play") &&
    app.circles.length + app.intervals.length > 0);
  document.body.classList.toggle("with-timeline", mode === "clip");
}

/* Where the machine cannot follow, time goes slower, and the page says so rather than let one guess. */
function showSlowness(app) {
  const r = app.sim.reserve.last, slow = r > 0 && r < 0.9 * app.settings.scale && !app.settings.paused;
  byId("slow").hidden = !slow;
  if (slow) byId("slow").textContent = `slower than real time here: ${r.toFixed(2)} ×`;
}

function showFall(app) {
  const box = byId("fall"), f = app.fallen;
  box.hidden = !f;
  if (!f) return;
  const waits = app.settings.standsUp && !f.lost;
  byId("fall-text").textContent = f.lost ? "It is lost." : "It fell.";
  byId("fall-wait").hidden = byId("fall-leave").hidden = !waits;
}

/* A value of a parameter as one reads it; empty: it is not known. */
function parameterText(p, value) {
  if (!Number.isFinite(value)) return "";
  if (p.space === "circle") return Math.round(wrapAngle(value) / DEGREE) + "°";
  if (p.space === "category") return readable(p.names[Math.round(value)] ?? "");
  return intervalText(p, value);
}
/* While the controls are closed: what is asked and done of all that the ring on the ground does not show. */
function showWishes(app) {
  const steers = app.mode === MODES.play || app.mode === MODES.control, line = byId("wishes");
  const shown = app.about.parameters.flatMap((p, i) => (p.space === "circle" ? [] : [[p, i]]));
  line.hidden = !steers || !shown.length || document.body.classList.contains("panel-open");
  if (line.hidden) return;
  line.replaceChildren(...shown.map(([p, i]) => make("span", { class: "wish" }, [
    `${words(p.name)} ${parameterText(p, app.done[i])}`, make("b", { text: "asked " + parameterText(p, app.asked[i]) }),
  ])));
}

/* Numbers that change all the time: written ten times a second. */
function showNumbers(app) {
  const s = app.stat(), angle = (a) => Math.round(wrapAngle(a) / DEGREE) + "°";
  const rows = [["Heading", angle(app.heading())]];
  if (!app.about.parameters.some((p) => p.name === "speed")) rows.unshift(["Speed", s.speed.toFixed(2) + " m/s"]);
  app.about.parameters.forEach((p, i) => {
    const done = parameterText(p, app.done[i]);
    rows.push([words(p.name), (done ? done + ", " : "") + "asked " + parameterText(p, app.asked[i])]);
  });
  if (app.mode === MODES.control)
    rows.push(["Value", Number.isFinite(s.value) ? s.value.toPrecision(3) : "–"], ["Look-aheads", String(s.looks)]);
  const times = (x) => (x ? (x < 10 ? x.toFixed(1) : Math.round(x)) + " ×" : "–");
  rows.push(["Frames", Math.round(s.fps) + " / s"], ["Reserve", times(s.reserve.last)],
    ["Worst second", times(s.reserve.worst)]);
  byId("readout").replaceChildren(...rows.flatMap(([k, v]) => [make("dt", { text: k }), make("dd", { text: v })]));
}

function showSettings(app) {
  const s = app.settings, pause = byId("pause");
  setIcon(pause, s.paused ? "play" : "pause");
  pause.querySelector(".word").textContent = s.paused ? "Play" : "Pause";
  pause.setAttribute("aria-pressed", String(s.paused));
  byId("begin").hidden = !(s.paused && app.waitsToBegin);
  byId("readout").hidden = !s.show.readout;
  byId("graph-box").hidden = !(s.show.graph && app.about && app.about.graph && app.about.graph.nodes.length);
  setIcon(byId("theme"), document.documentElement.dataset.theme);
  const category = app.about && app.about.parameters[app.categories[0]];
  if (category) byId("category").querySelector(".word").textContent =
    parameterText(category, app.asked[app.categories[0]]);
  byId("camera").querySelector(".word").textContent = CAMERAS[app.camera.kind].label;
}

/* ---- a clip's time line ---- */

class TimeLine {
  constructor(app) {
    this.app = app;
    this.range = byId("time");
    this.range.addEventListener("input", () => this.seek(Number(this.range.value)));
    byId("frame-back").addEventListener("click", () => this.by(-1));
    byId("frame-on").addEventListener("click", () => this.by(1));
  }
  frames() { return this.app.about.clips[this.app.clip]?.frames || 1; }
  seek(frame) {
    const n = this.frames();
    this.app.setPaused(true);
    this.app.sim.jump("seek", ((Math.round(frame) % n) + n) % n);
  }
  by(frames) { this.seek(this.now() + frames); }
  now() { return this.app.record ? this.app.record[this.app.layout.frame] : 0; }
  frame() {
    if (this.app.mode !== MODES.clip) return;
    const at = this.now();
    this.range.max = this.frames() - 1;
    if (document.activeElement !== this.range || !this.app.settings.paused) this.range.value = at;
    const text = (at * this.app.about.dt).toFixed(2) + " s";
    byId("time-now").textContent = text;
    this.range.setAttribute("aria-valuetext", text + ", frame " + Math.round(at));
  }
}

/* ---- buttons and keys ---- */

function commandsOf(app, share, line) {
  const flip = (what) => () => app.setShow(what, !app.settings.show[what]);
  const kinds = Object.keys(CAMERAS), themes = Object.keys(THEMES);
  const view = (i) => () => { app.setCamera(kinds[i]); say(CAMERAS[kinds[i]].label + " camera."); };
  return {
    p: () => { app.waitsToBegin = false; app.setPaused(!app.settings.paused); },
    b: () => app.throwBall(), r: () => app.standUp(),
    ".": () => (app.mode === MODES.clip ? line.by(1) : app.step()), ",": () => app.mode === MODES.clip && line.by(-1),
    g: () => app.nextCategory(), f: flip("forces"), m: flip("mass"), o: flip("ghost"), v: flip("graph"),
    n: flip("readout"), u: flip("torques"),
    1: view(0), 2: view(1), 3: view(2), 4: view(3), 5: view(4),
    c: () => view((kinds.indexOf(app.camera.kind) + 1) % kinds.length)(),
    t: () => app.setTheme(themes[(themes.indexOf(resolveTheme(app.settings.theme)) + 1) % themes.length]),
    h: () => togglePanel(), "?": () => byId("keys").showModal(), Escape: () => app.release(),
    "[": () => { app.settings.scale = Math.max(app.settings.scale / 2, 1 / 16); app.refresh(); },
    "]": () => { app.settings.scale = Math.min(app.settings.scale * 2, 2); app.refresh(); },
  };
}

/* The creature stands in the middle of what the controls leave free. */
function makeRoom(app) {
  const panel = byId("panel"), open = document.body.classList.contains("panel-open");
  if (!open) app.camera.shiftTo = [0, 0];
  else if (innerWidth > 720) app.camera.shiftTo = [-(panel.offsetWidth + 16) / innerWidth, 0];
  else app.camera.shiftTo = [0, Math.min(panel.offsetHeight / innerHeight, 0.6)];
}

function togglePanel(open = !document.body.classList.contains("panel-open")) {
  document.body.classList.toggle("panel-open", open);
  byId("more").setAttribute("aria-expanded", String(open));
  byId("panel").inert = !open;
}

const BUTTON_ICONS = { theme: "light", help: "help", more: "more", begin: "play", "frame-back": "back",
  "frame-on": "step", pause: "pause", push: "push", ball: "ball", up: "up", category: "category", camera: "camera",
  "panel-close": "close" };

function wireButtons(app, share, commands) {
  for (const [id, name] of Object.entries(BUTTON_ICONS)) setIcon(byId(id), name);
  const click = (id, f) => byId(id).addEventListener("click", f);
  click("pause", commands.p);
  click("begin", commands.p);
  click("ball", commands.b);
  click("up", commands.r);
  click("fall-up", commands.r);
  click("fall-leave", () => { app.settings.standsUp = false; showFall(app); app.refresh(); });
  click("category", commands.g);
  click("camera", commands.c);
  click("theme", commands.t);
  click("help", commands["?"]);
  click("more", () => togglePanel());
  click("panel-close", () => { togglePanel(false); byId("more").focus(); });
  click("keys-close", () => byId("keys").close());
  byId("keys").addEventListener("click", (e) => { if (e.target === byId("keys")) byId("keys").close(); });
  byId("creature").addEventListener("change", (e) =>
    app.choosePackage(Number(e.target.value)).then(() => app.onPackage(), (why) => toast(why.message)));
  byId("state-file").addEventListener("change", (e) => {
    if (e.target.files[0]) share.openState(e.target.files[0]);
    e.target.value = "";
  });
  const push = byId("push");
  push.addEventListener("pointerdown", (e) => { push.setPointerCapture(e.pointerId); beginPush(app); });
  push.addEventListener("pointerup", () => endPush(app, true));
  push.addEventListener("pointercancel", () => endPush(app, false));
  push.addEventListener("click", (e) => { if (e.detail === 0) app.push(); }); /* by keyboard */
  /* After a click by mouse or finger the keys belong to the creature again; whoever moves by Tab keeps his place. */
  let pointer = false;
  addEventListener("pointerdown", () => { pointer = true; }, true);
  addEventListener("keydown", (e) => { if (e.key === "Tab") pointer = false; }, true);
  for (const end of ["click", "change"])
    addEventListener(end, (e) => {
      const t = e.target.closest ? e.target.closest("button, input, summary") : null;
      if (pointer && t) t.blur();
    });
}

/* The first words, until the person has done something; each of them goes when it was understood. */
function wireHints(app) {
  app.found = new Set();
  app.onUsed = (what) => { app.found.add(what); markHints(app); };
}
function markHints(app) {
  const items = [...document.querySelectorAll("#hints li")];
  for (const li of items) li.classList.toggle("found", app.found.has(li.dataset.hint));
  byId("hints").classList.toggle("gone", items.every((li) => app.found.has(li.dataset.hint)));
}
/* what, keys, words of those who have keys, words of those who touch ("": the dock has a button for it) */
function hintsOf(app) {
  const named = (i) => readable(app.about.parameters[i].name), list = [];
  if (app.mode === MODES.control || app.mode === MODES.play) {
    const [torso, interval, category] = [app.circles[1], app.intervals[0], app.categories[0]];
    if (app.circles.length) list.push(["steer", ["←", "→"], "or click the ground: steer", "Tap the ground to steer"]);
    if (torso !== undefined)
      list.push(["torso", ["Q", "E"], named(torso), `Drag the violet mark: ${named(torso)}`]);
    if (interval !== undefined)
      list.push(["interval", ["↑", "↓"], named(interval), app.circles.length ? "" : `Stick: ${named(interval)}`]);
    if (category !== undefined) list.push(["category", ["G"], named(category), ""]);
  }
  if (app.isPhysical()) list.push(["push", ["space"], "push", "Push it"], ["grab", [], "drag a limb", "Drag a limb"]);
  return list;
}
function showHints(app) {
  const items = hintsOf(app).map(([what, keys, fine, coarse]) =>
    make("li", { "data-hint": what, class: coarse ? null : "fine" }, [
      make("span", { class: "fine" }, [...keys.flatMap((k) => [make("kbd", { text: k }), " "]), fine]),
      make("span", { class: "coarse", text: coarse })]));
  byId("hints").replaceChildren(...items);
  byId("hints").hidden = !items.length;
  markHints(app);
}

/* ---- opening ---- */

async function openStage() {
  const data = readData(), bytes = fromBase64(data.wasm);
  /* opened in the background while shaders are compiled */
  const wasm = data.packed ? inflate(bytes) : Promise.resolve(bytes);
  const first = data.packages.length ? packageBytes(data.packages[0]) : null, sim = new Simulation(toast);
  const started = wasm.then((module) => sim.start(module));
  const opened = first && Promise.all([started, first]).then(([, creature]) => sim.open(creature));
  for (const later of [started, opened]) later?.catch(() => {}); /* is reported where it is awaited */
  const app = new App(byId("view"), data, sim), share = new Share(app);
  mergeSettings(app.settings, data.settings);
  app.marks = [];
  const showPackage = async (shown) => {
    await shown;
    app.applyWorld();
    app.onPackage();
  };
  app.choosePackage = async (index, wanted) => {
    app.packageIndex = index;
    await showPackage(app.openPackage(await packageBytes(app.packages[index]), wanted));
  };
  const line = new TimeLine(app), graph = new GraphView(byId("graph")), commands = commandsOf(app, share, line);
  const inputs = [new Keys(app, commands), new Pointers(app, app.canvas), new Joystick(app, byId("joystick")),
    new GamePad(app, commands)];
  app.onMode = () => {
    showDoing(app);
    buildPanel(app, share);
    showFall(app);
    showHints(app);
  };
  app.onPackage = () => { showTitle(app); graph.open(app.about); app.onMode(); };
  app.onFall = () => showFall(app);
  const settingsShown = () => showSettings(app);
  settingsShown.stays = true;
  app.refreshers.push(settingsShown);
  app.setTheme(app.settings.theme);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => app.setTheme(app.settings.theme));
  followReducedMotion(app);
  wireButtons(app, share, commands);
  wireHints(app);
  togglePanel(innerWidth >= 1100 && innerHeight >= 620);

  await started;
  if (!first) app.packages.push({ name: "creature", raw: await firstMotion(data.live) });
  await (opened ? showPackage(app.show(opened)) : app.choosePackage(0));
  app.renderer.check();
  let written = 0;
  app.listeners.push((now, real, record) => {
    for (const input of inputs) input.frame(real);
    line.frame();
    if (now - written < 100) return;
    written = now;
    for (const f of app.marks) f();
    makeRoom(app);
    showWishes(app);
    showSlowness(app);
    if (app.fallen) byId("fall-wait").style.setProperty("--left", clamp(1 - app.fallen.seconds / PATIENCE, 0, 1));
    if (app.settings.show.readout) showNumbers(app);
    if (!byId("graph-box").hidden) graph.draw(app, record);
  });
  await new Promise((shown) => {
    const loop = (now) => {
      app.frame(now);
      if (app.record) { document.body.classList.add("drawn"); shown(); }
      requestAnimationFrame(loop);
    };
    requestAnimationFrame(loop);
  });
  app.openedIn = performance.now();
  await openLink(app);
  addEventListener("hashchange", () => openLink(app));
  startLive(app, data.live);
  document.body.classList.add("ready");
  return { app, share };
}

async function openLink(app) {
  if (!/^#[sp]=/.test(location.hash)) return;
  try {
    await putState(app, await stateFromHash(location.hash));
    toast("State restored.");
  } catch (e) {
    toast("The link could not be used. " + e.message);
  }
}

/* Those who asked their system for less motion begin with a still picture and a large button. */
function followReducedMotion(app) {
  const less = matchMedia("(prefers-reduced-motion: reduce)");
  app.camera.still = less.matches;
  app.waitsToBegin = app.settings.paused = less.matches || app.settings.paused;
  less.addEventListener("change", () => { app.camera.still = less.matches; });
}

function showFailure(e) {
  byId("failure").hidden = false;
  byId("failure-text").textContent = e.message;
  say(e.message);
}

const opened = openStage();
opened.catch(showFailure);
window.stage = {
  ready: opened.then(() => true),
  stat: () => null, ask() {}, push() {}, state: () => opened.then(({ app }) => takeState(app)),
};
window.stage.ready.catch(() => {});
opened.then(({ app, share }) => Object.assign(window.stage, {
  stat: () => ({ ...app.stat(), opened: app.openedIn }),
  about: () => app.about,
  ask(name, value) { app.ask(app.about.parameters.findIndex((p) => p.name === name), value); },
  /* limb, force [N] in the world, seconds: as the module has it */
  push(limb, x, y, z, seconds) { app.sim.tell("push", limb, x, y, z, seconds); },
  restart: () => app.standUp(),
  mode: (name, clip = -1) => app.setMode(MODES[name], clip),
  show: (what, on) => app.setShow(what, on),
  camera: (kind) => app.setCamera(kind),
  theme: (name) => app.setTheme(name),
  ground: (kind) => { app.refresh(); return app.chooseGround(kind).then(() => app.refresh()); },
  ball: () => app.throwBall(),
  pause: (on) => app.setPaused(on),
  quality: (share) => Object.assign(app.renderer, { quality: share, fixedQuality: true }),
  restore: (state) => putState(app, state),
  link: () => takeState(app).then(stateToHash),
  log: () => app.log.text(app, app.shownSeconds),
  /* where a limb's middle, the mark of what is asked, or a place on the ground is in the window, for those who point */
  where: (limb) => screenPlace(app, limb),
  whereAsked: (circle) => screenOf(app, app.onRing(app.asked[app.circles[circle]])),
  wherePlace: (x, y) => screenOf(app, [x, y, app.ground.height(x, y)]),
})).catch(() => {});

function screenPlace(app, limb) {
  const s = app.shapes.find((k) => k.limb === limb);
  return screenOf(app, shapePlace(s, app.record, app.layout.limbs[0] + 12 * limb).place);
}
function screenOf(app, p) {
  const m = app.camera.matrix, c = [0, 1, 3].map((i) => m[i] * p[0] + m[4 + i] * p[1] + m[8 + i] * p[2] + m[12 + i]);
  return [(c[0] / c[2] + 1) / 2 * app.canvas.clientWidth, (1 - c[1] / c[2]) / 2 * app.canvas.clientHeight];
}
