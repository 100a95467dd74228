import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { findPostgres, startPostgres } from '../test/support/postgres.ts';
import { freePort, startTestRedis } from '../test/support/redis-server.ts';
import { startLimit } from './support/compare.ts';
import { runDelivery } from './support/delivery.ts';
import { type FanOutRun, type Hub, medianRun, runFanOut } from './support/fan-out.ts';
import { serviceHub, startBareHub } from './support/hubs.ts';
import { type IdleResult, type IdleServer, holdIdle, roomFor } from './support/idle.ts';
import { type Lifetime, runBenchmark } from './support/lifetime.ts';
import { batch, type Load, track } from './support/load.ts';
import { createIdleGate } from './support/idle-machine.ts';
import { drainUnderLoad, probeUnderLoad } from './support/probes.ts';
import { ms, printConditions, printTable, seconds, verdict, whole } from './support/report.ts';
import { type Service, startService } from './support/service.ts';
import { connectClients, storm, type StormResult } from './support/storm.ts';

/**
 * Sockets: fan-out, idle sockets, a reconnect storm, delivery over a bad network; and probes under
 * load. `--quick` for short runs, `--only fan-out,idle` for a part; `--max-wait 300` to wait longer
 * for other programs on the machine.
 */
const parts = ['fan-out', 'idle', 'storm', 'delivery', 'probes'] as const;
const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: parts.join(',') },
    sockets: { type: 'string' },
    clients: { type: 'string', default: '5000' },
    'max-wait': { type: 'string', default: '40' },
  },
});
const wanted = new Set(options.only.split(','));
const goals = {
  deliveries: 100_000,
  ratio: 0.8,
  halfP99: 200,
  sockets: 20_000,
  kilobytes: 20,
  storm: 5000,
  liveP99: 5,
  notReady: 100,
};
const subscribers = 1000;
const idleSockets = Number(options.sockets ?? (options.quick ? 5000 : goals.sockets));
const timing = options.quick
  ? { warmUp: 1, runs: 1, run: 2, half: 4, inFlight: [1, 8], hold: 0, delivery: 12, probe: 5 }
  : {
      warmUp: 3,
      runs: 3,
      run: 2,
      half: 8,
      inFlight: [1, 4, 8],
      hold: 34_000,
      delivery: 30,
      probe: 10,
    };

const machine = createIdleGate(options.quick ? 0 : Number(options['max-wait']));

const rows: string[][] = [
  ['measured', 'figure', 'limit', 'ratio', 'goal', 'result', 'p50', 'p99', 'cores', 'note'],
];
const failures: string[] = [];

function add(
  measured: string,
  figure: string,
  rest: Partial<
    Record<'limit' | 'ratio' | 'goal' | 'met' | 'p50' | 'p99' | 'cores' | 'note', string>
  >,
): void {
  const of = (name: keyof typeof rest) => rest[name] ?? '-';
  rows.push([
    measured,
    figure,
    of('limit'),
    of('ratio'),
    of('goal'),
    of('met'),
    of('p50'),
    of('p99'),
    of('cores'),
    rest.note ?? '',
  ]);
  const p99 = rest.p99 === undefined ? '' : `, p99 ${rest.p99}`;
  const note = rest.note === undefined ? '' : ` (${rest.note})`;
  console.error(`  ${measured}: ${figure}${p99}${note}`);
}

const check = (what: string, isRight: boolean): void => {
  if (!isRight) failures.push(`FAILED ${what}`);
};
const perSecond = (rate: number) => `${whole(rate)}/s`;

