// Numbers as people read them.

/** Four significant digits, a real minus sign, no exponent where a person would not write one. */
export function number(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size === 0) return "0";
  const text = size >= 1e6 || size < 1e-4 ? value.toExponential(2) : String(Number(value.toPrecision(4)));
  return text.replaceAll("-", "−");
}

/** What never exceeds this is the rounding of a zero. */
const ROUNDING = 1e-12;

/** All numbers of a line alike: as many decimals as its largest needs for four digits, so that nothing jumps. */
export function likePeak(value: number, peak: number): string {
  if (value === 0 || peak < ROUNDING) return "0";
  if (!Number.isFinite(value) || !(peak >= 1e-4 && peak < 1e6)) return number(value);
  const decimals = Math.min(Math.max(3 - Math.floor(Math.log10(peak)), 0), 7);
  const text = value.toFixed(decimals);
  return (Number(text) === 0 ? text.replace("-", "") : text).replace("-", "−");
}

export function withUnit(value: number | null | undefined, unit: string | null | undefined): string {
  const missing = value === null || value === undefined || !Number.isFinite(value);
  return missing || !unit || unit === "1" ? number(value) : `${number(value)}${spacedUnit(unit)}`;
}

/** "m/s2" as m/s², "N.m" as N·m, "deg" as °. */
export function unitText(unit: string): string {
  if (unit === "1") return "";
  if (unit === "deg") return "°";
  return unit
    .replace(/\./g, "·")
    .replace(/(?<=[a-zA-Z])2\b/g, "²")
    .replace(/(?<=[a-zA-Z])3\b/g, "³");
}

/** As it stands behind a number. */
export function spacedUnit(unit: string): string {
  const text = unitText(unit);
  return text === "" || text === "°" ? text : ` ${text}`;
}

/** Short runs are read in milliseconds. */
export interface Clock {
  unit: "s" | "ms";
  factor: number;
  text(time: number): string;
}

export function clockFor(duration: number): Clock {
  if (duration > 2) return { unit: "s", factor: 1, text: (time) => `${time.toFixed(2)} s` };
  return { unit: "ms", factor: 1e3, text: (time) => `${(time * 1e3).toFixed(duration < 0.02 ? 2 : 0)} ms` };
}

/** A round number, 1, 2 or 5 times a power of ten, not above `limit`. */
export function roundBelow(limit: number): number {
  const power = 10 ** Math.floor(Math.log10(limit));
  return [5, 2, 1].map((digit) => digit * power).find((value) => value <= limit * (1 + 1e-12))!;
}
