import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { isExposed, readAddress } from '../../src/commands/service/address.ts';
import { createClient, retryAfterMs } from '../../src/commands/service/client.ts';
import {
  formatBytes,
  formatDuration,
  progressLine,
  startProgress,
} from '../../src/commands/service/progress.ts';
import { TransientError, waitMs, withRetry } from '../../src/commands/service/retry.ts';

const never = new AbortController().signal;

describe('the address', () => {
  const keyed = { ADMIN_API_KEY: 'abc' };
  const noOptions = { url: undefined, keyFile: undefined };

  test.each([
    [{}, {}, 'http://127.0.0.1:3000/'],
    [{}, { PORT: '81' }, 'http://127.0.0.1:81/'],
    [{}, { BASE_URL: 'https://a.example/sub' }, 'https://a.example/sub/'],
    [{ url: 'http://b.example?x#y' }, {}, 'http://b.example/'],
  ])('with the options %j and the environment %j is %s', (options, env, address) => {
    const { base } = readAddress({ ...noOptions, ...options }, { ...keyed, ...env });
    expect(base.href).toBe(address);
  });

  test('has a key, API_KEY before ADMIN_API_KEY, and an error says how to give one', () => {
    expect(readAddress(noOptions, { ...keyed, API_KEY: 'own' }).key).toBe('own');
    for (const empty of ['', ' ', '\n']) {
      const given = { ...keyed, API_KEY: empty, BASE_URL: empty, PORT: empty };
      expect(readAddress(noOptions, given)).toMatchObject({ key: 'abc' });
      expect(readAddress(noOptions, given).base.href).toBe('http://127.0.0.1:3000/');
      expect(() => readAddress(noOptions, { API_KEY: empty })).toThrow(/--key-file/);
    }
    expect(() => readAddress(noOptions, {})).toThrow(/--key-file/);
    expect(() => readAddress({ ...noOptions, keyFile: '/nowhere' }, keyed)).toThrow(
      '/nowhere could not be read',
    );
    expect(() => readAddress(noOptions, { API_KEY: 'a\nb' })).toThrow(/characters/);
    expect(() => readAddress({ ...noOptions, url: 'ftp://x' }, keyed)).toThrow(/no http/);
    expect(() => readAddress({ ...noOptions, url: 'http://u:p@x' }, keyed)).toThrow(/password/);
  });

  test('is exposed when the key travels unencrypted to another machine', () => {
    const exposed = (url: string) => isExposed(readAddress({ ...noOptions, url }, keyed));
    expect(exposed('http://a.example')).toBe(true);
    for (const url of ['https://a.example', 'http://localhost:1', 'http://[::1]:1'])
      expect(exposed(url), url).toBe(false);
  });
});

describe('retries', () => {
  test('back off, wait at least as long as requested, and stop at the first success', async () => {
    const waits: number[] = [];
    let failures = 4;
    const work = async () => {
      if (failures-- > 0) throw new TransientError('away', failures === 1 ? 60_000 : undefined);
      return 'done';
    };
    const wait = async (ms: number) => void waits.push(ms);
    const outcome = await withRetry(work, { maxElapsedMs: 600_000, stop: never, wait });
    expect(outcome).toEqual({ result: 'done', attempts: 5 });
    expect(waits).toHaveLength(4);
    expect(waits[2]).toBe(60_000);
    expect(waits[0]).toBeGreaterThanOrEqual(125);
    expect(waitMs(20, undefined, 0)).toBe(15_000);
  });

  test('stop after the deadline, at other errors and on abort', async () => {
    let now = 0;
    const options = {
      maxElapsedMs: 1000,
      stop: never,
      now: () => now,
      wait: async (ms: number) => void (now += ms),
    };
    const fail = (error: Error, changes: object = {}) =>
      withRetry(() => Promise.reject(error), { ...options, ...changes });
    await expect(fail(new TransientError('away', undefined))).rejects.toThrow(
      'could not be reached: away',
    );
    expect(now).toBeLessThanOrEqual(1000);
    await expect(fail(new Error('mistake'))).rejects.toThrow('mistake');
    const aborted = { maxElapsedMs: 1e9, stop: AbortSignal.abort() };
    await expect(fail(new TransientError('away', 900_000), aborted)).rejects.toThrow('away');
  });

  test('accept Retry-After as seconds or a date', () => {
    expect(retryAfterMs('3', 0)).toBe(3000);
    expect(retryAfterMs('Thu, 01 Jan 1970 00:00:05 GMT', 1000)).toBe(4000);
    expect(retryAfterMs('soon', 0)).toBeUndefined();
    expect(retryAfterMs(undefined, 0)).toBeUndefined();
  });
});

