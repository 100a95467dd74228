import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

const namedRanges: ReadonlySet<string> = new Set(['loopback', 'linklocal', 'uniquelocal']);

function isProxy(entry: string): boolean {
  const [address = '', prefix] = entry.split('/');
  if (isIP(address) === 0) return namedRanges.has(entry);
  return prefix === undefined || ipaddr.isValidCIDR(entry);
}

/** True when each entry of a comma-separated list is an IP address, a CIDR or a named range. */
export function isProxyList(list: string): boolean {
  return list
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .every(isProxy);
}
