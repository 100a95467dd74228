import { analyticsErrors } from '../../errors.ts';
import type { Rejection } from '../../sites/rules.ts';
import type { JournalEvent } from '../../store/journal-record.ts';
import type { RequestContext } from '../request-context.ts';
import type { DropCounters } from './drop-counters.ts';
import type { StorageBudget } from './storage-budget.ts';

export const siteBudgetSpent: Rejection = {
  code: 'site_budget',
  message: 'this site has stored as much today as it may; send it again tomorrow',
  field: 'site_id',
};

/**
 * Rejects requests whose address or site has used up its daily bytes. Trusted requests are exempt.
 */
export function createStorageLimits({
  budget,
  drops,
}: {
  budget: StorageBudget;
  drops: DropCounters;
}) {
  const untilTomorrow = () => ({ 'retry-after': String(budget.secondsLeft()) });

  const isAddressSpent = ({ isTrusted, ip }: RequestContext): boolean =>
    !isTrusted && budget.isAddressSpent(ip);

  return {
    isAddressSpent,

    isSiteSpent: ({ isTrusted }: RequestContext, siteId: number): boolean =>
      !isTrusted && budget.isSiteSpent(siteId),

    /** Charges the bytes of the journal record of these events. */
    charge(json: string, events: readonly JournalEvent[], { isTrusted, ip }: RequestContext): void {
      if (isTrusted) return;
      const sites = events.map(({ s }) => s);
      budget.charge(ip, sites, Buffer.byteLength(json));
    },

    /** Throws `analytics.address_budget`, and counts the events of the request as dropped. */
    checkAddress(request: RequestContext, events: number): void {
      if (!isAddressSpent(request)) return;
      drops.count(0, 'address_budget', events);
      throw analyticsErrors.address_budget({ headers: untilTomorrow() });
    },

    /** Throws `analytics.site_budget` if all events were rejected for that reason. */
    checkSites(rejected: readonly { code: string }[], events: number): void {
      if (rejected.length === events && rejected.every(({ code }) => code === siteBudgetSpent.code))
        throw analyticsErrors.site_budget({ headers: untilTomorrow() });
    },
  };
}

export type StorageLimits = ReturnType<typeof createStorageLimits>;
