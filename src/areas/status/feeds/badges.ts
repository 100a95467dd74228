import type { ComponentState, StatusState } from '../model.ts';
import { formatUptime } from '../pages/page-components.tsx';
import { indicatorTones, type Tone, toneOf } from '../pages/page-tones.tsx';
import { texts } from '../texts/en.ts';
import { uptimeOf } from '../history/uptime.ts';

/** A badge in version 1 of the Shields endpoint schema. */
export interface Badge {
  schemaVersion: 1;
  label: string;
  message: string;
  color: string;
}

export interface BadgeOptions {
  metric: 'status' | 'uptime';
  /** Length of the uptime period in days, up to now. */
  days: number;
  /** Unix ms. */
  now: number;
}

const colors: Readonly<Record<Tone, string>> = {
  ok: 'brightgreen',
  minor: 'yellow',
  major: 'orange',
  critical: 'red',
  work: 'blue',
  none: 'lightgrey',
};

/** Mean uptime of the components in the last `days` days, in percent; null without data. */
function meanUptime(
  components: readonly ComponentState[],
  { days: count, now }: Pick<BadgeOptions, 'days' | 'now'>,
): number | null {
  const known = components
    .map(({ days, createdAt }) => uptimeOf(days.slice(-count), createdAt, now))
    .filter((uptime) => uptime !== null);
  return known.length === 0 ? null : known.reduce((sum, uptime) => sum + uptime, 0) / known.length;
}

function uptimeColor(uptime: number): string {
  if (uptime >= 99.9) return 'brightgreen';
  if (uptime >= 99) return 'green';
  if (uptime >= 97) return 'yellow';
  return uptime >= 90 ? 'orange' : 'red';
}

function uptimeBadge(
  label: string,
  components: readonly ComponentState[],
  options: BadgeOptions,
): Badge {
  const uptime = meanUptime(components, options);
  const result =
    uptime === null
      ? { message: texts.badge.noData, color: 'lightgrey' }
      : { message: formatUptime(uptime), color: uptimeColor(uptime) };
  return { schemaVersion: 1, label, ...result };
}

/** Returns the badge of a component, or of the whole service for the name `overall`. */
export function badgeOf(
  state: StatusState,
  name: string,
  options: BadgeOptions,
): Badge | undefined {
  const isOverall = name === 'overall';
  const component = isOverall ? undefined : state.components.find(({ id }) => id === name);
  if (!isOverall && component === undefined) return undefined;
  if (options.metric === 'uptime')
    return uptimeBadge(
      component === undefined
        ? texts.badge.uptime({ days: options.days })
        : texts.badge.componentUptime({ component: component.name, days: options.days }),
      component === undefined ? state.components : [component],
      options,
    );
  if (component === undefined)
    return {
      schemaVersion: 1,
      label: texts.badge.status,
      message: state.description.toLowerCase(),
      color: colors[indicatorTones[state.indicator]],
    };
  return {
    schemaVersion: 1,
    label: component.name,
    message: texts.components[component.status].toLowerCase(),
    color: colors[toneOf(component.status)],
  };
}

/** Renders a badge as SVG. */
export async function badgeSvg({ label, message, color }: Badge): Promise<string> {
  const { makeBadge } = await import('badge-maker');
  return makeBadge({ label, message, color });
}
