// The body in motion: drawing, controls, legend, and stills for paper and for finding a moment.
import { contactRamp, gradient, linkRamp } from "./colours";
import { h, svg } from "./dom";
import { Drawing2D, stageOf, type Drawing, type Stage } from "./drawing2d";
import { Drawing3D, hasWebGL } from "./drawing3d";
import { withUnit, type Clock } from "./format";
import type { Player } from "./player";
import type { ViewName } from "./projection";
import type { Run } from "./run";
import { frameAt, hasArrows, shareOf, type Frame } from "./scene";
import { onTheme } from "./theme";

const STILLS = 6;
const PAPER = { width: 600, height: 560 };
/** Smaller, so that lines are wider beside the bodies. */
const STILL = { width: 300, height: 280 };

export function animation(runs: Run[], player: Player, clock: Clock): HTMLElement {
  const drawn = runs.filter((run) => run.data.scene && run.time.length > 0);
  const section = h("section", { class: "animation", id: "motion", "aria-label": "Motion" }, h("h2", {}, "Motion"));
  if (drawn.length === 0) {
    section.append(h("p", { class: "note" }, "No animation: this run has no scene or no samples."));
    return section;
  }
  const stage = stageOf(drawn);
  const spatial = drawn.some((run) => run.data.scene!.dimension === 3);
  const withoutGL = spatial && !hasWebGL();
  const drawing: Drawing = spatial && !withoutGL ? new Drawing3D(stage) : new Drawing2D(stage, PAPER);
  player.onTime(() => drawing.show(player.time));
  section.append(h("div", { class: "stage" }, drawing.element, spatial && views(drawing)));
  section.append(controls(drawing, player, clock));
  if (withoutGL) {
    section.append(
      h("p", { class: "note" }, "This browser offers no WebGL, so the body is drawn from one side instead of in space."),
    );
  }
  section.append(legend(stage, drawing instanceof Drawing2D), readout(stage, player), stills(stage, player, clock));
  const missing = new Set(drawn.flatMap(missingBodies));
  if (missing.size > 0) {
    section.append(h("p", { class: "note" }, `Not drawn, as channels are missing: ${[...missing].join(", ")}.`));
  }
  const strange = new Set(drawn.flatMap((run) => run.unknownShapes));
  if (strange.size > 0) {
    section.append(h("p", { class: "note" }, `Not drawn, as this page does not know the shape: ${[...strange].join(", ")}.`));
  }
  onTheme(() => drawing.recolour());
  return section;
}

function missingBodies(run: Run): string[] {
  const frame = frameAt(run, run.begin);
  return run.data.scene!.bodies.filter((_, index) => frame.bodies[index] === null).map((body) => body.name);
}

function views(drawing: Drawing): HTMLElement {
  const button = (view: ViewName, label: string) => h("button", { type: "button", click: () => drawing.look(view) }, label);
  return h(
    "div",
    { class: "views", role: "group", "aria-label": "View" },
    button("side", "Side"),
    button("front", "Front"),
    button("top", "Top"),
  );
}

function controls(drawing: Drawing, player: Player, clock: Clock): HTMLElement {
  const still = player.duration <= 0;
  const icon = svg("path");
  const play = h(
    "button",
    { type: "button", class: "play", disabled: still, click: () => player.toggle() },
    svg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, icon) as unknown as Node,
  );
  const scrub = h("input", {
    type: "range",
    class: "scrub",
    "aria-label": "Time",
    min: player.begin,
    max: player.end,
    step: player.duration / 500 || 1,
    disabled: still,
    input: () => player.seek(scrub.valueAsNumber),
  });
  const time = h("span", { class: "time" });
  const speed = h(
    "select",
    { change: () => (player.speed = Number(speed.value)) },
    ...player.speeds.map((value) => h("option", { value, selected: value === player.speed }, `${value}×`)),
  );
  const loop = h("input", { type: "checkbox", checked: true, change: () => (player.loop = loop.checked) });
  const ghost = h("input", { type: "checkbox", checked: true, change: () => drawing.ghost(ghost.checked) });
  player.onState(() => {
    play.setAttribute("aria-label", player.playing ? "Pause" : "Play");
    play.title = player.playing ? "Pause (space)" : "Play (space)";
    icon.setAttribute("d", player.playing ? "M3 2h4v12H3zM9 2h4v12H9z" : "M3 1.5v13L14 8z");
  });
  player.onTime(() => {
    scrub.value = String(player.time);
    scrub.setAttribute("aria-valuetext", clock.text(player.time));
    const share = still ? 0 : (player.time - player.begin) / player.duration;
    scrub.style.setProperty("--share", `${(100 * share).toFixed(2)}%`);
    time.textContent = clock.text(player.time);
  });
  return h(
    "div",
    { class: "controls" },
    h("div", { class: "transport" }, play, scrub, time),
    h(
      "div",
      { class: "options" },
      h("label", {}, "Speed ", speed),
      h("label", {}, loop, " Loop"),
      h("label", {}, ghost, " Start posture"),
    ),
  );
}

