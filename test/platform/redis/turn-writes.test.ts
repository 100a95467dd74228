import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRedis, redisReady } from '../../../src/platform/redis/redis.ts';
import { createTestHttp } from '../../support/http.ts';
import { testRedisUrl } from '../../support/redis.ts';

const reads: string[] = [];
const { logger } = createTestHttp();
let redis: ReturnType<typeof createRedis>;
const sockets = new Set<Socket>();
/** Notes each read of what the client sends to Redis. */
const proxy = createServer((client) => {
  const server = connect(target);
  for (const socket of [client, server]) sockets.add(socket.on('error', () => undefined));
  client.on('data', (chunk) => reads.push(chunk.toString())).pipe(server);
  server.pipe(client);
});
let target: { host: string; port: number };

beforeAll(async () => {
  const url = new URL(await testRedisUrl());
  target = { host: url.hostname, port: Number(url.port) };
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  url.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  redis = createRedis({ url: url.href, name: 'test', purpose: 'requests', logger });
  await redisReady(redis, 2000);
});

afterAll(async () => {
  redis.disconnect();
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => proxy.close(resolve));
});

it('sends the commands of one turn together, and each has its own answer', async () => {
  reads.length = 0;
  const names = Array.from({ length: 20 }, (_, index) => `key-${index}`);
  const answers = await Promise.all([
    ...names.map((name) => redis.set(name, name)),
    redis.incr('key-0').catch((error: unknown) => String(error)),
    ...names.map((name) => redis.get(name)),
  ]);
  expect(reads).toHaveLength(1);
  expect(answers.slice(0, 20)).toEqual(names.map(() => 'OK'));
  expect(answers[20]).toContain('not an integer');
  expect(answers.slice(21)).toEqual(names);
});

it('sends a command of the next turn without waiting for others', async () => {
  reads.length = 0;
  expect(await redis.get('key-1')).toBe('key-1');
  expect(await redis.get('key-2')).toBe('key-2');
  expect(reads).toHaveLength(2);
});

it('refuses commands after the connection was lost in the turn they were held for', async () => {
  const held = redis.get('key-3');
  for (const socket of sockets) socket.destroy();
  await expect(held).rejects.toThrow();
  await redisReady(redis, 2000);
  expect(await redis.get('key-3')).toBe('key-3');
});
