import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { PermanentJobError } from '../../../src/platform/queues/permanent-job-error.ts';
import { createQueues } from '../../../src/platform/queues/queues.ts';
import type { Queues } from '../../../src/platform/queues/queues.ts';
import { createRedis, pingRedis, redisReady } from '../../../src/platform/redis/redis.ts';
import { startRedis } from './redis.ts';
import type { RedisServer } from './redis.ts';

const logger = pino({ level: 'silent' });
const clock = { now: () => Date.now() };
const Mail = z.object({ to: z.string(), tries: z.number().default(1) });

let server: RedisServer;
let prefixes = 0;
const opened: Queues[] = [];

beforeAll(async () => {
  server = await startRedis();
}, 20_000);
afterEach(async () => {
  await server.start().catch(() => undefined);
  await Promise.all(opened.splice(0).map((queues) => queues.close(500)));
});
afterAll(() => server.remove());

function openQueues(address = server.address) {
  const prefix = `test${(prefixes += 1)}`;
  const queues = createQueues({ connection: address, prefix, logger, clock });
  opened.push(queues);
  return { queues, prefix };
}

function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

describe('a job', () => {
  it('is processed with its payload as parsed by the schema', async () => {
    const { queues } = openQueues();
    const process = vi.fn(async () => undefined);
    const mail = queues.defineJob({ name: 'mail.send', schema: Mail, process });
    await queues.start();
    const id = await mail.add({ to: 'a@example.org' });
    await vi.waitFor(() => expect(process).toHaveBeenCalledTimes(1), { timeout: 5000 });
    expect(process).toHaveBeenCalledWith(
      { to: 'a@example.org', tries: 1 },
      { id, attempt: 1, isRestarted: false },
    );
  });

  it('with an invalid payload is refused when added, and nothing is queued', async () => {
    const { queues } = openQueues();
    const process = vi.fn(async () => undefined);
    const mail = queues.defineJob({ name: 'mail.send', schema: Mail, process });
    // @ts-expect-error: a payload that the compiler also refuses
    await expect(mail.add({ to: 5 })).rejects.toBeInstanceOf(z.ZodError);
    expect((await queues.observe()).handlers[0]).toMatchObject({
      waiting: 0,
      delayed: 0,
      failed: 0,
    });
    expect(process).not.toHaveBeenCalled();
  });

  it('whose queued payload is no longer valid fails at once without a retry', async () => {
    const { queues: old, prefix } = openQueues();
    await old
      .defineJob({
        name: 'mail.send',
        schema: z.object({ to: z.number() }),
        process: async () => undefined,
      })
      .add({ to: 5 });
    const queues = createQueues({ connection: server.address, prefix, logger, clock });
    opened.push(queues);
    const process = vi.fn(async () => undefined);
    queues.defineJob({ name: 'mail.send', schema: Mail, process });
    await queues.start();
    await vi.waitFor(
      async () => {
        expect((await queues.observe()).handlers[0]).toMatchObject({
          waiting: 0,
          delayed: 0,
          active: 0,
          failed: 1,
        });
      },
      { timeout: 5000 },
    );
    expect(process).not.toHaveBeenCalled();
  });

  it('that fails is retried', async () => {
    const { queues } = openQueues();
    const process = vi
      .fn()
      .mockRejectedValueOnce(new Error('not now'))
      .mockResolvedValue(undefined);
    const mail = queues.defineJob({ name: 'mail.send', schema: Mail, process });
    await queues.start();
    await mail.add({ to: 'x' });
    await vi.waitFor(() => expect(process).toHaveBeenCalledTimes(2), { timeout: 8000 });
    expect(process.mock.calls[1]?.[1]).toMatchObject({ attempt: 2 });
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
    const { queues } = openQueues();
    const mail = queues.defineJob({ name: 'mail.send', schema: Mail, process });
    await queues.start();
    await mail.add({ to: 'x' });
    await vi.waitFor(
      async () => {
        expect((await queues.observe()).handlers[0]).toMatchObject({
          waiting: 0,
          delayed: 0,
          active: 0,
          failed: 1,
        });
      },
      { timeout: 5000 },
    );
    expect(process).toHaveBeenCalledTimes(1);
  });

  it('with an existing id has no effect', async () => {
    const { queues } = openQueues();
    const process = vi.fn(async () => undefined);
    const mail = queues.defineJob({ name: 'mail.send', schema: Mail, process });
    expect({
      first: await mail.add({ to: 'x' }, { id: 'one' }),
      second: await mail.add({ to: 'y' }, { id: 'one' }),
    }).toEqual({ first: 'one', second: 'one' });
    await queues.start();
    await vi.waitFor(
      async () => {
        expect((await queues.observe()).handlers[0]).toMatchObject({
          waiting: 0,
          active: 0,
          last_success_at: expect.any(String) as string,
        });
      },
      { timeout: 5000 },
    );
    expect(process.mock.calls).toEqual([
      [
        { to: 'x', tries: 1 },
        { id: 'one', attempt: 1, isRestarted: false },
      ],
    ]);
  });

  it('that repeats is scheduled once across several processes', async () => {
    const { queues: one, prefix } = openQueues();
    const two = createQueues({ connection: server.address, prefix, logger, clock });
    opened.push(two);
    for (const queues of [one, two]) {
      queues.defineJob({
        name: 'beat',
        schema: z.strictObject({}),
        options: { every: { ms: 3_600_000, payload: {} } },
        process: async () => undefined,
      });
      await queues.start();
    }
    await vi.waitFor(
      async () => {
        const [beat] = (await one.observe()).handlers;
        expect(beat).toMatchObject({ delayed: 1, waiting: 0, active: 0 });
        expect(beat?.last_success_at).toEqual(expect.any(String));
      },
      { timeout: 5000 },
    );
  });

  it('is kept after completion only up to a maximum number', async () => {
    const { queues, prefix } = openQueues();
    const process = vi.fn(async () => undefined);
    const mail = queues.defineJob({
      name: 'mail.send',
      schema: Mail,
      options: { concurrency: 20 },
      process,
    });
    await queues.start();
    await Promise.all(Array.from({ length: 150 }, () => mail.add({ to: 'x' })));
    await vi.waitFor(() => expect(process).toHaveBeenCalledTimes(150), { timeout: 10_000 });
    const redis = server.connect();
    await vi.waitFor(
      async () =>
        expect(await redis.zcard(`${prefix}:mail.send:completed`)).toBeLessThanOrEqual(100),
      { timeout: 10_000 },
    );
    redis.disconnect();
  }, 20_000);
});

