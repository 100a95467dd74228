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
    const labels = email.slice(email.lastIndexOf('@') + 1).split('.');
    return labels.some((_, at) => domains.has(labels.slice(at).join('.')));
  };
}
