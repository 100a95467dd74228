import { randomUUID } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { compareIds, idsWhenStored } from '../ingest-kill.ts';
import { ask, asAdmin, dataFolder, post } from '../ingest-service.ts';
import { rounds } from '../../support/rounds.ts';
import { npmStart, processesIn } from '../npm-start.ts';

type Running = Awaited<ReturnType<typeof npmStart>>;

const event = (id: string) => ({
  event: 'pageview',
  url: `/page/${id.slice(0, 2)}`,
  site_id: 'site',
  id,
  props: { id },
});

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
  const query = async (agent: Agent) =>
    (await ask(port, '/analytics/dashboard/?site_id=site', { agent, headers: asAdmin })).status <
    500;
  const exportAll = async (agent: Agent) =>
    (await post(port, '/analytics/export/events', {}, { agent, headers: asAdmin })).status < 500;
  return Promise.all([
    ...Array.from({ length: 6 }, () => untilRefused((agent) => send(agent, 1))),
    ...Array.from({ length: 2 }, () => untilRefused((agent) => send(agent, 200))),
    ...Array.from({ length: 6 }, () => untilRefused(query)),
    untilRefused(exportAll),
  ]);
}

const isCrash = (line: string): boolean =>
  /journal is closed|Napi|terminate called|core dumped|could not stop/i.test(line);

/**
 * True for lines that a stop must not log. Requests refused meanwhile are rightly logged as errors.
 */
const isComplaint = (line: string): boolean =>
  isCrash(line) ||
  (/"level":"(warn|error|fatal)"/.test(line) && !line.includes('"msg":"request completed"'));

interface Round {
  env: Record<string, string>;
  answered: Set<string>;
  stop: (service: Running) => Promise<void> | void;
}

/** Starts the service, loads it and stops it. Returns npm's exit and everything unwanted. */
async function runRound({ env, answered, stop }: Round) {
  const service = await npmStart(env);
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
    leftovers: processesIn(join(env.DATA_DIR ?? '', 'redis')),
  };
}

/** Starts and stops one service this many times, and once more to count its events. */
async function runRounds(times: number, stop: Round['stop'], env: Record<string, string> = {}) {
  const settings = { DATA_DIR: await realpath(await dataFolder('stop-npm-')), ...env };
  const answered = new Set<string>();
  const endings: Awaited<ReturnType<typeof runRound>>[] = [];
  for (let count = 0; count < times; count += 1)
    endings.push(await runRound({ env: settings, answered, stop }));
  const next = await npmStart({ DATA_DIR: settings.DATA_DIR });
  const stored = compareIds(answered, await idsWhenStored(next.port, answered.size));
  next.signal('SIGTERM');
  await next.closed;
  return { endings, stored };
}

const cleanStop = { ending: { code: 0, signal: null }, crashes: [], complaints: [], leftovers: [] };

describe('npm start under load, stopped by a signal to its whole process group', () => {
  const times = rounds(8, 20);
  test(`exits with 0 on Ctrl-C, ${times} times: loses no event, leaves no process`, async () => {
    const { endings, stored } = await runRounds(times, ({ signal }) => signal('SIGINT'));
    expect(endings).toEqual(Array.from({ length: times }, () => cleanStop));
    expect(stored).toMatchObject({ lost: 0, doubled: 0 });
  });

  test('exits with 0 on SIGTERM', async () => {
    const { endings, stored } = await runRounds(2, ({ signal }) => signal('SIGTERM'));
    expect(endings).toEqual(Array.from({ length: 2 }, () => cleanStop));
    expect(stored).toMatchObject({ lost: 0, doubled: 0 });
  });

  test('treats a second signal within two seconds as the same one', async () => {
    const { endings, stored } = await runRounds(2, async ({ signal }) => {
      signal('SIGINT');
      await delay(50);
      signal('SIGINT');
    });
    expect(endings).toEqual(Array.from({ length: 2 }, () => cleanStop));
    expect(stored).toMatchObject({ lost: 0, doubled: 0 });
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)(
    'exits at once with the code of %s when it is repeated, and loses no answered event',
    async (name, code) => {
      const { endings, stored } = await runRounds(
        1,
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
      expect(endings).toMatchObject([{ ending: { code, signal: null }, crashes: [] }]);
      for (const { complaints } of endings)
        expect(complaints[0]).toContain('told to stop once more: ending at once');
      expect(stored).toMatchObject({ lost: 0, doubled: 0 });
    },
  );
});
