import { isIP } from 'node:net';
import type { IncomingMessage } from 'node:http';

const withPort = /^(?:\[([^\]]+)\]|([^:]+))(?::\d{1,5})?$/;

/**
 * Parses an entry, which may have a port, quotes or brackets, into an address; undefined if
 * invalid.
 */
function parseEntry(entry: string): string | undefined {
  const text = entry.trim().replace(/^"(.*)"$/, '$1');
  if (isIP(text) !== 0) return text;
  const [, v6, v4] = withPort.exec(text) ?? [];
  const address = v6 ?? v4 ?? '';
  return isIP(address) === (v6 === undefined ? 4 : 6) ? address : undefined;
}

/**
 * Returns the addresses of an `X-Forwarded-For` header, the nearest last. Reads from the right and
 * stops at the first invalid entry: addresses before it are unreliable, so the proxy that wrote it
 * counts as the client.
 */
export function forwardedAddresses(header: string): string[] {
  const entries = header
    .split(',')
    .filter((entry) => entry.trim() !== '')
    .map(parseEntry);
  return entries
    .slice(entries.lastIndexOf(undefined) + 1)
    .filter((address) => address !== undefined);
}

/**
 * Removes everything but addresses from `X-Forwarded-For`, as rate limits and geolocation use them.
 */
export function readForwardedAddresses({ headers }: IncomingMessage): void {
  const header = headers['x-forwarded-for'];
  if (header === undefined) return;
  const addresses = forwardedAddresses([header].flat().join(','));
  if (addresses.length === 0) delete headers['x-forwarded-for'];
  else headers['x-forwarded-for'] = addresses.join(', ');
}
