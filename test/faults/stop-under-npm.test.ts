import { randomUUID } from 'node:crypto';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { compareIds, idsWhenStored } from './ingest-kill.ts';
import { ask, asAdmin, post } from './ingest-service.ts';
import { npmStart, processesIn } from './npm-start.ts';

type Running = Awaited<ReturnType<typeof npmStart>>;

async function dataDir(): Promise<string> {
  const dir = await realpath(await mkdtemp(join(tmpdir(), 'stop-npm-')));
  onTestFinished(() => rm(dir, { recursive: true, force: true, maxRetries: 5 }));
  return dir;
}

const event = (id: string) => ({
  event: 'pageview',
  url: `/page/${id.slice(0, 2)}`,
  site_id: 'site',
  id,
  props: { id },
});

/** Repeats `work` until it fails: the service has gone, or refuses because it is going. */
async function untilRefused(work: (agent: Agent) => Promise<boolean>): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  while (await work(agent).catch(() => false));
  agent.destroy();
}

/**
 * Events one by one, batches, and questions that keep the event store's thread busy, all until the
 * service is gone.
 */
function startLoad(port: number, answered: Set<string>) {
  async function send(agent: Agent, count: number): Promise<boolean> {
    const ids = Array.from({ length: count }, () => randomUUID());
    const { status } =
      count === 1 && ids[0] !== undefined
        ? await post(port, '/analytics/track', event(ids[0]), { agent })
        : await post(
            port,
            '/analytics/batch',
            { events: ids.map(event) },
            { agent, headers: asAdmin },
          );
    if (status === 200) for (const id of ids) answered.add(id);
    return status === 200;
  }
  const question = async (agent: Agent) =>
    (await ask(port, '/analytics/dashboard/?site_id=site', { agent, headers: asAdmin })).status <
    500;
  const dump = async (agent: Agent) =>
    (await post(port, '/analytics/export/events', {}, { agent, headers: asAdmin })).status < 500;
  return Promise.all([
    ...Array.from({ length: 6 }, () => untilRefused((agent) => send(agent, 1))),
    ...Array.from({ length: 2 }, () => untilRefused((agent) => send(agent, 200))),
    ...Array.from({ length: 6 }, () => untilRefused(question)),
    untilRefused(dump),
  ]);
}

const isCrash = (line: string): boolean =>
  /journal is closed|Napi|terminate called|core dumped|could not stop/i.test(line);

/**
 * What nobody should have to read after a stop. Requests that were refused meanwhile are told of as
 * errors, and rightly.
 */
const isComplaint = (line: string): boolean =>
  isCrash(line) ||
  (/"level":"(warn|error|fatal)"/.test(line) && !line.includes('"msg":"request completed"'));

interface Round {
  env: Record<string, string>;
  answered: Set<string>;
  stop: (service: Running) => Promise<void> | void;
}

/** Starts, loads, stops. Gives how npm ended and what should not be there. */
async function round({ env, answered, stop }: Round) {
  const service = await npmStart(env);
  const before = answered.size;
  const load = startLoad(service.port, answered);
  await vi.waitFor(() => expect(answered.size).toBeGreaterThan(before + 400), {
    timeout: 20_000,
    interval: 20,
  });
  await stop(service);
  const ending = await service.closed;
  await load;
  const said = service.output().split('\n');
  return {
    ending,
    crashes: said.filter(isCrash),
    complaints: said.filter(isComplaint),
    leftOver: processesIn(join(env.DATA_DIR ?? '', 'redis')),
  };
}

async function rounds(times: number, stop: Round['stop'], env: Record<string, string> = {}) {
  const settings = { DATA_DIR: await dataDir(), ...env };
  const answered = new Set<string>();
  const endings: Awaited<ReturnType<typeof round>>[] = [];
  for (let count = 0; count < times; count += 1)
    endings.push(await round({ env: settings, answered, stop }));
  const next = await npmStart({ DATA_DIR: settings.DATA_DIR });
  const stored = compareIds(answered, await idsWhenStored(next.port, answered.size));
  next.signal('SIGTERM');
  await next.closed;
  return { endings, stored };
}

const inOrder = { ending: { code: 0, signal: null }, crashes: [], complaints: [], leftOver: [] };

describe('npm start under load, stopped by a signal to its whole process group', () => {
  test('ends with 0 by Ctrl-C, twenty times: loses nothing, leaves no redis-server', async () => {
    const { endings, stored } = await rounds(20, ({ signal }) => signal('SIGINT'));
    expect(endings).toEqual(Array.from({ length: 20 }, () => inOrder));
    expect(stored).toMatchObject({ lost: 0, doubled: 0 });
  });

  test('ends with 0 by SIGTERM', async () => {
    const { endings, stored } = await rounds(3, ({ signal }) => signal('SIGTERM'));
    expect(endings).toEqual(Array.from({ length: 3 }, () => inOrder));
    expect(stored).toMatchObject({ lost: 0, doubled: 0 });
  });

  test('takes a second signal within two seconds for the same one', async () => {
    const { endings, stored } = await rounds(3, async ({ signal }) => {
      signal('SIGINT');
      await delay(50);
      signal('SIGINT');
    });
    expect(endings).toEqual(Array.from({ length: 3 }, () => inOrder));
    expect(stored).toMatchObject({ lost: 0, doubled: 0 });
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)(
    'ends at once with its number when %s comes again, and loses nothing that was answered',
    async (name, code) => {
      const { endings, stored } = await rounds(
        2,
        async ({ signal, closed }) => {
          signal(name);
          await delay(2500);
          const began = performance.now();
          signal(name);
          await closed;
          expect(performance.now() - began).toBeLessThan(5000);
        },
        { SHUTDOWN_GRACE_MS: '30000' },
      );
      expect(endings).toMatchObject(
        Array.from({ length: 2 }, () => ({ ending: { code, signal: null }, crashes: [] })),
      );
      for (const { complaints } of endings)
        expect(complaints[0]).toContain('told to stop once more: ending at once');
      expect(stored).toMatchObject({ lost: 0, doubled: 0 });
    },
  );
});
