import { z } from 'zod';
import { JobIdsBody, JobListQuery } from '../../../areas/jobs/schemas.ts';
import type { ToastOptions } from '../../../platform/ui/components/feedback.tsx';
import { type Query, withQuery } from '../components/navigation.tsx';
import { asForm, FormError, parseForm } from '../forms.ts';
import { form } from '../routes.forms.ts';
import { page } from '../routes.pages.ts';
import { done, emptyable } from '../schemas.ts';
import { sectionPath } from '../sections.ts';
import { texts as shared } from '../texts/en.ts';
import { cancelPage } from './cancel-jobs-page.tsx';
import { jobsPage } from './jobs-page.tsx';
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

/** Which list to show; empty values, as forms send them, count as absent. */
const List = z.object({
  state: emptyable(z.string()),
  name: emptyable(z.string()),
  cursor: emptyable(z.string()),
});
const Selected = z.object({
  state: z.string().optional(),
  name: z.string().optional(),
  job: z.array(JobIdsBody.shape.ids.element).max(500),
  confirm: z.string().optional(),
});

const readListQuery = (query: object): JobListQuery => parseForm(JobListQuery, List.parse(query));

/** How many jobs were changed, and how many not. */
function resultOf(results: readonly { result: string }[], done: 'retried' | 'cancelled') {
  const changed = results.filter(({ result }) => result === done).length;
  return { done, of: changed, left: results.length - changed };
}

const toList = ({ state, name }: z.output<typeof Selected>, result: Query): string =>
  withQuery(sectionPath('jobs'), { state, name, ...result });

/** Background jobs, for admins. */
export const jobRoutes = [
  page({
    id: 'console.jobs',
    path: '/api/svc/console/jobs',
    summary: 'Console: background jobs',
    description: 'The kinds of jobs, or the jobs in a state.',
    query: JobsQuery,
    async show({ jobs, clock }, input) {
      const now = clock.now();
      if ([input.state, input.name, input.cursor].every((given) => given === undefined))
        return jobsPage({ kinds: await jobs.listKinds(), now }, noticeOf(input));
      const query = readListQuery(input);
      const [kinds, page] = await Promise.all([jobs.listKinds(), asForm(() => jobs.list(query))]);
      return jobsPage({ kinds, list: { query, page }, now }, noticeOf(input));
    },
  }),
  form({
    id: 'console.retry_jobs',
    path: '/api/svc/console/jobs/retry',
    summary: 'Form: requeue jobs',
    body: Selected,
    async run({ jobs }, { job: ids }, { by }): Promise<Query> {
      if (ids.length === 0) return { done: 'none' };
      return resultOf(await jobs.retry(ids, by), 'retried');
    },
    to: toList,
  }),
  form({
    id: 'console.cancel_jobs',
    path: '/api/svc/console/jobs/cancel',
    summary: 'Form: remove jobs',
    body: Selected,
    // Asks for confirmation first, because the work of cancelled jobs is lost.
    async run({ jobs }, { job: ids, confirm, ...list }, { by }) {
      if (ids.length === 0) return { done: 'none' };
      const asking = cancelPage({ query: readListQuery(list), ids });
      if (confirm === undefined) return asking;
      const number = String(ids.length);
      if (confirm !== number)
        throw new FormError(
          shared.forms.wordMissing({ word: number }),
          new Map([['confirm', texts.cancelJobs.wrong({ number })]]),
          asking,
        );
      return resultOf(await jobs.cancel(ids, by), 'cancelled');
    },
    to: (input, result) => ('body' in result ? result : toList(input, result)),
  }),
];
