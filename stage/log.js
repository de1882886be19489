// What a person asked, and when: only if he turns it on, kept in the page, and given away only as a file that he
// downloads himself. `muybridge task --learn` reads it. Values are in the units of task files.

class AskedLog {
  constructor() { this.on = false; this.lines = []; this.started = 0; this.before = 0; }

  /* now: seconds of the simulation's own time as shown, without pauses. */
  start(app, now) {
    this.on = true;
    this.started = now;
    this.lines = [];
    app.about.parameters.forEach((p, i) => this.lines.push([0, p.name, logValue(p, app.asked[i])]));
  }
  stop() { this.on = false; }
  note(app, parameter, value, now) {
    if (!this.on) return;
    const p = app.about.parameters[parameter], text = logValue(p, value), time = now - this.started;
    const last = this.lines.length - 1, line = this.lines[last];
    /* dragging gives many values a frame: the last one of a twentieth of a second stands for them */
    if (line && line[1] === p.name && line[0] > 0 && time - line[0] < 0.05) line[2] = text;
    else this.lines.push([time, p.name, text]);
  }
  text(app, now) {
    const plain = (s) => String(s).replace(/[\r\n,]+/g, " ");
    return ["# muybridge log 1", `# task ${plain(app.about.task || "unknown")} creature ${plain(app.about.name)}`,
      `# seconds ${(now - this.started).toFixed(2)}`, "time,parameter,value",
      ...this.lines.map(([t, name, value]) => `${t.toFixed(3)},${plain(name)},${value}`)].join("\n") + "\n";
  }
}

function logValue(parameter, value) {
  if (parameter.space === "category") return String((parameter.names || [])[value] ?? value).replace(/[\r\n,]+/g, " ");
  const plain = parameter.space === "circle" ? wrapAngle(value) : value;
  return (plain / (parameter.scale || (parameter.space === "circle" ? DEGREE : 1))).toFixed(4);
}
