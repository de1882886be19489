// The controls: built from what the package offers (about().parameters, modes, clips), so that a task with a new
// parameter gets its dial without a change here. Every control can be used by keyboard alone, and shows with two marks
// what is asked and what is done.

/* ---- parts ---- */

let partId = 0;
function labelled(label, control, value) {
  const id = "c" + partId++;
  control.id = id;
  return make("div", { class: "row" }, [make("label", { for: id, text: label }), value, control]);
}

/* What is asked, and what it does now, if that is known. */
const askedAndNow = (asked, now) => [asked, now && make("span", { class: "now", text: now })].filter(Boolean);

/* o: label, least, most, step, get, set, show(value) -> text, done() -> value or NaN (a second mark) */
function slider(app, o) {
  const value = make("output", {}), mark = make("i", { class: "mark", "aria-hidden": "true" });
  const input = make("input", { type: "range", min: o.least, max: o.most, step: o.step || (o.most - o.least) / 200 });
  const show = () => {
    value.textContent = o.show(o.get());
    input.setAttribute("aria-valuetext", value.textContent);
    input.style.setProperty("--share", (o.get() - o.least) / (o.most - o.least || 1));
  };
  input.addEventListener("input", () => { o.set(Number(input.value)); show(); });
  const row = labelled(o.label, input, value), track = make("div", { class: "track" });
  input.replaceWith(track);
  track.append(input, ...(o.done ? [mark] : []));
  app.refreshers.push(() => { input.value = o.get(); show(); });
  if (o.done) app.marks.push(() => {
    const d = o.done();
    value.replaceChildren(...askedAndNow(o.show(o.get()), Number.isFinite(d) ? o.show(d) : ""));
    mark.hidden = !Number.isFinite(d);
    mark.style.setProperty("--share", clamp((d - o.least) / (o.most - o.least || 1), 0, 1));
    if (document.activeElement !== input && Number(input.value) !== o.get()) { input.value = o.get(); show(); }
  });
  return row;
}

/* o: label, options [{value, label}], get, set, done() */
function choice(app, o) {
  const name = "g" + partId++, group = make("div", { role: "radiogroup", "aria-label": o.label, class: "choice" });
  const inputs = o.options.map(({ value, label }) => {
    const input = make("input", { type: "radio", name, value: String(value), on: { change: () => o.set(value) } });
    const item = make("label", {}, [input, make("span", { text: label })]);
    group.append(item);
    return { input, item, value };
  });
  app.refreshers.push(() => inputs.forEach((i) => { i.input.checked = i.value === o.get(); }));
  if (o.done) app.marks.push(() => {
    inputs.forEach((i) => {
      i.item.classList.toggle("done", i.value === o.done());
      if (i.value === o.get() && !i.input.checked) i.input.checked = true;
    });
  });
  return make("div", { class: "row" }, [o.hidden ? null : make("span", { class: "label", text: o.label }), group]);
}

function toggle(app, o) {
  const input = make("input", { type: "checkbox", role: "switch", on: { change: () => o.set(input.checked) } });
  app.refreshers.push(() => { input.checked = !!o.get(); });
  return make("label", { class: "switch" }, [input, make("i", { "aria-hidden": "true" }),
    make("span", { text: o.label }), o.key ? make("kbd", { text: o.key }) : null]);
}

function selection(app, o) {
  const list = make("select", { on: { change: () => o.set(Number(list.value)) } },
    o.options.map(({ value, label }) => make("option", { value, text: label })));
  app.refreshers.push(() => { list.value = String(o.get()); });
  return labelled(o.label, list);
}

const button = (label, act, props = {}) =>
  make("button", { type: "button", text: label, on: { click: act }, ...props });

/* A dial for a circle: the hand that is set, and the mark of what is done. Up is away from the viewer: as one sees
 * it. */
