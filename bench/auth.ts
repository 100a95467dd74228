import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { Redis } from 'ioredis';
import { z } from 'zod';
import { startPostgres } from '../test/support/postgres.ts';
import { freePort, startTestRedis } from '../test/support/redis-server.ts';
import { type Lifetime, runBenchmark, workFolder } from './support/lifetime.ts';
import type { Load } from './support/load.ts';
import {
  createClient,
  type CyclesResult,
  type OtpServer,
  runCycles,
} from './support/otp-cycles.ts';
import { startProgram } from './support/processes.ts';
import { median, ms, printConditions, printTable, verdict, whole } from './support/report.ts';
import { startService } from './support/service.ts';
import { runWrk } from './support/wrk.ts';

/**
 * Session checks and sign-ins by code, compared with a bare server and with Better Auth from npm,
 * over the same Redis and PostgreSQL.
 */
const { values: options } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const runs = options.quick ? 1 : 3;
const [warmUpSeconds, runSeconds] = options.quick ? [2, 3] : [8, 8];
const workers = 16;
const pool = 1000;
const goals = { limit: 0.5, rivalMe: 8, rivalNew: 4, rivalReturning: 5 };
const rows: string[][] = [['measured', 'service', 'other', 'ratio', 'goal', 'result', 'note']];

interface Target {
  base: string;
  load: Load;
}

const meLoad = (name: string, path: string, cookie: string): Load => ({
  name,
  method: 'GET',
  path,
  body: undefined,
  headers: { Cookie: cookie },
  connections: 64,
  eventsPerRequest: 1,
});

async function createDatabase(server: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  return server.replace(/\/test$/, `/${name}`);
}

function npmInstall(folder: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('npm', ['install', '--no-audit', '--no-fund', '--loglevel', 'error'], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    child.once('exit', (code) =>
      code === 0 ? resolve() : reject(new Error('Better Auth could not be installed')),
    );
  });
}

/** Starts Better Auth, installed into .tmp if it is missing. Returns its port. */
async function startRival(lifetime: Lifetime, env: Record<string, string>): Promise<number> {
  const folder = join(workFolder, 'peer-better-auth');
  mkdirSync(folder, { recursive: true });
  cpSync(join(process.cwd(), 'bench', 'peers', 'better-auth'), folder, { recursive: true });
  if (!existsSync(join(folder, 'node_modules', 'better-auth'))) await npmInstall(folder);
  const port = await freePort();
  const child = spawn(process.execPath, ['server.mjs'], {
    cwd: folder,
    env: { PATH: process.env.PATH, NODE_ENV: 'production', PORT: String(port), ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  lifetime.atEnd(() => void child.kill('SIGTERM'));
  await new Promise<void>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      if (line.startsWith('{"port"')) resolve();
    });
    child.once('exit', () => reject(new Error('Better Auth ended before it was ready')));
  });
  return port;
}

async function fetchCookie(url: string, init?: RequestInit): Promise<string> {
  const response = await fetch(url, { redirect: 'manual', ...init });
  const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';', 1).join(''));
  if (cookies.length === 0)
    throw new Error(`${url} gave no cookie: ${response.status} ${await response.text()}`);
  return cookies.join('; ');
}

/** Measures the targets alternately. Returns the median rate of each. */
async function measureRates(targets: readonly Target[], folder: string): Promise<number[]> {
  const measured = targets.map((): number[] => []);
  for (const { base, load } of targets) await runWrk(load, base, warmUpSeconds, folder);
  for (let run = 0; run < runs; run += 1) {
    for (const [index, { base, load }] of targets.entries()) {
      const { perSecond, refused } = await runWrk(load, base, runSeconds, folder);
      if (refused > 0) throw new Error(`${load.name}: ${refused} requests were refused`);
      measured[index]?.push(perSecond);
    }
  }
  return measured.map(median);
}

const outboxSchema = z.object({
  messages: z.array(z.object({ id: z.string(), text: z.string() })),
});

const sentSchema = z.object({ verification_id: z.string() });

function ourServer(port: number): OtpServer {
  const client = createClient(port, workers);
  const seen = new Map<string, string>();
  const verifications = new Map<string, string>();
  return {
    async send(to) {
      const reply = await client.call('POST', '/api/auth/email/initiate', { email: to });
      if (reply.status === 200)
        verifications.set(to, sentSchema.parse(JSON.parse(reply.body)).verification_id);
      return reply;
    },
    async code(to) {
      const { body } = await client.call('GET', `/dev/outbox?to=${encodeURIComponent(to)}`);
      const [newest] = outboxSchema.parse(JSON.parse(body)).messages;
      if (newest === undefined || seen.get(to) === newest.id) return undefined;
      seen.set(to, newest.id);
      return /\b(\d{6})\b/.exec(newest.text)?.[1];
    },
    verify: (to, code) =>
      client.call('POST', '/api/auth/otp/verify', {
        email: to,
        code,
        verification_id: verifications.get(to),
      }),
  };
}

const codeSchema = z.object({ code: z.string().nullable() });

function rivalServer(port: number): OtpServer {
  const client = createClient(port, workers);
  return {
    send: (to) =>
      client.call('POST', '/api/auth/email-otp/send-verification-otp', {
        email: to,
        type: 'sign-in',
      }),
    code: async (to) =>
      codeSchema.parse(
        JSON.parse((await client.call('GET', `/code?to=${encodeURIComponent(to)}`)).body),
      ).code ?? undefined,
    verify: (to, code) =>
      client.call('POST', '/api/auth/sign-in/email-otp', { email: to, otp: code }),
  };
}

