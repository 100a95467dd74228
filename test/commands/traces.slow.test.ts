import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { copyEmbedded } from '../support/database-template.ts';
import { testDatabaseUrl } from '../support/database-url.ts';
import { freePort } from '../support/redis-server.ts';
import { testRedisUrl } from '../support/redis.ts';
import { sharedStore } from '../support/shared-stores.ts';
import { outputOf, untilReady } from './running-service.ts';

const root = join(import.meta.dirname, '../..');
const dist = join(root, 'dist');

/**
 * Preloaded before the built files, so that calls of theirs throw. In the service it waits for a
 * signal, and spares the timestamps of the log.
 */
const failing = `data:text/javascript,${encodeURIComponent(`
  import fs from 'node:fs';
  import http from 'node:http';
  import { syncBuiltinESMExports } from 'node:module';
  import { isMainThread } from 'node:worker_threads';
  const fail = () => { throw new Error('FATAL, made by the test'); };
  if (!isMainThread) fs.readSync = fail;
  else if (process.argv.includes('--url')) http.Agent = class { constructor() { fail(); } };
  else process.once('SIGUSR2', () => {
    const write = Date.prototype.toISOString;
    Date.prototype.toISOString = function () {
      return new Error().stack.includes('at securityText ') ? fail() : write.call(this);
    };
  });
  syncBuiltinESMExports();
`)}`;

/** Returns the locations in a stack trace, relative to the project: `src/a/b.ts:12`. */
const locationsIn = (stack: string): string[] =>
  [...stack.matchAll(/at .*?\(?(?:file:\/\/)?([^\s()]+:\d+):\d+\)?$/gm)].map(([, location = '']) =>
    location.replace(`${root}/`, ''),
  );

/** Returns the source line at a location. */
async function lineAt(location: string): Promise<string> {
  const [file = '', line = ''] = location.split(':');
  return (await readFile(join(root, file), 'utf8')).split('\n')[Number(line) - 1] ?? '';
}

/** Runs a script of the project until it ends. */
async function runScript([script = '', ...args]: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [join(root, 'scripts', script), ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = outputOf(child);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output: output() };
}

describe('the trace of an error in a built file', () => {
  let folder: string;
  let service: ReturnType<typeof spawn>;
  let base: string;
  let ended: Promise<unknown>;
  let log: () => string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'traces-'));
    const [port, database] = [await freePort(), await testDatabaseUrl({ hasTables: true })];
    if (database === undefined) await copyEmbedded(await sharedStore('embeddedTemplate'), folder);
    base = `http://127.0.0.1:${port}`;
    const env = {
      PATH: process.env.PATH,
      NODE_ENV: 'test',
      NODE_OPTIONS: `--import ${failing}`,
      PORT: String(port),
      DATA_DIR: folder,
      REDIS_URL: await testRedisUrl(),
      ...(database === undefined ? {} : { DATABASE_URL: database }),
      CONTACT_EMAIL: 'help@example.com',
      RATE_LIMIT: 'off',
    };
    service = spawn(process.execPath, [join(dist, 'server.js')], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    ended = once(service, 'exit');
    log = outputOf(service);
    await untilReady(base);
  }, 60_000);
  afterAll(async () => {
    // Its event store is broken by now, so a graceful shutdown is impossible.
    service.kill('SIGKILL');
    await ended;
    await rm(folder, { recursive: true, force: true });
  });

  /** Returns the stack trace in the first log line with the message. */
  async function traceOf(message: string): Promise<string> {
    const line = () =>
      log()
        .split('\n')
        .find((each) => each.startsWith('{') && each.includes(`"msg":"${message}`));
    await vi.waitFor(() => expect(line()).toBeDefined(), { timeout: 10_000 });
    const { err } = JSON.parse(line() ?? '{}') as { err: { message: string; stack: string } };
    expect(err.message).toBe('FATAL, made by the test');
    return err.stack;
  }

  it('names the line of src in the service, and the file of packages', async () => {
    service.kill('SIGUSR2');
    await vi.waitFor(
      async () => expect((await fetch(`${base}/.well-known/security.txt`)).status).toBe(500),
      { timeout: 10_000 },
    );
    const locations = locationsIn(await traceOf('request failed'));
    const location = locations.find((each) => each.startsWith('src/')) ?? '';
    expect(location).toMatch(/^src\/surfaces\/pages\/well-known\.ts:\d+$/);
    expect(await lineAt(location)).toContain('.toISOString()');
    expect(locations).toContain('node_modules/fastify/lib/handle-request.js:1');
    expect(locations.filter((each) => each.startsWith('dist/'))).toEqual([]);
  });

  it('names the line of src in the thread of the event store', async () => {
    const sent = await fetch(`${base}/analytics/track/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"event":"pageview","url":"/a","site_id":"traces"}',
    });
    expect(sent.status).toBe(200);
    const location =
      locationsIn(await traceOf('the event store has stopped')).find((each) =>
        each.startsWith('src/'),
      ) ?? '';
    expect(location).toMatch(/^src\/platform\/journal\/reader\.ts:\d+$/);
    expect(await lineAt(location)).toContain('readSync(');
  });

  it('names the line of src in a command', async () => {
    const args = ['export', '--url', 'http://127.0.0.1:1', '--out', join(folder, 'none')];
    const env = { NODE_OPTIONS: `--import ${failing}`, API_KEY: 'x'.repeat(40) };
    const { code, output } = await runScript(['run.mjs', ...args], env);
    expect(code).toBe(1);
    const location = locationsIn(output).find((each) => each.startsWith('src/')) ?? '';
    expect(location).toMatch(/^src\/commands\/service\/client\.ts:\d+$/);
    expect(await lineAt(location)).toContain('new Agent(');
  });
});

describe('the built files', () => {
  it('are small, and their source maps contain no sources', async () => {
    const files = await readdir(dist, { recursive: true });
    const newest = files.filter((name) => !name.startsWith('part-'));
    const maps = newest.filter((name) => name.endsWith('.map'));
    expect(maps.length).toBeGreaterThan(3);
    for (const name of maps) {
      const map = JSON.parse(await readFile(join(dist, name), 'utf8')) as object;
      expect(map).not.toHaveProperty('sourcesContent');
    }
    const sizes = await Promise.all(
      newest.map(async (name) => (await stat(join(dist, name))).size),
    );
    expect(sizes.reduce((sum, size) => sum + size, 0) / 2 ** 20).toBeLessThan(10);
  });
});

it.each([
  ['export', ['run.mjs', 'export']],
  ['import', ['run.mjs', 'import']],
  ['demo', ['demo.mjs']],
])('the command %s starts from the shared chunks, and shows its help', async (name, script) => {
  const { code, output } = await runScript([...script, '--help']);
  expect(output).toContain(`npm run ${name}`);
  expect(code).toBe(0);
});
