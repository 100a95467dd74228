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
  queues.every('nfc-cleanup', dayMs, async () => {
    await deleteAlarms(db, new Date(clock.now() - retentionDays * dayMs));
  });
