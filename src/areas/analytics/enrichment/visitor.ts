import { hash } from 'node:crypto';
import { clientKey } from '../../../lib/net/ip.ts';
import { siteDomain } from './hostname.ts';

/** What tells one visitor from another on one day. */
export interface VisitorTraits {
  /** The day's random salt, 16 bytes, destroyed after 48 hours. */
  salt: Buffer;
  siteId: number;
  /** The client's address, IPv4 or IPv6. */
  ip: string;
  userAgent: string;
  /** The host name of the page; its subdomains count as one site. */
  host: string;
}

const hash64 = (text: string): bigint => hash('sha256', text, 'buffer').readBigUInt64BE(0);

/**
 * The anonymous visitor of an event as an unsigned 64-bit number. Once the salt is destroyed nobody
 * can compute it again: it links to no other day and reveals no address.
 *
 * SHA-256 with the secret salt in front, cut to 64 bits, instead of HMAC-SHA256: `crypto.hash`
 * takes a third of the time, and length extension, which HMAC prevents, needs the whole digest.
 * Lengths in the message keep different visitors from producing the same text.
 *
 * IPv6 addresses count by their /64: privacy extensions (RFC 8981) change the lower half at least
 * daily, and the upper half is the household or the phone, as an IPv4 address is.
 */
export function visitorHash({ salt, siteId, ip, userAgent, host }: VisitorTraits): bigint {
  const network = clientKey(ip);
  const domain = siteDomain(host);
  const address = `${network.length}|${network}|${domain.length}|${domain}`;
  return hash64(`${salt.toString('hex')}|${siteId}|${address}|${userAgent}`);
}

/**
 * The visitor of an event that names its user: an unsigned 64-bit number, the same on every day and
 * device. It is not secret: whoever knows a user id can compute it.
 */
export const identifiedVisitor = (siteId: number, userId: string): bigint =>
  hash64(`user|${siteId}|${userId}`);
