// All that is needed to come back to what one sees, as an object, a file, or the end of a link: the simulation's own
// bytes (its save()) and what the page adds. What is read is checked: a link may have been made by anybody.

const STATE_VERSION = 1;

function toBase64(bytes) {
  let text = "";
  for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(text);
}
function fromBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text); /* ten times as fast, where a browser has it */
  const raw = atob(text), bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  return bytes;
}

/* Through a CompressionStream or DecompressionStream. */
async function through(bytes, stream) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}
const inflate = (bytes) => through(bytes, new DecompressionStream("deflate-raw"));
const deflate = (bytes) => through(bytes, new CompressionStream("deflate-raw"));

async function takeState(app) {
  const saved = await app.sim.save(app.settings.paused);
  const { show, ...settings } = app.settings;
  return { muybridge: "stage", version: STATE_VERSION, package: app.packages[app.packageIndex].name,
    mode: MODE_NAMES[app.mode], clip: app.clip,
    asked: Object.fromEntries(app.about.parameters.map((p, i) => [p.name, app.asked[i]])),
    settings: { ...settings, show: { ...show } }, camera: app.camera.state(), saved: toBase64(saved) };
}

/* Takes over those settings that are of the right type and range; others stay. */
function mergeSettings(into, from) {
  for (const [key, usual] of Object.entries(defaultSettings())) {
    const value = from ? from[key] : undefined;
    if (key === "show") {
      for (const what of Object.keys(into.show))
        if (value && typeof value[what] === "boolean") into.show[what] = value[what];
    } else if (key === "friction" ? value === null || Number.isFinite(value)
      : typeof value === typeof usual && (typeof value !== "number" || Number.isFinite(value))) {
      into[key] = value;
    }
  }
  into.scale = clamp(into.scale, 1 / 16, 2);
  if (!GROUND_KINDS.includes(into.ground)) into.ground = "flat";
}

async function putState(app, state) {
  if (!state || state.muybridge !== "stage") throw new Error("This is not a state of the stage.");
  if (state.version !== STATE_VERSION) throw new Error("This state is of another version of the stage.");
  const index = app.packages.findIndex((p) => p.name === state.package);
  if (index < 0) throw new Error("This state is of another page: it has no such creature.");
  const bytes = fromBase64(String(state.saved));
  await app.choosePackage(index, { mode: String(state.mode), clip: Number.isInteger(state.clip) ? state.clip : -1 });
  mergeSettings(app.settings, state.settings);
  app.applyWorld();
  await app.sim.jump("restore", bytes);
  app.camera.restore(state.camera);
  app.setTheme(app.settings.theme);
  app.about.parameters.forEach((p, i) => {
    if (Number.isFinite(state.asked && state.asked[p.name])) app.asked[i] = state.asked[p.name];
  });
  app.takeAsked = false;
  app.sim.tell("show", 0, app.settings.show.ghost || app.mode === MODES.modal ? 1 : 0);
  app.sim.tell("record_on", 1);
  app.footprints.clear();
  app.onMode();
  await app.drawn();
}

/* As the end of a link: base64 that needs no escapes, of the packed JSON; "s" packed, "p" plain. */
async function stateToHash(state) {
  const bytes = new TextEncoder().encode(JSON.stringify(state)), packs = typeof CompressionStream !== "undefined";
  const text = toBase64(packs ? await deflate(bytes) : bytes);
  return (packs ? "#s=" : "#p=") + text.replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}
async function stateFromHash(hash) {
  const found = /^#([sp])=([\w-]+)$/.exec(hash);
  if (!found) return null;
  const bytes = fromBase64(found[2].replace(/-/g, "+").replace(/_/g, "/"));
  return JSON.parse(new TextDecoder().decode(found[1] === "s" ? await inflate(bytes) : bytes));
}
