import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSweep } from '../../../src/areas/blackops/clearance/expiry.ts';
import { createTransitions } from '../../../src/areas/blackops/transitions.ts';
import { createLogger } from '../../../src/platform/process/logger.ts';
import { asAdmin, freshApp, type FreshApp } from '../../support/app.ts';
import { clearByKey, createDeviceBrowser, type DeviceBrowser } from '../../support/devices.ts';

const mount = '/api/auth/blackops';
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const start = Date.UTC(2026, 0, 5, 9);

let app: FreshApp;
const clock = { at: start, now: () => clock.at };
let people = 0;

beforeAll(async () => {
  app = await freshApp({ clock, env: { DEVICE_FIRST: 'nobody' } });
}, 30_000);
afterAll(() => app.close());
beforeEach(() => {
  clock.at += 500 * day;
});

async function somebody(): Promise<{
  browser: DeviceBrowser;
  signIn: (acr?: 'aal1' | 'aal2') => Promise<string>;
}> {
  const email = `person-${(people += 1)}@example.com`;
  const browser = createDeviceBrowser(app, { now: clock.now });
  const signIn = (acr: 'aal1' | 'aal2' = 'aal1') =>
    browser.signIn({ email, acr, roles: ['admin'] });
  await signIn();
  return { browser, signIn };
}

async function cleared() {
  const { browser, signIn } = await somebody();
  const asked = await browser.ask();
  expect((await clearByKey(app, asked, asAdmin.authorization)).status).toBe(200);
  return { browser, signIn, id: String(asked.body.device_id), asked };
}

const sweep = () => app.services.devices.sweep.sweep();
const stored = (id: string) =>
  app.stores.db.selectFrom('devices').selectAll().where('id', '=', id).executeTakeFirst();
const actionsOn = async (id: string) =>
  (
    await app.stores.db
      .selectFrom('audit_events')
      .select(['action', 'actor_kind'])
      .where('target_id', '=', id)
      .orderBy('at')
      .orderBy('action')
      .execute()
  ).map(({ action, actor_kind: kind }) => `${action} ${kind}`);

