// Linked plots of channels over time.
import uPlot from "uplot";
import { lineColour } from "./colours";
import { csv } from "./csv";
import { h } from "./dom";
import { likePeak, number, spacedUnit, type Clock } from "./format";
import type { Player } from "./player";
import type { Channel, Run } from "./run";
import { colour, isPrinting, onTheme } from "./theme";

const HEIGHT = 190;
/** Two beside each other on paper, in CSS pixels. */
const PRINTED = { width: 330, height: 150 };
/** So near to the line of the present time, a pointer takes hold of it. */
const GRIP = 7;
/** A pointer that moved less than this has clicked; from here on it drags. */
const CLICK = 5;
const AXIS = { left: 58, right: 48 };
/** Room for half of the last label of the time. */
const MARGIN = 26;
/** Room beside a second axis. */
const BESIDE = 8;

interface Group {
  title: string;
  channels: string[];
}

export class PlotBoard {
  readonly element = h("section", { class: "plots", id: "plots", "aria-label": "Plots" });
  private readonly list = h("div", { class: "plot-list" });
  private readonly resetButton = h(
    "button",
    { type: "button", hidden: true, title: "Double click in a plot does the same", click: () => this.zoom(null) },
    "Show all of the time",
  );
  private plots: Plot[] = [];
  /** Where the pointer is; without it values are those of the player's time. */
  hovered: number | null = null;
  range: [number, number] | null = null;

  constructor(
    readonly runs: Run[],
    readonly player: Player,
    readonly clock: Clock,
  ) {
    this.element.append(
      h(
        "div",
        { class: "plots-head" },
        h("h2", {}, "Plots"),
        this.resetButton,
        h(
          "button",
          { type: "button", click: () => this.download(), title: "The lines that are shown, as a table" },
          "Download CSV",
        ),
      ),
      h(
        "p",
        { class: "hint" },
        "Click sets the time, drag zooms, the line of the time can be dragged. Keys: arrows, +, −, 0.",
      ),
      h("p", { class: "hint runs", hidden: runs.length < 2 }, ...runs.map(strokeOf)),
      this.list,
      this.picker(),
    );
    const groups = groupsOf(runs);
    for (const group of groups) this.add(group);
    for (const plot of this.plots) plot.fit(); // whether one has a second axis is known now
    if (groups.length === 0)
      this.list.append(h("p", { class: "note" }, "No plots are set for this run: pick channels below."));
    player.onTime(() => this.plots.forEach((plot) => plot.showTime()));
    onTheme(() => this.plots.forEach((plot) => plot.fit()));
  }

  get secondAxis(): boolean {
    return this.plots.some((plot) => plot.units.length > 1);
  }

  get names(): string[] {
    return [...new Set(this.runs.flatMap((run) => [...run.channels.keys()]))];
  }

  add(group: Group): Plot {
    this.list.querySelector(".note:only-child")?.remove();
    const plot = new Plot(this, group);
    this.plots.push(plot);
    this.list.append(plot.element);
    plot.build();
    return plot;
  }

  remove(plot: Plot) {
    this.plots = this.plots.filter((other) => other !== plot);
    plot.destroy();
  }

  hover(time: number | null) {
    if (time === this.hovered) return;
    this.hovered = time;
    for (const plot of this.plots) plot.showValues();
  }

  /** In the unit of the clock; null: all of it. */
  zoom(range: [number, number] | null) {
    this.range = range;
    this.resetButton.hidden = range === null;
    for (const plot of this.plots) plot.zoom();
  }

