// One run: its samples, decoded, and their values between the samples.
import type { ChannelData, Quantity, RunData, SceneData, ShapeData } from "./payload";

const SHAPES: ShapeData["kind"][] = ["polygon", "ellipsoid", "capsule", "prism"];

export class Channel {
  readonly name: string;
  /** What people want to see: value * factor in this unit. */
  readonly unit: string;
  readonly factor: number;
  readonly description: string;
  private decoded: Float32Array | null = null;

  constructor(private readonly data: ChannelData) {
    const unit = data.display_unit || data.unit || "";
    this.name = data.name;
    this.unit = unit === "1" ? "" : unit;
    this.factor = data.factor ?? 1;
    this.description = data.description ?? "";
  }

  /** Decoded when first asked for, as most channels never are. */
  get values(): Float32Array {
    this.decoded ??= new Float32Array(bytes(this.data.values).buffer);
    return this.decoded;
  }
}

/** Between samples `index` and `index + 1`, at `fraction` of the way. */
export interface Place {
  index: number;
  fraction: number;
}

export class Run {
  readonly time: Float64Array;
  readonly channels: Map<string, Channel>;

  readonly data: RunData;
  /** Body and kind of each shape that the page cannot draw; they are left out. */
  readonly unknownShapes: string[] = [];

  constructor(given: RunData) {
    const data = { ...given, scene: given.scene && this.known(given.scene) };
    this.data = data;
    this.time = new Float64Array(bytes(data.time).buffer);
    this.channels = new Map(data.channels.map((channel) => [channel.name, new Channel(channel)]));
  }

  private known(scene: SceneData): SceneData {
    const bodies = scene.bodies.map((body) => {
      const isKnown = ({ kind }: ShapeData) => SHAPES.includes(kind);
      for (const { kind } of body.shapes.filter((shape) => !isKnown(shape))) this.unknownShapes.push(`${body.name} (${kind})`);
      return { ...body, shapes: body.shapes.filter(isKnown) };
    });
    return { ...scene, bodies };
  }

  get begin(): number {
    return this.time.length > 0 ? this.time[0] : 0;
  }

  get end(): number {
    return this.time.length > 0 ? this.time[this.time.length - 1] : 0;
  }

  get complete(): boolean {
    return this.data.status === "complete";
  }

  /** Before the first and after the last sample: that sample. Of two samples at one time, the later. */
  place(time: number): Place {
    let low = 0;
    let high = this.time.length - 1;
    if (!(time < this.time[high])) return { index: Math.max(high, 0), fraction: 0 };
    if (time <= this.time[0]) return { index: 0, fraction: 0 };
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.time[middle] <= time) low = middle;
      else high = middle;
    }
    return { index: low, fraction: (time - this.time[low]) / (this.time[high] - this.time[low]) };
  }

  /** In SI; NaN when the channel or a sample beside the place is missing. */
  value(quantity: Quantity, { index, fraction }: Place): number {
    if (typeof quantity === "number") return quantity;
    const values = this.channels.get(quantity)?.values;
    if (!values || index >= values.length) return NaN;
    if (fraction === 0) return values[index];
    return values[index] + fraction * (values[index + 1] - values[index]);
  }

  /** In the unit that people want to see. */
  shown(channel: Channel, time: number): number {
    return this.value(channel.name, this.place(time)) * channel.factor;
  }
}

function bytes(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
