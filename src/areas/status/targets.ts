import { BlockList, isIP } from 'node:net';

/** Addresses that belong to the wire the machine hangs on; clouds give out their machines' credentials there. */
function linkLocal(): BlockList {
  const list = new BlockList();
  list.addSubnet('169.254.0.0', 16, 'ipv4');
  list.addSubnet('fe80::', 10, 'ipv6');
  return list;
}

/** True for an address of the local link (RFC 3927, RFC 4291 §2.5.6), also where it is an IPv4 address in IPv6's clothes. */
export function isLinkLocal(address: string): boolean {
  const bare = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  const version = isIP(bare);
  return version !== 0 && linkLocal().check(bare, version === 4 ? 'ipv4' : 'ipv6');
}

/** Where a check goes. */
export interface Target {
  /** Without brackets. */
  host: string;
  port: number;
}

/** Host and port of `host:port` or `[address]:port`; undefined when it is none. Numbers in other bases become addresses as in a URL. */
export function tcpTargetOf(target: string): Target | undefined {
  if (!/^(?:\[[\da-f:.]+\]|[\w.-]+):\d{1,5}$/i.test(target) || !URL.canParse(`http://${target}`)) return undefined;
  const port = Number(target.slice(target.lastIndexOf(':') + 1));
  const { hostname } = new URL(`http://${target}`);
  return port >= 1 && port <= 65_535 ? { host: hostname.replace(/^\[|\]$/g, ''), port } : undefined;
}

function hostOf(source: 'http' | 'tcp', target: string): string | undefined {
  if (source === 'tcp') return tcpTargetOf(target)?.host;
  if (!URL.canParse(target)) return undefined;
  const { protocol, hostname, username, password } = new URL(target);
  return /^https?:$/.test(protocol) && username === '' && password === '' ? hostname : undefined;
}

/** Why a target can not be checked; undefined when it can. */
export function targetProblem(source: 'http' | 'tcp', target: string): string | undefined {
  const host = hostOf(source, target);
  if (host === undefined) return source === 'http' ? 'must be an http or https URL without user and password' : 'must look like host:port';
  return isLinkLocal(host) ? 'must not be an address of the local link' : undefined;
}
