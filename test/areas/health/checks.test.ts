import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pino } from 'pino';
import {
  clockSkew,
  journalRoom,
  journalWrites,
  lateJobs,
  loopDelay,
  redisRoom,
  responseTime,
} from '../../../src/areas/health/checks.ts';
import { createHealth } from '../../../src/areas/health/service.ts';
import {
  fileDisk,
  type JournalDisk,
  type SegmentFile,
} from '../../../src/platform/journal/disk.ts';
import {
  clockOffsetMs,
  createRedis,
  pingRedis,
  redisMemory,
  redisReady,
} from '../../../src/platform/redis/redis.ts';
import { readTexts, temporaryFolder, testJournal } from '../../platform/journal/journal-folder.ts';
import { startTestRedis, type TestRedis } from '../../support/redis-server.ts';

const logger = pino({ level: 'silent' });
const never = new AbortController().signal;

/** A disk whose writes fail while `state.isFull`. */
function fullDisk() {
  const state = { isFull: false };
  const wrap = (file: SegmentFile): SegmentFile => ({
    ...file,
    write: async (bytes, position) => {
      if (state.isFull)
        throw Object.assign(new Error('ENOSPC: no space left on device, write'), {
          code: 'ENOSPC',
        });
      await file.write(bytes, position);
    },
  });
  const disk: JournalDisk = {
    open: async (path) => wrap(await fileDisk.open(path)),
    create: async (path, header) => wrap(await fileDisk.create(path, header)),
  };
  return { state, disk };
}

describe('the journal check', () => {
  it('makes the replica not ready after a failed write, until there is room', async () => {
    const { state, disk } = fullDisk();
    const dir = await temporaryFolder();
    const journal = await testJournal(dir, { disk });
    const health = createHealth({ clock: { now: Date.now } });
    health.register('analytics:journal', journalWrites(journal), {
      title: 'Analytics',
      gate: true,
    });
    const look = async () => {
      await health.start();
      health.stop();
      return health.ready();
    };
    await journal.append('before');
    expect(await look()).toMatchObject({ status: 'pass' });
    state.isFull = true;
    expect(await look(), 'nothing has failed yet').toMatchObject({ status: 'pass' });
    await expect(journal.append('refused')).rejects.toMatchObject({ code: 'full' });
    expect(await look()).toMatchObject({
      status: 'fail',
      reason: 'check_failed',
      failing: ['analytics:journal'],
    });
    state.isFull = false;
    expect(await look()).toMatchObject({ status: 'pass', failing: [] });
    await journal.append('after');
    expect(readTexts(dir, journal.start(), journal.position())).toEqual(['before', 'after']);
  });

  it('warns before the disk is full', async () => {
    const room = (freeBytes: number, diskBytes: number) =>
      journalRoom({ room: async () => ({ freeBytes, diskBytes }) }, 1000)(never);
    expect(await room(1000, 100_000)).toEqual({ observedValue: 1000, observedUnit: 'bytes' });
    expect(await room(999, 9000)).not.toHaveProperty('status');
    expect(await room(899, 9000)).toMatchObject({
      status: 'warn',
      output: expect.stringContaining('make room') as string,
    });
  });
});

describe('the check of repeated jobs', () => {
  const due = Date.parse('2026-05-04T09:00:00Z');
  const idle = { concurrency: 1, active: 0, waiting: 0, delayed: 1, failed: 0 };
  const past = { oldest_waiting_s: null, last_success_at: null, last_duration_ms: null };
  const kind = (name: string, next: number | null) => ({
    ...idle,
    ...past,
    name,
    next_run_at: next === null ? null : new Date(next).toISOString(),
  });
  const handlers = [kind('beat', due), kind('mail', null), kind('sweep', due + 600_000)];
  const state = () => ({
    broker: { kind: 'redis' as const, reachable: true, latency_ms: 1 },
    handlers,
  });
  const at = (now: number) => lateJobs({ state }, { now: () => now })(AbortSignal.abort());

  it('warns of those that are not started within five minutes, by name', async () => {
    expect(await at(due + 300_000)).toEqual({ observedValue: 0, observedUnit: 'late' });
    const late = await at(due + 300_001);
    expect(late).toMatchObject({ status: 'warn', observedValue: 1 });
    expect(late.output).toMatch(/^not started in time: beat\. /);
  });
});

