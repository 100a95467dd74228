import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { concurrencyLimits } from '../../../../src/platform/http/connections/concurrency-limit.ts';
import { freshApp, type FreshApp } from '../../../support/app.ts';

/** A busy machine needs longer than vitest's default of a second. */
const eventually = (check: () => void): Promise<void> => vi.waitFor(check, 10_000);

describe('one address with many connections', () => {
  let app: FreshApp;
  let port: number;
  beforeAll(async () => {
    app = await freshApp({ env: { RATE_LIMIT: 'on' } });
    port = Number(new URL(await app.http.listen({ port: 0, host: '127.0.0.1' })).port);
  });
  afterAll(() => app.close());

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
  const page = 'GET /login HTTP/1.1\r\nhost: localhost\r\n\r\n';

  async function connected(sockets: readonly { socket: Socket }[]): Promise<void> {
    await eventually(() =>
      expect(sockets.every(({ socket }) => !socket.connecting && socket.bytesWritten > 0)).toBe(
        true,
      ),
    );
    // Once a later connection from another address has its answer, the server has read them.
    const later = open('127.0.4.9', page);
    await eventually(() => expect(later.status()).toBe('200'));
  }

  it('delays only its own later requests', async () => {
    const attackers = Array.from({ length: concurrencyLimits.light.running }, () =>
      open('127.0.4.1', half('/api/auth/otp/verify')),
    );
    await connected(attackers);
    const own = open('127.0.4.1', page);
    const other = open('127.0.4.2', page);
    await eventually(() => expect(other.status()).toBe('200'));
    expect(own.status()).toBeUndefined();
    attackers[0]?.socket.destroy();
    await eventually(() => expect(own.status()).toBe('200'));
  });

  it('has three large bodies read at a time, while its small requests continue', async () => {
    const attackers = Array.from({ length: concurrencyLimits.heavy.running }, () =>
      open('127.0.4.3', half('/analytics/batch/', 200_000)),
    );
    await connected(attackers);
    const large = open('127.0.4.3', `${half('/analytics/batch/', 20_000)}${' '.repeat(19_998)}}`);
    const small = open('127.0.4.3', page);
    await eventually(() => expect(small.status()).toBe('200'));
    expect(large.status()).toBeUndefined();
    for (const { socket } of attackers) socket.destroy();
    await eventually(() => expect(large.status()).toBe('422'));
  });

  it('has few GraphQL requests processed at a time, while its others continue', async () => {
    const attackers = Array.from({ length: concurrencyLimits.costly.running }, () =>
      open('127.0.4.11', half('/api/graphql/')),
    );
    await connected(attackers);
    const query = '{"query":"{__typename}"}';
    const ask = (address: string) =>
      open(address, `${half('/api/graphql/', query.length)}${query.slice(1)}`);
    const question = ask('127.0.4.11');
    const small = open('127.0.4.11', page);
    await eventually(() => expect(small.status()).toBe('200'));
    // The same query from another address, sent later, is answered twice.
    for (const other of ['127.0.4.12', '127.0.4.13']) {
      const later = ask(other);
      await eventually(() => expect(later.status()).toBe('200'));
    }
    expect(question.status()).toBeUndefined();
    for (const { socket } of attackers) socket.destroy();
    await eventually(() => expect(question.status()).toBe('200'));
  });

  it('cannot bypass its queue with a header that only looks like a handshake', async () => {
    const attackers = Array.from({ length: concurrencyLimits.light.running }, () =>
      open('127.0.4.10', half('/api/auth/otp/verify')),
    );
    await connected(attackers);
    const disguised = open(
      '127.0.4.10',
      page.replace('\r\n\r\n', '\r\nupgrade: websocket\r\n\r\n'),
    );
    const other = open('127.0.4.2', page);
    await eventually(() => expect(other.status()).toBe('200'));
    expect(disguised.status()).toBeUndefined();
    attackers[0]?.socket.destroy();
    await eventually(() => expect(disguised.status()).toBe('200'));
  });

  it('always gets answers to probes', async () => {
    await connected(
      Array.from({ length: concurrencyLimits.light.running }, () =>
        open('127.0.4.4', half('/api/auth/otp/verify')),
      ),
    );
    const probe = open('127.0.4.4', 'GET /api/health/ready HTTP/1.1\r\nhost: localhost\r\n\r\n');
    await eventually(() => expect(probe.status()).toBe('200'));
  });

  it('gets 429 when too many of its requests are waiting', async () => {
    const { running, waiting } = concurrencyLimits.heavy;
    await connected(
      Array.from({ length: running + waiting }, () =>
        open('127.0.4.5', half('/analytics/batch/', 200_000)),
      ),
    );
    const refused = open('127.0.4.5', half('/analytics/batch/', 200_000));
    await eventually(() => expect(refused.status()).toBe('429'));
    const other = open('127.0.4.6', page);
    await eventually(() => expect(other.status()).toBe('200'));
  });

  it('is refused without a round trip to Redis once its limit is exhausted', async () => {
    const ask = () =>
      app.http.inject({
        method: 'POST',
        url: '/signup',
        headers: { 'content-type': 'application/json' },
        payload: '{}',
        remoteAddress: '127.0.4.7',
      });
    for (let at = 0; at < 10; at++) expect((await ask()).statusCode).toBe(422);
    expect((await ask()).statusCode).toBe(429);
    const keys = await app.stores.redis.keys('rate:*127.0.4.7*');
    expect(keys).toHaveLength(1);
    const counted = await app.stores.redis.mget(keys);
    const refused = await ask();
    expect({
      status: refused.statusCode,
      saysWhen: Number(refused.headers['retry-after']) > 0,
    }).toEqual({ status: 429, saysWhen: true });
    expect(await app.stores.redis.mget(keys)).toEqual(counted);
  });
});
