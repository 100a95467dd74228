import { beforeEach, describe, expect } from 'vitest';
import { asAdmin } from '../../support/app.ts';
import { TestClient } from '../../support/client.ts';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';

const path = '/api/v1/audit';
const start = Date.UTC(2026, 2, 4);

let now = start;
const app = await sharedApp('plain', { clock: { now: () => now } });
const client = new TestClient(app).as(asAdmin);

beforeEach(async () => {
  await app.stores.db.deleteFrom('audit_events').execute();
  now = start;
});

interface Page {
  data: { id: string; request_id: string | null }[];
  next_cursor: string | null;
}

async function page(query = ''): Promise<Page> {
  const response = await client.get<Page>(`${path}?${query}`);
  expect(response).toMatchObject({ status: 200 });
  return response.body;
}

async function recordThree(): Promise<void> {
  const { audit } = app.services;
  await audit.record({
    action: 'session.created',
    actor: { kind: 'user', id: 'ann' },
    requestId: 'r0',
  });
  now += 1000;
  await audit.record({
    action: 'otp.failed',
    outcome: 'failure',
    reason: 'otp.invalid',
    actor: { kind: 'anonymous' },
    target: { kind: 'user', id: 'ann' },
    requestId: 'r1',
  });
  now += 1000;
  await audit.record({
    action: 'session.revoked',
    actor: { kind: 'user', id: 'bob' },
    target: { kind: 'session', id: 's' },
    requestId: 'r2',
  });
}

describe('GET /api/v1/audit', () => {
  it('returns the whole event, uncached', async () => {
    const event = {
      action: 'device.denied',
      outcome: 'denied',
      reason: 'device.stranger',
      actor: { kind: 'api_key', id: 'env' },
      target: { kind: 'device', id: 'd' },
      address: '2001:db8::1',
      details: { role: 'admin', deep: { list: [1, null, true] } },
    } as const;
    await app.services.audit.record({ ...event, requestId: 'r' });
    const { status, headers, body } = await client.get(`${path}/`);
    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('no-store');
    const id = expect.any(String) as string;
    expect(body).toEqual({
      data: [{ ...event, id, at: '2026-03-04T00:00:00.000Z', request_id: 'r' }],
      next_cursor: null,
    });
  });

  it.each([
    ['', ['r2', 'r1', 'r0']],
    ['action=otp.failed', ['r1']],
    ['action=session.*', ['r2', 'r0']],
    ['action=webhook.*', []],
    ['actor_id=ann', ['r0']],
    ['target_id=ann', ['r1']],
    ['outcome=failure', ['r1']],
    ['since=2026-03-04T00:00:01Z', ['r2', 'r1']],
    ['since=0001-01-01T00:00:00Z&until=9999-12-31T23:59:59-23:59', ['r2', 'r1', 'r0']],
    ['until=1969-12-31T00:00:00Z', []],
    ['until=2026-03-04T01:00:01%2B01:00', ['r0']],
    ['since=2026-03-04T00:00:01Z&until=2026-03-04T00:00:02Z', ['r1']],
    ['action=session.*&actor_id=bob&target_id=s&outcome=success', ['r2']],
  ])('finds events by ?%s', async (query, expected) => {
    await recordThree();
    expect((await page(query)).data.map(({ request_id }) => request_id)).toEqual(expected);
  });

  it('paginates by cursor with the filter, even across events of one instant', async () => {
    for (let count = 0; count < 5; count += 1)
      await app.services.audit.record({ action: 'otp.sent', actor: { kind: 'system' } });
    await recordThree();
    const first = await page('limit=2&action=otp.sent');
    const second = await page(`limit=2&action=otp.sent&cursor=${String(first.next_cursor)}`);
    const third = await page(`limit=2&action=otp.sent&cursor=${String(second.next_cursor)}`);
    const pages = [first, second, third].map(({ data }) => data.map(({ id }) => id));
    expect(pages.map(({ length }) => length)).toEqual([2, 2, 1]);
    expect(third.next_cursor).toBeNull();
    expect(new Set(pages.flat()).size).toBe(5);
  });

  it('returns 50 events by default', async () => {
    for (let count = 0; count < 51; count += 1)
      await app.services.audit.record({ action: 'otp.sent', actor: { kind: 'system' } });
    expect((await page()).data).toHaveLength(50);
    expect((await page('limit=100')).data).toHaveLength(51);
  });

  it.each([
    'action=nope',
    'action=session',
    'action=session.',
    'action=*',
    'action=session.c*',
    'outcome=maybe',
    'since=yesterday',
    'until=2026-03-04',
    'since=2026-02-30T00:00:00Z',
    'limit=0',
    'limit=101',
    'limit=x',
    'cursor=nope',
    'actor_id=',
    'actor_id=%00',
    `target_id=${'x'.repeat(257)}`,
  ])('refuses ?%s', async (query) => {
    expect(await client.get(`${path}?${query}`)).toBeInvalid(`query.${query.split('=')[0]}`);
  });

  it('logs neither events nor filters', async () => {
    await app.services.audit.record({
      action: 'otp.sent',
      actor: { kind: 'user', id: 'ann' },
      address: '198.51.100.77',
      details: { to: 'ann@example.com' },
    });
    await page('actor_id=ann&target_id=secret-target');
    await client.get(`${path}?actor_id=ann&outcome=maybe`);
    expect(app.log()).toContain('audit.list');
    expect(app.log()).not.toMatch(/198\.51\.100\.77|ann@example\.com|secret-target/);
  });
});
