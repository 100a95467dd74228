import { sql } from 'kysely';
import { beforeEach, describe, expect } from 'vitest';
import type { z } from 'zod';
import type { AuditEntry } from '../../../../src/areas/audit/service.ts';
import type {
  DashboardView,
  SeriesView,
} from '../../../../src/areas/identity/devices/dashboard/schemas.ts';
import { dayMs, hourMs, minuteMs } from '../../../../src/lib/durations.ts';
import { elapse } from '../../../support/abuse.ts';
import { asAdmin } from '../../../support/app.ts';
import { TestClient } from '../../../support/client.ts';
import { mount } from '../../../support/devices.ts';
import { codeFor } from '../../../support/sign-in.ts';
import { it } from '../../../support/test.ts';
import { createTestClock, useDevices } from './support.ts';

type Overview = z.output<typeof DashboardView>;
type Series = z.output<typeof SeriesView>;
type Entry = Partial<AuditEntry> & Pick<AuditEntry, 'action'>;

const midnight = Date.UTC(2026, 0, 20);
const noStates = {
  unknown: 0,
  pending: 0,
  cleared: 0,
  expired: 0,
  suspended: 0,
  denied: 0,
  revoked: 0,
};

const clock = createTestClock(midnight + 12 * hourMs);
const { now, pass, set } = clock;
const lab = await useDevices(clock);
const { cleared, pending, signedIn } = lab;
await lab.app.services.queues.start();
const client = new TestClient(lab.app);
const admin = client.as(asAdmin).at(mount);

beforeEach(async () => {
  set(midnight + 12 * hourMs);
  const { services, stores } = lab.app;
  await services.audit.settled();
  await sql`delete from audit_events`.execute(stores.db);
  await sql`delete from users`.execute(stores.db);
});

async function read<Body>(path: string): Promise<Body> {
  await lab.app.services.audit.settled();
  const response = await admin.get<Body>(path);
  expect(response.status, response.text).toBe(200);
  return response.body;
}
const overview = (days = 30) => read<Overview>(`/dashboard?days=${days}`);
const series = (days: number) => read<Series>(`/analytics?days=${days}`);

/** Records audit entries at a time, by default now. */
async function record(entries: Entry | readonly Entry[], at = now()): Promise<void> {
  const before = now();
  set(at);
  for (const entry of [entries].flat())
    await lab.app.services.audit.record({ actor: { kind: 'system' }, ...entry });
  set(before);
}

const countsOf = ({ series: lines }: Series, action: string) =>
  lines.find((line) => line.action === action)?.counts;

describe('the statistics of an unused service', () => {
  it('are complete and zero', async () => {
    expect(await read<Overview>('/dashboard')).toEqual({
      days: 30,
      states: noStates,
      pending: { total: 0, oldest_age_seconds: null, requests: [] },
      decisions: [],
      risk_events: [],
      stale_devices: [],
      admins_without_device: [],
      otp: { by_channel: [], by_country: [] },
      lockouts: {},
      refused_sends: [],
      top_networks: [],
    });
    const found = await series(3);
    expect(found).toMatchObject({
      days: ['2026-01-18', '2026-01-19', '2026-01-20'],
      states: noStates,
    });
    expect(found.totals).toEqual({});
    expect(found.series).toHaveLength(14);
    for (const { counts } of found.series) expect(counts).toEqual([0, 0, 0]);
  });
});

describe('the number of days', () => {
  it.each(['0', '91', '-1', '1.5', 'x', '1e9', ' ', 'NaN'])('can not be %j', async (days) => {
    for (const path of ['/dashboard', '/analytics'])
      expect(await admin.get(path, { query: { days } })).toBeInvalid('query.days');
  });

  it.each([1, 2, 90])('can be %i', async (days) => {
    expect((await overview(days)).days).toBe(days);
    const { days: dates, series: lines } = await series(days);
    expect(dates).toHaveLength(days);
    expect(dates.at(-1)).toBe('2026-01-20');
    expect(new Set(dates).size).toBe(days);
    for (const { counts } of lines) expect(counts).toHaveLength(days);
  });
});

