import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { PermanentJobError } from '../../../src/platform/queues/permanent-job-error.ts';
import { createQueues } from '../../../src/platform/queues/queues.ts';
import type { JobCursor } from '../../../src/platform/queues/manage.ts';
import type { JobState } from '../../../src/platform/queues/types.ts';
import { startRedis, type RedisServer } from './redis.ts';

const logger = pino({ level: 'silent' });
const clock = { now: () => Date.now() };
const Mail = z.object({ to: z.string() });
const hourMs = 3_600_000;

let server: RedisServer;
let prefixes = 0;
const opened: ReturnType<typeof createQueues>[] = [];

beforeAll(async () => {
  server = await startRedis();
}, 20_000);
afterEach(() => Promise.all(opened.splice(0).map((queues) => queues.close(200))));
afterAll(() => server.remove());

/**
 * Kinds of jobs: `mail` fails permanently with the error of `reason`, until `heal`; `later` has a
 * repeated job; `slow` waits to be released.
 */
function openJobs() {
  const queues = createQueues({
    connection: server.address,
    prefix: `manage${(prefixes += 1)}`,
    logger,
    clock,
  });
  opened.push(queues);
  let isWell = false;
  let letGo: () => void = () => undefined;
  const gone = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const mail = queues.defineJob({
    name: 'mail',
    schema: Mail,
    options: { concurrency: 5 },
    process: async ({ to }) => {
      if (!isWell) throw new PermanentJobError(`smtp_550 ${to.length}\nsecond line with ${to}`);
    },
  });
  const slow = queues.defineJob({ name: 'slow', schema: Mail, process: () => gone });
  queues.defineJob({
    name: 'later',
    schema: z.strictObject({}),
    options: { every: { ms: hourMs, payload: {} } },
    process: async () => undefined,
  });
  return {
    queues,
    mail,
    slow,
    heal: () => {
      isWell = true;
    },
    letGo,
  };
}

const states = async (queues: ReturnType<typeof createQueues>, state: JobState, name?: string) =>
  (await queues.list({ name, state, limit: 100 })).jobs;
const settled = (queues: ReturnType<typeof createQueues>, failed: number) =>
  vi.waitFor(async () => expect(await states(queues, 'failed', 'mail')).toHaveLength(failed), {
    timeout: 5000,
    interval: 20,
  });

describe('a list of jobs', () => {
  it('has when and why jobs failed, in one line, without their payload', async () => {
    const { queues, mail } = openJobs();
    await queues.start();
    const before = Date.now();
    const id = await mail.add({ to: `somebody@example.org ${'x'.repeat(300)}` });
    await settled(queues, 1);
    const [job, ...others] = await states(queues, 'failed');
    expect({ job, others }).toEqual({
      job: {
        id: `mail:${id}`,
        name: 'mail',
        state: 'failed',
        createdAt: expect.any(Number) as number,
        attempts: 3,
        attemptsMade: 1,
        runAt: expect.any(Number) as number,
        finishedAt: expect.any(Number) as number,
        error: 'smtp_550 321',
      },
      others: [],
    });
    expect(job?.finishedAt).toBeGreaterThanOrEqual(before);
    expect(JSON.stringify(job)).not.toContain('somebody');
  });

  it('can be paged through without gaps or repeats, even while jobs are retried', async () => {
    const { queues, mail, slow, heal } = openJobs();
    await queues.start();
    for (let at = 0; at < 25; at += 1) await mail.add({ to: 'x' }, { id: `job-${at}` });
    await settled(queues, 25);
    heal();
    for (let at = 0; at < 3; at += 1) await slow.add({ to: 'x' }, { delayMs: hourMs });
    const seen: string[] = [];
    let after: JobCursor | undefined;
    do {
      const page = await queues.list({ state: 'failed', limit: 10, after });
      seen.push(...page.jobs.map(({ id }) => id));
      await queues.retry(page.jobs.map(({ id }) => id));
      after = page.next;
    } while (after !== undefined);
    expect({ length: seen.length, size: new Set(seen).size }).toEqual({ length: 25, size: 25 });
    await vi.waitFor(
      async () => expect(await states(queues, 'completed', 'mail')).toHaveLength(25),
      { timeout: 5000 },
    );
    const delayed = await queues.list({ state: 'delayed', limit: 2 });
    expect(delayed.jobs.map(({ name }) => name)).toEqual(['later', 'slow']);
    const rest = await queues.list({ state: 'delayed', limit: 2, after: delayed.next });
    expect({ jobs: rest.jobs.map(({ name }) => name), next: rest.next }).toEqual({
      jobs: ['slow', 'slow'],
      next: undefined,
    });
    for (const { runAt } of rest.jobs)
      expect(Math.abs((runAt ?? 0) - Date.now() - hourMs)).toBeLessThan(10_000);
  });

  it('can be paged through for waiting jobs, newest first', async () => {
    const { queues, mail } = openJobs();
    for (let at = 0; at < 5; at += 1) await mail.add({ to: 'x' }, { id: `job-${at}` });
    const first = await queues.list({ state: 'waiting', limit: 3 });
    await mail.add({ to: 'x' }, { id: 'newer' });
    const second = await queues.list({ state: 'waiting', limit: 3, after: first.next });
    expect([first, second].map(({ jobs }) => jobs.map(({ id }) => id))).toEqual([
      ['mail:job-4', 'mail:job-3', 'mail:job-2'],
      ['mail:job-1', 'mail:job-0'],
    ]);
    expect(second.next).toBeUndefined();
  });
});