/**
 * Measures the sign-ins per second of both servers, alternately: of new users, or of a thousand
 * returning ones. Adds a row.
 */
async function compareCycles(
  name: string,
  servers: readonly [OtpServer, OtpServer],
  goal: number,
  isReturning: boolean,
): Promise<void> {
  const results: [CyclesResult[], CyclesResult[]] = [[], []];
  let run = 0;
  const addressOf = (worker: number, index: number) =>
    isReturning
      ? `back-${(worker + index * workers) % pool}@example.com`
      : `new-${run}-${worker}-${index}@example.com`;
  for (; run <= runs; run += 1) {
    for (const [index, server] of servers.entries()) {
      const result = await runCycles(server, {
        workers,
        seconds: run === 0 ? warmUpSeconds : runSeconds,
        addressOf,
      });
      if (run > 0) results[index]?.push(result);
    }
  }
  const [ours, theirs] = results.map((list) => median(list.map(({ perSecond }) => perSecond)));
  const ratio = (ours ?? Number.NaN) / (theirs ?? Number.NaN);
  const failures = results.flat().filter(({ failed }) => failed > 0);
  const note =
    `p50 ${ms(median(results[0].map(({ p50 }) => p50)))}, ` +
    `Better Auth's ${ms(median(results[1].map(({ p50 }) => p50)))}`;
  rows.push([
    name,
    `${whole(ours ?? 0)}/s`,
    `${whole(theirs ?? 0)}/s`,
    ratio.toFixed(2),
    `≥ ${goal}`,
    verdict(ratio >= goal),
    failures[0] === undefined ? note : `FAILED ${failures[0].failed}: ${failures[0].firstFailure}`,
  ]);
  console.error(`  ${rows.at(-1)?.slice(0, 4).join('  ')}`);
}

await runBenchmark(async (lifetime) => {
  const [redis, postgres, folder] = [
    await startTestRedis(),
    await startPostgres(),
    lifetime.folder(),
  ];
  lifetime.atEnd(redis.stop);
  lifetime.atEnd(postgres.stop);
  const settings = {
    NODE_ENV: 'development',
    REDIS_URL: `${redis.url}/0`,
    DATABASE_URL: await createDatabase(postgres.url, 'ours'),
    OTP_LIMITS: 'off',
  };
  const service = await startService(lifetime, lifetime.folder(), settings);
  const rival = await startRival(lifetime, {
    REDIS_URL: `${redis.url}/1`,
    DATABASE_URL: await createDatabase(postgres.url, 'rival'),
  });
  process.env.REDIS_URL = `${redis.url}/2`;
  const { port: limitPort } = z
    .object({ port: z.number() })
    .parse((await startProgram(lifetime, 'bare-session')).message);
  printConditions('npm run bench -- auth');

  const ours = await fetchCookie(`${service.base}/api/auth/dev/bypass/ada@example.com`);
  const [us, them] = [ourServer(service.port), rivalServer(rival)];
  await them.send('ada@example.com');
  const otp = await them.code('ada@example.com');
  const theirs = await fetchCookie(`http://127.0.0.1:${rival}/api/auth/sign-in/email-otp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: `http://127.0.0.1:${rival}` },
    body: JSON.stringify({ email: 'ada@example.com', otp }),
  });
  const store = new Redis(`${redis.url}/2`);
  await store.set(
    `session:${ours}`,
    await (await fetch(`${service.base}/api/auth/me`, { headers: { cookie: ours } })).text(),
  );
  store.disconnect();

  const [me = 0, limit = 0, rivalMe = 0] = await measureRates(
    [
      { base: service.base, load: meLoad('me', '/api/auth/me', ours) },
      { base: `http://127.0.0.1:${limitPort}`, load: meLoad('limit', '/me', ours) },
      { base: `http://127.0.0.1:${rival}`, load: meLoad('rival', '/api/auth/get-session', theirs) },
    ],
    folder,
  );
  rows.push([
    'me, compared with bare Fastify and one Redis GET',
    `${whole(me)}/s`,
    `${whole(limit)}/s`,
    (me / limit).toFixed(2),
    `≥ ${goals.limit}`,
    verdict(me / limit >= goals.limit),
    '64 connections, cookie',
  ]);
  rows.push([
    'me, compared with Better Auth',
    `${whole(me)}/s`,
    `${whole(rivalMe)}/s`,
    (me / rivalMe).toFixed(2),
    `≥ ${goals.rivalMe}`,
    verdict(me / rivalMe >= goals.rivalMe),
    'its GET /api/auth/get-session',
  ]);
  console.error(`  me ${whole(me)}/s, limit ${whole(limit)}/s, Better Auth ${whole(rivalMe)}/s`);
  await compareCycles('sign-in by code, new users', [us, them], goals.rivalNew, false);
  await compareCycles('sign-in by code, returning users', [us, them], goals.rivalReturning, true);
  printTable(rows);
  console.log(['', ...service.complaints()].join('\n'));
  return rows.filter((row) => row.at(-1)?.startsWith('FAILED') === true).length;
});
