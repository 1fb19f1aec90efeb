"""Draws the figures and fills the tables of docs/solvers.md from what scripts/benchmark has measured.

solver_report.py <folder with the CSV files> <docs/solvers.md>: a table stands between <!-- begin name --> and
<!-- end name -->, figures go to the folder of the same name as the page. What was not measured stays as it is.
"""

import csv
import math
import pathlib
import re
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import matplotlib.ticker

COLOURS = {"radau": "#0b6e99", "mebdf": "#c7511f", "ida": "#5a8f29"}
MARKERS = {"radau": "o", "mebdf": "s", "ida": "^"}


def read(file):
    with open(file) as lines:
        return list(csv.DictReader(lines))


def read_section(file, title):
    """One of several tables in a file, each behind a line '# title'."""
    lines, found = [], False
    for line in open(file):
        if line.startswith("# "):
            found = line[2:].startswith(title)
        elif found:
            lines.append(line)
    return list(csv.DictReader(lines))


def processor():
    for line in open("/proc/cpuinfo"):
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return "unknown processor"


def unique(items):
    return list(dict.fromkeys(items))


def at_error(points, target, value):
    """(value at which the error becomes smaller than target for good, sign), interpolated in logarithms. If the loosest
    setting is better already, the sign is '≤' and the value the least of all settings. None: not reached."""
    points = sorted(points, key=lambda p: p["order"])
    for loose, tight in zip(points[-2::-1], points[:0:-1]):
        if loose["error"] >= target > tight["error"]:
            share = math.log(loose["error"] / target) / math.log(loose["error"] / tight["error"])
            return loose[value] * (tight[value] / loose[value]) ** share, ""
    if points[0]["error"] < target:
        return min(p[value] for p in points if p["error"] < target), "≤ "
    return None


def table(heads, rows):
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows])


def shown(found, scale=1.0):
    if found is None:
        return "not reached"
    return found[1] + f"{scale * found[0]:.3g}"


def ratio(x):
    """Two digits."""
    return f"{x:.1f}" if x < 10 else f"{float(f'{x:.2g}'):.0f}"


# -- all solvers on all problems


def solver_points(rows):
    for row in rows:
        for key in ("tolerance", "error", "seconds", "steps"):
            row[key] = float(row[key])
        row["order"] = -row["tolerance"]
    return rows


def draw_work_precision(rows, value, label, file):
    problems, solvers = unique(r["problem"] for r in rows), unique(r["solver"] for r in rows)
    columns = 4
    figure, axes = plt.subplots(math.ceil(len(problems) / columns), columns, figsize=(13, 12), layout="constrained")
    for axis, problem in zip(axes.flat, problems):
        for solver in solvers:
            points = [r for r in rows if r["problem"] == problem and r["solver"] == solver]
            if points:
                axis.loglog([p[value] for p in points], [p["error"] for p in points], marker=MARKERS.get(solver, "d"),
                            color=COLOURS.get(solver), markersize=4, linewidth=1.2, label=solver)
        axis.set_title(problem, fontsize=10)
        axis.grid(True, which="major", color="#dddddd", linewidth=0.6)
        axis.tick_params(labelsize=8)
        axis.xaxis.set_minor_formatter(matplotlib.ticker.NullFormatter())
    for axis in list(axes.flat)[len(problems):]:
        axis.set_visible(False)
    figure.supxlabel(label)
    figure.supylabel("error at the end, against |x| + nominal")
    handles, labels = axes.flat[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=len(labels), frameon=False)
    figure.savefig(file, dpi=90)
    plt.close(figure)


def digits_table(rows):
    asked = [1e-4, 1e-6, 1e-8, 1e-10]
    solvers = unique(r["solver"] for r in rows)
    body = []
    for problem in unique(r["problem"] for r in rows):
        line = [problem]
        for solver in solvers:
            for tolerance in asked:
                found = [r for r in rows if r["problem"] == problem and r["solver"] == solver and
                         math.isclose(r["tolerance"], tolerance)]
                line.append(f"{-math.log10(found[0]['error']):.1f}" if found else "–")
        body.append(line)
    return table(["problem"] + [f"{s} {-math.log10(a):.0f}" for s in solvers for a in asked], body)


