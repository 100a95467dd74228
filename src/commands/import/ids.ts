import { hash } from 'node:crypto';

/**
 * The id of a row that has none of its own: a UUID version 8 (RFC 9562 §5.8) made from what the row
 * says and where it stands, so that the same row of the same export always gets the same id,
 * whatever the file is called.
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

/** Sixteen hex digits for a named visitor. Never all zeros, which stand for nobody. */
export function visitorId(source: string, name: string): string {
  const id = hash('sha256', `${source}\n${name}`).slice(0, 16);
  return /^0+$/.test(id) ? '0000000000000001' : id;
}

/** True for what the service takes as an id: a UUID of version 1 to 8. */
export function isEventId(text: string): boolean {
  return /^[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i.test(text);
}