function dial(app, parameter, label, second) {
  const asked = make("line", { x1: 0, y1: -12, x2: 0, y2: -37, class: "asked" });
  const done = make("line", { x1: 0, y1: -4, x2: 0, y2: -24, class: "done" });
  const face = make("svg", { viewBox: "-50 -50 100 100", class: "dial" + (second ? " second" : ""), role: "slider",
    tabindex: 0, "aria-label": label, "aria-valuemin": -180, "aria-valuemax": 180 },
  [make("circle", { r: 40, class: "face" }), ...[0, 45, 90, 135, 180, 225, 270, 315].map((a) =>
    make("line", { x1: 0, y1: -40, x2: 0, y2: a % 90 ? -43 : -46, class: "tick", transform: `rotate(${a})` })),
  done, asked, make("circle", { cx: 0, cy: -40, r: 6.5, class: "knob" })]);
  const knob = face.lastChild, value = make("output", {});
  /* the screen's up is the camera's forward: a heading h is drawn at (yaw + pi) - h, clockwise */
  const onScreen = (h) => wrapAngle(app.camera.yaw() + Math.PI - h) / DEGREE;
  const point = (e) => {
    const b = face.getBoundingClientRect();
    const a = Math.atan2(e.clientX - b.left - b.width / 2, -(e.clientY - b.top - b.height / 2));
    app.ask(parameter, app.camera.yaw() + Math.PI - a);
    app.used(second ? "torso" : "steer");
  };
  face.addEventListener("pointerdown", (e) => { face.setPointerCapture(e.pointerId); point(e); });
  face.addEventListener("pointermove", (e) => { if (face.hasPointerCapture(e.pointerId)) point(e); });
  face.addEventListener("keydown", (e) => {
    const step = { ArrowLeft: 15, ArrowUp: 15, ArrowRight: -15, ArrowDown: -15, PageUp: 45, PageDown: -45 }[e.key];
    if (!step) return;
    app.ask(parameter, app.asked[parameter] + step * DEGREE);
    e.preventDefault();
  });
  app.marks.push(() => {
    const h = app.asked[parameter], d = app.done[parameter], degrees = Math.round(wrapAngle(h) / DEGREE);
    for (const part of [asked, knob]) part.setAttribute("transform", `rotate(${onScreen(h).toFixed(1)})`);
    done.setAttribute("visibility", Number.isFinite(d) ? "visible" : "hidden");
    if (Number.isFinite(d)) done.setAttribute("transform", `rotate(${onScreen(d).toFixed(1)})`);
    value.replaceChildren(...askedAndNow(degrees + "°",
      Number.isFinite(d) ? Math.round(wrapAngle(d) / DEGREE) + "°" : ""));
    face.setAttribute("aria-valuenow", degrees);
    face.setAttribute("aria-valuetext", `${degrees} degrees, now ${Math.round(wrapAngle(d) / DEGREE)}`);
  });
  return make("div", { class: "dial-box" }, [face, make("div", { class: "dial-label" }, [make("span", { text: label }),
    value])]);
}

/* ---- sections ---- */

function section(title, id, parts, open) {
  const body = parts.filter(Boolean);
  if (!body.length) return null;
  return make("details", { id: "section-" + id, open: !!open }, [make("summary", {}, [make("h2", { text: title })]),
    make("div", { class: "body" }, body)]);
}

const words = (name) => { const s = readable(name); return s.charAt(0).toUpperCase() + s.slice(1); };

function parameterControl(app, p, i) {
  const label = words(p.name);
  if (p.space === "circle") return dial(app, i, label, app.circles.indexOf(i) > 0);
  if (p.space === "category")
    return choice(app, { label, options: (p.names || []).map((n, value) => ({ value, label: readable(n) })),
      get: () => app.asked[i], set: (v) => { app.ask(i, v); app.refresh(); },
      done: () => (Number.isFinite(app.done[i]) ? Math.round(app.done[i]) : -1) });
  return slider(app, { label, least: p.least, most: p.most, get: () => app.asked[i],
    set: (v) => { app.ask(i, v); app.used("interval"); },
    show: (v) => intervalText(p, v), done: () => app.done[i] });
}

function steerSection(app) {
  const dials = app.circles.map((i) => parameterControl(app, app.about.parameters[i], i));
  const others = app.about.parameters.flatMap((p, i) => (p.space === "circle" ? [] : [parameterControl(app, p, i)]));
  const second = app.about.parameters[app.circles[1]];
  const legend = make("p", { class: "legend" }, [make("span", { class: "asked", text: "asked" }),
    second ? make("span", { class: "second", text: "asked of the " + readable(second.name) }) : null,
    make("span", { class: "done", text: "now" })]);
  return section("Steer", "steer", [dials.length ? make("div", { class: "dials" }, dials) : null, ...others,
    dials.length + others.length ? legend : null], true);
}

function changeMode(app, mode, clip) {
  app.setMode(mode, clip).catch((e) => { toast(e.message); app.refresh(); });
}
function modeSection(app) {
  const labels = { control: "Physics", play: "Playback", modal: "Modal", clip: "Clips" };
  const options = BEST_MODES.filter((m) => app.about.modes[m]).map((m) => ({ value: MODES[m], label: labels[m] }));
  const clips = app.about.clips.map((c, value) => ({ value, label: readable(c.name || "clip " + (value + 1)) }));
  return section("Motion", "mode", [
    options.length > 1 ? choice(app, { label: "What drives it", hidden: true, options, get: () => app.mode,
      set: (m) => changeMode(app, m, m === MODES.clip ? app.clip || 0 : -1) }) : null,
    app.mode === MODES.clip && clips.length > 1 ? selection(app, { label: "Clip", options: clips, get: () => app.clip,
      set: (clip) => changeMode(app, MODES.clip, clip) }) : null,
  ], true);
}

