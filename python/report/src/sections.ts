// The parts of the page that are text: head, criteria, settings, paper, provenance.
import { h } from "./dom";
import { withUnit, type Clock } from "./format";
import type { Criterion, Setting } from "./payload";
import type { Run } from "./run";
import { isDark, onTheme, toggleTheme } from "./theme";

export function head(title: string, runs: Run[], clock: Clock): HTMLElement {
  const theme = h("button", { type: "button", class: "quiet", click: toggleTheme });
  onTheme(() => (theme.textContent = isDark() ? "Light" : "Dark"));
  theme.setAttribute("aria-label", "Switch between light and dark");
  return h(
    "header",
    {},
    h("div", { class: "title" }, h("h1", {}, title), theme),
    ...runs.map((run, index) => runHead(run, runs.length > 1 ? index : null, clock)),
    contents(runs.some((run) => run.data.scene)),
  );
}

const PARTS = {
  criteria: "Criteria",
  motion: "Motion",
  plots: "Plots",
  paper: "Paper",
  settings: "Settings",
  provenance: "Provenance",
};

function contents(moves: boolean): HTMLElement {
  const parts = Object.entries(PARTS).filter(([id]) => moves || id !== "motion");
  const links = parts.map(([id, name]) => h("a", { href: `#${id}` }, name));
  return h("nav", { "aria-label": "Parts of the report" }, ...links);
}

function runHead(run: Run, index: number | null, clock: Clock): HTMLElement {
  const { data } = run;
  return h(
    "div",
    { class: "run-head" },
    h(
      "p",
      { class: "facts" },
      index !== null && h("i", { class: `swatch ${index === 0 ? "first" : "second"}` }),
      index !== null && h("strong", {}, data.label),
      h("span", {}, data.model),
      data.case && h("span", {}, data.case.title || data.case.name),
      status(run, clock),
    ),
    data.case?.text && h("p", { class: "case" }, data.case.text),
  );
}

function status(run: Run, clock: Clock): HTMLElement {
  const { status, reached } = run.data;
  const at = clock.text(reached ?? run.end);
  if (run.complete) return h("span", { class: "status good" }, `✓ complete, ${at}`);
  const why = status === "interrupted" ? `interrupted at ${at}` : `stopped at ${at}: ${status}`;
  return h("span", { class: "status bad" }, `⚠ ${why}; what follows is the part until then`);
}

export function criteria(runs: Run[]): HTMLElement {
  const section = h(
    "section",
    { class: "criteria", id: "criteria", "aria-label": "Injury criteria" },
    h("h2", {}, "Injury criteria"),
  );
  const names = [...new Set(runs.flatMap((run) => (run.data.criteria ?? []).map((each) => each.name)))];
  if (names.length === 0) {
    section.append(h("p", { class: "note" }, "This run has no injury criteria."));
    return section;
  }
  section.append(
    h("div", { class: "criteria-head", "aria-hidden": "true" }, h("span", {}, "0"), h("span", {}, "limit")),
    h("ul", {}, ...names.map((name) => criterion(name, runs))),
  );
  return section;
}

function criterion(name: string, runs: Run[]): HTMLElement {
  const entries = runs.map((run) => (run.data.criteria ?? []).find((each) => each.name === name) ?? null);
  const known = entries.find(Boolean)!;
  const tip = [known.meaning, known.source && `Source: ${known.source}`].filter(Boolean).join(" ");
  const id = `meaning-${name.replace(/\W+/g, "-")}`;
  const label = [name, known.only ? h("small", {}, `for ${known.only}`) : null];
  return h(
    "li",
    {},
    h(
      "div",
      { class: "name" },
      tip ? h("button", { type: "button", class: "term", "aria-describedby": id }, ...label) : h("span", {}, ...label),
      tip ? h("div", { class: "tip", role: "tooltip", id }, tip) : null,
    ),
    h("div", { class: "measures" }, ...entries.map((entry, index) => measure(entry, runs.length > 1 ? index : null))),
  );
}

/** The bar ends at 125 % of the limit; what is beyond is cut and says so. */
const BEYOND = 1.25;
/** A smaller share of the limit is shown as 0. */
const ROUNDING = 1e-6;

