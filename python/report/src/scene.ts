// Where everything of a run is at a time. Drawings only draw what is computed here.
import type { Anchor, BodyData, Quantity, ShapeData, Vector } from "./payload";
import type { Place, Run } from "./run";

/** w, x, y, z */
export type Quaternion = [number, number, number, number];

export interface Pose {
  position: Vector;
  rotation: Quaternion;
}

/** A body whose channels are missing at that time has no pose; what hangs on it is left out, too. */
export interface Frame {
  bodies: (Pose | null)[];
  links: ({ from: Vector; to: Vector; force: number } | null)[];
  marks: ({ at: Vector; force: number; vector: Vector | null } | null)[];
  planes: ({ point: Vector; normal: Vector; force: number; vector: Vector | null; foot: Vector | null } | null)[];
}

export function frameAt(run: Run, time: number): Frame {
  const scene = run.data.scene!;
  const place = run.place(time);
  const bodies = scene.bodies.map((body) => poseOf(run, body, place));
  const names = new Map(scene.bodies.map((body, index) => [body.name, bodies[index]]));
  const located = ({ body, point }: Anchor): Vector | null => {
    if (body === null || body === undefined) return point;
    const pose = names.get(body);
    return pose ? transformed(pose, point) : null;
  };
  const size = (channels: string[]) => Math.hypot(...channels.map((name) => run.value(name, place)));
  const components = (channels: string[]): Vector | null => {
    const values = channels.map((name) => run.value(name, place));
    if (!values.every(Number.isFinite)) return null;
    return values.length === 3 ? (values as Vector) : values.length === 2 ? [values[0], 0, values[1]] : null;
  };
  const marks = (scene.marks ?? []).map((mark) => {
    const at = located(mark);
    return at && { at, force: size(mark.force), vector: mark.arrow ? components(mark.force) : null };
  });
  const arrowsAtMarks = hasArrows(run);
  return {
    bodies,
    links: (scene.links ?? []).map((link) => {
      const [from, to] = [located(link.from), located(link.to)];
      return from && to && { from, to, force: link.force ? run.value(link.force, place) : NaN };
    }),
    marks,
    planes: (scene.planes ?? []).map((plane) => {
      const point = vector(run, plane.point, place);
      const normal = unit(vector(run, plane.normal, place));
      if (![...point, ...normal].every(Number.isFinite)) return null;
      const force = plane.force ? size(plane.force) : NaN;
      // only the sum of the forces is known: it is drawn where a body is deepest, unless marks show each contact
      const pushed = plane.force && force > 0 && !arrowsAtMarks;
      const foot = pushed ? deepest(scene.bodies, bodies, point, normal) : null;
      return { point, normal, force, vector: plane.force ? components(plane.force) : null, foot };
    }),
  };
}

/** Whether marks show every contact by an arrow of its own. */
export function hasArrows(run: Run): boolean {
  return (run.data.scene?.marks ?? []).some((mark) => mark.arrow);
}

/** Below this part of the largest force of the run, a force is the rounding of none. */
const NOISE = 1e-6;

/** A force relative to the largest one of the run, without sign; 0 for none and for what is not known. */
export function shareOf(force: number, largest: number): number {
  const share = Math.abs(force) / largest;
  return share >= NOISE ? share : 0;
}

/** A link pushes when its force is below minus this part of the largest force. */
export const PUSHING = 1e-3;

/** The largest forces of the run: what the colours and sizes are relative to. */
export function largestForces(run: Run): { links: number; contacts: number; pushes: boolean } {
  const scene = run.data.scene;
  const largest = { links: 0, contacts: 0, pushes: false };
  if (!scene) return largest;
  const samples = (channels: string[]) => channels.map((name) => run.channels.get(name)?.values);
  const peak = (channels: string[]) => {
    const values = samples(channels);
    let best = 0;
    for (let i = 0; i < run.time.length; ++i) {
      const force = Math.hypot(...values.map((list) => list?.[i] ?? NaN));
      if (force > best) best = force;
    }
    return best;
  };
  const forces = (scene.links ?? []).flatMap((link) => link.force ?? []);
  for (const force of forces) largest.links = Math.max(largest.links, peak([force]));
  largest.pushes = samples(forces).some((values) => values?.some((value) => value < -PUSHING * largest.links));
  for (const mark of scene.marks ?? []) largest.contacts = Math.max(largest.contacts, peak(mark.force));
  if (hasArrows(run)) return largest; // what acts on planes is their sum, and not drawn
  for (const plane of scene.planes ?? []) if (plane.force) largest.contacts = Math.max(largest.contacts, peak(plane.force));
  return largest;
}

function poseOf(run: Run, body: BodyData, place: Place): Pose | null {
  const position = vector(run, body.position, place);
  const rotation = rotationOf(run, body, place);
  return [...position, ...rotation].every(Number.isFinite) ? { position, rotation } : null;
}

function rotationOf(run: Run, body: BodyData, place: Place): Quaternion {
  if (body.orientation) return orientation(run, body.orientation, place);
  if (body.angle === null || body.angle === undefined) return [1, 0, 0, 0];
  const half = (run.value(body.angle, place) - (body.angle_zero ?? 0)) / 2;
  return [Math.cos(half), 0, Math.sin(half), 0];
}

