import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import {
  type ComponentRecord,
  defaultSettings,
} from '../../../src/areas/status/components/store.ts';
import type { Observation } from '../../../src/areas/status/components/builtin.ts';
import { probe } from '../../../src/areas/status/recording/probe.ts';
import { createProber } from '../../../src/areas/status/recording/prober.ts';

const asked: string[] = [];
const sockets = new Set<Socket>();
let unread = 0;

const server = createServer((request, response) => {
  asked.push(`${request.method ?? ''} ${request.url ?? ''}`);
  const [, path = '', status = '200'] = (request.url ?? '').split('/');
  if (path === 'silent') return;
  if (path === 'late') return void setTimeout(() => response.end(), 1100);
  response.writeHead(Number(status), { location: '/elsewhere' });
  if (path !== 'endless') return void response.end('ok');
  response.flushHeaders();
  response.on('close', () => {
    unread += 1;
  });
}).listen(0, '127.0.0.1');
server.on('connection', (socket) => sockets.add(socket));
await once(server, 'listening');
const { port } = server.address() as AddressInfo;
const base = `http://127.0.0.1:${port}`;
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
});

/** Opens a TCP server on a free port. */
async function listenTo(onSocket: (socket: Socket) => void) {
  const listener = createTcpServer((socket) => {
    onSocket(socket.on('error', () => undefined));
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port: free } = listener.address() as AddressInfo;
  return { port: free, close: () => new Promise((resolve) => listener.close(resolve)) };
}

const of = (
  source: 'http' | 'tcp',
  target: string,
  settings: Partial<ComponentRecord['settings']> = {},
) => ({ source, target, settings: { ...defaultSettings, timeout_ms: 2000, ...settings } });
const isGood = async (...given: Parameters<typeof of>) => (await probe(of(...given))).isGood;

describe('a probe', () => {
  it.each([
    [200, {}, true],
    [404, {}, false],
    [500, {}, false],
    [404, { expected_status: [401, 404] }, true],
    [200, { expected_status: [404] }, false],
  ])(
    'at the status %i succeeds or not with the settings %j: %s',
    async (status, settings, good) => {
      expect(await isGood('http', `${base}/answer/${status}`, settings)).toBe(good);
    },
  );

  it('follows no redirect', async () => {
    asked.length = 0;
    expect(await isGood('http', `${base}/answer/302`)).toBe(true);
    expect(asked).toEqual(['GET /answer/302']);
  });

  it('does not wait for the body', async () => {
    expect(await isGood('http', `${base}/endless/200`)).toBe(true);
    await expect.poll(() => unread).toBe(1);
  });

  it('stops at its timeout', async () => {
    const { isGood: good, ms } = await probe(of('http', `${base}/silent`, { timeout_ms: 150 }));
    expect(good).toBe(false);
    expect(ms).toBeLessThan(1500);
  });

  it.each([
    ['HTTP/1.1 101 Switching Protocols\r\nUpgrade: other\r\nConnection: Upgrade\r\n\r\n'],
    [''],
    ['no HTTP at all\r\n\r\n'],
  ])('ends when the server misbehaves: %j', async (answer) => {
    const odd = await listenTo((socket) => socket.once('data', () => socket.end(answer)));
    const target = `http://127.0.0.1:${odd.port}/`;
    expect(await isGood('http', target, { timeout_ms: 300 })).toBe(false);
    expect(await isGood('http', target, { expected_status: [101] })).toBe(answer.includes('101'));
    await odd.close();
  });

  it('over TCP succeeds when a server listens, and disconnects', async () => {
    let ended = 0;
    const listener = await listenTo((socket) => {
      socket.on('close', () => (ended += 1)).resume();
    });
    const place = `localhost:${listener.port}`;
    expect(await isGood('tcp', place)).toBe(true);
    await expect.poll(() => ended).toBe(1);
    await listener.close();
    expect(await isGood('tcp', place)).toBe(false);
  });

  it.each([
    ['http', 'http://169.254.169.254/'],
    ['http', 'http://[fe80::1]/'],
    ['http', 'http://[::ffff:a9fe:a9fe]/'],
    ['tcp', '169.254.169.254:80'],
  ] as const)(
    'never reaches link-local addresses, whoever entered them: %s %s',
    async (source, target) => {
      expect(await probe(of(source, target))).toEqual({ isGood: false, ms: 0 });
    },
  );

  it('of an unknown host name fails', async () => {
    expect(await isGood('http', 'http://no-such-host.invalid/')).toBe(false);
    expect(await isGood('tcp', 'no-such-host.invalid:80')).toBe(false);
  });
});

describe('scheduled probes', () => {
  function openProber(target: string, settings: Partial<ComponentRecord['settings']> = {}) {
    let now = Date.UTC(2026, 5, 1, 12, 59, 30);
    const record: ComponentRecord = {
      id: 'api',
      name: 'API',
      description: null,
      group: null,
      position: 1,
      source: 'http',
      target,
      settings: { ...defaultSettings, timeout_ms: 2000, ...settings },
      onlyShowIfDegraded: false,
      checkStatus: 'operational',
      checkSince: 0,
      createdAt: 0,
      updatedAt: 0,
    };
    let present = [record];
    let measured: { id: string; at: number; ms: number }[] = [];
    const known = new Map<string, Observation>();
    const cache = {
      components: () => present,
      responseSamples: () => measured,
      probed: () => [...known.keys()],
      observations: () => new Map([...known].map(([id, each]) => [id, { ...each, isKnown: true }])),
      setProbed: (id: string, each: Observation | null) => {
        if (each === null) known.delete(id);
        else known.set(id, each);
      },
    };
    const prober = createProber({ cache, clock: { now: () => now } });
    const after = async (ms: number) => {
      now += ms;
      prober.runDue();
      await prober.settled();
    };
    return {
      prober,
      after,
      known,
      record,
      status: () => known.get('api')?.status,
      at: () => now,
      turnTo: (next: string) => (present = [{ ...record, target: next }]),
      remove: () => (present = []),
      add: (more: ComponentRecord[]) => (present = [...more, record]),
      back: (ms: number) => (now -= ms),
      took: (ms: number) => (measured = [{ id: 'database', at: now, ms }]),
    };
  }

  it('run when they are due, and not earlier', async () => {
    asked.length = 0;
    const { after } = openProber(`${base}/answer/200`);
    await after(0);
    await after(59_000);
    expect(asked).toHaveLength(1);
    await after(1000);
    expect(asked).toHaveLength(2);
  });

  it('report an outage after two failures in a row, not after one', async () => {
    const { after, status, turnTo, known, at } = openProber(`${base}/answer/500`);
    await after(0);
    expect(status()).toBe('operational');
    const since = at();
    await after(60_000);
    expect(known.get('api')).toEqual({ status: 'major_outage', since });
    await after(60_000);
    expect(known.get('api')).toEqual({ status: 'major_outage', since });
    turnTo(`${base}/answer/200`);
    await after(1000);
    expect(known.get('api')).toEqual({ status: 'operational', since: at() });
    turnTo(`${base}/answer/503`);
    await after(60_000);
    expect(status()).toBe('operational');
  });

  it('report degraded performance after two slow responses in a row', async () => {
    const { after, status } = openProber(`${base}/late`, { timeout_ms: 2100 });
    await after(0);
    expect(status()).toBe('operational');
    await after(60_000);
    expect(status()).toBe('degraded_performance');
    const patient = openProber(`${base}/late`, { timeout_ms: 5000 });
    await patient.after(0);
    expect(patient.status()).toBe('operational');
  });

  it('record the mean time of each hour, of successful responses only', async () => {
    const { prober, after, turnTo } = openProber(`${base}/answer/200`);
    await after(0);
    await after(60_000);
    turnTo(`${base}/answer/500`);
    await after(60_000);
    const taken = prober.takeTimes();
    expect(taken.map(({ hour, count }) => [new Date(hour).toISOString(), count])).toEqual([
      ['2026-06-01T12:00:00.000Z', 1],
      ['2026-06-01T13:00:00.000Z', 1],
    ]);
    expect(prober.takeTimes()).toEqual([]);
    prober.putBackTimes(taken);
    expect(prober.takeTimes()).toEqual(taken);
  });

  it('reach every target, even while many others never respond', async () => {
    const { after, prober, add, record, known } = openProber(`${base}/answer/200`);
    add(
      Array.from({ length: 12 }, (_none, index) => ({
        ...record,
        id: `silent-${index}`,
        target: `${base}/silent`,
        settings: { ...defaultSettings, interval_s: 15, timeout_ms: 100 },
      })),
    );
    // Every round takes longer than the interval: the first targets are due again at once.
    for (let turn = 0; turn < 3; turn += 1) await after(15_000);
    expect(known.get('api')?.status).toBe('operational');
    await prober.settled();
  });

  it('continue when the clock is set back', async () => {
    const { after, back } = openProber(`${base}/answer/200/set-back`);
    // Requests that an earlier test has given up may still arrive.
    const own = () => asked.filter((each) => each.endsWith('/set-back'));
    await after(0);
    back(86_400_000);
    await after(0);
    expect(own()).toHaveLength(2);
    await after(59_000);
    expect(own()).toHaveLength(2);
  });

  it('record the response times of the stores, each response once', () => {
    const { prober, took } = openProber(`${base}/answer/200`);
    took(3);
    for (let look = 0; look < 3; look += 1) prober.recordResponseTimes();
    expect(prober.takeTimes()).toEqual([
      { componentId: 'database', hour: Date.UTC(2026, 5, 1, 12), count: 1, sumMs: 3 },
    ]);
  });

  it('stop with the component', async () => {
    const { after, known, remove } = openProber(`${base}/answer/200`);
    await after(0);
    expect(known.size).toBe(1);
    asked.length = 0;
    remove();
    await after(60_000);
    expect(known.size).toBe(0);
    expect(asked).toEqual([]);
  });
});