function addFanOut(
  name: string,
  run: FanOutRun & { spread: number },
  frameRate: number | undefined,
): void {
  const ratio = frameRate === undefined ? undefined : run.deliveriesPerSecond / frameRate;
  const goal = `≥ ${whole(goals.deliveries)}/s, ≥ ${goals.ratio.toFixed(2)}`;
  add(name, perSecond(run.deliveriesPerSecond), {
    ...(frameRate === undefined || ratio === undefined
      ? {}
      : {
          limit: perSecond(frameRate),
          ratio: ratio.toFixed(2),
          goal,
          met: verdict(run.deliveriesPerSecond >= goals.deliveries && ratio >= goals.ratio),
        }),
    p50: ms(run.p50),
    p99: ms(run.p99),
    cores: run.cores.toFixed(2),
    note:
      `spread ${Math.round(run.spread * 100)} %, driver ${run.driverCores.toFixed(2)} cores, ` +
      `others ${run.otherCores.toFixed(2)}` +
      (run.missing + run.refused > 0 ? `, ${run.missing} MISSING, ${run.refused} refused` : ''),
  });
  check(
    `${name}: ${run.missing} messages did not reach all subscribers, ${run.refused} were refused`,
    run.missing + run.refused === 0,
  );
}

/** Measures the hubs alternately. Returns the median run of each. */
async function compareHubs(
  hubs: readonly Hub[],
  inFlight: number,
): Promise<(FanOutRun & { spread: number })[]> {
  const runs = hubs.map((): FanOutRun[] => []);
  for (let round = 0; round < timing.runs; round += 1) {
    for (const [index, hub] of hubs.entries())
      runs[index]?.push(
        await machine.measureUndisturbed(() =>
          runFanOut(hub, { subscribers, seconds: timing.run, pace: { inFlight } }),
        ),
      );
  }
  return runs.map(medianRun);
}

async function fanOut(lifetime: Lifetime, service: Service): Promise<void> {
  const bare = [
    await startBareHub(lifetime, 'bare ws, send for each', 'send'),
    await startBareHub(lifetime, 'bare ws, one frame', 'frame'),
    await startBareHub(lifetime, 'bare ws, one frame, corked', 'corked'),
  ];
  const hubs = [serviceHub(service), ...bare];
  for (const hub of hubs)
    await runFanOut(hub, { subscribers, seconds: timing.warmUp, pace: { inFlight: 4 } });
  let fullRate = 0;
  for (const inFlight of timing.inFlight) {
    const [ours, ...limits] = await compareHubs(hubs, inFlight);
    const frameRate = limits[1]?.deliveriesPerSecond;
    if (ours === undefined || frameRate === undefined) throw new Error('nothing was measured');
    fullRate = Math.max(fullRate, ours.deliveriesPerSecond);
    addFanOut(`fan-out to ${whole(subscribers)}, ${inFlight} in flight`, ours, frameRate);
    limits.forEach((limit, index) => addFanOut(`  ${bare[index]?.name ?? ''}`, limit, undefined));
  }
  await Promise.all(bare.map(({ stop }) => stop()));
  const pace = { perSecond: fullRate / 2 / subscribers };
  const half = await machine.measureUndisturbed(() =>
    runFanOut(serviceHub(service), { subscribers, seconds: timing.half, pace }),
  );
  add('fan-out p99 at half of its full rate', ms(half.p99), {
    goal: `< ${goals.halfP99} ms`,
    met: verdict(half.p99 < goals.halfP99 && half.missing === 0),
    p50: ms(half.p50),
    p99: ms(half.p99),
    cores: half.cores.toFixed(2),
    note:
      `${pace.perSecond.toFixed(0)} messages/s, ${perSecond(half.deliveriesPerSecond)}, ` +
      `slowest ${ms(half.max)}, driver ${half.driverCores.toFixed(2)} cores, ` +
      `others ${half.otherCores.toFixed(2)}`,
  });
}

const inspected = (port: number) => ({ NODE_OPTIONS: `--inspect=127.0.0.1:${port}` });

function addIdle(name: string, result: IdleResult, limit: IdleResult): void {
  const isAll = result.failed === 0 && result.after === result.sockets;
  add(name, `${result.kilobytesEach.toFixed(1)} KB each`, {
    limit: `${limit.kilobytesEach.toFixed(1)} KB`,
    ratio: (result.kilobytesEach / limit.kilobytesEach).toFixed(2),
    goal: `≤ ${goals.kilobytes} KB`,
    met: verdict(result.kilobytesEach <= goals.kilobytes && isAll),
    note:
      `${whole(result.sockets)} held, ${result.failed} failed, ` +
      `${whole(result.after)} at the end; ` +
      `before garbage collection ${result.kilobytesAtOnce.toFixed(1)} KB; ` +
      `connected in ${result.connectSeconds.toFixed(1)} s`,
  });
}

