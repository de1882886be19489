// Drives the stage in a real browser, for browser.sh: node browser.mjs CHROMIUM PAGE.html FOLDER ALL.html [SHOTS]
// It loads the page from disk and checks what a person would: it walks, turns when told by keys, survives a push, falls
// under a hard one, is put back, plays on a phone by touch, follows a game pad, restores its state, saves files, does
// without a worker; each parameter of ALL.html is steered. With a folder for shots it also writes pictures of all
// themes to look at. No check looks at the clock: they wait for simulated time; only a browser that hangs is given up.

import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { Browser, Tab } from "./devtools.mjs";

const HANGS = 30000; /* ms: until a file is saved */

/* ---- checks ---- */

let failures = 0;
function check(good, what, seen = "") {
  if (good) return console.log(`ok: ${what}`);
  failures++;
  console.log("FAILED: " + what + (seen === "" ? "" : ", seen: " + JSON.stringify(seen)));
}
const wrap = (a) => a - 2 * Math.PI * Math.round(a / (2 * Math.PI));
const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);

/* Waits until a file with this ending has been saved; its bytes. */
async function saved(folder, ending) {
  for (const end = Date.now() + HANGS; Date.now() < end; await new Promise((r) => setTimeout(r, 50))) {
    const name = fs.readdirSync(folder).find((n) => n.endsWith(ending));
    if (name) return fs.readFileSync(path.join(folder, name));
  }
  return Buffer.alloc(0);
}

async function checkWalking(t) {
  const about = await t.run("stage.about()"), start = await t.stat();
  check(start.mode === "control" && start.state === 1, "opens in physics, on its feet", start);
  await t.pass(2);
  const later = await t.stat();
  check(later.state === 1 && distance(later.root, start.root) > 0.2 * about.height, "walks by itself", later.root);
  check(later.worker === true, "the simulation runs in a worker");
  check(later.reserve.mean > 0, "measures its reserve", later.reserve);
  return about;
}

async function checkTurning(t) {
  const before = await t.stat();
  for (let i = 0; i < 6; i++) await t.key("ArrowLeft");
  const asked = await t.stat();
  check(Math.abs(wrap(asked.asked.direction - before.asked.direction - Math.PI / 2)) < 0.02,
    "six presses of the left arrow ask for 90 degrees", asked.asked);
  await t.pass(6);
  const after = await t.stat();
  check(after.state === 1 && Math.abs(wrap(after.done.direction - asked.asked.direction)) < 0.6,
    "and it turns there", after.done);
  /* a click on the ground beyond the ring */
  const to = [after.root[0] + 1.2 * Math.cos(after.root[3] + 1), after.root[1] + 1.2 * Math.sin(after.root[3] + 1)];
  const [x, y] = await t.run(`stage.wherePlace(${to})`);
  await t.click(x, y);
  const clicked = await t.stat(), wanted = Math.atan2(to[1] - clicked.root[1], to[0] - clicked.root[0]);
  check(Math.abs(wrap(clicked.asked.direction - wanted)) < 0.5, "a click on the ground asks for its direction",
    [clicked.asked.direction, wanted]);
  await t.pass(3);
}

/* Pushes it, up to three times: one in thirty falls, and when in its stride it is pushed depends on how fast the
 * machine draws. Native tests count falls with fixed seeds. */
async function standsPush(t, push) {
  for (let i = 0; i < 3; i++) {
    await t.run("stage.restart()");
    await t.pass(1.5);
    const before = await t.stat();
    await push();
    await t.until(`stage.stat().pushes === ${before.pushes + 1}`);
    await t.pass(3);
    const after = await t.stat();
    if (after.state === 1 && after.falls === before.falls) return true;
  }
  return false;
}