function legend(stage: Stage, drawnFlat: boolean): HTMLElement {
  const entries = h("div", { class: "legend" });
  if (stage.runs.length > 1) {
    const names = stage.runs.map((run, index) =>
      h("span", { class: "run" }, h("i", { class: `swatch ${index === 0 ? "first" : "second"}` }), run.data.label),
    );
    entries.append(h("div", { class: "runs" }, ...names));
  }
  const scale = (title: string, largest: number, paint: () => string) => {
    if (largest <= 0) return;
    const bar = h("i", { class: "ramp", "aria-hidden": "true" });
    onTheme(() => (bar.style.background = paint()));
    entries.append(
      h("div", { class: "scale" }, h("span", {}, title), h("span", { class: "ends" }, "0", bar, newtons(largest))),
    );
  };
  const kinds = new Set(stage.runs.flatMap((run) => (run.data.scene!.links ?? []).map((link) => link.kind || "link")));
  const links = kinds.size === 1 ? [...kinds][0] : "link";
  const pushing = drawnFlat && stage.pushes ? "; dashed where it pushes" : "";
  scale(`${links[0].toUpperCase()}${links.slice(1)} force: colour and width${pushing}`, stage.largest.links, () =>
    gradient(linkRamp()),
  );
  const drawsCircles = (run: Run) => !hasArrows(run) && (run.data.scene!.marks ?? []).length > 0;
  const drawsArrows = (run: Run) => hasArrows(run) || (run.data.scene!.planes ?? []).length > 0;
  const sized = [
    stage.runs.some(drawsCircles) && "area of circle",
    stage.runs.some(drawsArrows) && "length of arrow",
  ].filter(Boolean).join(", ");
  scale(`Contact and joint force: colour and ${sized}`, stage.largest.contacts, () => gradient(contactRamp()));
  return entries;
}

function newtons(force: number): string {
  return withUnit(Number(force.toPrecision(3)), "N");
}

/** The largest forces at the present time in words, also for those who do not see the colours. */
function readout(stage: Stage, player: Player): HTMLElement {
  const element = h("p", { class: "readout" });
  const { label, scene: drawn } = stage.runs[0].data;
  const scene = drawn!;
  const of = stage.runs.length > 1 ? ` in ${label}` : "";
  const largest = (items: { label: string }[] | null | undefined, states: ({ force: number } | null)[], ever: number) => {
    let best = { label: "", share: 0, force: 0 };
    (items ?? []).forEach((item, index) => {
      const force = states[index]?.force ?? 0;
      const share = shareOf(force, ever);
      if (share > best.share) best = { label: item.label, share, force };
    });
    return best.share > 0 ? `${best.label} ${newtons(best.force)}` : "";
  };
  player.onTime(() => {
    const frame: Frame = frameAt(stage.runs[0], player.time);
    const parts = [
      largest(scene.links, frame.links, stage.largest.links),
      largest(scene.marks, frame.marks, stage.largest.contacts),
      largest(scene.planes, frame.planes, stage.largest.contacts),
    ];
    const text = parts.filter(Boolean).join(", ");
    element.textContent = text ? `Largest forces now${of}: ${text}` : `No forces now${of}`;
  });
  return element;
}

function stills(stage: Stage, player: Player, clock: Clock): HTMLElement {
  const count = player.duration > 0 ? STILLS : 1;
  const spatial = stage.runs.some((run) => run.data.scene!.dimension === 3);
  const items = Array.from({ length: count }, (_, k) => {
    const time = player.begin + (player.duration * k) / Math.max(count - 1, 1);
    const picture = new Drawing2D(stage, STILL);
    picture.element.setAttribute("aria-hidden", "true");
    picture.ghost(!spatial);
    picture.show(time);
    onTheme(() => picture.recolour());
    const button = h(
      "button",
      { type: "button", "aria-label": `Show ${clock.text(time)}`, click: () => player.seek(time) },
      picture.element as unknown as Node,
      h("span", {}, clock.text(time)),
    );
    const near = player.duration / (2 * Math.max(count - 1, 1));
    player.onTime(() => button.classList.toggle("near", count > 1 && Math.abs(player.time - time) < near));
    return button;
  });
  return h("div", { class: "stills", role: "group", "aria-label": "Stills" }, ...items);
}
