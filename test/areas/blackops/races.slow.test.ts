import { beforeAll, describe, expect } from 'vitest';
import { asAdmin, type TestApp } from '../../support/app.ts';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import { parallel, tally } from '../../support/abuse.ts';
import {
  clearByKey,
  clearedOn,
  createDeviceBrowser,
  type DeviceBrowser,
} from '../../support/devices.ts';
import type { Answer } from '../../support/sign-in.ts';

// Concurrent requests. With TEST_STORES=postgres they run against a real server, with concurrent
// transactions.
const mount = '/api/auth/blackops';
const minute = 60_000;
const day = 86_400_000;
const rounds = 50;

let app: TestApp;
let boss: DeviceBrowser;
const clock = { at: Date.UTC(2026, 0, 5, 9), now: () => clock.at };
let people = 0;

beforeAll(async () => {
  app = await sharedApp('devices', { clock });
  boss = (await clearedOn(app, { email: 'boss@example.com' }, { now: clock.now })).browser;
}, 30_000);

/** Signs in a new user. */
async function somebody(acr: 'aal1' | 'aal2' = 'aal1'): Promise<DeviceBrowser & { email: string }> {
  const email = `racer-${(people += 1)}@example.com`;
  const browser = createDeviceBrowser(app, { now: clock.now });
  await browser.signIn({ email, roles: ['admin'], acr });
  return Object.assign(browser, { email });
}

/** Signs in again, to make the session fresh. */
const again = (browser: DeviceBrowser, email: string, acr: 'aal1' | 'aal2' = 'aal1') =>
  browser.signIn({ email, acr });

async function clearedDevice(acr: 'aal1' | 'aal2' = 'aal1') {
  const browser = await somebody(acr);
  const asked = await browser.ask();
  expect((await clearByKey(app, asked, asAdmin.authorization)).status).toBe(200);
  return { browser, id: String(asked.body.device_id) };
}

const stateOf = async (id: unknown) =>
  app.stores.db
    .selectFrom('devices')
    .select(['state', 'reasons', 'expires_at', 'sessions_ended_at'])
    .where('id', '=', String(id))
    .executeTakeFirstOrThrow();
const requestOf = async (id: unknown) =>
  app.stores.db
    .selectFrom('clearance_requests')
    .select(['state', 'decided_by'])
    .where('device_id', '=', String(id))
    .execute();

/**
 * Returns the transitions of a device from the audit log, and asserts that each starts from the
 * state that the previous one led to.
 */
