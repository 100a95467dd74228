import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freshApp, type FreshApp } from '../../support/app.ts';
import { newServerDatabase } from '../../support/database-url.ts';
import { testRedisUrl } from '../../support/redis.ts';
import { rounds } from '../../support/rounds.ts';
import { type NfcClient, nfcClient } from './support.ts';
import { tapQuery } from './virtual-tag.ts';

// Two replicas over one PostgreSQL and one Redis, with the same secret.
let replicas: FreshApp[] = [];
let clients: NfcClient[] = [];

const database = await newServerDatabase({ hasTables: true });
beforeAll(async () => {
  const env = { REDIS_URL: await testRedisUrl(), AUTH_SECRET: 's'.repeat(48) };
  for (let at = 0; at < 2; at += 1)
    replicas.push(await freshApp({ env, databaseUrl: database.url }));
  clients = replicas.map(nfcClient);
}, 120_000);
afterAll(async () => {
  await Promise.all(replicas.map((replica) => replica.close()));
  replicas = [];
  await database.remove();
}, 60_000);

const clientAt = (at: number): NfcClient => {
  const client = clients[at % clients.length];
  if (client === undefined) throw new Error('no replica');
  return client;
};

/** Shuffles in place (Fisher and Yates). */
function shuffle<Item>(items: Item[]): Item[] {
  for (let at = items.length - 1; at > 0; at -= 1) {
    const other = randomInt(at + 1);
    const [a, b] = [items[at], items[other]];
    if (a !== undefined && b !== undefined) [items[at], items[other]] = [b, a];
  }
  return items;
}

interface Sent {
  counter: number;
  /** Milliseconds: when the request was sent, and when its answer came. */
  from: number;
  to: number;
  isAccepted: boolean;
}

/** Sends messages with these counters, so many at once, to both replicas in turn. */
async function sendAll(
  send: (counter: number, at: number) => Promise<number>,
  counters: readonly number[],
  concurrency: number,
): Promise<Sent[]> {
  const sent: Sent[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (next < counters.length) {
        const at = next;
        next += 1;
        const counter = counters[at] ?? 0;
        const from = performance.now();
        const status = await send(counter, at);
        if (status !== 200 && status !== 403) throw new Error(`answered with ${status}`);
        sent.push({ counter, from, to: performance.now(), isAccepted: status === 200 });
      }
    }),
  );
  return sent;
}

/**
 * Counters rise over the run, each is sent three times, and messages that are sent near each other
 * come in random order, as replays and slow networks make it.
 */
function countersOf(total: number): number[] {
  const window = 60;
  const counters: number[] = [];
  for (let from = 1; counters.length < total; from += window / 3) {
    const block = Array.from({ length: window }, (_, at) => from + (at % (window / 3)));
    counters.push(...shuffle(block));
  }
  return counters.slice(0, total);
}

const taps = rounds(2000, 100_000);

it(
  `${taps} taps of one tag on two replicas: each counter counts at most once, never a lower one ` +
    'after a higher one',
  { timeout: 900_000 },
  async () => {
    const tag = await clientAt(0).createSun();
    const counters = countersOf(taps);
    const queries = new Map(counters.map((counter) => [counter, '']));
    for (const counter of queries.keys()) queries.set(counter, tapQuery(tag.chip, counter));
    const sent = await sendAll(
      async (counter, at) => (await clientAt(at).tap(tag.code, queries.get(counter) ?? '')).status,
      counters,
      16,
    );
    const accepted = sent.filter(({ isAccepted }) => isAccepted);
    expect(sent).toHaveLength(taps);
    expect(accepted.length).toBeGreaterThan(taps / 100);
    expect(new Set(accepted.map(({ counter }) => counter)).size).toBe(accepted.length);

    // A request that began after a higher counter was answered must not have counted.
    const byStart = [...accepted].sort((a, b) => a.from - b.from);
    const byEnd = [...accepted].sort((a, b) => a.to - b.to);
    let ended = 0;
    let highest = 0;
    for (const { counter, from } of byStart) {
      for (let other = byEnd[ended]; other !== undefined && other.to <= from;) {
        highest = Math.max(highest, other.counter);
        ended += 1;
        other = byEnd[ended];
      }
      if (counter <= highest) throw new Error(`${counter} counted after ${highest}`);
    }
    const stored = await clientAt(1).show(tag.id);
    expect(stored.taps).toBe(accepted.length);
    expect(stored.last_counter).toBe(Math.max(...accepted.map(({ counter }) => counter)));
    const alarms = await clientAt(0).alarmsOf(tag.id);
    const raised = Object.values(alarms).reduce((sum, count) => sum + count, 0);
    // The list names the last row of each kind; the hour may change during the run.
    expect(raised).toBeLessThanOrEqual(taps - accepted.length);
    expect(alarms.forged).toBeUndefined();
  },
);

it('replicas make one first master key between them, and sign with one key', async () => {
  const made = await Promise.all(
    [0, 1, 2, 3].map((at) =>
      clientAt(at).create({ chip: 'ntag424', mode: 'sun', action: 'page', name: `Tag ${at}` }),
    ),
  );
  expect(made.map(({ key_version: version }) => version)).toEqual([1, 1, 1, 1]);
  const { data } = (await clientAt(1).admin.get('/keys')).body;
  expect(data).toMatchObject([{ version: 1, tags: 4 }]);
  const sets = await Promise.all(
    clients.map(({ client }) => client.get('/.well-known/nfc-jwks.json')),
  );
  expect(sets[0]?.text).toBe(sets[1]?.text);
});
