import { availableParallelism, cpus, totalmem } from 'node:os';

const isNumeric = (text: string) =>
  /^([<≤≥] )?[\d.,]+( ?(\/s|%|ms|s|B|MiB))?$/.test(text) || text === '-';

/**
 * Prints rows as a table with aligned columns, numbers to the right. The first row is the heading.
 */
export function printTable(rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  const pad = (text: string, width: number) =>
    isNumeric(text) ? text.padStart(width) : text.padEnd(width);
  const line = (row: readonly string[]) =>
    widths
      .map((width, column) => pad(row[column] ?? '', width))
      .join('  ')
      .trimEnd();
  const [heading = [], ...body] = rows;
  console.log(
    [line(heading), widths.map((width) => '-'.repeat(width)).join('  '), ...body.map(line)].join(
      '\n',
    ),
  );
}

/** Prints the conditions of the measurement: command, machine, Node and date. */
export function printConditions(command: string): void {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 1024 ** 3);
  console.log(`\n${command}`);
  console.log(
    `${availableParallelism()} cores (${cpu?.model.trim() ?? 'unknown'}), ${memory} GiB, ` +
      `Node ${process.versions.node}, ` +
      `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC\n`,
  );
}

export const whole = (value: number): string => Math.round(value).toLocaleString('en-US');
export const ms = (value: number): string => `${value.toFixed(value < 10 ? 2 : 0)} ms`;
export const seconds = (value: number): string => `${(value / 1000).toFixed(2)} s`;
export const mebibytes = (value: number): string => `${Math.round(value)} MiB`;
export const verdict = (met: boolean): string => (met ? 'met' : 'MISSED');

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (rank: number) => sorted[rank] ?? Number.NaN;
  return (at(Math.floor((sorted.length - 1) / 2)) + at(Math.ceil((sorted.length - 1) / 2))) / 2;
}
