import { beforeAll, beforeEach, describe, expect } from 'vitest';
import { parallel, tally } from '../../../support/abuse.ts';
import { asAdmin, type TestApp } from '../../../support/app.ts';
import { sharedApp } from '../../../support/shared-app.ts';
import { it } from '../../../support/test.ts';
import { newKeys } from '../../../support/bearer-devices.ts';
import {
  type Cleared,
  clearedOn,
  copyOf,
  createDeviceBrowser,
  type DeviceBrowser,
  deviceInventory,
  entriesOf,
  firefoxOnWindows,
  mount,
  places,
  signProof,
  storedDevice,
} from '../../../support/devices.ts';

const minute = 60_000;
let offset = 0;
const now = () => Date.now() + offset;
const pass = (ms: number) => void (offset += ms);
let app: TestApp;
beforeAll(async () => {
  app = await sharedApp('devices', { clock: { now } });
});

let people = 0;
let email: string;
beforeEach(() => {
  email = `restoring-${people++}@example.com`;
});

const restoreUrl = (id: string) => `${mount}/devices/${id}/restore`;
const restore = (browser: DeviceBrowser, id: string, options = {}) =>
  browser.call(restoreUrl(id), { method: 'POST', ...options });
const signInWithFactor = (browser: DeviceBrowser) =>
  browser.signIn({ email, roles: ['admin'], acr: 'aal2', amr: ['otp', 'totp'] });
const suspendBy = (id: string, reason: 'owner' | 'admin') =>
  app.services.devices.management.suspend(id, 'all', { actor: { kind: 'system' } }, reason);

async function suspended({
  hasKey = false,
  reason = 'owner',
}: { hasKey?: boolean; reason?: 'owner' | 'admin' } = {}): Promise<Cleared> {
  const cleared = await clearedOn(
    app,
    { email, acr: 'aal2', amr: ['otp', 'totp'] },
    { hasKey, now },
  );
  await suspendBy(cleared.deviceId, reason);
  return cleared;
}

async function expectRefused(
  call: () => Promise<{
    status: number;
    headers: Record<string, unknown>;
    body: Record<string, unknown>;
  }>,
  status: number,
  code: string,
) {
  const before = await deviceInventory(app);
  const answer = await call();
  expect(answer).toMatchObject({ status, body: { code } });
  expect(answer.headers).not.toHaveProperty('set-cookie');
  expect(await deviceInventory(app)).toEqual(before);
}

describe('a suspended device is not restored', () => {
  it('from another device of its owner, cleared or not', async () => {
    const { deviceId } = await suspended();
    const other = createDeviceBrowser(app, { now });
    await signInWithFactor(other);
    await expectRefused(() => restore(other, deviceId), 403, 'blackops.not_this_device');
    const { browser } = await clearedOn(app, { email, acr: 'aal2' }, { now });
    await expectRefused(() => restore(browser, deviceId), 403, 'blackops.not_this_device');
  });

  it('without the second factor, or with a stale one', async () => {
    const { browser, deviceId } = await suspended();
    pass(5 * minute + 1000);
    await expectRefused(() => restore(browser, deviceId), 401, 'blackops.aal2_required');
    await browser.signIn({ email, roles: ['admin'], acr: 'aal1' });
    await expectRefused(() => restore(browser, deviceId), 401, 'blackops.aal2_required');
  });

  it('without a proof of its key, or by a proof of another key or for another call', async () => {
    const { browser, deviceId } = await suspended({ hasKey: true });
    await browser.status();
    await expectRefused(
      () => restore(browser, deviceId, { prove: false }),
      403,
      'blackops.not_this_device',
    );
    const { keys = await newKeys(), nonce } = browser.self;
    const wrong = { keys, nonce, method: 'POST', at: now() };
    for (const parts of [
      { ...wrong, keys: await newKeys(), url: restoreUrl(deviceId) },
      { ...wrong, url: `${mount}/status` },
      { ...wrong, url: restoreUrl(deviceId), method: 'GET' },
    ]) {
      await expectRefused(
        async () =>
          restore(browser, deviceId, { prove: false, headers: { dpop: await signProof(parts) } }),
        401,
        'blackops.invalid_dpop_proof',
      );
    }
  });

  it('by its owner when an admin has suspended it', async () => {
    const { browser, deviceId } = await suspended({ reason: 'admin' });
    await expectRefused(() => restore(browser, deviceId), 403, 'blackops.not_this_device');
  });

  it('by its owner as an admin on another cleared device: four eyes', async () => {
    const { deviceId } = await suspended({ reason: 'admin' });
    const { browser } = await clearedOn(app, { email, acr: 'aal2' }, { now });
    await expectRefused(() => restore(browser, deviceId), 403, 'blackops.not_this_device');
    expect((await browser.console()).status).toBe(200);
  });

  it('by an admin whose device is not cleared, or whose sign-in is stale', async () => {
    const { deviceId } = await suspended();
    const fresh = createDeviceBrowser(app, { now });
    await fresh.signIn({
      email: `restorer-${people++}@example.com`,
      roles: ['admin'],
      acr: 'aal2',
    });
    await expectRefused(() => restore(fresh, deviceId), 403, 'blackops.device_not_cleared');
    const { browser } = await clearedOn(
      app,
      { email: `restorer-${people++}@example.com` },
      { now },
    );
    pass(5 * minute + 1000);
    const before = await deviceInventory(app);
    expect(await restore(browser, deviceId)).toMatchObject({
      status: 401,
      body: { code: 'auth.step_up_required' },
    });
    expect(await deviceInventory(app)).toEqual(before);
  });

  it('when it is not suspended but pending, cleared, denied, expired or revoked', async () => {
    const { browser, deviceId } = await clearedOn(app, { email, acr: 'aal2' }, { now });
    await expectRefused(() => restore(browser, deviceId), 409, 'blackops.transition_not_allowed');
    const pending = createDeviceBrowser(app, { now });
    await signInWithFactor(pending);
    const { body } = await pending.ask();
    await expectRefused(
      () => restore(pending, String(body.device_id)),
      409,
      'blackops.transition_not_allowed',
    );
    for (const state of ['denied', 'expired'] as const) {
      await app.stores.db
        .updateTable('devices')
        .set({ state })
        .where('id', '=', String(body.device_id))
        .execute();
      await expectRefused(
        () => restore(pending, String(body.device_id)),
        409,
        'blackops.transition_not_allowed',
      );
    }
  });
});

