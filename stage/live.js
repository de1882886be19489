// While `muybridge watch` or `view` serves the page: new packages, errors of the file that is being edited, and what is
// being worked on, by server-sent events. The last good motion goes on whatever arrives.

function startLive(app, token) {
  if (!token || typeof EventSource === "undefined") return null;
  const source = new EventSource("events?token=" + encodeURIComponent(token));
  const data = (e) => { try { return JSON.parse(e.data); } catch { return {}; } };
  source.addEventListener("package", async (e) => {
    const { url } = data(e);
    try {
      const answer = await fetch(url, { cache: "no-store" });
      if (!answer.ok) throw new Error("the server answered " + answer.status);
      await app.replacePackage(new Uint8Array(await answer.arrayBuffer()));
      showBusy(null);
      showErrors([]);
      say("New motion.");
    } catch (problem) {
      showErrors([{ text: "The new motion could not be taken over: " + problem.message }]);
    }
  });
  source.addEventListener("error", (e) => {
    if (e.data === undefined) return showConnection(source.readyState !== EventSource.CLOSED);
    showBusy(null);
    showErrors(data(e).messages || []);
  });
  source.addEventListener("good", () => { showErrors([]); showBusy(null); });
  source.addEventListener("busy", (e) => showBusy(data(e).what || "Working"));
  source.addEventListener("open", () => showConnection(true, true));
  return source;
}

/* A page that was made before there was a motion, as its files had errors: waits for the first one; its bytes. */
function firstMotion(token) {
  document.body.classList.add("waiting");
  byId("doing").textContent = "Waiting for its first motion";
  return new Promise((resolve) => {
    const source = new EventSource("events?token=" + encodeURIComponent(token));
    const data = (e) => { try { return JSON.parse(e.data); } catch { return {}; } };
    source.addEventListener("package", async (e) => {
      const answer = await fetch(data(e).url, { cache: "no-store" }).catch(() => null);
      if (!answer || !answer.ok) return; /* a newer one comes */
      const bytes = new Uint8Array(await answer.arrayBuffer());
      source.close();
      showBusy(null);
      showErrors([]);
      document.body.classList.remove("waiting");
      resolve(bytes);
    });
    source.addEventListener("error", (e) => {
      if (e.data === undefined) return showConnection(source.readyState !== EventSource.CLOSED);
      showBusy(null);
      showErrors(data(e).messages || [], false);
    });
    source.addEventListener("busy", (e) => { showErrors([]); showBusy(data(e).what || "Working"); });
    source.addEventListener("open", () => showConnection(true, true));
  });
}

/* moves: there is a motion from before the errors. */
function showErrors(messages, moves = true) {
  const box = byId("errors"), list = byId("errors-list");
  byId("errors-head").textContent = moves ? "The file has errors; this is the last good motion."
    : "The file has errors. Save it without them, and it moves here.";
  list.replaceChildren(...messages.map((m) => {
    const name = String(m.file || "").replace(/^.*[/\\]/, ""), place = name && m.line ? name + ":" + m.line : name;
    return make("li", {}, [place ? make("code", { text: place, title: m.file }) : null,
      make("span", { text: m.text || "" })]);
  }));
  box.hidden = !messages.length;
  if (messages.length) say(messages.length === 1 ? "There is an error in the file." : "There are errors in the file.");
}
function showBusy(what) {
  byId("busy").hidden = !what;
  byId("busy-what").textContent = what || "";
}
/* retrying: the browser tries again by itself; a program that has ended does not come back. */
function showConnection(retrying, open = false) {
  const note = byId("connection");
  note.hidden = open;
  note.textContent = open ? "" : retrying ? "Waiting for muybridge …" : "muybridge has ended; the motion goes on.";
}
