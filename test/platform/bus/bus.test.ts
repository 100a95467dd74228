import { describe, expect, onTestFinished, test } from 'vitest';
import { testRedisUrl } from '../../support/redis.ts';
import { holdingProxy } from './holding-proxy.ts';
import { dataOf, numbers, replica } from './replica.ts';

/** Collects what the process does not handle, until the test ends. */
function collect(event: 'uncaughtException' | 'unhandledRejection'): unknown[] {
  const collected: unknown[] = [];
  const note = (error: unknown) => collected.push(error);
  const emitter: NodeJS.EventEmitter = process;
  const before = emitter.listeners(event) as ((...args: unknown[]) => void)[];
  emitter.removeAllListeners(event).on(event, note);
  onTestFinished(() => {
    emitter.off(event, note);
    before.forEach((each) => emitter.on(event, each));
  });
  return collected;
}

let named = 0;
const fresh = () => `channel-${(named += 1)}`;

describe('two replicas over one Redis', () => {
  test('receive every message once and in the same order, from either publisher', async () => {
    const url = await testRedisUrl();
    const [one, two] = [await replica(url), await replica(url)];
    const [a, b] = [await one.open('c'), await two.open('c')];
    await Promise.all([
      ...numbers(1, 100).map((n) => one.publish('c', `one ${n}`)),
      ...numbers(1, 100).map((n) => two.publish('c', `two ${n}`)),
    ]);
    await expect.poll(() => [a.heard.length, b.heard.length]).toEqual([200, 200]);
    expect(a.heard).toEqual(b.heard);
    expect(new Set(a.heard).size).toBe(200);
    for (const who of ['one', 'two'])
      expect(a.heard.filter((each) => String(each).startsWith(who))).toEqual(
        numbers(1, 100).map((n) => `${who} ${n}`),
      );
    expect(a.feed.position()).toEqual(b.feed.position());
    expect(a.feed.position().offset).toBe(200);
  });

  test('receive messages of a channel without history, without offsets', async () => {
    const url = await testRedisUrl();
    const historyOf = () => ({ size: 0, ttlMs: 0 });
    const [one, two] = [await replica(url, historyOf), await replica(url, historyOf)];
    const heard = await two.open('c');
    await one.publish('c', 1, 2, 3);
    await expect.poll(() => heard.heard).toEqual([1, 2, 3]);
    expect(heard.feed.entries()).toEqual([]);
    expect((await one.redis.keys('*')).filter((key) => key.includes('stream'))).toEqual([]);
  });

  test('receive no messages of another logical database', async () => {
    const [one, two] = [await replica(await testRedisUrl()), await replica(await testRedisUrl())];
    const [a, b] = [await one.open('c'), await two.open('c')];
    await one.publish('c', 'mine');
    await two.publish('c', 'theirs');
    await expect.poll(() => [a.heard, b.heard]).toEqual([['mine'], ['theirs']]);
  });

  test('deliver each signal once on both', async () => {
    const url = await testRedisUrl();
    const [one, two] = [await replica(url), await replica(url)];
    const heard: string[] = [];
    two.bus.onSignal('identity', (subject) => heard.push(subject ?? 'all'));
    two.bus.listen();
    await two.open('c');
    one.bus.signal('identity', 'user-1');
    await expect.poll(() => heard).toContain('user-1');
    expect(heard).toEqual(['user-1']);
  });

  test('ignore invalid messages on a topic', async () => {
    const url = await testRedisUrl();
    const one = await replica(url);
    const a = await one.open('c');
    const prefix = `bus${one.redis.options.db ?? 0}`;
    for (const junk of [
      '',
      'pub',
      'pub x',
      'pub e 1 0',
      'other e 1 0 {}',
      '{}',
      '\u0000',
      'pub e 99999999999999999999999 0 {}',
    ])
      await one.redis.publish(`${prefix}:on:c`, junk);
    await one.publish('c', 1);
    await expect.poll(() => a.heard.at(-1)).toBe(1);
  });

  test('ignore invalid messages on the topic of signals', async () => {
    const one = await replica(await testRedisUrl());
    const a = await one.open('c');
    const uncaught = collect('uncaughtException');
    for (const junk of ['', '{}', '{"name":1}', 'x'])
      await one.redis.publish(`bus${one.redis.options.db ?? 0}:signals`, junk);
    await one.publish('c', 1);
    await expect.poll(() => a.heard).toEqual([1]);
    expect(uncaught).toEqual([]);
  });
});