  private picker(): HTMLElement {
    const search = h("input", {
      type: "search",
      placeholder: "Search, for example head acceleration",
      "aria-label": "Search channels",
      input: () => filter(),
    });
    const boxes = this.names.map((name) => {
      const channel = this.runs.map((run) => run.channels.get(name)).find(Boolean)!;
      const box = h("input", { type: "checkbox", value: name, change: () => count() });
      const label = h("label", {}, box, channelName(name), h("small", {}, channel.description));
      return { name, box, label, words: `${name.replaceAll("_", " ")} ${name} ${channel.description}`.toLowerCase() };
    });
    const none = h("p", { class: "note", hidden: true }, "No channel has these words.");
    const submit = h("button", { type: "submit", disabled: true }, "Add plot");
    const filter = () => {
      const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
      for (const each of boxes) each.label.hidden = !each.box.checked && !words.every((word) => each.words.includes(word));
      none.hidden = boxes.some((each) => !each.label.hidden);
    };
    const count = () => {
      const chosen = boxes.filter((each) => each.box.checked).length;
      submit.disabled = chosen === 0;
      submit.textContent = chosen > 1 ? `Add plot of ${chosen} channels` : "Add plot";
    };
    const form = h(
      "form",
      {},
      search,
      h(
        "div",
        { class: "channels", role: "group", "aria-label": "Channels", tabindex: 0 },
        none,
        ...boxes.map((each) => each.label),
      ),
      submit,
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const channels = boxes.filter((each) => each.box.checked).map((each) => each.name);
      this.add({ title: channels.length === 1 ? channels[0] : "Chosen channels", channels }).element.scrollIntoView({
        block: "nearest",
      });
      for (const each of boxes) each.box.checked = false;
      search.value = "";
      filter();
      count();
    });
    return h("details", { class: "picker" }, h("summary", {}, `Plot any of ${boxes.length} channels`), form);
  }

  private download() {
    const names = [...new Set(this.plots.flatMap((plot) => plot.shownNames()))];
    const link = h("a", {
      href: URL.createObjectURL(new Blob([csv(this.runs, names)], { type: "text/csv" })),
      download: `${document.title.replace(/[^\w.-]+/g, "_")}.csv`,
    });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }
}

function strokeOf(run: Run, index: number): HTMLElement {
  return h("span", {}, h("i", { class: index === 0 ? "stroke" : "stroke dashed" }), run.data.label);
}

/** The groups of all runs; those of the same title become one. */
function groupsOf(runs: Run[]): Group[] {
  const groups = new Map<string, Set<string>>();
  for (const { title, channels } of runs.flatMap((run) => run.data.plots ?? [])) {
    groups.set(title, new Set([...(groups.get(title) ?? []), ...channels]));
  }
  return [...groups].map(([title, channels]) => ({ title, channels: [...channels] }));
}

interface Line {
  name: string;
  unit: string;
  colour: () => string;
  /** The largest size in all runs. */
  peak: number;
  /** The channel in each run, if it has it. */
  channels: (Channel | undefined)[];
  toggle: HTMLButtonElement;
  values: HTMLElement[];
  shown: boolean;
}

class Plot {
  readonly element: HTMLElement;
  private readonly canvas = h("div", { class: "canvas" });
  private readonly now = h("div", { class: "now" });
  private readonly lines: Line[];
  private readonly resizes = new ResizeObserver(() => this.fit());
  private chart: uPlot | null = null;