async function checkPushes(t) {
  check(await standsPush(t, () => t.key(" ", { code: "Space" })), "space pushes it, and it stays on its feet",
    await t.stat());
  /* hold a limb and let go */
  const about = await t.run("stage.about()"), [x, y] = await t.run(`stage.where(${about.trunk})`);
  await t.mouse("mousePressed", x, y);
  await t.mouse("mouseMoved", x + 8, y - 8, { buttons: 1 });
  check((await t.stat()).held, "a limb under the mouse is held");
  await t.mouse("mouseReleased", x + 8, y - 8);
  check(!(await t.stat()).held, "and let go");
  await t.pass(2);
  await t.key("b");
  await t.pass(0.3);
  /* as hard as three body weights */
  await t.run(`stage.push(${about.trunk}, 0, ${3 * about.mass * about.gravity}, 0, 0.2)`);
  await t.until("stage.stat().state === 2");
  check((await t.run("!document.getElementById('fall').hidden")), "a hard push throws it over, and the page says so");
  await t.pass(0.5);
}

async function checkStandingUp(t) {
  await t.key("r");
  await t.until("stage.stat().state === 1");
  await t.pass(1.5);
  const s = await t.stat();
  check(s.state === 1 && await t.run("document.getElementById('fall').hidden"), "R puts it back on its feet", s);
  const about = await t.run("stage.about()");
  await t.run(`stage.push(${about.trunk}, 0, ${3 * about.mass * about.gravity}, 0, 0.2)`);
  await t.until("stage.stat().state === 2");
  await t.until("stage.stat().state === 1");
  check(true, "and it gets there by itself after a while");
}

async function checkDownloads(t, folder) {
  await t.browser.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: folder });
  await openPanel(t);
  await t.run("document.querySelector('#section-share').open = true");
  for (const id of ["picture", "bvh", "csv", "gltf", "state"]) await t.clickOn("#share-" + id);
  const png = await saved(folder, ".png");
  check(png.length > 5000 && png.subarray(1, 4).toString() === "PNG", "saves a picture", png.length);
  const bvh = (await saved(folder, ".bvh")).toString();
  const frames = Number(/Frames:\s*(\d+)/.exec(bvh)?.[1]);
  check(bvh.startsWith("HIERARCHY") && frames > 10, "saves the motion as BVH", bvh.slice(0, 40));
  check((await saved(folder, ".csv")).toString().split("\n").length > 10, "saves the motion as CSV");
  const gltf = JSON.parse((await saved(folder, ".gltf")).toString() || "{}");
  check(gltf.asset?.version === "2.0" && gltf.animations?.length === 1, "saves the motion as glTF", gltf.asset);
  const state = JSON.parse((await saved(folder, ".json")).toString() || "{}");
  check(state.muybridge === "stage" && state.saved.length > 100, "saves the state", Object.keys(state));
  return state;
}

/* The state was saved while the page stood still, as a file and as a link: both lead to the picture of that time. */
async function checkRestore(t, state, hash, url, there) {
  const near = (s) => distance(s.root, there.root) < 1e-6 && s.state === there.state &&
    s.asked.direction === there.asked.direction;
  await t.run("stage.pause(false)");
  await t.pass(1.5);
  check(!near(await t.stat()), "it has walked on since");
  await t.run(`stage.restore(${JSON.stringify(state)})`);
  const fromFile = await t.stat();
  check(fromFile.paused && near(fromFile), "a file restores the state", [fromFile.root, there.root]);
  await t.send("Page.navigate", { url: "about:blank" });
  await t.load(url + hash);
  const fromLink = await t.stat();
  check(fromLink.paused && distance(fromLink.root, fromFile.root) < 1e-9 && near(fromLink),
    "a link restores the state", [fromLink.root, fromFile.root]);
  await t.run("stage.pause(false)");
  await t.pass(1);
  check((await t.stat()).state === 1, "and it walks on from there");
}

async function openPanel(t) {
  if (!await t.run("document.body.classList.contains('panel-open')")) await t.clickOn("#more");
  await t.until("document.getElementById('panel').getBoundingClientRect().right <= innerWidth");
}

