import { z } from 'zod';
import { jobStates } from '../../platform/queues/types.ts';
import { NextCursor } from '../../platform/validation/paging-schemas.ts';

const time = z.iso.datetime();
const count = z.int();
const id = z
  .string()
  .describe('Kind and number of the job, for example `comms-delivery:42`.')
  .meta({ examples: ['comms-delivery:42'] });

export const JobListQuery = z.strictObject({
  state: z.enum(jobStates).default('failed').describe('The state of the jobs.'),
  name: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe('One kind of job.')
    .meta({ examples: ['comms-delivery'] }),
  limit: z.coerce.number().int().min(1).max(100).default(50).describe('Maximum jobs per page.'),
  cursor: z
    .string()
    .max(600)
    .optional()
    .describe('The `next_cursor` from the previous page.')
    .meta({ examples: ['WyJjb21tcy1kZWxpdmVyeSIsIjQyIiwxNzc3ODg3MDAwMDAwXQ'] }),
});
export type JobListQuery = z.output<typeof JobListQuery>;

export const JobView = z
  .object({
    id,
    name: z.string().describe('The kind of job.'),
    state: z.enum(jobStates),
    created_at: time,
    attempts: count.describe('Maximum attempts.'),
    attempts_made: count,
    run_at: time.nullable().describe('When the job is due, or when its last attempt started.'),
    finished_at: time.nullable(),
    error: z
      .string()
      .nullable()
      .describe('First line of the error from the job’s last attempt, at most 200 characters.'),
  })
  .meta({
    id: 'Job',
    examples: [
      {
        id: 'comms-delivery:42',
        name: 'comms-delivery',
        state: 'failed',
        created_at: '2026-05-04T09:30:00.000Z',
        attempts: 4,
        attempts_made: 4,
        run_at: '2026-05-04T09:30:07.000Z',
        finished_at: '2026-05-04T09:30:09.000Z',
        error: 'smtp_451',
      },
    ],
  });
export type JobView = z.output<typeof JobView>;

export const JobPage = z
  .object({
    data: z
      .array(JobView)
      .describe(
        'Grouped by kind, newest first; delayed jobs in the order in which they are due. ' +
          'Payloads are not included.',
      ),
    next_cursor: NextCursor,
  })
  .meta({ id: 'JobList', description: 'A page of jobs, without their payloads.' });
export type JobPage = z.output<typeof JobPage>;

export const JobKindView = z
  .object({
    name: z.string(),
    concurrency: count.describe('Maximum jobs that a process runs concurrently.'),
    every_s: z
      .number()
      .nullable()
      .describe('The interval of repeated jobs, in seconds; null for others.'),
    waiting: count,
    active: count,
    delayed: count.describe('Jobs due later, including the next run of repeated jobs.'),
    failed: count,
    completed: count.describe('Completed jobs still stored. Some kinds store none.'),
    oldest_waiting_s: z.number().nullable().describe('Seconds.'),
    last_success_at: time.nullable(),
    last_duration_ms: z
      .number()
      .nullable()
      .describe('Duration of the job that succeeded last, in milliseconds.'),
    next_run_at: time
      .nullable()
      .describe('When a repeated job is due next; in the past if it is late. Null for others.'),
  })
  .meta({
    id: 'JobKind',
    examples: [
      {
        name: 'comms-delivery',
        concurrency: 10,
        every_s: null,
        waiting: 0,
        active: 1,
        delayed: 0,
        failed: 2,
        completed: 0,
        oldest_waiting_s: null,
        last_success_at: '2026-05-04T09:30:00.000Z',
        last_duration_ms: 210,
        next_run_at: null,
      },
    ],
  });
export type JobKindView = z.output<typeof JobKindView>;

export const JobKindList = z
  .object({ data: z.array(JobKindView).describe('Sorted by name.') })
  .meta({ id: 'JobKindList', description: 'The kinds of jobs, with counts by state.' });

export const JobIdsBody = z
  .strictObject({
    ids: z.array(z.string().min(1).max(400)).min(1).max(500).describe('Job ids from the list.'),
  })
  .meta({ examples: [{ ids: ['comms-delivery:42'] }] });

export const RetriedView = z
  .object({
    data: z.array(
      z.object({
        id,
        result: z
          .enum(['retried', 'not_failed', 'not_found'])
          .describe('`not_failed`: the job is waiting, active or completed.'),
      }),
    ),
  })
  .meta({
    id: 'RetriedJobs',
    description: 'The result for each job id.',
    examples: [{ data: [{ id: 'comms-delivery:42', result: 'retried' }] }],
  });

export const CancelledView = z
  .object({
    data: z.array(
      z.object({
        id,
        result: z
          .enum(['cancelled', 'active', 'completed', 'repeated', 'not_found'])
          .describe('`active`: cannot be canceled. `repeated`: the next run of a repeated job.'),
      }),
    ),
  })
  .meta({
    id: 'CancelledJobs',
    description: 'The result for each job id.',
    examples: [{ data: [{ id: 'comms-delivery:42', result: 'cancelled' }] }],
  });
