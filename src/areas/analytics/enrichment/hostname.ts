const secondLevelLabels = new Set('ac co com edu gob gov go ne net or org'.split(' '));

/**
 * Returns a host name in lower case, without a leading `www.` or a trailing dot. Expects no port.
 * Accepts any text without validating it.
 */
export function bareHostname(hostname: string): string {
  const lower = hostname.toLowerCase();
  const start = lower.startsWith('www.') ? 4 : 0;
  return lower.slice(start, lower.endsWith('.') ? -1 : undefined);
}

/**
 * Returns the likely registrable domain: `example.co.uk` for `shop.example.co.uk`. A heuristic
 * without the Public Suffix List (all of `github.io` is one domain), good enough to recognise
 * well-known sites and to group the subdomains of a site. IP addresses and single labels are
 * returned unchanged.
 */
export function siteDomain(hostname: string): string {
  const host = bareHostname(hostname);
  const labels = host.split('.');
  const top = labels.at(-1) ?? '';
  if (labels.length < 3 || /^\d+$|\]$/.test(top)) return host;
  const size = top.length === 2 && secondLevelLabels.has(labels.at(-2) ?? '') ? 3 : 2;
  return labels.slice(-size).join('.');
}
