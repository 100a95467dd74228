import { UnauthorizedError } from 'centrifuge';
import { describe, expect } from 'vitest';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import type { WebSocket } from 'ws';
import { asAdmin } from '../../support/app.ts';
import { centrifuge, listen } from '../../support/sockets.ts';
import { openCookie } from '../../support/sign-in.ts';
import { dataOf, publish, subscribeTo } from './official-client.ts';

const app = await sharedApp();
const port = await listen(app);

let named = 0;
const newChannel = () => `status:c${(named += 1)}`;
const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at);
/** The current socket of the client. */
function socketOf(client: ReturnType<typeof centrifuge>): WebSocket | undefined {
  const transport = Reflect.get(client, '_transport') as object | null;
  return transport === null
    ? undefined
    : (Reflect.get(transport, '_transport') as WebSocket | undefined);
}

/** Drops the connection of a client without a close frame. */
const drop = (client: ReturnType<typeof centrifuge>) => socketOf(client)?.terminate();

const clientId = (client: ReturnType<typeof centrifuge>) =>
  Reflect.get(client, '_client') as string;

describe('the official client', () => {
  it('connects and gets the ping interval', async () => {
    const { client } = await subscribeTo(port, newChannel());
    expect(client.state).toBe('connected');
    expect(Reflect.get(client, '_serverPing')).toBe(25_000);
    expect(Reflect.get(client, '_sendPong')).toBe(true);
  });

  it('receives each publication once, in order, with offsets', async () => {
    const channel = newChannel();
    const { received, offsets } = await subscribeTo(port, channel);
    await publish(app, channel, ...numbers(1, 50));
    await expect.poll(() => received.length).toBe(50);
    expect(received).toEqual(numbers(1, 50));
    expect(offsets).toEqual(numbers(1, 50));
  });

  it('receives no earlier publications, nor those of other channels', async () => {
    const [channel, other] = [newChannel(), newChannel()];
    await publish(app, channel, 'before');
    const { received, offsets } = await subscribeTo(port, channel);
    await publish(app, other, 'elsewhere');
    await publish(app, channel, 'after');
    await expect.poll(() => received).toEqual(['after']);
    expect(offsets).toEqual([2]);
  });

  it('receives nothing while unsubscribed, and nothing twice afterwards', async () => {
    const channel = newChannel();
    const { subscription, received } = await subscribeTo(port, channel);
    await publish(app, channel, 1);
    await expect.poll(() => received).toEqual([1]);
    subscription.unsubscribe();
    await publish(app, channel, 2);
    subscription.subscribe();
    await subscription.ready(5000);
    await publish(app, channel, 3);
    await expect.poll(() => received.at(-1)).toBe(3);
    expect([
      [1, 2, 3],
      [1, 3],
    ]).toContainEqual(received);
  });

  it('gets the current status with its subscription', async () => {
    const { events } = await subscribeTo(port, 'status');
    const status = { status: expect.anything() as unknown };
    expect(events).toMatchObject([{ data: { type: 'status.snapshot', data: status } }]);
  });

  it('is permanently refused forbidden and unknown channels', async () => {
    const client = centrifuge(port, '/ws/svc/');
    const refused: unknown[] = [];
    for (const channel of ['devices', 'nothing-like-it']) {
      const subscription = client.newSubscription(channel);
      subscription.on('unsubscribed', ({ code }) => refused.push([channel, code]));
      subscription.subscribe();
    }
    client.connect();
    await expect.poll(() => refused.length).toBe(2);
    expect(refused).toEqual([
      ['devices', 103],
      ['nothing-like-it', 102],
    ]);
  });

  it('sends several commands in one frame and gets all replies', async () => {
    const { client } = await subscribeTo(port, newChannel(), {
      path: '/ws/svc/',
      handshake: asAdmin,
    });
    client.startBatching();
    const requests = [
      client.rpc('whoami', {}),
      client.rpc('ping', {}),
      client.publish('test', 1),
      client.history('test', { limit: 1 }),
      client.presence('test'),
    ];
    client.stopBatching();
    expect(await Promise.all(requests)).toMatchObject([
      { data: { kind: 'api_key', id: 'env' } },
      { data: 'pong' },
      {},
      { epoch: expect.any(String) as string },
      { clients: {} },
    ]);
  });

  it('calls RPC methods, and gets an error for unknown ones', async () => {
    const { client } = await subscribeTo(port, newChannel());
    expect((await client.rpc('whoami', {})).data).toEqual({ kind: 'anonymous' });
    expect((await client.rpc('channels', {})).data).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ channel: 'status', subscribe: true, publish: false }),
        expect.objectContaining({ channel: 'svc:{user_id}', subscribe: false }),
      ]),
    );
    await expect(client.rpc('status.summary', {})).resolves.toHaveProperty('data');
    await expect(client.rpc('shutdown', {})).rejects.toMatchObject({ code: 104 });
    await expect(client.rpc('__proto__', {})).rejects.toMatchObject({ code: 104 });
  });

  it('publishes to allowed channels, with the data unchanged', async () => {
    const { headers } = await openCookie(app, 'writer@example.com');
    const writer = await subscribeTo(port, 'test', { path: '/ws/svc/', handshake: headers });
    const stranger = await subscribeTo(port, 'test');
    const { messages } = stranger;
    const odd = [1, 'text', '', null, false, 0, { a: [1, { b: '€' }] }, [], {}, '"\\', 1e21];
    for (const data of odd) await writer.client.publish('test', data);
    await expect.poll(() => messages).toEqual(odd);
    await expect(stranger.client.publish('test', 1)).rejects.toMatchObject({ code: 103 });
    await expect(writer.client.publish('status', 1)).rejects.toMatchObject({ code: 103 });
    await expect(writer.client.publish('nothing-like-it', 1)).rejects.toMatchObject({ code: 102 });
    expect(messages).toHaveLength(odd.length);
  });

  it('sees presence, joins and leaves', async () => {
    const { headers, userId } = await openCookie(app, 'present@example.com');
    const one = await subscribeTo(port, 'test', {
      path: '/ws/svc/',
      handshake: headers,
      joinLeave: true,
    });
    const two = await subscribeTo(port, 'test', { path: '/ws/svc/', handshake: headers });
    const id = clientId(two.client);
    await expect.poll(() => one.events).toContainEqual({ join: id });
    const { clients } = await one.subscription.presence();
    expect(clients[id]).toMatchObject({ client: id, user: userId });
    expect(clients).toHaveProperty(clientId(one.client));
    const before = await one.subscription.presenceStats();
    expect(before.numClients).toBeGreaterThanOrEqual(2);
    drop(two.client);
    two.client.disconnect();
    await expect.poll(() => one.events).toContainEqual({ leave: id });
    expect(Object.keys((await one.subscription.presence()).clients)).not.toContain(id);
    expect(two.events.some((event) => 'join' in event || 'leave' in event)).toBe(false);
    await expect(
      (await subscribeTo(port, newChannel())).subscription.presence(),
    ).rejects.toMatchObject({
      code: 108,
    });
  });

  it('reads the history forwards, backwards, from a position and in parts', async () => {
    const channel = newChannel();
    await publish(app, channel, ...numbers(1, 10));
    const { subscription } = await subscribeTo(port, channel);
    const read = async (options: Parameters<typeof subscription.history>[0]) =>
      (await subscription.history(options)).publications.map(({ data }) => dataOf(data));
    const { epoch, offset, publications } = await subscription.history({ limit: 0 });
    expect({ offset, publications }).toEqual({ offset: 10, publications: [] });
    expect(await read({ limit: -1 })).toEqual(numbers(1, 10));
    expect(await read({ limit: 3 })).toEqual([1, 2, 3]);
    expect(await read({ limit: 3, reverse: true })).toEqual([10, 9, 8]);
    expect(await read({ limit: 3, since: { offset: 4, epoch } })).toEqual([5, 6, 7]);
    expect(await read({ limit: 3, since: { offset: 4, epoch }, reverse: true })).toEqual([3, 2, 1]);
    expect(await read({ limit: 3, since: { offset: 10, epoch } })).toEqual([]);
    await expect(
      subscription.history({ limit: 3, since: { offset: 4, epoch: 'another' } }),
    ).rejects.toMatchObject({ code: 112 });
  });

  it('requests a token, and disconnects when it gets none', async () => {
    const client = centrifuge(port, '/ws/svc/', {
      getToken: async () => {
        throw new UnauthorizedError('no');
      },
    });
    client.connect();
    await expect.poll(() => client.state).toBe('disconnected');
  });
});

