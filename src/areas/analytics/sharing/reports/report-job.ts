import { z } from 'zod';
import type { Queues } from '../../../../platform/queues/queues.ts';
import type { Reports } from './reports.ts';
import { hourMs } from '../../../../lib/durations.ts';

/** Sends due reports once an hour. Runs only on replicas with figures (`isHere`). */
export function defineReportJob(
  queues: Queues,
  reports: Pick<Reports, 'sendDueReports'>,
  { isHere }: { isHere: boolean },
) {
  return queues.defineJob({
    name: 'analytics-reports',
    schema: z.strictObject({}),
    options: { isHere, attempts: 5, every: { ms: hourMs, payload: {} } },
    process: () => reports.sendDueReports(),
  });
}
