import { hash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { siteDomain } from './hostname.ts';

/** What tells one visitor from another on one day. */
export interface VisitorTraits {
  /** The day's random salt, 16 bytes, destroyed after 48 hours. */
  salt: Buffer;
  siteId: number;
  /** The client's address as text, IPv4 or IPv6. */
  ip: string;
  userAgent: string;
  /** The host name of the page; its subdomains count as one site. */
  host: string;
}

/**
 * The anonymous visitor of an event as an unsigned 64-bit number. With the salt destroyed nobody
 * can compute it again, so it can neither be linked to the next day nor be turned back into an
 * address.
 *
 * SHA-256 with the secret salt in front, cut to 64 bits, in place of HMAC-SHA256: one call of
 * `crypto.hash` takes about a third of the time, and the weakness that HMAC cures (extending a
 * known digest) needs the whole digest, of which three quarters are thrown away here. Lengths in
 * the message keep two different visitors from writing the same text.
 *
 * IPv6 addresses count by their /64: privacy extensions (RFC 8981) change the lower half every day
 * or faster, and the upper half is the household or the phone, just as an IPv4 address is.
 * IPv4-mapped addresses count as IPv4.
 */
export function visitorHash({ salt, siteId, ip, userAgent, host }: VisitorTraits): bigint {
  const network = visitorNetwork(ip);
  const domain = siteDomain(host);
  return hash64(
    `${salt.toString('hex')}|${siteId}|${network.length}|${network}|${domain.length}|${domain}|${userAgent}`,
  );
}

/**
 * The visitor of an event that names its user: an unsigned 64-bit number that is the same every day
 * and on every device. It is not secret: whoever knows a user id can compute it. Does not meet
 * `visitorHash` but by chance.
 */
export function identifiedVisitor(siteId: number, userId: string): bigint {
  return hash64(`user|${siteId}|${userId}`);
}

/**
 * The part of an address that stays with a visitor: an IPv4 address whole, of an IPv6 address the
 * first 64 bits (`2001:db8:0:1::/64`). Text that is no address comes back cut to 64 characters.
 */
export function visitorNetwork(ip: string): string {
  const text = ip.slice(0, 64);
  if (!text.includes(':') || !isIPv6(text)) return text;
  const groups = groupsOf(text.replace(/%.*$/, ''));
  const [high = 0, low = 0] = groups.slice(6);
  if (groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0)) {
    return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
  }
  const network = groups.slice(0, 4).map((group) => group.toString(16));
  return `${network.join(':')}::/64`;
}

/** The eight groups of a valid IPv6 address. */
function groupsOf(ip: string): number[] {
  const [head = '', tail = ''] = ip.split('::');
  const left = groupsBetweenColons(head);
  const right = groupsBetweenColons(tail);
  return [...left, ...new Array<number>(8 - left.length - right.length).fill(0), ...right];
}

function groupsBetweenColons(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((part) => {
    if (!part.includes('.')) return [Number.parseInt(part, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = part.split('.').map(Number);
    return [a * 256 + b, c * 256 + d];
  });
}

function hash64(text: string): bigint {
  return hash('sha256', text, 'buffer').readBigUInt64BE(0);
}
