// Elements of the page made in one call, icons, and the line that screen readers read out. Texts that come from files
// (names of creatures, limbs, clips, messages) only ever become text nodes: nothing of them is read as HTML.

const byId = (id) => document.getElementById(id);

/* props: text, class, on (listeners), and attributes; true and false set or leave out an attribute. */
function make(tag, props = {}, children = []) {
  const e = tag === "svg" || tag === "path" || tag === "circle" || tag === "line"
    ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  for (const [key, value] of Object.entries(props)) {
    if (key === "text") e.textContent = value;
    else if (key === "class") e.setAttribute("class", value);
    else if (key === "on") for (const [what, f] of Object.entries(value)) e.addEventListener(what, f);
    else if (value === true) e.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) e.setAttribute(key, value);
  }
  e.append(...children.filter(Boolean));
  return e;
}

/* Paths in a box of 24 by 24, drawn with round lines. */
const ICONS = {
  pause: "M8 5v14M16 5v14", play: "M7 4.5l12 7.5-12 7.5z", step: "M6 5l9 7-9 7zM19 5v14",
  back: "M18 5l-9 7 9 7zM5 5v14",
  push: "M3 12h11M10 7l5 5-5 5M19 5v14", ball: "M12 5a7 7 0 1 0 0 14 7 7 0 0 0 0-14M7 9c3 1 7 1 10 0M7 15c3-1 7-1 10 0",
  up: "M12 20V8M7 12l5-5 5 5M6 3.5h12",
  camera: "M4 8h3l2-3h6l2 3h3v11H4zM12 10a3.4 3.4 0 1 0 0 6.8 3.4 3.4 0 0 0 0-6.8",
  more: "M4 7h10M18 7h2M4 17h4M12 17h8M16 5v4M10 15v4", close: "M6 6l12 12M18 6L6 18",
  light: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8M12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M5 19l2-2M17 7l2-2",
  dark: "M19 14.5A8 8 0 0 1 9.5 5a7.5 7.5 0 1 0 9.5 9.5z", plate: "M4 4h16v16H4zM4 9.3h16M4 14.6h16M9.3 4v16M14.6 4v16",
  category: "M4 17c3-9 5-9 8-4s5 5 8-4M4 7h3M17 17h3",
  help: "M9 9a3 3 0 1 1 4.2 2.8c-.9.4-1.2 1-1.2 2.2M12 17.6v.1",
};
function icon(name) {
  return make("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" },
    [make("path", { d: ICONS[name] })]);
}
function setIcon(button, name) { button.querySelector("svg").replaceWith(icon(name)); }

/* Politely: after what the reader is saying. The same words twice are said twice. */
let saying = 0;
function say(text) {
  const line = byId("said");
  line.textContent = "";
  clearTimeout(saying);
  saying = setTimeout(() => { line.textContent = text; }, 60);
}

/* A short word on the screen that goes by itself. */
let toastTimer = 0;
function toast(text) {
  const box = byId("toast");
  box.textContent = text;
  box.classList.add("on");
  say(text);
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => box.classList.remove("on"), 3200);
}

function download(name, bytes, type) {
  const url = URL.createObjectURL(bytes instanceof Blob ? bytes : new Blob([bytes], { type }));
  const link = make("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 20000);
}

/* Names of files are made of names of creatures: letters, digits and dashes stay. */
const fileName = (name, ending) => (String(name).replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-+|-+$/g, "") || "stage") +
  "." + ending;
const readable = (name) => String(name).replace(/_/g, " ");
