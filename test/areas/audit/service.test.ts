import { beforeEach, describe, expect, it } from 'vitest';
import {
  actionsMatching,
  auditActionGroups,
  auditActionNames,
  auditActions,
} from '../../../src/areas/audit/actions.ts';
import { applyRetention } from '../../../src/areas/audit/jobs.ts';
import { createAudit } from '../../../src/areas/audit/service.ts';
import type { Audit, AuditEntry } from '../../../src/areas/audit/service.ts';
import { createAuditStore } from '../../../src/areas/audit/store.ts';
import type { AuditStore } from '../../../src/areas/audit/store.ts';
import { dayMs as day } from '../../../src/lib/durations.ts';
import {
  availableEngines,
  mainEngine,
  openTestDatabase,
  useDatabase,
} from '../../platform/database/engines.ts';
import { createTestHttp, type TestHttp } from '../../support/http.ts';

const start = Date.UTC(2026, 2, 4);

const signIn = {
  action: 'session.created',
  actor: { kind: 'user', id: 'user-1' },
  target: { kind: 'session', id: 'session-1' },
  address: '203.0.113.5',
  requestId: 'request-1',
  details: { user_agent: 'Firefox' },
} as const satisfies AuditEntry;

describe('the actions', () => {
  it('have a dotted name and a description', () => {
    for (const [name, meaning] of Object.entries(auditActions)) {
      expect(name).toMatch(/^[a-z_]+\.[a-z_]+$/);
      expect(meaning).toMatch(/^[A-Z].*\.$/);
    }
  });

  it('belong to one group each', () => {
    expect(auditActionGroups.flatMap((group) => actionsMatching(group)).sort()).toEqual(
      [...auditActionNames].sort(),
    );
    expect(actionsMatching('session.*')).toEqual([
      'session.created',
      'session.confirmed',
      'session.revoked',
      'session.revoked_all',
    ]);
    expect(actionsMatching('backup_code.*')).toEqual(['backup_code.used']);
    expect(actionsMatching('otp.sent')).toEqual(['otp.sent']);
  });
});

