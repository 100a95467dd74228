import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parallel } from '../../../support/abuse.ts';
import { asAdmin, freshApp, type FreshApp } from '../../../support/app.ts';
import {
  clearByKey,
  clearedOn,
  copyOf,
  createDeviceBrowser,
  type DeviceBrowser,
  entriesOf,
  mount,
  type SignInAs,
  storedDevice,
} from '../../../support/devices.ts';

const minute = 60_000;
let offset = 0;
const now = () => Date.now() + offset;
const pass = (ms: number) => void (offset += ms);
let firstAdmin: FreshApp;
let firstOfNone: FreshApp;
let firstOfEach: FreshApp;
let selfClearing: FreshApp;
beforeAll(async () => {
  const build = (env: Record<string, string>) => freshApp({ env, clock: { now } });
  [firstAdmin, firstOfNone, firstOfEach, selfClearing] = await Promise.all([
    build({}),
    build({ DEVICE_BINDING: 'none' }),
    build({ DEVICE_FIRST: 'tofu', DEVICE_BINDING: 'webauthn' }),
    build({ DEVICE_FIRST: 'nobody', DEVICE_CLEARANCE: 'self_step_up', DEVICE_BINDING: 'key' }),
  ]);
});
afterAll(() =>
  Promise.all([firstAdmin, firstOfNone, firstOfEach, selfClearing].map((app) => app.close())),
);

let people = 0;
const someone = () => `policies-${people++}@example.com`;
async function signedIn(app: FreshApp, who: Partial<SignInAs> = {}): Promise<DeviceBrowser> {
  const browser = createDeviceBrowser(app, { now });
  await browser.signIn({ email: someone(), roles: ['admin'], ...who });
  return browser;
}
const clearedIn = async (app: FreshApp) =>
  (
    await app.stores.db
      .selectFrom('devices')
      .select('id')
      .where('cleared_at', 'is not', null)
      .execute()
  ).length;
const pendingOf = {
  status: 200,
  body: { state: 'pending', request_id: expect.any(String) as string },
};

describe('DEVICE_FIRST=first_admin', () => {
  it('does not clear devices of non-admins, old accounts or old sign-ins by link', async () => {
    expect(
      await (await signedIn(firstAdmin, { roles: ['viewer'], amr: ['setup'] })).ask(),
    ).toMatchObject(pendingOf);
    expect(await (await signedIn(firstAdmin, { roles: [], amr: ['setup'] })).ask()).toMatchObject(
      pendingOf,
    );
    const old = someone();
    const linked = await signedIn(firstAdmin, { email: old, amr: ['setup'] });
    pass(10 * minute + 1000);
    expect(await linked.ask()).toMatchObject(pendingOf);
    expect(await (await signedIn(firstAdmin, { email: old, acr: 'aal1' })).ask()).toMatchObject(
      pendingOf,
    );
    expect(
      await (await signedIn(firstAdmin, { email: old, acr: 'aal2', amr: ['otp', 'totp'] })).ask(),
    ).toMatchObject(pendingOf);
    expect(await clearedIn(firstAdmin)).toBe(0);
  });

  it('clears one device when ten admins ask concurrently', async () => {
    const browsers: DeviceBrowser[] = [];
    for (let at = 0; at < 10; at += 1)
      browsers.push(await signedIn(firstAdmin, { amr: ['setup'] }));
    const answers = await parallel(10, async (at) => (await browsers[at]?.ask())?.body ?? {});
    expect(answers.map(({ state }) => state).sort()).toEqual([
      'cleared',
      ...Array.from({ length: 9 }, () => 'pending'),
    ]);
    const [first] = answers.filter(({ state }) => state === 'cleared');
    expect(first).toMatchObject({ number: null, request_id: null });
    expect(await entriesOf(firstAdmin, first?.device_id)).toMatchObject([
      {
        action: 'device.cleared',
        reason: 'first_admin',
        by: 'system',
        details: { from: 'unknown', to: 'cleared' },
      },
    ]);
  });

  it('clears no second device, even after the first was removed', async () => {
    const [{ id } = { id: '' }] = await firstAdmin.stores.db
      .selectFrom('devices')
      .select('id')
      .where('state', '=', 'cleared')
      .execute();
    await firstAdmin.services.devices.management.revoke(
      id,
      'all',
      { actor: { kind: 'system' } },
      'test',
    );
    expect(await (await signedIn(firstAdmin, { amr: ['setup'] })).ask()).toMatchObject(pendingOf);
    expect(await clearedIn(firstAdmin)).toBe(1);
  });

  it('clears none when ADMIN_API_KEY has cleared a device before', async () => {
    const old = await signedIn(firstOfNone, { roles: [], amr: ['otp'] });
    const asked = await old.ask();
    expect(await clearByKey(firstOfNone, asked, asAdmin.authorization)).toMatchObject({
      status: 200,
    });
    expect(await (await signedIn(firstOfNone, { amr: ['setup'] })).ask()).toMatchObject(pendingOf);
    expect(await clearedIn(firstOfNone)).toBe(1);
  });
});

