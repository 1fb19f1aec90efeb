// Draws scenes as SVG, looked at from one side: planar models, stills of all models, and 3-D without WebGL.
import { contactRamp, linkRamp, type Ramp } from "./colours";
import { svg } from "./dom";
import { roundBelow } from "./format";
import type { ShapeData, Vector } from "./payload";
import { hull, outline, shadow, stadium, VIEWS, type View, type ViewName } from "./projection";
import type { Run } from "./run";
import { axes, corners, dot, extent, frameAt, largestForces, PUSHING, shareOf, transformed, type Frame, type Pose } from "./scene";

/** What is drawn, and what its sizes and colours are relative to: all of the runs at all times. */
export interface Stage {
  runs: Run[];
  largest: { links: number; contacts: number };
  /** Whether a link's force is ever negative, by more than rounding. */
  pushes: boolean;
  box: { low: Vector; high: Vector };
}

export function stageOf(runs: Run[]): Stage {
  const forces = runs.map(largestForces);
  return {
    runs,
    largest: {
      links: Math.max(...forces.map((each) => each.links)),
      contacts: Math.max(...forces.map((each) => each.contacts)),
    },
    pushes: forces.some((each) => each.pushes),
    box: extent(runs) ?? { low: [-1, -1, -1], high: [1, 1, 1] },
  };
}

/** What a drawing of a scene offers, on paper or in space. */
export interface Drawing {
  readonly element: Element;
  show(time: number): void;
  look(view: ViewName): void;
  ghost(visible: boolean): void;
  /** Takes the colours of the present theme. */
  recolour(): void;
}

const MARGIN = 26;
/** In widths of the paper. */
const LARGEST_MARK = 0.017;
const LONGEST_ARROW = 0.2;

export class Drawing2D implements Drawing {
  readonly element = svg("svg", { class: "drawing", role: "img", "aria-label": "Animation of the body" });
  private view = VIEWS.side;
  private scale = 1;
  private width = 0;
  private height = 0;
  private ramps: { links: Ramp; contacts: Ramp } = { links: linkRamp(), contacts: contactRamp() };
  private figures: Figure[] = [];
  private time = 0;
  private ghostVisible = true;

  constructor(
    private readonly stage: Stage,
    private readonly size: { width: number; height: number },
  ) {
    this.lay();
  }

  look(view: ViewName) {
    this.view = VIEWS[view];
    this.lay();
    this.show(this.time);
  }

  ghost(visible: boolean) {
    this.ghostVisible = visible;
    this.element.classList.toggle("without-ghost", !visible);
  }

  recolour() {
    this.ramps = { links: linkRamp(), contacts: contactRamp() };
    this.show(this.time);
  }

  show(time: number) {
    this.time = time;
    this.stage.runs.forEach((run, index) => this.figures[index].show(frameAt(run, time)));
  }

  /** Fits the whole run into the paper and makes the elements anew. */
  private lay() {
    const span = (direction: Vector) => {
      const ends = [dot(this.stage.box.low, direction), dot(this.stage.box.high, direction)];
      return { low: Math.min(...ends), high: Math.max(...ends) };
    };
    const [u, v] = [span(this.view.right), span(this.view.up)];
    const free = { width: this.size.width - 2 * MARGIN, height: this.size.height - 2 * MARGIN };
    this.scale = Math.min(free.width / (u.high - u.low || 1), free.height / (v.high - v.low || 1));
    // as wide as given, as high as needed
    this.width = this.size.width;
    this.height = Math.max((v.high - v.low) * this.scale, 0.5 * free.height) + 2 * MARGIN;
    const middle = { u: (u.low + u.high) / 2, v: (v.low + v.high) / 2 };
    this.element.setAttribute("viewBox", `0 0 ${this.width} ${this.height.toFixed(1)}`);
    this.element.replaceChildren();
    const onPaper = (point: Vector): [number, number] => [
      this.width / 2 + (dot(point, this.view.right) - middle.u) * this.scale,
      this.height / 2 - (dot(point, this.view.up) - middle.v) * this.scale,
    ];
    const paper: Paper = {
      view: this.view,
      scale: this.scale,
      width: this.width,
      reach: Math.hypot(this.width, this.height),
      largest: this.stage.largest,
      onPaper,
      ramps: () => this.ramps,
    };
    const ghost = new Figure(this.stage.runs[0], paper, "ghost", true);
    ghost.show(frameAt(this.stage.runs[0], this.stage.runs[0].begin));
    this.figures = this.stage.runs.map((run, index) => new Figure(run, paper, index === 0 ? "first" : "second", false));
    // the second run lies below, so that the first is never hidden
    this.element.append(ghost.element, ...this.figures.map((figure) => figure.element).reverse(), this.ruler());
    this.ghost(this.ghostVisible);
  }

