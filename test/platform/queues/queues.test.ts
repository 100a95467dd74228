import { pino } from 'pino';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { isLate } from '../../../src/platform/queues/late.ts';
import { PermanentJobError } from '../../../src/platform/queues/permanent-job-error.ts';
import { createQueues, type Queues } from '../../../src/platform/queues/queues.ts';
import { createRedis, pingRedis, redisReady } from '../../../src/platform/redis/redis.ts';
import { startRedis } from '../bus/persistent-redis.ts';

const logger = pino({ level: 'silent' });
const clock = { now: () => Date.now() };
const Mail = z.object({ to: z.string(), tries: z.number().default(1) });

let prefixes = 0;
const opened: Queues[] = [];

const server = await startRedis();
afterEach(async () => {
  await server.start().catch(() => undefined);
  await Promise.all(opened.splice(0).map((queues) => queues.close(500)));
});
afterAll(() => server.remove());

function openQueues(prefix = `test${(prefixes += 1)}`) {
  const queues = createQueues({ connection: { url: server.url }, prefix, logger, clock });
  opened.push(queues);
  return { queues, prefix };
}

const nothing = async (): Promise<undefined> => undefined;

/** Queues with one kind of job, whose processing is counted. They do not run yet. */
function openMail(process = vi.fn(nothing)) {
  const { queues, prefix } = openQueues();
  const mail = queues.defineJob({ name: 'mail.send', schema: Mail, process });
  return { queues, prefix, process, mail };
}

/** Defines a job that is repeated every hour. */
const defineBeat = (queues: Queues, process = vi.fn(nothing)) =>
  queues.defineJob({
    name: 'beat',
    schema: z.strictObject({}),
    options: { every: { ms: 3_600_000, payload: {} } },
    process,
  });

const soon = { timeout: 10_000 };

/** Waits until the first kind of job has these figures. */
const untilState = (queues: Queues, state: object) =>
  vi.waitFor(async () => expect((await queues.observe()).handlers[0]).toMatchObject(state), soon);

/** What `observe` tells about the kind of job when nothing has happened. */
const idle = {
  name: 'mail.send',
  concurrency: 1,
  active: 0,
  waiting: 0,
  delayed: 0,
  failed: 0,
  oldest_waiting_s: null,
  last_success_at: null,
  last_duration_ms: null,
  next_run_at: null,
};

