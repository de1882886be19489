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

function showErrors(messages) {
  const box = byId("errors"), list = byId("errors-list");
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
