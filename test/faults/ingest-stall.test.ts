import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { rounds } from '../support/rounds.ts';
import { describeSmallDisk, smallDisk } from './small-disk.ts';
import { eventOf, expectEachStored, idsWhenStored, startNew } from './ingest-kill.ts';
import { type Answer, ask, asAdmin, post, startService, storedCount } from './ingest-service.ts';

const megabyte = 1024 ** 2;

interface Batch {
  ids: string[];
  body: string;
}

/** Creates a batch of events with new ids. */
function newBatch(count: number): Batch {
  const ids = Array.from({ length: count }, () => randomUUID());
  const events = ids.map((id) => eventOf(id, { url: `/${id}`, props: { text: randomUUID() } }));
  return { ids, body: JSON.stringify({ events }) };
}

async function sendBatch(
  port: number,
  answered: Set<string>,
  { ids, body }: Batch = newBatch(100),
): Promise<Answer> {
  const headers = { ...asAdmin, 'content-type': 'application/json' };
  const answer = await post(port, '/analytics/batch/', body, { headers });
  if (answer.status === 200) for (const id of ids) answered.add(id);
  return answer;
}

/** Sends until an answer is not 200, and returns that answer. */
async function sendUntilRefused(port: number, answered: Set<string>): Promise<Answer> {
  for (let sent = 0; sent < 20_000; sent += 1) {
    const answer = await sendBatch(port, answered);
    if (answer.status !== 200) return answer;
  }
  throw new Error('nothing was ever refused');
}

function expectBacklogRefusal(answer: Answer): void {
  expect(answer.status).toBe(503);
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
  expect(JSON.parse(answer.text)).toMatchObject({ status: 503, code: 'analytics.backlog' });
}

test('refuses with 503 at the backlog limit, recovers, and loses nothing', async () => {
  const service = await startNew({ JOURNAL_BACKLOG_LIMIT: '1MiB' });
  const answered = new Set<string>();
  expectBacklogRefusal(await sendUntilRefused(service.port, answered));
  expect((await ask(service.port, '/api/health/live')).status).toBe(200);
  await vi.waitFor(async () => expect((await sendBatch(service.port, answered)).status).toBe(200), {
    timeout: 60_000,
    interval: 200,
  });
  await expectEachStored(service.port, answered);
});

describeSmallDisk('an event store whose disk is full', () => {
  test('stops ingest with 503 before memory grows, and resumes when there is space', async () => {
    const disk = smallDisk(24);
    const service = await startNew({
      EVENTS_URL: `duckdb:${disk.folder}/events.duckdb`,
      JOURNAL_BACKLOG_LIMIT: '4MiB',
    });
    const answered = new Set<string>();
    await sendBatch(service.port, answered);
    disk.fill(64 * 1024);
    expectBacklogRefusal(await sendUntilRefused(service.port, answered));
    const before = service.memory();
    let refused = 0;
    const requests = rounds(200, 400);
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        // As clients do, it sends a refused batch again.
        let batch = newBatch(500);
        for (let times = 0; times < requests; times += 1) {
          const { status } = await sendBatch(service.port, answered, batch);
          expect([200, 503]).toContain(status);
          if (status === 503) refused += batch.ids.length;
          else batch = newBatch(500);
        }
      }),
    );
    const grown = (service.memory() - before) / megabyte;
    console.log(
      `stalled: ${answered.size} events waiting, ` +
        `memory grew by ${grown.toFixed(0)} MiB under ${refused} refused events`,
    );
    expect(refused).toBeGreaterThan(requests * 1750);
    // Kept in memory, each would take more than a kilobyte.
    expect(grown).toBeLessThan((refused * 0.6) / 1000);
    expect((await ask(service.port, '/api/health/live')).status).toBe(200);
    expect(service.output()).toContain('could not be stored');

    disk.clear();
    await vi.waitFor(
      async () => expect((await sendBatch(service.port, answered)).status).toBe(200),
      { timeout: 45_000, interval: 250 },
    );
    await expectEachStored(service.port, answered);
    expect(await service.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  });

  test('resumes without a restart after a checkpoint that ran out of space', async () => {
    const disk = smallDisk(24);
    const service = await startNew({ EVENTS_URL: `duckdb:${disk.folder}/events.duckdb` });
    const answered = new Set<string>();
    for (let times = 0; times < 50; times += 1) await sendBatch(service.port, answered);
    await idsWhenStored(service.port, answered.size);
    disk.fill();
    await vi.waitFor(() => expect(service.output()).toContain('checkpoint'), {
      timeout: 60_000,
      interval: 100,
    });
    await sendBatch(service.port, answered);
    disk.clear();
    expect((await sendBatch(service.port, answered)).status).toBe(200);
    await vi.waitFor(async () => expect(await storedCount(service.port)).toBe(answered.size), {
      timeout: 45_000,
      interval: 250,
    });
    await expectEachStored(service.port, answered);
    expect(
      (await ask(service.port, '/analytics/dashboard/?site_id=site', { headers: asAdmin })).status,
    ).toBe(200);
    expect(await service.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  });

  test.each(['SIGKILL', 'SIGTERM'] as const)(
    'loses nothing when the process gets %s meanwhile',
    async (signal) => {
      const disk = smallDisk(24);
      const service = await startNew({
        EVENTS_URL: `duckdb:${disk.folder}/events.duckdb`,
        JOURNAL_BACKLOG_LIMIT: '1MiB',
      });
      const answered = new Set<string>();
      await sendBatch(service.port, answered);
      disk.fill(64 * 1024);
      await sendUntilRefused(service.port, answered);
      const { code } = await service.kill(signal);
      expect(code).toBe(signal === 'SIGTERM' ? 0 : null);
      disk.clear();
      const next = await startService(service.env);
      await expectEachStored(next.port, answered);
      await next.kill('SIGTERM');
    },
  );
});
