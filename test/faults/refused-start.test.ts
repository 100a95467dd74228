import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { testRedisUrl } from '../support/redis.ts';
import { post, spawnService, startService, temporaryFolder } from './ingest-service.ts';

test('a HEALTH_PORT in use fails the start with exit code 1 before a store is opened', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const dir = join(await temporaryFolder('refused-start-'), 'data');
  const { exited, lines } = spawnService({
    DATA_DIR: dir,
    REDIS_URL: await testRedisUrl(),
    HEALTH_PORT: String(port),
  });
  expect(await exited).toEqual({ code: 1, signal: null });
  expect(lines).toEqual([`listen EADDRINUSE: address already in use 127.0.0.1:${port}`]);
  expect(existsSync(dir)).toBe(false);
});

test('refuses a second process on the same DATA_DIR with one line and exit code 1', async () => {
  const env = {
    DATA_DIR: await temporaryFolder('refused-start-'),
    REDIS_URL: await testRedisUrl(),
  };
  const service = await startService(env);
  const second = spawnService(env);
  expect(await second.exited).toEqual({ code: 1, signal: null });
  expect(second.lines).toHaveLength(1);
  expect(second.lines[0]).toMatch(
    new RegExp(
      `The data folder .*refused-start-.* is in use by process ${service.pid}\\. ` +
        'Stop it first, or set DATA_DIR',
    ),
  );
  expect(
    (await post(service.port, '/analytics/track', { event: 'pageview', url: '/', site_id: 'site' }))
      .status,
  ).toBe(200);
});

test.each([
  [{ PORT: 'http' }, ['PORT']],
  [
    {
      PORT: '70000',
      LOG_LEVEL: 'loud',
      DATABASE_URL: 'mysql://x',
      ADMIN_API_KEY: 'short',
      JOURNAL_SEGMENT_SIZE: '1 kilo',
    },
    ['ADMIN_API_KEY', 'DATABASE_URL', 'JOURNAL_SEGMENT_SIZE', 'LOG_LEVEL', 'PORT'],
  ],
  [
    { NODE_ENV: 'production', ADMIN_API_KEY: 'change-me-change-me-change-me-change-me' },
    ['ADMIN_API_KEY'],
  ],
  [{ NODE_ENV: 'staging' }, ['NODE_ENV']],
  [{ PORT: '3000', HEALTH_PORT: '3000' }, ['HEALTH_PORT']],
  [{ HEALTH_PORT: '70000', RELEASE_ID: 'a b' }, ['HEALTH_PORT', 'RELEASE_ID']],
])(
  'bad settings %o: one line per mistake and exit code 1, without repeating a secret',
  async (env, variables) => {
    const dir = await temporaryFolder('refused-start-');
    const { exited, lines } = spawnService({ DATA_DIR: dir, ...env });
    expect(await exited).toEqual({ code: 1, signal: null });
    const mistakes = lines.slice(0, -1);
    expect(mistakes.map((line) => line.split(' ')[0]).sort()).toEqual(variables);
    for (const line of mistakes) expect(line).toMatch(/^[A-Z_]+ \S+ .+/);
    expect(lines.at(-1)).toBe(
      'The service was not started. docs/configuration.md explains every setting.',
    );
    expect(lines.join('\n')).not.toMatch(/change-me|'short'|mysql:\/\/x/);
  },
);

test.each([
  ['REDIS_URL', 'redis://127.0.0.1:1'],
  ['DATABASE_URL', 'postgres://nobody@127.0.0.1:1/none'],
  ['EVENTS_URL', 'duckdb:/etc/passwd/events.duckdb'],
  ['DATA_DIR', '/etc/passwd/data'],
])(
  'an unusable %s fails the start with a readable line and exit code 1, without a stack',
  async (variable, value) => {
    const { exited, lines } = spawnService({
      DATA_DIR: await temporaryFolder('refused-start-'),
      REDIS_URL: await testRedisUrl(),
      STORE_WAIT_SECONDS: '0',
      [variable]: value,
    });
    expect(await exited).toEqual({ code: 1, signal: null });
    const plainLines = lines.filter((line) => !line.startsWith('{'));
    expect(plainLines.length).toBeGreaterThan(0);
    expect(plainLines.join('\n')).not.toMatch(/^\s+at /m);
  },
);
