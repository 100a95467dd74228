import { z } from 'zod';
import type { Queues } from '../../../../platform/queues/queues.ts';
import type { Reports } from './reports.ts';
import { hourMs } from '../../../../lib/durations.ts';

/** Looks once an hour which reports are due. Only where the figures are (`isHere`). */
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
