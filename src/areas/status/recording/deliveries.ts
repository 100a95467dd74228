import { sql } from 'kysely';
import type { Clock } from '../../../lib/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { Check, CheckResult } from '../../health/monitor.ts';
import type { ComponentStatus } from '../model.ts';

export interface Deliveries {
  settled: number;
  failed: number;
}

type Channel = 'sms' | 'email';

const windowMs = 15 * 60_000;
/** One or two failures may be caused by invalid addresses. */
const minForOutage = 3;

/** Returns the status of a channel. No messages count as operational. */
export function deliveryStatus({ settled, failed }: Deliveries): ComponentStatus {
  if (failed === 0) return 'operational';
  if (failed === settled && settled >= minForOutage) return 'major_outage';
  return failed * 2 >= settled && settled >= minForOutage
    ? 'partial_outage'
    : 'degraded_performance';
}

/** Derives the status of email and SMS from real deliveries of the last 15 minutes. */
export function createDeliveryWatch({ db, clock }: { db: Database; clock: Clock }) {
  const last: Record<Channel, ComponentStatus> = { sms: 'operational', email: 'operational' };

  async function count(channel: Channel): Promise<Deliveries> {
    return db
      .selectFrom('deliveries')
      .select([
        sql<number>`count(*) filter (where status <> 'queued')`.as('settled'),
        sql<number>`count(*) filter (where status in ('failed', 'expired'))`.as('failed'),
      ])
      .where('channel', '=', channel)
      .where('created_at', '>=', new Date(clock.now() - windowMs))
      .executeTakeFirstOrThrow();
  }

  return {
    status: (channel: Channel) => (): ComponentStatus => last[channel],

    /** Warns and never fails. Keeps the last result while the database is unavailable. */
    check:
      (channel: Channel): Check =>
      async (): Promise<CheckResult> => {
        const counted = await count(channel).catch(() => undefined);
        if (counted === undefined)
          return last[channel] === 'operational'
            ? {}
            : { status: 'warn', output: 'the deliveries could not be counted' };
        last[channel] = deliveryStatus(counted);
        const observed = { observedValue: counted.failed, observedUnit: 'failed' };
        return last[channel] === 'operational'
          ? observed
          : {
              ...observed,
              status: 'warn',
              output: `${counted.failed} of ${counted.settled} messages failed in 15 minutes`,
            };
      },
  };
}

export type DeliveryWatch = ReturnType<typeof createDeliveryWatch>;
