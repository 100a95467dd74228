import { randomUUID } from 'node:crypto';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { copyEmbedded } from '../../support/database-template.ts';
import { rounds } from '../../support/rounds.ts';
import { sharedStore } from '../../support/shared-stores.ts';
import { compareIds, eventOf, idsWhenStored } from '../ingest-kill.ts';
import { ask, asAdmin, post } from '../ingest-service.ts';
import { npmStart, processesIn } from '../npm-start.ts';

type Running = Awaited<ReturnType<typeof npmStart>>;
type Stop = (service: Running) => Promise<void> | void;

/** Repeats `work` until it fails: the service has ended, or refuses because it is stopping. */
async function untilRefused(work: (agent: Agent) => Promise<boolean>): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  while (await work(agent).catch(() => false));
  agent.destroy();
}

/**
 * Sends single events, batches, and queries that keep the event store's thread busy, until the
 * service has ended.
 */
function startLoad(port: number, answered: Set<string>) {
  async function sendOne(agent: Agent): Promise<boolean> {
    const id = randomUUID();
    const { status } = await post(port, '/analytics/track', eventOf(id), { agent });
    if (status === 200) answered.add(id);
    return status === 200;
  }
  async function sendBatch(agent: Agent): Promise<boolean> {
    const ids = Array.from({ length: 200 }, () => randomUUID());
    const events = ids.map((id) => eventOf(id));
    const request = { agent, headers: asAdmin };
    const { status } = await post(port, '/analytics/batch', { events }, request);
    if (status === 200) for (const id of ids) answered.add(id);
    return status === 200;
  }
  const query = async (agent: Agent) =>
    (await ask(port, '/analytics/dashboard/?site_id=site', { agent, headers: asAdmin })).status <
    500;
  const exportAll = async (agent: Agent) =>
    (await post(port, '/analytics/export/events', {}, { agent, headers: asAdmin })).status < 500;
  const senders = [sendOne, sendOne, sendOne, sendOne, sendOne, sendOne, sendBatch, sendBatch];
  const readers = [query, query, query, query, query, query, exportAll];
  return Promise.all([...senders, ...readers].map(untilRefused));
}

const isCrash = (line: string): boolean =>
  /journal is closed|Napi|terminate called|core dumped|could not stop/i.test(line);

/**
 * True for lines that a stop must not log. Requests refused meanwhile are rightly logged as errors.
 */
const isComplaint = (line: string): boolean =>
  isCrash(line) ||
  (/"level":"(warn|error|fatal)"/.test(line) && !line.includes('"msg":"request completed"'));

const cleanStop = { ending: { code: 0, signal: null }, crashes: [], complaints: [], leftovers: [] };

describe('npm start under load, stopped by a signal to its whole process group', () => {
  // One folder for all stops: each start goes on with what the last one has left.
  let dataDir: string;
  const answered = new Set<string>();
  beforeAll(async () => {
    dataDir = await realpath(await mkdtemp(join(tmpdir(), 'stop-npm-')));
    await copyEmbedded(await sharedStore('embeddedTemplate'), dataDir);
  });
  afterAll(() => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }));

  /** Starts the service, loads it and stops it. Returns npm's exit and everything unwanted. */
  async function stopUnderLoad(stop: Stop, env: Record<string, string> = {}) {
    const service = await npmStart({ DATA_DIR: dataDir, ...env });
    const before = answered.size;
    const load = startLoad(service.port, answered);
    await vi.waitFor(() => expect(answered.size).toBeGreaterThan(before + 400), {
      timeout: 60_000,
      interval: 20,
    });
    const loaded = service.output().length;
    await stop(service);
    const ending = await service.closed;
    await load;
    const output = service.output();
    return {
      ending,
      crashes: output.split('\n').filter(isCrash),
      complaints: output.slice(loaded).split('\n').filter(isComplaint),
      leftovers: processesIn(join(dataDir, 'redis')),
    };
  }

  test.each<[name: string, times: number, stop: Stop]>([
    ['Ctrl-C', rounds(4, 20), ({ signal }) => signal('SIGINT')],
    ['SIGTERM', rounds(1, 2), ({ signal }) => signal('SIGTERM')],
    [
      'a second Ctrl-C within two seconds, which counts as the same',
      rounds(1, 2),
      async ({ signal }) => {
        signal('SIGINT');
        await delay(50);
        signal('SIGINT');
      },
    ],
  ])(
    'exits with 0 on %s, without complaints or processes that go on',
    async (_name, times, stop) => {
      for (let count = 0; count < times; count += 1)
        expect(await stopUnderLoad(stop)).toEqual(cleanStop);
    },
  );

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('exits at once when %s is repeated later, with the code %i', async (name, code) => {
    const repeat: Stop = async ({ signal, closed }) => {
      signal(name);
      await delay(2500);
      const began = performance.now();
      signal(name);
      await closed;
      expect(performance.now() - began).toBeLessThan(5000);
    };
    const { ending, crashes, complaints } = await stopUnderLoad(repeat, {
      SHUTDOWN_GRACE_MS: '30000',
    });
    expect({ ending, crashes }).toEqual({ ending: { code, signal: null }, crashes: [] });
    expect(complaints[0]).toContain('told to stop once more: ending immediately');
  });

  test('has stored every answered event once after all of these stops', async () => {
    const next = await npmStart({ DATA_DIR: dataDir });
    const stored = compareIds(answered, await idsWhenStored(next.port, answered.size));
    expect(stored).toMatchObject({ lost: 0, doubled: 0 });
    next.signal('SIGTERM');
    await next.closed;
  });
});
