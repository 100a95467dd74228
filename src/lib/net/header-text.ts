const notAscii = /[^\t\x20-\x7e]/;
const allNotAscii = /[^\t\x20-\x7e]/gu;

const encoded = (character: string): string => encodeURIComponent(character.toWellFormed());

/**
 * Returns the value of a header in ASCII (RFC 9110 §5.5): anything else, and control characters,
 * percent-encoded as UTF-8, as a URL has them. What is ASCII stays as it is.
 */
export const headerText = (value: string): string =>
  notAscii.test(value) ? value.replace(allNotAscii, encoded) : value;

/** What RFC 8187 §3.2.1 does not allow in a value, of what `encodeURIComponent` leaves. */
const notAttribute = /['()*]/g;
const percent = (character: string): string =>
  `%${character.charCodeAt(0).toString(16).toUpperCase()}`;

/** The name in plain letters, for clients that don't read `filename*`. */
const plainName = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .replace(/[^\x20-\x7e]|["\\/%]/gu, '_');

/**
 * Returns the `Content-Disposition` header that makes browsers save a response (RFC 6266). A name
 * that is not plain ASCII is given twice: in plain letters, and in its own ones (RFC 8187).
 */
export function attachment(name: string): string {
  const plain = plainName(name);
  const start = `attachment; filename="${plain}"`;
  if (plain === name) return start;
  const own = encodeURIComponent(name.toWellFormed()).replace(notAttribute, percent);
  return `${start}; filename*=UTF-8''${own}`;
}
