import type { Resources } from '../../platform/resources.ts';
import type { Audit } from '../audit/service.ts';
import { createJobs } from './service.ts';

export const composeJobs = ({ queues }: Resources, { audit }: { audit: Audit }) => ({
  jobs: createJobs({ queues, audit }),
});