/**
 * Measures idle sockets on a new service and a new bare server: earlier measurements have left
 * traces in the memory of the others.
 */
async function idle(lifetime: Lifetime, settings: Record<string, string>): Promise<void> {
  const [servicePort, barePort] = [await freePort(), await freePort()];
  const service = await startService(lifetime, lifetime.folder(), {
    ...settings,
    ...inspected(servicePort),
  });
  const bare = await startBareHub(lifetime, 'bare ws', 'send', inspected(barePort));
  const maxSockets = Math.min(roomFor(service.pid), roomFor(bare.pid));
  const sockets = Math.min(idleSockets, maxSockets);
  if (sockets < idleSockets)
    console.log(
      'The limit of open files (ulimit -Hn) is too low: ' +
        `${whole(sockets)} idle sockets instead of ${whole(idleSockets)}.`,
    );
  const holder = (
    { pid, port, subscriber: { path, hello, expectedReply } }: Hub,
    inspectorPort: number,
  ): IdleServer => ({ pid, port, path, hello, expectedReply, inspectorPort });
  const hub = serviceHub(service);
  const limit = await holdIdle(lifetime, holder(bare, barePort), { sockets, holdMs: 0 });
  await bare.stop();
  const connectOnly = {
    ...hub,
    subscriber: {
      path: hub.subscriber.path,
      hello: '{"id":1,"connect":{}}',
      expectedReply: '"connect":{',
    },
  };
  addIdle(
    'idle sockets',
    await holdIdle(lifetime, holder(connectOnly, servicePort), { sockets, holdMs: timing.hold }),
    limit,
  );
  await service.stop();
}

function addStorm(
  name: string,
  { p50, p99, all, away, published, figures }: StormResult,
  note: string,
): void {
  const isRight = away + figures.lost + figures.gaps + figures.doubles === 0;
  add(name, seconds(all), {
    goal: `< ${seconds(goals.storm)}`,
    met: verdict(all < goals.storm && isRight),
    p50: ms(p50),
    p99: ms(p99),
    note:
      `${away} not reconnected, ${whole(figures.recovered)} recovered, ${figures.lost} not; ` +
      `${published} published, ${figures.gaps} gaps, ${figures.doubles} doubles; ` +
      `${whole(figures.attempts)} attempts${note}`,
  });
  check(
    `${name}: ${figures.gaps} gaps, ${figures.doubles} doubles`,
    figures.gaps + figures.doubles === 0,
  );
}

async function storms(
  start: () => Promise<Service>,
  service: Service,
  replica: Service,
): Promise<Service> {
  const count = Number(options.clients);
  const clients = await connectClients(service.port, count);
  const publishesPerSecond = 10;
  await machine.waitUntilIdle();
  addStorm(
    `${whole(count)} dropped by the network`,
    await storm(clients, replica, publishesPerSecond, async () =>
      clients.forEach(({ drop }) => drop()),
    ),
    '',
  );
  let restarted = service;
  await machine.waitUntilIdle();
  const killed = await storm(clients, replica, publishesPerSecond, async () => {
    await service.kill();
    restarted = await start();
  });
  addStorm(
    `${whole(count)} dropped by kill -9`,
    killed,
    `; ready again after ${seconds(restarted.readyMs)}`,
  );
  for (const { stop } of clients) stop();
  return restarted;
}

async function delivery(
  lifetime: Lifetime,
  start: () => Promise<Service>,
  service: Service,
  replica: Service,
): Promise<Service> {
  let restarted = service;
  const result = await runDelivery(lifetime, service.port, replica, {
    clients: 50,
    seconds: timing.delivery,
    perSecond: 20,
    restart: async () => {
      await service.stop();
      restarted = await start();
    },
  });
  const {
    clients,
    published,
    refused,
    drops,
    expected,
    received,
    duplicates,
    outOfOrder,
    recovered,
    notRecovered,
  } = result;
  const isRight = received === expected && duplicates + outOfOrder + refused === 0;
  add(`delivery to ${clients} official clients`, `${((100 * received) / expected).toFixed(2)} %`, {
    goal: '100 %, in order, once',
    met: verdict(isRight),
    note:
      `${published} published, ${drops} drops of 2 s and a restart; ` +
      `expected ${whole(expected)}, received ${whole(received)}, ${duplicates} duplicates, ` +
      `${outOfOrder} out of order; recovered ${recovered}, not ${notRecovered}`,
  });
  check(
    `delivery: ${received} of ${expected}, ${duplicates} duplicates, ${outOfOrder} out of order`,
    isRight,
  );
  return restarted;
}