describe('DEVICE_FIRST=tofu', () => {
  it('clears only the first device of a user, even after it was removed', async () => {
    const email = someone();
    const first = await (await signedIn(firstOfEach, { email })).ask();
    expect(first).toMatchObject({ status: 200, body: { state: 'cleared', number: null } });
    expect(await (await signedIn(firstOfEach, { email })).ask()).toMatchObject(pendingOf);
    await firstOfEach.services.devices.management.revoke(
      String(first.body.device_id),
      'all',
      { actor: { kind: 'system' } },
      'test',
    );
    expect(await (await signedIn(firstOfEach, { email })).ask()).toMatchObject(pendingOf);
  });

  it('clears one of five devices that a user enrols concurrently', async () => {
    const email = someone();
    const browsers: DeviceBrowser[] = [];
    for (let at = 0; at < 5; at += 1) browsers.push(await signedIn(firstOfEach, { email }));
    const before = await clearedIn(firstOfEach);
    await parallel(5, async (at) => browsers[at]?.ask());
    expect((await clearedIn(firstOfEach)) - before).toBe(1);
  });
});

describe('DEVICE_FIRST=nobody', () => {
  it('clears no device without an approval, neither by link nor for the first user', async () => {
    expect(await (await signedIn(selfClearing, { amr: ['setup'] })).ask()).toMatchObject(pendingOf);
    expect(await clearedIn(selfClearing)).toBe(0);
  });
});

describe('DEVICE_CLEARANCE=self_step_up', () => {
  it('does not clear a device with one factor, nor with a stale second factor', async () => {
    expect(await (await signedIn(selfClearing, { acr: 'aal1' })).ask()).toMatchObject(pendingOf);
    const stale = await signedIn(selfClearing, { acr: 'aal2', amr: ['otp', 'totp'] });
    pass(5 * minute + 1000);
    expect(await stale.ask()).toMatchObject(pendingOf);
    expect(await stale.ask()).toMatchObject(pendingOf);
    expect(await clearedIn(selfClearing)).toBe(0);
  });

  it('clears a device once with a fresh second factor, by twenty parallel requests', async () => {
    const browser = await signedIn(selfClearing, { acr: 'aal2', amr: ['otp', 'totp'] });
    const answers = await parallel(20, () => copyOf(selfClearing, browser, { now }).ask());
    expect(new Set(answers.map(({ body }) => body.device_id)).size).toBe(1);
    const id = answers[0]?.body.device_id;
    expect((await storedDevice(selfClearing, id)).state).toBe('cleared');
    expect((await entriesOf(selfClearing, id)).map(({ action }) => action)).toEqual([
      'device.requested',
      'device.cleared',
    ]);
  });

  it('does not clear a denied or suspended device again', async () => {
    const email = someone();
    const browser = await signedIn(selfClearing, { email, acr: 'aal1' });
    const { body } = await browser.ask();
    await selfClearing.http.inject({
      method: 'POST',
      url: `${mount}/requests/${String(body.request_id)}/deny`,
      headers: { ...asAdmin, 'content-type': 'application/json' },
      payload: '{}',
    });
    await browser.signIn({ email, roles: ['admin'], acr: 'aal2', amr: ['otp', 'totp'] });
    expect(await browser.ask()).toMatchObject({
      status: 403,
      body: { code: 'blackops.device_denied' },
    });
    expect((await storedDevice(selfClearing, body.device_id)).state).toBe('denied');
  });
});

describe('DEVICE_BINDING', () => {
  it('key: refuses a device with only a cookie, and admits one that proves its key', async () => {
    const { browser: weak } = await clearedOn(selfClearing, { email: someone() }, { now });
    expect(await weak.console()).toMatchObject({
      status: 403,
      body: { device_state: 'cleared', requirements: ['stronger_binding'] },
    });
    const { browser: strong } = await clearedOn(
      selfClearing,
      { email: someone() },
      { hasKey: true, now },
    );
    expect(await strong.console()).toMatchObject({ status: 200 });
    expect(
      await copyOf(selfClearing, strong, { address: '198.51.100.3', now }).console(),
    ).toMatchObject({ status: 403, body: { requirements: ['key_proof'] } });
  });

  it('webauthn: refuses a device with a cookie or a proved key alone', async () => {
    for (const hasKey of [false, true]) {
      const { browser } = await clearedOn(firstOfEach, { email: someone() }, { hasKey, now });
      expect(await browser.console()).toMatchObject({
        status: 403,
        body: { device_state: 'cleared', requirements: ['stronger_binding'] },
      });
      expect(
        (await browser.call(`${mount}/passkey`, { method: 'POST', body: {}, prove: false })).status,
      ).toBe(422);
    }
  });

  it('none: admits only admins, and nobody decides on their own request', async () => {
    const browser = await signedIn(firstOfNone);
    expect(await browser.console()).toMatchObject({ status: 200 });
    expect(await (await signedIn(firstOfNone, { roles: ['viewer'] })).console()).toMatchObject({
      status: 403,
    });
    const { body } = await browser.ask();
    expect(await browser.approve(body.request_id, body.number)).toMatchObject({
      status: 403,
      body: { code: 'blackops.own_request' },
    });
    pass(5 * minute + 1000);
    const other = await (await signedIn(firstOfNone)).ask();
    expect(await browser.approve(other.body.request_id, other.body.number)).toMatchObject({
      status: 401,
      body: { code: 'auth.step_up_required' },
    });
  });
});
