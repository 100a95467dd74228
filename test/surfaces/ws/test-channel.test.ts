import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, onTestFinished } from 'vitest';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import type { TestApp } from '../../support/app.ts';
import { centrifuge, listen } from '../../support/sockets.ts';

let app: TestApp;
let port: number;

beforeAll(async () => {
  app = await sharedApp();
  port = await listen(app);
});

const ask = (url: string, method: 'GET' | 'PUT' | 'POST' = 'GET', payload?: string) =>
  app.http.inject({
    url,
    method,
    ...(payload === undefined ? {} : { payload, headers: { 'content-type': 'application/json' } }),
  });

async function collectMessages() {
  const client = centrifuge(port, '/ws/status/');
  const subscription = client.newSubscription('test');
  const messages: { type: string; id: string; time: string; data: unknown }[] = [];
  subscription.on('publication', ({ data }) =>
    messages.push(data as { type: string; id: string; time: string; data: unknown }),
  );
  subscription.subscribe();
  client.connect();
  await subscription.ready(5000);
  return messages;
}

describe('/realtime/test', () => {
  it.each(['GET', 'PUT', 'POST'] as const)(
    '%s › publishes what it received, and names channel and endpoints',
    async (method) => {
      const messages = await collectMessages();
      const answer = await ask(
        '/realtime/test',
        method,
        method === 'GET' ? undefined : '{"hello":["world"]}',
      );
      expect(answer.statusCode).toBe(200);
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(answer.json()).toMatchObject({
        ok: true,
        method,
        published: true,
        published_to: 'test',
        ws: ['/ws/svc/', '/ws/analytics/', '/ws/status/'],
      });
      await expect
        .poll(() => messages)
        .toMatchObject([
          {
            type: 'test.message',
            data: { method, received: method === 'GET' ? null : { hello: ['world'] } },
          },
        ]);
      expect((await ask('/realtime/test/', method)).statusCode).toBe(200);
      // The next test subscribes to the same channel.
      await expect.poll(() => messages).toHaveLength(2);
    },
  );

  it('PUT › accepts any JSON or an empty body; refuses invalid or too long ones', async () => {
    const messages = await collectMessages();
    for (const payload of ['[1,2]', '"text"', '5', 'null', ''])
      expect((await ask('/realtime/test', 'PUT', payload)).statusCode).toBe(200);
    expect((await ask('/realtime/test', 'PUT', '{"a":')).statusCode).toBe(422);
    expect((await ask('/realtime/test', 'PUT', JSON.stringify('x'.repeat(5000)))).statusCode).toBe(
      413,
    );
    await ask('/realtime/test', 'POST', '"last"');
    await expect.poll(() => messages.length).toBe(6);
    expect(messages.map(({ data }) => (data as { received: unknown }).received)).toEqual([
      [1, 2],
      'text',
      5,
      null,
      null,
      'last',
    ]);
  });
});

it('/realtime/test-public › publishes a message that carries no caller data', async () => {
  const messages = await collectMessages();
  const answer = await ask('/realtime/test-public/?text=injected');
  expect(answer.json()).toMatchObject({ ok: true, method: 'GET', received: null, published: true });
  await expect
    .poll(() => messages)
    .toMatchObject([{ type: 'test.message', data: { method: 'GET', received: null } }]);
  expect(JSON.stringify(messages)).not.toContain('injected');
});

it('/realtime/asyncapi.json › is AsyncAPI 3 with all channels and close codes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'asyncapi-'));
  const file = join(folder, 'asyncapi.json');
  const answer = await ask('/realtime/asyncapi.json');
  await writeFile(file, answer.body);
  const binary = join(import.meta.dirname, '../../../node_modules/.bin/redocly');
  onTestFinished(() => rm(folder, { recursive: true }));
  const { stdout, stderr } = await promisify(execFile)(
    binary,
    ['lint', file, '--extends=spec', '--format=json'],
    { cwd: folder, env: { ...process.env, REDOCLY_TELEMETRY: 'off' } },
  );
  expect(JSON.parse(stdout), stderr).toMatchObject({ totals: { errors: 0, warnings: 0 } });
  const document = answer.json<{
    asyncapi: string;
    channels: Record<string, { address: string }>;
  }>();
  expect(document.asyncapi).toBe('3.0.0');
  expect(Object.values(document.channels).map(({ address }) => address)).toEqual([
    'status',
    'status:{component}',
    'test',
    'analytics:{site_id}',
    'svc:{user_id}',
    'devices',
    'contact',
    'jobs',
  ]);
  expect(answer.body).toContain('3008 slow');
}, 60_000);