def work_table(rows):
    solvers = unique(r["solver"] for r in rows)
    body = []
    for problem in unique(r["problem"] for r in rows):
        line = [problem]
        for value, scale in (("seconds", 1e3), ("steps", 1)):
            for solver in solvers:
                points = [r for r in rows if r["problem"] == problem and r["solver"] == solver]
                found = at_error(points, 1e-6, value) if points else None
                line.append(f"{found[1]}{scale * found[0]:.{3 if scale > 1 else 0}f}" if found else "–")
        body.append(line)
    return table(["problem"] + [f"{s}, ms" for s in solvers] + [f"{s}, steps" for s in solvers], body)


# -- the whiplash in all engines


def whiplash_points(folder):
    points = []
    for row in read_section(folder / "whiplash.csv", "Work and precision"):
        points.append({"engine": row["engine"], "setting": row["tolerance"], "seconds": 1e-3 * float(row["time ms"]),
                       "steps": int(row["steps"]), "error": float(row["angle error rad"]),
                       "order": -float(row["tolerance"])})
    for number, row in enumerate(read(folder / "peers.csv")):
        points.append({"engine": row["engine"], "setting": row["setting"], "seconds": float(row["seconds"]),
                       "steps": int(row["steps"]), "error": float(row["error"]), "order": number})
    return points


def whiplash_table(points):
    def of(engine):
        return [p for p in points if p["engine"] == engine]

    own = {target: at_error(of("spondyl radau, equations"), target, "seconds") for target in (1e-4, 1e-6)}
    body = []
    for engine in unique(p["engine"] for p in points):
        line = [engine]
        for target in (1e-4, 1e-6):
            found = at_error(of(engine), target, "seconds")
            line += [shown(found, 1e3), ratio(found[0] / own[target][0]) if found else "–"]
        best = min(of(engine), key=lambda p: p["error"])
        line.append(f"{best['error']:.1e} at {best['setting']}, {1e3 * best['seconds']:.3g} ms")
        body.append(line)
    return table(["engine", "ms at 1e-4 rad", "times Radau", "ms at 1e-6 rad", "times Radau", "smallest error"], body)


def draw_whiplash(points, file):
    figure, axis = plt.subplots(figsize=(9.5, 6), layout="constrained")
    engines = [e for e in unique(p["engine"] for p in points) if "no restart" not in e]
    for number, engine in enumerate(engines):
        of = sorted((p for p in points if p["engine"] == engine), key=lambda p: p["order"])
        ours = engine.startswith("spondyl")
        axis.loglog([1e3 * p["seconds"] for p in of], [p["error"] for p in of], marker="osd^v<>ph*DX"[number % 12],
                    color=plt.get_cmap("tab20")(number % 20), linewidth=2 if ours else 1.2,
                    linestyle="-" if ours else "--", markersize=5, label=engine)
    axis.set_xlabel("processor time of 0.3 s, ms")
    axis.set_ylabel("greatest error of the head angle, rad")
    axis.grid(True, which="major", color="#dddddd", linewidth=0.6)
    figure.legend(loc="outside right upper", frameon=False, fontsize=9)
    figure.savefig(file, dpi=90)
    plt.close(figure)


# -- communication steps


def communication_table(folder, target=1e-6):
    rows = read_section(folder / "communication.csv", "Communication step")
    for row in rows:
        row.update(order=-float(row["tolerance"]), error=float(row["angle error rad"]), seconds=float(row["time ms"]))
    solvers = unique(r["solver"] for r in rows)
    body = []
    for pulse, step in unique((r["pulse"], r["communication ms"]) for r in rows):
        of = [r for r in rows if (r["pulse"], r["communication ms"]) == (pulse, step)]
        found = {s: at_error([r for r in of if r["solver"] == s], target, "seconds") for s in solvers}
        reached = {s: f[0] for s, f in found.items() if f}
        body.append([pulse, step] + [shown(found[s]) for s in solvers] +
                    [min(reached, key=reached.get) if reached else "–", of[0]["held input off by rad"] or "–"])
    return table(["pulse", "communication ms"] + [f"{s}, ms" for s in solvers] + ["fastest", "hold alone, rad"], body)


# -- the whole-body models in all engines


