import { groupBy } from '../../../lib/group-by.ts';
import type { Html } from '../../../lib/text/html.ts';
import { hourMs } from '../../../lib/durations.ts';
import { formatDate } from '../../../platform/i18n/dates.ts';
import { formatNumber } from '../../../platform/i18n/numbers.ts';
import type { ComponentState } from '../model.ts';
import { texts } from '../texts/en.ts';

type Point = ComponentState['responseTimes'][number];

const height = 40;

/** Formats milliseconds, with one decimal below 10. */
const formatMs = (ms: number): string => formatNumber(ms, { decimals: ms >= 10 ? 0 : 1 });

const hourOf = ({ at }: Point): number => Math.floor(at / hourMs);

/** Splits the points into lines at gaps in the measurements. */
function splitAtGaps(points: readonly Point[]): Point[][] {
  const lines: Point[][] = [];
  for (const point of points) {
    const last = lines.at(-1)?.at(-1);
    if (last !== undefined && hourOf(point) - hourOf(last) <= 1) lines.at(-1)?.push(point);
    else lines.push([point]);
  }
  return lines;
}

/**
 * Returns the path of a line, with relative coordinates; one hour is one unit on the x-axis. A
 * single point becomes a dot: a line of zero length with round caps.
 */
function pathOf(line: readonly Point[], first: number, max: number): string {
  const positions = line.map((point) => ({
    x: hourOf(point) - first,
    y: Math.round(height - (height * point.ms) / max),
  }));
  const steps = positions
    .slice(1)
    .map(({ x, y }, at) =>
      `${x - (positions[at]?.x ?? 0)} ${y - (positions[at]?.y ?? 0)}`.replace(' -', '-'),
    );
  const { x, y } = positions[0] ?? { x: 0, y: 0 };
  return `M${x} ${y}l${steps.length === 0 ? '0 0' : steps.join(' ')}`;
}

/** Renders response times as a line, with mean and maximum in text. Undefined without data. */
export function chart({ responseTimes }: ComponentState): Html | undefined {
  const [oldest] = responseTimes;
  if (oldest === undefined) return undefined;
  const values = responseTimes.map(({ ms }) => ms);
  const max = Math.max(...values);
  const mean = values.reduce((sum, ms) => sum + ms, 0) / values.length;
  const first = hourOf(oldest);
  const width = Math.max(1, hourOf(responseTimes.at(-1) ?? oldest) - first);
  const paths = splitAtGaps(responseTimes).map((line) => pathOf(line, first, Math.max(max, 0.001)));
  return (
    <>
      <svg
        class="chart"
        viewBox={`0 -2 ${width} ${height + 4}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <path d={paths.join('')} />
      </svg>
      <p class="ends" safe>
        {texts.responseTimes.summary({ mean: formatMs(mean), max: formatMs(max) })}
      </p>
    </>
  );
}

/** Renders the data of all charts as a table by hour. Undefined without data. */
export function chartTable(all: readonly ComponentState[]): Html | undefined {
  const measured = all.filter(({ responseTimes }) => responseTimes.length > 0);
  if (measured.length === 0) return undefined;
  const columns = measured.map(
    ({ responseTimes }) => new Map(responseTimes.map((point) => [hourOf(point), point.ms])),
  );
  const hours = [...new Set(columns.flatMap((column) => [...column.keys()]))].toSorted(
    (a, b) => b - a,
  );
  const { title, table, caption, hour: hourHeading, none } = texts.responseTimes;
  const cell = (ms: number | undefined) => <td safe>{ms === undefined ? none : formatMs(ms)}</td>;
  const row = (hour: number) => (
    <tr>
      <th safe>{String(hour % 24).padStart(2, '0')}:00</th>
      {columns.map((column) => cell(column.get(hour)))}
    </tr>
  );
  const days = [...groupBy(hours, (hour) => formatDate(hour * hourMs))].map(([day, within]) => (
    <tbody>
      <tr>
        <th colspan={columns.length + 1} scope="rowgroup" safe>
          {day}
        </th>
      </tr>
      {within.map(row)}
    </tbody>
  ));
  return (
    <details id="times">
      <summary safe>{table}</summary>
      <div class="scroll" id="times-scroll" role="region" aria-label={title} tabindex="0">
        <table>
          <caption safe>{caption}</caption>
          <thead>
            <tr>
              <th safe>{hourHeading}</th>
              {measured.map(({ name }) => (
                <th safe>{name}</th>
              ))}
            </tr>
          </thead>
          {days}
        </table>
      </div>
    </details>
  );
}