describe('devices', () => {
  it('are counted by state, for all owners', async () => {
    const { browser } = await cleared();
    await cleared();
    await pending();
    const denied = await pending();
    await admin.post(`/requests/${denied.requestId}/deny`);
    const removed = await cleared();
    await removed.browser.revoke({ device_id: removed.deviceId });
    const suspended = await cleared();
    await suspended.browser.suspend(suspended.deviceId);
    const states = { ...noStates, cleared: 2, pending: 1, denied: 1, revoked: 1, suspended: 1 };
    expect((await overview()).states).toEqual(states);
    expect((await series(1)).states).toEqual(states);
    expect((await browser.console()).body).toMatchObject({ states });
  });

  it('that are pending are listed oldest first with their age, without expired ones', async () => {
    await pending();
    pass(71 * hourMs);
    const older = await pending();
    pass(30 * minuteMs);
    const newer = await pending();
    pass(30 * minuteMs + 999);
    const { requests, ...counts } = (await overview()).pending;
    expect(counts).toEqual({ total: 2, oldest_age_seconds: 3600 });
    expect(requests).toHaveLength(2);
    expect(requests).toMatchObject([
      { request_id: older.requestId, device_id: older.deviceId, age_seconds: 3600 },
      { request_id: newer.requestId, device_id: newer.deviceId, age_seconds: 1800 },
    ]);
  });

  it('that are pending are all counted, beyond the listed ones', async () => {
    const { browser } = await cleared();
    const { db } = lab.app.stores;
    const [at, end] = [new Date(now()), new Date(now() + hourMs)];
    await sql`
      insert into devices
        (id, user_id, state, state_at, name, fingerprint_hash, first_seen, last_seen, expires_at)
      select gen_random_uuid(), ${browser.self.userId}::uuid, 'pending', ${at}, 'waits', 'x',
        ${at}, ${at}, ${end}
      from generate_series(1, 60)`.execute(db);
    await sql`
      insert into clearance_requests
        (id, device_id, user_id, state, number, created_at, expires_at)
      select gen_random_uuid(), id, user_id, 'open', '42', first_seen, expires_at
      from devices where state = 'pending'`.execute(db);
    const found = await overview();
    expect(found.states).toMatchObject({ pending: 60 });
    expect(found.pending.requests).toHaveLength(50);
    expect(found.pending.total).toBe(60);
  });

  it('that are cleared and unused for 14 days are stale, longest unused first', async () => {
    const first = await cleared();
    pass(1);
    const second = await cleared();
    const suspended = await cleared();
    await suspended.browser.suspend(suspended.deviceId);
    const stale = async () => (await overview()).stale_devices;
    pass(14 * dayMs - 1);
    expect(await stale()).toEqual([]);
    pass(1);
    expect((await stale()).map(({ device_id: id }) => id)).toEqual([first.deviceId]);
    pass(1);
    expect(await stale()).toMatchObject([
      { device_id: first.deviceId, name: 'Chrome on macOS', user_id: first.browser.self.userId },
      { device_id: second.deviceId },
    ]);
  });

  it('list the active admins without a cleared one, and no other users', async () => {
    await cleared();
    const none = await signedIn();
    const { browser: waiting } = await pending();
    const { browser: lost, deviceId } = await cleared();
    await lost.revoke({ device_id: deviceId });
    const disabled = await signedIn();
    await lab.app.services.users.setDisabled(disabled.self.userId, true);
    await signedIn({ roles: ['viewer'] });
    const listed = (await overview()).admins_without_device.map(({ user_id: id }) => id);
    expect(listed.sort()).toEqual([none, waiting, lost].map(({ self }) => self.userId).sort());
  });
});

