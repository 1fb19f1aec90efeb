// Colours of data: perceptually ordered ramps for forces, distinct colours for lines of plots.
import { interpolateInferno, interpolateOrRd, interpolatePuBu, schemeObservable10 } from "d3-scale-chromatic";
import { isDark } from "./theme";

export type Ramp = (share: number) => string;

const within = (ramp: Ramp, low: number, high: number): Ramp => {
  return (share) => ramp(low + (high - low) * Math.min(Math.max(share || 0, 0), 1));
};

/** Away from the background: darker for more on white, brighter for more on black. */
export function linkRamp(): Ramp {
  return isDark() ? within(interpolateInferno, 0.38, 0.97) : within(interpolateOrRd, 0.3, 1);
}

export function contactRamp(): Ramp {
  return isDark() ? within((share) => interpolatePuBu(1 - share), 0.3, 0.95) : within(interpolatePuBu, 0.45, 1);
}

export function gradient(ramp: Ramp): string {
  const stops = Array.from({ length: 11 }, (_, k) => ramp(k / 10));
  return `linear-gradient(to right, ${stops.join(", ")})`;
}

export function lineColour(index: number): string {
  const plain = schemeObservable10[index % schemeObservable10.length];
  return isDark() ? `color-mix(in srgb, ${plain} 78%, white)` : plain;
}
