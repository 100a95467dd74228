import { dayMs, hourMs } from '../../lib/durations.ts';
import type { EntryStatus } from './tables.ts';

/** What a referral adds to the score, which decides the place. */
export const referralPoints = 10;

/** Why a referral got no credit. */
export const creditReasons = [
  'self_referral',
  'same_network',
  'disposable_address',
  'velocity',
  'referrer_not_on_list',
  'denied',
  'withheld_by_admin',
] as const;
export type CreditReason = (typeof creditReasons)[number];

/** How far back the same network counts as the same household or office. */
const networkDays = 30;
/** Referrals of one person that get credit within an hour. */
const creditsPerHour = 10;

export const networkWindowMs = networkDays * dayMs;
export const velocityWindowMs = hourMs;

/** What is known when a referred person verifies their address. */
export interface ReferralFacts {
  isDisposable: boolean;
  /** Networks of the referred person: when joining and when verifying. */
  networks: readonly string[];
  /** Whether the browser that verifies has the referrer's own entry open. */
  isReferrersBrowser: boolean;
  mailbox: string;
  referrer: {
    mailbox: string;
    status: EntryStatus;
    /** Networks that the referrer, and people who got them credit, used in the last 30 days. */
    networks: readonly string[];
    creditsInLastHour: number;
  };
}

/** Returns why a referral gets no credit; none when it gets credit. */
export function reasonsToWithhold(facts: ReferralFacts): CreditReason[] {
  const { networks, referrer } = facts;
  const found: readonly (readonly [CreditReason, boolean])[] = [
    ['self_referral', facts.isReferrersBrowser || facts.mailbox === referrer.mailbox],
    ['same_network', networks.some((network) => referrer.networks.includes(network))],
    ['disposable_address', facts.isDisposable],
    ['velocity', referrer.creditsInLastHour >= creditsPerHour],
    ['referrer_not_on_list', ['pending', 'denied'].includes(referrer.status)],
  ];
  return found.filter(([, isTrue]) => isTrue).map(([reason]) => reason);
}
