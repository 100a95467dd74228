import type { FastifyReply } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Html } from '../../../lib/text/html.ts';
import { leadsOn, sendFormAgain, sendPage } from '../../../platform/ui/page-scope.ts';
import type { JobIdsBody, JobListQuery } from '../../../areas/jobs/schemas.ts';
import type { Jobs } from '../../../areas/jobs/service.ts';
import {
  asForm,
  checked,
  formLimit,
  formRefused,
  FormValues,
  listOf,
  textOf,
} from '../form-values.ts';
import { cancelPage, type JobsAsked, jobsPage } from './jobs-page.ts';
import { changes, looks } from '../limits.ts';
import { counted } from '../numbers.ts';
import { notice, withQuery } from '../parts.ts';
import type { ConsoleRoutesOptions } from './routes.overview.ts';
import { done, HtmlPage } from '../schemas.ts';
import { placeOf } from '../sections.ts';

/** The service of jobs, with the schemas of its REST calls. */
export interface JobsSource {
  jobs: Jobs;
  schemas: { list: z.ZodType<JobListQuery>; ids: z.ZodType<z.output<typeof JobIdsBody>> };
}

const tags = ['pages'];
const some = z.coerce.number().int().min(0).max(1000).default(0);
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
  of: some.describe('To how many jobs it was done.'),
  left: some.describe('And to how many it could not be done.'),
});

const left = (number: number): string =>
  number === 0
    ? ''
    : ` ${counted(number, 'other')} had changed meanwhile and ${number === 1 ? 'is' : 'are'} as before.`;

function noticeOf({ done: what, of, left: others }: z.output<typeof JobsQuery>): Html | undefined {
  if (what === 'retried') return notice(`${counted(of, 'job')} queued again.${left(others)}`);
  if (what === 'cancelled') return notice(`${counted(of, 'job')} taken away.${left(others)}`);
  return what === 'none'
    ? notice('Nothing was selected. Tick the jobs first.', { isError: true })
    : undefined;
}

/** Empty values, as forms send them, are none. */
const askedBy = (values: FormValues | z.output<typeof JobsQuery>) => ({
  state: nonEmpty(values.state),
  name: nonEmpty(values.name),
  cursor: nonEmpty(values.cursor),
});
const nonEmpty = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** Background jobs, for admins. */
export const jobPageRoutes: FastifyPluginAsyncZod<
  ConsoleRoutesOptions & { jobsSource: JobsSource }
> = async (app, { consoleLayout, viewerOf, jobsSource: { jobs, schemas } }) => {
  const listQuery = (values: FormValues | z.output<typeof JobsQuery>): JobListQuery =>
    checked(schemas.list, askedBy(values));
  const asked = ({ state, name, cursor }: JobListQuery): JobsAsked => ({ state, name, cursor });
  const back = (
    reply: FastifyReply,
    { state, name }: JobListQuery,
    values: Readonly<Record<string, string | number>>,
  ) => reply.redirect(withQuery(placeOf('jobs'), { state, name, ...values }), 303);

  app.get(
    '/jobs',
    {
      config: looks,
      schema: {
        operationId: 'console.jobs',
        summary: 'The console: background jobs',
        tags,
        querystring: JobsQuery,
        description: 'By state and kind; those that have failed first.',
        response: {
          200: HtmlPage,
          ...leadsOn('Nobody is signed in, or the device is not cleared: to where that is solved.'),
        },
      },
    },
    async (request, reply) => {
      const query = listQuery(request.query);
      const [kinds, page] = await Promise.all([jobs.kinds(), asForm(() => jobs.list(query))]);
      return sendPage(
        reply,
        consoleLayout(
          jobsPage({ asked: asked(query), kinds, page }, noticeOf(request.query)),
          viewerOf(request),
        ),
      );
    },
  );

  app.post(
    '/jobs/retry',
    {
      ...formLimit,
      config: changes,
      schema: {
        operationId: 'console.retry_jobs',
        summary: 'Form: queue jobs again',
        tags,
        hide: true,
        body: FormValues,
      },
    },
    async (request, reply) => {
      const query = listQuery(request.body);
      const picked = listOf(request.body, 'job[]');
      if (picked.length === 0) return back(reply, query, { done: 'none' });
      const results = await jobs.retry(
        checked(schemas.ids, { ids: picked }).ids,
        viewerOf(request).by,
      );
      const retried = results.filter(({ result }) => result === 'retried').length;
      return back(reply, query, { done: 'retried', of: retried, left: results.length - retried });
    },
  );

  app.post(
    '/jobs/cancel',
    {
      ...formLimit,
      config: changes,
      schema: {
        operationId: 'console.cancel_jobs',
        summary: 'Form: take jobs away',
        tags,
        hide: true,
        body: FormValues,
      },
    },
    async (request, reply) => {
      const query = listQuery(request.body);
      const picked = listOf(request.body, 'job[]');
      if (picked.length === 0) return back(reply, query, { done: 'none' });
      const { ids } = checked(schemas.ids, { ids: picked });
      const typed =
        request.body.confirm === undefined ? undefined : (textOf(request.body, 'confirm') ?? '');
      if (typed !== String(ids.length)) {
        const page = (isWrong: boolean) =>
          consoleLayout(cancelPage({ asked: asked(query), ids, isWrong }), viewerOf(request));
        if (typed === undefined) return sendPage(reply, page(false));
        return sendFormAgain(
          formRefused(`Nothing was changed. Type ${ids.length} to confirm it.`),
          request,
          reply,
          () => page(true),
        );
      }
      const results = await jobs.cancel(ids, viewerOf(request).by);
      const cancelled = results.filter(({ result }) => result === 'cancelled').length;
      return back(reply, query, {
        done: 'cancelled',
        of: cancelled,
        left: results.length - cancelled,
      });
    },
  );
};
