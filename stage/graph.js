// The motion graph as a small picture: nodes, the segments between them, where the creature is and what the policy has
// chosen next. Segments that begin and end at the same node are cycles and are drawn as loops.

/* Places of the nodes, settled by springs from a circle: the same graph always looks the same. */
function layoutGraph(graph) {
  const n = graph.nodes.length, at = graph.nodes.map((_, i) => [Math.cos(i / n * TAU), Math.sin(i / n * TAU)]);
  const links = graph.segments.filter((s) => s.from !== s.to);
  for (let round = 0; round < 260; round++) {
    const force = at.map((p) => [-0.02 * p[0], -0.02 * p[1]]), cool = 0.12 * (1 - round / 260);
    for (let i = 0; i < n; i++)
      for (let j = 0; j < i; j++) {
        const d = [at[i][0] - at[j][0], at[i][1] - at[j][1]], r = Math.max(d[0] ** 2 + d[1] ** 2, 1e-4);
        for (const k of [0, 1]) { force[i][k] += 0.12 * d[k] / r / n; force[j][k] -= 0.12 * d[k] / r / n; }
      }
    for (const s of links)
      for (const k of [0, 1]) {
        const pull = 0.3 * (at[s.to][k] - at[s.from][k]) / Math.max(links.length / n, 1);
        force[s.from][k] += pull;
        force[s.to][k] -= pull;
      }
    at.forEach((p, i) => { for (const k of [0, 1]) p[k] += clamp(force[i][k], -0.3, 0.3) * cool * 4; });
  }
  for (const k of [0, 1]) { /* fills the box from -1 to 1 */
    const low = Math.min(...at.map((p) => p[k])), high = Math.max(...at.map((p) => p[k]));
    at.forEach((p) => { p[k] = high > low ? 2 * (p[k] - low) / (high - low) - 1 : 0; });
  }
  return at;
}

class GraphView {
  constructor(canvas) { this.canvas = canvas; }
  open(about) {
    this.graph = about.graph && about.graph.nodes && about.graph.nodes.length ? about.graph : null;
    if (this.graph) this.at = layoutGraph(this.graph);
  }

  draw(app, record) {
    if (!this.graph) return;
    const ratio = Math.min(devicePixelRatio || 1, 2), w = this.canvas.clientWidth, h = this.canvas.clientHeight;
    if (this.canvas.width !== Math.round(w * ratio)) {
      this.canvas.width = Math.round(w * ratio);
      this.canvas.height = Math.round(h * ratio);
    }
    const c = this.canvas.getContext("2d"), style = getComputedStyle(document.documentElement);
    const tone = (name) => style.getPropertyValue(name).trim();
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    c.clearRect(0, 0, w, h);
    const here = Math.round(record[app.layout.segment]), next = Math.round(record[app.layout.next]);
    this.graph.segments.forEach((s, i) => {
      const strong = i === here ? "--done" : i === next ? "--asked" : null;
      c.strokeStyle = tone(strong || "--line");
      c.lineWidth = strong ? 2.5 : 1;
      c.globalAlpha = strong ? 1 : 0.55;
      this.line(c, s, i, w, h);
    });
    c.globalAlpha = 1;
    const node = Math.round(record[app.layout.node]);
    this.graph.nodes.forEach((_, i) => {
      const [x, y] = this.place(i, w, h);
      c.beginPath();
      c.arc(x, y, i === node ? 5 : 3, 0, TAU);
      c.fillStyle = tone(i === node ? "--done" : "--soft");
      c.fill();
    });
    this.dot(c, app, record, here, w, h, tone("--done"));
  }

  place(i, w, h) { return [w / 2 + this.at[i][0] * (w / 2 - 26), h / 2 - this.at[i][1] * (h / 2 - 26)]; }

  /* A segment is a curve that bends to its own side, by its index, so that parallel ones stay apart. */
  curve(s, i, w, h) {
    const a = this.place(s.from, w, h), b = this.place(s.to, w, h);
    if (s.from === s.to) {
      const turn = i * 2.4, r = 17;
      return [a, [a[0] + r * 1.6 * Math.cos(turn - 0.6), a[1] + r * 1.6 * Math.sin(turn - 0.6)],
        [a[0] + r * 1.6 * Math.cos(turn + 0.6), a[1] + r * 1.6 * Math.sin(turn + 0.6)], b];
    }
    const d = [b[0] - a[0], b[1] - a[1]], bend = 0.1 + 0.05 * (i % 4), k = [-d[1] * bend, d[0] * bend];
    return [a, [a[0] + d[0] / 3 + k[0], a[1] + d[1] / 3 + k[1]], [a[0] + 2 * d[0] / 3 + k[0],
      a[1] + 2 * d[1] / 3 + k[1]], b];
  }
  line(c, s, i, w, h) {
    const [a, p, q, b] = this.curve(s, i, w, h);
    c.beginPath();
    c.moveTo(...a);
    c.bezierCurveTo(...p, ...q, ...b);
    c.stroke();
  }
  dot(c, app, record, here, w, h, colour) {
    const s = this.graph.segments[here];
    if (!s) return;
    const clip = this.graph.nodes[s.from], first = s.first ?? (clip && clip.clip === s.clip ? clip.frame : 0);
    const t = clamp((record[app.layout.frame] - first) / Math.max(s.frames, 1), 0, 1), u = 1 - t;
    const [a, p, q, b] = this.curve(s, here, w, h);
    const at = (k) => u * u * u * a[k] + 3 * u * u * t * p[k] + 3 * u * t * t * q[k] + t * t * t * b[k];
    c.beginPath();
    c.arc(at(0), at(1), 5.5, 0, TAU);
    c.fillStyle = colour;
    c.fill();
  }
}