describe('decisions', () => {
  it('are the latest, newest first, with the deciding user', async () => {
    const { browser, deviceId: device_id } = await cleared();
    pass(minuteMs);
    await browser.suspend(device_id);
    pass(minuteMs);
    await browser.revoke({ device_id });
    const at = (minutes: number) => new Date(now() - minutes * minuteMs).toISOString();
    const owner = { reason: 'owner', by: { kind: 'user', id: browser.self.userId }, device_id };
    const byKey = { reason: null, by: { kind: 'api_key', id: 'env' }, device_id };
    expect((await overview()).decisions).toEqual([
      { at: at(0), action: 'device.revoked', ...owner },
      { at: at(1), action: 'device.suspended', ...owner },
      { at: at(2), action: 'device.cleared', ...byKey },
    ]);
  });

  it('are at most 50', async () => {
    const target = (at: number) => ({ kind: 'device', id: `device-${at}` });
    for (let at = 0; at < 60; at += 1)
      await record({ action: 'device.denied', target: target(at) }, now() - at);
    expect((await overview()).decisions.map(({ device_id: id }) => id)).toEqual(
      Array.from({ length: 50 }, (_, at) => target(at).id),
    );
  });

  it('are not crowded out by events that anybody can cause', async () => {
    const target = { kind: 'device', id: 'decided' };
    await record({ action: 'device.cleared', target }, now() - hourMs);
    for (let at = 0; at < 120; at += 1)
      await record(
        {
          action: 'device.flagged',
          outcome: 'denied',
          reason: 'foreign_cookie',
          target: { kind: 'device', id: 'noise' },
        },
        now() - at,
      );
    expect((await overview()).decisions.map(({ device_id: id }) => id)).toEqual(['decided']);
  });
});

describe('risk events', () => {
  it('are counted by rule, even when one suspension has several', async () => {
    const action = 'device.suspended';
    const reasons = ['os_changed', 'browser_changed'];
    await record([
      { action, reason: 'os_changed', details: { reasons } },
      { action, reason: 'os_changed', details: { transition: 'suspend' } },
      { action: 'device.flagged', outcome: 'denied', reason: 'foreign_cookie' },
      { action: 'device.restored' },
    ]);
    await record({ action, reason: 'secret_reused' }, now() - 30 * dayMs);
    await record({ action, reason: 'proof_failed' }, now() - 30 * dayMs - 1);
    expect((await overview(30)).risk_events).toEqual([
      { rule: 'os_changed', count: 2 },
      { rule: 'browser_changed', count: 1 },
      { rule: 'foreign_cookie', count: 1 },
      { rule: 'secret_reused', count: 1 },
    ]);
    expect((await overview(29)).risk_events.map(({ rule }) => rule)).not.toContain('secret_reused');
  });

  it('count a suspension by the service for a changed operating system', async () => {
    const { browser } = await cleared();
    browser.self.userAgent =
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) ' +
      'Chrome/130.0.0.0 Safari/537.36';
    expect(await browser.console()).toMatchObject({ status: 403 });
    expect((await overview()).risk_events).toEqual([{ rule: 'os_changed', count: 1 }]);
  });
});

