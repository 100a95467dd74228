import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshApp, type FreshApp } from '../../../../support/app.ts';
import {
  type BearerClient,
  createBearerClient,
  newKeys,
} from '../../../../support/bearer-devices.ts';
import { type Cleared, mount } from '../../../../support/devices.ts';
import { startTestRedis, type TestRedis } from '../../../../support/redis-server.ts';
import { createDeviceLab, type DeviceLab } from '../support.ts';

describe('without Redis', () => {
  let redis: TestRedis;
  let app: FreshApp;
  let admin: Cleared;
  let holder: BearerClient;
  let lab: DeviceLab;
  let waiting: Awaited<ReturnType<DeviceLab['pending']>>;
  let keys: Awaited<ReturnType<typeof newKeys>>;
  beforeAll(async () => {
    redis = await startTestRedis();
    app = await freshApp({ env: { REDIS_URL: redis.url, DEVICE_FIRST: 'nobody' } });
    lab = createDeviceLab(app, Date);
    keys = await newKeys();
    admin = await lab.cleared({ acr: 'aal2' }, { hasKey: true });
    holder = await createBearerClient(app, { email: lab.newEmail(), roles: ['admin'] });
    await lab.clear(await holder.ask({ keys }));
    waiting = await lab.pending();
    redis.kill('SIGSTOP');
  }, 30_000);
  afterAll(async () => {
    redis.kill('SIGCONT');
    await app.close();
    await redis.stop();
  });

  const openDashboard = () => holder.call(`${mount}/dashboard`, { scheme: 'DPoP', keys });
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
    const { browser, deviceId } = admin;
    const before = await rows();
    const responses = await Promise.all([
      browser.console(),
      browser.call(`${mount}/analytics`),
      browser.call(`${mount}/requests`),
      browser.approve(waiting.requestId, waiting.number),
      browser.deny(waiting.requestId),
      browser.revoke({ device_id: deviceId }),
      browser.ask(),
      browser.call(`${mount}/devices`),
      browser.suspend(deviceId),
      openDashboard(),
      holder.refresh({ keys }),
    ]);
    for (const { status, headers, body } of responses) {
      expect(status).toBe(503);
      expect(headers).not.toHaveProperty('set-cookie');
      for (const name of ['states', 'devices', 'access_token'])
        expect(body).not.toHaveProperty(name);
    }
    expect(await rows()).toEqual(before);
  });

  it('the device status is unavailable and reveals no state', async () => {
    const response = await admin.browser.status();
    expect(response.status).toBe(503);
    expect(response.body).not.toHaveProperty('state');
  });

  it('a decision by ADMIN_API_KEY is atomic', async () => {
    const { status } = await lab.clear(waiting.asked);
    expect([
      { status: 200, state: 'cleared' },
      { status: 503, state: 'pending' },
    ]).toContainEqual({ status, state: await lab.stateOf(waiting.deviceId) });
  });

  it('a user who is disabled during the outage stays out when Redis is back', async () => {
    const { userId } = admin.browser.self;
    await app.services.users.setDisabled(userId, true).catch(() => undefined);
    redis.kill('SIGCONT');
    let { status } = await admin.browser.console();
    for (let at = 0; at < 50 && status === 503; at += 1)
      ({ status } = await admin.browser.console());
    expect(status).toBe(401);
    await app.services.users.setDisabled(userId, true);
    expect(await lab.stateOf(admin.deviceId)).toBe('revoked');
    expect(await openDashboard()).toMatchObject({ status: 200 });
  });
});
