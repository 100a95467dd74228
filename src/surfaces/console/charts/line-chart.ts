import { html, type Html } from '../../../lib/text/html.ts';
import { evenTicks, type Tick } from './ticks.ts';
import { count, niceCeiling, shortCount } from '../number-format.ts';
import { table } from '../components.ts';

export interface Line {
  name: string;
  values: readonly (number | null)[];
  /** The first is filled; `before` is what it is compared with. */
  kind: 'first' | 'second' | 'before';
}

export interface ChartParts {
  id: string;
  /** What it shows, for screen readers and above the table. */
  caption: string;
  /** One for each step, such as `4 May`. */
  steps: readonly string[];
  lines: readonly Line[];
  /** Labels of the axis; some of the steps, where there are none. */
  ticks?: readonly Tick[];
  /** Which steps are not whole: they still run, or are cut. */
  partial?: readonly boolean[];
  /** Texts that belong to steps. */
  marks?: readonly { step: number; text: string }[];
  format?: (value: number) => string;
}

const [width, height] = [1000, 260];

const round = (value: number): number => Math.round(value * 10) / 10;

function createScale(steps: number, most: number) {
  const across = steps <= 1 ? 0 : width / (steps - 1);
  return {
    x: (step: number) => round(steps <= 1 ? width / 2 : step * across),
    y: (value: number) => round(height - (value / most) * height),
    half: steps <= 1 ? width / 2 : across / 2,
  };
}

type Scale = ReturnType<typeof createScale>;

/**
 * The path of the parts of a line for which `isIn` holds; where a value is missing it is
 * interrupted.
 */
function pathOf(
  values: Line['values'],
  { x, y }: Scale,
  isIn: (step: number) => boolean = () => true,
): string {
  let isOpen = false;
  return values
    .map((value, step) => {
      const goesOn = isOpen && isIn(step);
      isOpen = value !== null;
      if (value === null) return '';
      return `${goesOn ? 'L' : 'M'}${x(step)} ${y(value)}`;
    })
    .join('');
}

/** A line is dotted to and from a step that is not whole. */
function strokes({ kind, values }: Line, scale: Scale, partial: readonly boolean[]): Html {
  const names = kind === 'first' ? 'line' : `line ${kind}`;
  const isPartial = (step: number) => partial[step] === true || partial[step - 1] === true;
  const whole = html`<path class="${names}" d="${pathOf(values, scale, (step) => !isPartial(step))}"/>`;
  if (!partial.includes(true)) return whole;
  return html`${whole}<path class="${names} partial" d="${pathOf(values, scale, isPartial)}"/>`;
}

/** What the first line is filled with; it lies behind all lines. */
function area({ kind, values }: Line, scale: Scale): Html | undefined {
  const last = values.length - 1;
  const isWhole = last > 0 && values.every((value) => value !== null);
  if (kind !== 'first' || !isWhole) return undefined;
  return html`<path class="area" d="${pathOf(values, scale)}L${scale.x(last)} ${height}L0 ${height}Z"/>`;
}

/** The name of a step, and that it is not whole. */
const named = (step: string, isPartial = false): string =>
  isPartial ? `${step} (not a whole one)` : step;

/** Says the values of a step where a pointer rests on it. */
function hits(
  { steps, lines, partial = [], format = count }: ChartParts,
  { x, half }: Scale,
): Html[] {
  return steps.map((step, at) => {
    const texts = lines.map(
      ({ name, values }) => `${name}: ${values[at] == null ? '–' : format(values[at])}`,
    );
    return html`<rect class="hit" x="${round(Math.max(0, x(at) - half))}" y="0" width="${round(Math.min(width, 2 * half))}" height="${height}"><title>${[named(step, partial[at]), ...texts].join('\n')}</title></rect>`;
  });
}

/** Where a label is held: those at the edges stay within the chart. */
const anchorOf = (share: number): 'start' | 'middle' | 'end' =>
  share < 0.04 ? 'start' : share > 0.96 ? 'end' : 'middle';

/** A narrow chart, and a character of its labels, in pixels. */
const [narrowest, character] = [240, 7.5];

