import { describe, expect } from 'vitest';
import { dayMs, hourMs, minuteMs } from '../../../../src/lib/durations.ts';
import { parallel, tally } from '../../../support/abuse.ts';
import type { TestResponse } from '../../../support/client.ts';
import { mount } from '../../../support/devices.ts';
import { rounds } from '../../../support/rounds.ts';
import { it } from '../../../support/test.ts';
import { createTestClock, useDevices } from './support.ts';

const often = rounds(20, 50);
const clock = createTestClock(Date.UTC(2026, 0, 5, 9));
const lab = await useDevices(clock);
const { cleared, devicesOf, pass, pending, requestsOf, stateOf } = lab;
const { browser: boss } = await cleared();

/** Turns of the event loop, to let a request get a little further. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Clears the admin's device again, after time has passed. */
async function clearBoss(): Promise<TestResponse> {
  await boss.signIn();
  return lab.clear(await boss.ask());
}

/**
 * Returns the transitions of a device from the audit log, and asserts that each starts from the
 * state that the previous one led to.
 */
async function chainOf(id: unknown): Promise<string[]> {
  const left = (await lab.entries(id)).flatMap(({ details }) => {
    const { transition, from, to } = details as { transition?: string; from: string; to: string };
    return transition === undefined ? [] : [{ transition, from, to }];
  });
  const chain: string[] = [];
  for (let state = 'unknown'; left.length > 0;) {
    const next = left.findIndex(({ from }) => from === state);
    expect(next, `nothing leads on from ${state}`).toBeGreaterThanOrEqual(0);
    const [step] = left.splice(next, 1);
    chain.push(step?.transition ?? '');
    state = step?.to ?? '';
  }
  return chain;
}

/**
 * Asserts that exactly one decision succeeded. On a busy machine requests may be shed with 503,
 * even the winning one.
 */
function expectOneWinner(responses: readonly TestResponse[]): void {
  const { 200: won = 0, 409: late = 0, 503: shed = 0 } = tally(responses);
  expect(won + late + shed).toBe(responses.length);
  expect(won).toBeLessThan(2);
  if (shed === 0) expect(won).toBe(1);
}

describe('a request with many concurrent decisions', () => {
  it('is approved once by 200 approvals of five admins', async () => {
    const approvers = [boss];
    while (approvers.length < 5) approvers.push((await cleared()).browser);
    const { requestId, number, deviceId } = await pending();
    const responses = await parallel(200, (at) =>
      (approvers[at % 5] ?? boss).approve(requestId, number),
    );
    expectOneWinner(responses);
    for (const response of responses)
      if (response.status === 409) expect(response).toBeProblem(409, 'blackops.already_decided');
    expect(await stateOf(deviceId)).toBe('cleared');
    expect(await chainOf(deviceId)).toEqual(['request', 'approve']);
    const winner = responses.findIndex(({ status }) => status === 200);
    const [request] = await requestsOf(deviceId);
    expect(request).toMatchObject({ state: 'approved' });
    expect(approvers.map(({ self }) => self.userId)).toContain(request?.decided_by);
    if (winner >= 0) expect(request?.decided_by).toBe(approvers[winner % 5]?.self.userId);
  }, 60_000);

  it('is either approved or denied, by 100 decisions each', async () => {
    const { requestId, number, deviceId } = await pending();
    const responses = await parallel(200, (at) =>
      at % 2 === 0 ? boss.deny(requestId) : boss.approve(requestId, number),
    );
    expectOneWinner(responses);
    const state = await stateOf(deviceId);
    expect(['denied', 'cleared']).toContain(state);
    const isDenied = state === 'denied';
    const winner = responses.findIndex(({ status }) => status === 200);
    if (winner >= 0) expect(winner % 2 === 0).toBe(isDenied);
    expect(await chainOf(deviceId)).toEqual(['request', isDenied ? 'deny' : 'approve']);
  }, 60_000);
});

