// One run: its samples, decoded, and their values between the samples.
import type { ChannelData, Quantity, RunData } from "./payload";

export interface Channel {
  name: string;
  /** What people want to see: value * factor in this unit. */
  unit: string;
  factor: number;
  description: string;
  values: Float32Array;
}

/** Between samples `index` and `index + 1`, at `fraction` of the way. */
export interface Place {
  index: number;
  fraction: number;
}

export class Run {
  readonly time: Float64Array;
  readonly channels: Map<string, Channel>;

  constructor(readonly data: RunData) {
    this.time = new Float64Array(bytes(data.time).buffer);
    this.channels = new Map(data.channels.map((channel) => [channel.name, decode(channel)]));
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

function decode(data: ChannelData): Channel {
  const unit = data.display_unit || data.unit || "";
  return {
    name: data.name,
    unit: unit === "1" ? "" : unit,
    factor: data.factor ?? 1,
    description: data.description ?? "",
    values: new Float32Array(bytes(data.values).buffer),
  };
}

function bytes(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
