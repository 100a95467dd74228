import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { requestActor } from '../../platform/http/requests/request-actor.ts';
import { limit } from '../../platform/http/limits/rate-limit.ts';
import { noStore } from '../../platform/http/security.ts';
import type { ZodApp } from '../../platform/http/zod-app.ts';
import {
  CancelledView,
  JobIdsBody,
  JobKindList,
  JobListQuery,
  JobPage,
  RetriedView,
} from './schemas.ts';
import type { Jobs } from './service.ts';

const tags = ['jobs'];
const readLimit = { rateLimit: limit({ max: 120, seconds: 60, failOpen: true }) };
const changeLimit = { rateLimit: limit({ max: 60, seconds: 60, failOpen: true }) };
const bodyLimit = 256 * 1024;

interface JobRoutesOptions {
  jobs: Jobs;
}

function listRoutes(app: ZodApp, { jobs }: JobRoutesOptions): void {
  app.get(
    '/',
    {
      config: readLimit,
      schema: {
        operationId: 'jobs.list',
        summary: 'List background jobs',
        description:
          'Jobs in one state, of one kind or of all kinds. Payloads may contain personal ' +
          'data and are not shown.',
        tags,
        querystring: JobListQuery,
        errors: ['jobs.unknown_kind', 'request.unavailable'],
        response: { 200: JobPage },
      },
    },
    (request) => jobs.list(request.query),
  );

  app.get(
    '/queues',
    {
      config: readLimit,
      schema: {
        operationId: 'jobs.list_kinds',
        summary: 'List kinds of background jobs',
        description:
          'For each kind: job counts by state, the interval if its jobs repeat, and the ' +
          'last success.',
        tags,
        errors: ['request.unavailable'],
        response: { 200: JobKindList },
      },
    },
    async () => ({ data: await jobs.listKinds() }),
  );
}

function actionRoutes(app: ZodApp, { jobs }: JobRoutesOptions): void {
  app.post(
    '/retry',
    {
      bodyLimit,
      config: changeLimit,
      schema: {
        operationId: 'jobs.retry',
        summary: 'Retry failed jobs',
        description:
          'Resets the attempts of each job. The response has a result for each job. The ' +
          'call is safe to repeat.',
        tags,
        body: JobIdsBody,
        errors: ['request.unavailable'],
        response: { 200: RetriedView },
      },
    },
    async (request) => ({ data: await jobs.retry(request.body.ids, requestActor(request)) }),
  );

  app.post(
    '/cancel',
    {
      bodyLimit,
      config: changeLimit,
      schema: {
        operationId: 'jobs.cancel',
        summary: 'Cancel jobs',
        description:
          'Cancels waiting, delayed and failed jobs. Active jobs and the next run of a ' +
          'repeating job cannot be canceled. The response has a result for each job. ' +
          'Repeating the call has no effect.',
        tags,
        body: JobIdsBody,
        errors: ['request.unavailable'],
        response: { 200: CancelledView },
      },
    },
    async (request) => ({ data: await jobs.cancel(request.body.ids, requestActor(request)) }),
  );
}

/** Background jobs, for admins. */
export const jobRoutes: FastifyPluginAsyncZod<JobRoutesOptions> = async (app, options) => {
  noStore(app);
  listRoutes(app, options);
  actionRoutes(app, options);
};