describe('a restore', () => {
  it('happens once by ten parallel requests, and leaves one valid secret', async () => {
    const { browser, deviceId } = await suspended();
    const copies = Array.from({ length: 10 }, () => copyOf(app, browser, { now }));
    const answers = await parallel(10, (at) => restore(copies[at] ?? browser, deviceId));
    expect(tally(answers)[200]).toBe(1);
    expect((await entriesOf(app, deviceId)).map(({ action }) => action)).toEqual([
      'device.requested',
      'device.cleared',
      'device.suspended',
      'device.restored',
    ]);
    expect((await storedDevice(app, deviceId)).state).toBe('cleared');
  });

  it('is not undone by a call in flight with the old cookie', async () => {
    const { browser, deviceId } = await suspended();
    const underWay = copyOf(app, browser, { now });
    expect(await restore(browser, deviceId)).toMatchObject({ status: 200 });
    expect((await underWay.status()).headers).not.toHaveProperty('set-cookie');
    expect((await storedDevice(app, deviceId)).state).toBe('cleared');
    expect(await browser.console()).toMatchObject({ status: 200 });
  });

  it('works for the owner after a thief rotated the secret, and locks the thief out', async () => {
    const { browser, deviceId } = await clearedOn(app, { email, acr: 'aal2' }, { now });
    const thief = copyOf(app, browser, { now });
    pass(6 * minute);
    await thief.status();
    await thief.status();
    pass(minute);
    expect(await browser.console()).toMatchObject({
      status: 403,
      body: { device_state: 'suspended' },
    });
    await signInWithFactor(browser);
    expect(await restore(browser, deviceId)).toMatchObject({
      status: 200,
      body: { state: 'cleared' },
    });
    expect(await browser.console()).toMatchObject({ status: 200 });
    expect(await thief.console()).toMatchObject({ status: 403 });
  });

  it('does not extend clearance beyond ninety days', async () => {
    const { browser, deviceId } = await suspended();
    const { cleared_at: before } = await storedDevice(app, deviceId);
    pass(89 * 24 * 60 * minute);
    await signInWithFactor(browser);
    expect(await restore(browser, deviceId)).toMatchObject({ status: 200 });
    const { cleared_at: after, expires_at: end } = await storedDevice(app, deviceId);
    expect(after).toEqual(before);
    expect((end?.getTime() ?? Infinity) - (before?.getTime() ?? 0)).toBeLessThanOrEqual(
      90 * 24 * 60 * minute,
    );
    pass(2 * 24 * 60 * minute);
    await signInWithFactor(browser);
    expect(await browser.console()).toMatchObject({
      status: 403,
      body: { device_state: 'expired' },
    });
  });

  it('after the ninety days gives no clearance', async () => {
    const { browser, deviceId } = await suspended();
    pass(91 * 24 * 60 * minute);
    await signInWithFactor(browser);
    const answer = await restore(browser, deviceId);
    expect(answer.body).not.toMatchObject({ state: 'cleared' });
    expect(await browser.console()).toMatchObject({ status: 403 });
  });

  it('by an admin accepts only the signals that broke a rule, and sets no cookie', async () => {
    const { browser, deviceId } = await clearedOn(app, { email }, { now, address: places.us });
    const thief = copyOf(app, browser, { userAgent: firefoxOnWindows, address: places.jp, now });
    expect(await thief.console()).toMatchObject({
      status: 403,
      body: { device_state: 'suspended' },
    });
    const { browser: admin } = await clearedOn(
      app,
      { email: `restorer-${people++}@example.com` },
      { now },
    );
    const mine = admin.jar.get('svc_device');
    expect(await restore(admin, deviceId)).toMatchObject({
      status: 200,
      body: { state: 'cleared', current: false },
    });
    expect(admin.jar.get('svc_device')).toBe(mine);
    expect((await entriesOf(app, deviceId)).at(-1)).toMatchObject({
      action: 'device.restored',
      by: 'user',
      byId: admin.self.userId,
    });
  });

  it('is not possible with ADMIN_API_KEY or a stored key', async () => {
    const { deviceId } = await suspended();
    await expectRefused(
      async () => {
        const answer = await app.http.inject({
          method: 'POST',
          url: restoreUrl(deviceId),
          headers: asAdmin,
        });
        return {
          status: answer.statusCode,
          headers: answer.headers,
          body: answer.json<Record<string, unknown>>(),
        };
      },
      401,
      'request.unauthenticated',
    );
  });
});
