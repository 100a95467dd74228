import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect } from 'vitest';
import { hourMs, minuteMs } from '../../../../../src/lib/durations.ts';
import { parallel, tally } from '../../../../support/abuse.ts';
import { adminKey } from '../../../../support/app.ts';
import { TestClient, type TestResponse } from '../../../../support/client.ts';
import { type Cleared, type DeviceBrowser, mount } from '../../../../support/devices.ts';
import { it } from '../../../../support/test.ts';
import { useDevices, wrongNumber } from '../support.ts';

const lab = await useDevices();
const { actions, cleared, expectRefused, pass, pending, setDevice, signedIn, stateOf } = lab;
type Pending = Awaited<ReturnType<typeof pending>>;

let approver: Cleared;
beforeEach(async () => {
  approver = await cleared();
});

const approve = (by: DeviceBrowser, { requestId, number }: Pending): Promise<TestResponse> =>
  by.approve(requestId, number);
const notCleared = 'blackops.device_not_cleared';
const alreadyDecided = 'blackops.already_decided';

describe('case 50 › approval is refused to', () => {
  it('the owner, from another cleared device', async () => {
    const { browser } = approver;
    const own = await pending({ email: browser.self.email });
    await expectRefused(() => approve(browser, own), 403, 'blackops.own_request');
    await expectRefused(() => browser.deny(own.requestId), 403, 'blackops.own_request');
    const { body } = await browser.call(`${mount}/requests`);
    expect(body.requests).toContainEqual(
      expect.objectContaining({ request_id: own.requestId, own: true }),
    );
  });

  it('an admin whose device is in any state but cleared', async () => {
    const victim = await pending();
    const asking = await pending();
    await expectRefused(() => approve(asking.browser, victim), 403, notCleared);
    await approver.browser.deny(asking.requestId);
    await expectRefused(() => approve(asking.browser, victim), 403, notCleared);
    const unknown = await signedIn();
    await expectRefused(() => approve(unknown, victim), 403, notCleared);
    for (const state of ['expired', 'suspended'] as const) {
      await setDevice(approver.deviceId, { state });
      await expectRefused(() => approve(approver.browser, victim), 403, notCleared);
    }
    await lab.revokeBySystem(approver.deviceId);
    await expectRefused(() => approve(approver.browser, victim), 401, 'request.unauthenticated');
  });

  it('an admin on a device whose approval has expired, before any sweep', async () => {
    const victim = await pending();
    await setDevice(approver.deviceId, { expires_at: new Date(lab.now() - 1) });
    expect(await approve(approver.browser, victim)).toMatchObject({
      status: 403,
      body: { code: notCleared, device_state: 'expired' },
    });
    expect(await stateOf(victim.deviceId)).toBe('pending');
  });

  it('an admin who signed in more than five minutes ago', async () => {
    const { browser } = approver;
    const victim = await pending();
    pass(5 * minuteMs + 1000);
    const stale = 'auth.step_up_required';
    const refused = await expectRefused(() => approve(browser, victim), 401, stale);
    expect(refused.headers['www-authenticate']).toContain('max_age=300');
    await expectRefused(() => browser.deny(victim.requestId), 401, stale);
  });

  it.each([{ roles: ['viewer'] }, { roles: [] }] as const)(
    'a user with the roles $roles, also on a cleared device',
    async ({ roles }) => {
      const victim = await pending();
      const { browser } = await cleared({ roles });
      await expectRefused(() => approve(browser, victim), 403, 'request.forbidden');
      await expectRefused(() => browser.deny(victim.requestId), 403, 'request.forbidden');
    },
  );

  it('a signed-out client', async () => {
    const victim = await pending();
    const stranger = lab.newBrowser();
    await expectRefused(() => approve(stranger, victim), 401, 'request.unauthenticated');
  });

  it('an admin who has lost the role, in the same session', async () => {
    const victim = await pending();
    await lab.app.services.users.setRoles(approver.browser.self.userId, []);
    await expectRefused(() => approve(approver.browser, victim), 403, 'request.forbidden');
  });

  it('a stored API key with the scope admin: only ADMIN_API_KEY may approve', async () => {
    const { asked, requestId, deviceId, number } = await pending();
    const { key } = await lab.app.services.apiKeys.create({
      name: 'stored',
      scopes: ['admin'],
      expires_at: null,
    });
    const requests = new TestClient(lab.app).at(`${mount}/requests/${requestId}`);
    const stored = requests.as({ authorization: `Bearer ${key}` });
    const asDpop = requests.as({ authorization: `DPoP ${adminKey}` });
    for (const verb of ['/approve', '/deny']) {
      await expectRefused(() => stored.post(verb, { number }), 403, notCleared);
      await expectRefused(() => asDpop.post(verb, { number }), 401, 'request.unauthenticated');
    }
    expect(await lab.clear(asked)).toMatchObject({ status: 200, body: { state: 'cleared' } });
    expect((await lab.entries(deviceId)).at(-1)).toMatchObject({
      action: 'device.cleared',
      by: 'api_key',
      byId: 'env',
    });
  });
});

