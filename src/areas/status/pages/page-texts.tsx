import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import type { ComponentStatus, DayState, Impact, IncidentState, Indicator } from '../model.ts';

/** Selects the colour and the icon of a status. */
export type Tone = 'ok' | 'minor' | 'major' | 'critical' | 'work' | 'none';

export const componentWords: Readonly<Record<ComponentStatus, string>> = {
  operational: 'Operational',
  degraded_performance: 'Degraded performance',
  partial_outage: 'Partial outage',
  major_outage: 'Major outage',
  under_maintenance: 'Under maintenance',
};

const componentTones: Readonly<Record<ComponentStatus | 'no_data', Tone>> = {
  operational: 'ok',
  degraded_performance: 'minor',
  partial_outage: 'major',
  major_outage: 'critical',
  under_maintenance: 'work',
  no_data: 'none',
};

/** The tone of a component status. */
export const toneOf = (status: ComponentStatus | 'no_data'): Tone => componentTones[status];

const phases: Readonly<Record<IncidentState['status'], string>> = {
  investigating: 'Investigating',
  identified: 'Identified',
  monitoring: 'Monitoring',
  resolved: 'Resolved',
  postmortem: 'Post-mortem',
  scheduled: 'Scheduled',
  in_progress: 'In progress',
  verifying: 'Verifying',
  completed: 'Completed',
};

/** The display name of an incident or maintenance status. */
export const phaseOf = (status: IncidentState['status']): string => phases[status];

export const impactWords: Readonly<Record<Impact, string>> = {
  none: 'No impact',
  minor: 'Minor impact',
  major: 'Major impact',
  critical: 'Critical impact',
  maintenance: 'Maintenance',
};

/** The tones of the overall indicator and of incident impacts. */
export const indicatorTones: Readonly<Record<Indicator, Tone>> = {
  none: 'ok',
  minor: 'minor',
  major: 'major',
  critical: 'critical',
  maintenance: 'work',
};

const shapes: Readonly<Record<Tone, Html>> = {
  ok: <path d="M4 10l4 4 8-9" />,
  minor: <path d="M10 3v9M10 15v2" />,
  major: <path d="M10 2 1 18h18zM10 8v4M10 15v1" />,
  critical: <path d="M4 4l12 12M16 4 4 16" />,
  work: (
    <>
      <path d="M10 5v5l4 3" />
      <circle cx="10" cy="10" r="8" />
    </>
  ),
  none: <path d="M4 10h12" />,
};

/** The SVG symbols that `icon` refers to, once for each page. */
export const iconShapes = (tones: Iterable<Tone>): Html => (
  <svg class="trap" width="0" height="0">
    {[...new Set(tones)].map((tone) => (
      <symbol id={`i-${tone}`} viewBox="0 0 20 20">
        {shapes[tone]}
      </symbol>
    ))}
  </svg>
);

/** A decorative icon beside a text with the same meaning. */
export const icon = (tone: Tone): Html => (
  <svg class="icon" aria-hidden="true">
    <use href={`#i-${tone}`} />
  </svg>
);

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const isoOf = (at: number): string => new Date(at).toISOString();

/** Formats the day (UTC) of an instant in Unix ms: `2026-11-22`. */
export const dayOf = (at: number): string => isoOf(at).slice(0, 10);

/** Formats `2026-11-22` as `22 Nov`. */
export const shortDay = (day: string): string =>
  `${Number(day.slice(8))} ${months[Number(day.slice(5, 7)) - 1] ?? ''}`;

/** Formats `2026-11-22` as `22 Nov 2026`. */
export const longDay = (day: string): string => `${shortDay(day)} ${day.slice(0, 4)}`;

/** Formats `2026-11` as `November 2026`. */
export const monthName = (month: string): string =>
  new Date(`${month}-01T00:00:00Z`).toLocaleDateString('en', {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });

/** Renders a `time` element: `text` followed by the hour and minute of the instant. */
function timeElement(at: number, text: string, zone = ' UTC'): Html {
  const iso = isoOf(at);
  return (
    <time datetime={`${iso.slice(0, 16)}Z`}>
      {escapeHtml(text)}
      {escapeHtml(iso.slice(11, 16))}
      {escapeHtml(zone)}
    </time>
  );
}

/** Renders an instant as a `time` element: `22 Nov 2026, 04:46 UTC`. */
export const time = (at: number): Html => timeElement(at, `${longDay(dayOf(at))}, `);

/** Renders a period; the day appears once if both ends share it. */
export function period(from: number, until: number): Html {
  if (dayOf(from) !== dayOf(until))
    return (
      <>
        {time(from)} to {time(until)}
      </>
    );
  const [begin, end] = [timeElement(from, '', ''), timeElement(until, '')];
  return (
    <>
      {escapeHtml(longDay(dayOf(from)))}, {begin} to {end}
    </>
  );
}

/** Formats a duration: `25 min`, `3 h 5 min`; at least one minute. */
export function formatDuration(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / 60_000));
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (hours === 0) return `${rest} min`;
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}

/** Formats a percentage, never rounded up to 100: `99.98 %`. */
export function formatPercent(value: number): string {
  const digits = value >= 100 ? '100' : (Math.floor(value * 100) / 100).toFixed(2);
  return `${digits}\u{a0}%`;
}

const troubles = [
  'major_outage',
  'partial_outage',
  'degraded_performance',
  'under_maintenance',
] as const;

/** Describes a day, worst status first: `Partial outage 25 min, degraded performance 1 h`. */
export function describeDay({ worst, ms }: DayState): string {
  const parts = troubles.flatMap((status) =>
    ms[status] === undefined || ms[status] <= 0
      ? []
      : [`${componentWords[status].toLowerCase()} ${formatDuration(ms[status])}`],
  );
  const text =
    parts.length > 0 || worst === 'no_data'
      ? parts.join(', ')
      : componentWords[worst].toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}
