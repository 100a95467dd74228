import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect } from 'vitest';
import type { AuditEntry } from '../../../src/areas/audit/service.ts';
import { asAdmin, type TestApp } from '../../support/app.ts';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import { elapse } from '../../support/abuse.ts';
import { clearByKey, createDeviceBrowser, type DeviceBrowser } from '../../support/devices.ts';
import { codeFor, post } from '../../support/sign-in.ts';

const mount = '/api/auth/blackops';
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
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

let app: TestApp;
let people = 0;
const clock = { at: midnight + 12 * hour, now: () => clock.at };

beforeAll(async () => {
  app = await sharedApp('devices', { clock });
  await app.services.queues.start();
}, 30_000);

beforeEach(async () => {
  clock.at = midnight + 12 * hour;
  await app.services.audit.settled();
  await sql`delete from audit_events`.execute(app.stores.db);
  await sql`delete from users`.execute(app.stores.db);
});

interface Networks {
  network: string;
  count: number;
}
interface Ratio {
  of: string;
  sent: number;
  verified: number;
  ratio: number | null;
}
interface Overview {
  days: number;
  states: Record<string, number>;
  pending: {
    total: number;
    oldest_age_seconds: number | null;
    requests: { request_id: string; device_id: string; user_id: string; age_seconds: number }[];
  };
  decisions: {
    at: string;
    action: string;
    reason: string | null;
    by: { kind: string; id: string | null };
    device_id: string | null;
  }[];
  risk_events: { rule: string; count: number }[];
  stale_devices: { device_id: string; last_seen: string; name: string; user_id: string }[];
  admins_without_device: { user_id: string; name: string | null }[];
  otp: { by_channel: Ratio[]; by_country: Ratio[] };
  lockouts: Record<string, number>;
  refused_sends: { reason: string; count: number }[];
  top_networks: Networks[];
}
interface Series {
  method: string;
  days: string[];
  states: Record<string, number>;
  series: { action: string; counts: number[] }[];
  totals: Record<string, number>;
}

async function overview(days?: number): Promise<Overview> {
  await app.services.audit.settled();
  const answer = await app.http.inject({
    url: `${mount}/dashboard${days === undefined ? '' : `?days=${days}`}`,
    headers: asAdmin,
  });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<Overview>();
}

async function series(days: number): Promise<Series> {
  await app.services.audit.settled();
  const answer = await app.http.inject({
    url: `${mount}/analytics?days=${days}`,
    headers: asAdmin,
  });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<Series>();
}

async function record(
  at: number,
  entry: Partial<AuditEntry> & Pick<AuditEntry, 'action'>,
): Promise<void> {
  const before = clock.at;
  clock.at = at;
  await app.services.audit.record({ actor: { kind: 'system' }, ...entry });
  clock.at = before;
}

async function somebody(roles: ('admin' | 'viewer')[] = ['admin']): Promise<DeviceBrowser> {
  const browser = createDeviceBrowser(app, { now: clock.now });
  await browser.signIn({ email: `seen-${(people += 1)}@example.com`, roles });
  return browser;
}

async function cleared() {
  const browser = await somebody();
  const asked = await browser.ask({ device_name: 'A laptop' });
  expect((await clearByKey(app, asked, asAdmin.authorization)).status).toBe(200);
  return { browser, id: String(asked.body.device_id) };
}

const lineOf = ({ series: lines }: Series, action: string) =>
  lines.find((line) => line.action === action)?.counts;

