import { bareHostname, siteDomain } from './hostname.ts';
import { androidApps, sources, type Source } from './sources.ts';

const countryEnding = /^(?:com|(?:com?\.)?[a-z]{2})$/;
const maxLabels = 6;

const byHost = new Map<string, Source>();
const byDomainLabel = new Map<string, Source>();
const byTag = new Map<string, Source>();

for (const source of sources) {
  byTag.set(source.name.toLowerCase(), source);
  for (const tag of source.tags?.split(' ') ?? []) byTag.set(tag, source);
  for (const host of source.hosts.split(' ')) {
    if (host.endsWith('.*')) byDomainLabel.set(host.slice(0, -2), source);
    else byHost.set(host, source);
    // The first label of a short link (`t` of t.co) is not a name; that of a subdomain not unique.
    const [label = '', ...rest] = host.split('.');
    if (rest.length === 1 && label.length > 2 && !byTag.has(label)) byTag.set(label, source);
  }
}

/** Returns the known source of a host name (`l.facebook.com`, `www.google.co.uk`), or null. */
export function findSourceByHost(hostname: string): Source | null {
  const host = bareHostname(hostname);
  return findBySuffix(host) ?? findByCountry(host);
}

/** Returns the source that a utm_source gives by name, alias (`fb`) or host, or null. */
export function findSourceByTag(tag: string): Source | null {
  const name = tag.trim().toLowerCase();
  return byTag.get(name) ?? (name.includes('.') ? findSourceByHost(name) : null);
}

/** Returns the known source of an Android package name, or null. */
export function findSourceByAndroidApp(packageName: string): Source | null {
  const name = Object.hasOwn(androidApps, packageName) ? androidApps[packageName] : undefined;
  return name === undefined ? null : (byTag.get(name.toLowerCase()) ?? null);
}

function findBySuffix(host: string): Source | null {
  const labels = host.split('.').slice(-maxLabels);
  for (let start = 0; start < labels.length - 1; start++) {
    const found = byHost.get(labels.slice(start).join('.'));
    if (found !== undefined) return found;
  }
  return null;
}

function findByCountry(host: string): Source | null {
  const domain = siteDomain(host);
  const dot = domain.indexOf('.');
  if (dot === -1 || !countryEnding.test(domain.slice(dot + 1))) return null;
  return byDomainLabel.get(domain.slice(0, dot)) ?? null;
}
