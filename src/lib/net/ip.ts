import { isIP } from 'node:net';

// ipaddr.js is not used: it takes two to four times as long, and reads `0x7f.1` as an address.

const hexGroups = (text: string): number[] =>
  text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));

const dottedToHex = (text: string): string =>
  text.replace(
    /(\d+)\.(\d+)\.(\d+)\.(\d+)$/,
    (_, a: string, b: string, c: string, d: string) =>
      `${(Number(a) * 256 + Number(b)).toString(16)}:${(Number(c) * 256 + Number(d)).toString(16)}`,
  );

/** The eight 16-bit groups of an IPv6 address, in any spelling, without its zone. */
function ipv6Groups(ip: string): number[] {
  const [head = '', tail] = dottedToHex(ip.replace(/%.*$/, '')).split('::');
  const left = hexGroups(head);
  const right = hexGroups(tail ?? '');
  const gap = new Array<number>(8 - left.length - right.length).fill(0);
  return [...left, ...gap, ...right];
}

/** The IPv4 address of an IPv4-mapped IPv6 address (RFC 4291 §2.5.5.2). */
function mappedIpv4(groups: readonly number[]): string | undefined {
  const [a, b, c, d, e, f, high = 0, low = 0] = groups;
  const isMapped = a === 0 && b === 0 && c === 0 && d === 0 && e === 0 && f === 0xffff;
  return isMapped ? `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}` : undefined;
}

const prefixOf = (groups: readonly number[], count: number): string =>
  groups
    .slice(0, count)
    .map((group) => group.toString(16))
    .join(':');

/**
 * The name under which one client is counted: an IPv4 address (also when mapped into IPv6), or the
 * /64 of an IPv6 address, because one subscriber owns at least a /64. `unknown` for anything else.
 */
export function clientKey(ip: string | undefined): string {
  const version = ip === undefined ? 0 : isIP(ip);
  if (ip === undefined || version === 0) return 'unknown';
  if (version === 4) return ip;
  const groups = ipv6Groups(ip);
  return mappedIpv4(groups) ?? `${prefixOf(groups, 4)}::/64`;
}

/**
 * The network of an address in CIDR notation, which no longer names one person: the /24 of IPv4
 * (`203.0.113.0/24`), the /48 of IPv6 (`2001:db8:1::/48`). Undefined for anything else.
 */
export function truncateAddress(ip: string | undefined): string | undefined {
  const version = ip === undefined ? 0 : isIP(ip);
  if (ip === undefined || version === 0) return undefined;
  const groups = version === 6 ? ipv6Groups(ip) : undefined;
  const ipv4 = groups === undefined ? ip : mappedIpv4(groups);
  return ipv4 === undefined
    ? `${prefixOf(groups ?? [], 3)}::/48`
    : `${ipv4.replace(/\d+$/, '0')}/24`;
}

/**
 * An address in its canonical form: IPv6 as RFC 5952 writes it, an IPv4-mapped address as IPv4,
 * without a zone. Undefined for anything else.
 */
export function canonicalAddress(text: string): string | undefined {
  const address = text.replace(/%.*$/, '');
  const version = isIP(address);
  if (version !== 6) return version === 4 ? address : undefined;
  return mappedIpv4(ipv6Groups(address)) ?? new URL(`http://[${address}]`).hostname.slice(1, -1);
}

/** The number that an address stands for (RFC 791, RFC 4291). */
export const addressNumber = (address: string): bigint =>
  isIP(address) === 4
    ? BigInt(address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0))
    : ipv6Groups(address).reduce((sum, group) => (sum << 16n) + BigInt(group), 0n);
