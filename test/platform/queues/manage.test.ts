import { pino } from 'pino';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { PermanentJobError } from '../../../src/platform/queues/permanent-job-error.ts';
import { hourMs } from '../../../src/lib/durations.ts';
import { createQueues, type Queues } from '../../../src/platform/queues/queues.ts';
import type { JobCursor } from '../../../src/platform/queues/manage.ts';
import type { JobState } from '../../../src/platform/queues/types.ts';
import { startRedis } from '../bus/persistent-redis.ts';

const logger = pino({ level: 'silent' });
const clock = { now: () => Date.now() };
const Mail = z.object({ to: z.string() });

let prefixes = 0;
const opened: Queues[] = [];

const server = await startRedis();
afterEach(() => Promise.all(opened.splice(0).map((queues) => queues.close(200))));
afterAll(() => server.remove());

/**
 * Kinds of jobs: `mail` fails permanently with the error of `reason`, until `heal`; `later` has a
 * repeated job; `slow` waits to be released.
 */
function openJobs() {
  const prefix = `manage${(prefixes += 1)}`;
  const queues = createQueues({ connection: { url: server.url }, prefix, logger, clock });
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

const states = async (queues: Queues, state: JobState, name?: string) =>
  (await queues.list({ name, state, limit: 100 })).jobs;

/** Waits until that many jobs are in a state. */
const until = (queues: Queues, state: JobState, name: string, count: number) =>
  vi.waitFor(async () => expect(await states(queues, state, name)).toHaveLength(count), {
    timeout: 10_000,
    interval: 20,
  });

describe('a list of jobs', () => {
  it('has when and why jobs failed, in one line, without their payload', async () => {
    const { queues, mail } = openJobs();
    await queues.start();
    const before = Date.now();
    const id = await mail.add({ to: `somebody@example.org ${'x'.repeat(300)}` });
    await until(queues, 'failed', 'mail', 1);
    const [job, ...others] = await states(queues, 'failed');
    const time = expect.any(Number) as number;
    expect(job).toEqual({
      id: `mail:${id}`,
      name: 'mail',
      state: 'failed',
      createdAt: time,
      attempts: 3,
      attemptsMade: 1,
      runAt: time,
      finishedAt: time,
      error: 'smtp_550 321',
    });
    expect(others).toEqual([]);
    expect(job?.finishedAt).toBeGreaterThanOrEqual(before);
    expect(JSON.stringify(job)).not.toContain('somebody');
  });

  it('can be paged through without gaps or repeats, even while jobs are retried', async () => {
    const { queues, mail, slow, heal } = openJobs();
    await queues.start();
    for (let at = 0; at < 25; at += 1) await mail.add({ to: 'x' }, { id: `job-${at}` });
    await until(queues, 'failed', 'mail', 25);
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
    expect(seen).toHaveLength(25);
    expect(new Set(seen).size).toBe(25);
    await until(queues, 'completed', 'mail', 25);
    const delayed = await queues.list({ state: 'delayed', limit: 2 });
    expect(delayed.jobs.map(({ name }) => name)).toEqual(['later', 'slow']);
    const rest = await queues.list({ state: 'delayed', limit: 2, after: delayed.next });
    expect(rest.jobs.map(({ name }) => name)).toEqual(['slow', 'slow']);
    expect(rest.next).toBeUndefined();
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
    await until(queues, 'failed', 'mail', 2);
    heal();
    // Concurrently, as if by two admins.
    const answers = await Promise.all([queues.retry([...ids, ...ids]), queues.retry(ids)]);
    expect(answers.flat().filter(({ result }) => result === 'retried')).toHaveLength(2);
    await until(queues, 'completed', 'mail', 2);
    const once = { attemptsMade: 1 };
    expect(await states(queues, 'completed', 'mail')).toMatchObject([once, once]);
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
    await until(queues, 'failed', 'mail', 1);
    const active = `slow:${await slow.add({ to: 'x' })}`;
    await until(queues, 'active', 'slow', 1);
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
    await until(queues, 'completed', 'slow', 1);
    const gone = { result: 'not_found' };
    expect(await queues.remove([failed, active, waiting, delayed])).toMatchObject([
      gone,
      { result: 'completed' },
      gone,
      gone,
    ]);
  });

  it('keeps the next run of a repeated job', async () => {
    const { queues } = openJobs();
    await queues.start();
    await until(queues, 'delayed', 'later', 1);
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
  const connection = { socketPath: '/tmp/no-redis-here.sock' };
  const queues = createQueues({ connection, prefix: 'x', logger, clock });
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
