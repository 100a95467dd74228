import { z } from 'zod';
import type { JobCursor, JobSummary, KindState } from '../../platform/queues/manage.ts';
import type { Queues } from '../../platform/queues/queues.ts';
import { RequestValidationError, valueError } from '../../platform/validation/validation-error.ts';
import type { Audit, AuditActor } from '../audit/service.ts';
import { jobErrors } from './errors.ts';
import type { JobKindView, JobListQuery, JobPage, JobView } from './schemas.ts';

const Cursor = z.tuple([z.string(), z.string(), z.int().min(0)]);
const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());

const writeCursor = ({ name, id, at }: JobCursor): string =>
  Buffer.from(JSON.stringify([name, id, at])).toString('base64url');

function readCursor(text: string): JobCursor {
  try {
    const [name, id, at] = Cursor.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
    return { name, id, at };
  } catch {
    throw new RequestValidationError([
      valueError(['query', 'cursor'], 'must be the next_cursor of a previous page'),
    ]);
  }
}

const toView = (job: JobSummary): JobView => ({
  id: job.id,
  name: job.name,
  state: job.state,
  created_at: new Date(job.createdAt).toISOString(),
  attempts: job.attempts,
  attempts_made: job.attemptsMade,
  run_at: iso(job.runAt),
  finished_at: iso(job.finishedAt),
  error: job.error,
});

function toKindView({
  everyMs,
  waiting,
  active,
  delayed,
  failed,
  ...kind
}: KindState): JobKindView {
  return {
    ...kind,
    every_s: everyMs === null ? null : everyMs / 1000,
    waiting: waiting ?? 0,
    active: active ?? 0,
    delayed: delayed ?? 0,
    failed: failed ?? 0,
  };
}

function countByKind(ids: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const id of ids) {
    const kind = id.slice(0, id.indexOf(':'));
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

/** Background jobs, for admins. All methods throw `request.unavailable` without Redis. */
export function createJobs({
  queues,
  audit,
}: {
  queues: Pick<Queues, 'list' | 'retry' | 'remove' | 'kinds' | 'state'>;
  audit: Pick<Audit, 'record'>;
}) {
  async function record(
    outcome: 'retried' | 'cancelled',
    results: readonly { id: string; result: string }[],
    by: AuditActor,
  ): Promise<void> {
    const ids = results.filter(({ result }) => result === outcome).map(({ id }) => id);
    if (ids.length === 0) return;
    const details = { count: ids.length, kinds: countByKind(ids) };
    await audit.record({ ...by, action: `jobs.${outcome}`, details });
  }

  return {
    /** Throws `jobs.unknown_kind`, RequestValidationError. */
    async list({ cursor, ...query }: JobListQuery): Promise<JobPage> {
      const after = cursor === undefined ? undefined : readCursor(cursor);
      const kinds = queues.state().handlers.map(({ name }) => name);
      if (query.name !== undefined && !kinds.includes(query.name)) throw jobErrors.unknown_kind();
      const { jobs, next } = await queues.list({ ...query, after });
      return { data: jobs.map(toView), next_cursor: next === undefined ? null : writeCursor(next) };
    },

    listKinds: async (): Promise<JobKindView[]> =>
      (await queues.kinds()).map(toKindView).sort((a, b) => (a.name < b.name ? -1 : 1)),

    /** Queues failed jobs again, with all of their attempts. Returns a result for each. */
    async retry(ids: readonly string[], by: AuditActor) {
      const results = await queues.retry(ids);
      await record('retried', results, by);
      return results;
    },

    /** Removes waiting, delayed and failed jobs. Returns a result for each. */
    async cancel(ids: readonly string[], by: AuditActor) {
      const results = await queues.remove(ids);
      await record('cancelled', results, by);
      return results;
    },
  };
}

export type Jobs = ReturnType<typeof createJobs>;
