import { BlockList, isIP } from 'node:net';
import { parseUrl } from '../../../lib/net/parse-url.ts';

/** Addresses of cloud metadata services: Alibaba, Oracle, Azure; AWS and Google over IPv6. */
const metadata = {
  ipv4: ['100.100.100.200', '192.0.0.192', '168.63.129.16'],
  ipv6: ['fd00:ec2::254', 'fd20:ce::254'],
} as const;

/**
 * Addresses that probes must not reach: link-local ones, where most clouds serve credentials of
 * their machines, and the other metadata services.
 */
function createGuardedList(): BlockList {
  const list = new BlockList();
  list.addSubnet('169.254.0.0', 16, 'ipv4');
  list.addSubnet('fe80::', 10, 'ipv6');
  // 169.254/16 as NAT64 (RFC 6052), 6to4 (RFC 3056) and IPv4-compatible (::a.b.c.d) addresses.
  list.addSubnet('64:ff9b::a9fe:0', 112, 'ipv6');
  list.addSubnet('2002:a9fe::', 32, 'ipv6');
  list.addSubnet('::a9fe:0', 112, 'ipv6');
  for (const family of ['ipv4', 'ipv6'] as const)
    metadata[family].forEach((address) => list.addAddress(address, family));
  return list;
}

/**
 * True for link-local addresses (RFC 3927, RFC 4291 §2.5.6) and cloud metadata services, also when
 * an IPv6 address embeds such an IPv4 address.
 */
export function isGuarded(address: string): boolean {
  const bare = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  const version = isIP(bare);
  return version !== 0 && createGuardedList().check(bare, version === 4 ? 'ipv4' : 'ipv6');
}

/** The target of a TCP check. */
export interface Target {
  /** Without brackets. */
  host: string;
  port: number;
}

/**
 * Parses `host:port` or `[address]:port`; undefined when it is malformed. Like in a URL, numbers in
 * other bases become IPv4 addresses.
 */
export function tcpTargetOf(target: string): Target | undefined {
  if (!/^(?:\[[\da-f:.]+\]|[\w.-]+):\d{1,5}$/i.test(target)) return undefined;
  const url = parseUrl(`http://${target}`);
  if (url === undefined) return undefined;
  const port = Number(target.slice(target.lastIndexOf(':') + 1));
  const { hostname } = url;
  return port >= 1 && port <= 65_535 ? { host: hostname.replace(/^\[|\]$/g, ''), port } : undefined;
}

function hostOf(source: 'http' | 'tcp', target: string): string | undefined {
  if (source === 'tcp') return tcpTargetOf(target)?.host;
  const url = parseUrl(target);
  if (url === undefined) return undefined;
  const { protocol, hostname, username, password } = url;
  return /^https?:$/.test(protocol) && username === '' && password === '' ? hostname : undefined;
}

/** Returns why a target is invalid, or undefined when it is valid. */
export function targetProblem(source: 'http' | 'tcp', target: string): string | undefined {
  // URL parsers strip these characters, but the stored target would contain them.
  if (/[\p{Cc}\p{Cs}\s]/u.test(target))
    return 'must have no spaces, line breaks or control characters';
  const host = hostOf(source, target);
  if (host === undefined)
    return source === 'http'
      ? 'must be an http or https URL without user and password'
      : 'must look like host:port';
  return isGuarded(host) ? 'must not be a link-local or cloud metadata address' : undefined;
}