async function chainOf(id: unknown): Promise<string[]> {
  const rows = await app.stores.db
    .selectFrom('audit_events')
    .select('details')
    .where('target_id', '=', String(id))
    .execute();
  const left = rows.flatMap(({ details }) => {
    const { transition, from, to } = details as { transition?: string; from: string; to: string };
    return transition === undefined ? [] : [{ transition, from, to }];
  });
  const chain: string[] = [];
  for (let state = 'unknown'; left.length > 0;) {
    const next = left.findIndex(({ from }) => from === state);
    expect(next, `nothing leads on from ${state}: ${JSON.stringify(left)}`).toBeGreaterThanOrEqual(
      0,
    );
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
function expectOneWinner(answers: readonly Answer[]): void {
  const { 200: won = 0, 409: late = 0, 503: shed = 0 } = tally(answers);
  expect(won + late + shed).toBe(answers.length);
  expect(won).toBeLessThan(2);
  if (shed === 0) expect(won).toBe(1);
}

describe('a request with many concurrent decisions', () => {
  it('is approved once by 200 approvals of five admins', async () => {
    const approvers = [boss];
    for (let at = 0; at < 4; at += 1) approvers.push((await clearedDevice()).browser);
    const { body } = await (await somebody()).ask();
    const answers = await parallel(200, (at) =>
      approvers[at % 5]!.approve(body.request_id, body.number),
    );
    expectOneWinner(answers);
    for (const answer of answers)
      if (answer.status === 409) expect(answer.body.code).toBe('blackops.already_decided');
    expect(await stateOf(body.device_id)).toMatchObject({ state: 'cleared' });
    expect(await chainOf(body.device_id)).toEqual(['request', 'approve']);
    const winner = answers.findIndex(({ status }) => status === 200);
    const [request] = await requestOf(body.device_id);
    expect(request).toMatchObject({ state: 'approved' });
    expect(approvers.map(({ self }) => self.userId)).toContain(request?.decided_by);
    if (winner >= 0) expect(request?.decided_by).toBe(approvers[winner % 5]?.self.userId);
  }, 60_000);

  it('is either approved or denied, by 100 decisions each', async () => {
    const { body } = await (await somebody()).ask();
    const answers = await parallel(200, (at) =>
      at % 2 === 0 ? boss.deny(body.request_id) : boss.approve(body.request_id, body.number),
    );
    expectOneWinner(answers);
    const { state } = await stateOf(body.device_id);
    const isDenied = state === 'denied';
    expect(isDenied ? 'denied' : 'cleared').toBe(state);
    const winner = answers.findIndex(({ status }) => status === 200);
    if (winner >= 0) expect(winner % 2 === 0).toBe(isDenied);
    expect(await chainOf(body.device_id)).toEqual(['request', isDenied ? 'deny' : 'approve']);
  }, 60_000);

  it('is denied by the third of 60 wrong numbers, and counts no more', async () => {
    const { body } = await (await somebody()).ask();
    const wrong = String((Number(body.number) + 1) % 100).padStart(2, '0');
    expect(tally(await parallel(60, () => boss.approve(body.request_id, wrong)))).toEqual({
      400: 3,
      409: 57,
    });
    expect(await chainOf(body.device_id)).toEqual(['request', 'deny']);
    expect(await boss.approve(body.request_id, body.number)).toMatchObject({ status: 409 });
  }, 60_000);
});

describe('a device', () => {
  it('that is removed and approved concurrently is never cleared afterwards', async () => {
    const seen = new Set<string>();
    for (let round = 0; round < rounds; round += 1) {
      const owner = await somebody();
      const { body } = await owner.ask();
      const [approved, revoked] = await Promise.all([
        boss.approve(body.request_id, body.number),
        owner.revoke({ device_id: body.device_id }),
      ]);
      expect([200, 409]).toContain(approved.status);
      expect(revoked).toMatchObject({ status: 200, body: { revoked: true, sessions_ended: 1 } });
      expect(await stateOf(body.device_id)).toMatchObject({
        state: 'revoked',
        expires_at: null,
        sessions_ended_at: expect.any(Date) as Date,
      });
      const chain = await chainOf(body.device_id);
      expect(chain).toEqual(
        approved.status === 200 ? ['request', 'approve', 'revoke'] : ['request', 'revoke'],
      );
      expect(await requestOf(body.device_id)).toMatchObject([
        { state: approved.status === 200 ? 'approved' : 'withdrawn' },
      ]);
      expect(await app.services.sessions.list(owner.self.userId)).toEqual([]);
      seen.add(chain.join());
    }
    expect(seen.size).toBeGreaterThan(0);
  }, 120_000);

  it('that requests 50 times concurrently gets one request', async () => {
    const owner = await somebody();
    const answers = await parallel(50, () => owner.ask());
    expect(tally(answers)).toEqual({ 200: 50 });
    expect(
      new Set(answers.map(({ body }) => `${String(body.device_id)} ${String(body.request_id)}`))
        .size,
    ).toBe(1);
    // Only the response that sets the cookie has the number: other clients may be someone else.
    for (const { headers, body } of answers)
      expect(body.number !== null).toBe(String(headers['set-cookie']).includes('svc_device='));
    expect(
      answers.filter(({ headers }) => String(headers['set-cookie']).includes('svc_device=')),
    ).toHaveLength(1);
    const [{ device_id: id } = {}] = answers.map(({ body }) => body);
    expect(
      await app.stores.db
        .selectFrom('devices')
        .select('id')
        .where('user_id', '=', owner.self.userId)
        .execute(),
    ).toEqual([{ id }]);
    expect(await requestOf(id)).toEqual([{ state: 'open', decided_by: null }]);
    expect(await chainOf(id)).toEqual(['request']);
    expect(await owner.status()).toMatchObject({ body: { device_id: id, state: 'pending' } });
  }, 60_000);

  it('that has expired gets one request from 20 concurrent ones', async () => {
    const { browser, id } = await clearedDevice();
    clock.at += 31 * day;
    await again(browser, browser.email);
    const answers = await parallel(20, () => browser.ask());
    await again(boss, 'boss@example.com');
    expect((await clearByKey(app, await boss.ask(), asAdmin.authorization)).status).toBe(200);
    expect((await requestOf(id)).filter(({ state }) => state === 'open')).toHaveLength(1);
    expect(await chainOf(id)).toEqual(['request', 'approve', 'expire', 'request']);
    expect(tally(answers)).toEqual({ 200: 20 });
    const open = await app.stores.db
      .selectFrom('clearance_requests')
      .select(['id', 'number'])
      .where('device_id', '=', id)
      .where('state', '=', 'open')
      .executeTakeFirst();
    for (const { body } of answers)
      expect({ id: body.request_id, number: body.number }).toEqual(open);
  }, 60_000);

  it('whose clearance has expired is admitted by none of many concurrent requests', async () => {
    const admitted: number[] = [];
    for (let round = 0; round < 10; round += 1) {
      const { browser, id } = await clearedDevice();
      clock.at += 31 * day;
      await again(browser, browser.email);
      const answers = await parallel(10, (at) =>
        at % 2 === 0 ? browser.call(`${mount}/requests`) : browser.status(),
      );
      admitted.push(
        answers.filter(({ status, body }) => (body.cleared ?? status === 200) !== false).length,
      );
      expect(await chainOf(id)).toEqual(['request', 'approve', 'expire']);
    }
    await again(boss, 'boss@example.com');
    await clearByKey(app, await boss.ask(), asAdmin.authorization);
    expect(admitted).toEqual(admitted.map(() => 0));
  }, 60_000);

  it('that is used at the moment of its expiry is cleared or expired', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { browser, id } = await clearedDevice();
      const end = (await stateOf(id)).expires_at?.getTime() ?? 0;
      clock.at = end - 1;
      await again(browser, browser.email);
      const used = browser.status();
      for (let turn = 0; turn < round; turn += 1)
        await new Promise((resolve) => setImmediate(resolve));
      clock.at = end;
      const [answer] = await Promise.all([used, app.services.devices.sweep.sweep()]);
      expect(answer.status).toBe(200);
      const { state, expires_at: left } = await stateOf(id);
      if (state === 'cleared') expect(left?.getTime()).toBeGreaterThan(clock.at);
      else expect({ state, left }).toEqual({ state: 'expired', left: null });
      expect(await chainOf(id)).toEqual([
        'request',
        'approve',
        ...(state === 'cleared' ? [] : ['expire']),
      ]);
    }
    await again(boss, 'boss@example.com');
    await clearByKey(app, await boss.ask(), asAdmin.authorization);
  }, 60_000);

  it('whose request expires while it is approved is either approved or expired', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { body } = await (await somebody()).ask();
      clock.at += 72 * 3_600_000 - 1;
      await again(boss, 'boss@example.com');
      const approving = boss.approve(body.request_id, body.number);
      for (let turn = 0; turn < round; turn += 1)
        await new Promise((resolve) => setImmediate(resolve));
      clock.at += 1;
      const [answer] = await Promise.all([approving, app.services.devices.sweep.sweep()]);
      const isApproved = answer.status === 200;
      if (!isApproved)
        expect(answer).toMatchObject({ status: 409, body: { code: 'blackops.already_decided' } });
      expect(await stateOf(body.device_id)).toMatchObject({
        state: isApproved ? 'cleared' : 'expired',
      });
      expect(await requestOf(body.device_id)).toMatchObject([
        { state: isApproved ? 'approved' : 'expired' },
      ]);
      expect(await chainOf(body.device_id)).toEqual([
        'request',
        isApproved ? 'approve' : 'time_out',
      ]);
    }
  }, 60_000);

  it('that an admin suspends is not restored by a concurrent request of its owner', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const { browser, id } = await clearedDevice('aal2');
      await again(boss, 'boss@example.com');
      const suspending = boss.call(`${mount}/devices/${id}/suspend`, { method: 'POST' });
      for (let turn = 0; turn < round % 10; turn += 1)
        await new Promise((resolve) => setImmediate(resolve));
      const [suspended, restored] = await Promise.all([
        suspending,
        browser.call(`${mount}/devices/${id}/restore`, { method: 'POST' }),
      ]);
      expect(suspended.status).toBe(200);
      expect(await chainOf(id), `round ${round}: the owner has undone what an admin did`).toEqual([
        'request',
        'approve',
        'suspend',
      ]);
      expect(await stateOf(id)).toMatchObject({ state: 'suspended', reasons: ['admin'] });
      expect([403, 409]).toContain(restored.status);
    }
  }, 60_000);

  it('that is suspended and restored concurrently follows the table of transitions', async () => {
    const { browser, id } = await clearedDevice('aal2');
    const answers: Answer[] = [];
    for (let round = 0; round < 3; round += 1)
      answers.push(
        ...(await parallel(20, (at) =>
          browser.call(`${mount}/devices/${id}/${at % 2 === 0 ? 'suspend' : 'restore'}`, {
            method: 'POST',
          }),
        )),
      );
    for (const { status } of answers) expect([200, 403, 409]).toContain(status);
    const chain = await chainOf(id);
    // A request in flight with the cookie from before a restore carries an old secret, so a rule
    // suspends the device.
    const byPeople = await app.stores.db
      .selectFrom('audit_events')
      .select('id')
      .where('target_id', '=', id)
      .where('actor_id', '=', browser.self.userId)
      .where('action', 'in', ['device.suspended', 'device.restored'])
      .execute();
    expect(byPeople).toHaveLength(answers.filter(({ status }) => status === 200).length);
    chain.slice(2).forEach((name, at) => expect(name).toBe(at % 2 === 0 ? 'suspend' : 'restore'));
    expect(await stateOf(id)).toMatchObject({
      state: chain.at(-1) === 'restore' ? 'cleared' : 'suspended',
    });
  }, 60_000);

  it('that is removed keeps no session that is opened concurrently', async () => {
    let ended = 0;
    for (let round = 0; round < rounds; round += 1) {
      const { browser, id } = await clearedDevice();
      await again(boss, 'boss@example.com');
      const signingIn = again(browser, browser.email);
      for (let turn = 0; turn < round % 10; turn += 1)
        await new Promise((resolve) => setImmediate(resolve));
      const [, revoked] = await Promise.all([signingIn, boss.revoke({ device_id: id })]);
      expect(revoked.status).toBe(200);
      const left = await app.services.sessions.list(browser.self.userId);
      expect(left.filter(({ device }) => device?.id === id)).toEqual([]);
      if (left.length === 0) ended += 1;
      const status: Answer = await browser.status();
      expect(status.body.cleared).toBe(false);
      expect((await browser.console()).status).toBe(left.length === 0 ? 401 : 403);
    }
    expect(ended).toBeGreaterThan(0);
  }, 120_000);

  it('that is removed while in use keeps no session, and causes no error', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { browser, id } = await clearedDevice();
      await again(boss, 'boss@example.com');
      clock.at += 6 * minute;
      await again(boss, 'boss@example.com');
      const uses = parallel(10, (at) => (at % 2 === 0 ? browser.console() : browser.status()));
      const [revoked, ...answers] = (
        await Promise.all([boss.revoke({ device_id: id }), uses])
      ).flat();
      expect(revoked?.status).toBe(200);
      for (const { status } of answers) expect([200, 401, 403]).toContain(status);
      expect(
        (await app.services.sessions.list(browser.self.userId)).filter(
          ({ device }) => device?.id === id,
        ),
      ).toEqual([]);
      expect(await stateOf(id)).toMatchObject({ state: 'revoked' });
    }
  }, 60_000);

  it('is removed once by concurrent removals', async () => {
    const { browser, id } = await clearedDevice();
    await again(boss, 'boss@example.com');
    const everywhere = () =>
      app.services.devices.management.revokeAll(
        browser.self.userId,
        { actor: { kind: 'system' } },
        'user_disabled',
      );
    const answers = await parallel(20, () => boss.revoke({ device_id: id }));
    await parallel(20, everywhere);
    expect(tally(answers)).toEqual({ 200: 20 });
    expect(answers.reduce((sum, { body }) => sum + Number(body.sessions_ended), 0)).toBe(1);
    expect(await chainOf(id)).toEqual(['request', 'approve', 'revoke']);
  }, 60_000);
});
