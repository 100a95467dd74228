import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect } from 'vitest';
import { sharedApp } from '../../../support/shared-app.ts';
import { it } from '../../../support/test.ts';
import { parallel, tally } from '../../../support/abuse.ts';
import { adminKey, asAdmin, type TestApp } from '../../../support/app.ts';
import {
  type Cleared,
  clearByKey,
  clearedOn,
  createDeviceBrowser,
  type DeviceBrowser,
  deviceInventory,
  entriesOf,
  mount,
  storedDevice,
} from '../../../support/devices.ts';
import { type Answer, post } from '../../../support/sign-in.ts';

const minute = 60_000;
let offset = 0;
const now = () => Date.now() + offset;
const pass = (ms: number) => void (offset += ms);
let app: TestApp;
beforeAll(async () => {
  app = await sharedApp('devices', { clock: { now } });
});

let people = 0;
let approver: Cleared;
beforeEach(async () => {
  approver = await clearedOn(app, { email: `approver-${people++}@example.com` }, { now });
});

interface Pending {
  browser: DeviceBrowser;
  asked: Answer;
  deviceId: string;
}
async function pending(email = `asking-${people++}@example.com`): Promise<Pending> {
  const browser = createDeviceBrowser(app, { now });
  await browser.signIn({ email, roles: ['admin'] });
  const asked = await browser.ask({});
  expect(asked).toMatchObject({
    status: 200,
    body: { state: 'pending', number: expect.stringMatching(/^\d\d$/) as string },
  });
  return { browser, asked, deviceId: String(asked.body.device_id) };
}
const approveBy = (by: DeviceBrowser, { asked }: Pending): Promise<Answer> =>
  by.approve(asked.body.request_id, asked.body.number);
const wrongOf = (asked: Answer, by = 1) =>
  String((Number(asked.body.number) + by) % 100).padStart(2, '0');
const manage = () => app.services.devices.management;
const system = { actor: { kind: 'system' as const } };

/** Asserts that the call is refused with this status and code, and changes nothing. */
async function expectRefused(call: () => Promise<Answer>, status: number, code: string) {
  const before = await deviceInventory(app);
  const answer = await call();
  expect(answer).toMatchObject({ status, body: { code } });
  expect(answer.body).not.toHaveProperty('number');
  expect(await deviceInventory(app)).toEqual(before);
  return answer;
}