describe('the number of a request', () => {
  it('entered wrong three times denies the request for good', async () => {
    const victim = await pending();
    const guess = (by: number) =>
      approver.browser.approve(victim.requestId, wrongNumber(victim.number, by));
    expect(await guess(1)).toBeProblem(400, 'blackops.wrong_number');
    expect(await guess(2)).toBeProblem(400, 'blackops.wrong_number');
    expect(await stateOf(victim.deviceId)).toBe('pending');
    expect(await guess(3)).toBeProblem(400, 'blackops.wrong_number');
    expect(await lab.stored(victim.deviceId)).toMatchObject({
      state: 'denied',
      reasons: ['wrong_number'],
    });
    await expectRefused(() => approve(approver.browser, victim), 409, alreadyDecided);
    expect(await actions(victim.deviceId)).toEqual(['device.requested', 'device.denied']);
  });

  it('can be guessed three times in all, by two admins with forty parallel tries', async () => {
    const { requestId, number, deviceId } = await pending();
    const { browser: second } = await cleared();
    const responses = await parallel(40, (at) =>
      (at % 2 === 0 ? second : approver.browser).approve(requestId, wrongNumber(number, 1 + at)),
    );
    expect(tally(responses)).toEqual({ 400: 3, 409: 37 });
    expect(await actions(deviceId)).toEqual(['device.requested', 'device.denied']);
    expect(await stateOf(deviceId)).toBe('denied');
  });

  it('appears only in responses to the owner, and not in the audit log', async () => {
    const victim = await pending();
    const responses = [
      await approver.browser.call(`${mount}/requests`),
      await approve(approver.browser, victim),
      await approver.browser.call(`${mount}/requests?state=decided`),
    ];
    for (const { text } of responses) expect(text).not.toContain('"number"');
    expect(JSON.stringify(await lab.entries(victim.deviceId))).not.toContain('number');
    expect((await victim.browser.ask()).body.number).toBeNull();
  });

  describe('that is malformed', () => {
    let requestId = '';
    beforeAll(async () => {
      ({ requestId } = await pending());
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
    ])('is 422 and does not count as a try: %s', async (_what, number) => {
      const { browser } = approver;
      const refused = await lab.expectUnchanged(() => browser.approve(requestId, number));
      expect(refused).toBeInvalid('body.number');
    });
  });
});

describe('a settled request', () => {
  it('case 50 › can not be approved after a decision, withdrawal or revocation', async () => {
    const { browser } = approver;
    const denied = await pending();
    const approved = await pending();
    const withdrawn = await pending();
    const revoked = await pending();
    await browser.deny(denied.requestId);
    await approve(browser, approved);
    await withdrawn.browser.revoke({ device_id: withdrawn.deviceId });
    await lab.revokeBySystem(revoked.deviceId);
    for (const settled of [denied, approved, withdrawn, revoked])
      await expectRefused(() => approve(browser, settled), 409, alreadyDecided);
    await expectRefused(() => browser.deny(approved.requestId), 409, alreadyDecided);
    const unknown = () => browser.approve(randomUUID(), '42');
    await expectRefused(unknown, 404, 'blackops.request_not_found');
  });

  it('case 50 › can not be approved after 72 hours, even before a sweep', async () => {
    const victim = await pending();
    pass(72 * hourMs + 1000);
    const { browser } = await cleared();
    expect(await approve(browser, victim)).toBeProblem(409, alreadyDecided);
    expect(await stateOf(victim.deviceId)).toBe('expired');
    expect(await lab.clear(victim.asked)).toMatchObject({ status: 409 });
    expect(await actions(victim.deviceId)).toEqual(['device.requested', 'device.expired']);
  });
});
