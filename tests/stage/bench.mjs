// Measures the page of the stage in a real browser, for bench.sh: node bench.mjs CHROMIUM FOLDER [NAME=PAGE.html ...]
// [NAME=watch:CREATURE[:TASK] ...]
//   page   megabytes; seconds from opening the file to the first picture (median of five); of half a minute in which it
//          is asked for another direction every 3 s and pushed with 0.3 body weights every 5 s: simulated seconds for
//          each second of the worker, in the mean and in the worst second; milliseconds of scripts for a frame drawn;
//          falls.
//   watch  seconds from saving an edited file until the page is sent the new motion, the median of three edits; with a
//          task also until it has all clips of the controller, and its control graph.
// Where there is no graphics card the browser draws by software on the same cores: times are then too long, and
// frames per second say nothing about a desk or a phone.

import { spawn } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { Browser, Tab } from "./devtools.mjs";

const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];

async function openingSeconds(browser, url) {
  const times = [];
  for (let i = 0; i < 5; i++) {
    const t = await Tab.open(browser, { width: 800, height: 520 });
    await t.load(url);
    times.push((await t.stat()).opened / 1000);
    await t.close();
  }
  return median(times);
}

async function scriptSeconds(t) {
  const { metrics } = await t.send("Performance.getMetrics");
  return metrics.find((m) => m.name === "ScriptDuration").value;
}

async function measurePage(browser, name, file) {
  const url = pathToFileURL(path.resolve(file)).href, opened = await openingSeconds(browser, url);
  const t = await Tab.open(browser, { width: 800, height: 520 });
  await t.load(url);
  await t.send("Performance.enable");
  const about = await t.run("stage.about()"), weight = about.mass * about.gravity, script = await scriptSeconds(t);
  await t.run("window.drawn = 0; const count = () => { drawn++; requestAnimationFrame(count); }; count()");
  let direction = 0, pushes = 0;
  for (let second = 1; second <= 30; second++) {
    await t.pass(1);
    if (second % 3 === 0) await t.run(`stage.ask("direction", ${direction = (direction + 2.1) % (2 * Math.PI)})`);
    if (second % 5 === 0 && second < 30) {
      const way = 2.4 * pushes++, force = 0.3 * weight;
      await t.run(`stage.push(${about.trunk}, ${force * Math.cos(way)}, ${force * Math.sin(way)}, 0, 0.1)`);
    }
  }
  const s = await t.stat(), ms = 1000 * (await scriptSeconds(t) - script) / await t.run("drawn");
  await t.close();
  console.log(`${name.padEnd(12)} ${(fs.statSync(file).size / 1e6).toFixed(2)} MB, opened in ${opened.toFixed(2)} s, ` +
    `${s.mode}, reserve ${s.reserve.mean.toFixed(1)}, worst second ${s.reserve.worst.toFixed(1)}, ` +
    `scripts ${ms.toFixed(1)} ms a frame, ${s.falls} falls` + (t.troubles.length ? ", " + t.troubles[0] : ""));
}

/* A server that watches, and what it says. */
class Watched {
  static async start(args) {
    const w = new Watched();
    w.server = spawn("./muybridge", ["watch", ...args, "--no-open"], { stdio: ["ignore", "pipe", "ignore"] });
    w.log = "";
    w.events = "";
    w.server.stdout.on("data", (text) => { w.log += text; });
    await w.until(() => /^http\S+/m.test(w.log));
    const url = new URL(/^http\S+/m.exec(w.log)[0]);
    http.get(new URL("events" + url.search, url), (answer) => answer.on("data", (text) => { w.events += text; }));
    await w.until(() => w.events.includes("retry"));
    return w;
  }
  async until(what) { while (!what()) await new Promise((r) => setTimeout(r, 2)); }
  packages() { return this.events.split("event: package").length - 1; }
}

/* Shanks of the hind legs get longer by 2 %, then 4, then 6: every clip must be solved anew. */
const SHANK = /^(limb (?:shank|gaskin|crus) .*to *= *\{0, 0, -)([\d.]+)/m;
async function measureWatch(folder, name, creature, task) {
  const file = path.join(folder, name + ".creature"), text = fs.readFileSync(creature, "utf8"), times = [], whole = [];
  fs.writeFileSync(file, text);
  const w = await Watched.start([file, ...(task ? [task, "--clips", "16"] : [])]);
  if (task) await w.until(() => w.log.includes("with physics"));
  for (let i = 1; i <= 3; i++) {
    const before = w.packages(), controls = w.log.split("with physics").length;
    const edited = text.replace(SHANK, (_, start, length) => start + (length * (1 + 0.02 * i)).toFixed(4));
    if (edited === text) throw new Error(creature + " has no shank");
    const start = Date.now();
    fs.writeFileSync(file, edited);
    await w.until(() => w.packages() > before);
    times.push((Date.now() - start) / 1000);
    if (!task) continue;
    await w.until(() => w.log.split("with physics").length > controls);
    whole.push((Date.now() - start) / 1000);
  }
  w.server.kill();
  console.log(`${name.padEnd(12)} saved, and the new motion ${median(times).toFixed(2)} s later (${times.join(", ")})` +
    (task ? `, the whole controller, with physics, ${median(whole).toFixed(2)} s` : ""));
}

const [program, folder, ...what] = process.argv.slice(2);
const pages = what.filter((w) => !w.includes("=watch:")), watched = what.filter((w) => w.includes("=watch:"));
if (pages.length) {
  const browser = new Browser(program, path.resolve(folder));
  for (const p of pages) await measurePage(browser, ...p.split("="));
  await browser.close();
}
for (const w of watched) {
  const [name, place] = w.split("="), [, creature, task] = place.split(":");
  await measureWatch(folder, name, creature, task);
}
process.exit(0);
