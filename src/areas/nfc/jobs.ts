import { z } from 'zod';
import { dayMs } from '../../lib/durations.ts';
import type { Resources } from '../../platform/resources.ts';
import { deleteAlarms } from './alarms/service.ts';

/** Days until an alarm is deleted. */
const retentionDays = 90;

/** Defines the daily job that deletes old alarms. */
export const defineAlarmCleanup = ({
  queues,
  db,
  clock,
}: Pick<Resources, 'queues' | 'db' | 'clock'>) =>
  queues.defineJob({
    name: 'nfc-cleanup',
    schema: z.strictObject({}),
    options: { every: { ms: dayMs, payload: {} } },
    async process() {
      await deleteAlarms(db, new Date(clock.now() - retentionDays * dayMs));
    },
  });
