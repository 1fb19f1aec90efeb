// The parts that compute: samples between samples, poses, shadows of ellipsoids, numbers as text, tables.
import assert from "node:assert/strict";
import { test } from "node:test";
import { csv } from "../src/csv";
import { clockFor, likePeak, number, roundBelow, unitText, withUnit } from "../src/format";
import type { RunData, SceneData, Vector } from "../src/payload";
import { hull, shadow } from "../src/projection";
import { Run } from "../src/run";
import { axes, dot, frameAt, largestForces, shareOf, support, transformed, type Pose } from "../src/scene";

const base64 = (list: Float32Array | Float64Array) => Buffer.from(list.buffer).toString("base64");

function run(time: number[], channels: Record<string, number[]>, scene?: SceneData): Run {
  const data: RunData = {
    label: "a, b",
    model: "M",
    status: "complete",
    time: base64(Float64Array.from(time)),
    channels: Object.entries(channels).map(([name, values]) => ({
      name,
      unit: "rad",
      display_unit: "deg",
      factor: 180 / Math.PI,
      values: base64(Float32Array.from(values)),
    })),
    scene,
  };
  return new Run(data);
}

const near = (actual: number[], expected: number[]) => {
  actual.forEach((value, k) => assert.ok(Math.abs(value - expected[k]) < 1e-6, `${actual} is not ${expected}`));
};

test("values lie on the line between samples, and stay at the ends", () => {
  const one = run([0.1, 0.3, 0.7], { a: [1, 2, 4] });
  near([0, 0.1, 0.2, 0.5, 0.7, 9].map((time) => one.value("a", one.place(time))), [1, 1, 1.5, 3, 4, 4]);
});

test("of two samples at one time the later counts", () => {
  const one = run([0, 0.2, 0.2, 0.5], { a: [1, 1, 5, 8] });
  near([0.1, 0.2, 0.3].map((time) => one.value("a", one.place(time))), [1, 5, 6]);
});

test("what is missing is not a number", () => {
  const one = run([0, 1], { a: [2, NaN] });
  assert.equal(one.value("a", one.place(0)), 2);
  assert.ok(Number.isNaN(one.value("a", one.place(0.5))));
  assert.ok(Number.isNaN(one.value("b", one.place(0.5))));
  assert.ok(Number.isNaN(run([], {}).value("a", run([], {}).place(0))));
});

test("a planar body leans forward with its angle", () => {
  const scene: SceneData = {
    dimension: 2,
    bodies: [{ name: "head", position: ["x", 0, 0.4], angle: "turn", angle_zero: 0.2, shapes: [] }],
    links: [{ label: "l", from: { body: "head", point: [0, 0, 0.3] }, to: { body: null, point: [7, 0, 8] }, force: "f" }],
  };
  const one = run([0, 1], { x: [0.1, 0.5], turn: [0.2, 0.2 + Math.PI / 2], f: [-3, 2] }, scene);
  const { links } = frameAt(one, 1);
  near(links[0]!.from, [0.8, 0, 0.4]); // what was above the centre is now before it
  near(links[0]!.to, [7, 0, 8]);
  assert.ok(Math.abs(links[0]!.force - 2) < 1e-6);
  assert.deepEqual({ ...largestForces(one) }, { links: 3, contacts: 0, pushes: true });
});

test("orientations turn on the shorter way, also between q and -q", () => {
  const half = 0.35;
  const scene: SceneData = { dimension: 3, bodies: [{ name: "b", position: [0, 0, 0], orientation: ["w", 0, 0, "z"], shapes: [] }] };
  const one = run([0, 1], { w: [1, -Math.cos(half)], z: [0, -Math.sin(half)] }, scene);
  const { rotation } = frameAt(one, 0.5).bodies[0]!;
  near([...rotation], [Math.cos(half / 2), 0, 0, Math.sin(half / 2)]);
});

test("a shape of an unknown kind is left out and named", () => {
  const shapes = [{ kind: "cone", radius: 2 }, { kind: "capsule", from: [0, 0, 0], to: [1, 0, 0], radius: 0.5 }];
  const scene = { dimension: 3, bodies: [{ name: "b", position: [0, 0, 0], shapes }] } as unknown as SceneData;
  const one = run([0], {}, scene);
  assert.deepEqual(one.data.scene!.bodies[0].shapes.map((shape) => shape.kind), ["capsule"]);
  assert.deepEqual(one.unknownShapes, ["b (cone)"]);
});

test("a force that is the rounding of none has no share", () => {
  assert.deepEqual([shareOf(-3, 12), shareOf(1.9e-16, 12), shareOf(NaN, 12), shareOf(0, 0)], [0.25, 0, 0, 0]);
});