  /** A scale bar of a round length. */
  private ruler(): SVGGElement {
    const length = roundBelow((0.28 * this.width) / this.scale);
    const [x, y] = [12, this.height - 10];
    const end = x + length * this.scale;
    const text = svg("text", { x: end + 6, y: y + 3.5 });
    text.textContent = length >= 1 ? `${length} m` : `${Math.round(length * 1e3)} mm`;
    return svg("g", { class: "ruler" }, svg("path", { d: `M${x} ${y - 4}v4H${end}v-4` }), text);
  }
}

interface Paper {
  view: View;
  scale: number;
  width: number;
  reach: number;
  largest: Stage["largest"];
  onPaper(point: Vector): [number, number];
  ramps(): { links: Ramp; contacts: Ramp };
}

/** The elements of one run. */
class Figure {
  readonly element: SVGGElement;
  private readonly bodies: { group: SVGGElement; shapes: SVGElement[] }[];
  private readonly links: SVGLineElement[];
  private readonly marks: { dot: SVGCircleElement; arrow: SVGPathElement }[];
  private readonly planes: { line: SVGPathElement; arrow: SVGPathElement }[];
  private readonly bodyLayer = svg("g");
  private order = "";

  constructor(
    private readonly run: Run,
    private readonly paper: Paper,
    kind: "ghost" | "first" | "second",
    outlineOnly: boolean,
  ) {
    const scene = run.data.scene!;
    const titled = <Element extends SVGElement>(element: Element, text: string): Element => {
      const title = svg("title");
      title.textContent = text;
      element.append(title);
      return element;
    };
    this.bodies = scene.bodies.map((body) => {
      const shapes = body.shapes.map((shape) => svg(shape.kind === "ellipsoid" ? "ellipse" : "path"));
      body.shapes.forEach((shape, index) => {
        if (shape.kind === "polygon") shapes[index].setAttribute("d", outline(shape.points));
      });
      return { group: titled(svg("g", {}, ...shapes), body.name), shapes };
    });
    this.links = (outlineOnly ? [] : (scene.links ?? [])).map((link) => titled(svg("line"), link.label));
    this.marks = (outlineOnly ? [] : (scene.marks ?? [])).map((mark) => ({
      dot: titled(svg("circle"), mark.label),
      arrow: titled(svg("path"), mark.label),
    }));
    this.planes = (outlineOnly ? [] : (scene.planes ?? [])).map((plane) => ({
      line: titled(svg("path", { class: "plane" }), plane.label),
      arrow: titled(svg("path"), plane.label),
    }));
    this.bodyLayer.append(...this.bodies.map((body) => body.group));
    this.element = svg(
      "g",
      { class: `figure ${kind}` },
      svg("g", {}, ...this.planes.map((plane) => plane.line)),
      this.bodyLayer,
      svg("g", { class: "links" }, ...this.links),
      svg("g", { class: "contacts" }, ...this.marks.map((mark) => mark.dot)),
      svg("g", { class: "arrows" }, ...[...this.planes, ...this.marks].map((each) => each.arrow)),
    );
  }

  show(frame: Frame) {
    this.run.data.scene!.bodies.forEach((body, index) => {
      const pose = frame.bodies[index];
      const { group, shapes } = this.bodies[index];
      group.style.display = pose ? "" : "none";
      if (pose) body.shapes.forEach((shape, k) => this.place(shapes[k], shape, pose));
    });
    this.sort(frame);
    this.links.forEach((line, index) => this.showLink(line, frame.links[index]));
    this.marks.forEach((mark, index) => this.showMark(mark, frame.marks[index]));
    this.planes.forEach((plane, index) => this.showPlane(plane, frame.planes[index]));
  }

  private place(element: SVGElement, shape: ShapeData, pose: Pose) {
    const { view, scale, onPaper } = this.paper;
    switch (shape.kind) {
      case "polygon": {
        const [x, , z] = axes(pose.rotation);
        const entries = [dot(x, view.right), -dot(x, view.up), dot(z, view.right), -dot(z, view.up)];
        const [right, down] = onPaper(pose.position);
        const matrix = entries.map((value) => (value * scale).toFixed(4));
        element.setAttribute("transform", `matrix(${matrix.join(" ")} ${right.toFixed(2)} ${down.toFixed(2)})`);
        return;
      }
      case "ellipsoid": {
        const [x, y] = onPaper(transformed(pose, shape.centre));
        const { major, minor, turn } = shadow(axes(pose.rotation), shape.semi_axes, view.right, view.up);
        element.setAttribute("rx", (major * scale).toFixed(2));
        element.setAttribute("ry", (minor * scale).toFixed(2));
        const degrees = ((-turn * 180) / Math.PI).toFixed(2);
        element.setAttribute("transform", `translate(${x.toFixed(2)} ${y.toFixed(2)}) rotate(${degrees})`);
        return;
      }
      case "capsule":
        element.setAttribute(
          "d",
          stadium(onPaper(transformed(pose, shape.from)), onPaper(transformed(pose, shape.to)), shape.radius * scale),
        );
        return;
      case "prism":
        element.setAttribute("d", outline(hull(corners(shape).map((corner) => onPaper(transformed(pose, corner))))));
    }
  }

