import { minuteMs } from '../../../lib/durations.ts';
import type { Html } from '../../../lib/text/html.ts';
import { formatDate, formatDay } from '../../../platform/i18n/dates.ts';
import { formatDuration } from '../../../platform/i18n/durations.ts';
import { Disclosure } from '../../../platform/ui/components/overlay.tsx';
import { Table } from '../../../platform/ui/components/table.tsx';
import type { ComponentState, DayState } from '../model.ts';
import { texts } from '../texts/en.ts';
import { toneOf } from './page-tones.tsx';

const troubles = [
  'major_outage',
  'partial_outage',
  'degraded_performance',
  'under_maintenance',
] as const;

/** Formats milliseconds in minutes, at least one: shorter problems are rounded up. */
export const formatMinutes = (ms: number): string =>
  formatDuration(Math.max(1, Math.round(ms / minuteMs)) * 60);

/** Describes a day, worst status first: `Partial outage 25m · Degraded performance 1h 5m`. */
function describeDay({ worst, ms }: DayState): string {
  const parts = troubles.flatMap((status) =>
    ms[status] === undefined || ms[status] <= 0
      ? []
      : texts.component.problem({
          status: texts.components[status],
          duration: formatMinutes(ms[status]),
        }),
  );
  return parts.length > 0 || worst === 'no_data' ? parts.join(' · ') : texts.components[worst];
}

const isUneventful = ({ worst }: DayState): boolean =>
  worst === 'operational' || worst === 'no_data';

/** Days of a component with problems, oldest first. */
const troubledDays = ({ days }: ComponentState): readonly DayState[] =>
  days.filter((day) => !isUneventful(day));

interface Run {
  from: number;
  length: number;
  day: DayState;
}

/** Merges consecutive uneventful days into one path; a dash pattern separates the bars. */
function toRuns(days: readonly DayState[]): Run[] {
  const runs: Run[] = [];
  for (const [at, day] of days.entries()) {
    const last = runs.at(-1);
    if (last !== undefined && isUneventful(day) && last.day.worst === day.worst) last.length += 1;
    else runs.push({ from: at, length: 1, day });
  }
  return runs;
}

function drawRun({ from, length, day }: Run): Html {
  const title = isUneventful(day) ? undefined : (
    <title safe>
      {texts.component.bar({ day: formatDay(day.day), problems: describeDay(day) })}
    </title>
  );
  const path = `M${from * 10} 17h${length * 10}`;
  return title === undefined ? (
    <path class={toneOf(day.worst)} d={path} />
  ) : (
    <path class={toneOf(day.worst)} d={path}>
      {title}
    </path>
  );
}

/** Renders the days of a component as bars, with a short text alternative. */
export function bars(component: ComponentState): Html {
  const { days } = component;
  const troubled = troubledDays(component).length;
  const label = texts.component.bars({ days: days.length, troubled });
  return (
    <svg
      class="bars"
      viewBox={`0 0 ${days.length * 10 - 3} 34`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {toRuns(days).map(drawRun)}
    </svg>
  );
}

/** Renders the days with problems as a table, newest first: an accessible form of the bars. */
export function troubledDaysTable(component: ComponentState): Html | undefined {
  const days = troubledDays(component).toReversed();
  if (days.length === 0) return undefined;
  const { troubledDays: summary, troubledDaysOf, day: dayHeading, problems } = texts.component;
  return (
    <Disclosure
      id={`days-${component.id}`}
      summary={summary({ count: days.length })}
      about={`name-${component.id}`}
    >
      <Table
        layout="columns"
        caption={troubledDaysOf(component)}
        columns={[
          { title: dayHeading, text: ({ day }) => formatDate(day) },
          { title: problems, text: describeDay },
        ]}
        rows={days}
      />
    </Disclosure>
  );
}