/** Where a label begins and ends in a narrow chart. */
function extentOf(text: string, share: number): { from: number; to: number } {
  const length = text.length * character;
  const from = share * narrowest - { start: 0, middle: length / 2, end: length }[anchorOf(share)];
  return { from, to: from + length };
}

/**
 * The labels below a chart: each stands where its point is. Percentages, so that the text keeps its
 * size at any width. Where they would run into one another in a narrow chart, every second one is
 * for wide charts alone.
 */
function axis(ticks: readonly Tick[], { x }: Scale): Html {
  const placed = ticks.map(({ step, text }) => ({
    text,
    share: x(step) / width,
    ...extentOf(text, x(step) / width),
  }));
  const isTight = placed.some(({ from }, order) => from < (placed[order - 1]?.to ?? -Infinity));
  const labels = placed.map(
    ({ text, share }, order) =>
      html`<text${isTight && order % 2 === 1 ? html` class="wide"` : undefined} x="${round(100 * share)}%" y="12" text-anchor="${anchorOf(share)}">${text}</text>`,
  );
  return html`<svg class="steps" aria-hidden="true">${labels}</svg>`;
}

/** Lines over time as SVG, with the same as a table behind a switch. */
export function lineChart(parts: ChartParts): Html {
  const { id, caption, steps, lines, marks = [], partial = [], format = count } = parts;
  const { ticks = evenTicks(steps) } = parts;
  const most = niceCeiling(
    Math.max(1, ...lines.flatMap(({ values }) => values.map((value) => value ?? 0))),
  );
  const scale = createScale(steps.length, most);
  const levels = [1, 0.5, 0].map((share) => share * most);
  return html`<figure class="chart" id="${id}"><figcaption>${lines.map(({ name, kind }) => html`<span class="key ${kind}">${name}</span>`)}${partial.includes(true) ? html`<span class="key partial">Not over yet, or not whole</span>` : undefined}</figcaption>
<div class="plot">
<div class="scale" aria-hidden="true">${levels.map((level) => html`<span>${shortCount(level)}</span>`)}</div>
<svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-label="${caption}. The same stands in the table below.">
${levels.map((level) => html`<line class="grid" x1="0" x2="${width}" y1="${scale.y(level)}" y2="${scale.y(level)}"/>`)}
${lines.flatMap((line) => area(line, scale) ?? [])}
${[...lines].reverse().map((line) => strokes(line, scale, partial))}
${marks.map(({ step, text }) => html`<line class="mark" x1="${scale.x(step)}" x2="${scale.x(step)}" y1="0" y2="${height}"><title>${text}</title></line>`)}
${hits(parts, scale)}
</svg>
${axis(ticks, scale)}
</div>
<details><summary>Show as a table</summary>
${table({ caption, columns: [{ name: 'When' }, ...lines.map(({ name }) => ({ name, isNumber: true }))], rows: steps.map((step, at) => [named(step, partial[at]), ...lines.map(({ values }) => (values[at] == null ? '–' : format(values[at])))]) })}</details></figure>
`;
}

export interface RankingRow {
  text: string;
  /** Where a click leads. */
  href?: string | undefined;
  /** What the bar is long by. */
  value: number;
  /** Cells after the bar. */
  cells: readonly (string | Html)[];
}

/** A ranking: a table whose first cells carry bars. */
export function ranking({
  caption,
  heading,
  columns,
  rows,
}: {
  caption: string;
  heading: string;
  columns: readonly string[];
  rows: readonly RankingRow[];
}): Html {
  const most = Math.max(1, ...rows.map(({ value }) => value));
  const bar = (value: number) =>
    html`<svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect width="${round((100 * value) / most)}" height="1"/></svg>`;
  return html`<div class="scroll" role="region" aria-label="${caption}, table" tabindex="0"><table class="bars"><caption class="spoken">${caption}</caption>
<thead><tr><th scope="col">${heading}</th>${columns.map((name) => html`<th scope="col" class="number-cell">${name}</th>`)}</tr></thead>
<tbody>${rows.map(
    ({ text, href, value, cells }) => html`
<tr><th scope="row">${bar(value)}${href === undefined ? html`<span>${text}</span>` : html`<a href="${href}">${text}</a>`}</th>${cells.map((cell) => html`<td class="number-cell">${cell}</td>`)}</tr>`,
  )}
</tbody></table></div>
`;
}
