import { randomInt, randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import { testRedisUrl } from '../support/redis.ts';
import {
  asAdmin,
  dataFolder,
  post,
  type Service,
  spawnService,
  startService,
  storedCount,
  storedIds,
} from './ingest-service.ts';

export interface KillFigures {
  rounds: number;
  /** Events sent at least once, and those whose answer arrived. */
  sent: number;
  answered: number;
  /** Events sent again, whether or not they had been answered. */
  repeated: number;
  /** Requests in flight when the process was killed. */
  broken: number;
  /** Rounds with a kill before the service was ready, and with a kill when a checkpoint was due. */
  duringStart: number;
  duringCheckpoint: number;
  lost: number;
  doubled: number;
  /** Stored events that were not answered. */
  foreign: number;
}

export interface KillOptions {
  rounds: number;
  env: Record<string, string>;
  connections?: number;
  /**
   * Every n-th round is killed after a pause, when a checkpoint is due; undefined: none.
   */
  checkpointEvery?: number;
  onRound?: (figures: KillFigures) => void;
}

/** Returns the settings of a service with a data folder and a Redis database of its own. */
export async function killSettings(
  more: Record<string, string> = {},
): Promise<Record<string, string>> {
  return {
    DATA_DIR: more.DATA_DIR ?? (await dataFolder('ingest-kill-')),
    REDIS_URL: await testRedisUrl(),
    JOURNAL_SEGMENT_SIZE: '256KiB',
    LOG_LEVEL: 'warn',
    ...more,
  };
}

/** Starts a service over a folder and a Redis database of its own. Returns it and its settings. */
export async function startNew(env: Record<string, string> = {}) {
  const settings = await killSettings(env);
  return { ...(await startService(settings)), env: settings };
}

/** A page view. */
export const eventOf = (id: string, more: object = {}) => ({
  event: 'pageview',
  url: '/',
  site_id: 'site',
  id,
  ...more,
});

/** Sends events of as many visitors, and returns their ids. Throws if an answer is not 200. */
export async function sendEvents(
  port: number,
  count: number,
  more: object = {},
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  for (let at = 0; at < count; at += 500) {
    const events = ids.slice(at, at + 500).map((id) => eventOf(id, { user_id: id, ...more }));
    const answer = await post(port, '/analytics/batch/', { events }, { headers: asAdmin });
    if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
  }
  return ids;
}

/** Resolves when the service has stored exactly this many events. */
export const waitForCount = async (port: number, count: number): Promise<void> =>
  vi.waitFor(async () => expect(await storedCount(port)).toBe(count), {
    timeout: 60_000,
    interval: 50,
  });

/** Records which events were sent and which were answered, over all rounds. */
function createLedger() {
  const answered = new Set<string>();
  const open = new Set<string>();
  const counts = { sent: 0, repeated: 0, broken: 0 };

  function newIds(count: number): string[] {
    const ids = Array.from({ length: count }, () => randomUUID());
    for (const id of ids) open.add(id);
    counts.sent += count;
    return ids;
  }

  /** Returns some ids that were sent before, preferably unanswered ones. */
  function oldIds(count: number): string[] {
    const from = open.size > 0 && randomInt(3) > 0 ? open : answered;
    const skip = randomInt(Math.max(1, from.size - count));
    const ids = [...from].slice(skip, skip + count);
    counts.repeated += ids.length;
    return ids;
  }

  return {
    answered,
    open,
    counts,
    newIds,
    oldIds,
    settle(ids: readonly string[]): void {
      for (const id of ids) {
        answered.add(id);
        open.delete(id);
      }
    },
  };
}

type Ledger = ReturnType<typeof createLedger>;

const event = (id: string) =>
  eventOf(id, {
    url: `/page/${id.slice(0, 2)}`,
    site_id: `site-${id.slice(0, 1)}`,
    props: { id },
  });

interface IngestResult {
  accepted: number;
  duplicates: number;
  rejected: unknown[];
}

async function sendBatch(
  port: number,
  agent: Agent | false,
  ids: readonly string[],
): Promise<{ status: number; result: IngestResult }> {
  const answer =
    ids.length === 1 && ids[0] !== undefined
      ? await post(port, '/analytics/track/', event(ids[0]), { agent })
      : await post(
          port,
          '/analytics/batch/',
          { events: ids.map(event) },
          { agent, headers: asAdmin },
        );
  return { status: answer.status, result: JSON.parse(answer.text) as IngestResult };
}

/** Sends until the connection breaks or `isRunning` is false. */
async function write(port: number, ledger: Ledger, isRunning: () => boolean): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  while (isRunning()) {
    const old = ledger.oldIds(randomInt(4) === 0 ? randomInt(1, 20) : 0);
    const ids =
      old.length > 0 && randomInt(2) === 0
        ? old
        : [...old, ...ledger.newIds(randomInt(3) === 0 ? randomInt(2, 60) : 1)];
    try {
      const { status, result } = await sendBatch(port, agent, ids);
      if (status !== 200) throw new Error(`answered ${status}: ${JSON.stringify(result)}`);
      if (result.accepted + result.duplicates !== ids.length)
        throw new Error(`not all of ${ids.length} taken: ${JSON.stringify(result)}`);
      ledger.settle(ids);
    } catch (error) {
      if (!(error instanceof Error) || !('code' in error || error.message.includes('broke off')))
        throw error;
      ledger.counts.broken += 1;
      break;
    }
  }
  agent.destroy();
}

