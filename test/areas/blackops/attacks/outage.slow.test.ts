import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asAdmin, freshApp, type FreshApp } from '../../../support/app.ts';
import { type BearerClient, createBearerClient, newKeys } from '../../../support/bearer-devices.ts';
import {
  clearByKey,
  clearedOn,
  createDeviceBrowser,
  type DeviceBrowser,
  mount,
  storedDevice,
} from '../../../support/devices.ts';
import { startTestRedis, type TestRedis } from '../../../support/redis-server.ts';
import { post } from '../../../support/sign-in.ts';

describe('without Redis', () => {
  let redis: TestRedis;
  let app: FreshApp;
  let admin: DeviceBrowser;
  let deviceId: string;
  let holder: BearerClient;
  let asking: Awaited<ReturnType<DeviceBrowser['ask']>>;
  const keys = newKeys();
  beforeAll(async () => {
    redis = await startTestRedis();
    app = await freshApp({ env: { REDIS_URL: redis.url, DEVICE_FIRST: 'nobody' } });
    ({ browser: admin, deviceId } = await clearedOn(
      app,
      { email: 'admin@example.com', acr: 'aal2' },
      { hasKey: true },
    ));
    holder = await createBearerClient(app, { email: 'bearer@example.com', roles: ['admin'] });
    await clearByKey(app, await holder.ask({ keys: await keys }), asAdmin.authorization);
    const other = createDeviceBrowser(app);
    await other.signIn({ email: 'asking@example.com', roles: ['admin'] });
    asking = await other.ask();
    redis.kill('SIGSTOP');
  }, 30_000);
  afterAll(async () => {
    redis.kill('SIGCONT');
    await app.close();
    await redis.stop();
  });

  const rows = async () => ({
    devices: await app.stores.db
      .selectFrom('devices')
      .select(['id', 'state', 'secret_hash'])
      .orderBy('id')
      .execute(),
    requests: await app.stores.db
      .selectFrom('clearance_requests')
      .select(['id', 'state', 'wrong_numbers'])
      .orderBy('id')
      .execute(),
  });

  it('the console, decisions, removals and new tokens get 503 and change nothing', async () => {
    const before = await rows();
    const answers = await Promise.all([
      admin.console(),
      admin.call(`${mount}/analytics`),
      admin.call(`${mount}/requests`),
      admin.approve(asking.body.request_id, asking.body.number),
      admin.deny(asking.body.request_id),
      admin.revoke({ device_id: deviceId }),
      admin.ask(),
      admin.call(`${mount}/devices`),
      admin.call(`${mount}/devices/${deviceId}/suspend`, { method: 'POST' }),
      holder.call(`${mount}/dashboard`, { scheme: 'DPoP', keys: await keys }),
      holder.refresh({ keys: await keys }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 503));
    for (const { headers, body } of answers)
      expect({
        'set-cookie': headers['set-cookie'],
        states: body.states,
        devices: body.devices,
        access_token: body.access_token,
      }).toEqual({
        'set-cookie': undefined,
        states: undefined,
        devices: undefined,
        access_token: undefined,
      });
    expect(await rows()).toEqual(before);
  });

  it('the device status is unavailable and reveals no state', async () => {
    const answer = await admin.status();
    expect(answer.status).toBe(503);
    expect(answer.body).not.toHaveProperty('state');
  });

  it('a decision by ADMIN_API_KEY is atomic', async () => {
    const answer = await post(
      app,
      `${mount}/requests/${String(asking.body.request_id)}/approve`,
      { number: asking.body.number },
      asAdmin,
    );
    const { state } = await storedDevice(app, asking.body.device_id);
    expect([
      [200, 'cleared'],
      [503, 'pending'],
    ]).toContainEqual([answer.status, state]);
  });

  it('a user who is disabled during the outage stays out when Redis is back', async () => {
    await app.services.users.setDisabled(admin.self.userId, true).catch(() => undefined);
    redis.kill('SIGCONT');
    const shut = await expectStable(() => admin.console());
    expect(shut).toBe(401);
    await app.services.users.setDisabled(admin.self.userId, true);
    expect((await storedDevice(app, deviceId)).state).toBe('revoked');
    expect(
      await holder.call(`${mount}/dashboard`, { scheme: 'DPoP', keys: await keys }),
    ).toMatchObject({ status: 200 });
  });

  /** Repeats the call while it gets 503, and returns the final status. */
  async function expectStable(call: () => Promise<{ status: number }>): Promise<number> {
    for (let at = 0; at < 50; at += 1) {
      const { status } = await call();
      if (status !== 503) return status;
    }
    return 503;
  }
});