describe('clearance', () => {
  it('ends after 30 days without use, to the millisecond', async () => {
    const { id } = await cleared();
    clock.at += 30 * day - 1;
    await sweep();
    expect(await stored(id)).toMatchObject({ state: 'cleared' });
    clock.at += 1;
    await sweep();
    expect(await stored(id)).toMatchObject({ state: 'expired', expires_at: null, reasons: [] });
    expect(await actionsOn(id)).toEqual([
      'device.cleared api_key',
      'device.requested user',
      'device.expired system',
    ]);
    await sweep();
    expect(await actionsOn(id)).toHaveLength(3);
  });

  it('is extended to 30 days by every use', async () => {
    const { browser, signIn, id } = await cleared();
    for (let time = 0; time < 2; time += 1) {
      clock.at += 30 * day - 1;
      await signIn();
      expect(await browser.console()).toMatchObject({ status: 200 });
      expect((await stored(id))?.expires_at?.getTime()).toBe(clock.at + 30 * day);
    }
    await sweep();
    expect(await stored(id)).toMatchObject({ state: 'cleared' });
  });

  it('ends after 90 days, even with daily use', async () => {
    const { browser, signIn, id } = await cleared();
    const begun = clock.at;
    for (let each = 1; each < 90; each += 1) {
      clock.at = begun + each * day;
      await signIn();
      expect((await browser.call(`${mount}/requests`)).status, `day ${each}`).toBe(200);
    }
    expect((await stored(id))?.expires_at?.getTime()).toBe(begun + 90 * day);
    clock.at = begun + 90 * day - 1;
    await signIn();
    expect((await browser.console()).status).toBe(200);
    clock.at += 1;
    expect((await browser.console()).status).toBe(403);
    expect(await stored(id)).toMatchObject({ state: 'expired' });
  });

  it.each(['console', 'requests', 'audit', 'approve'])(
    'that has expired is refused before any sweep: %s',
    async (what) => {
      const { browser, signIn, id } = await cleared();
      const asked = await (await somebody()).browser.ask();
      clock.at += 30 * day;
      await signIn();
      const answer =
        what === 'console'
          ? await browser.console()
          : what === 'requests'
            ? await browser.call(`${mount}/requests`)
            : what === 'audit'
              ? await browser.call('/api/v1/audit')
              : await browser.approve(asked.body.request_id, asked.body.number);
      expect(answer).toMatchObject({
        status: 403,
        body: {
          code: 'blackops.device_not_cleared',
          device_state: 'expired',
          requirements: ['clearance'],
        },
      });
      expect(await stored(id)).toMatchObject({ state: 'expired' });
      expect(await browser.status()).toMatchObject({
        body: { state: 'expired', cleared: false, expires_at: null, requirements: ['clearance'] },
      });
    },
  );

  it('can be granted again to an expired device, for the full time', async () => {
    const { browser, signIn, id } = await cleared();
    clock.at += 95 * day;
    await signIn();
    const asked = await browser.ask();
    expect(asked).toMatchObject({ status: 200, body: { device_id: id, state: 'pending' } });
    expect((await clearByKey(app, asked, asAdmin.authorization)).status).toBe(200);
    expect((await stored(id))?.expires_at?.getTime()).toBe(clock.at + 30 * day);
    expect(await browser.console()).toMatchObject({ status: 200 });
  });

  it('that is restored ends 90 days after it was granted, not after the restore', async () => {
    const { browser, signIn, id } = await cleared();
    const begun = clock.at;
    expect((await browser.call(`${mount}/devices/${id}/suspend`, { method: 'POST' })).status).toBe(
      200,
    );
    clock.at = begun + 80 * day;
    await signIn('aal2');
    expect((await browser.call(`${mount}/devices/${id}/restore`, { method: 'POST' })).status).toBe(
      200,
    );
    expect((await stored(id))?.expires_at?.getTime()).toBe(begun + 90 * day);
  });

  it('that is restored after its 90 days is expired', async () => {
    const { browser, signIn, id } = await cleared();
    expect((await browser.call(`${mount}/devices/${id}/suspend`, { method: 'POST' })).status).toBe(
      200,
    );
    clock.at += 91 * day;
    await signIn('aal2');
    expect(await browser.call(`${mount}/devices/${id}/restore`, { method: 'POST' })).toMatchObject({
      body: { state: 'expired', expires_at: null },
    });
    expect((await browser.console()).status).toBe(403);
    expect(await stored(id)).toMatchObject({ state: 'expired' });
  });

  it('of a suspended device does not expire, and does not return after a wait', async () => {
    const { browser, id } = await cleared();
    await browser.call(`${mount}/devices/${id}/suspend`, { method: 'POST' });
    clock.at += 400 * day;
    await sweep();
    expect(await stored(id)).toMatchObject({ state: 'suspended', expires_at: null });
  });

  it('is neither extended nor ended when the clock is set back an hour', async () => {
    const { browser, id } = await cleared();
    clock.at += 10 * minute;
    expect((await browser.console()).status).toBe(200);
    const end = (await stored(id))?.expires_at?.getTime() ?? 0;
    clock.at -= hour;
    await sweep();
    expect(await stored(id)).toMatchObject({ state: 'cleared' });
    const answer = await browser.console();
    expect(answer.status).toBe(200);
    const after = await stored(id);
    expect(after).toMatchObject({ state: 'cleared', reasons: [] });
    expect(after?.expires_at?.getTime()).toBeLessThanOrEqual(end);
    expect(after?.expires_at?.getTime()).toBeGreaterThanOrEqual(end - hour - 10 * minute);
    clock.at += hour;
    expect((await browser.console()).status).toBe(200);
  });
});

