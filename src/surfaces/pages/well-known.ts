import type { SiteFacts } from './facts.ts';
import { dayMs } from '../../lib/durations.ts';
import { mailtoUrl } from '../../lib/net/mailto.ts';

/** RFC 9116 §2.5.5 recommends less than a year. */
const validDays = 180;

/** security.txt (RFC 9116). Expires 180 days after the current day, at midnight UTC. */
export function securityText(
  { baseUrl, contactEmail }: SiteFacts,
  now: number,
): string | undefined {
  if (contactEmail === undefined) return undefined;
  const expires = new Date((Math.floor(now / dayMs) + validDays) * dayMs).toISOString();
  return `Contact: ${mailtoUrl(contactEmail)}
Expires: ${expires}
Preferred-Languages: en
Canonical: ${baseUrl}/.well-known/security.txt
`;
}
