import { html, type Html } from '../../lib/html.ts';
import { count, niceMost, shortCount } from './numbers.ts';
import { table } from './parts.ts';

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
  /** Texts that belong to steps. */
  marks?: readonly { step: number; text: string }[];
  format?: (value: number) => string;
}

const [width, height] = [1000, 260];

const round = (value: number): number => Math.round(value * 10) / 10;

function createScale(steps: number, most: number) {
  const across = steps <= 1 ? 0 : width / (steps - 1);
  return { x: (step: number) => round(steps <= 1 ? width / 2 : step * across), y: (value: number) => round(height - (value / most) * height), half: steps <= 1 ? width / 2 : across / 2 };
}

type Scale = ReturnType<typeof createScale>;

/** The path of a line; where a value is missing it is interrupted. */
function pathOf(values: Line['values'], { x, y }: Scale): string {
  let isOpen = false;
  return values.map((value, step) => {
    if (value === null) {
      isOpen = false;
      return '';
    }
    const command = isOpen ? 'L' : 'M';
    isOpen = true;
    return `${command}${x(step)} ${y(value)}`;
  }).join('');
}

function drawn(line: Line, scale: Scale): Html {
  const path = pathOf(line.values, scale);
  if (line.kind !== 'first') return html`<path class="line ${line.kind}" d="${path}"/>`;
  const last = line.values.length - 1;
  const isWhole = last > 0 && line.values.every((value) => value !== null);
  return html`${isWhole ? html`<path class="area" d="${path}L${scale.x(last)} ${height}L0 ${height}Z"/>` : undefined}<path class="line" d="${path}"/>`;
}

/** Says the values of a step where a pointer rests on it. */
function hits({ steps, lines, format = count }: ChartParts, { x, half }: Scale): Html[] {
  return steps.map((step, at) => {
    const texts = lines.map(({ name, values }) => `${name}: ${values[at] == null ? '–' : format(values[at])}`);
    return html`<rect class="hit" x="${round(Math.max(0, x(at) - half))}" y="0" width="${round(Math.min(width, 2 * half))}" height="${height}"><title>${[step, ...texts].join('\n')}</title></rect>`;
  });
}

/** At most seven of the steps, evenly, the first and the last among them. */
function shownSteps(steps: readonly string[]): string[] {
  const last = steps.length - 1;
  const parts = [6, 5, 4, 3, 2].find((each) => last % each === 0) ?? Math.min(6, last);
  return last < 7 ? [...steps] : Array.from({ length: parts + 1 }, (_, at) => steps[Math.round((at * last) / parts)] ?? '');
}

/** Lines over time as SVG, with the same as a table behind a switch. */
export function lineChart(parts: ChartParts): Html {
  const { id, caption, steps, lines, marks = [], format = count } = parts;
  const most = niceMost(Math.max(1, ...lines.flatMap(({ values }) => values.map((value) => value ?? 0))));
  const scale = createScale(steps.length, most);
  const levels = [1, 0.5, 0].map((share) => share * most);
  return html`<figure class="chart" id="${id}"><figcaption>${lines.map(({ name, kind }) => html`<span class="key ${kind}">${name}</span>`)}</figcaption>
<div class="plot">
<div class="scale" aria-hidden="true">${levels.map((level) => html`<span>${shortCount(level)}</span>`)}</div>
<svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-label="${caption}. The same stands in the table below.">
${levels.map((level) => html`<line class="grid" x1="0" x2="${width}" y1="${scale.y(level)}" y2="${scale.y(level)}"/>`)}
${[...lines].reverse().map((line) => drawn(line, scale))}
${marks.map(({ step, text }) => html`<line class="mark" x1="${scale.x(step)}" x2="${scale.x(step)}" y1="0" y2="${height}"><title>${text}</title></line>`)}
${hits(parts, scale)}
</svg>
<div class="steps" aria-hidden="true">${shownSteps(steps).map((step) => html`<span>${step}</span>`)}</div>
</div>
<details><summary>Show as a table</summary>
${table({ caption, columns: [{ name: 'When' }, ...lines.map(({ name }) => ({ name, isNumber: true }))], rows: steps.map((step, at) => [step, ...lines.map(({ values }) => (values[at] == null ? '–' : format(values[at])))]) })}</details></figure>
`;
}

export interface BarRow {
  text: string;
  /** Where a click leads. */
  href?: string | undefined;
  /** What the bar is long by. */
  value: number;
  /** Cells after the bar. */
  cells: readonly (string | Html)[];
}

/** A ranking: a table whose first cells carry bars. */
export function barTable({ caption, heading, columns, rows }: { caption: string; heading: string; columns: readonly string[]; rows: readonly BarRow[] }): Html {
  const most = Math.max(1, ...rows.map(({ value }) => value));
  const bar = (value: number) => html`<svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect width="${round((100 * value) / most)}" height="1"/></svg>`;
  return html`<div class="scroll" role="region" aria-label="${caption}, table" tabindex="0"><table class="bars"><caption class="spoken">${caption}</caption>
<thead><tr><th scope="col">${heading}</th>${columns.map((name) => html`<th scope="col" class="number-cell">${name}</th>`)}</tr></thead>
<tbody>${rows.map(({ text, href, value, cells }) => html`
<tr><th scope="row">${bar(value)}${href === undefined ? html`<span>${text}</span>` : html`<a href="${href}">${text}</a>`}</th>${cells.map((cell) => html`<td class="number-cell">${cell}</td>`)}</tr>`)}
</tbody></table></div>
`;
}
