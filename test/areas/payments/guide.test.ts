import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { follow } from '../../guides/reader.ts';
import { requireCurl } from '../../guides/shell.ts';
import { addUser, openProvider, findEvent, secret, waitForStatus } from './provider.ts';

await requireCurl();
const provider = await openProvider();
provider.advance(Date.now() - provider.now());
await provider.app.services.queues.start();
await provider.app.http.listen({ host: '127.0.0.1', port: 0 });
const origin = `http://127.0.0.1:${(provider.app.http.server.address() as AddressInfo).port}`;

it('the examples of payment-webhooks.md work', async () => {
  const { app } = provider;
  const userId = await addUser(app, 'guide@example.com');
  const runTypeScript = () =>
    Promise.reject(
      new Error('there was no TypeScript in this guide: say here what has to come of it'),
    );
  const variables = { PAYMENTS_WEBHOOK_SECRET: secret, USER_ID: userId };
  expect(
    await follow('payment-webhooks.md', { origin, variables, steps: [], runTypeScript }),
  ).toEqual({ ran: 2, compared: 2, notRun: [] });
  await waitForStatus(app, 'evt_try_1', 'done');
  expect(await app.services.payments.planOf(userId)).toMatchObject({
    plan: 'pro_monthly',
    status: 'active',
  });
  expect(await findEvent(app, 'evt_try_2')).toBeUndefined();
});