describe('after a dropped connection, the official client', () => {
  it('receives all missed publications, in order and once', async () => {
    const channel = newChannel();
    const { client, received, offsets, events } = await subscribeTo(port, channel);
    for (let turn = 0; turn < 10; turn += 1) {
      await publish(app, channel, ...numbers(turn * 10 + 1, turn * 10 + 5));
      drop(client);
      await publish(app, channel, ...numbers(turn * 10 + 6, turn * 10 + 10));
    }
    await expect.poll(() => received.length, { timeout: 8000 }).toBe(100);
    expect(received).toEqual(numbers(1, 100));
    expect(offsets).toEqual(numbers(1, 100));
    const [, ...again] = events;
    expect(again.length).toBeGreaterThan(0);
    for (const event of again)
      expect(event).toMatchObject({ recovered: true, wasRecovering: true });
  });

  it('fails to recover when it missed more than the history holds', async () => {
    const channel = newChannel();
    const { received, events, client } = await subscribeTo(port, channel);
    await publish(app, channel, 'first');
    await expect.poll(() => received).toEqual(['first']);
    client.disconnect();
    await Promise.all(numbers(1, 301).map((n) => publish(app, channel, n)));
    client.connect();
    await expect.poll(() => events.at(-1)).toMatchObject({ wasRecovering: true, recovered: false });
    await publish(app, channel, 'next');
    await expect.poll(() => received).toEqual(['first', 'next']);
  });

  it('recovers up to the size of the history', async () => {
    const channel = newChannel();
    const { received, events, client } = await subscribeTo(port, channel);
    await publish(app, channel, 0);
    await expect.poll(() => received).toEqual([0]);
    client.disconnect();
    for (const n of numbers(1, 300)) void publish(app, channel, n);
    const { redis } = app.stores;
    const stream = `bus${redis.options.db ?? 0}:{${channel}}:stream`;
    await expect.poll(() => redis.xlen(stream)).toBe(300);
    client.connect();
    await expect.poll(() => events.at(-1)).toMatchObject({ wasRecovering: true, recovered: true });
    await expect.poll(() => received.length).toBe(301);
    expect(received).toEqual(numbers(0, 300));
  });

  it('fails to recover when the channel was recreated', async () => {
    const channel = newChannel();
    const { received, events, client } = await subscribeTo(port, channel);
    await publish(app, channel, 1);
    await expect.poll(() => received).toEqual([1]);
    const { db = 0 } = app.stores.redis.options;
    await app.stores.redis.del(`bus${db}:{${channel}}:meta`, `bus${db}:{${channel}}:stream`);
    await publish(app, channel, 2);
    await expect
      .poll(() => events.at(-1), { timeout: 5000 })
      .toMatchObject({ wasRecovering: true, recovered: false });
    expect(client.state).toBe('connected');
    await publish(app, channel, 3);
    await expect.poll(() => received.at(-1)).toBe(3);
    expect(received).not.toContain('nothing');
    expect(new Set(received).size).toBe(received.length);
  });

  it('recovers along with a hundred others during a flood of publications', async () => {
    const channel = newChannel();
    const clients = await Promise.all(numbers(1, 100).map(() => subscribeTo(port, channel)));
    let published = 0;
    const publishing = (async () => {
      while (published < 280) await publish(app, channel, (published += 1));
    })();
    await expect.poll(() => published).toBeGreaterThan(30);
    clients.forEach(({ client }) => drop(client));
    await publishing;
    await expect
      .poll(() => clients.every(({ received }) => received.length >= published), {
        timeout: 10_000,
      })
      .toBe(true);
    for (const { received } of clients) expect(received).toEqual(numbers(1, published));
  });
});
