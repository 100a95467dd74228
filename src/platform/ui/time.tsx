import { escapeHtml, type Html } from '../../lib/text/html.ts';
import { formatDateTime, type Instant } from '../i18n/dates.ts';

export interface TimeOptions {
  at: Instant;
}

/** An instant in UTC. The console's script shows it in the viewer's time zone. */
export const Time = ({ at }: TimeOptions): Html => (
  <time datetime={new Date(at).toISOString()}>{escapeHtml(formatDateTime(at))}</time>
);
