import { z } from 'zod';
import type { Clock } from '../../lib/clock.ts';
import { dayMs } from '../../lib/durations.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Queues } from '../../platform/queues/queues.ts';
import { deleteAlarms } from './alarms/service.ts';

/** Days until an alarm is deleted. */
const retentionDays = 90;

/** Defines the daily job that deletes old alarms. */
export const defineAlarmCleanup = ({
  queues,
  db,
  clock,
}: {
  queues: Queues;
  db: Database;
  clock: Clock;
}) =>
  queues.defineJob({
    name: 'nfc-cleanup',
    schema: z.strictObject({}),
    options: { every: { ms: dayMs, payload: {} } },
    async process() {
      await deleteAlarms(db, new Date(clock.now() - retentionDays * dayMs));
    },
  });
