import { describe, expect, onTestFinished, test } from 'vitest';
import { freshApp, type FreshApp } from '../../support/app.ts';
import { centrifuge, listen } from '../../support/sockets.ts';
import { persistentRedis } from '../../platform/bus/persistent-redis.ts';
import { holdingProxy } from '../../platform/bus/holding-proxy.ts';
import { errorsIn } from '../../support/log.ts';
import { publish as publishOn, subscribeTo } from './official-client.ts';
import { connected, plain, type Plain } from './plain-client.ts';
import { openCookie } from '../../support/sign-in.ts';

async function start() {
  const redis = await persistentRedis();
  const app = await freshApp({ env: { REDIS_URL: redis.url } });
  onTestFinished(() => app.close());
  return { redis, app, port: await listen(app) };
}

const publish = (app: FreshApp, data: unknown) => publishOn(app, 'status', data);
const redisIsGone = (app: FreshApp) => expect.poll(() => app.stores.redis.status).not.toBe('ready');
const redisIsBack = (app: FreshApp) =>
  expect.poll(() => app.stores.redis.status, { timeout: 8000 }).toBe('ready');

describe('while Redis is unavailable', () => {
  test('sockets stay open, and later receive new publications once and in order', async () => {
    const { redis, app, port } = await start();
    const { client, received } = await subscribeTo(port, 'status');
    const states: string[] = [];
    client.on('state', ({ newState }) => states.push(newState));
    await publish(app, 1);
    await expect.poll(() => received).toEqual([1]);
    await redis.kill();
    await redisIsGone(app);
    expect(client.state).toBe('connected');
    await redis.start();
    await redisIsBack(app);
    await publish(app, 2);
    await publish(app, 3);
    await expect.poll(() => received, { timeout: 5000 }).toEqual([1, 2, 3]);
    expect(states).toEqual([]);
    expect(errorsIn(app.log())).toEqual([]);
  }, 30_000);

  test('a subscribing client gets a temporary error, and succeeds later', async () => {
    const { redis, app, port } = await start();
    await redis.kill();
    await redisIsGone(app);
    const client = await connected(port, '/ws/status/');
    for (const command of ['subscribe', 'history', 'presence'])
      expect(await client.ask({ [command]: { channel: 'test' } })).toMatchObject({
        error: { code: 100, temporary: true },
      });
    expect(await client.ask({ rpc: { method: 'ping' } })).toMatchObject({ rpc: { data: 'pong' } });
    await redis.start();
    await expect
      .poll(() => client.ask({ subscribe: { channel: 'status' } }), {
        timeout: 8000,
        interval: 200,
      })
      .toHaveProperty('subscribe');
    await redisIsBack(app);
    await publish(app, 'back');
    await expect.poll(() => client.publications('status')).toHaveLength(1);
  }, 30_000);

  test('a unidirectional client is closed with a code to reconnect', async () => {
    const { redis, app, port } = await start();
    await redis.kill();
    await redisIsGone(app);
    const client = plain(port, '/ws/status/?mode=uni&channels=status');
    const { code } = await client.end(10_000);
    expect(code).toBeLessThan(3500);
  }, 30_000);

  test('the official client with a session connects once Redis is back', async () => {
    const { redis, app, port } = await start();
    const { headers: handshake } = await openCookie(app, 'me@example.com');
    const first = centrifuge(port, '/ws/svc/', { handshake });
    first.connect();
    await first.ready(5000);
    await redis.kill();
    await redisIsGone(app);
    const late = centrifuge(port, '/ws/svc/', { handshake });
    late.connect();
    await redis.start();
    await late.ready(10_000);
    for (const { state } of [first, late]) expect(state).toBe('connected');
  }, 30_000);
});

