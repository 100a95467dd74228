import type { Rejection } from '../admission/admission.ts';
import type { RequestContext } from '../admission/client-cache.ts';
import type { DropCounters } from './drop-counters.ts';
import { analyticsErrors } from '../../errors.ts';
import type { JournalEvent } from '../journal-record.ts';
import type { StorageBudget } from './storage-budget.ts';

export const siteSpent: Rejection = {
  code: 'site_budget',
  message: 'this site has stored as much today as it may; send it again tomorrow',
  field: 'site_id',
};

/**
 * What requests are refused for when their address or their site has used up its bytes of the day.
 * Keys that may write events are not counted.
 */
export function createStorageLimits({
  budget,
  drops,
}: {
  budget: StorageBudget;
  drops: DropCounters;
}) {
  /** Seconds until tomorrow, as a header. */
  const untilTomorrow = () => ({ 'retry-after': String(budget.secondsLeft()) });

  return {
    /** The text that goes to the disk for these events, counted for who sent them. */
    charged(
      json: string,
      events: readonly JournalEvent[],
      { isTrusted: keyed, ip }: RequestContext,
    ): string {
      if (!keyed)
        budget.charge(
          ip,
          events.map(({ s }) => s),
          Buffer.byteLength(json),
        );
      return json;
    },

    /**
     * Throws 429 when the address of the request has none left; `count` events are then dropped.
     */
    refuse({ isTrusted: keyed, ip }: RequestContext, count: number): void {
      if (keyed || !budget.isAddressSpent(ip)) return;
      drops.count(0, 'address_budget', count);
      throw analyticsErrors.address_budget({ headers: untilTomorrow() });
    },

    /** Throws 429 when the site was the reason for all of `count` events. */
    refuseSite(rejected: readonly { code: string }[], count: number): void {
      if (rejected.length === count && rejected.every(({ code }) => code === siteSpent.code))
        throw analyticsErrors.site_budget({ headers: untilTomorrow() });
    },
  };
}