/** The four parameters between two samples: on the chord of the shorter arc, made a unit again. */
function orientation(run: Run, parameters: Quantity[], { index, fraction }: Place): Quaternion {
  const sample = (at: number) => parameters.map((name) => run.value(name, { index: at, fraction: 0 })) as Quaternion;
  const first = sample(index);
  if (fraction === 0) return normalised(first);
  const second = sample(index + 1);
  const sign = first.reduce((sum, value, k) => sum + value * second[k], 0) < 0 ? -1 : 1;
  return normalised(first.map((value, k) => value * (1 - fraction) + sign * second[k] * fraction) as Quaternion);
}

function normalised(q: Quaternion): Quaternion {
  const length = Math.hypot(...q);
  return q.map((value) => value / length) as Quaternion;
}

function vector(run: Run, quantities: Quantity[], place: Place): Vector {
  return quantities.map((quantity) => run.value(quantity, place)) as Vector;
}

function unit(v: Vector): Vector {
  const length = Math.hypot(...v);
  return v.map((value) => value / length) as Vector;
}

/** The columns of the rotation matrix: where the body's axes point. */
export function axes([w, x, y, z]: Quaternion): [Vector, Vector, Vector] {
  return [
    [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
    [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
    [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)],
  ];
}

export function transformed(pose: Pose, point: Vector): Vector {
  const [e1, e2, e3] = axes(pose.rotation);
  return [0, 1, 2].map(
    (k) => pose.position[k] + e1[k] * point[0] + e2[k] * point[1] + e3[k] * point[2],
  ) as Vector;
}

export function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/** The point of a shape that is farthest in a direction (a unit vector). */
export function support(pose: Pose, shape: ShapeData, direction: Vector): Vector {
  const farther = (a: Vector, b: Vector) => (dot(b, direction) > dot(a, direction) ? b : a);
  switch (shape.kind) {
    case "polygon":
      return shape.points.map(([x, z]) => transformed(pose, [x, 0, z])).reduce(farther);
    case "capsule": {
      const end = [shape.from, shape.to].map((point) => transformed(pose, point)).reduce(farther);
      return end.map((value, k) => value + shape.radius * direction[k]) as Vector;
    }
    case "prism":
      return corners(shape).map((corner) => transformed(pose, corner)).reduce(farther);
    case "ellipsoid": {
      const along = axes(pose.rotation).map((axis, k) => shape.semi_axes[k] * dot(axis, direction));
      const length = Math.hypot(...along);
      const offset = along.map((value, k) => shape.centre[k] + (shape.semi_axes[k] * value) / length) as Vector;
      return transformed(pose, offset);
    }
  }
}

/** Of both end faces, in the axes of the body. */
export function corners({ axis, points, from, to }: Extract<ShapeData, { kind: "prism" }>): Vector[] {
  return [from, to].flatMap((end) => points.map(([a, b]): Vector => (axis === "y" ? [a, end, b] : [a, b, end])));
}

function deepest(bodies: BodyData[], poses: (Pose | null)[], point: Vector, normal: Vector): Vector | null {
  const inwards = normal.map((value) => -value) as Vector;
  let best: Vector | null = null;
  bodies.forEach((body, index) => {
    const pose = poses[index];
    // a body that never moves, such as the base, touches nothing
    if (!pose || body.position.every((quantity) => typeof quantity === "number")) return;
    for (const shape of body.shapes) {
      const candidate = support(pose, shape, inwards);
      if (!best || dot(candidate, inwards) > dot(best, inwards)) best = candidate;
    }
  });
  return best && dot(best, inwards) > dot(point, inwards) - 0.02 ? best : null;
}

/** The smallest and largest coordinates that the bodies reach in the run. */
export function extent(runs: Run[]): { low: Vector; high: Vector } | null {
  const low: Vector = [Infinity, Infinity, Infinity];
  const high: Vector = [-Infinity, -Infinity, -Infinity];
  for (const run of runs) {
    const instants = 60;
    for (let k = 0; k <= instants; ++k) {
      const frame = frameAt(run, run.begin + ((run.end - run.begin) * k) / instants);
      run.data.scene!.bodies.forEach((body, index) => {
        const pose = frame.bodies[index];
        if (!pose) return;
        for (const shape of body.shapes) {
          for (let axis = 0; axis < 3; ++axis) {
            const direction = [0, 1, 2].map((other) => (other === axis ? 1 : 0)) as Vector;
            const opposite = direction.map((value) => -value) as Vector;
            high[axis] = Math.max(high[axis], support(pose, shape, direction)[axis]);
            low[axis] = Math.min(low[axis], support(pose, shape, opposite)[axis]);
          }
        }
      });
      for (const link of frame.links) {
        for (const end of link ? [link.from, link.to] : []) {
          end.forEach((value, axis) => {
            high[axis] = Math.max(high[axis], value);
            low[axis] = Math.min(low[axis], value);
          });
        }
      }
    }
  }
  return low.every(Number.isFinite) ? { low, high } : null;
}
