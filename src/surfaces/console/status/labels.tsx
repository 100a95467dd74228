import type { Html } from '../../../lib/text/html.ts';
import type { ComponentState, DayState, IncidentState } from '../../../areas/status/model.ts';
import { Badge, type Tone } from '../../../platform/ui/components/badge.tsx';
import { decimal } from '../components/number-format.ts';
import { sectionPath } from '../sections.ts';
import { texts } from './texts/en.ts';
import { formatOrDash, formatPercent } from '../../../platform/i18n/numbers.ts';

/** The list of incidents and maintenance. */
export const incidentsPath = `${sectionPath('status')}/incidents`;

/** The page of an incident or a maintenance. */
export const incidentPath = (id: string): string => `${incidentsPath}/${id}`;

/** The pages of the forms that make something new. */
export const newPaths = {
  incident: `${sectionPath('status')}/incidents/new`,
  maintenance: `${sectionPath('status')}/maintenances/new`,
  check: `${sectionPath('status')}/new-check`,
};

const componentTones: Readonly<Record<DayState['worst'], Tone>> = {
  operational: 'ok',
  degraded_performance: 'warn',
  partial_outage: 'warn',
  major_outage: 'bad',
  under_maintenance: 'info',
  no_data: 'neutral',
};
const stepTones: Readonly<Partial<Record<IncidentState['status'], Tone>>> = {
  investigating: 'bad',
  identified: 'warn',
  monitoring: 'warn',
  resolved: 'ok',
  completed: 'ok',
  in_progress: 'info',
  verifying: 'info',
};
const impactTones: Readonly<Record<IncidentState['impact'], Tone>> = {
  none: 'neutral',
  minor: 'warn',
  major: 'bad',
  critical: 'bad',
  maintenance: 'info',
};

const statusNames: Readonly<Partial<Record<string, string>>> = texts.statuses;

/** The name of a status of a component, an incident or a maintenance. */
export const statusName = (status: string): string => statusNames[status] ?? status;

/** The status of a component or of one of its days. */
export const componentBadge = (status: DayState['worst']): Html => (
  <Badge text={statusName(status)} tone={componentTones[status]} />
);

/** The status of an incident or a maintenance. */
export const stepBadge = (status: IncidentState['status']): Html => (
  <Badge text={statusName(status)} tone={stepTones[status] ?? 'neutral'} />
);

/** How much an incident affects. */
export const impactBadge = (impact: IncidentState['impact']): Html => (
  <Badge text={texts.impacts[impact]} tone={impactTones[impact]} />
);

/** Per cent, never rounded up to 100. */
export const formatUptime = (value: number | null): string =>
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

/** The days with problems, oldest first. */
export const troubledDays = ({ days }: Pick<ComponentState, 'days'>): DayState[] =>
  days.filter(({ worst }) => worst !== 'operational' && worst !== 'no_data');

/** The bars as text: how many days had problems, and the last one. */
function barsText(component: Pick<ComponentState, 'days'>): string {
  const { days } = component;
  const troubled = troubledDays(component);
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
export const dayBars = (component: Pick<ComponentState, 'days'>): Html => (
  <svg
    class="day-bars"
    viewBox={`0 0 ${component.days.length * 10 - 2} 20`}
    preserveAspectRatio="none"
    role="img"
    aria-label={barsText(component)}
  >
    {runsOf(component.days).map(({ from, length, worst }) => (
      <path class={componentTones[worst]} d={`M${from * 10} 10h${length * 10}`} />
    ))}
  </svg>
);

/** Mean response time of the last measured hour. */
export function formatResponseTime({ responseTimes }: ComponentState): string {
  const last = responseTimes.at(-1);
  return last === undefined ? '–' : `${decimal(Math.round(last.ms * 10) / 10)} ms`;
}
