import { z } from 'zod';
import { entriesOf } from '../../lib/text/lists.ts';
import { parseUrl } from '../../lib/net/parse-url.ts';

export const integer = (min: number, max = Number.MAX_SAFE_INTEGER) =>
  z.coerce.number().int().min(min).max(max);

export const longSecret = z.string().min(32, 'must have at least 32 characters');

export const singleLine = (max: number) =>
  z
    .string()
    .regex(
      new RegExp(`^[^\\p{Cc}]{1,${max}}$`, 'u'),
      `must have 1 to ${max} characters and no line breaks`,
    );

/** The path of a file, relative to the working directory if it does not start with a slash. */
export const filePath = z
  .string()
  .regex(/^[^\0]{1,4096}$/, 'must be the path of a file')
  .optional();

/** `on` or `off`, as a boolean. */
export const onOff = z.enum(['on', 'off']).transform((value) => value === 'on');

export const optionalUrl = (protocols: RegExp, example: string) =>
  z.string().regex(protocols, `must look like ${example}`).optional();

function parseBytes(text: string): number {
  const unit = { K: 1024, M: 1024 ** 2, G: 1024 ** 3 }[text.at(-3) ?? ''] ?? 1;
  return Number.parseInt(text, 10) * unit;
}

/** A number of bytes, such as `32MiB`. */
export const bytes = z
  .string()
  .regex(/^\d+(KiB|MiB|GiB)?$/, 'must be a number of bytes, or one followed by KiB, MiB or GiB')
  .transform(parseBytes);

/** A comma-separated list of origins. */
export const origins = z
  .string()
  .transform(entriesOf)
  .refine(
    (list) => list.every((entry) => parseUrl(entry)?.origin === entry),
    'must list origins such as https://app.example, separated by commas',
  );

const loopbackHosts: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** True for a URL with a loopback host. */
export const isOnThisMachine = (url: URL): boolean => loopbackHosts.includes(url.hostname);

const unsafeProtocols: readonly string[] = [
  'javascript:',
  'data:',
  'file:',
  'blob:',
  'about:',
  'vbscript:',
];

/**
 * True for a redirect URI of a native app (RFC 8252 §7): a private-use scheme, a claimed https URL,
 * or a loopback URL.
 */
export function isRedirectUri(text: string): boolean {
  const url = parseUrl(text);
  if (url === undefined) return false;
  if (url.hash !== '' || unsafeProtocols.includes(url.protocol)) return false;
  return url.protocol !== 'http:' || isOnThisMachine(url);
}