  /** What is nearer to the eye is drawn later. */
  private sort(frame: Frame) {
    const depth = frame.bodies.map((pose) => (pose ? dot(pose.position, this.paper.view.away) : 0));
    const sorted = depth.map((_, index) => index).sort((a, b) => depth[b] - depth[a]);
    if (sorted.join() === this.order) return;
    this.order = sorted.join();
    this.bodyLayer.append(...sorted.map((index) => this.bodies[index].group));
  }

  private showLink(line: SVGLineElement, link: Frame["links"][number]) {
    line.style.display = link ? "" : "none";
    if (!link) return;
    const [x1, y1] = this.paper.onPaper(link.from);
    const [x2, y2] = this.paper.onPaper(link.to);
    for (const [name, value] of Object.entries({ x1, y1, x2, y2 })) line.setAttribute(name, value.toFixed(2));
    const share = shareOf(link.force, this.paper.largest.links);
    line.style.stroke = share > 0 ? this.paper.ramps().links(share) : "var(--slack)";
    line.style.strokeDasharray = link.force < -PUSHING * this.paper.largest.links ? "0.1 6" : "";
    line.style.strokeWidth = String(share > 0 ? 1.8 + 3 * share : 1.2);
  }

  private showMark({ dot: circle, arrow }: { dot: SVGCircleElement; arrow: SVGPathElement }, mark: Frame["marks"][number]) {
    const share = mark ? shareOf(mark.force, this.paper.largest.contacts) : 0;
    const visible = mark && share > 0.002;
    circle.style.display = visible && !mark.vector ? "" : "none";
    if (visible && !mark.vector) {
      const [x, y] = this.paper.onPaper(mark.at);
      circle.setAttribute("cx", x.toFixed(2));
      circle.setAttribute("cy", y.toFixed(2));
      // the area says how much
      circle.setAttribute("r", (LARGEST_MARK * this.paper.width * Math.sqrt(share)).toFixed(2));
      circle.style.fill = this.paper.ramps().contacts(share);
    }
    this.showArrow(arrow, visible ? mark.at : null, visible ? mark.vector : null);
  }

  private showPlane({ line, arrow }: { line: SVGPathElement; arrow: SVGPathElement }, plane: Frame["planes"][number]) {
    line.style.display = plane ? "" : "none";
    if (plane) line.setAttribute("d", this.planeLine(plane.point, plane.normal));
    this.showArrow(arrow, plane?.foot ?? null, plane?.vector ?? null);
  }

  /** The line in which the plane cuts the paper, hatched on its inner side. */
  private planeLine(point: Vector, normal: Vector): string {
    const { view, onPaper, reach } = this.paper;
    const [nu, nv] = [dot(normal, view.right), -dot(normal, view.up)];
    const length = Math.hypot(nu, nv);
    if (length < 0.05) return ""; // seen face on
    const [n, t] = [[nu / length, nv / length], [-nv / length, nu / length]];
    const [x, y] = onPaper(point);
    let path = `M${x - reach * t[0]} ${y - reach * t[1]}L${x + reach * t[0]} ${y + reach * t[1]}`;
    for (let s = -reach; s < reach; s += 9) {
      path += `M${x + s * t[0]} ${y + s * t[1]}l${-6 * n[0] - 5 * t[0]} ${-6 * n[1] - 5 * t[1]}`;
    }
    return path;
  }

  private showArrow(arrow: SVGPathElement, at: Vector | null, force: Vector | null) {
    arrow.style.display = at && force ? "" : "none";
    if (!at || !force) return;
    const { view, onPaper, largest, ramps, width } = this.paper;
    const [u, v] = [dot(force, view.right), -dot(force, view.up)];
    const share = Math.hypot(...force) / largest.contacts || 0;
    const long = (LONGEST_ARROW * width * Math.hypot(u, v)) / largest.contacts;
    if (!(long > 0.5)) return arrow.setAttribute("d", "");
    const [x, y] = onPaper(at);
    const [du, dv] = [u / Math.hypot(u, v), v / Math.hypot(u, v)];
    const tip = [x + long * du, y + long * dv];
    const head = Math.min(9, 0.6 * long);
    const side = (sign: number) =>
      `M${tip[0]} ${tip[1]}L${tip[0] - head * du + sign * 0.5 * head * dv} ${tip[1] - head * dv - sign * 0.5 * head * du}`;
    arrow.setAttribute("d", `M${x} ${y}L${tip[0]} ${tip[1]}${side(1)}${side(-1)}`);
    arrow.style.stroke = ramps().contacts(share);
  }
}