async function checkKeyboardAlone(t) {
  await openPanel(t);
  await t.run("document.activeElement.blur()");
  const seen = new Set();
  await t.run("document.querySelectorAll('details').forEach(d => { d.open = true; })");
  for (let i = 0; i < 90; i++) {
    await t.key("Tab");
    seen.add(await t.run(`(() => { const e = document.activeElement; if (!e || e === document.body) return "";
      const named = e.getAttribute("aria-label") || e.title || e.textContent.trim() ||
        (e.labels && e.labels[0] && e.labels[0].textContent) ||
          e.closest("[role=radiogroup]")?.getAttribute("aria-label");
      return (e.id || e.tagName) + (named ? "" : " WITHOUT A NAME"); })()`));
  }
  check([...seen].every((s) => !s.includes("WITHOUT")), "all that Tab reaches has a name", [...seen]);
  for (const id of ["view", "pause", "push", "ball", "up", "camera", "theme", "help", "more", "share-bvh"])
    check(seen.has(id), "Tab reaches " + id, [...seen]);
  await t.run("document.getElementById('view').focus()");
  await t.key("?");
  check(await t.run("document.getElementById('keys').open"), "the question mark shows the keys");
  await t.key("Escape");
  await t.key("p");
  check((await t.stat()).paused, "P pauses");
  await t.key("p");
}

async function checkPhone(browser, url, shots) {
  const t = await Tab.open(browser, { width: 390, height: 844, touch: true, ratio: 2 });
  await t.load(url);
  await t.pass(1.5);
  const before = await t.stat();
  if (shots) await t.shot(path.join(shots, "phone-light.png"));
  const [left, top] = await t.run("(() => { const b = document.getElementById('joystick').getBoundingClientRect();" +
    " return [b.x + b.width / 2, b.y + b.height / 2]; })()");
  check(left > 0 && top > 0, "a phone has a joystick");
  await t.touch("touchStart", [[left, top]]);
  await t.touch("touchMove", [[left - 45, top]]);
  await t.pass(0.3);
  await t.touch("touchEnd", []);
  const after = await t.stat();
  check(Math.abs(wrap(after.asked.direction - before.asked.direction)) > 0.3, "the joystick steers", after.asked);
  const [x, y] = await t.run("(() => { const b = document.getElementById('push').getBoundingClientRect();" +
    " return [b.x + b.width / 2, b.y + b.height / 2]; })()");
  const touchIt = async () => {
    await t.touch("touchStart", [[x, y]]);
    await t.touch("touchEnd", []);
  };
  check(await standsPush(t, touchIt), "pushed with a finger, it stays on its feet");
  const fits = await t.run(`document.documentElement.scrollWidth <= innerWidth &&
    [...document.querySelectorAll("#dock button, #corner button")].every(b => {
      const r = b.getBoundingClientRect();
      return r.left >= 0 && r.right <= innerWidth && r.bottom <= innerHeight; })`);
  check(fits, "all buttons are on a phone's screen");
  await t.run("document.getElementById('more').click()");
  await t.pass(0.5);
  if (shots) await t.shot(path.join(shots, "phone-sheet.png"));
  check(t.troubles.length === 0, "no errors on the phone's console", t.troubles);
  await t.close();
}

async function checkReducedMotion(browser, url, shots) {
  const media = [{ name: "prefers-reduced-motion", value: "reduce" }, { name: "prefers-color-scheme", value: "dark" }];
  const t = await Tab.open(browser, { width: 900, height: 600, media });
  await t.load(url);
  check((await t.stat()).paused && await t.run("!document.getElementById('begin').hidden"),
    "with reduced motion it waits behind a button");
  check(await t.run("document.documentElement.dataset.theme") === "dark", "the theme is the system's");
  if (shots) await t.shot(path.join(shots, "reduced-dark.png"));
  await t.clickOn("#begin");
  await t.pass(0.5);
  check(!(await t.stat()).paused, "which lets it walk");
  await t.close();
}

