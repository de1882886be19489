// How the page looks: three themes. Colours of what is drawn with light are linear here; those of buttons and text are
// in style.css under the same names. "plate" is Muybridge's black background with the white measuring grid.

const hexLinear = (hex) => [1, 3, 5].map((i) => (parseInt(hex.slice(i, i + 2), 16) / 255) ** 2.2);

function makeTheme(t) {
  const out = { ...t };
  for (const key of ["zenith", "horizon", "ground", "line", "pool", "middle", "left", "right", "asked", "done",
    "second", "force", "ball", "ghost", "print"])
    out[key] = hexLinear(t[key]);
  return out;
}

const THEMES = {
  light: makeTheme({
    label: "Light", zenith: "#f8f4ec", horizon: "#eee6d8", ground: "#e2d7c4", line: "#c2b297", pool: "#f3eadb",
    middle: "#ecdcc0", left: "#cf9464", right: "#e6c79b",
    asked: "#d4492a", done: "#2f6d7a", second: "#7a4fa0", force: "#2e8b57", ball: "#cf5b3c", ghost: "#4a7f96",
    print: "#8d7859", key: 1.3, sky: 0.55, bounce: 0.4, shadow: 0.58, wall: 0, lines: 0.7, rim: 0.06,
  }),
  dark: makeTheme({
    label: "Dark", zenith: "#121116", horizon: "#1a181c", ground: "#211f22", line: "#45403d", pool: "#38332f",
    middle: "#efe3cb", left: "#c58f63", right: "#e3c9a0",
    asked: "#ff7a50", done: "#62c3d0", second: "#c49bf0", force: "#74d69a", ball: "#e8744f", ghost: "#6fb4cf",
    print: "#8a7a63", key: 1.5, sky: 0.3, bounce: 0.12, shadow: 0.8, wall: 0, lines: 0.8, rim: 0.3,
  }),
  plate: makeTheme({
    label: "Plate", zenith: "#050505", horizon: "#080807", ground: "#0b0a09", line: "#8d8679", pool: "#191714",
    middle: "#fbf6ea", left: "#b8ad99", right: "#ece4d2",
    asked: "#ff8a5c", done: "#8fd3dd", second: "#cdb2f2", force: "#9be3b6", ball: "#e9e2d2", ghost: "#8fb9c9",
    print: "#b3a890", key: 1.75, sky: 0.24, bounce: 0.05, shadow: 0.75, wall: 1, lines: 0.34, rim: 0.2,
  }),
};

/* What "system" means now. */
const systemTheme = () => (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
const resolveTheme = (name) => (THEMES[name] ? name : systemTheme());
