import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished } from 'vitest';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import { TestClient } from '../../support/client.ts';
import { listen } from '../../support/sockets.ts';
import { subscribeTo } from './official-client.ts';

const app = await sharedApp();
const port = await listen(app);

const send = (method: 'GET' | 'PUT' | 'POST', url: string, payload?: string) =>
  new TestClient(app).send(method, url, payload, {
    ...(payload === undefined ? {} : { headers: { 'content-type': 'application/json' } }),
  });
const collectMessages = async () => (await subscribeTo(port, 'test')).messages;

describe('/realtime/test', () => {
  it.each(['GET', 'PUT', 'POST'] as const)(
    '%s › publishes what it received, and names channel and endpoints',
    async (method) => {
      const messages = await collectMessages();
      const hasBody = method !== 'GET';
      const payload = hasBody ? '{"hello":["world"]}' : undefined;
      expect(await send(method, '/realtime/test', payload)).toMatchObject({
        status: 200,
        headers: { 'cache-control': 'no-store' },
        body: {
          ok: true,
          method,
          published: true,
          published_to: 'test',
          ws: ['/ws/svc/', '/ws/analytics/', '/ws/status/'],
        },
      });
      const data = { method, received: hasBody ? { hello: ['world'] } : null };
      await expect.poll(() => messages).toMatchObject([{ type: 'test.message', data }]);
      expect((await send(method, '/realtime/test/')).status).toBe(200);
      // The next test subscribes to the same channel.
      await expect.poll(() => messages).toHaveLength(2);
    },
  );

  it('PUT › accepts any JSON or an empty body; refuses invalid or too long ones', async () => {
    const messages = await collectMessages();
    for (const payload of ['[1,2]', '"text"', '5', 'null', ''])
      expect((await send('PUT', '/realtime/test', payload)).status).toBe(200);
    expect((await send('PUT', '/realtime/test', '{"a":')).status).toBe(422);
    expect((await send('PUT', '/realtime/test', JSON.stringify('x'.repeat(5000)))).status).toBe(
      413,
    );
    await send('POST', '/realtime/test', '"last"');
    await expect.poll(() => messages.length).toBe(6);
    const contents = [[1, 2], 'text', 5, null, null, 'last'];
    expect(messages).toMatchObject(contents.map((received) => ({ data: { received } })));
  });
});

it('/realtime/test-public › publishes a message that carries no caller data', async () => {
  const messages = await collectMessages();
  const answer = await send('GET', '/realtime/test-public/?text=injected');
  expect(answer.body).toMatchObject({ ok: true, method: 'GET', received: null, published: true });
  await expect
    .poll(() => messages)
    .toMatchObject([{ type: 'test.message', data: { method: 'GET', received: null } }]);
  expect(JSON.stringify(messages)).not.toContain('injected');
});

it('/realtime/asyncapi.json › is AsyncAPI 3 with all channels and close codes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'asyncapi-'));
  const file = join(folder, 'asyncapi.json');
  const answer = await send('GET', '/realtime/asyncapi.json');
  await writeFile(file, answer.text);
  const binary = join(import.meta.dirname, '../../../node_modules/.bin/redocly');
  onTestFinished(() => rm(folder, { recursive: true }));
  const { stdout, stderr } = await promisify(execFile)(
    binary,
    ['lint', file, '--extends=spec', '--format=json'],
    { cwd: folder, env: { ...process.env, REDOCLY_TELEMETRY: 'off' } },
  );
  expect(JSON.parse(stdout), stderr).toMatchObject({ totals: { errors: 0, warnings: 0 } });
  expect(answer.body).toMatchObject({ asyncapi: '3.0.0' });
  const channels = answer.body.channels as Record<string, { address: string }>;
  expect(Object.values(channels).map(({ address }) => address)).toEqual([
    'status',
    'status:{component}',
    'test',
    'analytics:{site_id}',
    'svc:{user_id}',
    'devices',
    'contact',
    'jobs',
  ]);
  expect(answer.text).toContain('3008 slow');
}, 60_000);