/* A pad of the standard mapping in place of what the browser reports. */
async function checkGamePad(t) {
  const set = async (what) => { await t.run(what); await t.drawn(); };
  const press = async (button) => {
    await set(`pad.buttons[${button}].pressed = true`);
    await set(`pad.buttons[${button}].pressed = false`);
  };
  await t.run("stage.restart(); stage.camera('follow')");
  await t.pass(1);
  const before = await t.stat();
  await set(`window.pad = { connected: true, mapping: "standard", id: "a pad", axes: [0.1, -0.1, 0, 0],
    buttons: Array.from({ length: 17 }, () => ({ pressed: false, touched: false, value: 0 })) };
    navigator.getGamepads = () => [null, window.pad]`);
  check((await t.stat()).asked.direction === before.asked.direction, "a game pad whose sticks rest asks for nothing");
  /* a place in the asked direction, as one sees it: left of the creature, right of it */
  for (const [side, x] of [["left", -1], ["right", 1]]) {
    await set(`pad.axes[0] = ${x}`);
    const s = await t.stat(), way = [Math.cos(s.asked.direction), Math.sin(s.asked.direction)];
    const [here, there] = await t.run(`[stage.wherePlace(${s.root[0]}, ${s.root[1]}),
      stage.wherePlace(${s.root[0] + 0.3 * way[0]}, ${s.root[1] + 0.3 * way[1]})]`);
    check(x * (there[0] - here[0]) > 10, `the stick to the ${side} asks for the screen's ${side}`, [here, there]);
  }
  await set("pad.axes[0] = 0");
  const turned = (await t.stat()).asked.direction;
  await press(14);
  check(Math.abs(wrap((await t.stat()).asked.direction - turned - Math.PI / 12)) < 0.01,
    "the pad's left arrow turns by a step", (await t.stat()).asked);
  const yaw = await t.run("stage.stat().yaw");
  await set("pad.axes[2] = 1");
  await t.pass(0.3);
  await set("pad.axes[2] = 0");
  check(wrap(await t.run("stage.stat().yaw") - yaw) < -0.2, "the second stick turns the camera", yaw);
  await press(0);
  await t.pass(1.5);
  const pushed = await t.stat();
  check(pushed.pushes === before.pushes + 1, "its first button pushes", pushed);
  await press(9);
  check((await t.stat()).paused, "start pauses");
  await press(9);
  check(!(await t.stat()).paused, "and goes on");
  await press(8);
  check((await t.stat()).camera === "side", "select is the next camera", (await t.stat()).camera);
  /* taken away with a button down: no push stays half begun */
  await set("pad.buttons[0].pressed = true");
  await set("pad.connected = false");
  await t.pass(0.2);
  const gone = await t.stat();
  check(gone.pushes === pushed.pushes && !gone.pushing, "a pad that is taken away pushes no more", gone);
  await t.run("delete navigator.getGamepads; stage.camera('follow')");
}