describe('case 50 › approval is refused to', () => {
  it('the owner, from another cleared device', async () => {
    const own = await pending(`approver-${people - 1}@example.com`);
    await expectRefused(() => approveBy(approver.browser, own), 403, 'blackops.own_request');
    await expectRefused(
      () => approver.browser.deny(own.asked.body.request_id),
      403,
      'blackops.own_request',
    );
    expect(await approver.browser.call(`${mount}/requests`)).toMatchObject({
      body: {
        requests: expect.arrayContaining([
          expect.objectContaining({ request_id: own.asked.body.request_id, own: true }),
        ]) as unknown,
      },
    });
  });

  it('an admin whose device is in any state but cleared', async () => {
    const victim = await pending();
    const asking = await pending();
    await expectRefused(
      () => approveBy(asking.browser, victim),
      403,
      'blackops.device_not_cleared',
    );
    await approver.browser.deny(asking.asked.body.request_id);
    await expectRefused(
      () => approveBy(asking.browser, victim),
      403,
      'blackops.device_not_cleared',
    );
    const unknown = createDeviceBrowser(app, { now });
    await unknown.signIn({ email: 'never-asked@example.com', roles: ['admin'] });
    await expectRefused(() => approveBy(unknown, victim), 403, 'blackops.device_not_cleared');
    for (const state of ['expired', 'suspended'] as const) {
      await app.stores.db
        .updateTable('devices')
        .set({ state })
        .where('id', '=', approver.deviceId)
        .execute();
      await expectRefused(
        () => approveBy(approver.browser, victim),
        403,
        'blackops.device_not_cleared',
      );
    }
    await manage().revoke(approver.deviceId, 'all', system, 'test');
    await expectRefused(() => approveBy(approver.browser, victim), 401, 'request.unauthenticated');
  });

  it('an admin on a device whose clearance has expired, before any sweep', async () => {
    const victim = await pending();
    await app.stores.db
      .updateTable('devices')
      .set({ expires_at: new Date(now() - 1) })
      .where('id', '=', approver.deviceId)
      .execute();
    expect(await approveBy(approver.browser, victim)).toMatchObject({
      status: 403,
      body: { code: 'blackops.device_not_cleared', device_state: 'expired' },
    });
    expect((await storedDevice(app, victim.deviceId)).state).toBe('pending');
  });

  it('an admin who signed in more than five minutes ago', async () => {
    const victim = await pending();
    pass(5 * minute + 1000);
    const refused = await expectRefused(
      () => approveBy(approver.browser, victim),
      401,
      'auth.step_up_required',
    );
    expect(refused.headers['www-authenticate']).toContain('max_age=300');
    await expectRefused(
      () => approver.browser.deny(victim.asked.body.request_id),
      401,
      'auth.step_up_required',
    );
  });

  it('viewers, users without a role and signed-out clients, also on a cleared device', async () => {
    const victim = await pending();
    for (const roles of [['viewer'], []] as const) {
      const { browser } = await clearedOn(
        app,
        { email: `weak-${people++}@example.com`, roles },
        { now },
      );
      await expectRefused(() => approveBy(browser, victim), 403, 'request.forbidden');
      await expectRefused(
        () => browser.deny(victim.asked.body.request_id),
        403,
        'request.forbidden',
      );
    }
    await expectRefused(
      () => approveBy(createDeviceBrowser(app, { now }), victim),
      401,
      'request.unauthenticated',
    );
  });

  it('an admin who has lost the role, in the same session', async () => {
    const victim = await pending();
    await app.services.users.setRoles(approver.browser.self.userId, []);
    await expectRefused(() => approveBy(approver.browser, victim), 403, 'request.forbidden');
  });

  it('a stored API key with the scope admin: only ADMIN_API_KEY may approve', async () => {
    const victim = await pending();
    const { key } = await app.services.apiKeys.create({
      name: 'stored',
      scopes: ['admin'],
      expires_at: null,
    });
    for (const path of ['approve', 'deny']) {
      const url = `${mount}/requests/${String(victim.asked.body.request_id)}/${path}`;
      await expectRefused(
        () =>
          post(app, url, { number: victim.asked.body.number }, { authorization: `Bearer ${key}` }),
        403,
        'blackops.device_not_cleared',
      );
      await expectRefused(
        () =>
          post(
            app,
            url,
            { number: victim.asked.body.number },
            { authorization: `DPoP ${adminKey}` },
          ),
        401,
        'request.unauthenticated',
      );
    }
    expect(await clearByKey(app, victim.asked, asAdmin.authorization)).toMatchObject({
      status: 200,
      body: { state: 'cleared' },
    });
    expect((await entriesOf(app, victim.deviceId)).at(-1)).toMatchObject({
      action: 'device.cleared',
      by: 'api_key',
      byId: 'env',
    });
  });
});

describe('the number of a request', () => {
  it('entered wrong three times denies the request for good', async () => {
    const victim = await pending();
    const id = victim.asked.body.request_id;
    for (const by of [1, 2])
      expect(await approver.browser.approve(id, wrongOf(victim.asked, by))).toMatchObject({
        status: 400,
        body: { code: 'blackops.wrong_number' },
      });
    expect((await storedDevice(app, victim.deviceId)).state).toBe('pending');
    expect(await approver.browser.approve(id, wrongOf(victim.asked, 3))).toMatchObject({
      status: 400,
      body: { code: 'blackops.wrong_number' },
    });
    expect(await storedDevice(app, victim.deviceId)).toMatchObject({
      state: 'denied',
      reasons: ['wrong_number'],
    });
    await expectRefused(() => approveBy(approver.browser, victim), 409, 'blackops.already_decided');
    expect((await entriesOf(app, victim.deviceId)).map(({ action }) => action)).toEqual([
      'device.requested',
      'device.denied',
    ]);
  });

  it('can be guessed three times in all, by two admins with forty parallel tries', async () => {
    const victim = await pending();
    const { browser: second } = await clearedOn(
      app,
      { email: `approver-${people++}@example.com` },
      { now },
    );
    const answers = await parallel(40, (at) =>
      (at % 2 === 0 ? second : approver.browser).approve(
        victim.asked.body.request_id,
        wrongOf(victim.asked, 1 + at),
      ),
    );
    expect(tally(answers)).toEqual({ 400: 3, 409: 37 });
    expect((await storedDevice(app, victim.deviceId)).state).toBe('denied');
    expect(
      (await entriesOf(app, victim.deviceId)).filter(({ action }) => action === 'device.denied'),
    ).toHaveLength(1);
  });

  it('appears only in responses to the owner, and not in the audit log', async () => {
    const victim = await pending();
    const list = await approver.browser.call(`${mount}/requests`);
    const decided = await approveBy(approver.browser, victim);
    const after = await approver.browser.call(`${mount}/requests?state=decided`);
    for (const { body } of [list, decided, after])
      expect(JSON.stringify(body)).not.toContain('"number"');
    expect(JSON.stringify(await entriesOf(app, victim.deviceId))).not.toContain('number');
    expect((await victim.browser.ask()).body.number).toBeNull();
  });

  it.each([
    ['a number', 42],
    ['an array', ['42']],
    ['an object', { $ne: 1 }],
    ['full-width digits', '４２'],
    ['Arabic digits', '٤٢'],
    ['three digits', '042'],
    ['one digit', '4'],
    ['with a space', '42 '],
    ['with a line break', '42\n'],
    ['null', null],
    ['missing', undefined],
  ])('sent as %s is 422 and does not count as a try', async (_what, number) => {
    const victim = await pending();
    const before = await deviceInventory(app);
    expect(await approver.browser.approve(victim.asked.body.request_id, number)).toMatchObject({
      status: 422,
    });
    expect(await deviceInventory(app)).toEqual(before);
  });
});

