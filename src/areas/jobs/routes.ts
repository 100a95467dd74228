import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { requestActor } from '../../platform/http/request-actor.ts';
import { limit } from '../../platform/http/rate-limit.ts';
import { noStore } from '../../platform/http/security.ts';
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
const reading = { rateLimit: limit({ max: 120, seconds: 60, failOpen: true }) };
const changing = { rateLimit: limit({ max: 60, seconds: 60, failOpen: true }) };
const bodyLimit = 256 * 1024;

/** Background jobs, for admins. */
export const jobRoutes: FastifyPluginAsyncZod<{ jobs: Jobs }> = async (app, { jobs }) => {
  noStore(app);

  app.get(
    '/',
    {
      config: reading,
      schema: {
        operationId: 'jobs.list',
        summary: 'List background jobs',
        description:
          'Of all kinds or of one, in one state. What a job is about is not shown: it may be about people.',
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
      config: reading,
      schema: {
        operationId: 'jobs.kinds',
        summary: 'Kinds of background jobs',
        description:
          'How many there are in each state, how often they repeat, and when one succeeded last.',
        tags,
        errors: ['request.unavailable'],
        response: { 200: JobKindList },
      },
    },
    async () => ({ data: await jobs.kinds() }),
  );

  app.post(
    '/retry',
    {
      bodyLimit,
      config: changing,
      schema: {
        operationId: 'jobs.retry',
        summary: 'Queue jobs again that have failed',
        description:
          'They have all of their tries before them. The answer says of each what became of it; repeating it changes nothing.',
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
      config: changing,
      schema: {
        operationId: 'jobs.cancel',
        summary: 'Take jobs away',
        description:
          'Those that wait, are delayed or have failed. One that runs can not be stopped, and the next run of a repeated one stays. The answer says of each what became of it; repeating it changes nothing.',
        tags,
        body: JobIdsBody,
        errors: ['request.unavailable'],
        response: { 200: CancelledView },
      },
    },
    async (request) => ({ data: await jobs.cancel(request.body.ids, requestActor(request)) }),
  );
};
