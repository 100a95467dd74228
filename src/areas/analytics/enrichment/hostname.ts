const SECOND_LEVEL = new Set([
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
 * A host name as two pages of one site share it: lower-case, without a leading `www.` and a
 * trailing dot. Ports must be gone already. Any text is accepted; nothing is checked.
 */
export function bareHostname(hostname: string): string {
  const lower = hostname.toLowerCase();
  const start = lower.startsWith('www.') ? 4 : 0;
  return lower.slice(start, lower.endsWith('.') ? -1 : undefined);
}

/**
 * The part of a host name that one owner has most likely registered: `shop.example.co.uk` gives
 * `example.co.uk`. A rule of thumb without the Public Suffix List (hosting names such as
 * `github.io` count as one owner), good enough to recognise well-known sites and to hold the
 * subdomains of one site together. IP addresses and single labels come back as they are.
 */
export function siteDomain(hostname: string): string {
  const host = bareHostname(hostname);
  const labels = host.split('.');
  const top = labels.at(-1) ?? '';
  if (labels.length < 3 || /^\d+$|\]$/.test(top)) return host;
  const size = top.length === 2 && SECOND_LEVEL.has(labels.at(-2) ?? '') ? 3 : 2;
  return labels.slice(-size).join('.');
}
