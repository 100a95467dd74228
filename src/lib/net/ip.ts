import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

const mapped = ipaddr.IPv6.parse('::ffff:0:0');

/**
 * Parses an address without its zone. An IPv4-mapped IPv6 address (RFC 4291 §2.5.5.2) becomes IPv4.
 */
function parseAddress(text: string | undefined): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  // ipaddr.js also accepts `0x7f.1`, and parses `::192.0.2.1` as a mapped address.
  const version = text === undefined ? 0 : isIP(text);
  if (text === undefined || version === 0) return undefined;
  if (version === 4) return ipaddr.IPv4.parse(text);
  const address = ipaddr.IPv6.parse(text.replace(/%.*$/, '').replace(/^::(?=\d+\.)/, '0::'));
  return address.match(mapped, 96) ? address.toIPv4Address() : address;
}

const prefixOf = ({ parts }: ipaddr.IPv6, count: number): string =>
  parts
    .slice(0, count)
    .map((part) => part.toString(16))
    .join(':');

/**
 * Returns the key to count a client by: the IPv4 address (even if mapped into IPv6), or the /64 of
 * an IPv6 address, because one subscriber has at least a /64. `unknown` for anything else.
 */
export function clientKey(ip: string | undefined): string {
  // IPv4 is not parsed, as this runs for every request.
  if (ip !== undefined && isIP(ip) === 4) return ip;
  const address = parseAddress(ip);
  if (address === undefined) return 'unknown';
  return 'octets' in address ? address.toString() : `${prefixOf(address, 4)}::/64`;
}

/**
 * Returns the network of an address in CIDR notation, which no longer identifies one person: the
 * /24 of IPv4 (`203.0.113.0/24`), the /48 of IPv6 (`2001:db8:1::/48`). Undefined for anything else.
 */
export function truncateAddress(ip: string | undefined): string | undefined {
  const address = parseAddress(ip);
  if (address === undefined) return undefined;
  return 'octets' in address
    ? `${address.octets.slice(0, 3).join('.')}.0/24`
    : `${prefixOf(address, 3)}::/48`;
}

/**
 * Returns the network that the connection of one household or office has: the /24 of IPv4, the /56
 * of IPv6 (RIPE-690 §4.2), in CIDR notation. Undefined for anything else.
 */
export function siteNetwork(ip: string | undefined): string | undefined {
  const address = parseAddress(ip);
  if (address === undefined || 'octets' in address) return truncateAddress(ip);
  const fourth = ((address.parts[3] ?? 0) & 0xff00).toString(16);
  return `${prefixOf(address, 3)}:${fourth}::/56`;
}

/**
 * Returns the canonical form of an address, without a zone: IPv6 as in RFC 5952, an IPv4-mapped
 * address as IPv4. Undefined for anything else.
 */
export const canonicalAddress = (text: string): string | undefined =>
  isIP(text) === 4 ? text : parseAddress(text)?.toString();

/** Returns an IP address as a number (RFC 791, RFC 4291). */
export function addressNumber(text: string): bigint {
  const bytes = ipaddr.parse(text).toByteArray();
  return BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
}
