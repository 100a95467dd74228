import { BlockList, isIP } from 'node:net';
import { canonicalAddress } from '../../../lib/net/ip.ts';
import { toStoredPattern } from '../enrichment/typed-paths.ts';
import type { SiteSettings } from './settings.ts';
import { parseUrl } from '../../../lib/net/parse-url.ts';

/** Why an event is not stored. */
export interface Rejection {
  code: string;
  message: string;
  field?: string;
}

/** The properties of an event that the rules of a site check. */
interface RuleSubject {
  /** Lower-case, punycode, without a port; null when the event has only a path. */
  hostname: string | null;
  pathname: string;
  /** Sent with an API key: `ip` is then the address of a server, not of a visitor. */
  isTrusted: boolean;
  ip: string;
  /** Returns the country of the address (ISO 3166-1 alpha-2). */
  country: () => string | undefined;
}

/** The settings of a site that reject events, compiled. */
export interface SiteRules {
  /** Returns why the event is rejected; undefined if it is accepted. */
  rejection: (subject: RuleSubject) => Rejection | undefined;
}

type Check = (subject: RuleSubject) => Rejection | undefined;

const rejections = {
  closed: {
    code: 'site_closed',
    message: 'this site is closed and rejects new events',
    field: 'site_id',
  },
  host: {
    code: 'host_not_allowed',
    message: 'this site rejects events from pages on this host',
    field: 'url',
  },
  page: { code: 'shielded_page', message: 'this site rejects events from this page', field: 'url' },
  ip: { code: 'shielded_ip', message: 'this site rejects events from this address' },
  country: { code: 'shielded_country', message: 'this site rejects events from this country' },
} as const satisfies Record<string, Rejection>;

/** Normalises a host name, or `*.` and one, to lower case and punycode; undefined if invalid. */
export function canonicalHost(text: string): string | undefined {
  const [wild, name] = text.startsWith('*.') ? ['*.', text.slice(2)] : ['', text];
  if (!/^[^\s/\\?#@:%[\]*<>^|]+$/u.test(name)) return undefined;
  const { hostname } = parseUrl(`http://${name}/`) ?? {};
  if (hostname === undefined) return undefined;
  const host = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
  return host === '' || host.length > 253 || /^\.|\.\.|\.$/.test(host) ? undefined : wild + host;
}

export interface Network {
  address: string;
  /** Prefix length in bits. */
  prefix: number;
  family: 'ipv4' | 'ipv6';
}

/** Parses an address, or a network in CIDR notation (RFC 4632). Undefined if invalid. */
export function parseNetwork(text: string): Network | undefined {
  const [, given = '', length] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const address = canonicalAddress(given);
  if (address === undefined) return undefined;
  const [family, bits] = isIP(address) === 4 ? (['ipv4', 32] as const) : (['ipv6', 128] as const);
  const prefix = length === undefined ? bits : Number(length);
  return prefix > bits ? undefined : { address, prefix, family };
}

/** Compiles a pattern, in which `*` matches any text, to a linear-time matcher of paths. */
function compilePattern(pattern: string): (pathname: string) => boolean {
  const [head = '', ...rest] = pattern.split('*');
  const tail = rest.pop();
  if (tail === undefined) return (pathname) => pathname === head;
  return (pathname) => {
    if (
      pathname.length < head.length + tail.length ||
      !pathname.startsWith(head) ||
      !pathname.endsWith(tail)
    )
      return false;
    const end = pathname.length - tail.length;
    let position = head.length;
    for (const part of rest) {
      const found = pathname.indexOf(part, position);
      if (found === -1 || found + part.length > end) return false;
      position = found + part.length;
    }
    return true;
  };
}

function hostCheck(hosts: readonly string[]): Check {
  const exact = new Set(hosts.filter((host) => !host.startsWith('*.')));
  const suffixes = hosts.filter((host) => host.startsWith('*.')).map((host) => host.slice(1));
  return ({ hostname }) =>
    hostname === null || exact.has(hostname) || suffixes.some((suffix) => hostname.endsWith(suffix))
      ? undefined
      : rejections.host;
}

function pageCheck(pages: readonly string[]): Check {
  const matchers = pages.map((page) => compilePattern(toStoredPattern(page)));
  return ({ pathname }) =>
    matchers.some((matches) => matches(pathname)) ? rejections.page : undefined;
}

function ipCheck(ips: readonly string[]): Check {
  const list = new BlockList();
  for (const network of ips.map(parseNetwork))
    if (network !== undefined) list.addSubnet(network.address, network.prefix, network.family);
  return ({ isTrusted, ip }) => {
    const address = isTrusted ? undefined : canonicalAddress(ip);
    return address !== undefined && list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6')
      ? rejections.ip
      : undefined;
  };
}

function countryCheck(countries: readonly string[]): Check {
  const names = new Set(countries);
  return ({ isTrusted, country }) =>
    !isTrusted && names.has(country() ?? '') ? rejections.country : undefined;
}

/** Compiles the rules of a site; undefined if it has none, as nearly all sites do. */
export function compileRules(
  closed: boolean,
  { hosts, shields }: SiteSettings,
): SiteRules | undefined {
  if (closed) return { rejection: () => rejections.closed };
  const checks = [
    ...(hosts.length === 0 ? [] : [hostCheck(hosts)]),
    ...(shields.pages.length === 0 ? [] : [pageCheck(shields.pages)]),
    ...(shields.ips.length === 0 ? [] : [ipCheck(shields.ips)]),
    ...(shields.countries.length === 0 ? [] : [countryCheck(shields.countries)]),
  ];
  if (checks.length === 0) return undefined;
  return {
    rejection(subject) {
      for (const check of checks) {
        const rejection = check(subject);
        if (rejection !== undefined) return rejection;
      }
      return undefined;
    },
  };
}