describe('retrying', () => {
  it('runs only failed jobs again, with all their attempts', async () => {
    const { queues, mail, heal } = openJobs();
    await queues.start();
    const ids = [await mail.add({ to: 'a' }), await mail.add({ to: 'b' })].map(
      (id) => `mail:${id}`,
    );
    await settled(queues, 2);
    heal();
    // Concurrently, as if by two admins.
    const answers = await Promise.all([queues.retry([...ids, ...ids]), queues.retry(ids)]);
    expect(answers.flat().filter(({ result }) => result === 'retried')).toHaveLength(2);
    await vi.waitFor(
      async () => expect(await states(queues, 'completed', 'mail')).toHaveLength(2),
      { timeout: 5000 },
    );
    expect(
      (await states(queues, 'completed', 'mail')).map(({ attemptsMade }) => attemptsMade),
    ).toEqual([1, 1]);
    // Some ids name keys of the queue that are not jobs.
    const none = [
      'mail:999',
      'nothing:1',
      'mail',
      'mail:',
      ':1',
      'mail:meta',
      'mail:wait',
      'mail:completed',
      'mail:1:lock',
      '__proto__:1',
    ].map((id) => ({ id, result: 'not_found' }));
    expect(await queues.retry([...ids, ...none.map(({ id }) => id)])).toEqual([
      ...ids.map((id) => ({ id, result: 'not_failed' })),
      ...none,
    ]);
    expect(await queues.remove(none.map(({ id }) => id))).toEqual(none);
    expect(await states(queues, 'completed', 'mail')).toHaveLength(2);
  });
});

describe('cancelling', () => {
  it('removes waiting, delayed and failed jobs, and reports running ones', async () => {
    const { queues, mail, slow, letGo } = openJobs();
    await queues.start();
    const failed = `mail:${await mail.add({ to: 'x' })}`;
    await settled(queues, 1);
    const active = `slow:${await slow.add({ to: 'x' })}`;
    await vi.waitFor(async () => expect(await states(queues, 'active', 'slow')).toHaveLength(1), {
      timeout: 5000,
    });
    const waiting = `slow:${await slow.add({ to: 'x' })}`;
    const delayed = `slow:${await slow.add({ to: 'x' }, { delayMs: hourMs })}`;
    const answer = await queues.remove([failed, active, waiting, delayed, waiting]);
    expect(answer.map(({ result }) => result)).toEqual([
      'cancelled',
      'active',
      'cancelled',
      'cancelled',
    ]);
    letGo();
    await vi.waitFor(
      async () => expect(await states(queues, 'completed', 'slow')).toHaveLength(1),
      { timeout: 5000 },
    );
    expect(
      (await queues.remove([failed, active, waiting, delayed])).map(({ result }) => result),
    ).toEqual(['not_found', 'completed', 'not_found', 'not_found']);
  });

  it('keeps the next run of a repeated job', async () => {
    const { queues } = openJobs();
    await queues.start();
    await vi.waitFor(async () => expect(await states(queues, 'delayed', 'later')).toHaveLength(1), {
      timeout: 5000,
    });
    const [next] = await states(queues, 'delayed', 'later');
    expect(await queues.remove([next?.id ?? ''])).toEqual([{ id: next?.id, result: 'repeated' }]);
    expect(await states(queues, 'delayed', 'later')).toEqual([next]);
    expect(await queues.kinds()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'later', everyMs: hourMs, delayed: 1 }),
        expect.objectContaining({ name: 'mail', everyMs: null, failed: 0 }),
      ]),
    );
  });
});

it('every call is refused as unavailable at once without Redis', async () => {
  const queues = createQueues({
    connection: { socketPath: '/tmp/no-redis-here.sock' },
    prefix: 'x',
    logger,
    clock,
  });
  opened.push(queues);
  queues.defineJob({ name: 'mail', schema: Mail, process: async () => undefined });
  for (const call of [
    queues.list({ state: 'failed', limit: 1 }),
    queues.retry(['mail:1']),
    queues.remove(['mail:1']),
    queues.kinds(),
  ]) {
    await expect(call).rejects.toMatchObject({ code: 'request.unavailable' });
  }
});
