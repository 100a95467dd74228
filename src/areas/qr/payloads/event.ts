import { contentLines, escapeValue } from './content-lines.ts';
import type { QrContentOf } from './contents.ts';

/** `20260504T123456Z`. */
const utcTime = (time: string): string =>
  `${new Date(time).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;

/**
 * An iCalendar event (RFC 5545) in UTC, without the identifiers that the standard asks for: they
 * would make the code denser, and scanners do without.
 */
export const eventText = (content: QrContentOf<'event'>): string =>
  contentLines([
    ['BEGIN', 'VCALENDAR'],
    ['VERSION', '2.0'],
    ['BEGIN', 'VEVENT'],
    ['SUMMARY', escapeValue(content.title)],
    ['DTSTART', utcTime(content.starts_at)],
    ['DTEND', content.ends_at && utcTime(content.ends_at)],
    ['LOCATION', content.location && escapeValue(content.location)],
    ['DESCRIPTION', content.description && escapeValue(content.description)],
    ['END', 'VEVENT'],
    ['END', 'VCALENDAR'],
  ]);
