import { limited } from '../../platform/operations/limits.ts';
import { operationsOf } from '../../platform/operations/operation.ts';
import {
  CancelledView,
  JobIdsBody,
  JobKindList,
  JobListQuery,
  JobPage,
  RetriedView,
} from './schemas.ts';
import type { Jobs } from './service.ts';

const operation = operationsOf<{ jobs: Jobs }>({ scope: 'admin', tag: 'jobs' });

const limit = limited({ max: 60, seconds: 60, failOpen: true });
const route = { bodyLimit: 256 * 1024 };

/** Background jobs, for admins. */
export const jobOperations = [
  operation({
    id: 'jobs.list',
    path: 'GET /api/v1/jobs',
    summary: 'List background jobs',
    description:
      'Jobs in one state, of one kind or of all kinds. Payloads may contain personal ' +
      'data and are not shown.',
    query: JobListQuery,
    output: JobPage,
    errors: ['jobs.unknown_kind', 'request.unavailable'],
    run: ({ jobs }, query) => jobs.list(query),
  }),
  operation({
    id: 'jobs.list_kinds',
    path: 'GET /api/v1/jobs/queues',
    summary: 'List kinds of background jobs',
    description:
      'For each kind: job counts by state, the interval if its jobs repeat, and the ' +
      'last success.',
    output: JobKindList,
    errors: ['request.unavailable'],
    run: async ({ jobs }) => ({ data: await jobs.listKinds() }),
  }),
  operation({
    id: 'jobs.retry',
    path: 'POST /api/v1/jobs/retry',
    summary: 'Retry failed jobs',
    description:
      'Resets the attempts of each job. The response has a result for each job. The ' +
      'call is safe to repeat.',
    limit,
    route,
    body: JobIdsBody,
    output: RetriedView,
    errors: ['request.unavailable'],
    run: async ({ jobs }, { ids }, { by }) => ({ data: await jobs.retry(ids, by) }),
  }),
  operation({
    id: 'jobs.cancel',
    path: 'POST /api/v1/jobs/cancel',
    summary: 'Cancel jobs',
    description:
      'Cancels waiting, delayed and failed jobs. Active jobs and the next run of a ' +
      'repeating job cannot be canceled. The response has a result for each job. ' +
      'Repeating the call has no effect.',
    limit,
    route,
    body: JobIdsBody,
    output: CancelledView,
    errors: ['request.unavailable'],
    run: async ({ jobs }, { ids }, { by }) => ({ data: await jobs.cancel(ids, by) }),
  }),
];
