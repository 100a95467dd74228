import { type Html } from '../../../lib/text/html.ts';
import type { ComponentState, DayState, IncidentState } from '../../../areas/status/model.ts';
import { decimal } from '../components/number-format.ts';
import { badge, type Tone } from '../components/elements.tsx';
import { sectionPath } from '../sections.ts';
import { texts } from './texts/en.ts';
import { formatOrDash, formatPercent } from '../../../platform/i18n/numbers.ts';

/** The page of an incident or a maintenance. */
export const incidentPath = (id: string): string => `${sectionPath('status')}/incidents/${id}`;

const componentTones: Readonly<Record<DayState['worst'], Tone>> = {
  operational: 'good',
  degraded_performance: 'warn',
  partial_outage: 'warn',
  major_outage: 'bad',
  under_maintenance: 'info',
  no_data: 'quiet',
};
const stepTones: Readonly<Partial<Record<IncidentState['status'], Tone>>> = {
  investigating: 'bad',
  identified: 'warn',
  monitoring: 'warn',
  resolved: 'good',
  completed: 'good',
  in_progress: 'info',
  verifying: 'info',
};
const impactTones: Readonly<Record<IncidentState['impact'], Tone>> = {
  none: 'quiet',
  minor: 'warn',
  major: 'bad',
  critical: 'bad',
  maintenance: 'info',
};

const statusNames: Readonly<Partial<Record<string, string>>> = texts.statuses;

/** The name of a status of a component, an incident or a maintenance. */
export const statusName = (status: string): string => statusNames[status] ?? status;

export const componentBadge = (status: DayState['worst']): Html =>
  badge(statusName(status), componentTones[status]);
export const stepBadge = (status: IncidentState['status']): Html =>
  badge(statusName(status), stepTones[status] ?? 'quiet');
export const impactBadge = (impact: IncidentState['impact']): Html =>
  badge(texts.impacts[impact], impactTones[impact]);

/** Per cent, never rounded up to 100. */
export const uptimeText = (value: number | null): string =>
  formatOrDash(value, (known) => formatPercent(known / 100, { decimals: 2, roundDown: true }));

/**
 * Groups consecutive days with the same status, which are drawn as one path with a dash per
 * day.
 */
function runsOf(
  days: readonly DayState[],
): { from: number; length: number; worst: DayState['worst'] }[] {
  const runs: { from: number; length: number; worst: DayState['worst'] }[] = [];
  for (const [at, { worst }] of days.entries()) {
    const last = runs.at(-1);
    if (last?.worst === worst) last.length += 1;
    else runs.push({ from: at, length: 1, worst });
  }
  return runs;
}

/** The bars as text: how many days had problems, and the last one. */
function barsText(days: readonly DayState[]): string {
  const troubled = days.filter(({ worst }) => worst !== 'operational' && worst !== 'no_data');
  const last = troubled.at(-1);
  const { components } = texts;
  if (last === undefined) return components.days({ days: days.length });
  return components.daysWithProblems({
    days: days.length,
    troubled: troubled.length,
    last: last.day,
    status: statusName(last.worst).toLowerCase(),
  });
}

/** The days of a component, oldest first, as small bars. */
export function dayBars({ days }: ComponentState): Html {
  const svg = {
    class: 'day-bars',
    viewBox: `0 0 ${days.length * 10 - 2} 20`,
    preserveAspectRatio: 'none',
    role: 'img',
    'aria-label': barsText(days),
  };
  const bars = runsOf(days).map(({ from, length, worst }) => (
    <path class={componentTones[worst]} d={`M${from * 10} 10h${length * 10}`} />
  ));
  return <svg {...svg}>{bars}</svg>;
}

/** Mean response time of the last measured hour. */
export function answerTime({ responseTimes }: ComponentState): string {
  const last = responseTimes.at(-1);
  return last === undefined ? '–' : `${decimal(Math.round(last.ms * 10) / 10)} ms`;
}
