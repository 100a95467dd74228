import { BlockList, isIP } from 'node:net';
import { canonicalAddress } from '../../../lib/net/ip.ts';
import type { Rejection } from '../ingest/admission/admission.ts';
import type { SiteSettings } from './sites.ts';

/** What a site's rules ask about an event. */
interface RuleSubject {
  /** In lower case, punycode, without a port; null when the event has a path only. */
  hostname: string | null;
  pathname: string;
  /** Sent with a key: the address is that of a server, not of a visitor. */
  isTrusted: boolean;
  ip: string;
  /** ISO 3166-1 alpha-2 of the address. */
  country: () => string | undefined;
}

/** The settings of a site that refuse events, made ready for many events. */
export interface SiteRules {
  /** Why the event is not taken; undefined when it is. */
  rejection: (subject: RuleSubject) => Rejection | undefined;
}

type Check = (subject: RuleSubject) => Rejection | undefined;

const rejections = {
  closed: { code: 'site_closed', message: 'this site takes no events any more', field: 'site_id' },
  host: {
    code: 'host_not_allowed',
    message: 'this site takes no events of pages on this host',
    field: 'url',
  },
  page: { code: 'shielded_page', message: 'this site takes no events of this page', field: 'url' },
  ip: { code: 'shielded_ip', message: 'this site takes no events from this address' },
  country: { code: 'shielded_country', message: 'this site takes no events from this country' },
} as const satisfies Record<string, Rejection>;

/** A host name or `*.` and one, in lower case and punycode; undefined if it is none. */
export function canonicalHost(text: string): string | undefined {
  const [wild, name] = text.startsWith('*.') ? ['*.', text.slice(2)] : ['', text];
  if (!/^[^\s/\\?#@:%[\]*<>^|]+$/u.test(name) || !URL.canParse(`http://${name}/`)) return undefined;
  const { hostname } = new URL(`http://${name}/`);
  const host = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
  return host === '' || host.length > 253 || /^\.|\.\.|\.$/.test(host) ? undefined : wild + host;
}

export interface Network {
  address: string;
  /** Bits. */
  prefix: number;
  family: 'ipv4' | 'ipv6';
}

/** An address, or a network in CIDR notation (RFC 4632). Undefined when it is neither. */
export function networkOf(text: string): Network | undefined {
  const [, given = '', length] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const address = canonicalAddress(given);
  if (address === undefined) return undefined;
  const [family, bits] = isIP(address) === 4 ? (['ipv4', 32] as const) : (['ipv6', 128] as const);
  const prefix = length === undefined ? bits : Number(length);
  return prefix > bits ? undefined : { address, prefix, family };
}

/** Matches paths against a pattern with `*` for any text, in linear time. */
function pageMatcher(pattern: string): (pathname: string) => boolean {
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
    let at = head.length;
    for (const part of rest) {
      const found = pathname.indexOf(part, at);
      if (found === -1 || found + part.length > end) return false;
      at = found + part.length;
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
  const matchers = pages.map(pageMatcher);
  return ({ pathname }) =>
    matchers.some((matches) => matches(pathname)) ? rejections.page : undefined;
}

function ipCheck(ips: readonly string[]): Check {
  const list = new BlockList();
  for (const network of ips.map(networkOf))
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

/** The rules of a site; undefined when it has none, which is what nearly all events find. */
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
