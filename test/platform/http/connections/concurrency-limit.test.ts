import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { concurrencyLimits } from '../../../../src/platform/http/connections/concurrency-limit.ts';
import { freshApp } from '../../../support/app.ts';
import { TestClient } from '../../../support/client.ts';

const light: number = concurrencyLimits.light.running;
const heavy = { count: concurrencyLimits.heavy.running, length: 200_000 };

/** A busy machine needs longer than vitest's default of a second. */
const eventually = (check: () => void): Promise<void> => vi.waitFor(check, 10_000);

describe('one address with many connections', async () => {
  const app = await freshApp({ env: { RATE_LIMIT: 'on' } });
  const port = Number(new URL(await app.http.listen({ port: 0, host: '127.0.0.1' })).port);

  /** A connection from this address. `status` is undefined until the answer arrives. */
  function open(
    localAddress: string,
    text: string,
  ): { socket: Socket; status: () => string | undefined } {
    let answer = '';
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    socket.on('data', (part: Buffer) => (answer += part.toString()));
    socket.on('error', () => undefined);
    socket.write(text);
    onTestFinished(() => void socket.destroy());
    return { socket, status: () => /^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] };
  }

  const half = (path: string, length = 100) =>
    `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n` +
    `content-length: ${length}\r\n\r\n{`;
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`;
  const page = get('/login');
  const status = get('/api/status');

  /** Occupies the running requests of an address. */
  async function attack(address: string, path: string, { count = light, length = 100 } = {}) {
    const attackers = Array.from({ length: count }, () => open(address, half(path, length)));
    await connected(attackers);
    return attackers;
  }

  async function connected(sockets: readonly { socket: Socket }[]): Promise<void> {
    await eventually(() =>
      expect(sockets.every(({ socket }) => !socket.connecting && socket.bytesWritten > 0)).toBe(
        true,
      ),
    );
    // Once a later connection from another address has its answer, the server has read them.
    await isAnswered(open('127.0.4.9', page));
  }

  const isAnswered = (request: { status: () => string | undefined }, status = '200') =>
    eventually(() => expect(request.status()).toBe(status));

  it('delays only its own later requests', async () => {
    const [attacker] = await attack('127.0.4.1', '/api/auth/otp/verify');
    const own = open('127.0.4.1', status);
    await isAnswered(open('127.0.4.2', page));
    expect(own.status()).toBeUndefined();
    attacker?.socket.destroy();
    await isAnswered(own);
  });

  it('has three large bodies read at a time, while its small requests continue', async () => {
    const attackers = await attack('127.0.4.3', '/analytics/batch/', heavy);
    const large = open('127.0.4.3', `${half('/analytics/batch/', 20_000)}${' '.repeat(19_998)}}`);
    await isAnswered(open('127.0.4.3', page));
    expect(large.status()).toBeUndefined();
    for (const { socket } of attackers) socket.destroy();
    await isAnswered(large, '422');
  });

  it('has few GraphQL requests processed at a time, while its others continue', async () => {
    const count = concurrencyLimits.costly.running;
    const attackers = await attack('127.0.4.11', '/api/graphql/', { count });
    const query = '{"query":"{__typename}"}';
    const ask = (address: string) =>
      open(address, `${half('/api/graphql/', query.length)}${query.slice(1)}`);
    const question = ask('127.0.4.11');
    await isAnswered(open('127.0.4.11', page));
    // The same query from another address, sent later, is answered twice.
    for (const other of ['127.0.4.12', '127.0.4.13']) await isAnswered(ask(other));
    expect(question.status()).toBeUndefined();
    for (const { socket } of attackers) socket.destroy();
    await isAnswered(question);
  });

  it('cannot bypass its queue with a header that only looks like a handshake', async () => {
    const [attacker] = await attack('127.0.4.10', '/api/auth/otp/verify');
    const upgrade = status.replace('\r\n\r\n', '\r\nupgrade: websocket\r\n\r\n');
    const disguised = open('127.0.4.10', upgrade);
    await isAnswered(open('127.0.4.2', page));
    expect(disguised.status()).toBeUndefined();
    attacker?.socket.destroy();
    await isAnswered(disguised);
  });

  it('always gets answers to probes', async () => {
    await attack('127.0.4.4', '/api/auth/otp/verify');
    const probe = get('/api/health/ready');
    await isAnswered(open('127.0.4.4', probe));
  });

  it('gets 429 when too many of its requests are waiting', async () => {
    const count = concurrencyLimits.heavy.running + concurrencyLimits.heavy.waiting;
    await attack('127.0.4.5', '/analytics/batch/', { ...heavy, count });
    await isAnswered(open('127.0.4.5', half('/analytics/batch/', heavy.length)), '429');
    await isAnswered(open('127.0.4.6', page));
  });

  it('has few pages rendered at a time, while its other requests continue', async () => {
    const count = concurrencyLimits.page.running;
    const attackers = await attack('127.0.4.14', '/signup', { count });
    const own = open('127.0.4.14', page);
    const unknown = open('127.0.4.14', get('/nowhere'));
    await isAnswered(open('127.0.4.14', status));
    expect({ own: own.status(), unknown: unknown.status() }).toEqual({
      own: undefined,
      unknown: undefined,
    });
    for (const { socket } of attackers) socket.destroy();
    await isAnswered(own);
  });

  it('waits before further refusals, while others and its other pages are answered', async () => {
    const form = '{}';
    const address = '127.0.4.15';
    const ask = () => open(address, `${half('/signup', form.length)}${form.slice(1)}`);
    const answer = async ({ socket, status }: ReturnType<typeof open>) => {
      await once(socket, 'data');
      return status();
    };
    for (let at = 0; at < 10; at++) expect(await answer(ask())).toBe('422');
    expect(await answer(ask())).toBe('429');
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    for (let at = 0; at < concurrencyLimits.refused.running; at++)
      expect(await answer(ask())).toBe('429');
    const next = ask();
    for (const from of ['127.0.4.2', address]) expect(await answer(open(from, page))).toBe('200');
    expect(next.status()).toBeUndefined();
    vi.advanceTimersByTime(100);
    expect(await answer(next)).toBe('429');
  });

  it('is refused without a round trip to Redis once its limit is exhausted', async () => {
    const client = new TestClient(app).from('127.0.4.7');
    for (let at = 0; at < 10; at++) expect((await client.post('/signup', {})).status).toBe(422);
    expect((await client.post('/signup', {})).status).toBe(429);
    const keys = await app.stores.redis.keys('rate:*127.0.4.7*');
    expect(keys).toHaveLength(1);
    const counted = await app.stores.redis.mget(keys);
    const refused = await client.post('/signup', {});
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(await app.stores.redis.mget(keys)).toEqual(counted);
  });
});