async function probes(
  lifetime: Lifetime,
  service: Service,
  probePort: number,
  folder: string,
): Promise<void> {
  const { base, pid } = await startLimit(lifetime);
  const limit = { base, pid, port: Number(new URL(base).port) };
  const track16: Load = { ...track, name: 'track-16', connections: 16 };
  for (const load of [track, track16, batch]) {
    for (const each of [limit, service]) await probeUnderLoad(each, load, timing.warmUp, folder);
    await machine.waitUntilIdle();
    const bare = (await probeUnderLoad(limit, load, timing.probe, folder)).probe;
    const { probe, wrk } = await probeUnderLoad(service, load, timing.probe, folder);
    add(
      `live p99, ${load.name.replace(/-16$/, '')} on ${load.connections} connections`,
      ms(probe.p99),
      {
        limit: ms(bare.p99),
        ratio: (probe.p99 / bare.p99).toFixed(2),
        goal: `< ${goals.liveP99} ms`,
        met: verdict(probe.p99 < goals.liveP99),
        p50: ms(probe.p50),
        p99: ms(probe.p99),
        note:
          `${probe.ok} answers, slowest ${ms(probe.max)}; ` +
          `wrk ${perSecond(wrk.perSecond)}, its p50 ${ms(wrk.p50)}, p99 ${ms(wrk.p99)}`,
      },
    );
  }
  const { notReadyMs, lastReadyMs, exitMs } = await drainUnderLoad(
    service,
    probePort,
    track,
    folder,
  );
  add('SIGTERM until ready is 503', ms(notReadyMs), {
    goal: `< ${goals.notReady} ms`,
    met: verdict(notReadyMs < goals.notReady),
    note:
      `under track on ${track.connections} connections; ` +
      `last 200 after ${ms(lastReadyMs)}, process gone after ${seconds(exitMs)}`,
  });
}

/** Starts an external Redis and, if it is installed, PostgreSQL, as replicas need them. */
async function startStores(lifetime: Lifetime): Promise<Record<string, string>> {
  const redis = await startTestRedis();
  lifetime.atEnd(redis.stop);
  const settings = { REDIS_URL: redis.url, AUTH_SECRET: randomBytes(32).toString('hex') };
  if (findPostgres() === undefined) return settings;
  const postgres = await startPostgres();
  lifetime.atEnd(postgres.stop);
  return { ...settings, DATABASE_URL: postgres.url };
}

await runBenchmark(async (lifetime) => {
  const stores = await startStores(lifetime);
  const [folder, dataDir, probePort] = [lifetime.folder(), lifetime.folder(), await freePort()];
  const settings = { ...stores, PORT: String(await freePort()), HEALTH_PORT: String(probePort) };
  const start = () => startService(lifetime, dataDir, settings);
  let service = await start();
  printConditions(
    `npm run bench -- realtime${process.argv
      .slice(2)
      .map((argument) => ` ${argument}`)
      .join('')}`,
  );
  if (wanted.has('fan-out')) await fanOut(lifetime, service);
  if (wanted.has('idle')) await idle(lifetime, stores);
  if (wanted.has('storm') || wanted.has('delivery')) {
    const replica = await startService(lifetime, lifetime.folder(), stores);
    if (wanted.has('storm')) service = await storms(start, service, replica);
    if (wanted.has('delivery')) service = await delivery(lifetime, start, service, replica);
    await replica.stop();
  }
  const complaints = service.complaints();
  if (wanted.has('probes')) await probes(lifetime, service, probePort, folder);
  printTable(rows);
  console.log(['', ...failures, ...complaints].join('\n'));
  return failures.length;
});