describe('a settled request', () => {
  it('case 50 › twenty parallel approvals approve once', async () => {
    const victim = await pending();
    const answers = await parallel(20, () => approveBy(approver.browser, victim));
    expect(tally(answers)).toEqual({ 200: 1, 409: 19 });
    expect((await entriesOf(app, victim.deviceId)).map(({ action }) => action)).toEqual([
      'device.requested',
      'device.cleared',
    ]);
  });

  it('is either approved or denied, never both', async () => {
    for (let round = 0; round < 10; round += 1) {
      const victim = await pending();
      const answers = await Promise.all([
        approveBy(approver.browser, victim),
        approver.browser.deny(victim.asked.body.request_id),
      ]);
      expect(tally(answers)).toEqual({ 200: 1, 409: 1 });
      expect(await entriesOf(app, victim.deviceId)).toHaveLength(2);
    }
  });

  it('case 50 › can not be approved after a decision, withdrawal or revocation', async () => {
    const [denied, approved, withdrawn, revoked] = [
      await pending(),
      await pending(),
      await pending(),
      await pending(),
    ];
    await approver.browser.deny(denied.asked.body.request_id);
    await approveBy(approver.browser, approved);
    await withdrawn.browser.revoke({ device_id: withdrawn.deviceId });
    await manage().revoke(revoked.deviceId, 'all', system, 'test');
    for (const each of [denied, approved, withdrawn, revoked])
      await expectRefused(() => approveBy(approver.browser, each), 409, 'blackops.already_decided');
    await expectRefused(
      () => approver.browser.deny(approved.asked.body.request_id),
      409,
      'blackops.already_decided',
    );
    await expectRefused(
      () => approver.browser.approve(randomUUID(), '42'),
      404,
      'blackops.request_not_found',
    );
  });

  it('case 50 › can not be approved after 72 hours, even before a sweep', async () => {
    const victim = await pending();
    pass(72 * 60 * minute + 1000);
    const late = await clearedOn(app, { email: `late-${people++}@example.com` }, { now });
    expect(await approveBy(late.browser, victim)).toMatchObject({
      status: 409,
      body: { code: 'blackops.already_decided' },
    });
    expect((await storedDevice(app, victim.deviceId)).state).toBe('expired');
    expect(await clearByKey(app, victim.asked, asAdmin.authorization)).toMatchObject({
      status: 409,
    });
    expect((await entriesOf(app, victim.deviceId)).map(({ action }) => action)).toEqual([
      'device.requested',
      'device.expired',
    ]);
  });
});

it('every transition has one audit entry with its source and target state', async () => {
  const { browser, asked, deviceId } = await pending();
  await approver.browser.approve(asked.body.request_id, asked.body.number);
  await approver.browser.call(`${mount}/devices/${deviceId}/suspend`, { method: 'POST' });
  await approver.browser.call(`${mount}/devices/${deviceId}/restore`, { method: 'POST' });
  await browser.revoke({ device_id: deviceId });
  const ways = (await entriesOf(app, deviceId)).map(({ action, details }) => ({ action, details }));
  expect(ways).toMatchObject([
    { action: 'device.requested', details: { from: 'unknown', to: 'pending' } },
    { action: 'device.cleared', details: { from: 'pending', to: 'cleared' } },
    { action: 'device.suspended', details: { from: 'cleared', to: 'suspended' } },
    { action: 'device.restored', details: { from: 'suspended', to: 'cleared' } },
    { action: 'device.revoked', details: { from: 'cleared', to: 'revoked' } },
  ]);
});
