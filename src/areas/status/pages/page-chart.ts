import { groupBy } from '../../../lib/group-by.ts';
import { html, type Html } from '../../../lib/text/html.ts';
import { hourMs } from '../../../lib/durations.ts';
import type { ComponentState } from '../model.ts';
import { dayOf, longDay } from './page-texts.ts';

type Point = ComponentState['responseTimes'][number];

const height = 40;

/** Milliseconds; short ones with a decimal. */
const msText = (ms: number): string => (ms >= 10 ? String(Math.round(ms)) : ms.toFixed(1));

const hourOf = ({ at }: Point): number => Math.floor(at / hourMs);

/** A gap in the measurements is a gap in the line. */
function linesOf(points: readonly Point[]): Point[][] {
  const lines: Point[][] = [];
  for (const point of points) {
    const last = lines.at(-1)?.at(-1);
    if (last !== undefined && hourOf(point) - hourOf(last) <= 1) lines.at(-1)?.push(point);
    else lines.push([point]);
  }
  return lines;
}

/**
 * One hour is one unit to the right; after its first point a line goes on by differences. A point
 * that stands alone is a dot: a line of no length with round ends.
 */
function pathOf(line: readonly Point[], first: number, max: number): string {
  const places = line.map((point) => ({
    x: hourOf(point) - first,
    y: Math.round(height - (height * point.ms) / max),
  }));
  const steps = places
    .slice(1)
    .map(({ x, y }, at) =>
      `${x - (places[at]?.x ?? 0)} ${y - (places[at]?.y ?? 0)}`.replace(' -', '-'),
    );
  const { x, y } = places[0] ?? { x: 0, y: 0 };
  return `M${x} ${y}l${steps.length === 0 ? '0 0' : steps.join(' ')}`;
}

/** Response times as a line and in words. Undefined where none are measured. */
export function chart({ responseTimes }: ComponentState): Html | undefined {
  const [oldest] = responseTimes;
  if (oldest === undefined) return undefined;
  const values = responseTimes.map(({ ms }) => ms);
  const max = Math.max(...values);
  const mean = values.reduce((sum, ms) => sum + ms, 0) / values.length;
  const first = hourOf(oldest);
  const width = Math.max(1, hourOf(responseTimes.at(-1) ?? oldest) - first);
  const paths = linesOf(responseTimes).map((line) => pathOf(line, first, Math.max(max, 0.001)));
  return html`<svg class="chart" viewBox="0 -2 ${width} ${height + 4}" preserveAspectRatio="none"
aria-hidden="true"><path d="${paths.join('')}"/></svg>
<p class="ends">Response time ${msText(mean)}\u{a0}ms, at most ${msText(max)}\u{a0}ms</p>
`;
}

/** The numbers of all charts, by hour. Undefined without any. */
export function chartTable(all: readonly ComponentState[]): Html | undefined {
  const measured = all.filter(({ responseTimes }) => responseTimes.length > 0);
  if (measured.length === 0) return undefined;
  const columns = measured.map(
    ({ responseTimes }) => new Map(responseTimes.map((point) => [hourOf(point), point.ms])),
  );
  const hours = [...new Set(columns.flatMap((column) => [...column.keys()]))].toSorted(
    (a, b) => b - a,
  );
  const cells = (hour: number) =>
    columns
      .map((column) => column.get(hour))
      .map((ms) => html`<td>${ms === undefined ? '–' : msText(ms)}`);
  const row = (hour: number) =>
    html`<tr><th>${String(hour % 24).padStart(2, '0')}:00${cells(hour)}`;
  const days = [...groupBy(hours, (hour) => dayOf(hour * hourMs))].map(
    ([day, within]) =>
      html`<tbody>
<tr><th colspan="${columns.length + 1}" scope="rowgroup">${longDay(day)}${within.map(row)}`,
  );
  return html`<details id="times"><summary>Response times of two days as a table</summary>
<div class="scroll" id="times-scroll" role="region" aria-label="Response times" tabindex="0">
<table><caption>Mean of each hour, in milliseconds</caption>
<thead><tr><th>From${measured.map(({ name }) => html`<th>${name}`)}${days}</table></div></details>
`;
}
