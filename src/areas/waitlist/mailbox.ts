/** Domains that are one mail provider, where dots in the local part have no meaning. */
const gmailDomains: readonly string[] = ['gmail.com', 'googlemail.com'];

function split(email: string): { local: string; domain: string } {
  const at = email.lastIndexOf('@');
  return { local: email.slice(0, at), domain: email.slice(at + 1) };
}

/**
 * Returns what stays the same in all spellings of one mailbox: without a sub-address (`+news`, RFC
 * 5233), and for Gmail without dots. Expects a lower-case address.
 */
export function mailboxOf(email: string): string {
  const { local, domain } = split(email);
  const plain = local.replace(/(?<=.)\+.*$/, '');
  if (!gmailDomains.includes(domain)) return `${plain}@${domain}`;
  return `${plain.replaceAll('.', '')}@gmail.com`;
}

/**
 * Creates the function that tells whether the domain of an address, or a domain above it, gives
 * away mailboxes for some minutes (CC0 list of disposable-email-domains). The list takes a
 * megabyte, so it is loaded with the first address.
 */
export function createDisposableCheck(): (email: string) => Promise<boolean> {
  let loading: Promise<ReadonlySet<string>> | undefined;
  const load = async () =>
    (await import('disposable-email-domains-js')).disposableEmailBlocklistSet();
  return async (email) => {
    const domains = await (loading ??= load());
    const labels = split(email).domain.split('.');
    return labels.some((_, at) => domains.has(labels.slice(at).join('.')));
  };
}
