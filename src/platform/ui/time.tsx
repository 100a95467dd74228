import { escapeHtml, type Html } from '../../lib/text/html.ts';
import { formatAgo, formatUntil } from '../i18n/ago.ts';
import { formatDateTime, formatDateTimeRange, type Instant } from '../i18n/dates.ts';

export interface TimeOptions {
  at: Instant;
}

/** An instant in UTC. The console's script shows it in the viewer's time zone. */
export const Time = ({ at }: TimeOptions): Html => (
  <time datetime={new Date(at).toISOString()}>{escapeHtml(formatDateTime(at))}</time>
);

export interface AgoOptions extends TimeOptions {
  /** Unix ms. */
  now: number;
}

/** How long ago an instant was. The console's script puts the exact time into its title. */
export const Ago = ({ at, now }: AgoOptions): Html => (
  <time datetime={new Date(at).toISOString()} data-ago>
    {escapeHtml(formatAgo(at, now))}
  </time>
);

/** When an instant will be. The console's script puts the exact time into its title. */
export const Until = ({ at, now }: AgoOptions): Html => (
  <time datetime={new Date(at).toISOString()} data-ago>
    {escapeHtml(formatUntil(at, now))}
  </time>
);

export interface TimeRangeOptions {
  from: Instant;
  until: Instant;
}

/** A span of time; what both ends share is written once. The console's script localizes it too. */
export const TimeRange = ({ from, until }: TimeRangeOptions): Html => (
  <time datetime={new Date(from).toISOString()} data-until={new Date(until).toISOString()}>
    {escapeHtml(formatDateTimeRange(from, until))}
  </time>
);