describe.each(availableEngines)('the audit on $name', (engine) => {
  const database = useDatabase(engine);
  let now = start;
  let store: AuditStore;
  let audit: Audit;
  let log: TestHttp;
  const clock = { now: () => now };

  beforeEach(async () => {
    await database.db.deleteFrom('audit_events').execute();
    now = start;
    log = createTestHttp();
    store = createAuditStore(database.db);
    audit = createAudit({ store, clock, logger: log.logger });
  });

  const list = async (query: Partial<Parameters<Audit['list']>[0]> = {}) =>
    (await audit.list({ limit: 100, ...query })).data;
  const addresses = async () => (await list()).map(({ address }) => address).reverse();

  async function recordAt(at: number, entry: Partial<AuditEntry> = {}): Promise<void> {
    now = at;
    await audit.record({ ...signIn, ...entry });
  }

  it('stores every field of an entry', async () => {
    await audit.record(signIn);
    await audit.record({ ...signIn, outcome: 'denied', reason: 'otp.locked' });
    const [kept] = await list({ outcome: 'success' });
    expect(kept).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      at: new Date(start).toISOString(),
      action: 'session.created',
      outcome: 'success',
      reason: null,
      actor: { kind: 'user', id: 'user-1' },
      target: { kind: 'session', id: 'session-1' },
      address: '203.0.113.5',
      request_id: 'request-1',
      details: { user_agent: 'Firefox' },
    });
    expect(await list({ outcome: 'denied' })).toMatchObject([{ reason: 'otp.locked' }]);
  });

  it('keeps the order of entries of the same millisecond', async () => {
    const reasons = Array.from({ length: 40 }, (_, at) => `${at}`);
    for (const reason of reasons) await audit.record({ ...signIn, reason });
    expect((await list()).map(({ reason }) => reason)).toEqual(reasons.toReversed());
  });

  it('finds the nearest entries of the same thing', async () => {
    const target = { kind: 'device', id: 'device-1' };
    for (const reason of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) {
      await recordAt(now + 1000, { target, reason });
      await recordAt(now + 1000);
    }
    const of = { target_id: target.id };
    const [, , , middle] = await list(of);
    const around = await audit.around(middle?.id ?? '', { ...of, count: 2 });
    expect(around.map(({ reason }) => reason)).toEqual(['f', 'e', 'c', 'b']);
    const { id } = (await list(of))[0] ?? { id: '' };
    const before = await audit.around(id, { ...of, count: 1 });
    expect(before.map(({ reason }) => reason)).toEqual(['f']);
  });

  it('stores an entry with only the required fields', async () => {
    await audit.record({ action: 'otp.refused', outcome: 'denied', actor: { kind: 'anonymous' } });
    const none = { reason: null, target: null, address: null, request_id: null, details: {} };
    const refused = { action: 'otp.refused', outcome: 'denied' };
    expect(await list()).toMatchObject([
      { ...refused, ...none, actor: { kind: 'anonymous', id: null } },
    ]);
  });

  it('stores an entry whatever a client has sent', async () => {
    const wild = `a\0b\uD800${'x'.repeat(5000)}`;
    await audit.record({
      ...signIn,
      reason: wild,
      actor: { kind: 'user', id: wild },
      target: { kind: wild, id: wild },
      requestId: wild,
      address: wild,
      details: { deep: [{ wild }] },
    });
    expect(log.text()).toBe('');
    const tame = `a\uFFFDb\uFFFD${'x'.repeat(252)}`;
    expect(await list({ actor_id: 'a\0b\uD800'.concat('x'.repeat(252)) })).toMatchObject([
      {
        actor: { id: tame },
        target: { kind: tame, id: tame },
        request_id: tame,
        address: null,
        details: { deep: [{ wild: tame }] },
      },
    ]);
  });

  it('returns no cursor when the last page is full', async () => {
    await audit.record(signIn);
    await audit.record(signIn);
    expect((await audit.list({ limit: 2 })).next_cursor).toBeNull();
  });

  describe('the retention', () => {
    it('truncates only addresses, to their network, after 30 days', async () => {
      await recordAt(start, { address: '203.0.113.5' });
      await recordAt(start + 1, { address: '2001:db8:1:2::3' });
      await recordAt(start + 2, { address: undefined });
      await recordAt(start + 3, { address: '203.0.113.6' });
      const before = await list();
      now = start + 3 + 30 * day;
      await applyRetention({ store, clock, batch: 1 });
      expect(await addresses()).toEqual(['203.0.113.0/24', '2001:db8:1::/48', null, '203.0.113.6']);
      const withoutAddress = (events: object[]) =>
        events.map((event) => ({ ...event, address: '' }));
      expect(withoutAddress(await list())).toEqual(withoutAddress(before));
      now += 1;
      await applyRetention({ store, clock });
      await applyRetention({ store, clock });
      expect(await addresses()).toEqual([
        '203.0.113.0/24',
        '2001:db8:1::/48',
        null,
        '203.0.113.0/24',
      ]);
    });

    it('removes an address that is invalid', async () => {
      await audit.record(signIn);
      await database.db.updateTable('audit_events').set({ address: 'somewhere' }).execute();
      now += 31 * day;
      await applyRetention({ store, clock });
      expect(await addresses()).toEqual([null]);
    });

    it('deletes only rows older than 400 days, in batches', async () => {
      for (let count = 0; count < 5; count += 1) await recordAt(start + count);
      now = start + 4 + 400 * day;
      await applyRetention({ store, clock, batch: 2 });
      expect((await list()).map(({ at }) => Date.parse(at) - start)).toEqual([4]);
      now += 1;
      await applyRetention({ store, clock, batch: 2 });
      expect(await list()).toEqual([]);
    });
  });

  it('logs an entry that the database rejects, without personal data', async () => {
    const entry = { ...signIn, outcome: 'odd' } as unknown as AuditEntry;
    await expect(audit.record(entry)).resolves.toBeUndefined();
    expect(log.lines()).toMatchObject([
      { level: 'error', audit: { action: 'session.created', outcome: 'odd' } },
    ]);
    expect(log.text()).not.toMatch(/203\.0\.113|Firefox/);
  });

  it('logs an entry whose details are not JSON', async () => {
    await expect(audit.record({ ...signIn, details: { big: 1n } })).resolves.toBeUndefined();
    expect(log.lines()).toMatchObject([{ level: 'error', audit: { action: 'session.created' } }]);
  });
});

describe('the audit while the database is closed', () => {
  it('never rejects, and logs the entry without address and details', async () => {
    const { db, close } = await openTestDatabase(mainEngine);
    const log = createTestHttp();
    const audit = createAudit({
      store: createAuditStore(db),
      clock: { now: () => start },
      logger: log.logger,
    });
    await close();
    await expect(audit.record(signIn)).resolves.toBeUndefined();
    expect(log.lines()).toEqual([
      {
        level: 'error',
        time: expect.any(String) as string,
        err: expect.any(Object) as object,
        msg: 'an audit event was not kept',
        audit: {
          action: 'session.created',
          outcome: 'success',
          actor_kind: 'user',
          actor_id: 'user-1',
          target_kind: 'session',
          target_id: 'session-1',
          request_id: 'request-1',
        },
      },
    ]);
    expect(log.text()).not.toMatch(/203\.0\.113|Firefox|user_agent/);
  }, 60_000);
});
