import { isIP } from 'node:net';

function hexGroups(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
}

function dottedToHex(text: string): string {
  return text.replace(
    /(\d+)\.(\d+)\.(\d+)\.(\d+)$/,
    (_, a: string, b: string, c: string, d: string) =>
      `${(Number(a) * 256 + Number(b)).toString(16)}:${(Number(c) * 256 + Number(d)).toString(16)}`,
  );
}

function ipv6Groups(ip: string): number[] {
  const [head = '', tail] = dottedToHex(ip.replace(/%.*$/, '')).split('::');
  const left = hexGroups(head);
  const right = hexGroups(tail ?? '');
  const gap = new Array<number>(8 - left.length - right.length).fill(0);
  return [...left, ...gap, ...right];
}

function mappedIpv4(groups: readonly number[]): string | undefined {
  const [a, b, c, d, e, f, high = 0, low = 0] = groups;
  const isMapped = a === 0 && b === 0 && c === 0 && d === 0 && e === 0 && f === 0xffff;
  return isMapped ? `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}` : undefined;
}

function prefixOf(groups: readonly number[], count: number): string {
  return groups
    .slice(0, count)
    .map((group) => group.toString(16))
    .join(':');
}

/**
 * The name under which one client is counted: an IPv4 address (also when written as mapped IPv6), or the /64 of an
 * IPv6 address, because one subscriber owns at least a whole /64. Anything that is no address gives `unknown`.
 */
export function clientKey(ip: string | undefined): string {
  const version = ip === undefined ? 0 : isIP(ip);
  if (ip === undefined || version === 0) return 'unknown';
  if (version === 4) return ip;
  const groups = ipv6Groups(ip);
  return mappedIpv4(groups) ?? `${prefixOf(groups, 4)}::/64`;
}

/**
 * An address that no longer names one person: IPv4 with the last octet zero, IPv6 cut to its /48.
 * `undefined` when `ip` is no address.
 */
export function truncateIp(ip: string | undefined): string | undefined {
  const version = ip === undefined ? 0 : isIP(ip);
  if (ip === undefined || version === 0) return undefined;
  const groups = version === 6 ? ipv6Groups(ip) : undefined;
  const ipv4 = groups === undefined ? ip : mappedIpv4(groups);
  if (ipv4 !== undefined) return ipv4.replace(/\d+$/, '0');
  return `${prefixOf(groups ?? [], 3)}::`;
}

/**
 * The network of an address in CIDR notation, which no longer names one person: the /24 of IPv4 (`203.0.113.0/24`), the
 * /48 of IPv6 (`2001:db8:1::/48`). `undefined` when `ip` is no address.
 */
export function truncateAddress(ip: string | undefined): string | undefined {
  const network = truncateIp(ip);
  return network === undefined ? undefined : `${network}/${network.includes(':') ? 48 : 24}`;
}
