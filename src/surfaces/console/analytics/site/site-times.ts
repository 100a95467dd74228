import { DateTime } from 'luxon';
import { type FormValues, instantOf, textOf } from '../../forms.ts';

/** What a `datetime-local` field shows for an instant (Unix ms), in a time zone. */
export const localValue = (at: number, zone: string): string =>
  DateTime.fromMillis(at, { zone }).toFormat("yyyy-MM-dd'T'HH:mm");

/**
 * The instant of a `datetime-local` field (RFC 3339), which was filled in in the time zone that the
 * form names as `zone`. Other texts stay as they are.
 */
export function instantIn(values: FormValues, name: string): string | undefined {
  const text = instantOf(values, name);
  const zone = textOf(values, 'zone');
  if (text === undefined || zone === undefined) return text;
  const local = DateTime.fromISO(text.replace(/Z$/, ''), { zone });
  return local.isValid ? local.toUTC().toISO() : text;
}