def human_points(rows):
    """The best of all turns, by case."""
    points = {}
    for number, row in enumerate(rows):
        point = points.setdefault((row["case"], row["engine"], row["setting"]),
                                  {"order": number, "seconds": math.inf, **{k: row[k] for k in ("case", "engine", "setting")},
                                   "simulated": float(row["simulated"]), "error": float(row["error"])})
        point["seconds"] = min(point["seconds"], float(row["seconds"]))
    return list(points.values())


def human_table(points):
    body = []
    for case in unique(p["case"] for p in points):
        engines = unique(p["engine"] for p in points if p["case"] == case)
        of = {e: [p for p in points if p["case"] == case and p["engine"] == e] for e in engines}
        for engine in engines:
            line = [case, engine]
            for target in (1e-4, 1e-5):
                found, own = (at_error(of[e], target, "seconds") for e in (engine, "spondyl radau"))
                line += [shown(found, 1e3), ratio(of[engine][0]["simulated"] / found[0]) if found else "–",
                         ratio(found[0] / own[0]) if found and own else "–"]
            best = min(of[engine], key=lambda p: p["error"])
            line.append(f"{best['error']:.1e} at {best['setting']}, {1e3 * best['seconds']:.3g} ms")
            body.append(line)
    return table(["case", "engine", "ms at 1e-4 m", "times real time", "times Radau", "ms at 1e-5 m", "times real time",
                  "times Radau", "smallest error, m"], body)


def draw_human(points, file):
    cases, engines = unique(p["case"] for p in points), unique(p["engine"] for p in points)
    figure, axes = plt.subplots(2, 2, figsize=(11, 8), layout="constrained")
    for axis, case in zip(axes.flat, cases):
        for number, engine in enumerate(engines):
            of = [p for p in points if p["case"] == case and p["engine"] == engine]
            ours = engine.startswith("spondyl")
            axis.loglog([1e3 * p["seconds"] for p in of], [p["error"] for p in of], marker="osd^v<>"[number % 7],
                        color=plt.get_cmap("tab10")(number % 10), linewidth=2 if ours else 1.2,
                        linestyle="-" if ours else "--", markersize=5, label=engine)
            if of:
                axis.set_title(f"{case}, {of[0]['simulated']:g} s", fontsize=10)
        axis.grid(True, which="major", color="#dddddd", linewidth=0.6)
        axis.tick_params(labelsize=8)
    figure.supxlabel("processor time, ms")
    figure.supylabel("greatest distance of a centre of mass from the reference, m")
    handles = {label: handle for axis in axes.flat for handle, label in zip(*axis.get_legend_handles_labels())}
    figure.legend(handles.values(), handles.keys(), loc="outside upper center", ncols=3, frameon=False)
    figure.savefig(file, dpi=90)
    plt.close(figure)


def main():
    folder, page = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    figures = page.with_suffix("")
    figures.mkdir(exist_ok=True)
    tables = {"machine": processor()}
    if (folder / "solvers.csv").exists():
        solvers = solver_points(read(folder / "solvers.csv"))
        draw_work_precision([dict(r, milliseconds=1e3 * r["seconds"]) for r in solvers], "milliseconds",
                            "processor time, ms", figures / "time.png")
        draw_work_precision(solvers, "steps", "accepted steps", figures / "steps.png")
        tables.update(digits=digits_table(solvers), work=work_table(solvers))
    if (folder / "peers.csv").exists():
        whiplash = whiplash_points(folder)
        draw_whiplash(whiplash, figures / "whiplash.png")
        tables["whiplash"] = whiplash_table(whiplash)
    if (folder / "communication.csv").exists():
        tables["communication"] = communication_table(folder)
    if (folder / "human.csv").exists():
        human = human_points(read(folder / "human.csv"))
        draw_human(human, figures / "human.png")
        tables["human"] = human_table(human)
    text = page.read_text()
    for name, content in tables.items():
        text, count = re.subn(rf"(<!-- begin {name} -->\n).*?(<!-- end {name} -->)",
                              lambda m: m[1] + content + "\n" + m[2], text, flags=re.S)
        if count != 1:
            sys.exit(f"{page}: no place for {name}")
    page.write_text(text)
    print(f"{page} and {figures}/*.png are up to date with {', '.join(tables)}")


main()
