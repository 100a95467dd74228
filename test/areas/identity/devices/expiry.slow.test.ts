import { beforeEach, describe, expect, it } from 'vitest';
import { createSweep } from '../../../../src/areas/identity/devices/approval/expiry.ts';
import { createTransitions } from '../../../../src/areas/identity/devices/transitions.ts';
import { dayMs, hourMs, minuteMs } from '../../../../src/lib/durations.ts';
import { createLogger } from '../../../../src/platform/process/logger.ts';
import { asAdmin, freshApp } from '../../../support/app.ts';
import { TestClient } from '../../../support/client.ts';
import { mount } from '../../../support/devices.ts';
import { createDeviceLab, createTestClock } from './support.ts';

const clock = createTestClock(Date.UTC(2026, 0, 5, 9));
const { now, pass } = clock;
const app = await freshApp({ clock, env: { DEVICE_FIRST: 'nobody' } });
beforeEach(() => {
  pass(500 * dayMs);
});

const lab = createDeviceLab(app, clock);
const { cleared, pending, stateOf, stored, sweep } = lab;
const endOf = async (id: string) => (await stored(id)).expires_at?.getTime();
/** The actions on a device, with the kinds of who did them. */
const actionsOn = async (id: string) =>
  (await lab.entries(id)).map(({ action, by }) => `${action} ${by}`).sort();
const exists = async (id: string) =>
  (await app.stores.db.selectFrom('devices').select('id').where('id', '=', id).execute()).length >
  0;

describe('approval', () => {
  it('ends after 30 days without use, to the millisecond', async () => {
    const { deviceId } = await cleared();
    pass(30 * dayMs - 1);
    await sweep();
    expect(await stateOf(deviceId)).toBe('cleared');
    pass(1);
    await sweep();
    expect(await stored(deviceId)).toMatchObject({
      state: 'expired',
      expires_at: null,
      reasons: [],
    });
    const actions = ['device.cleared api_key', 'device.expired system', 'device.requested user'];
    expect(await actionsOn(deviceId)).toEqual(actions);
    await sweep();
    expect(await actionsOn(deviceId)).toEqual(actions);
  });

  it('is extended to 30 days by every use', async () => {
    const { browser, deviceId } = await cleared();
    for (let time = 0; time < 2; time += 1) {
      pass(30 * dayMs - 1);
      await browser.signIn();
      expect(await browser.console()).toMatchObject({ status: 200 });
      expect(await endOf(deviceId)).toBe(now() + 30 * dayMs);
    }
    await sweep();
    expect(await stateOf(deviceId)).toBe('cleared');
  });

  it('ends after 90 days, even with daily use', async () => {
    const { browser, deviceId } = await cleared();
    const end = now() + 90 * dayMs;
    for (let day = 1; day < 90; day += 1) {
      pass(dayMs);
      await browser.signIn();
      expect((await browser.call(`${mount}/requests`)).status, `day ${day}`).toBe(200);
    }
    expect(await endOf(deviceId)).toBe(end);
    clock.set(end - 1);
    await browser.signIn();
    expect(await browser.console()).toMatchObject({ status: 200 });
    pass(1);
    expect(await browser.console()).toMatchObject({ status: 403 });
    expect(await stateOf(deviceId)).toBe('expired');
  });

  it.each([`${mount}/dashboard`, `${mount}/requests`, '/api/v1/audit'])(
    'that has expired does not open %s, before any sweep',
    async (url) => {
      const { browser, deviceId } = await cleared();
      pass(30 * dayMs);
      await browser.signIn();
      const refused = await browser.call(url);
      expect(refused).toBeProblem(403, 'blackops.device_not_cleared');
      expect(refused.body).toMatchObject({ device_state: 'expired', requirements: ['clearance'] });
      expect(await stateOf(deviceId)).toBe('expired');
      expect((await browser.status()).body).toMatchObject({
        state: 'expired',
        cleared: false,
        expires_at: null,
        requirements: ['clearance'],
      });
    },
  );

  it('can be granted again to an expired device, for the full time', async () => {
    const { browser, deviceId } = await cleared();
    pass(95 * dayMs);
    await browser.signIn();
    const asked = await browser.ask();
    expect(asked).toMatchObject({ status: 200, body: { device_id: deviceId, state: 'pending' } });
    expect(await lab.clear(asked)).toMatchObject({ status: 200 });
    expect(await endOf(deviceId)).toBe(now() + 30 * dayMs);
    expect(await browser.console()).toMatchObject({ status: 200 });
  });

  it('that is restored ends 90 days after it was granted, not after the restore', async () => {
    const { browser, deviceId } = await cleared();
    expect(await browser.suspend(deviceId)).toMatchObject({ status: 200 });
    pass(80 * dayMs);
    await browser.signIn({ acr: 'aal2' });
    expect(await browser.restore(deviceId)).toMatchObject({ status: 200 });
    expect(await endOf(deviceId)).toBe(now() + 10 * dayMs);
  });

  it('that is restored after its 90 days is expired', async () => {
    const { browser, deviceId } = await cleared();
    expect(await browser.suspend(deviceId)).toMatchObject({ status: 200 });
    pass(91 * dayMs);
    await browser.signIn({ acr: 'aal2' });
    expect((await browser.restore(deviceId)).body).toMatchObject({
      state: 'expired',
      expires_at: null,
    });
    expect(await browser.console()).toMatchObject({ status: 403 });
    expect(await stateOf(deviceId)).toBe('expired');
  });

  it('of a suspended device does not expire, and does not return after a wait', async () => {
    const { browser, deviceId } = await cleared();
    await browser.suspend(deviceId);
    pass(400 * dayMs);
    await sweep();
    expect(await stored(deviceId)).toMatchObject({ state: 'suspended', expires_at: null });
  });

  it('is neither extended nor ended when the clock is set back an hour', async () => {
    const { browser, deviceId } = await cleared();
    pass(10 * minuteMs);
    expect(await browser.console()).toMatchObject({ status: 200 });
    const end = (await endOf(deviceId)) ?? 0;
    pass(-hourMs);
    await sweep();
    expect(await stateOf(deviceId)).toBe('cleared');
    expect(await browser.console()).toMatchObject({ status: 200 });
    expect(await stored(deviceId)).toMatchObject({ state: 'cleared', reasons: [] });
    const after = await endOf(deviceId);
    expect(after).toBeLessThanOrEqual(end);
    expect(after).toBeGreaterThanOrEqual(end - hourMs - 10 * minuteMs);
    pass(hourMs);
    expect(await browser.console()).toMatchObject({ status: 200 });
  });
});