describe('a job', () => {
  it('is processed with its payload as parsed by the schema', async () => {
    const { queues, process, mail } = openMail();
    await queues.start();
    const id = await mail.add({ to: 'a@example.org' });
    const job = { id, attempt: 1, isRestarted: false };
    const calls = [[{ to: 'a@example.org', tries: 1 }, job]];
    await vi.waitFor(() => expect(process.mock.calls).toEqual(calls), soon);
  });

  it('with an invalid payload is refused when added, and nothing is queued', async () => {
    const { queues, process, mail } = openMail();
    // @ts-expect-error -- The compiler refuses this payload, too.
    await expect(mail.add({ to: 5 })).rejects.toBeInstanceOf(z.ZodError);
    expect((await queues.observe()).handlers).toEqual([idle]);
    expect(process).not.toHaveBeenCalled();
  });

  it('whose queued payload is no longer valid fails at once without a retry', async () => {
    const { queues: old, prefix } = openQueues();
    const schema = z.object({ to: z.number() });
    await old.defineJob({ name: 'mail.send', schema, process: nothing }).add({ to: 5 });
    const { queues } = openQueues(prefix);
    const process = vi.fn(nothing);
    queues.defineJob({ name: 'mail.send', schema: Mail, process });
    await queues.start();
    await untilState(queues, { waiting: 0, delayed: 0, active: 0, failed: 1 });
    expect(process).not.toHaveBeenCalled();
  });

  it('that fails is retried', async () => {
    const { queues, process, mail } = openMail();
    process.mockRejectedValueOnce(new Error('not now'));
    await queues.start();
    await mail.add({ to: 'x' });
    await vi.waitFor(() => expect(process).toHaveBeenCalledTimes(2), soon);
    expect(process.mock.lastCall).toMatchObject([{ to: 'x' }, { attempt: 2 }]);
  }, 15_000);

  it.each([
    ['', vi.fn().mockRejectedValue(new PermanentJobError('never'))],
    [
      ' before it waits for anything',
      vi.fn(() => {
        throw new PermanentJobError('never');
      }),
    ],
  ])('that fails for good%s is not retried', async (_when, process) => {
    const { queues, mail } = openMail(process);
    await queues.start();
    await mail.add({ to: 'x' });
    await untilState(queues, { waiting: 0, delayed: 0, active: 0, failed: 1 });
    expect(process).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['a text that PostgreSQL refuses', Object.assign(new Error('invalid'), { code: '22021' })],
    ['a document that JSON columns refuse', Object.assign(new Error('x'), { code: '22P05' })],
    ['content of another shape', new z.ZodError([])],
  ])('that fails for %s is not retried, and shows nothing of it', async (_what, error) => {
    const { queues, process, mail } = openMail();
    process.mockRejectedValue(error);
    await queues.start();
    await mail.add({ to: 'x' });
    await untilState(queues, { waiting: 0, delayed: 0, active: 0, failed: 1 });
    expect(process).toHaveBeenCalledTimes(1);
  });

  it('with an existing id has no effect', async () => {
    const { queues, process, mail } = openMail();
    expect(await mail.add({ to: 'x' }, { id: 'one' })).toBe('one');
    expect(await mail.add({ to: 'y' }, { id: 'one' })).toBe('one');
    await queues.start();
    const done = { waiting: 0, active: 0, last_success_at: expect.any(String) as string };
    await untilState(queues, done);
    const job = { id: 'one', attempt: 1, isRestarted: false };
    expect(process.mock.calls).toEqual([[{ to: 'x', tries: 1 }, job]]);
  });

  it('that repeats is scheduled once across several processes', async () => {
    const { queues: one, prefix } = openQueues();
    for (const queues of [one, openQueues(prefix).queues]) {
      defineBeat(queues);
      await queues.start();
    }
    const succeeded = { last_success_at: expect.any(String) as string };
    await untilState(one, { delayed: 1, waiting: 0, active: 0, ...succeeded });
  });

  it('that repeats tells when it is due next, and how long its last success took', async () => {
    const { queues } = openQueues();
    defineBeat(queues);
    await queues.start();
    await untilState(queues, { last_duration_ms: expect.any(Number) as number });
    const [state] = (await queues.observe()).handlers;
    const due = Date.parse(state?.next_run_at ?? '');
    expect(due).toBeGreaterThan(Date.now() - 1000);
    expect(state && isLate(state, due + 299_000)).toBe(false);
    expect(state && isLate(state, due + 301_000)).toBe(true);
  });

  it('is kept after completion only up to a maximum number', async () => {
    const { queues, prefix } = openQueues();
    const process = vi.fn(nothing);
    const options = { concurrency: 20 };
    const mail = queues.defineJob({ name: 'mail.send', schema: Mail, options, process });
    await queues.start();
    await Promise.all(Array.from({ length: 150 }, () => mail.add({ to: 'x' })));
    await vi.waitFor(() => expect(process).toHaveBeenCalledTimes(150), soon);
    const redis = server.connect();
    const completed = `${prefix}:mail.send:completed`;
    const count = () => redis.zcard(completed);
    await vi.waitFor(async () => expect(await count()).toBeLessThanOrEqual(100), soon);
    redis.disconnect();
  }, 20_000);
});

