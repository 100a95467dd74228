import { isIP } from 'node:net';
import type { IncomingMessage } from 'node:http';

const withPort = /^(?:\[([^\]]+)\]|([^:]+))(?::\d{1,5})?$/;

/** The address of an entry, which may have a port, quotes or brackets; else undefined. */
function addressOf(entry: string): string | undefined {
  const text = entry.trim().replace(/^"(.*)"$/, '$1');
  if (isIP(text) !== 0) return text;
  const [, v6, v4] = withPort.exec(text) ?? [];
  const address = v6 ?? v4 ?? '';
  return isIP(address) === (v6 === undefined ? 4 : 6) ? address : undefined;
}

/**
 * The addresses of an `X-Forwarded-For`, the nearest last. From the right up to the first entry
 * that is none: whoever stands before it is not known, so that the client counts as the proxy that
 * has written it.
 */
export function forwardedAddresses(header: string): string[] {
  const entries = header
    .split(',')
    .filter((entry) => entry.trim() !== '')
    .map(addressOf);
  return entries
    .slice(entries.lastIndexOf(undefined) + 1)
    .filter((address) => address !== undefined);
}

/** Leaves only addresses in `X-Forwarded-For`: limits count them, and maps look them up. */
export function readForwardedAddresses({ headers }: IncomingMessage): void {
  const header = headers['x-forwarded-for'];
  if (header === undefined) return;
  const addresses = forwardedAddresses([header].flat().join(','));
  if (addresses.length === 0) delete headers['x-forwarded-for'];
  else headers['x-forwarded-for'] = addresses.join(', ');
}
