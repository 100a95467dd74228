import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildTestApp, type TestApp, asAdmin } from '../../support/app.ts';
import { centrifuge, listen } from '../../support/sockets.ts';

let app: TestApp;
let port: number;

beforeAll(async () => {
  app = await buildTestApp();
  port = await listen(app);
});
afterAll(() => app.close());

test('connect › the official client is connected and told how often it is pinged', async () => {
  const client = centrifuge(port, '/ws/status/');
  client.connect();
  await client.ready(2000);
  expect(client.state).toBe('connected');
});

test('subscribe › what is published arrives once and in order', async () => {
  const client = centrifuge(port, '/ws/svc/', { handshake: asAdmin });
  const sub = client.newSubscription('test');
  const got: unknown[] = [];
  sub.on('publication', (p) => got.push(p.data));
  sub.subscribe();
  client.connect();
  await sub.ready(2000);
  for (let n = 0; n < 50; n += 1) await client.publish('test', n);
  await expect.poll(() => got.length).toBe(50);
  expect(got).toEqual(Array.from({ length: 50 }, (_, n) => n));
  console.log(await sub.presence(), await sub.presenceStats(), await sub.history({ limit: 2 }), await client.rpc('whoami', {}));
});
