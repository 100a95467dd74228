import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import type { Visit } from '../../support/paced-visitor.ts';
import { startSmtpReceiver } from '../../areas/comms/receivers.ts';
import { bundleProgram } from '../../support/typescript-process.ts';
import { testRedisUrl } from '../../support/redis.ts';
import { rounds } from '../../support/rounds.ts';
import { type Attack, anonymousAttacks, type AttackRequest } from '../anonymous-attacks.ts';
import { ask, browser, dataFolder, post, type Service, startService } from '../ingest-service.ts';

const attackSeconds = rounds(1, 3);
const connections = 64;
const visitsPerSecond = 50;
const visitorAddress = '127.0.9.1';
/** ATTACKS=gzip runs only the attacks whose name contains `gzip`. */
const nameFilter = process.env.ATTACKS ?? '';

interface Outcome {
  sent: number;
  /** The number of answers by status; 0 is a broken connection. */
  statuses: Map<number, number>;
  largestResponse: number;
  /** Milliseconds of the service's main thread per request; the visitor's requests are included. */
  mainThread: number;
}

/** Processor time of the main thread so far, in ms (Linux counts hundredths of a second). */
async function mainThreadMs({ pid }: Service): Promise<number> {
  const stat = await readFile(`/proc/${pid}/task/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return 10 * (Number(fields[11]) + Number(fields[12]));
}

async function fire(
  port: number,
  { method, path, headers, body }: AttackRequest,
  agent: Agent,
  localAddress: string,
): Promise<[status: number, bytes: number]> {
  return new Promise((resolve) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        method,
        path,
        localAddress,
        agent,
        headers: { 'user-agent': browser, ...length, ...headers },
      },
      (response) => {
        let bytes = 0;
        response.on('data', (part: Buffer) => (bytes += part.length));
        response.on('close', () =>
          resolve([response.complete ? (response.statusCode ?? 0) : 0, bytes]),
        );
      },
    );
    sent.on('error', () => resolve([0, 0]));
    sent.setTimeout(20_000, () => sent.destroy());
    sent.end(body);
  });
}

/**
 * Sends the attack on many connections at once, as fast as it is answered, until the time is up.
 */
async function run(service: Service, { next }: Attack, localAddress: string): Promise<Outcome> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const outcome: Outcome = { sent: 0, statuses: new Map(), largestResponse: 0, mainThread: 0 };
  const before = await mainThreadMs(service);
  const end = performance.now() + attackSeconds * 1000;
  async function worker(): Promise<void> {
    while (performance.now() < end) {
      outcome.sent += 1;
      const [status, bytes] = await fire(service.port, next(), agent, localAddress);
      outcome.statuses.set(status, (outcome.statuses.get(status) ?? 0) + 1);
      outcome.largestResponse = Math.max(outcome.largestResponse, bytes);
    }
  }
  await Promise.all(Array.from({ length: connections }, worker));
  agent.destroy();
  outcome.mainThread = ((await mainThreadMs(service)) - before) / Math.max(1, outcome.sent);
  return outcome;
}

async function startVictim(): Promise<{ service: Service; share: string }> {
  const mail = await startSmtpReceiver();
  onTestFinished(() => mail.close());
  const key = randomBytes(32).toString('hex');
  const asAdmin = { authorization: `Bearer ${key}` };
  const service = await startService({
    NODE_ENV: 'production',
    ADMIN_API_KEY: key,
    DATA_DIR: await dataFolder('anonymous-load-'),
    REDIS_URL: await testRedisUrl(),
    RATE_LIMIT: 'on',
    LOG_LEVEL: 'warn',
    SITE_REGISTRATION: 'open',
    SMTP_URL: mail.url,
    MAIL_FROM: 'post@svc.example',
  });
  const events = Array.from({ length: 2000 }, (_, at) => ({
    event: 'pageview',
    url: `/page-${at % 300}`,
    site_id: 'victim',
    visitor_id: at.toString(16).padStart(16, '0'),
    timestamp: new Date(Date.now() - at * 3_600_000 * 0.3).toISOString(),
  }));
  const stored = await post(service.port, '/analytics/batch/', { events }, { headers: asAdmin });
  expect(stored.status).toBe(200);
  const shared = await post(
    service.port,
    '/analytics/sites/victim/shares',
    { name: 'A stranger' },
    { headers: asAdmin },
  );
  expect(shared.status).toBe(201);
  return { service, share: new URL((JSON.parse(shared.text) as { url: string }).url).pathname };
}

function line(
  name: string,
  idle: Visit,
  during: Visit,
  { sent, statuses, largestResponse, mainThread }: Outcome,
): string {
  const answers = [...statuses]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 4)
    .map(([status, count]) => `${status}×${count}`)
    .join(' ');
  const added = during.p95 - idle.p95;
  return [
    name.padEnd(32),
    `${during.p95.toFixed(0)} ms`.padStart(8),
    `${added < 0 ? '' : '+'}${added.toFixed(0)}`.padStart(6),
    `${during.worst.toFixed(0)} ms`.padStart(9),
    `${during.lateP95.toFixed(0)} ms`.padStart(7),
    `${(sent / attackSeconds).toFixed(0)}/s`.padStart(9),
    `${mainThread.toFixed(2)} ms`.padStart(9),
    `${(largestResponse / 1024).toFixed(1)} KB`.padStart(10),
    ` ${answers}`,
    added > 50 ? '  OVER' : '',
  ].join(' ');
}

test(
  'an attack fails no visit from another address, and gets no 5xx other than 503',
  { timeout: 900_000 },
  async () => {
    const { service, share } = await startVictim();
    const program = await bundleProgram('paced-visitor.ts');
    onTestFinished(program.remove);
    const visitor = await program.start(
      String(service.port),
      '/login',
      visitorAddress,
      String(visitsPerSecond),
    );
    const visit = async (seconds: number): Promise<Visit> =>
      (await (
        await fetch(`http://127.0.0.1:${visitor.firstLine}/?seconds=${seconds}`)
      ).json()) as Visit;
    await visit(2);
    const idle = await visit(3);
    const failures: unknown[] = [];
    console.log(
      `GET /login from another address, idle: p95 ${idle.p95.toFixed(1)} ms, ` +
        `worst ${idle.worst.toFixed(1)} ms; ${connections} connections of one ` +
        `address, ${attackSeconds} s each`,
    );
    console.log(
      `${'attack'.padEnd(32)} ${'p95'.padStart(8)} ${'added'.padStart(6)} ` +
        `${'worst'.padStart(9)} ${'late'.padStart(7)} ${'requests'.padStart(9)} ` +
        `${'thread'.padStart(9)} ${'answer'.padStart(10)}  answers`,
    );
    const attacks = anonymousAttacks(share).filter(({ name }) => name.includes(nameFilter));
    for (const [at, attack] of attacks.entries()) {
      const [during, outcome] = await Promise.all([
        visit(attackSeconds),
        run(service, attack, `127.0.1.${at + 1}`),
      ]);
      console.log(line(attack.name, idle, during, outcome));
      const broken = [...outcome.statuses.keys()].filter(
        (status) => status === 0 || (status >= 500 && status !== 503),
      );
      if (during.answered < during.sent || broken.length > 0)
        failures.push({
          attack: attack.name,
          visits: during,
          broken,
          statuses: Object.fromEntries(outcome.statuses),
        });
    }
    expect(failures).toEqual([]);
    expect((await ask(service.port, '/api/health/live')).status).toBe(200);
  },
);
