import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { connect } from 'node:net';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { rounds } from '../support/rounds.ts';
import { startNew } from './ingest-kill.ts';
import { type Answer, ask, post, storedCount, storedIds } from './ingest-service.ts';
import { type Malformed, malformedRequests } from './malformed-request.ts';

const runs = rounds(4000, 10_000);
// A fixed seed makes failures reproducible; MALFORMED_SEED takes another number, or `random`.
const seed =
  process.env.MALFORMED_SEED === 'random'
    ? {}
    : { seed: Number(process.env.MALFORMED_SEED ?? 20_261_121) };

const toHeaderValue = (value: string): string =>
  value.replace(/[^\t\x20-\x7e\x80-\xff]/g, '').trim();

interface IngestResult {
  accepted?: number;
}

/**
 * Sends the request. Returns undefined when the server closed the connection without an answer, as
 * it may for invalid HTTP.
 */
async function send(
  port: number,
  agent: Agent,
  { method, path: target, headers: given, body: payload }: Malformed,
): Promise<Answer | undefined> {
  const clean: Record<string, string> = Object.fromEntries(
    Object.entries(given).map(([key, value]) => [key, toHeaderValue(value)]),
  );
  const chunked =
    clean['transfer-encoding'] !== undefined &&
    payload !== undefined &&
    ['POST', 'PUT', 'PATCH'].includes(method);
  // Node's client would announce chunks and then send none.
  if (!chunked) delete clean['transfer-encoding'];
  const extra = payload === undefined ? {} : { body: payload };
  return ask(port, target, { method, headers: clean, agent, chunked, ...extra }).catch(
    () => undefined,
  );
}

const start = () => startNew({ SITE_LIMIT: '100000', LOG_LEVEL: 'info' });

test(`${runs} malformed requests: no 5xx, no crash, only accepted events are stored`, async () => {
  const service = await start();
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  const tally = new Map<string, number>();
  let accepted = 0;
  let pixels = 0;
  await fc.assert(
    fc.asyncProperty(malformedRequests, async (malformed) => {
      const answer = await send(service.port, agent, malformed);
      const outcome = String(answer?.status ?? 'closed');
      tally.set(outcome, (tally.get(outcome) ?? 0) + 1);
      if (answer === undefined) return;
      if (answer.status >= 500) {
        const errors = service.output().match(/^.*"err".*$/gm) ?? [];
        throw new Error(`${answer.status} ${answer.text}\n${errors.at(-1) ?? ''}`);
      }
      if (
        malformed.path.startsWith('/analytics/pixel.gif') &&
        answer.status === 200 &&
        malformed.method === 'GET' &&
        answer.headers['x-svc-reason'] === undefined
      )
        pixels += 1;
      if (
        answer.status === 200 &&
        /track|batch/.test(malformed.path) &&
        malformed.method === 'POST'
      )
        accepted += (JSON.parse(answer.text) as IngestResult).accepted ?? 0;
      if (malformed.method === 'HEAD') return;
      if (answer.status === 422)
        expect(Object.keys(JSON.parse(answer.text) as object)).toEqual([
          'detail',
          'code',
          'request_id',
        ]);
      // An expectation other than 100-continue is refused by Node itself, without a body.
      if (answer.status >= 400 && answer.status !== 422)
        expect(JSON.parse(answer.text)).toMatchObject({
          status: answer.status,
          code: expect.any(String) as string,
        });
    }),
    {
      numRuns: runs,
      ...seed,
      plugins: [fc.interruptAfterTimeLimit(240_000, { failOnInterrupt: true })],
    },
  );
  agent.destroy();
  console.log(
    `${JSON.stringify(Object.fromEntries([...tally].sort()))}; ` +
      `${accepted} events and ${pixels} pixels accepted`,
  );

  expect((await ask(service.port, '/api/health/live')).status).toBe(200);
  expect(accepted).toBeGreaterThan(runs / 100);
  const good = randomUUID();
  const last = { event: 'last', url: '/', site_id: 'site', id: good };
  expect((await post(service.port, '/analytics/track', last)).status).toBe(200);
  await vi.waitFor(
    async () => expect(await storedCount(service.port)).toBe(accepted + pixels + 1),
    { timeout: 60_000, interval: 100 },
  );
  const ids = await storedIds(service.port);
  expect(ids).toContain(good);
  expect(service.output()).not.toContain('could not be stored');
  expect(service.output()).not.toContain('"level":"error"');
  expect(await service.kill('SIGTERM')).toEqual({ code: 0, signal: null });
});

test('bytes that are not HTTP get no 5xx, and the service stays alive', async () => {
  const service = await start();
  const noise = fc.oneof(
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    fc
      .constantFrom(
        'GET / HTTP/1.1\r\n\r\n',
        'POST /analytics/track HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n',
        'POST /analytics/track HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\n' +
          'transfer-encoding: chunked\r\n\r\n0\r\n\r\n',
        'POST /analytics/track HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
        'GET /analytics/pixel.gif?site=\u0000 HTTP/1.1\r\nhost: x\r\n\r\n',
        'GET / HTTP/9.9\r\n\r\n',
        '\r\n\r\n\r\n',
        'POST /analytics/track HTTP/1.1\r\nhost: x\r\nhost: y\r\ncontent-length: 2\r\n' +
          'content-length: 3\r\n\r\n{}',
        `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nhost: x\r\n\r\n`,
        `GET / HTTP/1.1\r\nhost: x\r\n${'a: b\r\n'.repeat(3000)}\r\n`,
      )
      .map((text) => Buffer.from(text)),
  );
  await fc.assert(
    fc.asyncProperty(noise, async (bytes) => {
      const text = await new Promise<string>((resolve) => {
        let received = '';
        const socket = connect(service.port, '127.0.0.1', () => socket.end(bytes));
        socket.on('data', (part) => (received += part.toString('latin1')));
        socket.on('error', () => undefined);
        socket.on('close', () => resolve(received));
      });
      expect(text).not.toMatch(/^HTTP\/1\.1 5/);
    }),
    { numRuns: 300, ...seed },
  );
  expect((await ask(service.port, '/api/health/live')).status).toBe(200);
  expect(await service.kill('SIGTERM')).toEqual({ code: 0, signal: null });
});