describe('a request', () => {
  it('without a decision expires after 72 hours, together with its device', async () => {
    const { browser, signIn } = await somebody();
    const asked = await browser.ask();
    const id = String(asked.body.device_id);
    clock.at += 72 * hour - 1;
    await sweep();
    expect(await stored(id)).toMatchObject({ state: 'pending' });
    clock.at += 1;
    expect(await clearByKey(app, asked, asAdmin.authorization)).toMatchObject({
      status: 409,
      body: { code: 'blackops.already_decided' },
    });
    expect(await stored(id)).toMatchObject({ state: 'expired' });
    expect(
      await app.stores.db
        .selectFrom('clearance_requests')
        .select(['state', 'decided_by'])
        .where('device_id', '=', id)
        .execute(),
    ).toEqual([{ state: 'expired', decided_by: 'system' }]);
    expect(await actionsOn(id)).toEqual(['device.requested user', 'device.expired system']);
    await signIn();
    expect(await browser.ask()).toMatchObject({
      status: 200,
      body: { device_id: id, state: 'pending' },
    });
    expect(await clearByKey(app, asked, asAdmin.authorization)).toMatchObject({ status: 409 });
  });

  it.each(['the sweep', 'the device itself'])(
    'that has expired is closed by %s, and does not block the next one',
    async (who) => {
      const { browser, signIn } = await somebody();
      const { body } = await browser.ask();
      clock.at += 72 * hour;
      if (who === 'the sweep') await sweep();
      await signIn();
      expect(await browser.status()).toMatchObject({ body: { state: 'expired' } });
      expect(await browser.ask()).toMatchObject({
        status: 200,
        body: { device_id: body.device_id, state: 'pending' },
      });
      await sweep();
      const requests = await app.stores.db
        .selectFrom('clearance_requests')
        .select('state')
        .where('device_id', '=', String(body.device_id))
        .orderBy('created_at')
        .execute();
      expect(requests).toEqual([{ state: 'expired' }, { state: 'open' }]);
    },
  );

  it('is not listed after it has expired, even before a sweep', async () => {
    const asked = await (await somebody()).browser.ask();
    const listed = async () => {
      const { requests } = (
        await app.http.inject({ url: `${mount}/requests`, headers: asAdmin })
      ).json<{ requests: { request_id: string }[] }>();
      return requests.some(({ request_id: id }) => id === asked.body.request_id);
    };
    expect(await listed()).toBe(true);
    clock.at += 72 * hour;
    expect(await listed()).toBe(false);
  });
});

describe('the sweep', () => {
  it('expires all overdue devices in batches, and no others', async () => {
    const all = await Promise.all(Array.from({ length: 7 }, () => cleared()));
    const waiting = await Promise.all(
      Array.from({ length: 5 }, async () => (await somebody()).browser.ask()),
    );
    const kept = await cleared();
    clock.at += 29 * day;
    await kept.signIn();
    expect((await kept.browser.console()).status).toBe(200);
    clock.at += day;
    const { db } = app.stores;
    const { audit, sessions } = app.services;
    await createSweep({
      db,
      clock,
      batch: 2,
      transitions: createTransitions({
        db,
        audit,
        sessions,
        publisher: app.services.bus,
        clock,
        logger: createLogger({ level: 'silent' }),
      }),
    }).sweep();
    for (const { id } of all) expect(await stored(id)).toMatchObject({ state: 'expired' });
    for (const { body } of waiting)
      expect(await stored(String(body.device_id))).toMatchObject({ state: 'expired' });
    expect(await stored(kept.id)).toMatchObject({ state: 'cleared' });
  });

  it('completes a revocation that was interrupted before the sessions ended', async () => {
    const { browser, signIn, id } = await cleared();
    const admin = await cleared();
    expect((await admin.browser.revoke({ device_id: id })).status).toBe(200);
    expect(await stored(id)).toMatchObject({
      state: 'revoked',
      sessions_ended_at: new Date(clock.at),
      secret_hash: null,
    });
    // Simulates a crash between the writes to the two stores.
    await app.stores.db
      .updateTable('devices')
      .set({ sessions_ended_at: null })
      .where('id', '=', id)
      .execute();
    const sessionId = await signIn();
    const { userId } = browser.self;
    await app.services.sessions.setDevice(userId, sessionId, {
      id,
      state: 'cleared',
      jkt: null,
      proved_at: 0,
      proved_from: '',
      passkey_at: 0,
    });
    const other = await somebody();
    expect((await browser.call('/api/auth/me')).status).toBe(200);
    await sweep();
    expect((await browser.call('/api/auth/me')).status).toBe(401);
    expect(await app.services.sessions.list(userId)).toEqual([]);
    expect(await stored(id)).toMatchObject({ sessions_ended_at: new Date(clock.at) });
    expect((await other.browser.call('/api/auth/me')).status).toBe(200);
    expect(await actionsOn(id)).toHaveLength(3);
  });

  it('updates the sessions on a device whose clearance has ended', async () => {
    const { browser, signIn } = await cleared();
    clock.at += 30 * day;
    await signIn();
    await sweep();
    expect((await browser.call('/api/auth/me')).body).toMatchObject({
      session: { device_state: 'expired' },
    });
  });
});

