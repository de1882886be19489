// A headless chromium, driven through the DevTools protocol over two pipes, which needs no WebSocket and nothing but
// node's own modules. For browser.mjs, which tests the page of the stage, and bench.mjs, which measures it.

import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

const HANGS = 120000; /* ms: a browser that does not answer for so long is given up */

export class Browser {
  constructor(program, folder) {
    const flags = ["--headless=new", "--no-sandbox", "--remote-debugging-pipe", "--use-gl=angle",
      "--use-angle=swiftshader",
      "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist", "--no-first-run", "--disable-extensions",
      "--disable-background-networking", "--disable-component-update", "--force-device-scale-factor=1",
      "--user-data-dir=" + path.join(folder, "profile"), "about:blank"];
    this.process = spawn(program, flags, { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
    this.answers = new Map();
    this.listeners = [];
    this.next = 1;
    let rest = Buffer.alloc(0);
    this.process.stdio[4].on("data", (data) => {
      rest = Buffer.concat([rest, data]);
      for (let end; (end = rest.indexOf(0)) >= 0; rest = rest.subarray(end + 1))
        this.take(JSON.parse(rest.subarray(0, end).toString()));
    });
    this.process.on("exit", () => {
      for (const a of this.answers.values()) a.reject(new Error("the browser has ended"));
    });
    this.process.stdio[3].on("error", () => {});
  }
  take(message) {
    const a = this.answers.get(message.id);
    if (a) {
      this.answers.delete(message.id);
      message.error ? a.reject(new Error(message.error.message)) : a.resolve(message.result);
    } else {
      for (const f of this.listeners) f(message);
    }
  }
  send(method, params = {}, sessionId = undefined) {
    const id = this.next++;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(method + ": no answer")), HANGS);
      this.answers.set(id, { resolve: (r) => { clearTimeout(timer); resolve(r); },
        reject: (e) => { clearTimeout(timer); reject(e); } });
      this.process.stdio[3].write(JSON.stringify({ id, method, params, sessionId }) + "\0");
    });
  }
  /* Until it has ended: a browser that is still closing writes to its folder. */
  async close() {
    const ended = this.process.exitCode !== null || new Promise((f) => this.process.on("exit", f));
    await this.send("Browser.close").catch(() => {});
    this.process.kill();
    await ended;
  }
}

/* One tab, and what went wrong in it. */
export class Tab {
  static quality = 0; /* share of the pixels along each side that pages draw; 0: as they choose */
  /* before: a script that runs before those of any page. */
  static async open(browser, { width, height, touch = false, ratio = 1, media = [], before = "" }) {
    const t = new Tab(), { targetId } = await browser.send("Target.createTarget", { url: "about:blank" });
    t.browser = browser;
    t.target = targetId;
    t.troubles = [];
    t.session = (await browser.send("Target.attachToTarget", { targetId, flatten: true })).sessionId;
    browser.listeners.push((m) => { if (m.sessionId === t.session) t.hear(m); });
    for (const domain of ["Page", "Runtime", "Log", "DOM"]) await t.send(domain + ".enable");
    await t.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: ratio, mobile: touch });
    if (touch) await t.send("Emulation.setTouchEmulationEnabled", { enabled: true, maxTouchPoints: 5 });
    await t.send("Emulation.setEmulatedMedia", { features: media });
    if (before) await t.send("Page.addScriptToEvaluateOnNewDocument", { source: before });
    await t.send("Page.bringToFront");
    return t;
  }
  hear(m) {
    const p = m.params;
    if (m.method === "Runtime.exceptionThrown")
      this.troubles.push(p.exceptionDetails.exception?.description || p.exceptionDetails.text);
    if (m.method === "Runtime.consoleAPICalled" && (p.type === "error" || p.type === "warning"))
      this.troubles.push(p.args.map((a) => a.value ?? a.description).join(" "));
    if (m.method === "Log.entryAdded" && p.entry.level === "error") this.troubles.push(p.entry.text);
  }
  send(method, params) { return this.browser.send(method, params, this.session); }
  async load(url) {
    await this.send("Page.navigate", { url });
    await this.until("window.stage && document.readyState === 'complete'");
    await this.run("stage.ready");
    if (Tab.quality) await this.run(`stage.quality(${Tab.quality})`);
  }
  async run(expression) {
    const r = await this.send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
    if (r.exceptionDetails)
      throw new Error(expression + ": " + (r.exceptionDetails.exception?.description || r.exceptionDetails.text));
    return r.result.value;
  }
  stat() { return this.run("stage.stat()"); }
  /* Waits until it is true; fails only when the page hangs. */
  async until(expression) {
    for (const end = Date.now() + HANGS; ;) {
      if (await this.run(expression).catch(() => false)) return;
      if (Date.now() > end) throw new Error("never true: " + expression);
      await new Promise((r) => setTimeout(r, 40));
    }
  }
  /* Lets so many simulated seconds pass on the screen. */
  async pass(seconds) {
    const from = (await this.stat()).shown;
    await this.until(`stage.stat().shown >= ${from + seconds} || stage.stat().shown < ${from}`);
  }
  /* Until the page has drawn twice: what was set before the first has had its effect. */
  drawn() { return this.run("new Promise((f) => requestAnimationFrame(() => requestAnimationFrame(() => f(1))))"); }
  async key(key, { hold = 0, code = key } = {}) {
    const text = key.length === 1 ? key : undefined, common = { key, code, windowsVirtualKeyCode: KEY_CODES[key] || 0 };
    await this.send("Input.dispatchKeyEvent", { type: text ? "keyDown" : "rawKeyDown", text, ...common });
    if (hold) await this.pass(hold);
    await this.send("Input.dispatchKeyEvent", { type: "keyUp", ...common });
  }
  mouse(type, x, y, more = {}) {
    return this.send("Input.dispatchMouseEvent", { type, x, y, button: "left", clickCount: 1, ...more });
  }
  async click(x, y) {
    await this.mouse("mousePressed", x, y);
    await this.mouse("mouseReleased", x, y);
  }
  async clickOn(selector) {
    const [x, y] = await this.run(`(() => { const e = document.querySelector(${JSON.stringify(selector)});
      e.scrollIntoView({ block: "nearest" });
      const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; })()`);
    await this.click(x, y);
  }
  touch(type, points) {
    return this.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y]) => ({ x, y })) });
  }
  async shot(file) {
    const { data } = await this.send("Page.captureScreenshot", { format: "png" });
    fs.writeFileSync(file, Buffer.from(data, "base64"));
  }
  async close() { await this.browser.send("Target.closeTarget", { targetId: this.target }); }
}
const KEY_CODES = { ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40, " ": 32, Tab: 9, Enter: 13, Escape: 27 };
