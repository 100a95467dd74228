import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asAdmin, freshApp, type FreshApp } from '../../support/app.ts';
import {
  clearByKey,
  clearedOn,
  createDeviceBrowser,
  type DeviceBrowser,
  mount,
} from '../../support/devices.ts';

let app: FreshApp;
let admin: DeviceBrowser;
let owner: DeviceBrowser;
let deviceId = '';
beforeAll(async () => {
  app = await freshApp({ env: { DEVICE_FIRST: 'nobody' } });
  ({ browser: admin } = await clearedOn(app, { email: 'boss@example.com' }));
  owner = createDeviceBrowser(app);
  await owner.signIn({ email: 'owner@example.com', roles: ['admin'] });
});
afterAll(() => app.close());

/** Jobs that wait: no job of this app runs. */
async function waiting(): Promise<number> {
  const { handlers } = await app.services.queues.observe();
  return handlers.reduce((sum, { waiting: count }) => sum + (count ?? 0), 0);
}

const request = async () => {
  const asked = await owner.ask();
  deviceId = String(asked.body.device_id);
  return asked;
};
const change = (name: 'suspend' | 'restore') =>
  admin.call(`${mount}/devices/${deviceId}/${name}`, { method: 'POST' });

describe('the email to the owner of a device', () => {
  it.each<[string, () => Promise<{ status: number; body: object }>]>([
    ['requests approval', request],
    ['is approved', async () => clearByKey(app, await request(), asAdmin.authorization)],
    ['is suspended by an admin', () => change('suspend')],
    ['is restored by an admin', () => change('restore')],
    ['is removed by an admin', () => admin.revoke({ device_id: deviceId })],
  ])('is in the queue before the response when the device %s', async (_step, step) => {
    const before = await waiting();
    const { status, body } = await step();
    expect({ status, body }).toMatchObject({ status: 200 });
    expect(await waiting()).toBe(before + 1);
  });
});