describe('the statistics of an unused service', () => {
  it('are complete and zero', async () => {
    expect(await overview()).toEqual({
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
    const { days, states, series: lines, totals } = await series(3);
    expect({ days, states, totals }).toEqual({
      days: ['2026-01-18', '2026-01-19', '2026-01-20'],
      states: noStates,
      totals: {},
    });
    expect(lines).toHaveLength(14);
    for (const { counts } of lines) expect(counts).toEqual([0, 0, 0]);
  });
});

describe('the number of days', () => {
  it.each(['0', '91', '-1', '1.5', 'x', '1e9', ' ', 'NaN'])('can not be %j', async (days) => {
    for (const path of ['dashboard', 'analytics'])
      expect(
        (await app.http.inject({ url: `${mount}/${path}`, query: { days }, headers: asAdmin }))
          .statusCode,
        path,
      ).toBe(422);
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
    expect((await (await somebody()).ask()).status).toBe(200);
    const refused = await (await somebody()).ask();
    await app.http.inject({
      method: 'POST',
      url: `${mount}/requests/${String(refused.body.request_id)}/deny`,
      headers: asAdmin,
    });
    const gone = await cleared();
    await gone.browser.revoke({ device_id: gone.id });
    const held = await cleared();
    await held.browser.call(`${mount}/devices/${held.id}/suspend`, { method: 'POST' });
    const expected = { ...noStates, cleared: 2, pending: 1, denied: 1, revoked: 1, suspended: 1 };
    expect((await overview()).states).toEqual(expected);
    expect((await series(1)).states).toEqual(expected);
    expect((await browser.console()).body).toMatchObject({ states: expected });
  });

  it('that are pending are listed oldest first with their age, without expired ones', async () => {
    const over = await (await somebody()).ask();
    clock.at += 71 * hour;
    const older = await (await somebody()).ask();
    clock.at += 30 * minute;
    const newer = await (await somebody()).ask();
    clock.at += 30 * minute + 999;
    const { pending } = await overview();
    expect(pending).toMatchObject({ total: 2, oldest_age_seconds: 3600 });
    expect(
      pending.requests.map(({ request_id: id, device_id: device, age_seconds: age }) => ({
        id,
        device,
        age,
      })),
    ).toEqual([
      { id: older.body.request_id, device: older.body.device_id, age: 3600 },
      { id: newer.body.request_id, device: newer.body.device_id, age: 1800 },
    ]);
    expect(JSON.stringify(pending)).not.toContain(String(over.body.request_id));
  });

  it('that are pending are all counted, beyond the listed ones', async () => {
    const { browser } = await cleared();
    const { db } = app.stores;
    const [now, end] = [new Date(clock.at), new Date(clock.at + hour)];
    await sql`
      insert into devices
        (id, user_id, state, state_at, name, fingerprint_hash, first_seen, last_seen, expires_at)
      select gen_random_uuid(), ${browser.self.userId}::uuid, 'pending', ${now}, 'waits', 'x',
        ${now}, ${now}, ${end}
      from generate_series(1, 60)`.execute(db);
    await sql`
      insert into clearance_requests
        (id, device_id, user_id, state, number, created_at, expires_at)
      select gen_random_uuid(), id, user_id, 'open', '42', first_seen, expires_at
      from devices where state = 'pending'`.execute(db);
    const { states, pending } = await overview();
    expect(states).toMatchObject({ pending: 60 });
    expect(pending.requests).toHaveLength(50);
    expect(pending.total).toBe(60);
  });

  it('that are cleared and unused for 14 days are stale, longest unused first', async () => {
    const first = await cleared();
    clock.at += 1;
    const second = await cleared();
    const held = await cleared();
    await held.browser.call(`${mount}/devices/${held.id}/suspend`, { method: 'POST' });
    clock.at += 14 * day - 1;
    expect((await overview()).stale_devices).toEqual([]);
    clock.at += 1;
    expect((await overview()).stale_devices.map(({ device_id: id }) => id)).toEqual([first.id]);
    clock.at += 1;
    expect((await overview()).stale_devices).toMatchObject([
      { device_id: first.id, name: 'A laptop', user_id: first.browser.self.userId },
      { device_id: second.id },
    ]);
  });

  it('list the active admins without a cleared one, and no other users', async () => {
    await cleared();
    const none = await somebody();
    const waiting = await somebody();
    await waiting.ask();
    const lost = await cleared();
    await lost.browser.revoke({ device_id: lost.id });
    const off = await somebody();
    await app.services.users.setDisabled(off.self.userId, true);
    await somebody(['viewer']);
    const listed = (await overview()).admins_without_device.map(({ user_id: id }) => id);
    expect(listed.sort()).toEqual(
      [none, waiting, lost.browser].map(({ self }) => self.userId).sort(),
    );
  });
});

describe('decisions', () => {
  it('are the latest, newest first, with the deciding user', async () => {
    const { browser, id } = await cleared();
    clock.at += minute;
    await browser.call(`${mount}/devices/${id}/suspend`, { method: 'POST' });
    clock.at += minute;
    await browser.revoke({ device_id: id });
    const { decisions } = await overview();
    expect(decisions).toEqual([
      {
        at: new Date(clock.at).toISOString(),
        action: 'device.revoked',
        reason: 'owner',
        by: { kind: 'user', id: browser.self.userId },
        device_id: id,
      },
      {
        at: new Date(clock.at - minute).toISOString(),
        action: 'device.suspended',
        reason: 'owner',
        by: { kind: 'user', id: browser.self.userId },
        device_id: id,
      },
      {
        at: new Date(clock.at - 2 * minute).toISOString(),
        action: 'device.cleared',
        reason: null,
        by: { kind: 'api_key', id: 'env' },
        device_id: id,
      },
    ]);
  });

  it('are at most 50', async () => {
    for (let at = 0; at < 60; at += 1)
      await record(clock.at - at, {
        action: 'device.denied',
        target: { kind: 'device', id: `device-${at}` },
      });
    const { decisions } = await overview();
    expect(decisions.map(({ device_id: id }) => id)).toEqual(
      Array.from({ length: 50 }, (_, at) => `device-${at}`),
    );
  });

  it('are not crowded out by events that anybody can cause', async () => {
    await record(clock.at - hour, {
      action: 'device.cleared',
      target: { kind: 'device', id: 'decided' },
    });
    for (let at = 0; at < 120; at += 1)
      await record(clock.at - at, {
        action: 'device.flagged',
        outcome: 'denied',
        reason: 'foreign_cookie',
        target: { kind: 'device', id: 'noise' },
      });
    expect((await overview()).decisions.map(({ device_id: id }) => id)).toEqual(['decided']);
  });
});

describe('risk events', () => {
  it('are counted by rule, also when one suspension has several', async () => {
    await record(clock.at, {
      action: 'device.suspended',
      reason: 'os_changed',
      details: { reasons: ['os_changed', 'browser_changed'] },
    });
    await record(clock.at, {
      action: 'device.suspended',
      reason: 'os_changed',
      details: { transition: 'suspend' },
    });
    await record(clock.at, {
      action: 'device.flagged',
      outcome: 'denied',
      reason: 'foreign_cookie',
    });
    await record(clock.at - 30 * day, { action: 'device.suspended', reason: 'secret_reused' });
    await record(clock.at - 30 * day - 1, { action: 'device.suspended', reason: 'proof_failed' });
    await record(clock.at, { action: 'device.restored' });
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
    expect((await browser.console()).status).toBe(403);
    expect((await overview()).risk_events).toEqual([{ rule: 'os_changed', count: 1 }]);
  });
});

describe('one-time codes', () => {
  async function send(to: string): Promise<void> {
    expect((await post(app, '/api/auth/mobile/initiate', { phone: to })).status).toBe(200);
  }

  async function enter(to: string, after: number): Promise<void> {
    const code = await codeFor(app, to, { after });
    expect((await post(app, '/api/auth/mobile/verify', { phone: to, code })).status).toBe(200);
  }

  it('are counted by channel and country: sent, verified, and the ratio', async () => {
    await send('+14155550101');
    await send('+14155550102');
    await send('+14155550103');
    await enter('+14155550103', 0);
    await send('+447400123401');
    await enter('+447400123401', 0);
    expect(
      (await post(app, '/api/auth/email/initiate', { email: 'figures@example.com' })).status,
    ).toBe(200);
    const wrong = await post(app, '/api/auth/mobile/verify', {
      phone: '+14155550101',
      code: 'abcdef',
    });
    expect(wrong.status).toBe(400);
    const { otp, lockouts, refused_sends: refused } = await overview();
    expect(otp).toEqual({
      by_channel: [
        { of: 'sms', sent: 4, verified: 2, ratio: 0.5 },
        { of: 'email', sent: 1, verified: 0, ratio: 0 },
      ],
      by_country: [
        { of: 'US', sent: 3, verified: 1, ratio: 0.333 },
        { of: 'GB', sent: 1, verified: 1, ratio: 1 },
      ],
    });
    expect({ lockouts, refused }).toEqual({ lockouts: {}, refused: [] });
    expect((await series(1)).totals).toMatchObject({
      'otp.sent': 5,
      'otp.verified': 2,
      'otp.failed': 1,
    });
    await elapse(app, day);
  });

  it('that were verified but not sent in that period have no ratio', async () => {
    await record(clock.at, { action: 'otp.verified', details: { channel: 'sms', country: 'DE' } });
    expect((await overview()).otp.by_country).toEqual([
      { of: 'DE', sent: 0, verified: 1, ratio: null },
    ]);
  });

  it('are counted by reason when refused, and by action when locked', async () => {
    for (const reason of ['limit', 'limit', 'muted'])
      await record(clock.at, { action: 'otp.refused', outcome: 'failure', reason });
    await record(clock.at, { action: 'otp.locked', outcome: 'failure', reason: 'wrong' });
    await record(clock.at - day, { action: 'otp.locked', outcome: 'failure', reason: 'wrong' });
    await record(clock.at, { action: 'otp.closed', outcome: 'failure' });
    await record(clock.at, { action: 'second_factor.failed', outcome: 'failure' });
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
  const failed = (address: string | undefined) =>
    record(clock.at, { action: 'otp.failed', outcome: 'failure', address });

  it('are those with most failures, never full addresses', async () => {
    for (const address of [
      '198.51.100.7',
      '198.51.100.200',
      '203.0.113.5',
      '2001:db8:1:2:3::4',
      '2001:db8:1:ffff::1',
      '2001:db8:1::9',
      undefined,
    ])
      await failed(address);
    await record(clock.at, { action: 'otp.verified', address: '192.0.2.1' });
    await record(clock.at - 31 * day, {
      action: 'otp.failed',
      outcome: 'failure',
      address: '192.0.2.2',
    });
    const found = await overview();
    expect(found.top_networks).toEqual([
      { network: '2001:db8:1::/48', count: 3 },
      { network: '198.51.100.0/24', count: 2 },
      { network: '203.0.113.0/24', count: 1 },
    ]);
    expect(JSON.stringify(found)).not.toMatch(/198\.51\.100\.[1-9]|203\.0\.113\.5|2001:db8:1:2/);
  });

  it('group addresses that were truncated in the meantime, and are at most ten', async () => {
    for (let at = 0; at < 15; at += 1) await failed(`10.0.${at}.77`);
    await failed('10.0.3.1');
    await sql`update audit_events set address = '10.0.3.0/24' where address = '10.0.3.1'`.execute(
      app.stores.db,
    );
    const { top_networks: networks } = await overview();
    expect(networks).toHaveLength(10);
    expect(networks[0]).toEqual({ network: '10.0.3.0/24', count: 2 });
  });

  it.each(['fe80::1%eth0', '::ffff:198.51.100.7', '::1', '::'])(
    'of %s do not break the response',
    async (address) => {
      await failed(address);
      expect((await overview()).top_networks.length).toBeLessThan(2);
    },
  );
});

describe('the series', () => {
  it('have UTC days from midnight to the last millisecond', async () => {
    for (const at of [
      midnight - 1,
      midnight,
      midnight,
      midnight + day - 1,
      midnight - day,
      midnight - day - 1,
      midnight + day,
    ])
      await record(at, { action: 'device.requested' });
    clock.at = midnight + day - 1;
    const two = await series(2);
    expect(two.days).toEqual(['2026-01-19', '2026-01-20']);
    expect(lineOf(two, 'device.requested')).toEqual([2, 3]);
    expect(lineOf(await series(1), 'device.requested')).toEqual([3]);
    expect(lineOf(await series(3), 'device.requested')).toEqual([1, 2, 3]);
  });

  it('add up to their totals', async () => {
    for (const [at, action] of [
      [0, 'device.cleared'],
      [day, 'device.cleared'],
      [5 * day, 'otp.sent'],
      [40 * day, 'otp.sent'],
    ] as const)
      await record(clock.at - at, { action });
    const found = await series(30);
    expect(found.totals).toEqual({ 'device.cleared': 2, 'otp.sent': 1 });
    for (const { action, counts } of found.series)
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(found.totals[action] ?? 0);
    expect((await series(90)).totals).toEqual({ 'device.cleared': 2, 'otp.sent': 2 });
  });

  it('use UTC in any time zone of the database', async () => {
    await record(midnight, { action: 'device.requested' });
    await sql`set time zone 'Pacific/Auckland'`.execute(app.stores.db);
    const found = lineOf(await series(2), 'device.requested');
    await sql`set time zone 'UTC'`.execute(app.stores.db);
    expect(found).toEqual([0, 1]);
  });
});

describe('every method of the analytics', () => {
  it.each(['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'] as const)(
    '%s returns the same series and changes nothing',
    async (method) => {
      await record(clock.at, { action: 'device.cleared' });
      const expected = await series(7);
      const answer = await app.http.inject({
        method,
        url: `${mount}/analytics?days=7`,
        headers: asAdmin,
      });
      expect(answer.statusCode).toBe(200);
      expect(answer.json()).toEqual({ ...expected, method });
      expect(await series(7)).toEqual(expected);
      const refused = await app.http.inject({
        method,
        url: `${mount}/analytics?days=91`,
        headers: asAdmin,
      });
      expect(refused.statusCode).toBe(422);
      expect((await app.http.inject({ method, url: `${mount}/analytics` })).statusCode).toBe(401);
      const viewer = await somebody(['viewer']);
      expect((await viewer.call(`${mount}/analytics`, { method })).status).toBe(403);
    },
  );

  it('HEAD returns only the headers', async () => {
    const answer = await app.http.inject({
      method: 'HEAD',
      url: `${mount}/analytics`,
      headers: asAdmin,
    });
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toBe('');
    expect(
      (
        await app.http.inject({
          method: 'HEAD',
          url: `${mount}/analytics?days=0`,
          headers: asAdmin,
        })
      ).statusCode,
    ).toBe(422);
  });
});

describe('ten thousand entries', () => {
  it('are counted exactly', async () => {
    await sql`
      insert into audit_events
        (id, at, action, outcome, reason, actor_kind, target_kind, target_id, address, details)
      select gen_random_uuid(), ${new Date(clock.at)}::timestamptz - (n % 30) * interval '1 day',
        (array['otp.sent', 'otp.verified', 'otp.failed', 'device.suspended'])[1 + n % 4],
        case when n % 4 = 2 then 'failure' else 'success' end,
        case when n % 4 = 3 then 'os_changed' end,
        'system', 'device', 'x', '10.' || n % 200 || '.1.' || n % 250,
        jsonb_build_object('channel', 'sms', 'country', 'C' || n % 1500)
      from generate_series(0, 9999) as n`.execute(app.stores.db);
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