describe('the retention', () => {
  it('deletes devices 400 days after they were last cleared, with their requests', async () => {
    const removed = await cleared();
    expect((await removed.browser.revoke({ device_id: removed.id })).status).toBe(200);
    const refused = await (await somebody()).browser.ask();
    expect(
      (
        await app.http.inject({
          method: 'POST',
          url: `${mount}/requests/${String(refused.body.request_id)}/deny`,
          headers: asAdmin,
        })
      ).statusCode,
    ).toBe(200);
    const suspended = await cleared();
    await suspended.browser.call(`${mount}/devices/${suspended.id}/suspend`, { method: 'POST' });
    const old = await cleared();
    const waiting = await (await somebody()).browser.ask();
    const refusedId = String(refused.body.device_id);
    clock.at += 400 * day;
    await sweep();
    await app.services.devices.sweep.clean();
    expect(await stored(removed.id)).toBeDefined();
    expect(await stored(refusedId)).toBeDefined();
    clock.at += 1;
    await app.services.devices.sweep.clean();
    expect(await stored(removed.id)).toBeUndefined();
    expect(await stored(refusedId)).toBeUndefined();
    expect(await stored(suspended.id)).toBeUndefined();
    // These expired only at the sweep, so their retention has just begun.
    expect(await stored(old.id)).toMatchObject({ state: 'expired' });
    expect(await stored(String(waiting.body.device_id))).toMatchObject({ state: 'expired' });
    expect(
      await app.stores.db
        .selectFrom('clearance_requests')
        .select('id')
        .where('device_id', 'in', [removed.id, refusedId])
        .execute(),
    ).toEqual([]);
  });

  it('lets a browser with a deleted device request clearance as a new one', async () => {
    const { browser, signIn, id } = await cleared();
    const cookie = browser.jar.get('svc_device') ?? '';
    expect((await browser.revoke({ device_id: id })).status).toBe(200);
    clock.at += 401 * day;
    await app.services.devices.sweep.clean();
    browser.jar.set('svc_device', cookie);
    await signIn();
    const asked = await browser.ask();
    expect(asked).toMatchObject({ status: 200, body: { state: 'pending' } });
    expect(asked.body.device_id).not.toBe(id);
  });
});

describe('the job', () => {
  it('runs every minute without a trigger', async () => {
    const { id } = await cleared();
    clock.at += 30 * day;
    await app.services.queues.start();
    await expect.poll(async () => (await stored(id))?.state, { timeout: 10_000 }).toBe('expired');
    const { handlers } = await app.services.queues.observe();
    expect(handlers).toEqual(
      expect.arrayContaining([expect.objectContaining({ name: 'devices-expiry' })]),
    );
    const every = async (name: string) =>
      Number(await app.stores.redis.hget(`jobs:${name}:repeat:${name}`, 'every'));
    expect(await every('devices-expiry')).toBe(minute);
  });
});
