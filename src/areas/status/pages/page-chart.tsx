import type { Html } from '../../../lib/text/html.ts';
import { hourMs } from '../../../lib/durations.ts';
import { formatDayTime } from '../../../platform/i18n/dates.ts';
import { formatNumber } from '../../../platform/i18n/numbers.ts';
import { Disclosure } from '../../../platform/ui/components/overlay.tsx';
import { Table } from '../../../platform/ui/components/table.tsx';
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
    <div class="response">
      <svg
        class="chart"
        viewBox={`0 -2 ${width} ${height + 4}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <path d={paths.join('')} />
      </svg>
      <p class="hint" safe>
        {texts.responseTimes.summary({ mean: formatMs(mean), max: formatMs(max) })}
      </p>
    </div>
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
  const written = (ms: number | undefined) => (ms === undefined ? none : formatMs(ms));
  return (
    <Disclosure id="times" summary={table}>
      <p class="hint" safe>
        {caption}
      </p>
      <Table
        layout="columns"
        caption={title}
        columns={[
          { title: hourHeading, text: (hour) => formatDayTime(hour * hourMs) },
          ...measured.map(({ name }, at) => ({
            title: name,
            text: (hour: number) => written(columns[at]?.get(hour)),
            isNumber: true,
          })),
        ]}
        rows={hours}
      />
    </Disclosure>
  );
}
