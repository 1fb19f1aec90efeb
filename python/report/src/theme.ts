// Light or dark: the system's choice until the reader chooses; paper is always light.

const listeners: (() => void)[] = [];
const system = matchMedia("(prefers-color-scheme: dark)");
let printing = false;

export function isDark(): boolean {
  if (printing) return false;
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : system.matches;
}

/** Calls back now and whenever drawings have to take other colours. */
export function onTheme(listener: () => void) {
  listeners.push(listener);
  listener();
}

export function toggleTheme() {
  document.documentElement.dataset.theme = isDark() ? "light" : "dark";
  changed();
}

export function isPrinting(): boolean {
  return printing;
}

/** What a colour of the style sheet is at present; canvases cannot read variables. */
export function colour(name: string): string {
  const probe = document.createElement("span");
  probe.style.color = `var(--${name})`;
  document.body.append(probe);
  const value = getComputedStyle(probe).color;
  probe.remove();
  return value;
}

function changed() {
  for (const listener of listeners) listener();
}

system.addEventListener("change", changed);
for (const [event, state] of [
  ["beforeprint", true],
  ["afterprint", false],
] as const) {
  addEventListener(event, () => {
    printing = state;
    // the style sheet follows this attribute, as its media query is not yet in force before printing
    document.documentElement.toggleAttribute("data-printing", state);
    changed();
  });
}