describe('one-time codes', () => {
  async function send(phone: string): Promise<void> {
    const response = await client.post('/api/auth/mobile/initiate', { phone });
    expect(response).toMatchObject({ status: 200 });
  }
  const enter = (phone: string, code: string) =>
    client.post('/api/auth/mobile/verify', { phone, code });

  it('are counted by channel and country: sent, verified, and the ratio', async () => {
    for (const phone of ['+14155550101', '+14155550102', '+14155550103', '+447400123401'])
      await send(phone);
    for (const phone of ['+14155550103', '+447400123401'])
      expect(await enter(phone, await codeFor(lab.app, phone))).toMatchObject({ status: 200 });
    const wrong = (await codeFor(lab.app, '+14155550101')) === '000000' ? '000001' : '000000';
    expect(await enter('+14155550101', wrong)).toMatchObject({ status: 400 });
    const email = 'figures@example.com';
    expect(await client.post('/api/auth/email/initiate', { email })).toMatchObject({ status: 200 });
    const found = await overview();
    expect(found.otp).toEqual({
      by_channel: [
        { of: 'sms', sent: 4, verified: 2, ratio: 0.5 },
        { of: 'email', sent: 1, verified: 0, ratio: 0 },
      ],
      by_country: [
        { of: 'US', sent: 3, verified: 1, ratio: 0.333 },
        { of: 'GB', sent: 1, verified: 1, ratio: 1 },
      ],
    });
    expect(found.lockouts).toEqual({});
    expect(found.refused_sends).toEqual([]);
    expect((await series(1)).totals).toMatchObject({
      'otp.sent': 5,
      'otp.verified': 2,
      'otp.failed': 1,
    });
    await elapse(lab.app, dayMs);
  });

  it('that were verified but not sent in that period have no ratio', async () => {
    await record({ action: 'otp.verified', details: { channel: 'sms', country: 'DE' } });
    expect((await overview()).otp.by_country).toEqual([
      { of: 'DE', sent: 0, verified: 1, ratio: null },
    ]);
  });

  it('are counted by reason when refused, and by action when locked', async () => {
    const outcome = 'failure';
    const locked = { action: 'otp.locked', outcome, reason: 'wrong' } as const;
    await record([
      { action: 'otp.refused', outcome, reason: 'limit' },
      { action: 'otp.refused', outcome, reason: 'limit' },
      { action: 'otp.refused', outcome, reason: 'muted' },
      locked,
      { action: 'otp.closed', outcome },
      { action: 'second_factor.failed', outcome },
    ]);
    await record(locked, now() - dayMs);
    expect(await overview()).toMatchObject({
      lockouts: { 'otp.locked': 2, 'otp.closed': 1, 'second_factor.failed': 1 },
      refused_sends: [
        { reason: 'limit', count: 2 },
        { reason: 'muted', count: 1 },
      ],
    });
  });
});

describe('networks', () => {
  const failed = (address: string | undefined): Entry => ({
    action: 'otp.failed',
    outcome: 'failure',
    address,
  });

  it('are those with most failures, never full addresses', async () => {
    const addresses = [
      '198.51.100.7',
      '198.51.100.200',
      '203.0.113.5',
      '2001:db8:1:2:3::4',
      '2001:db8:1:ffff::1',
      '2001:db8:1::9',
      undefined,
    ];
    await record([...addresses.map(failed), { action: 'otp.verified', address: '192.0.2.1' }]);
    await record(failed('192.0.2.2'), now() - 31 * dayMs);
    const found = await overview();
    expect(found.top_networks).toEqual([
      { network: '2001:db8:1::/48', count: 3 },
      { network: '198.51.100.0/24', count: 2 },
      { network: '203.0.113.0/24', count: 1 },
    ]);
    expect(JSON.stringify(found)).not.toMatch(/198\.51\.100\.[1-9]|203\.0\.113\.5|2001:db8:1:2/);
  });

  it('group addresses that were truncated in the meantime, and are at most ten', async () => {
    for (let at = 0; at < 15; at += 1) await record(failed(`10.0.${at}.77`));
    await record(failed('10.0.3.1'));
    await sql`update audit_events set address = '10.0.3.0/24' where address = '10.0.3.1'`.execute(
      lab.app.stores.db,
    );
    const { top_networks: networks } = await overview();
    expect(networks).toHaveLength(10);
    expect(networks[0]).toEqual({ network: '10.0.3.0/24', count: 2 });
  });

  it.each(['fe80::1%eth0', '::ffff:198.51.100.7', '::1', '::'])(
    'of %s do not break the response',
    async (address) => {
      await record(failed(address));
      expect((await overview()).top_networks.length).toBeLessThan(2);
    },
  );
});

