// What the page is given: README.md says what each entry means.

export interface Payload {
  title: string;
  runs: RunData[];
}

export interface RunData {
  label: string;
  model: string;
  case?: { name: string; title?: string; text?: string } | null;
  status: string;
  reached?: number | null;
  settings?: Setting[] | null;
  time: string;
  channels: ChannelData[];
  scene?: SceneData | null;
  criteria?: Criterion[] | null;
  published?: Published[] | null;
  plots?: { title: string; channels: string[] }[] | null;
  provenance?: [string, string][] | null;
}

export interface Setting {
  name: string;
  value?: number | string | boolean | null;
  unit?: string | null;
  display?: string | null;
}

export interface ChannelData {
  name: string;
  unit?: string | null;
  display_unit?: string | null;
  factor?: number | null;
  description?: string | null;
  values: string;
}

export interface Criterion {
  name: string;
  value?: number | null;
  unit?: string | null;
  limit?: number | null;
  share?: number | null;
  /** The impacts that it was made for, if not any. */
  only?: string | null;
  meaning?: string | null;
  source?: string | null;
}

export interface Published {
  what: string;
  paper?: string | null;
  here?: string | null;
  note?: string | null;
}

export type Vector = [number, number, number];
/** A number, or the name of the channel that holds it. */
export type Quantity = number | string;

export interface SceneData {
  dimension: 2 | 3;
  bodies: BodyData[];
  links?: LinkData[] | null;
  marks?: MarkData[] | null;
  planes?: PlaneData[] | null;
}

export type ShapeData =
  | { kind: "polygon"; points: [number, number][] }
  | { kind: "ellipsoid"; centre: Vector; semi_axes: Vector }
  | { kind: "capsule"; from: Vector; to: Vector; radius: number }
  | { kind: "prism"; axis: "y" | "z"; points: [number, number][]; from: number; to: number };

export interface BodyData {
  name: string;
  position: Quantity[];
  angle?: Quantity | null;
  angle_zero?: number | null;
  orientation?: Quantity[] | null;
  shapes: ShapeData[];
}

export interface Anchor {
  body?: string | null;
  point: Vector;
}

export interface LinkData {
  label: string;
  kind?: string | null;
  from: Anchor;
  to: Anchor;
  force?: string | null;
}

export interface MarkData extends Anchor {
  label: string;
  force: string[];
  arrow?: boolean | null;
}

export interface PlaneData {
  label: string;
  point: Quantity[];
  normal: Quantity[];
  force?: string[] | null;
}
