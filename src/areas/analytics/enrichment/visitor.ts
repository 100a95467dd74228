import { hash } from 'node:crypto';
import { clientKey } from '../../../lib/net/ip.ts';
import { siteDomain } from './hostname.ts';

/** The traits that identify a visitor within one day. */
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
 * Returns the anonymous visitor of an event as an unsigned 64-bit number. It can't be recomputed
 * once the salt is destroyed, can't be linked to other days, and does not reveal the address.
 *
 * SHA-256 with the secret salt as prefix, truncated to 64 bits, instead of HMAC-SHA256:
 * `crypto.hash` takes a third of the time, and length extension, which HMAC prevents, needs the
 * full digest. Length prefixes keep the encoding of different visitors distinct.
 *
 * IPv6 addresses are reduced to their /64: privacy extensions (RFC 8981) change the lower half at
 * least daily, and the upper half identifies the household or phone, as an IPv4 address does.
 */
export function visitorHash({ salt, siteId, ip, userAgent, host }: VisitorTraits): bigint {
  const network = clientKey(ip);
  const domain = siteDomain(host);
  const address = `${network.length}|${network}|${domain.length}|${domain}`;
  return hash64(`${salt.toString('hex')}|${siteId}|${address}|${userAgent}`);
}

/**
 * Returns the visitor of an event with a user id: an unsigned 64-bit number, the same on every day
 * and device. It is not secret: anyone who knows the user id can compute it.
 */
export const identifiedVisitor = (siteId: number, userId: string): bigint =>
  hash64(`user|${siteId}|${userId}`);
