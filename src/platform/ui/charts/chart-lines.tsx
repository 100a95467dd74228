import { type Html } from '../../../lib/text/html.ts';
import { chartHeight as height, chartWidth, type Scale } from './chart-scale.ts';

export interface Line {
  name: string;
  values: readonly (number | null)[];
  /**
   * The first one is filled; `before` is what it is compared with. `bars` are for small counts,
   * between whose days a line would tell of values that nobody counted.
   */
  kind: 'first' | 'second' | 'before' | 'bars';
}

type Values = Line['values'];

/** Runs of neighbouring steps that have a value and are complete. */
function runsOf(values: Values, partial: readonly boolean[]): number[][] {
  const runs: number[][] = [];
  let run: number[] = [];
  values.forEach((value, step) => {
    if (value !== null && partial[step] !== true) {
      if (run.length === 0) runs.push(run);
      run.push(step);
    } else run = [];
  });
  return runs;
}

const pathOf = (run: readonly number[], values: Values, { x, y }: Scale): string =>
  `M${run.map((step) => `${x(step)} ${y(values[step] ?? 0)}`).join('L')}`;

/** The fill between a line and the axis. */
function area(runs: readonly number[][], values: Values, scale: Scale): Html | undefined {
  const fills = runs.flatMap((run) => {
    const [from, to] = [run[0], run.at(-1)];
    if (from === undefined || to === undefined || from === to) return [];
    return [`${pathOf(run, values, scale)}L${scale.x(to)} ${height}L${scale.x(from)} ${height}Z`];
  });
  return fills.length === 0 ? undefined : <path class="area" d={fills.join('')} />;
}

/** A point. The path is empty: its round ends are the point, in the same size at any width. */
const point = (look: string, values: Values, step: number, { x, y }: Scale): Html => (
  <path class={look} d={`M${x(step)} ${y(values[step] ?? 0)}h0`} />
);

/** The dashed way from the step before to one that is not over yet. */
function wayTo(look: string, values: Values, step: number, scale: Scale): Html | undefined {
  const before = values[step - 1];
  if (before == null) return undefined;
  return <path class={`${look} so-far`} d={pathOf([step - 1, step], values, scale)} />;
}

/**
 * A line through its complete steps, and open points at those that are not. What a line is compared
 * with ends where that is incomplete.
 */
function strokes({ kind, values }: Line, scale: Scale, partial: readonly boolean[]): Html {
  const look = kind === 'first' ? 'line' : `line ${kind}`;
  const runs = runsOf(values, partial);
  const single = runs.filter((run) => run.length === 1).flat();
  const open = values.flatMap((value, step) =>
    value !== null && partial[step] === true && kind !== 'before' ? [step] : [],
  );
  const path = runs
    .filter((run) => run.length > 1)
    .map((run) => pathOf(run, values, scale))
    .join('');
  return (
    <>
      {path !== '' && <path class={look} d={path} />}
      {single.map((step) => point(`${look} dot`, values, step, scale))}
      {open.map((step) => (
        <>
          {wayTo(look, values, step, scale)}
          {point(`${look} ring`, values, step, scale)}
          {point('hole', values, step, scale)}
        </>
      ))}
    </>
  );
}

/** The widest bar, in units of the chart. */
const maxBarWidth = 14;

/** A bar for each step with a value. Those that are incomplete are hollow. */
function bars({ values }: Line, { x, y }: Scale, partial: readonly boolean[]): Html {
  const width = Math.min(maxBarWidth, Math.round(chartWidth / Math.max(1, values.length) / 2));
  // The outer ones stay inside the plot, beside whose edges labels stand.
  const leftOf = (step: number): number =>
    Math.min(chartWidth - width, Math.max(0, x(step) - width / 2));
  const barOf = (value: number, step: number): string =>
    `M${leftOf(step)} ${height}V${y(value)}h${width}V${height}Z`;
  const pathOf = (isPartial: boolean): string =>
    values
      .flatMap((value, step) =>
        value !== null && value > 0 && (partial[step] === true) === isPartial
          ? [barOf(value, step)]
          : [],
      )
      .join('');
  const [whole, open] = [pathOf(false), pathOf(true)];
  return (
    <>
      {whole !== '' && <path class="bar" d={whole} />}
      {open !== '' && <path class="bar open" d={open} />}
    </>
  );
}

/** Draws lines, the first on top and its area below all. `partial`: steps that are incomplete. */
export function linesOf(lines: readonly Line[], scale: Scale, partial: readonly boolean[]): Html {
  const [first] = lines;
  return (
    <>
      {first?.kind === 'first' && area(runsOf(first.values, partial), first.values, scale)}
      {lines
        .toReversed()
        .map((line) => (line.kind === 'bars' ? bars : strokes)(line, scale, partial))}
    </>
  );
}