describe('while Redis is slow', () => {
  test('a client that connects after the silence timeout gets one connect reply', async () => {
    const redis = await persistentRedis();
    const proxy = await holdingProxy(redis.url);
    const app = await freshApp({ env: { REDIS_URL: proxy.url } });
    onTestFinished(() => app.close());
    const port = await listen(app);
    const other = await connected(port, '/ws/status/');
    await other.ask({ subscribe: { channel: 'test' } });
    const client = plain(port, '/ws/status/');
    await client.opened();
    proxy.hold('subscribe');
    await expect.poll(() => proxy.state.heldSince, { timeout: 5000, interval: 5 }).toBeDefined();
    const connecting = client.send({ connect: {} });
    const subscribed = client.send({ subscribe: { channel: 'status' } });
    await other.ask({ rpc: { method: 'ping' } });
    proxy.letGo();
    expect(await client.reply(connecting)).toMatchObject({ connect: { pong: true } });
    expect(await client.reply(subscribed)).toHaveProperty('subscribe');
    await publish(app, 'once');
    await expect.poll(() => client.publications('status').length).toBe(1);
    await other.ask({ rpc: { method: 'ping' } });
    expect(
      client.lines.filter((line) => line.connect !== undefined && line.id === undefined),
    ).toEqual([]);
    expect(client.publications('status')).toHaveLength(1);
  }, 30_000);

  test('a failed connect may be repeated', async () => {
    const { redis, app, port } = await start();
    const { headers } = await openCookie(app, 'again@example.com');
    const client = plain(port, '/ws/svc/', { headers });
    await client.opened();
    await redis.kill();
    await redisIsGone(app);
    expect(await client.ask({ connect: {} }, 8000)).toMatchObject({
      error: { code: 100, temporary: true },
    });
    await redis.start();
    await redisIsBack(app);
    const again = client.send({ connect: {} });
    await expect
      .poll(() => client.state.closed ?? client.lines.find(({ id }) => id === again), {
        timeout: 8000,
      })
      .toBeDefined();
    expect(client.state.closed).toBeUndefined();
    expect(await client.reply(again)).toHaveProperty('connect');
  }, 30_000);
});

describe('when Redis comes back', () => {
  test('empty, the official client fails to recover, and continues', async () => {
    const { redis, app, port } = await start();
    const { received, events } = await subscribeTo(port, 'status');
    await publish(app, 1);
    await expect.poll(() => received).toEqual([1]);
    await redis.startEmpty();
    await expect
      .poll(() => events.at(-1), { timeout: 10_000 })
      .toMatchObject({ recovered: false, wasRecovering: true });
    await redisIsBack(app);
    await publish(app, 2);
    await expect.poll(() => received).toEqual([1, 2]);
    expect(events).toHaveLength(2);
  }, 30_000);

  test('without its last messages, clients that had them fail to recover', async () => {
    const { redis, app, port } = await start();
    await publish(app, 1);
    const was = await redis.copy();
    const [early, late] = [plain(port, '/ws/status/'), plain(port, '/ws/status/')];
    await Promise.all([early.connect(), late.connect()]);
    const { subscribe: position } = (await late.ask({ subscribe: { channel: 'status' } })) as {
      subscribe: { offset: number; epoch: string };
    };
    late.webSocket.terminate();
    await early.ask({ subscribe: { channel: 'status' } });
    await publish(app, 'gone');
    await expect.poll(() => early.publications('status')).toHaveLength(1);
    await redis.startFrom(was);
    await expect
      .poll(() => early.pushes().at(-1), { timeout: 10_000 })
      .toEqual({ channel: 'status', unsubscribe: { code: 2500, reason: 'insufficient state' } });
    const recover = ({ ask }: Plain, offset: number) =>
      ask({ subscribe: { channel: 'status', recover: true, offset, epoch: position.epoch } });
    expect(await recover(early, position.offset + 1)).toMatchObject({
      subscribe: { recovered: false, was_recovering: true },
    });
    await redisIsBack(app);
    await publish(app, 2);
    const again = await connected(port, '/ws/status/');
    expect(await recover(again, position.offset)).toMatchObject({
      subscribe: { recovered: true, publications: [{ data: { data: 2 } }] },
    });
    await expect.poll(() => early.publications('status').length).toBe(2);
  }, 30_000);
});