describe('a device', () => {
  it('that is removed and approved concurrently is never cleared afterwards', async () => {
    for (let round = 0; round < often; round += 1) {
      const { browser: owner, requestId, number, deviceId } = await pending();
      const [approved, revoked] = await Promise.all([
        boss.approve(requestId, number),
        owner.revoke({ device_id: deviceId }),
      ]);
      expect([200, 409]).toContain(approved.status);
      expect(revoked).toMatchObject({ status: 200, body: { revoked: true, sessions_ended: 1 } });
      expect(await lab.stored(deviceId)).toMatchObject({
        state: 'revoked',
        expires_at: null,
        sessions_ended_at: expect.any(Date) as Date,
      });
      const isApproved = approved.status === 200;
      expect(await chainOf(deviceId)).toEqual(
        isApproved ? ['request', 'approve', 'revoke'] : ['request', 'revoke'],
      );
      expect(await requestsOf(deviceId)).toMatchObject([
        { state: isApproved ? 'approved' : 'withdrawn' },
      ]);
      expect(await lab.sessionDevices(owner.self.userId)).toEqual([]);
    }
  }, 120_000);

  it('that requests 50 times concurrently gets one request', async () => {
    const owner = await lab.signedIn();
    const responses = await parallel(50, () => owner.ask());
    expect(tally(responses)).toEqual({ 200: 50 });
    const [{ id } = { id: '' }, ...others] = await devicesOf(owner.self.userId);
    expect(others).toEqual([]);
    const [request, ...more] = await requestsOf(id);
    expect(request).toMatchObject({ state: 'open', decided_by: null });
    expect(more).toEqual([]);
    // Only the response that sets the cookie has the number: other clients may be someone else.
    let cookies = 0;
    for (const { headers, body } of responses) {
      expect(body).toMatchObject({ device_id: id, request_id: request?.id });
      const setsCookie = String(headers['set-cookie']).includes('svc_device=');
      expect(body.number !== null).toBe(setsCookie);
      if (setsCookie) cookies += 1;
    }
    expect(cookies).toBe(1);
    expect(await chainOf(id)).toEqual(['request']);
    expect((await owner.status()).body).toMatchObject({ device_id: id, state: 'pending' });
  }, 60_000);

  it('that has expired gets one request from 20 concurrent ones', async () => {
    const { browser, deviceId } = await cleared();
    pass(31 * dayMs);
    await browser.signIn();
    const responses = await parallel(20, () => browser.ask());
    expect(await clearBoss()).toMatchObject({ status: 200 });
    const open = (await requestsOf(deviceId)).filter(({ state }) => state === 'open');
    expect(open).toHaveLength(1);
    expect(await chainOf(deviceId)).toEqual(['request', 'approve', 'expire', 'request']);
    expect(tally(responses)).toEqual({ 200: 20 });
    for (const { body } of responses)
      expect(body).toMatchObject({ request_id: open[0]?.id, number: open[0]?.number });
  }, 60_000);

  it('whose approval has expired is admitted by none of many concurrent requests', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { browser, deviceId } = await cleared();
      pass(31 * dayMs);
      await browser.signIn();
      await parallel(10, async (at) => {
        if (at % 2 === 0) expect((await browser.call(`${mount}/requests`)).status).not.toBe(200);
        else expect((await browser.status()).body.cleared).toBe(false);
      });
      expect(await chainOf(deviceId)).toEqual(['request', 'approve', 'expire']);
    }
    await clearBoss();
  }, 60_000);

  it('that is used at the moment of its expiry is cleared or expired', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { browser, deviceId } = await cleared();
      const end = (await lab.stored(deviceId)).expires_at?.getTime() ?? 0;
      clock.set(end - 1);
      await browser.signIn();
      const used = browser.status();
      await turns(round);
      clock.set(end);
      const [response] = await Promise.all([used, lab.sweep()]);
      expect(response.status).toBe(200);
      const { state, expires_at: left } = await lab.stored(deviceId);
      if (state === 'cleared') expect(left?.getTime()).toBeGreaterThan(end);
      else expect({ state, left }).toEqual({ state: 'expired', left: null });
      const expired = state === 'cleared' ? [] : ['expire'];
      expect(await chainOf(deviceId)).toEqual(['request', 'approve', ...expired]);
    }
    await clearBoss();
  }, 60_000);

  it('whose request expires while it is approved is either approved or expired', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { requestId, number, deviceId } = await pending();
      pass(72 * hourMs - 1);
      await boss.signIn();
      const approving = boss.approve(requestId, number);
      await turns(round);
      pass(1);
      const [response] = await Promise.all([approving, lab.sweep()]);
      const isApproved = response.status === 200;
      if (!isApproved) expect(response).toBeProblem(409, 'blackops.already_decided');
      expect(await stateOf(deviceId)).toBe(isApproved ? 'cleared' : 'expired');
      expect(await requestsOf(deviceId)).toMatchObject([
        { state: isApproved ? 'approved' : 'expired' },
      ]);
      expect(await chainOf(deviceId)).toEqual(['request', isApproved ? 'approve' : 'time_out']);
    }
  }, 60_000);

  it('that an admin suspends is not restored by a concurrent request of its owner', async () => {
    for (let round = 0; round < often; round += 1) {
      const { browser, deviceId } = await cleared({ acr: 'aal2' });
      await boss.signIn();
      const suspending = boss.suspend(deviceId);
      await turns(round % 10);
      const [suspended, restored] = await Promise.all([suspending, browser.restore(deviceId)]);
      expect(suspended.status).toBe(200);
      expect(await chainOf(deviceId), `round ${round}: the owner has undone it`).toEqual([
        'request',
        'approve',
        'suspend',
      ]);
      expect(await lab.stored(deviceId)).toMatchObject({ state: 'suspended', reasons: ['admin'] });
      expect([403, 409]).toContain(restored.status);
    }
  }, 60_000);

  it('that is suspended and restored concurrently follows the table of transitions', async () => {
    const { browser, deviceId } = await cleared({ acr: 'aal2' });
    const responses: TestResponse[] = [];
    for (let round = 0; round < 3; round += 1)
      responses.push(
        ...(await parallel(20, (at) =>
          at % 2 === 0 ? browser.suspend(deviceId) : browser.restore(deviceId),
        )),
      );
    for (const { status } of responses) expect([200, 403, 409]).toContain(status);
    // A request in flight with the cookie from before a restore carries an old secret, so a rule
    // suspends the device.
    const byOwner = (await lab.entries(deviceId)).filter(
      ({ action, byId }) =>
        byId === browser.self.userId && /^device\.(?:suspended|restored)$/.test(action),
    );
    expect(byOwner).toHaveLength(responses.filter(({ status }) => status === 200).length);
    const [, , ...chain] = await chainOf(deviceId);
    for (const [at, name] of chain.entries()) expect(name).toBe(at % 2 ? 'restore' : 'suspend');
    expect(await stateOf(deviceId)).toBe(chain.at(-1) === 'restore' ? 'cleared' : 'suspended');
  }, 60_000);

  it('that is removed keeps no session that is opened concurrently', async () => {
    let ended = 0;
    for (let round = 0; round < often; round += 1) {
      const { browser, deviceId } = await cleared();
      await boss.signIn();
      const signingIn = browser.signIn();
      await turns(round % 10);
      const [, revoked] = await Promise.all([signingIn, boss.revoke({ device_id: deviceId })]);
      expect(revoked.status).toBe(200);
      const left = await lab.sessionDevices(browser.self.userId);
      expect(left).not.toContain(deviceId);
      if (left.length === 0) ended += 1;
      expect((await browser.status()).body.cleared).toBe(false);
      expect((await browser.console()).status).toBe(left.length === 0 ? 401 : 403);
    }
    expect(ended).toBeGreaterThan(0);
  }, 120_000);

  it('case 51 › that is removed while in use keeps no session, and causes no error', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { browser, deviceId } = await cleared();
      pass(6 * minuteMs);
      await boss.signIn();
      const uses = parallel(10, (at) => (at % 2 === 0 ? browser.console() : browser.status()));
      const [revoked, responses] = await Promise.all([boss.revoke({ device_id: deviceId }), uses]);
      expect(revoked.status).toBe(200);
      for (const { status } of responses) expect([200, 401, 403]).toContain(status);
      expect(await lab.sessionDevices(browser.self.userId)).toEqual([]);
      expect(await stateOf(deviceId)).toBe('revoked');
      expect(await chainOf(deviceId)).toEqual(['request', 'approve', 'revoke']);
    }
  }, 60_000);

  it('is removed once by concurrent removals', async () => {
    const { browser, deviceId } = await cleared();
    await boss.signIn();
    const responses = await parallel(20, () => boss.revoke({ device_id: deviceId }));
    await parallel(20, () =>
      lab.app.services.devices.management.revokeAll(
        browser.self.userId,
        { actor: { kind: 'system' } },
        'user_disabled',
      ),
    );
    expect(tally(responses)).toEqual({ 200: 20 });
    expect(responses.reduce((sum, { body }) => sum + Number(body.sessions_ended), 0)).toBe(1);
    expect(await chainOf(deviceId)).toEqual(['request', 'approve', 'revoke']);
  }, 60_000);
});
