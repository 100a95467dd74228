import { escapeValue, utcStamp } from '../../../lib/text/content-lines.ts';
import type { IncidentState, StatusState } from '../model.ts';
import { texts } from '../texts/en.ts';

export interface CalendarOptions {
  appName: string;
  /** The public origin of the service. */
  baseUrl: string;
}

/** A text as a value, without control characters (RFC 5545 §3.3.11). */
const escaped = (text: string): string => escapeValue(text).replace(/\p{Cc}/gu, '');

const maxOctets = 75;

/** Splits a line that is too long (RFC 5545 §3.1). Characters stay whole. */
function folded(line: string): string {
  const lines: string[] = [];
  let current = '';
  for (const character of line) {
    // Each further line begins with a space.
    const limit = lines.length === 0 ? maxOctets : maxOctets - 1;
    if (Buffer.byteLength(current + character) > limit) {
      lines.push(current);
      current = '';
    }
    current += character;
  }
  return [...lines, current].join('\r\n ');
}

function eventLines(
  {
    id,
    name,
    scheduledFor,
    scheduledUntil,
    createdAt,
    updatedAt,
    components,
    updates,
  }: IncidentState,
  names: ReadonlyMap<string, string>,
  baseUrl: string,
): string[] {
  const affected = components.map((each) => names.get(each) ?? each).join(', ');
  const [latest] = updates;
  const description = [
    latest?.body.trim() ?? '',
    affected === '' ? '' : texts.feed.affects({ components: affected }),
  ].filter((text) => text !== '');
  return [
    'BEGIN:VEVENT',
    `UID:${id}@${new URL(baseUrl).host}`,
    `DTSTAMP:${utcStamp(updatedAt)}`,
    `CREATED:${utcStamp(createdAt)}`,
    `LAST-MODIFIED:${utcStamp(updatedAt)}`,
    `DTSTART:${utcStamp(scheduledFor ?? createdAt)}`,
    `DTEND:${utcStamp(scheduledUntil ?? createdAt)}`,
    `SUMMARY:${escaped(name)}`,
    `DESCRIPTION:${escaped(description.join('\n\n'))}`,
    `URL:${baseUrl}/status/incidents/${id}`,
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ];
}

/** Planned maintenance, and that of the last 90 days, as iCalendar (RFC 5545). */
export function maintenanceCalendar(
  { maintenances, history, components }: StatusState,
  { appName, baseUrl }: CalendarOptions,
): string {
  const names = new Map(components.map(({ id, name }) => [id, name]));
  const events = [...maintenances, ...history.filter(({ kind }) => kind === 'maintenance')];
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-//${escaped(appName)}//Status//EN`,
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `X-WR-CALNAME:${escaped(texts.feed.calendar({ app: appName }))}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    ...events.flatMap((each) => eventLines(each, names, baseUrl)),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}
