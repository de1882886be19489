// Where the page looks from. Each camera looks at a point above the creature's place and goes along with it; "side",
// "front", "top" and "follow" also turn with it, slowly, "free" stays as the person left it.

const CAMERAS = {
  follow: { label: "Follow", turn: -132 * DEGREE, pitch: 17 * DEGREE, zoom: 1 },
  side: { label: "Side", turn: -90 * DEGREE, pitch: 5 * DEGREE, zoom: 0.95 },
  front: { label: "Front", turn: 0, pitch: 7 * DEGREE, zoom: 0.95 },
  top: { label: "Top", turn: Math.PI, pitch: 89 * DEGREE, zoom: 1.15 },
  free: { label: "Free", turn: 0, pitch: 17 * DEGREE, zoom: 1 },
};
const FIELD_OF_VIEW = 30 * DEGREE;

class Camera {
  constructor() {
    this.kind = "follow";
    this.heading = 0;            /* of the creature, as the camera has followed it */
    this.turn = CAMERAS.follow.turn; /* of the camera about the creature: from its heading; free: in the world */
    this.pitch = CAMERAS.follow.pitch;
    this.zoom = 1;
    this.pan = [0, 0, 0];
    this.centre = null;
    this.velocity = [0, 0, 0];
    this.shownTurn = this.turn;  /* what is drawn comes after what is set: changes are glides */
    this.shownPitch = this.pitch;
    this.shownZoom = 1;
    this.still = false;          /* reduced motion: no glides, no slow turns */
    this.shift = [0, 0];         /* where the middle is, -1 to 1: beside or above the controls */
    this.shiftTo = [0, 0];
  }

  choose(kind) {
    const c = CAMERAS[kind];
    const yaw = this.yaw();
    if (kind === "free") this.turn = wrapAngle(yaw);
    else Object.assign(this, { turn: c.turn, pitch: c.pitch, zoom: c.zoom, pan: [0, 0, 0] });
    this.kind = kind;
    const target = kind === "free" ? this.turn : this.heading + this.turn;
    this.shownTurn = target + wrapAngle(yaw - target) - (kind === "free" ? 0 : this.heading);
  }

  yaw() { return this.shownTurn + (this.kind === "free" ? 0 : this.heading); }

  /* A person drags: views that have a name become free, "follow" is turned about the creature. */
  orbit(turn, pitch) {
    if (this.kind !== "follow" && this.kind !== "free") this.choose("free");
    this.turn += turn;
    this.pitch = clamp(this.pitch + pitch, -5 * DEGREE, 89 * DEGREE);
  }
  zoomBy(factor) { this.zoom = clamp(this.zoom * factor, 0.2, 6); }
  panBy(right, up) {
    this.pan = add(this.pan, add(scale(this.right, right), scale(this.up, up)));
  }

  update(dt, place, velocity, heading, size, aspect) {
    const target = add(place, this.pan);
    if (!this.centre || norm(sub(this.centre, target)) > size * 4) {
      this.centre = target;
      this.heading = heading;
      this.velocity = velocity;
    }
    this.velocity = this.velocity.map((v, i) => v + (velocity[i] - v) * closing(dt, 0.5));
    const near = closing(dt, 0.35), level = closing(dt, 0.5);
    this.centre = this.centre.map((c, i) =>
      (i < 2 ? c + this.velocity[i] * dt + (target[i] - c) * near : c + (target[i] - c) * level));
    const slow = this.still ? 0 : closing(dt, this.kind === "follow" ? 1.6 : 0.7);
    this.heading += wrapAngle(heading - this.heading) * slow;
    const glide = closing(dt, this.still ? 0 : 0.12);
    this.shownTurn += (this.turn - this.shownTurn) * glide;
    this.shownPitch += (this.pitch - this.shownPitch) * glide;
    this.shownZoom += (this.zoom - this.shownZoom) * glide;
    this.shift = this.shift.map((s, i) => s + (this.shiftTo[i] - s) * glide);
    this.place(size, aspect);
  }

  place(size, aspect) {
    /* a window that is higher than wide must show the width of the creature and its ring */
    const distance = size * 4.3 * this.shownZoom * Math.max(1, 0.84 / aspect);
    const yaw = this.yaw(), p = this.shownPitch;
    const out = [Math.cos(yaw) * Math.cos(p), Math.sin(yaw) * Math.cos(p), Math.sin(p)];
    this.eye = along(this.centre, out, distance);
    this.forward = scale(out, -1);
    this.right = unit([-Math.sin(yaw), Math.cos(yaw), 0]);
    this.up = cross(this.right, this.forward);
    this.tangent = Math.tan(FIELD_OF_VIEW / 2);
    this.aspect = aspect;
    this.distance = distance;
    /* the lamp goes with the camera, to its right: whatever is looked at is lit, and the shadow lies free behind it */
    this.sun = unit([Math.cos(yaw + 0.8), Math.sin(yaw + 0.8), 1.2]);
    this.project(size);
  }
  project(size) {
    const p = perspective(FIELD_OF_VIEW, this.aspect, this.distance * 0.02, this.distance + size * 60);
    const [x, y] = this.shift;
    p[8] = -x;
    p[9] = -y;
    this.matrix = product(p, lookAt(this.eye, this.centre, this.up));
    this.ahead = this.aside(this.forward, -x, -y);
  }

  /* Keeps the eye out of the ground of hills. */
  lift(ground, size) {
    const least = ground.height(this.eye[0], this.eye[1]) + size * 0.08;
    if (this.eye[2] >= least) return;
    this.eye[2] = least;
    this.forward = unit(sub(this.centre, this.eye));
    this.up = cross(this.right, this.forward);
    this.project(size);
  }

  /* Unit direction of the ray through a place of the window: x, y from -1 to 1, y up. */
  ray(x, y) {
    return unit(this.aside(this.ahead, x, y));
  }
  aside(d, x, y) {
    return along(along(d, this.right, x * this.tangent * this.aspect), this.up, y * this.tangent);
  }
  /* Metres that a pixel of the window shows at a distance. */
  pixel(distance, height) { return 2 * distance * this.tangent / height; }

  state() { return { kind: this.kind, turn: this.turn, pitch: this.pitch, zoom: this.zoom, pan: this.pan }; }
  restore(s) {
    if (!s || !CAMERAS[s.kind]) return;
    const number = (x, usual) => (Number.isFinite(x) ? x : usual), usual = CAMERAS[s.kind];
    this.kind = s.kind;
    this.turn = number(s.turn, usual.turn);
    this.pitch = clamp(number(s.pitch, usual.pitch), -5 * DEGREE, 89 * DEGREE);
    this.zoom = clamp(number(s.zoom, 1), 0.2, 6);
    this.pan = [0, 1, 2].map((i) => number(s.pan && s.pan[i], 0));
    this.shownTurn = this.turn;
    this.shownPitch = this.pitch;
    this.shownZoom = this.zoom;
    this.centre = null;
  }
}