function modalSection(app) {
  if (app.mode !== MODES.modal) return null;
  const s = app.settings, percent = (v) => Math.round(v * 100) + " %";
  const clips = app.about.clips.map((c, value) => ({ value, label: readable(c.name || "clip " + (value + 1)) }));
  return section("Edit the reference", "modal", [
    make("p", { class: "hint", text: "Drag a hand, a foot or the trunk: the ghost is led, and the body follows." }),
    slider(app, { label: "Tempo", least: 0.5, most: 2, step: 0.01, get: () => s.tempo,
      set: (v) => { s.tempo = v; app.edit(0, v); }, show: percent }),
    slider(app, { label: "Stride", least: 0.5, most: 1.6, step: 0.01, get: () => s.stride,
      set: (v) => { s.stride = v; app.edit(1, v); }, show: percent }),
    clips.length > 1 ? selection(app, { label: "Go over into", options: clips, get: () => app.clip,
      set: (clip) => { app.clip = clip; app.edit(2, clip); } }) : null,
  ], true);
}

function touchSection(app) {
  if (!app.isPhysical()) return null;
  const s = app.settings, limbs = app.about.limbs.map((l, value) => ({ value, label: readable(l.name) }));
  const none = { value: -1, label: "none" };
  return section("Touch", "touch", [
    slider(app, { label: "Push", least: 0.05, most: 1, step: 0.05, get: () => s.push, set: (v) => { s.push = v; },
      show: (v) => v.toFixed(2) + " body weights" }),
    slider(app, { label: "Ball", least: 0.01, most: 0.3, step: 0.01, get: () => s.ballMass,
      set: (v) => { s.ballMass = v; }, show: (v) => Math.round(v * 100) + " % of its mass" }),
    slider(app, { label: "Weight on a limb", least: 0, most: 0.3, step: 0.01, get: () => s.loadMass,
      set: (v) => app.loadLimb(s.loadLimb < 0 ? app.about.trunk : s.loadLimb, v),
      show: (v) => (v > 0 ? Math.round(v * 100) + " % of its mass" : "none") }),
    selection(app, { label: "on", options: limbs, get: () => (s.loadLimb < 0 ? app.about.trunk : s.loadLimb),
      set: (v) => app.loadLimb(v, s.loadMass) }),
    selection(app, { label: "Hold", options: [none, ...limbs], get: () => (app.held ? app.held.limb : -1),
      set: (v) => app.holdLimb(v) }),
    toggle(app, { label: "Stands up by itself after a fall", get: () => s.standsUp,
      set: (v) => { s.standsUp = v; app.onFall(); } }),
  ]);
}

/* v: the logarithm, base 2, of how fast time goes. */
function showScale(v) {
  if (v === 0) return "real time";
  return v > 0 ? (2 ** v).toFixed(1) + " times as fast" : "1/" + Number((2 ** -v).toPrecision(2)) + " of real time";
}

function worldSection(app) {
  const s = app.settings, unit = app.unit(), grounds = { flat: "Flat", slope: "Slope", steps: "Steps", beams: "Beams",
    pebbles: "Pebbles" };
  const high = (v) => (Math.abs(v * unit) < 0.01 ? (v * unit * 1000).toFixed(1) + " mm"
    : (v * unit * 100).toFixed(1) + " cm");
  const sizes = { slope: { label: "Steepness", least: -20 * DEGREE, most: 20 * DEGREE,
    show: (v) => (v / DEGREE).toFixed(1) + "°" },
    steps: { label: "Height of a step", least: -0.15, most: 0.15, show: high },
    beams: { label: "Height of a beam", least: 0, most: 0.12, show: high },
    pebbles: { label: "Roughness", least: 0, most: 0.12, show: high } };
  let timer = 0;
  const set = (kind, v) => { /* terrain is sampled anew: not more often than the eye can follow */
    s[kind] = v;
    clearTimeout(timer);
    timer = setTimeout(() => app.setGround(kind), 60);
  };
  const sliders = Object.entries(sizes).map(([kind, o]) => {
    const row = slider(app, { ...o, get: () => s[kind], set: (v) => set(kind, v) });
    app.refreshers.push(() => { row.hidden = s.ground !== kind; });
    return row;
  });
  return section("World", "world", [
    app.isPhysical() ? choice(app, { label: "Ground",
      options: GROUND_KINDS.map((value) => ({ value, label: grounds[value] })),
      get: () => s.ground, set: (kind) => { app.chooseGround(kind); app.refresh(); } }) : null,
    ...(app.isPhysical() ? sliders : []),
    app.isPhysical() ? slider(app, { label: "Friction", least: 0.05, most: 1.5, step: 0.05,
      get: () => s.friction ?? app.about.friction ?? 0.8, set: (v) => app.setFriction(v),
      show: (v) => (s.friction === null ? "its own" : v.toFixed(2)) }) : null,
    slider(app, { label: "Time", least: -4, most: 1, step: 0.25, get: () => Math.log2(s.scale),
      set: (v) => { s.scale = 2 ** v; }, show: showScale }),
  ], true);
}

