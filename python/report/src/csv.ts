// Channels of one or two runs as a table with one row a time.
import type { Run } from "./run";

export function csv(runs: Run[], names: string[]): string {
  const columns = runs.flatMap((run) =>
    names
      .map((name) => run.channels.get(name))
      .filter((channel) => channel !== undefined)
      .map((channel) => ({ run, channel })),
  );
  const header = columns.map(({ run, channel }) => {
    const owner = runs.length > 1 ? `${run.data.label}: ` : "";
    return quoted(`${owner}${channel.name} [${channel.unit || "1"}]`);
  });
  const times = [...new Set(runs.flatMap((run) => [...run.time]))].sort((a, b) => a - b);
  // of several samples at one time, the last
  const indices = new Map(runs.map((run) => [run, new Map([...run.time].map((time, index) => [time, index]))]));
  const rows = times.map((time) => {
    const cells = columns.map(({ run, channel }) => {
      const index = indices.get(run)!.get(time);
      const value = index === undefined ? NaN : channel.values[index] * channel.factor;
      return Number.isFinite(value) ? String(Number(value.toPrecision(8))) : "";
    });
    return [time, ...cells].join(",");
  });
  return [["time [s]", ...header].join(","), ...rows, ""].join("\r\n");
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