describe('the series', () => {
  const requested = { action: 'device.requested' } as const;

  it('have UTC days from midnight to the last millisecond', async () => {
    for (const at of [-dayMs - 1, -dayMs, -1, 0, 0, dayMs - 1, dayMs])
      await record(requested, midnight + at);
    set(midnight + dayMs - 1);
    const two = await series(2);
    expect(two.days).toEqual(['2026-01-19', '2026-01-20']);
    expect(countsOf(two, 'device.requested')).toEqual([2, 3]);
    expect(countsOf(await series(1), 'device.requested')).toEqual([3]);
    expect(countsOf(await series(3), 'device.requested')).toEqual([1, 2, 3]);
  });

  it('add up to their totals', async () => {
    await record({ action: 'device.cleared' });
    await record({ action: 'device.cleared' }, now() - dayMs);
    await record({ action: 'otp.sent' }, now() - 5 * dayMs);
    await record({ action: 'otp.sent' }, now() - 40 * dayMs);
    const found = await series(30);
    expect(found.totals).toEqual({ 'device.cleared': 2, 'otp.sent': 1 });
    for (const { action, counts } of found.series)
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(found.totals[action] ?? 0);
    expect((await series(90)).totals).toEqual({ 'device.cleared': 2, 'otp.sent': 2 });
  });

  it('use UTC in any time zone of the database', async () => {
    const { db } = lab.app.stores;
    await record(requested, midnight);
    await sql`set time zone 'Pacific/Auckland'`.execute(db);
    const found = countsOf(await series(2), 'device.requested');
    await sql`set time zone 'UTC'`.execute(db);
    expect(found).toEqual([0, 1]);
  });
});

describe('every method of the analytics', () => {
  it.each(['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'] as const)(
    '%s returns the same series and changes nothing',
    async (method) => {
      await record({ action: 'device.cleared' });
      const expected = await series(7);
      const response = await admin.send(method, '/analytics?days=7');
      expect(response.status).toBe(200);
      expect(response.body).toEqual({ ...expected, method });
      expect(await series(7)).toEqual(expected);
      expect(await admin.send(method, '/analytics?days=91')).toBeInvalid('query.days');
      const url = `${mount}/analytics`;
      expect(await client.send(method, url)).toMatchObject({ status: 401 });
      const viewer = await signedIn({ roles: ['viewer'] });
      expect(await viewer.call(url, { method })).toMatchObject({ status: 403 });
    },
  );

  it('HEAD returns only the headers', async () => {
    expect(await admin.send('HEAD', '/analytics')).toMatchObject({ status: 200, text: '' });
    expect(await admin.send('HEAD', '/analytics?days=0')).toMatchObject({ status: 422 });
  });
});

describe('ten thousand entries', () => {
  it('are counted exactly', async () => {
    await sql`
      insert into audit_events
        (id, at, action, outcome, reason, actor_kind, target_kind, target_id, address, details)
      select gen_random_uuid(), ${new Date(now())}::timestamptz - (n % 30) * interval '1 day',
        (array['otp.sent', 'otp.verified', 'otp.failed', 'device.suspended'])[1 + n % 4],
        case when n % 4 = 2 then 'failure' else 'success' end,
        case when n % 4 = 3 then 'os_changed' end,
        'system', 'device', 'x', '10.' || n % 200 || '.1.' || n % 250,
        jsonb_build_object('channel', 'sms', 'country', 'C' || n % 1500)
      from generate_series(0, 9999) as n`.execute(lab.app.stores.db);
    const found = await overview(30);
    expect(found.otp.by_channel).toEqual([{ of: 'sms', sent: 2500, verified: 2500, ratio: 1 }]);
    expect(found.risk_events).toEqual([{ rule: 'os_changed', count: 2500 }]);
    expect(found.top_networks).toHaveLength(10);
    const { totals, days } = await series(30);
    expect(totals).toEqual({
      'otp.sent': 2500,
      'otp.verified': 2500,
      'otp.failed': 2500,
      'device.suspended': 2500,
    });
    expect(days).toHaveLength(30);
  });
});