describe('the event loop check', () => {
  it('warns after a long delay, and fails after one of five seconds', async () => {
    let late = 10;
    const check = loopDelay(() => late);
    expect(await check(never)).toEqual({ observedValue: 10, observedUnit: 'ms' });
    late = 600;
    expect(await check(never)).toMatchObject({ status: 'warn' });
    late = 5100;
    expect(await check(never)).toMatchObject({
      status: 'fail',
      output: 'the event loop did nothing else for at least 5100 ms',
    });
  });
});

describe('the Redis checks', () => {
  let server: TestRedis;
  let redis: ReturnType<typeof createRedis>;
  beforeAll(async () => {
    server = await startTestRedis();
    return () => server.stop();
  });
  beforeEach(async () => {
    redis = createRedis({ url: server.url, name: 'test', purpose: 'requests', logger });
    await redisReady(redis, 5000);
  });
  afterEach(() => redis.disconnect());

  const write = () => responseTime(() => pingRedis(redis))(never);

  it('detect a server that refuses writes: a replica, or one out of memory', async () => {
    await expect(write()).resolves.toMatchObject({ observedUnit: 'ms' });
    await redis.config('SET', 'min-replicas-to-write', '1');
    await expect(write()).rejects.toThrow('NOREPLICAS');
    await redis.config('SET', 'min-replicas-to-write', '0');
    await redis.replicaof('127.0.0.1', 1);
    await expect(write()).rejects.toThrow('READONLY');
    await redis.replicaof('NO', 'ONE');
    await redis.config('SET', 'maxmemory', '1');
    await expect(write()).rejects.toThrow('OOM');
    await redis.config('SET', 'maxmemory', '0');
    await expect(write()).resolves.not.toHaveProperty('status');
  });

  it('warn of an eviction policy, even when CONFIG is forbidden', async () => {
    const room = redisRoom(() => redisMemory(redis));
    expect(await room(never)).not.toHaveProperty('status');
    await redis.config('SET', 'maxmemory-policy', 'allkeys-lru');
    await redis.acl('SETUSER', 'managed', 'on', 'nopass', '~*', '&*', '+@all', '-config');
    const url = server.url.replace('//', '//managed:x@');
    const managed = createRedis({ url, name: 'managed', purpose: 'requests', logger });
    await redisReady(managed, 5000);
    await expect(managed.config('GET', 'maxmemory-policy')).rejects.toThrow('NOPERM');
    expect(await redisRoom(() => redisMemory(managed))(never)).toMatchObject({
      status: 'warn',
      output: expect.stringMatching(/allkeys-lru.*noeviction/) as string,
    });
    managed.disconnect();
    await redis.config('SET', 'maxmemory-policy', 'noeviction');
    expect(await room(never)).not.toHaveProperty('status');
  });

  it.each([
    [0, undefined],
    [-4000, undefined],
    [300_000, '300 s ahead of'],
    [-300_000, '300 s behind'],
  ])('detect a clock that is %i ms from that of Redis', async (ms, output) => {
    const check = clockSkew(() => clockOffsetMs(redis, { now: () => Date.now() + ms }));
    const result = await check(never);
    expect(Math.abs((result.observedValue as number) - ms)).toBeLessThan(2000);
    expect(result.status).toBe(output === undefined ? undefined : 'warn');
    expect(result.output ?? '').toContain(output ?? '');
  });

  it('warn when memory runs low, and not when the server does not report it', async () => {
    const memory = { usedBytes: 95, limitBytes: 100, policy: 'noeviction' };
    const room = (read: Parameters<typeof redisRoom>[0]) => redisRoom(read)(never);
    expect(await room(async () => memory)).toMatchObject({ status: 'warn', observedValue: 95 });
    const unlimited = { ...memory, limitBytes: 0 };
    expect(await room(async () => unlimited)).not.toHaveProperty('status');
    expect(await room(() => Promise.reject(new Error('NOPERM')))).toEqual({});
  });
});
