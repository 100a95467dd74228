import { contentLines, escapeValue, utcStamp } from '../../../lib/text/content-lines.ts';
import type { QrContentOf } from './contents.ts';

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
    ['DTSTART', utcStamp(content.starts_at)],
    ['DTEND', content.ends_at && utcStamp(content.ends_at)],
    ['LOCATION', content.location && escapeValue(content.location)],
    ['DESCRIPTION', content.description && escapeValue(content.description)],
    ['END', 'VEVENT'],
    ['END', 'VCALENDAR'],
  ]);
