import { systemActor } from '../../../src/platform/http/requests/request-actor.ts';
import { describe, expect, it } from 'vitest';
import { createChecksLog } from '../../../src/areas/status/recording/checks-log.ts';
import { incidentStore } from '../../../src/areas/status/incidents/store.ts';
import type { StateCache } from '../../../src/areas/status/recording/state-cache.ts';
import { dayMs, minuteMs } from '../../../src/lib/durations.ts';
import { uuidv7 } from '../../../src/lib/ids.ts';
import { mainEngine } from '../../platform/database/engines.ts';
import { type Replica, useReplicas } from './replica.ts';

const website = { name: 'Website', source: 'http' as const, target: 'http://127.0.0.1:1/' };

describe('replicas that share records', () => {
  const { clock, db, open, spans } = useReplicas(mainEngine);
  const recorded = async ({ status }: Replica) => ({
    spans: await spans(),
    indicator: status.state().indicator,
  });

  it('neither show nor record a single bad result', async () => {
    const replica = await open();
    clock.pass(minuteMs);
    replica.found.redis = 'fail';
    await replica.checkOnce();
    await replica.tick();
    expect(await recorded(replica)).toEqual({ spans: [], indicator: 'none' });
    expect(replica.published).toEqual([]);
    clock.pass(2000);
    replica.found.redis = 'pass';
    await replica.checkOnce();
    clock.pass(2000);
    replica.found.redis = 'fail';
    await replica.checkOnce();
    await replica.tick();
    expect(await recorded(replica)).toEqual({
      spans: [],
      indicator: 'none',
    });
    clock.pass(2000);
    await replica.checkOnce();
    await replica.tick();
    expect(await recorded(replica)).toEqual({
      spans: [['redis', 'major_outage', 'check', clock.now() - 2000, null]],
      indicator: 'major',
    });
  });

  it('do not end a recorded span at a first bad result after a start', async () => {
    const first = await open();
    first.found.redis = 'warn';
    const began = clock.pass(minuteMs);
    await first.check();
    await first.status.stop();
    clock.pass(20_000);
    const second = await open('fail');
    await second.tick();
    expect(await recorded(second)).toEqual({
      spans: [['redis', 'degraded_performance', 'check', began, null]],
      indicator: 'minor',
    });
    clock.pass(2000);
    await second.checkOnce();
    await second.tick();
    expect((await spans()).map(([, status, , from, to]) => [status, from, to])).toEqual([
      ['degraded_performance', began, clock.now() - 2000],
      ['major_outage', clock.now() - 2000, null],
    ]);
  });

  it('record the response times of the database', async () => {
    const replica = await open();
    for (let turn = 0; turn < 3; turn += 1) {
      clock.pass(minuteMs);
      await replica.check();
      await replica.tick();
    }
    const { components } = replica.status.state();
    expect(
      components.map(({ id, responseTimes }) => [id, responseTimes.map(({ ms }) => ms)]),
    ).toEqual([
      ['database', [2]],
      ['redis', []],
    ]);
  });

  it('take over from a dead holder whose clock is ahead, not from a live one', async () => {
    await open();
    const beatAhead = () =>
      db()
        .updateTable('status_heartbeat')
        .set({ at: new Date(clock.now() + 60 * minuteMs) })
        .execute();
    await beatAhead();
    const second = await open();
    for (let turn = 0; turn < 6; turn += 1) {
      clock.pass(5000);
      await beatAhead();
      await second.tick();
      expect(second.status.recorder.isHolder()).toBe(false);
    }
    for (let turn = 0; turn < 4; turn += 1) {
      clock.pass(5000);
      await second.tick();
    }
    expect(second.status.recorder.isHolder()).toBe(true);
    expect(second.status.state().history).toEqual([]);
  });

  it('begin no span for a component that was just archived', async () => {
    const replica = await open();
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
          [id, { status: 'major_outage' as const, since: clock.now(), isKnown: true }],
          ['redis', { status: 'major_outage' as const, since: clock.now(), isKnown: true }],
        ]),
    };
    await replica.status.components.delete(id, systemActor);
    expect(await createChecksLog({ db: db(), cache: stale, clock }).flush()).toBe(true);
    expect(await spans()).toEqual([['redis', 'major_outage', 'check', clock.now(), null]]);
  });

  it('lose no setting when two admins change different ones concurrently', async () => {
    const replica = await open();
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
  });

  // A resolved incident can be reopened and resolved again, so the order decides whether both
  // updates succeed.
  it.each([
    [['resolved', 'resolved']],
    [['identified', 'monitoring', 'resolved', 'resolved']],
  ] as const)(
    'order concurrent updates of an incident (%j), and keep resolved ones resolved',
    async (statuses) => {
      const replica = await open();
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
      clock.pass(minuteMs);
      const results = await Promise.allSettled(
        statuses.map((status) => incidents.createUpdate(id, { status, body: status }, systemActor)),
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
    await db()
      .insertInto('status_incidents')
      .values([
        row(clock.now() - minuteMs, null),
        ...Array.from({ length: 520 }, (_none, index) =>
          row(clock.now() + index, clock.now() + index),
        ),
      ])
      .execute();
    const found = await incidentStore.since(db(), clock.now() - 90 * dayMs);
    expect(found).toHaveLength(500);
    expect(found.filter(({ resolvedAt }) => resolvedAt === null)).toHaveLength(1);
    expect(found.map(({ createdAt }) => createdAt)).toEqual(
      found.map(({ createdAt }) => createdAt).sort((a, b) => b - a),
    );
  });
});
