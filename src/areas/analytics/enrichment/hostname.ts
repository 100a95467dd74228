const secondLevelLabels = new Set([
  'ac',
  'co',
  'com',
  'edu',
  'gob',
  'gov',
  'go',
  'ne',
  'net',
  'or',
  'org',
]);

/**
 * A host name in lower case, without a leading `www.` and a trailing dot, as pages of one site
 * share it. Expects no port. Accepts any text and validates nothing.
 */
export function bareHostname(hostname: string): string {
  const lower = hostname.toLowerCase();
  const start = lower.startsWith('www.') ? 4 : 0;
  return lower.slice(start, lower.endsWith('.') ? -1 : undefined);
}

/**
 * The domain that one owner most likely registered: `example.co.uk` for `shop.example.co.uk`.
 * A rule of thumb without the Public Suffix List (`github.io` counts as one owner), good enough to
 * recognise well-known sites and to hold the subdomains of a site together. IP addresses and single
 * labels are returned unchanged.
 */
export function siteDomain(hostname: string): string {
  const host = bareHostname(hostname);
  const labels = host.split('.');
  const top = labels.at(-1) ?? '';
  if (labels.length < 3 || /^\d+$|\]$/.test(top)) return host;
  const size = top.length === 2 && secondLevelLabels.has(labels.at(-2) ?? '') ? 3 : 2;
  return labels.slice(-size).join('.');
}
