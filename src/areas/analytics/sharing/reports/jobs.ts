import { hourMs } from '../../../../lib/durations.ts';
import type { Resources } from '../../../../platform/resources.ts';
import type { Reports } from './service.ts';

/** Sends due reports once an hour. Runs only on replicas with figures. */
export const defineReportJob = (
  { queues, config }: Pick<Resources, 'queues' | 'config'>,
  reports: Pick<Reports, 'sendDueReports'>,
) =>
  queues.every('analytics-reports', hourMs, () => reports.sendDueReports(), {
    isHere: config.ANALYTICS,
    attempts: 5,
  });
