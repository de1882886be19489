// What one takes along: a picture, a film (WebM where the browser records, GIF everywhere), the motion of the last two
// minutes as BVH, CSV or glTF, the state as a file or a link, and the log of what was asked.

const GIF_SECONDS = 4, GIF_RATE = 20, GIF_WIDTH = 480, FILM_SECONDS = 60;
const MOTION_TYPES = { bvh: "text/plain", csv: "text/csv", gltf: "model/gltf+json" };

class Share {
  constructor(app) {
    this.app = app;
    app.listeners.push((now) => this.frame(now));
  }
  name(ending) { return fileName(this.app.about.name, ending); }

  /* A drawing is gone once it is on the screen: pictures are taken right after the next one. */
  async picture() {
    const blob = await new Promise((done) => { this.onDrawn = () => this.app.canvas.toBlob(done, "image/png"); });
    download(this.name("png"), blob);
    toast("Picture saved.");
  }

  film() {
    if (this.recorder) return this.recorder.stop();
    const types = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm", "video/mp4"];
    const type = window.MediaRecorder && types.find((t) => MediaRecorder.isTypeSupported(t));
    if (!type || !this.app.canvas.captureStream) return toast("This browser records no film: take a GIF.");
    const pieces = [], recorder = new MediaRecorder(this.app.canvas.captureStream(60), { mimeType: type,
      videoBitsPerSecond: 8e6 });
    recorder.ondataavailable = (e) => pieces.push(e.data);
    recorder.onstop = () => {
      clearTimeout(this.filmTimer);
      this.recorder = null;
      this.showRecording("film", false);
      download(this.name(type.includes("mp4") ? "mp4" : "webm"), new Blob(pieces, { type }));
      toast("Film saved.");
    };
    recorder.start();
    this.recorder = recorder;
    this.filmTimer = setTimeout(() => recorder.stop(), FILM_SECONDS * 1000);
    this.showRecording("film", true);
    say("Recording. Press the button again to stop.");
  }

  gif() {
    if (this.taking) return;
    const c = this.app.canvas, width = Math.min(GIF_WIDTH, c.width), height = Math.round(width * c.height / c.width);
    const small = make("canvas", { width, height });
    const pen = small.getContext("2d", { willReadFrequently: true });
    this.taking = { gif: new Gif(width, height, 1 / GIF_RATE), small, pen, next: 0, left: GIF_SECONDS * GIF_RATE };
    this.showRecording("gif", true);
    say("Taking a GIF of four seconds.");
  }
  takeGif(now) {
    const t = this.taking;
    if (now < t.next) return;
    t.next = Math.max(t.next + 1000 / GIF_RATE, now - 500 / GIF_RATE);
    t.pen.drawImage(this.app.canvas, 0, 0, t.small.width, t.small.height);
    t.gif.add(t.pen.getImageData(0, 0, t.small.width, t.small.height).data);
    if (--t.left > 0) return;
    this.taking = null;
    setTimeout(() => {
      download(this.name("gif"), t.gif.encode(), "image/gif");
      this.showRecording("gif", false);
      toast("GIF saved.");
    }, 20);
  }
  showRecording(which, on) {
    const b = byId("share-" + which);
    if (!b) return;
    b.classList.toggle("recording", on);
    b.setAttribute("aria-pressed", String(on));
  }

  frame(now) {
    if (this.onDrawn) { this.onDrawn(); this.onDrawn = null; }
    if (this.taking) this.takeGif(now);
  }

  async motion(format) {
    try {
      download(this.name(format), await this.app.sim.call("export_as", format), MOTION_TYPES[format]);
      toast("Motion of the last two minutes saved.");
    } catch (e) {
      toast(e.message);
    }
  }

  async saveState() {
    download(this.name("stage.json"), JSON.stringify(await takeState(this.app)), "application/json");
    toast("State saved.");
  }
  async openState(file) {
    try {
      await putState(this.app, JSON.parse(await file.text()));
      toast("State restored.");
    } catch (e) {
      toast("The file could not be used. " + e.message);
    }
  }
  async link() {
    const hash = await stateToHash(await takeState(this.app));
    history.replaceState(null, "", hash);
    try {
      await navigator.clipboard.writeText(location.href);
      toast("Link copied.");
    } catch {
      toast("The link is in the address bar.");
    }
  }

  log(on) {
    if (on) this.app.log.start(this.app, this.app.shownSeconds); else this.app.log.stop();
    this.app.refresh();
  }
  saveLog() {
    download(this.name("log.csv"), this.app.log.text(this.app, this.app.shownSeconds), "text/csv");
    toast("Saved.");
  }
}
