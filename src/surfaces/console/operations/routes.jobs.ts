import type { FastifyReply } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { JobIdsBody, JobListQuery } from '../../../areas/jobs/schemas.ts';
import { requestActor } from '../../../platform/http/requests/request-actor.ts';
import type { ToastOptions } from '../../../platform/ui/components/feedback.tsx';
import { asForm, FormValues, invalidForm, listOf, parseForm, textOf } from '../forms.ts';
import { type ConsoleRoutesOptions, type ConsoleScope, redirectTo } from '../request-context.ts';
import { form, page } from '../route-options.ts';
import { done } from '../schemas.ts';
import { sectionPath } from '../sections.ts';
import { texts as shared } from '../texts/en.ts';
import { cancelPage, jobsPage } from './jobs-page.tsx';
import { texts } from './texts/en.ts';

const numberOfJobs = z.coerce.number().int().min(0).max(1000).default(0);
const JobsQuery = z.object({
  state: z
    .string()
    .max(20)
    .optional()
    .meta({ examples: ['failed'] }),
  name: z
    .string()
    .max(100)
    .optional()
    .meta({ examples: ['comms-delivery'] }),
  cursor: z
    .string()
    .max(600)
    .optional()
    .meta({ examples: ['WyJjb21tcy1kZWxpdmVyeSIsIjQyIiwxNzc3ODg3MDAwMDAwXQ'] }),
  done,
  of: numberOfJobs.describe('Number of jobs changed.'),
  left: numberOfJobs.describe('Number of jobs not changed.'),
});
type JobsQuery = z.output<typeof JobsQuery>;

function noticeOf({ done: doneKey, of, left, state }: JobsQuery): ToastOptions | undefined {
  const { retried, removed, cancelled, skipped, none } = texts.jobs.notices;
  if (doneKey === 'none') return { text: none, tone: 'bad' };
  if (doneKey !== 'retried' && doneKey !== 'cancelled') return undefined;
  const ended = state === 'failed' || state === undefined ? removed : cancelled;
  const sentence = (doneKey === 'retried' ? retried : ended)({ count: of });
  return { text: left === 0 ? sentence : `${sentence} ${skipped({ count: left })}` };
}

/** Reads which list to show; empty values, as forms send them, count as absent. */
function readListQuery({ state, name, cursor }: FormValues | JobsQuery): JobListQuery {
  const nonEmpty = (value: unknown) =>
    typeof value === 'string' && value !== '' ? value : undefined;
  return parseForm(JobListQuery, {
    state: nonEmpty(state),
    name: nonEmpty(name),
    cursor: nonEmpty(cursor),
  });
}

const redirectToList = (
  reply: FastifyReply,
  { state, name }: JobListQuery,
  result: { done: string; of?: number; left?: number },
): FastifyReply => redirectTo(reply, sectionPath('jobs'), { state, name, ...result });

function jobsPageRoute(
  app: ConsoleScope,
  { services: { jobs }, send }: ConsoleRoutesOptions,
): void {
  app.get(
    '/api/svc/console/jobs',
    page('console.jobs', 'Console: background jobs', {
      querystring: JobsQuery,
      description: 'Jobs by state and kind, failed jobs first.',
    }),
    async (request, reply) => {
      const query = readListQuery(request.query);
      const [kinds, list] = await Promise.all([jobs.listKinds(), asForm(() => jobs.list(query))]);
      return send(reply, jobsPage({ query, kinds, page: list }, noticeOf(request.query)));
    },
  );
}

function retryJobsRoute(app: ConsoleScope, { services: { jobs } }: ConsoleRoutesOptions): void {
  app.post(
    '/api/svc/console/jobs/retry',
    form('console.retry_jobs', 'Form: queue jobs again', { body: FormValues }),
    async (request, reply) => {
      const query = readListQuery(request.body);
      const selected = listOf(request.body, 'job[]');
      if (selected.length === 0) return redirectToList(reply, query, { done: 'none' });
      const { ids } = parseForm(JobIdsBody, { ids: selected });
      const results = await jobs.retry(ids, requestActor(request));
      const retried = results.filter(({ result }) => result === 'retried').length;
      return redirectToList(reply, query, {
        done: 'retried',
        of: retried,
        left: results.length - retried,
      });
    },
  );
}

/** Asks for confirmation first, because the work of cancelled jobs is lost. */
function cancelJobsRoute(
  app: ConsoleScope,
  { services: { jobs }, send, sendAgain }: ConsoleRoutesOptions,
): void {
  app.post(
    '/api/svc/console/jobs/cancel',
    form('console.cancel_jobs', 'Form: take jobs away', { body: FormValues }),
    async (request, reply) => {
      const { body } = request;
      const query = readListQuery(body);
      const selected = listOf(body, 'job[]');
      if (selected.length === 0) return redirectToList(reply, query, { done: 'none' });
      const { ids } = parseForm(JobIdsBody, { ids: selected });
      if (body.confirm === undefined) return send(reply, cancelPage({ query, ids }));
      if (textOf(body, 'confirm') !== String(ids.length)) {
        const error = invalidForm(shared.forms.wordMissing({ word: String(ids.length) }));
        return sendAgain(error, reply, cancelPage({ query, ids, isWrong: true }));
      }
      const results = await jobs.cancel(ids, requestActor(request));
      const cancelled = results.filter(({ result }) => result === 'cancelled').length;
      return redirectToList(reply, query, {
        done: 'cancelled',
        of: cancelled,
        left: results.length - cancelled,
      });
    },
  );
}

/** Background jobs, for admins. */
export const jobRoutes: FastifyPluginAsyncZod<ConsoleRoutesOptions> = async (app, options) => {
  jobsPageRoute(app, options);
  retryJobsRoute(app, options);
  cancelJobsRoute(app, options);
};
