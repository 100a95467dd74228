import type { Clock } from '../../lib/clock.ts';
import { truncateAddress } from '../../lib/net/ip.ts';
import { dayMs } from '../../lib/durations.ts';
import type { Queues } from '../../platform/queues/queues.ts';
import type { AuditStore } from './store.ts';

interface Retention {
  store: Pick<AuditStore, 'wholeAddresses' | 'replaceAddresses' | 'deleteOldest'>;
  clock: Clock;
  /** Rows per statement. Default: 1000. */
  batch?: number;
}

const wholeAddressDays = 30;
const eventDays = 400;

/** Deletes events after 400 days, and truncates addresses to their network after 30. */
export async function applyRetention({ store, clock, batch = 1000 }: Retention): Promise<void> {
  const now = clock.now();
  let count: number;
  do count = await store.deleteOldest(batch, now - eventDays * dayMs);
  while (count === batch);
  do {
    const rows = await store.wholeAddresses(batch, now - wholeAddressDays * dayMs);
    await store.replaceAddresses(
      rows.map(({ id, address }) => ({
        id,
        address: truncateAddress(address ?? undefined) ?? null,
      })),
    );
    count = rows.length;
  } while (count === batch);
}

/** Defines the daily retention job. */
export function defineAuditRetention(queues: Queues, retention: Retention) {
  return queues.every('audit-retention', dayMs, () => applyRetention(retention));
}
