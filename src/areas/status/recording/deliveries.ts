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
/** One or two that failed may be wrong addresses. */
const leastForOutage = 3;

/** What the messages of the last 15 minutes say of a channel. None is as good as all delivered. */
export function deliveryStatus({ settled, failed }: Deliveries): ComponentStatus {
  if (failed === 0) return 'operational';
  if (failed === settled && settled >= leastForOutage) return 'major_outage';
  return failed * 2 >= settled && settled >= leastForOutage
    ? 'partial_outage'
    : 'degraded_performance';
}

/** How e-mail and SMS do, by what became of messages: nothing is sent to find out. */
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

    /** It only ever warns. Without the database the last answer stays. */
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
