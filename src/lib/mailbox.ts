/** Domains that are one mail provider, where dots in the local part have no meaning. */
const gmailDomains: readonly string[] = ['gmail.com', 'googlemail.com'];

/** Whether an address has a sub-address (`+news`, RFC 5233). */
export const isTagged = (email: string): boolean => /^.+\+.*@/.test(email);

/**
 * Returns what stays the same in all spellings of one mailbox: without a sub-address (`+news`, RFC
 * 5233), and for Gmail without dots. Expects a lower-case address.
 */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@');
  const domain = email.slice(at + 1);
  const plain = email.slice(0, at).replace(/(?<=.)\+.*$/, '');
  if (!gmailDomains.includes(domain)) return `${plain}@${domain}`;
  return `${plain.replaceAll('.', '')}@gmail.com`;
}
