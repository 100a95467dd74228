import { hash } from 'node:crypto';

/**
 * Makes the id of a row without one: a UUID version 8 (RFC 9562 §5.8) of the row's content and
 * position, so that the same row of the same export always gets the same id, whatever the file is
 * called.
 */
export function rowId(source: string, ordinal: number, content: string): string {
  const hex = hash('sha256', `${source}\n${ordinal}\n${content}`);
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

/** 16 hex digits for a named visitor; never all zeros, which mean an unknown visitor. */
export function visitorId(source: string, name: string): string {
  const id = hash('sha256', `${source}\n${name}`).slice(0, 16);
  return /^0+$/.test(id) ? '0000000000000001' : id;
}

/** True for a valid event id: a UUID of version 1 to 8. */
export function isEventId(text: string): boolean {
  return /^[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i.test(text);
}