  constructor(
    private readonly board: PlotBoard,
    group: Group,
  ) {
    const present = group.channels.filter((name) => board.names.includes(name));
    const absent = group.channels.filter((name) => !present.includes(name));
    this.lines = present.map((name, index) => this.line(name, index));
    this.element = h(
      "figure",
      { class: "plot" },
      h(
        "figcaption",
        {},
        h("h3", {}, group.title),
        h(
          "button",
          {
            type: "button",
            class: "quiet",
            "aria-label": `Remove plot ${group.title}`,
            title: "Remove",
            click: () => board.remove(this),
          },
          "×",
        ),
      ),
      this.canvas,
      h("div", { class: "lines" }, ...this.lines.map((line) => line.toggle)),
      absent.length > 0 && h("p", { class: "note" }, `Not in this run: ${absent.join(", ")}.`),
    );
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "group");
    this.canvas.setAttribute(
      "aria-label",
      `Plot ${group.title}. Left and right move the time, plus and minus zoom, 0 shows all.`,
    );
    this.canvas.addEventListener("keydown", (event) => this.press(event));
  }

  private line(name: string, index: number): Line {
    const channels = this.board.runs.map((run) => run.channels.get(name));
    const known = channels.find(Boolean)!;
    const values = channels.map((_, run) => h("span", { class: run === 0 ? "value" : "value second" }));
    const key = h("i", { class: "key" });
    onTheme(() => (key.style.borderTopColor = lineColour(index)));
    const toggle = h(
      "button",
      {
        type: "button",
        class: "line",
        "aria-pressed": "true",
        title: known.description || name,
        click: () => this.toggle(line),
      },
      key,
      channelName(name),
      ...values,
    );
    const peak = Math.max(...channels.map((channel) => (channel ? largest(channel.values) * channel.factor : 0)));
    const line: Line = {
      name,
      peak,
      unit: known.unit,
      colour: () => lineColour(index),
      channels,
      toggle,
      values,
      shown: true,
    };
    return line;
  }

  build() {
    if (this.lines.length === 0) return;
    const { runs, clock } = this.board;
    const { units } = this;
    const tables = runs.map((run, index) => [
      run.time.map((time) => time * clock.factor),
      ...this.lines.map(({ channels }) => samples(channels[index], run.time.length)),
    ]) as uPlot.AlignedData[];
    const ink = () => colour("muted");
    const rule = () => colour("rule");
    const font = `11px ${getComputedStyle(document.body).fontFamily}`;
    const axis = {
      stroke: ink,
      grid: { stroke: rule, width: 1 },
      ticks: { stroke: rule, width: 1, size: 4 },
      font,
      labelFont: font,
    };
    const options: uPlot.Options = {
      ...this.size(),
      legend: { show: false },
      // all plots end at the same place, so that times stand below each other
      padding: [
        null,
        () => (units.length > 1 ? BESIDE : this.narrow || !this.board.secondAxis ? MARGIN : AXIS.right + BESIDE),
        0,
        0,
      ],
      scales: {
        x: { time: false, range: () => this.range() },
        ...Object.fromEntries(units.map((unit) => [unit || "1", {}])),
      },
      axes: [
        { ...axis, size: 30, values: (_, ticks) => withUnitAtTop(ticks, clock.unit) },
        // more than two units share the axes of the first two
        ...units.slice(0, 2).map((unit, index) => ({
          ...axis,
          scale: unit || "1",
          space: 24,
          side: (index === 0 ? 3 : 1) as uPlot.Axis.Side,
          grid: index === 0 ? axis.grid : { show: false },
          size: index === 0 ? AXIS.left : AXIS.right,
          values: (_: uPlot, ticks: number[]) => withUnitAtTop(ticks, unit),
        })),
      ],
      series: [
        {},
        ...runs.flatMap((run, index) =>
          this.lines.map((line) => ({
            scale: line.unit || "1",
            stroke: () => line.colour(),
            width: 1.6,
            dash: index === 0 ? undefined : [5, 4],
            points: { show: run.time.length < 3, size: 7, fill: () => line.colour() },
          })),
        ),
      ],
      cursor: {
        y: false,
        drag: { x: true, y: false, dist: CLICK, setScale: false },
        points: { size: 7 },
        sync: { key: "plots", filters: { pub: (type) => type === "mousemove" || type === "mouseleave" } },
      },
      hooks: {
        setSelect: [
          (chart) => {
            const { left, width } = chart.select;
            if (width > 4) this.board.zoom([chart.posToVal(left, "x"), chart.posToVal(left + width, "x")]);
            chart.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          },
        ],
        setCursor: [
          (chart) => {
            const { left } = chart.cursor;
            const inside = left !== undefined && left !== null && left >= 0;
            this.board.hover(inside ? chart.posToVal(left, "x") / clock.factor : null);
          },
        ],
        setSize: [() => this.showTime()],
      },
    };
    this.chart = new uPlot(options, tables.length === 1 ? tables[0] : uPlot.join(tables), this.canvas);
    this.chart.over.append(this.now);
    this.listen(this.chart.over);
    this.resizes.observe(this.canvas);
    this.showTime();
  }

  destroy() {
    this.resizes.disconnect();
    this.chart?.destroy();
    this.element.remove();
  }

  shownNames(): string[] {
    return this.lines.filter((line) => line.shown).map((line) => line.name);
  }

  /** Takes the width that there is and the colours of the theme. */
  fit() {
    const size = this.size();
    if (this.chart && size.width > 0) this.chart.setSize(size);
    this.zoom();
  }

  zoom() {
    if (!this.chart) return;
    const [min, max] = this.range();
    this.chart.setScale("x", { min, max });
    this.showTime();
  }

  showTime() {
    this.showValues();
    if (!this.chart) return;
    const { player, clock } = this.board;
    const time = player.time * clock.factor;
    const [low, high] = this.range();
    this.now.hidden = time < low || time > high;
    this.now.style.transform = `translateX(${this.chart.valToPos(time, "x")}px)`;
  }

  showValues() {
    const { runs, player, hovered } = this.board;
    for (const line of this.lines) {
      runs.forEach((run, index) => {
        const channel = line.channels[index];
        const value = channel ? run.shown(channel, hovered ?? player.time) : NaN;
        const text = `${likePeak(value, line.peak)}${spacedUnit(line.unit)}`;
        if (line.values[index].textContent !== text) line.values[index].textContent = text;
      });
    }
  }

  get units(): string[] {
    return [...new Set(this.lines.map((line) => line.unit))];
  }

  private get narrow(): boolean {
    return this.size().width < 450;
  }

  private size(): { width: number; height: number } {
    return isPrinting() ? PRINTED : { width: this.canvas.clientWidth || 300, height: HEIGHT };
  }

  private range(): [number, number] {
    const { player, clock, range } = this.board;
    if (range) return range;
    const pad = player.duration > 0 ? 0 : 1e-3;
    return [(player.begin - pad) * clock.factor, (player.end + pad) * clock.factor];
  }

  private toggle(line: Line) {
    line.shown = !line.shown;
    line.toggle.setAttribute("aria-pressed", String(line.shown));
    const index = this.lines.indexOf(line) + 1;
    this.board.runs.forEach((_, run) => this.chart?.setSeries(index + run * this.lines.length, { show: line.shown }));
  }

  private press(event: KeyboardEvent) {
    if (event.target !== this.canvas || event.ctrlKey || event.metaKey || event.altKey) return;
    const { player, clock } = this.board;
    const [low, high] = this.range();
    const step = (high - low) / clock.factor / 100;
    const actions: Record<string, () => void> = {
      ArrowLeft: () => player.seek(player.time - step),
      ArrowRight: () => player.seek(player.time + step),
      Home: () => player.seek(player.begin),
      End: () => player.seek(player.end),
      "+": () => this.zoomBy(0.5),
      "=": () => this.zoomBy(0.5),
      "-": () => this.zoomBy(2),
      "0": () => this.board.zoom(null),
    };
    if (!actions[event.key]) return;
    event.preventDefault();
    actions[event.key]();
  }

  /** About the present time. */
  private zoomBy(factor: number) {
    const { player, clock } = this.board;
    const [begin, end] = [player.begin * clock.factor, player.end * clock.factor];
    const [low, high] = this.range();
    const width = (high - low) * factor;
    if (width >= end - begin) return this.board.zoom(null);
    if (width < (end - begin) / 2000) return;
    const start = Math.min(Math.max(player.time * clock.factor - width / 2, begin), end - width);
    this.board.zoom([start, start + width]);
  }

  /** A click goes to a time; the line of the present time, or a finger anywhere, is dragged. */
  private listen(over: HTMLElement) {
    const chart = this.chart!;
    const { player, clock } = this.board;
    const left = (event: MouseEvent) => event.clientX - over.getBoundingClientRect().left;
    const seek = (event: MouseEvent) => player.seek(chart.posToVal(left(event), "x") / clock.factor);
    const atLine = (event: MouseEvent) => Math.abs(left(event) - chart.valToPos(player.time * clock.factor, "x")) <= GRIP;
    let pressed = NaN;
    const isClick = (event: MouseEvent) => Math.abs(event.clientX - pressed) < CLICK;
    over.addEventListener("pointerdown", (event) => {
      pressed = event.clientX;
      if (event.button !== 0 || !(event.pointerType === "touch" || atLine(event))) return;
      event.preventDefault();
      over.setPointerCapture(event.pointerId);
      this.canvas.focus({ preventScroll: true });
    });
    over.addEventListener("pointermove", (event) => {
      const dragging = over.hasPointerCapture(event.pointerId);
      over.style.cursor = dragging || atLine(event) ? "ew-resize" : "";
      // a finger that scrolls the page goes up or down
      if (dragging && (event.pointerType !== "touch" || !isClick(event))) seek(event);
    });
    over.addEventListener("pointerup", (event) => {
      if (event.button === 0 && isClick(event)) seek(event);
    });
    over.addEventListener("dblclick", () => this.board.zoom(null));
  }
}

function largest(values: Float32Array): number {
  return values.reduce((best, value) => (Math.abs(value) > best ? Math.abs(value) : best), 0);
}

/** Breaks between words only. */
function channelName(name: string): HTMLElement {
  const parts = name.split(/(?<=_)/).flatMap((part, index) => (index === 0 ? [part] : [h("wbr"), part]));
  return h("span", { class: "channel" }, ...parts);
}

function withUnitAtTop(ticks: number[], unit: string): string[] {
  return ticks.map((tick, index) => number(tick) + (index === ticks.length - 1 ? spacedUnit(unit) : ""));
}

/** In the unit that is shown; a missing number is a gap. */
function samples(channel: Channel | undefined, length: number): (number | null)[] {
  if (!channel) return new Array(length).fill(null);
  return Array.from({ length }, (_, k) => (Number.isFinite(channel.values[k]) ? channel.values[k] * channel.factor : null));
}