async function runRound(
  service: Service,
  ledger: Ledger,
  { connections = 8, pause }: { connections?: number; pause: boolean },
): Promise<void> {
  let isRunning = true;
  const answeredBefore = ledger.answered.size;
  const writers = Array.from({ length: connections }, async () =>
    write(service.port, ledger, () => isRunning),
  );
  await Promise.race([delay(randomInt(20, 1200)), Promise.all(writers)]);
  // A busy machine may have answered nothing by then.
  await vi.waitFor(() => expect(ledger.answered.size).toBeGreaterThan(answeredBefore + 20), {
    timeout: 60_000,
    interval: 2,
  });
  if (pause) {
    isRunning = false;
    await Promise.all(writers);
    // The checkpoint comes 5 s after the last events have been stored, which is up to 0.3 s after
    // their answer.
    await delay(randomInt(4_900, 5_600));
  }
  await service.kill('SIGKILL');
  await Promise.all(writers);
}

async function killDuringStart(env: Record<string, string>): Promise<void> {
  const { child, exited } = spawnService(env);
  await Promise.race([delay(randomInt(50, 1200)), exited]);
  child.kill('SIGKILL');
  await exited;
}

/** Retries the unanswered events, as a client would. */
async function retryUnanswered(port: number, ledger: Ledger): Promise<void> {
  const unanswered = [...ledger.open];
  for (let at = 0; at < unanswered.length; at += 500) {
    const ids = unanswered.slice(at, at + 500);
    ledger.counts.repeated += ids.length;
    const { status, result } = await sendBatch(port, false, ids);
    if (status !== 200) throw new Error(`answered ${status}: ${JSON.stringify(result)}`);
    ledger.settle(ids);
  }
}

/** Waits up to 30 s until the store has the expected number of events. Returns their ids. */
export async function idsWhenStored(port: number, expected: number): Promise<string[]> {
  for (
    const until = performance.now() + 30_000;
    (await storedCount(port)) < expected && performance.now() < until;
  )
    await delay(100);
  return storedIds(port);
}

/** Compares the answered ids with the stored ones. */
export function compareIds(
  answered: ReadonlySet<string>,
  stored: readonly string[],
): { lost: number; doubled: number; foreign: number } {
  const found = new Set(stored);
  return {
    lost: [...answered].filter((id) => !found.has(id)).length,
    doubled: stored.length - found.size,
    foreign: [...found].filter((id) => !answered.has(id)).length,
  };
}

/** Waits for the answered events, and expects that exactly they are stored, each once. */
export async function expectEachStored(port: number, answered: readonly string[] | Set<string>) {
  const ids = new Set(answered);
  const stored = await idsWhenStored(port, ids.size);
  expect(compareIds(ids, stored)).toEqual({ lost: 0, doubled: 0, foreign: 0 });
}

/**
 * Kills the service `rounds` times while clients send and retry. Counts events that are lost,
 * stored twice, or stored without an answer.
 */
export async function killRounds({
  rounds,
  env,
  connections = 8,
  checkpointEvery,
  onRound,
}: KillOptions): Promise<KillFigures> {
  const ledger = createLedger();
  const figures = {
    rounds: 0,
    sent: 0,
    answered: 0,
    repeated: 0,
    broken: 0,
    duringStart: 0,
    duringCheckpoint: 0,
    lost: 0,
    doubled: 0,
    foreign: 0,
  };
  for (let number = 1; number <= rounds; number += 1) {
    const isDuringStart = number % 10 === 7;
    if (isDuringStart) await killDuringStart(env);
    const pause = checkpointEvery !== undefined && number % checkpointEvery === 0;
    await runRound(await startService(env), ledger, { connections, pause });
    figures.duringStart += isDuringStart ? 1 : 0;
    figures.duringCheckpoint += pause ? 1 : 0;
    onRound?.(
      Object.assign(figures, ledger.counts, { rounds: number, answered: ledger.answered.size }),
    );
  }
  const service = await startService(env);
  await retryUnanswered(service.port, ledger);
  const stored = await idsWhenStored(service.port, ledger.answered.size);
  await service.kill('SIGTERM');
  return Object.assign(
    figures,
    ledger.counts,
    { answered: ledger.answered.size },
    compareIds(ledger.answered, stored),
  );
}