/* A page of a task with direction, torso, speed and gait: each is steered, by keys, mouse and pad, and is seen. */
async function checkParameters(browser, url, shots) {
  const t = await Tab.open(browser, { width: 800, height: 520 }), text = (id) => t.run(`${id}.innerText`);
  await t.load(url);
  await t.pass(0.5);
  const before = (await t.stat()).asked, hints = await text("hints");
  check(["steer", "torso", "speed", "gait"].every((what) => hints.includes(what)), "each parameter has a hint", hints);
  for (const key of ["q", "ArrowUp", "g"]) await t.key(key);
  const keyed = (await t.stat()).asked;
  check(Math.abs(wrap(keyed.torso - before.torso - Math.PI / 12)) < 0.01 && keyed.speed > before.speed &&
    keyed.gait === before.gait + 1 && keyed.direction === before.direction, "keys ask for torso, speed and gait",
  keyed);
  await t.drawn();
  await t.until(`wishes.innerText.includes("asked ${keyed.speed.toFixed(2)}")`);
  check((await text("wishes")).includes("asked run"), "with closed controls one sees what is asked",
    await text("wishes"));
  if (shots) await t.shot(path.join(shots, "everything.png"));
  await t.run("stage.pause(true)");
  await t.drawn();
  const [x, y] = await t.run("stage.whereAsked(1)"), [x2, y2] = await t.run("stage.whereAsked(0)");
  await t.mouse("mousePressed", x, y);
  await t.mouse("mouseMoved", x2, y2, { buttons: 1 });
  await t.mouse("mouseReleased", x2, y2);
  const led = (await t.stat()).asked;
  check(led.direction === keyed.direction && Math.abs(wrap(led.torso - led.direction)) < 0.1,
    "the torso's mark on the ring is led to another place", led);
  await t.clickOn("#category");
  check((await t.stat()).asked.gait !== led.gait, "a button asks for the next gait");
  await openPanel(t);
  check((await text("panel")).includes("asked of the torso"), "the controls say which mark is which");
  check(t.troubles.length === 0, "no errors on the console with all parameters", t.troubles);
  await t.close();
}

/* `muybridge watch` of a creature whose file has an error already: it is shown, and once mended the creature moves. */
async function checkBroken(browser, folder, shots) {
  const file = path.join(folder, "mine.creature");
  const good = fs.readFileSync(path.join(process.env.srcdir || ".", "creatures/biped.creature"), "utf8");
  fs.writeFileSync(file, good.replace(/^body_mass = .*/m, "body_mass = heavy"));
  const server = spawn("./muybridge", ["watch", file, "--no-open"], { stdio: ["ignore", "pipe", "ignore"] });
  const url = await new Promise((found, no) => {
    server.stdout.on("data", (text) => { if (/^http\S+/m.test(text)) found(/^http\S+/m.exec(text)[0]); });
    server.on("exit", () => no(new Error("watch has ended")));
  });
  const t = await Tab.open(browser, { width: 800, height: 520 });
  await t.send("Page.navigate", { url });
  await t.until("window.errors && !errors.hidden");
  const line = good.slice(0, good.search(/^body_mass = /m)).split("\n").length;
  check((await t.run("errors.innerText")).includes("mine.creature:" + line), "a page without a motion shows the errors",
    await t.run("errors.innerText"));
  await t.key("ArrowLeft");
  await t.key("r");
  await t.click(300, 300);
  if (shots) await t.shot(path.join(shots, "broken.png"));
  fs.writeFileSync(file, good);
  await t.run("stage.ready");
  await t.pass(0.3);
  check(await t.run("errors.hidden && dock.offsetWidth > 0"), "and once they are mended it moves");
  await t.until("busy.hidden");
  check(t.troubles.length === 0, "no errors on the console of a page that waited", t.troubles);
  if (shots) await t.shot(path.join(shots, "mended.png"));
  await t.close();
  server.kill();
}

/* Some browsers refuse workers to pages that were opened as files: the simulation then runs in the page. */
async function checkWithoutWorker(browser, url) {
  const t = await Tab.open(browser, { width: 500, height: 400,
    before: "window.Worker = class { constructor() { throw new Error('workers are refused'); } }" });
  await t.load(url);
  const start = await t.stat();
  check(start.worker === false && start.mode === "control", "without a worker the simulation runs in the page", start);
  await t.pass(1.5);
  const walked = await t.stat();
  check(walked.state === 1 && distance(walked.root, start.root) > 0.1, "and it walks", walked.root);
  for (let i = 0; i < 6; i++) await t.key("ArrowLeft");
  await t.pass(5);
  const s = await t.stat();
  check(Math.abs(wrap(s.done.direction - s.asked.direction)) < 0.6, "turns", [s.done, s.asked]);
  check(await standsPush(t, () => t.key(" ", { code: "Space" })), "and stands a push", await t.stat());
  const hash = await t.run("stage.link()");
  check(hash.length > 100, "its state can be taken");
  check(t.troubles.length === 0, "no errors on the console without a worker", t.troubles);
  await t.close();
}

