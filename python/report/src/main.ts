// Puts the page together from the data that it carries.
import "uplot/dist/uPlot.min.css";
import "./style.css";
import { animation } from "./animation";
import { h } from "./dom";
import { clockFor } from "./format";
import type { Payload } from "./payload";
import { Player } from "./player";
import { PlotBoard } from "./plots";
import { Run } from "./run";
import * as sections from "./sections";

const payload = JSON.parse(document.getElementById("payload")!.textContent!) as Payload | null;
if (payload && payload.runs.length > 0) show(payload);
else document.body.append(sections.nothing());

function show({ title, runs: data }: Payload) {
  document.title = title;
  const runs = data.map((each) => new Run(each));
  const player = new Player(Math.min(...runs.map((run) => run.begin)), Math.max(...runs.map((run) => run.end)));
  const clock = clockFor(player.duration);
  const board = new PlotBoard(runs, player, clock);
  document.body.append(
    sections.head(title, runs, clock),
    h(
      "main",
      {},
      sections.criteria(runs),
      h("div", { class: "views-of-run" }, animation(runs, player, clock), board.element),
      h("div", { class: "about" }, sections.published(runs), sections.settings(runs), sections.provenance(runs)),
    ),
  );
  addEventListener("keydown", (event) => press(event, player));
}

/** Keys that work wherever nothing else wants them. */
function press(event: KeyboardEvent, player: Player) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  const target = event.target as Element;
  const wanted = target.closest("input:not([type=range]), select, button, textarea, summary, a");
  if (event.key === " " && !wanted) {
    event.preventDefault();
    player.toggle();
  }
  const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1 };
  if (target === document.body && steps[event.key]) player.seek(player.time + (steps[event.key] * player.duration) / 100);
}