describe('the client', () => {
  let server: Server | undefined;
  afterEach(() => server?.close().closeAllConnections());

  async function clientOf(answer: RequestListener) {
    server = createServer(answer);
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    return createClient({
      base: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`),
      key: 'k',
    });
  }

  test('sends key and body and returns the answer', async () => {
    const client = await clientOf(
      (request, response) =>
        void text(request).then((body) =>
          response.end(JSON.stringify({ body, key: request.headers.authorization })),
        ),
    );
    expect(await client.json('a/', '{}', 10_000)).toEqual({ body: '{}', key: 'Bearer k' });
    client.close();
  });

  test.each([
    [503, 'retry-after', '7'],
    [429, 'x', 'y'],
    [502, 'x', 'y'],
  ])('treats %i as transient', async (status, name, value) => {
    const client = await clientOf(
      (_request, response) =>
        void response.writeHead(status, { [name]: value }).end('{"detail":"behind"}'),
    );
    await expect(client.json('a/', '{}', 10_000)).rejects.toMatchObject({
      name: 'TransientError',
      message: 'behind',
      afterMs: status === 503 ? 7000 : undefined,
    });
    client.close();
  });

  test.each<[number, string, RegExp]>([
    [401, '{"detail":"no"}', /does not accept the API key/],
    [403, '{"detail":"no"}', /may not do this/],
    [302, '', /answers from elsewhere/],
    [422, '{"detail":[{"loc":["body","from"],"msg":"Invalid date"}]}', /422\): from: Invalid date/],
    [404, '<html>', /404\): it answered 404/],
    [200, '<html>', /is not the service/],
  ])('treats %i %s as final', async (status, body, message) => {
    const client = await clientOf(
      (_request, response) => void response.writeHead(status).end(body),
    );
    await expect(client.json('a/', '{}', 10_000)).rejects.toThrow(message);
    await expect(client.json('a/', '{}', 10_000)).rejects.toMatchObject({ name: 'CommandError' });
    client.close();
  });

  test('treats a timeout and a lost connection as transient', async () => {
    const client = await clientOf((request, response) => {
      if (request.url === '/cut') response.write('{"a"', () => response.destroy());
    });
    await expect(client.json('cut', '{}', 10_000)).rejects.toMatchObject({
      name: 'TransientError',
    });
    await expect(client.json('silent', '{}', 50)).rejects.toMatchObject({
      name: 'TransientError',
      message: 'no answer in time',
    });
    server?.close().closeAllConnections();
    await expect(client.json('gone', '{}', 10_000)).rejects.toMatchObject({
      name: 'TransientError',
    });
    client.close();
  });
});

test('progress is a line every five seconds where there is no terminal, until it stops', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const say = vi.fn<(line: string) => void>();
  const read = () => ({ bytes: 1024, figures: '' });
  const progress = startProgress({ total: 2048, terminal: undefined, say, read });
  vi.advanceTimersByTime(4999);
  expect(say).not.toHaveBeenCalled();
  vi.advanceTimersByTime(5001);
  expect(say.mock.calls).toEqual([
    ['50.0 % of 2.0 KiB, 5.0 s left'],
    ['50.0 % of 2.0 KiB, 10 s left'],
  ]);
  progress.stop();
  vi.advanceTimersByTime(60_000);
  expect(say).toHaveBeenCalledTimes(2);
});

test('progress shows the share, the figures and the time left', () => {
  expect(progressLine({ bytes: 512 * 1024, figures: '5 stored' }, 1024 * 1024, 10_000)).toBe(
    '50.0 % of 1.0 MiB, 5 stored, 10 s left',
  );
  expect(progressLine({ bytes: 2048, figures: '' }, undefined, 1)).toBe('2.0 KiB');
  expect(formatDuration(0.42)).toBe('0.4 s');
  expect(formatDuration(200)).toBe('3 min 20 s');
  expect(formatDuration(7500)).toBe('2 h 5 min');
  expect(formatBytes(0)).toBe('0 B');
});
