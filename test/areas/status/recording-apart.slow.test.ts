import { systemActor } from '../../../src/platform/http/requests/request-actor.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createChecksLog } from '../../../src/areas/status/recording/checks-log.ts';
import { incidentStore } from '../../../src/areas/status/incidents/incident-store.ts';
import type { StateCache } from '../../../src/areas/status/recording/state-cache.ts';
import { uuidv7 } from '../../../src/lib/ids.ts';
import type { Database } from '../../../src/platform/database/database.ts';
import { engines, openTestDatabase } from '../../platform/database/engines.ts';
import { openReplica, spansOf } from './replica.ts';

const minute = 60_000;
let now: number;
let db: Database;
let close: () => Promise<void>;
const clock = {
  now: () => now,
  pass: (ms: number) => {
    now += ms;
  },
};
const spans = () => spansOf(db);

const website = { name: 'Website', source: 'http' as const, target: 'http://127.0.0.1:1/' };

describe.each(engines.filter(({ isAvailable }) => isAvailable))(
  'replicas that share records on $name',
  (engine) => {
    beforeAll(async () => {
      ({ db, close } = await openTestDatabase(engine));
    }, 60_000);
    afterAll(() => close());
    beforeEach(async () => {
      now = Date.UTC(2026, 5, 1, 12);
      await db.deleteFrom('status_components').execute();
      await db.deleteFrom('status_incidents').execute();
      await db.updateTable('status_heartbeat').set({ at: null, holder: null }).execute();
    });

    it('neither show nor record a single bad result', async () => {
      const replica = await openReplica(db, clock);
      now += minute;
      replica.found.redis = 'fail';
      await replica.checkOnce();
      await replica.status.recorder.tick();
      expect({
        spans: await spans(),
        published: replica.published,
        indicator: replica.status.state().indicator,
      }).toEqual({ spans: [], published: [], indicator: 'none' });
      now += 2000;
      replica.found.redis = 'pass';
      await replica.checkOnce();
      now += 2000;
      replica.found.redis = 'fail';
      await replica.checkOnce();
      await replica.status.recorder.tick();
      expect({ spans: await spans(), indicator: replica.status.state().indicator }).toEqual({
        spans: [],
        indicator: 'none',
      });
      now += 2000;
      await replica.checkOnce();
      await replica.status.recorder.tick();
      expect({ spans: await spans(), indicator: replica.status.state().indicator }).toEqual({
        spans: [['redis', 'major_outage', 'check', now - 2000, null]],
        indicator: 'major',
      });
      await replica.status.stop();
    });

    it('do not end a recorded span at a first bad result after a start', async () => {
      const first = await openReplica(db, clock);
      first.found.redis = 'warn';
      const began = (now += minute);
      await first.check();
      await first.status.stop();
      now += 20_000;
      const second = await openReplica(db, clock, 'fail');
      await second.status.recorder.tick();
      expect({ spans: await spans(), indicator: second.status.state().indicator }).toEqual({
        spans: [['redis', 'degraded_performance', 'check', began, null]],
        indicator: 'minor',
      });
      now += 2000;
      await second.checkOnce();
      await second.status.recorder.tick();
      expect((await spans()).map(([, status, , from, to]) => [status, from, to])).toEqual([
        ['degraded_performance', began, now - 2000],
        ['major_outage', now - 2000, null],
      ]);
      await second.status.stop();
    });

    it('record the response times of the database', async () => {
      const replica = await openReplica(db, clock);
      for (let turn = 0; turn < 3; turn += 1) {
        now += minute;
        await replica.check();
        await replica.status.recorder.tick();
      }
      const { components } = replica.status.state();
      expect(
        components.map(({ id, responseTimes }) => [id, responseTimes.map(({ ms }) => ms)]),
      ).toEqual([
        ['database', [2]],
        ['redis', []],
      ]);
      await replica.status.stop();
    });

    it('take over from a dead holder whose clock is ahead, not from a live one', async () => {
      const first = await openReplica(db, clock);
      await db
        .updateTable('status_heartbeat')
        .set({ at: new Date(now + 60 * minute) })
        .execute();
      const second = await openReplica(db, clock);
      for (let turn = 0; turn < 6; turn += 1) {
        now += 5000;
        await db
          .updateTable('status_heartbeat')
          .set({ at: new Date(now + 60 * minute) })
          .execute();
        await second.status.recorder.tick();
        expect(second.status.recorder.isHolder()).toBe(false);
      }
      for (let turn = 0; turn < 4; turn += 1) {
        now += 5000;
        await second.status.recorder.tick();
      }
      expect(second.status.recorder.isHolder()).toBe(true);
      expect(second.status.state().history).toEqual([]);
      await Promise.all([first.status.stop(), second.status.stop()]);
    });

    it('begin no span for a component that was just archived', async () => {
      const replica = await openReplica(db, clock);
      const { id } = await replica.status.components.create(website, systemActor);
      const loaded = replica.status.records();
      const stale: Pick<StateCache, 'stored' | 'observations'> = {
        stored: () => ({
          version: 1,
          components: loaded,
          spans: [],
          incidents: [],
          responseTimes: [],
        }),
        observations: () =>
          new Map([
            [id, { status: 'major_outage' as const, since: now, isKnown: true }],
            ['redis', { status: 'major_outage' as const, since: now, isKnown: true }],
          ]),
      };
      await replica.status.components.delete(id, systemActor);
      expect(await createChecksLog({ db, cache: stale, clock }).flush()).toBe(true);
      expect(await spans()).toEqual([['redis', 'major_outage', 'check', now, null]]);
      await replica.status.stop();
    });

    it('lose no setting when two admins change different ones concurrently', async () => {
      const replica = await openReplica(db, clock);
      const { id } = await replica.status.components.create(website, systemActor);
      for (let turn = 1; turn <= 10; turn += 1) {
        const [interval, timeout] = [30 + turn, 1000 + turn];
        await Promise.all(
          [{ interval_s: interval }, { timeout_ms: timeout }].map((settings) =>
            replica.status.components.update(id, { settings }, systemActor),
          ),
        );
        expect(replica.status.records().find((each) => each.id === id)?.settings).toMatchObject({
          interval_s: interval,
          timeout_ms: timeout,
        });
      }
      await replica.status.stop();
    });

    // A resolved incident can be reopened and resolved again, so the order decides whether both
    // updates succeed.
    it.each([
      [['resolved', 'resolved']],
      [['identified', 'monitoring', 'resolved', 'resolved']],
    ] as const)(
      'order concurrent updates of an incident (%j), and keep resolved ones resolved',
      async (statuses) => {
        const replica = await openReplica(db, clock);
        const { incidents } = replica.status;
        const { id } = await incidents.create(
          {
            name: 'Slow',
            status: 'investigating',
            body: 'x',
            components: [{ id: 'redis', status: 'major_outage' }],
          },
          systemActor,
        );
        now += minute;
        const results = await Promise.allSettled(
          statuses.map((status) =>
            incidents.createUpdate(id, { status, body: status }, systemActor),
          ),
        );
        const refusals = results.flatMap((each) =>
          each.status === 'rejected' ? [each.reason as unknown] : [],
        );
        for (const refusal of refusals)
          expect(refusal).toMatchObject({ code: 'status.incident_over' });
        if (statuses.length === 2) expect(refusals).toHaveLength(1);
        const incident = await incidents.get(id);
        const order = incident.updates.map(({ status }) => status);
        expect(order).toHaveLength(1 + statuses.length - refusals.length);
        expect(
          order.filter((status, at) => status === 'resolved' && order[at + 1] === 'resolved'),
        ).toEqual([]);
        expect(new Set(incident.updates.map(({ createdAt }) => createdAt)).size).toBe(
          incident.updates.length,
        );
        expect((await spans()).filter(([, , , , end]) => end === null)).toHaveLength(
          incident.resolvedAt === null ? 1 : 0,
        );
        await replica.status.stop();
      },
    );

    it('show open incidents, after any number of newer resolved ones', async () => {
      const row = (at: number, resolved: number | null) => ({
        id: uuidv7(at),
        kind: 'incident' as const,
        name: 'x',
        status: resolved === null ? ('investigating' as const) : ('resolved' as const),
        impact: 'minor' as const,
        source: 'admin' as const,
        created_at: new Date(at),
        updated_at: new Date(at),
        resolved_at: resolved === null ? null : new Date(resolved),
        scheduled_for: null,
        scheduled_until: null,
      });
      await db
        .insertInto('status_incidents')
        .values([
          row(now - minute, null),
          ...Array.from({ length: 520 }, (_none, index) => row(now + index, now + index)),
        ])
        .execute();
      const found = await incidentStore.since(db, now - 90 * 1440 * minute);
      expect(found).toHaveLength(500);
      expect(found.filter(({ resolvedAt }) => resolvedAt === null)).toHaveLength(1);
      expect(found.map(({ createdAt }) => createdAt)).toEqual(
        found.map(({ createdAt }) => createdAt).sort((a, b) => b - a),
      );
    });
  },
);