describe('the history of a channel', () => {
  test('has at most its size and can be recovered from every position', async () => {
    const one = await replica(await testRedisUrl(), () => ({ size: 5, ttlMs: 60_000 }));
    await one.publish('c', ...numbers(1, 12));
    const { feed } = await one.open('c');
    const { epoch } = feed.position();
    expect(dataOf(feed.entries())).toEqual(numbers(8, 12));
    for (let offset = 0; offset <= 12; offset += 1) {
      const { recovered, publications } = feed.recover({ epoch, offset });
      expect(recovered, String(offset)).toBe(offset >= 7);
      expect(dataOf(publications)).toEqual(offset >= 7 ? numbers(offset + 1, 12) : []);
    }
  });

  test('expires; a client with the last message has missed nothing', async () => {
    const one = await replica(await testRedisUrl(), () => ({ size: 5, ttlMs: 50 }));
    await one.publish('c', 1, 2);
    await expect.poll(() => one.redis.keys('*:stream')).toEqual([]);
    const { feed } = await one.open('c');
    const { epoch, offset } = feed.position();
    expect(offset).toBe(2);
    expect(feed.recover({ epoch, offset: 2 })).toMatchObject({ recovered: true, publications: [] });
    expect(feed.recover({ epoch, offset: 1 })).toMatchObject({ recovered: false });
    await one.publish('c', 3);
    await expect.poll(() => feed.position()).toEqual({ epoch, offset: 3 });
  });

  test('keeps texts unchanged that JSON or Lua could garble', async () => {
    const url = await testRedisUrl();
    const one = await replica(url);
    const { heard, feed } = await one.open('c');
    const odd = [
      '',
      ' ',
      '"',
      '\\',
      '\u0000',
      '\u2028',
      'ü€😀',
      '\ud800',
      '%s %d',
      '\r\n',
      'x'.repeat(50_000),
      { __proto__: null, a: [1e21, -0, 0.1] },
      null,
      [[[]]],
    ];
    await one.publish('c', ...odd);
    await expect.poll(() => heard.length).toBe(odd.length);
    const expected = JSON.parse(JSON.stringify(odd)) as unknown[];
    expect(heard).toEqual(expected);
    expect(dataOf(feed.entries())).toEqual(expected);
    const two = await replica(url);
    expect(dataOf((await two.open('c')).feed.entries())).toEqual(expected);
  });
});

describe('a lost message', () => {
  test('is fetched when the next one arrives, and both are delivered in order', async () => {
    const url = await testRedisUrl();
    const [one, two] = [await replica(url), await replica(url)];
    const { heard } = await one.open('c');
    await two.publish('c', 1);
    await expect.poll(() => heard).toEqual([1]);
    // Stored but not broadcast, because the topic is another one.
    const { db = 0 } = two.redis.options;
    const run = Reflect.get(two.redis, 'busPublish') as (...args: unknown[]) => Promise<unknown>;
    const keys = [`bus${db}:{c}:meta`, `bus${db}:{c}:stream`];
    const json = (data: number) => JSON.stringify({ data: { data } });
    for (const n of [2, 3])
      await run.apply(two.redis, [2, ...keys, json(n), 100, 60_000, 60_000, 'epoch', 'nowhere']);
    expect(heard).toEqual([1]);
    await two.publish('c', 4);
    await expect.poll(() => heard).toEqual([1, 2, 3, 4]);
  });

  test('is fetched after Redis closes the subscription, without a later message', async () => {
    const url = await testRedisUrl();
    const [one, two] = [await replica(url), await replica(url)];
    const { heard } = await one.open('c');
    const db = ` db=${two.redis.options.db ?? 0} `;
    for (let turn = 1; turn <= 10; turn += 1) {
      const list = String(await two.redis.call('CLIENT', 'LIST', 'TYPE', 'pubsub'));
      const ours = list
        .split('\n')
        .filter((each) => each.includes('name=bus') && each.includes(db));
      for (const line of ours)
        await two.redis.call('CLIENT', 'KILL', 'ID', /\bid=(\d+)/.exec(line)?.[1] ?? '0');
      await two.publish('c', turn);
    }
    await expect.poll(() => heard, { timeout: 5000 }).toEqual(numbers(1, 10));
  });
});

describe('a slow Redis', () => {
  test('makes a replica resubscribe after its subscription times out', async () => {
    const url = await testRedisUrl();
    const proxy = await holdingProxy(url);
    const rejections = collect('unhandledRejection');
    const [one, two] = [await replica(proxy.url), await replica(url)];
    const { heard, feed } = await one.open('c');
    await two.publish('c', 1);
    await expect.poll(() => heard).toEqual([1]);

    proxy.hold('subscribe');
    proxy.cut();
    // Longer than the command timeout.
    await expect
      .poll(() => Date.now() - (proxy.state.heldSince ?? Infinity), { timeout: 5000 })
      .toBeGreaterThan(1300);
    await two.publish('c', 2);
    proxy.letGo();
    expect.soft(rejections).toEqual([]);
    await two.publish('c', 3);
    await expect.poll(() => feed.isLive(), { timeout: 5000 }).toBe(true);
    await expect.poll(() => heard, { timeout: 5000 }).toEqual([1, 2, 3]);
  });
});

describe('a subscription', () => {
  test('ends with its last listener, unless a new one comes soon', async () => {
    const url = await testRedisUrl();
    const [one, two] = [await replica(url), await replica(url)];
    const channel = fresh();
    const first = await one.open(channel);
    expect(await two.bus.listeners([channel])).toEqual([1]);
    await one.publish(channel, 1);
    const { epoch } = first.feed.position();
    await expect.poll(() => first.heard).toEqual([1]);
    first.close();
    await one.publish(channel, 2);
    const again = await one.open(channel);
    await expect.poll(() => again.feed.position().offset).toBe(2);
    expect(dataOf(again.feed.recover({ epoch, offset: 1 }).publications)).toEqual([2]);
    expect(first.heard).toEqual([1]);
  });

  test('is shared by many concurrent listeners', async () => {
    const one = await replica(await testRedisUrl());
    const channel = fresh();
    const all = await Promise.all(numbers(1, 50).map(() => one.open(channel)));
    expect(await one.bus.listeners([channel])).toEqual([1]);
    await one.publish(channel, 'x');
    await expect.poll(() => all.every(({ heard }) => heard.length === 1)).toBe(true);
  });
});