test("a body without its channels has no pose", () => {
  const scene: SceneData = { dimension: 3, bodies: [{ name: "b", position: ["gone", 0, 0], shapes: [] }], marks: [{ label: "m", body: "b", point: [0, 0, 0], force: ["f"] }] };
  const frame = frameAt(run([0, 1], { f: [1, 1] }, scene), 0.5);
  assert.deepEqual([frame.bodies[0], frame.marks[0]], [null, null]);
});

const tilted: Pose = { position: [0.3, -0.2, 0.7], rotation: [0.5, -0.1, 0.7, 0.5] };

test("the support point of an ellipsoid is on it, and no other point is farther", () => {
  const direction: Vector = [2 / 7, 3 / 7, 6 / 7];
  const shape = { kind: "ellipsoid", centre: [0.1, 0, -0.2], semi_axes: [0.3, 0.15, 0.6] } as const;
  const best = dot(support(tilted, { ...shape, centre: [0.1, 0, -0.2], semi_axes: [0.3, 0.15, 0.6] }, direction), direction);
  let highest = -Infinity;
  for (let u = 0; u < 200; ++u) {
    for (let v = 0; v <= 200; ++v) {
      const [a, b] = [(2 * Math.PI * u) / 200, (Math.PI * v) / 200];
      const point = [Math.sin(b) * Math.cos(a), Math.sin(b) * Math.sin(a), Math.cos(b)];
      const local = point.map((value, k) => shape.centre[k] + shape.semi_axes[k] * value) as Vector;
      highest = Math.max(highest, dot(transformed(tilted, local), direction));
    }
  }
  assert.ok(best >= highest - 1e-12 && best < highest + 1e-3);
});

test("a prism reaches from one end face to the other, whichever its axis", () => {
  const still: Pose = { position: [0.3, -0.2, 0.7], rotation: [1, 0, 0, 0] };
  const shape = { kind: "prism", points: [[0, 0], [0.5, 0.1], [0.2, 0.4]], from: -0.3, to: 0.9 } as const;
  const far = (axis: "y" | "z", direction: Vector) => dot(support(still, { ...shape, axis, points: [...shape.points].map(([a, b]) => [a, b]) }, direction), direction);
  near([far("z", [0, 0, 1])], [0.7 + 0.9]);
  near([far("z", [0, 1, 0])], [-0.2 + 0.4]);
  near([far("y", [0, -1, 0])], [0.2 + 0.3]);
  near([far("y", [0, 0, 1])], [0.7 + 0.4]);
});

test("the hull of points keeps the outer ones, in order", () => {
  const corners: [number, number][] = [[0, 0], [3, 0], [3, 2], [1, 4]];
  assert.deepEqual(hull([[1, 1], ...corners, [2, 1], [1.5, 0]]), corners);
});

test("the shadow of an ellipsoid reaches as far as the ellipsoid in every direction of the paper", () => {
  const semi: Vector = [0.3, 0.15, 0.6];
  const { major, minor, turn } = shadow(axes(tilted.rotation), semi, [1, 0, 0], [0, 0, 1]);
  for (const angle of [0, 0.4, 1.1, 2.3]) {
    const reach = Math.hypot(major * Math.cos(angle - turn), minor * Math.sin(angle - turn));
    const direction: Vector = [Math.cos(angle), 0, Math.sin(angle)];
    const body = { position: [0, 0, 0] as Vector, rotation: tilted.rotation };
    near([reach], [dot(support(body, { kind: "ellipsoid", centre: [0, 0, 0], semi_axes: semi }, direction), direction)]);
  }
});

test("numbers and units as people read them", () => {
  assert.deepEqual([number(-12.3456), number(0), number(NaN), number(2.5e-7)], ["−12.35", "0", "–", "2.50e−7"]);
  assert.deepEqual([[1.26, 87], [-1e-12, 87], [-3, 0.2], [12, 4321], [NaN, 1]].map(([value, peak]) => likePeak(value, peak)), ["1.26", "0.00", "−3.0000", "12", "–"]);
  assert.deepEqual(["m/s2", "N.m", "deg", "1"].map(unitText), ["m/s²", "N·m", "°", ""]);
  assert.deepEqual([withUnit(3, "N"), withUnit(3, "deg"), withUnit(null, "N")], ["3 N", "3°", "–"]);
  assert.deepEqual([clockFor(0.3).text(0.12), clockFor(10).text(1.234)], ["120 ms", "1.23 s"]);
  assert.deepEqual([0.07, 0.2, 3.4].map(roundBelow), [0.05, 0.2, 2]);
});

test("a table of two runs has all times, and gaps where a run has none", () => {
  const [one, two] = [run([0, 1], { a: [0, Math.PI] }), run([0.5, 1], { a: [0, Math.PI / 2] })];
  const rows = csv([one, two], ["a"]).split("\r\n");
  assert.equal(rows[0], 'time [s],"a, b: a [deg]","a, b: a [deg]"');
  assert.deepEqual(rows.slice(1, 4), ["0,0,", "0.5,,0", "1,180.00001,90.000003"]);
});