describe('the queues', () => {
  it('reschedule a repeated job when Redis comes back empty, as after a failover', async () => {
    const { queues } = openQueues();
    const beat = vi.fn(nothing);
    defineBeat(queues, beat);
    await queues.start();
    await vi.waitFor(() => expect(beat).toHaveBeenCalledTimes(1), soon);
    const redis = server.connect();
    await redis.flushall();
    expect((await queues.observe()).handlers[0]).toMatchObject({ name: 'beat' });
    await vi.waitFor(() => expect(beat).toHaveBeenCalledTimes(2), soon);
    await untilState(queues, { delayed: 1, waiting: 0 });
    redis.disconnect();
  });

  it('do not connect before they are used', async () => {
    const redis = server.connect();
    const clients = async () =>
      Number(/connected_clients:(\d+)/.exec(await redis.info('clients'))?.[1]);
    const before = await clients();
    const { queues } = openMail();
    expect(queues.state()).toEqual({
      broker: { kind: 'redis', reachable: false, latency_ms: null },
      handlers: [{ ...idle, active: null, waiting: null, delayed: null, failed: null }],
    });
    expect(await clients()).toBe(before);
    redis.disconnect();
  });

  it('report how many jobs wait and for how long', async () => {
    const { queues, mail } = openMail();
    const began = Date.now();
    await mail.add({ to: 'x' });
    await mail.add({ to: 'y' });
    await mail.add({ to: 'z' }, { delayMs: 60_000 });
    const state = await queues.observe();
    const number = expect.any(Number) as number;
    expect(state).toEqual({
      broker: { kind: 'redis', reachable: true, latency_ms: number },
      handlers: [{ ...idle, waiting: 2, delayed: 1, oldest_waiting_s: number }],
    });
    const most = Math.round((Date.now() - began) / 1000);
    expect(state.handlers[0]?.oldest_waiting_s).toBeLessThanOrEqual(most);
    expect(queues.state()).toEqual(state);
    const again = queues.observe();
    expect(queues.state()).toEqual(state);
    await again;
  });

  /** Queues that run a job until it is released. */
  async function openBusy() {
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const finished = vi.fn();
    const process = vi.fn(async () => {
      await released;
      finished();
      return undefined;
    });
    const { queues, mail } = openMail(process);
    await queues.start();
    await mail.add({ to: 'x' });
    await vi.waitFor(() => expect(process).toHaveBeenCalledTimes(1), soon);
    return { queues, finished, release };
  }

  it('wait for a running job when closed', async () => {
    const { queues, finished, release } = await openBusy();
    const closing = queues.close(5000);
    release();
    await closing;
    expect(finished).toHaveBeenCalledTimes(1);
  });

  it('do not wait longer than the limit when closed', async () => {
    const { queues, release } = await openBusy();
    const began = performance.now();
    await queues.close(200);
    expect(performance.now() - began).toBeLessThan(1500);
    release();
  });

  it('refuse quickly while Redis is down, and recover automatically', async () => {
    const { queues, process, mail } = openMail();
    await queues.start();
    await queues.observe();
    await server.kill();
    const began = performance.now();
    const refusal = { status: 503, code: 'request.unavailable' };
    await expect(mail.add({ to: 'x' })).rejects.toMatchObject(refusal);
    await expect(queues.observe()).rejects.toThrow();
    expect(performance.now() - began).toBeLessThan(2500);
    expect(queues.state().broker.reachable).toBe(false);
    expect(process).not.toHaveBeenCalled();
    await server.start();
    await vi.waitFor(() => mail.add({ to: 'back' }), soon);
    await vi.waitFor(() => expect(process).toHaveBeenCalledTimes(1), { timeout: 15_000 });
    expect((await queues.observe()).broker.reachable).toBe(true);
  }, 30_000);

  it('close quickly while Redis is down', async () => {
    const { queues } = openMail();
    await queues.start();
    await server.kill();
    const began = performance.now();
    await queues.close(1000);
    expect(performance.now() - began).toBeLessThan(2000);
  });
});

describe('a redis connection', () => {
  it('for requests fails at once while the server is down, and reconnects', async () => {
    const lines: string[] = [];
    const redis = createRedis({
      url: server.url,
      name: 'test',
      purpose: 'requests',
      logger: pino({ level: 'info' }, { write: (line: string) => lines.push(line) }),
    });
    await redisReady(redis, 2000);
    expect(await pingRedis(redis)).toBeLessThan(1000);
    await server.kill();
    let fastest = Infinity;
    for (let round = 0; round < 3 && fastest >= 300; round += 1) {
      const began = performance.now();
      await expect(redis.get('x')).rejects.toThrow();
      fastest = performance.now() - began;
    }
    expect(fastest).toBeLessThan(300);
    await vi.waitFor(() => expect(redis.status).toBe('reconnecting'), soon);
    await server.start();
    await redisReady(redis, 3000);
    expect(await redis.get('x')).toBeNull();
    await vi.waitFor(() => expect(lines).toHaveLength(2), soon);
    expect(lines[0]).toContain('"msg":"redis connection lost"');
    expect(lines[1]).toContain('"msg":"redis connection is back"');
    redis.disconnect();
  }, 15_000);

  it('that never opens is reported in one line', async () => {
    const socketPath = '/nonexistent/redis.sock';
    const redis = createRedis({ socketPath, name: 'test', purpose: 'requests', logger });
    await expect(redisReady(redis, 200)).rejects.toThrow(
      /^Redis cannot be reached: connect ENOENT \/nonexistent\/redis\.sock$/,
    );
    redis.disconnect();
  });
});