/* Graphics cards are taken away now and then: by sleep, by other pages. */
async function checkLostContext(t) {
  const lose = "document.getElementById('view').getContext('webgl2').getExtension('WEBGL_lose_context')";
  await t.run(`window.card = ${lose}; card.loseContext()`);
  await t.pass(0.3);
  await t.run("card.restoreContext()");
  await t.until("!document.getElementById('view').getContext('webgl2').isContextLost()");
  await t.pass(0.3);
  check(await t.run("document.getElementById('view').getContext('webgl2').getError()") === 0,
    "a lost drawing context comes back");
}

/* Not a check: pictures to look at. */
async function takeShots(t, shots) {
  const all = ["forces", "cones", "mass", "torques", "ghost", "graph", "readout"];
  await t.run("stage.quality(1)");
  for (const theme of ["light", "dark", "plate"]) {
    await t.run(`stage.theme("${theme}")`);
    for (const camera of ["follow", "side", "front", "top"]) {
      await t.run(`stage.camera("${camera}")`);
      await t.pass(1.2);
      await t.shot(path.join(shots, `${theme}-${camera}.png`));
    }
    await t.run(`stage.camera("follow"); ${JSON.stringify(all)}.forEach(w => stage.show(w, true))`);
    await t.pass(1.2);
    await t.shot(path.join(shots, `${theme}-overlays.png`));
    await t.run(`${JSON.stringify(all)}.forEach(w => stage.show(w, false))`);
  }
  for (const ground of ["slope", "steps", "beams", "pebbles"]) {
    await t.run(`stage.theme("light"); stage.restart(); stage.ground("${ground}")`);
    await t.pass(1);
    await t.shot(path.join(shots, `ground-${ground}.png`));
  }
  await t.run(`stage.ground("flat")`);
}

async function main() {
  const [program, page, folder, all, shots] = process.argv.slice(2), url = pathToFileURL(path.resolve(page)).href;
  const files = path.join(folder, "files");
  fs.mkdirSync(files, { recursive: true });
  if (shots) fs.mkdirSync(shots, { recursive: true });
  const browser = new Browser(program, path.resolve(folder));
  Tab.quality = shots ? 1 : 0.3; /* software draws: fewer pixels, where nobody looks at them */
  try {
    const t = await Tab.open(browser, shots ? { width: 1280, height: 800 } : { width: 800, height: 520 });
    await t.load(url);
    await checkWalking(t);
    await checkTurning(t);
    await checkPushes(t);
    if (shots) await t.shot(path.join(shots, "fallen.png"));
    await checkStandingUp(t);
    await t.pass(1);
    await t.run("stage.pause(true)");
    const hash = await t.run("stage.link()");
    await t.drawn();
    const there = await t.stat(), state = await checkDownloads(t, files);
    await checkRestore(t, state, hash, url, there);
    await checkKeyboardAlone(t);
    await checkGamePad(t);
    await checkLostContext(t);
    if (shots) await takeShots(t, shots);
    check(t.troubles.length === 0, "no errors on the console", t.troubles);
    await t.close();
    await checkPhone(browser, url, shots);
    await checkReducedMotion(browser, url, shots);
    await checkWithoutWorker(browser, url);
    await checkBroken(browser, folder, shots);
    await checkParameters(browser, pathToFileURL(path.resolve(all)).href, shots);
  } catch (e) {
    check(false, e.stack);
  }
  await browser.close();
  process.exit(failures ? 1 : 0);
}
main();