describe('a request', () => {
  it('without a decision expires after 72 hours, together with its device', async () => {
    const { browser, asked, deviceId } = await pending();
    pass(72 * hourMs - 1);
    await sweep();
    expect(await stateOf(deviceId)).toBe('pending');
    pass(1);
    expect(await lab.clear(asked)).toBeProblem(409, 'blackops.already_decided');
    expect(await stateOf(deviceId)).toBe('expired');
    expect(await lab.requestsOf(deviceId)).toMatchObject([
      { state: 'expired', decided_by: 'system' },
    ]);
    expect(await actionsOn(deviceId)).toEqual(['device.expired system', 'device.requested user']);
    await browser.signIn();
    expect(await browser.ask()).toMatchObject({
      status: 200,
      body: { device_id: deviceId, state: 'pending' },
    });
    expect(await lab.clear(asked)).toMatchObject({ status: 409 });
  });

  it.each(['the sweep', 'the device itself'])(
    'that has expired is closed by %s, and does not block the next one',
    async (who) => {
      const { browser, deviceId } = await pending();
      pass(72 * hourMs);
      if (who === 'the sweep') await sweep();
      await browser.signIn();
      expect((await browser.status()).body).toMatchObject({ state: 'expired' });
      expect(await browser.ask()).toMatchObject({
        status: 200,
        body: { device_id: deviceId, state: 'pending' },
      });
      await sweep();
      const states = (await lab.requestsOf(deviceId)).map(({ state }) => state);
      expect(states).toEqual(['expired', 'open']);
    },
  );

  it('is not listed after it has expired, even before a sweep', async () => {
    const { requestId } = await pending();
    const listed = async () =>
      (await new TestClient(app).as(asAdmin).get(`${mount}/requests`)).text.includes(requestId);
    expect(await listed()).toBe(true);
    pass(72 * hourMs);
    expect(await listed()).toBe(false);
  });
});