describe('the queues', () => {
  it('reschedule a repeated job when Redis comes back empty, as after a failover', async () => {
    const { queues } = openQueues();
    const beat = vi.fn(async () => undefined);
    queues.defineJob({
      name: 'beat',
      schema: z.strictObject({}),
      options: { every: { ms: 3_600_000, payload: {} } },
      process: beat,
    });
    await queues.start();
    await vi.waitFor(() => expect(beat).toHaveBeenCalledTimes(1), { timeout: 5000 });
    const redis = server.connect();
    await redis.flushall();
    expect((await queues.observe()).handlers[0]).toMatchObject({ name: 'beat' });
    await vi.waitFor(() => expect(beat).toHaveBeenCalledTimes(2), { timeout: 5000 });
    await vi.waitFor(
      async () =>
        expect((await queues.observe()).handlers[0]).toMatchObject({ delayed: 1, waiting: 0 }),
      { timeout: 5000 },
    );
    redis.disconnect();
  });

  it('do not connect before they are used', async () => {
    const redis = server.connect();
    const before = Number(/connected_clients:(\d+)/.exec(await redis.info('clients'))?.[1]);
    const { queues } = openQueues();
    queues.defineJob({ name: 'mail.send', schema: Mail, process: async () => undefined });
    expect(queues.state()).toEqual({
      broker: { kind: 'redis', reachable: false, latency_ms: null },
      handlers: [
        {
          name: 'mail.send',
          concurrency: 1,
          active: null,
          waiting: null,
          delayed: null,
          failed: null,
          oldest_waiting_s: null,
          last_success_at: null,
        },
      ],
    });
    expect(Number(/connected_clients:(\d+)/.exec(await redis.info('clients'))?.[1])).toBe(before);
    redis.disconnect();
  });

  it('report how many jobs wait and for how long', async () => {
    const { queues } = openQueues();
    const mail = queues.defineJob({
      name: 'mail.send',
      schema: Mail,
      options: { concurrency: 3 },
      process: async () => undefined,
    });
    const began = Date.now();
    await mail.add({ to: 'x' });
    await mail.add({ to: 'y' });
    await mail.add({ to: 'z' }, { delayMs: 60_000 });
    const state = await queues.observe();
    expect(state.broker).toEqual({
      kind: 'redis',
      reachable: true,
      latency_ms: expect.any(Number) as number,
    });
    expect(state.handlers).toEqual([
      {
        name: 'mail.send',
        concurrency: 3,
        active: 0,
        waiting: 2,
        delayed: 1,
        failed: 0,
        oldest_waiting_s: expect.any(Number) as number,
        last_success_at: null,
      },
    ]);
    expect(state.handlers[0]?.oldest_waiting_s).toBeLessThanOrEqual(
      Math.round((Date.now() - began) / 1000),
    );
    expect(queues.state()).toEqual(state);
    const again = queues.observe();
    expect(queues.state()).toEqual(state);
    await again;
  });

  it('wait for a running job when closed', async () => {
    const { queues } = openQueues();
    const { open, opened: released } = gate();
    const started = gate();
    let finished = false;
    const mail = queues.defineJob({
      name: 'mail.send',
      schema: Mail,
      process: async () => {
        started.open();
        await released;
        finished = true;
      },
    });
    await queues.start();
    await mail.add({ to: 'x' });
    await started.opened;
    const closing = queues.close(5000);
    open();
    await closing;
    expect(finished).toBe(true);
  });

  it('do not wait longer than the limit when closed', async () => {
    const { queues } = openQueues();
    const { open, opened: released } = gate();
    const started = gate();
    const mail = queues.defineJob({
      name: 'mail.send',
      schema: Mail,
      process: async () => {
        started.open();
        await released;
      },
    });
    await queues.start();
    await mail.add({ to: 'x' });
    await started.opened;
    const began = performance.now();
    await queues.close(200);
    expect(performance.now() - began).toBeLessThan(1500);
    open();
  });

  it('refuse quickly while Redis is down, and recover automatically', async () => {
    const { queues } = openQueues();
    const process = vi.fn(async () => undefined);
    const mail = queues.defineJob({ name: 'mail.send', schema: Mail, process });
    await queues.start();
    await queues.observe();
    await server.kill();
    const began = performance.now();
    await expect(mail.add({ to: 'x' })).rejects.toMatchObject({
      status: 503,
      code: 'request.unavailable',
    });
    await expect(queues.observe()).rejects.toThrow();
    expect(performance.now() - began).toBeLessThan(2500);
    expect(queues.state().broker.reachable).toBe(false);
    expect(process).not.toHaveBeenCalled();
    await server.start();
    await vi.waitFor(() => mail.add({ to: 'back' }), { timeout: 5000 });
    await vi.waitFor(() => expect(process).toHaveBeenCalledTimes(1), { timeout: 15_000 });
    expect((await queues.observe()).broker.reachable).toBe(true);
  }, 30_000);

  it('close quickly while Redis is down', async () => {
    const { queues } = openQueues();
    queues.defineJob({ name: 'mail.send', schema: Mail, process: async () => undefined });
    await queues.start();
    await server.kill();
    const began = performance.now();
    await queues.close(1000);
    expect(performance.now() - began).toBeLessThan(2000);
  });
});

describe('a redis connection', () => {
  it('for requests fails at once while the server is down, and reconnects', async () => {
    const lines: { level: number; msg: string }[] = [];
    const redis = createRedis({
      ...server.address,
      name: 'test',
      purpose: 'requests',
      logger: pino(
        { level: 'info' },
        { write: (line: string) => lines.push(JSON.parse(line) as { level: number; msg: string }) },
      ),
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
    await vi.waitFor(() => expect(redis.status).toBe('reconnecting'), { timeout: 10_000 });
    await server.start();
    await redisReady(redis, 3000);
    expect(await redis.get('x')).toBeNull();
    await vi.waitFor(
      () =>
        expect(lines.map(({ msg }) => msg)).toEqual([
          'redis connection lost',
          'redis connection is back',
        ]),
      { timeout: 10_000 },
    );
    redis.disconnect();
  }, 15_000);

  it('that never opens is reported in one line', async () => {
    const redis = createRedis({
      socketPath: '/nonexistent/redis.sock',
      name: 'test',
      purpose: 'requests',
      logger,
    });
    await expect(redisReady(redis, 200)).rejects.toThrow(
      /^Redis cannot be reached: connect ENOENT \/nonexistent\/redis\.sock$/,
    );
    redis.disconnect();
  });
});
