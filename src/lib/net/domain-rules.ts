import { domainToASCII } from 'node:url';

/** A domain whose addresses are meant, or all its subdomains. */
export interface DomainRule {
  /** In lower case and punycode, without a dot at the end. */
  domain: string;
  /** True for `*.domain`: the subdomains, without the domain itself. */
  isWildcard: boolean;
}

const form = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z](?:[a-z\d-]{0,61}[a-z\d])$/;

/** A host name in lower case and punycode (UTS 46), without a dot at the end; '' if invalid. */
const normalized = (host: string): string => domainToASCII(host.replace(/\.$/, ''));

/**
 * Parses `example.com` or `*.example.com`. Returns undefined for anything else, such as a name
 * without a dot.
 */
export function parseDomainRule(text: string): DomainRule | undefined {
  const isWildcard = text.startsWith('*.');
  const domain = normalized(isWildcard ? text.slice(2) : text);
  return form.test(domain) ? { domain, isWildcard } : undefined;
}

/** The host of an email address, as `parseDomainRule` writes it; '' if there is none. */
function hostOf(address: string): string {
  const at = address.lastIndexOf('@');
  return at === -1 ? '' : normalized(address.slice(at + 1));
}

/** True when the address's host is one of the domains. Compares whole labels. */
export function isAddressOf(address: string, rules: readonly DomainRule[]): boolean {
  const host = hostOf(address);
  return rules.some(({ domain, isWildcard }) =>
    isWildcard ? host.endsWith(`.${domain}`) : host === domain,
  );
}