describe('the sweep', () => {
  it('expires all overdue devices in batches, and no others', async () => {
    const overdue = await Promise.all([
      ...Array.from({ length: 7 }, () => cleared()),
      ...Array.from({ length: 5 }, () => pending()),
    ]);
    const kept = await cleared();
    pass(29 * dayMs);
    await kept.browser.signIn();
    expect(await kept.browser.console()).toMatchObject({ status: 200 });
    pass(dayMs);
    const { db } = app.stores;
    const { audit, sessions, bus } = app.services;
    const logger = createLogger({ level: 'silent' });
    const transitions = createTransitions({ db, audit, sessions, bus, clock, logger });
    await createSweep({ db, clock, transitions }, 2).sweep();
    for (const { deviceId } of overdue) expect(await stateOf(deviceId)).toBe('expired');
    expect(await stateOf(kept.deviceId)).toBe('cleared');
  });

  it('completes a revocation that was interrupted before the sessions ended', async () => {
    const { browser, deviceId } = await cleared();
    const { browser: admin } = await cleared();
    const { browser: other } = await lab.pending();
    const me = async () => (await browser.call('/api/auth/me')).status;
    expect(await admin.revoke({ device_id: deviceId })).toMatchObject({ status: 200 });
    const sessions_ended_at = new Date(now());
    expect(await stored(deviceId)).toMatchObject({
      state: 'revoked',
      sessions_ended_at,
      secret_hash: null,
    });
    // Simulates a crash between the writes to the two stores.
    await app.stores.db
      .updateTable('devices')
      .set({ sessions_ended_at: null })
      .where('id', '=', deviceId)
      .execute();
    const sessionId = await browser.signIn();
    const { userId } = browser.self;
    await app.services.sessions.setDevice(userId, sessionId, {
      id: deviceId,
      state: 'cleared',
      jkt: null,
      proved_at: 0,
      proved_from: '',
      passkey_at: 0,
    });
    expect(await me()).toBe(200);
    await sweep();
    expect(await me()).toBe(401);
    expect(await app.services.sessions.list(userId)).toEqual([]);
    expect(await stored(deviceId)).toMatchObject({ sessions_ended_at });
    expect(await other.call('/api/auth/me')).toMatchObject({ status: 200 });
    expect(await lab.entries(deviceId)).toHaveLength(3);
  });

  it('updates the sessions on a device whose approval has ended', async () => {
    const { browser } = await cleared();
    pass(30 * dayMs);
    await browser.signIn();
    await sweep();
    expect((await browser.call('/api/auth/me')).body).toMatchObject({
      session: { device_state: 'expired' },
    });
  });
});

describe('the retention', () => {
  it('deletes devices 400 days after they were last cleared, with their requests', async () => {
    const { clean } = app.services.devices.sweep;
    const removed = await cleared();
    expect(await removed.browser.revoke({ device_id: removed.deviceId })).toMatchObject({
      status: 200,
    });
    const denied = await pending();
    const denyUrl = `${mount}/requests/${denied.requestId}/deny`;
    expect(await new TestClient(app).as(asAdmin).post(denyUrl)).toMatchObject({ status: 200 });
    const suspended = await cleared();
    await suspended.browser.suspend(suspended.deviceId);
    const old = await cleared();
    const waiting = await pending();
    pass(400 * dayMs);
    await sweep();
    await clean();
    expect(await exists(removed.deviceId)).toBe(true);
    expect(await exists(denied.deviceId)).toBe(true);
    pass(1);
    await clean();
    for (const { deviceId } of [removed, denied, suspended])
      expect(await exists(deviceId)).toBe(false);
    // These expired only at the sweep, so their retention has just begun.
    expect(await stateOf(old.deviceId)).toBe('expired');
    expect(await stateOf(waiting.deviceId)).toBe('expired');
    for (const { deviceId } of [removed, denied])
      expect(await lab.requestsOf(deviceId)).toEqual([]);
  });

  it('lets a browser with a deleted device request approval as a new one', async () => {
    const { browser, deviceId } = await cleared();
    const cookie = browser.jar.get('svc_device') ?? '';
    expect(await browser.revoke({ device_id: deviceId })).toMatchObject({ status: 200 });
    pass(401 * dayMs);
    await app.services.devices.sweep.clean();
    browser.jar.set('svc_device', cookie);
    await browser.signIn();
    const asked = await browser.ask();
    expect(asked).toMatchObject({ status: 200, body: { state: 'pending' } });
    expect(asked.body.device_id).not.toBe(deviceId);
  });
});

describe('the job', () => {
  it('runs every minute without a trigger', async () => {
    const { deviceId } = await cleared();
    pass(30 * dayMs);
    await app.services.queues.start();
    await expect.poll(() => stateOf(deviceId), { timeout: 10_000 }).toBe('expired');
    const { handlers } = await app.services.queues.observe();
    expect(handlers).toContainEqual(expect.objectContaining({ name: 'devices-expiry' }));
    const repeat = await app.stores.redis.hget(
      'jobs:devices-expiry:repeat:devices-expiry',
      'every',
    );
    expect(Number(repeat)).toBe(minuteMs);
  });
});