const SHOWS = [["readout", "Numbers", "N"], ["forces", "Contact forces", "F"], ["cones", "Friction cones", ""],
  ["mass", "Centre of mass and capture point", "M"], ["torques", "Load of the joints", "U"],
  ["footprints", "Footprints", ""], ["ghost", "Reference as a ghost", "O"], ["graph", "Motion graph", "V"]];

function showSection(app) {
  const offered = SHOWS.filter(([what]) => what !== "graph" || (app.about.graph && app.about.graph.nodes.length));
  return section("Show", "show", offered.map(([what, label, key]) =>
    toggle(app, { label, key, get: () => app.settings.show[what], set: (on) => app.setShow(what, on) })));
}

function viewSection(app) {
  return section("View", "view", [
    choice(app, { label: "Camera", options: Object.entries(CAMERAS).map(([value, c]) => ({ value, label: c.label })),
      get: () => app.camera.kind, set: (kind) => app.setCamera(kind) }),
    choice(app, { label: "Theme", options: [{ value: "system", label: "System" },
      ...Object.entries(THEMES).map(([value, t]) => ({ value, label: t.label }))],
    get: () => app.settings.theme, set: (name) => app.setTheme(name) }),
  ]);
}

function shareSection(app, share) {
  const log = toggle(app, { label: "Note what I ask", get: () => app.log.on, set: (on) => share.log(on) });
  const logFile = button("Save what I asked", () => share.saveLog(), { class: "wide", hidden: true });
  app.refreshers.push(() => { logFile.hidden = !app.log.lines.length; });
  return section("Share", "share", [
    make("div", { class: "buttons" }, [button("Picture", () => share.picture(), { id: "share-picture" }),
      button("Film", () => share.film(), { id: "share-film" }), button("GIF", () => share.gif(), { id: "share-gif" })]),
    make("div", { class: "buttons" }, [button("BVH", () => share.motion("bvh"), { id: "share-bvh" }),
      button("CSV", () => share.motion("csv"), { id: "share-csv" }),
      button("glTF", () => share.motion("gltf"), { id: "share-gltf" })]),
    make("div", { class: "buttons" }, [button("Copy link", () => share.link(), { id: "share-link" }),
      button("Save state", () => share.saveState(), { id: "share-state" }),
      button("Open state", () => byId("state-file").click(), { id: "share-open" })]),
    app.about.parameters.length ? log : null,
    app.about.parameters.length ? make("p", { class: "hint",
      text: "Stays in this page until you save it as a file." }) : null,
    logFile,
  ]);
}

/* Which control of which section has the focus, so that it can be given back: [section, index], or null. */
const controlsOf = (section) => [...section.querySelectorAll("summary, input, select, button, [role=slider]")];
function focusedControl() {
  const section = document.activeElement && document.activeElement.closest("#sections details");
  return section && [section.id, controlsOf(section).indexOf(document.activeElement)];
}

/* Builds all of it anew, for another package or mode; sections that were opened or closed stay so. */
function buildPanel(app, share) {
  const focused = focusedControl();
  const before = new Map([...document.querySelectorAll("#sections details")].map((d) => [d.id, d.open]));
  app.refreshers = app.refreshers.filter((f) => f.stays);
  app.marks = [];
  const parts = [steerSection, modeSection, modalSection, touchSection, worldSection, showSection, viewSection]
    .map((f) => f(app));
  const controls = app.mode === MODES.play || app.mode === MODES.control;
  if (!controls) parts[0] = null;
  byId("sections").replaceChildren(...[...parts, shareSection(app, share)].filter(Boolean));
  for (const d of document.querySelectorAll("#sections details")) if (before.has(d.id)) d.open = before.get(d.id);
  if (focused && byId(focused[0])) controlsOf(byId(focused[0]))[focused[1]]?.focus();
  app.refresh();
}
