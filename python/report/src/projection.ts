// Shapes as they are seen from one side: paths and ellipses of SVG.
import type { Vector } from "./payload";
import { dot } from "./scene";

export type ViewName = "side" | "front" | "top";

export interface View {
  right: Vector;
  up: Vector;
  away: Vector;
}

/** right and up on the paper, and away from the eye */
export const VIEWS: Record<ViewName, View> = {
  side: { right: [1, 0, 0], up: [0, 0, 1], away: [0, 1, 0] },
  front: { right: [0, 1, 0], up: [0, 0, 1], away: [-1, 0, 0] },
  top: { right: [1, 0, 0], up: [0, 1, 0], away: [0, 0, -1] },
};

export function outline(points: [number, number][]): string {
  return `M${points.map(([x, z]) => `${x} ${z}`).join("L")}Z`;
}

/** The outline of a capsule, or of a ball, from its ends and its radius on paper. */
export function stadium([x1, y1]: [number, number], [x2, y2]: [number, number], radius: number): string {
  const length = Math.hypot(x2 - x1, y2 - y1);
  const [nx, ny] = length > 1e-6 ? [(-(y2 - y1) / length) * radius, ((x2 - x1) / length) * radius] : [0, radius];
  const r = radius.toFixed(2);
  const at = (x: number, y: number) => `${x.toFixed(2)} ${y.toFixed(2)}`;
  return `M${at(x1 + nx, y1 + ny)}A${r} ${r} 0 0 1 ${at(x1 - nx, y1 - ny)}L${at(x2 - nx, y2 - ny)}A${r} ${r} 0 0 1 ${at(x2 + nx, y2 + ny)}Z`;
}

/**
 * The ellipse that an ellipsoid shows: the matrix sum of a_k^2 e_k e_k^T, seen in the plane of the paper, has the squares
 * of its half axes as eigenvalues. The turn counts from right to up.
 */
export function shadow(frame: [Vector, Vector, Vector], semiAxes: Vector, right: Vector, up: Vector) {
  let [a, b, c] = [0, 0, 0];
  frame.forEach((axis, k) => {
    const [u, v] = [dot(axis, right) * semiAxes[k], dot(axis, up) * semiAxes[k]];
    a += u * u;
    b += u * v;
    c += v * v;
  });
  const [mean, radius] = [(a + c) / 2, Math.hypot((a - c) / 2, b)];
  return {
    major: Math.sqrt(mean + radius),
    minor: Math.sqrt(Math.max(mean - radius, 0)),
    turn: Math.atan2(2 * b, a - c) / 2,
  };
}

/** The corners of the smallest convex polygon around points, in order (Andrew's chains). */
export function hull(points: [number, number][]): [number, number][] {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const chain = (along: [number, number][]) => {
    const kept: [number, number][] = [];
    for (const point of along) {
      while (kept.length > 1 && !turnsLeft(kept[kept.length - 2], kept[kept.length - 1], point)) kept.pop();
      kept.push(point);
    }
    return kept.slice(0, -1);
  };
  return [...chain(sorted), ...chain(sorted.reverse())];
}

function turnsLeft(a: [number, number], b: [number, number], c: [number, number]): boolean {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) > 0;
}