function measure(entry: Criterion | null, index: number | null): HTMLElement {
  const mark = index === null ? null : h("i", { class: `swatch ${index === 0 ? "first" : "second"}` });
  const value = entry?.value ?? NaN;
  if (!entry || !Number.isFinite(value)) {
    return h(
      "div",
      { class: "measure" },
      mark,
      h("span", { class: "bar none" }),
      h("span", { class: "value" }, "–"),
      h("span", { class: "share" }, "not available"),
    );
  }
  const limited = entry.limit !== null && entry.limit !== undefined && entry.limit !== 0;
  const share = limited ? (entry.share ?? Math.abs(value / entry.limit!)) : NaN;
  const verdict = !limited ? "none" : share > 1 ? "above" : share >= 0.8 ? "near" : "within";
  const shown = share < ROUNDING ? 0 : value;
  const words = { none: "no limit", above: "above limit", near: "near limit", within: "within" }[verdict];
  const bar = h("span", { class: `bar ${verdict}`, "aria-hidden": "true" });
  if (limited) {
    const fill = h("i", { class: share > BEYOND ? "fill cut" : "fill" });
    fill.style.width = `${(100 * Math.min(share, BEYOND)) / BEYOND}%`;
    bar.append(fill, h("i", { class: "limit" }));
  }
  return h(
    "div",
    { class: "measure" },
    mark,
    bar,
    h("span", { class: "value" }, withUnit(shown, entry.unit)),
    h("span", { class: "of" }, limited ? `of ${withUnit(entry.limit, entry.unit)}` : ""),
    h(
      "span",
      { class: `share ${verdict}` },
      !limited ? words : share < 10 ? `${percent(share)}, ${words}` : `${Math.round(share)} times the limit`,
    ),
  );
}

function percent(share: number): string {
  const value = share < ROUNDING ? 0 : 100 * share;
  return `${value >= 10 ? Math.round(value) : Number(value.toPrecision(1))} %`;
}

export function settings(runs: Run[]): HTMLElement {
  const rows = merged(runs, (run) => (run.data.settings ?? []).map((setting) => [setting.name, settingText(setting)]));
  return table(
    "Settings",
    "What was set for this run; everything else had its default.",
    "All parameters had their defaults.",
    rows,
    runs,
  );
}

function settingText({ value, unit, display }: Setting): string {
  if (display) return display;
  return typeof value === "number" ? withUnit(value, unit) : String(value ?? "–");
}

export function provenance(runs: Run[]): HTMLElement {
  const rows = merged(runs, (run) => run.data.provenance ?? []);
  return table("Provenance", "What this result was made with.", "The run says nothing of where it comes from.", rows, runs);
}

/** One row a name, one cell a run. */
function merged(runs: Run[], entries: (run: Run) => [string, string][]): { name: string; cells: string[] }[] {
  const maps = runs.map((run) => new Map(entries(run)));
  const names = [...new Set(maps.flatMap((map) => [...map.keys()]))];
  return names.map((name) => ({ name, cells: maps.map((map) => map.get(name) ?? "–") }));
}

function table(
  title: string,
  lead: string,
  empty: string,
  rows: { name: string; cells: string[] }[],
  runs: Run[],
): HTMLElement {
  const section = h("section", { class: "facts-table", id: title.toLowerCase() }, h("h2", {}, title));
  if (rows.length === 0) {
    section.append(h("p", { class: "note" }, empty));
    return section;
  }
  const comparing = runs.length > 1;
  section.append(
    h("p", { class: "lead" }, comparing ? `${lead} Rows marked ≠ differ.` : lead),
    h(
      "table",
      {},
      comparing && h("thead", {}, h("tr", {}, h("td"), ...runs.map((run) => h("th", { scope: "col" }, run.data.label)))),
      h(
        "tbody",
        {},
        ...rows.map(({ name, cells }) => {
          const differs = new Set(cells).size > 1;
          return h(
            "tr",
            { class: differs ? "differs" : null },
            h("th", { scope: "row" }, differs ? `${name} ≠` : name),
            ...cells.map((cell) => h("td", {}, cell)),
          );
        }),
      ),
    ),
  );
  return section;
}

/** Letters of a value that stays on one line. */
const SHORT = 16;

export function published(runs: Run[]): HTMLElement {
  const section = h("section", { class: "published", id: "paper" }, h("h2", {}, "The paper and this run"));
  const whats = [...new Set(runs.flatMap((run) => (run.data.published ?? []).map((each) => each.what)))];
  if (whats.length === 0) {
    section.append(h("p", { class: "note" }, "No paper states results for this run."));
    return section;
  }
  const columns = ["Quantity", "Paper", ...runs.map((run) => (runs.length > 1 ? run.data.label : "Here")), "Note"];
  const rows = whats.map((what) => {
    const entries = runs.map((run) => (run.data.published ?? []).find((each) => each.what === what));
    const known = entries.find(Boolean)!;
    const cells = [known.paper ?? "–", ...entries.map((entry) => entry?.here ?? "–"), known.note ?? ""];
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, what),
      ...cells.map((cell, index) =>
        h("td", { "data-column": columns[index + 1], class: cell.length <= SHORT ? "short" : null }, cell),
      ),
    );
  });
  section.append(
    h(
      "table",
      {},
      h("thead", {}, h("tr", {}, ...columns.map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, ...rows),
    ),
  );
  return section;
}

export function nothing(): HTMLElement {
  return h(
    "main",
    {},
    h("h1", {}, "spondyl report"),
    h("p", { class: "note" }, "This page holds no data. “spondyl report” writes a page with the data of a run."),
  );
}
