import { systemActor } from '../../../src/platform/http/requests/request-actor.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Database, openDatabase } from '../../../src/platform/database/database.ts';
import { engines, openTestDatabase, openWayTo } from '../../platform/database/engines.ts';
import { openReplica, spansOf } from './replica.ts';

const [pglite, postgres] = engines;
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

describe.each(engines)('the recorder on $name', (engine) => {
  beforeAll(async () => {
    if (engine.isAvailable) ({ db, close } = await openTestDatabase(engine));
  }, 60_000);
  afterAll(async () => {
    if (engine.isAvailable) await close();
  });
  beforeEach(async () => {
    now = Date.UTC(2026, 5, 1, 12);
    if (!engine.isAvailable) return;
    await db.deleteFrom('status_components').execute();
    await db.deleteFrom('status_incidents').execute();
    await db.updateTable('status_heartbeat').set({ at: null, holder: null }).execute();
  });

  it.runIf(engine.isAvailable)(
    'records check results as spans with their times, and publishes each change once',
    async () => {
      const replica = await openReplica(db, clock);
      const began = (now += minute);
      replica.found.redis = 'fail';
      await replica.check();
      expect(replica.published.map(([channel, { type }]) => [channel, type])).toEqual([
        ['status', 'component.updated'],
        ['status:redis', 'component.updated'],
      ]);
      expect(replica.published[0]?.[1].data).toMatchObject({
        id: 'redis',
        name: 'Redis',
        status: 'major_outage',
        group: false,
      });
      now += 3000;
      await replica.status.recorder.tick();
      await replica.status.recorder.tick();
      expect(await spans()).toEqual([['redis', 'major_outage', 'check', began, null]]);
      const ended = (now += minute);
      replica.found.redis = 'pass';
      await replica.check();
      now += 4000;
      await replica.status.recorder.tick();
      expect(await spans()).toEqual([['redis', 'major_outage', 'check', began, ended]]);
      expect(replica.published).toHaveLength(4);
      expect(replica.day('redis')).toEqual({ major_outage: ended - began });
      await replica.status.stop();
    },
  );

  it.runIf(engine.isAvailable)('ignores checks during maintenance', async () => {
    const replica = await openReplica(db, clock);
    const { status } = replica;
    const iso = (ms: number) => new Date(ms).toISOString();
    const start = now;
    await status.maintenances.create(
      {
        name: 'Move',
        body: 'Soon',
        components: ['redis'],
        scheduled_for: iso(now + 10 * minute),
        scheduled_until: iso(now + 20 * minute),
      },
      systemActor,
    );
    now = start + 5 * minute;
    replica.found.redis = 'fail';
    await replica.check();
    await status.recorder.tick();
    now = start + 10 * minute + 2000;
    await status.recorder.tick();
    now = start + 15 * minute;
    replica.found.redis = 'warn';
    await replica.check();
    await status.recorder.tick();
    expect(status.summary()).toMatchObject({
      status: { indicator: 'maintenance' },
      components: [{ status: 'operational' }, { id: 'redis', status: 'under_maintenance' }],
    });
    now = start + 20 * minute + 1000;
    await status.recorder.tick();
    now = start + 25 * minute;
    await status.recorder.tick();
    expect(replica.day('redis')).toEqual({
      major_outage: 5 * minute,
      under_maintenance: 10 * minute,
      degraded_performance: 5 * minute,
    });
    expect(replica.noticed).toEqual(['Move: scheduled', 'Move: in_progress', 'Move: completed']);
    expect(
      replica.published
        .map(([, { type }]) => type)
        .filter((type) => type.startsWith('maintenance')),
    ).toEqual(['maintenance.scheduled', 'maintenance.started', 'maintenance.completed']);
    await status.stop();
  });

  it.runIf(engine.isAvailable)(
    'runs on one of two replicas; the other takes over without recording an outage',
    async () => {
      const first = await openReplica(db, clock);
      const second = await openReplica(db, clock);
      expect({
        firstIsHolder: first.status.recorder.isHolder(),
        secondIsHolder: second.status.recorder.isHolder(),
      }).toEqual({ firstIsHolder: true, secondIsHolder: false });
      for (const replica of [first, second]) replica.found.redis = 'fail';
      now += minute / 10;
      for (const replica of [first, second]) await replica.check();
      for (const replica of [first, second]) await replica.status.recorder.tick();
      expect(await spans()).toHaveLength(1);
      expect({
        firstLength: first.published.length,
        secondLength: second.published.length,
      }).toEqual({ firstLength: 2, secondLength: 0 });
      // The first replica sends no more heartbeats.
      now += minute;
      await second.status.recorder.tick();
      expect(second.status.recorder.isHolder()).toBe(true);
      await first.status.recorder.tick();
      expect(first.status.recorder.isHolder()).toBe(false);
      expect(await spans()).toHaveLength(1);
      expect(second.status.state().history).toEqual([]);
      await second.status.stop();
      await first.status.recorder.tick();
      expect(first.status.recorder.isHolder()).toBe(true);
      await first.status.stop();
    },
  );

  it.runIf(engine.isAvailable)(
    'shows changes of an admin on one replica to the others',
    async () => {
      const first = await openReplica(db, clock);
      const second = await openReplica(db, clock);
      const { id } = await second.status.incidents.create(
        {
          name: 'Slow',
          status: 'investigating',
          body: 'x',
          components: [{ id: 'redis', status: 'partial_outage' }],
        },
        systemActor,
      );
      expect(first.status.state().incidents).toEqual([]);
      await first.status.refresh();
      expect(first.status.state()).toMatchObject({ indicator: 'major', incidents: [{ id }] });
      // The entering replica publishes the incident, the recording one its components.
      expect(second.published.map(([, { type }]) => type)).toEqual(['incident.created']);
      expect(first.published.map(([channel, { type }]) => `${channel} ${type}`)).toEqual([
        'status component.updated',
        'status:redis component.updated',
      ]);
      expect(second.published[0]?.[1].data).toMatchObject({
        id,
        impact: 'major',
        components: [{ id: 'redis', status: 'partial_outage' }],
        incident_updates: [{ status: 'investigating' }],
      });
      expect({ firstNoticed: first.noticed, secondNoticed: second.noticed }).toEqual({
        firstNoticed: [],
        secondNoticed: ['Slow: investigating'],
      });
      await Promise.all([first.status.stop(), second.status.stop()]);
    },
  );

  it.runIf(engine.isAvailable)(
    'records the time without a process as an outage once, except planned maintenance',
    async () => {
      const before = await openReplica(db, clock);
      await before.status.maintenances.create(
        {
          name: 'Move',
          body: 'Soon',
          components: ['redis'],
          scheduled_for: new Date(now + minute).toISOString(),
          scheduled_until: new Date(now + 600 * minute).toISOString(),
        },
        systemActor,
      );
      const from = now;
      await before.status.stop();
      const to = (now += 60 * minute);
      const [first, second] = [await openReplica(db, clock), await openReplica(db, clock)];
      expect((await spans()).filter(([, , cause]) => cause === 'downtime')).toEqual([
        ['database', 'major_outage', 'downtime', from, to],
        ['redis', 'major_outage', 'downtime', from, from + minute],
      ]);
      expect(first.status.state()).toMatchObject({
        indicator: 'maintenance',
        incidents: [],
        history: [
          {
            name: 'Service outage',
            status: 'resolved',
            createdAt: from,
            resolvedAt: to,
          },
        ],
      });
      expect(second.status.state().history).toHaveLength(1);
      expect(first.noticed).toContain('Service outage: resolved');
      expect(second.noticed).toEqual([]);
      await Promise.all([first.status.stop(), second.status.stop()]);
      now += 20_000;
      const third = await openReplica(db, clock);
      expect(third.status.state().history).toHaveLength(1);
      await third.status.stop();
    },
  );
});

describe('without the database', () => {
  it.runIf(postgres.isAvailable)(
    'the state stays correct, and changes are written with their times afterwards',
    async () => {
      now = Date.UTC(2026, 5, 1, 12);
      const { options, remove } = await postgres.prepare();
      if (!('url' in options)) throw new Error('no server');
      db = await openDatabase(options);
      const way = await openWayTo(options.url);
      const lost = await openDatabase({ ...options, url: way.url });
      const replica = await openReplica(lost, clock);
      const [began, between, ended] = [now + minute, now + 2 * minute, now + 3 * minute];
      now = began;
      way.cut();
      replica.found.database = 'fail';
      await replica.check();
      await replica.status.recorder.tick();
      expect(replica.status.summary()).toMatchObject({
        status: { indicator: 'major' },
        components: [{ id: 'database', status: 'major_outage' }, { status: 'operational' }],
      });
      expect(replica.published).toHaveLength(2);
      now = between;
      replica.found.redis = 'warn';
      await replica.check();
      await replica.status.recorder.tick();
      expect(await spans()).toEqual([]);
      now = ended;
      replica.found.database = 'pass';
      replica.found.redis = 'pass';
      await replica.check();
      await way.mend();
      await vi.waitFor(async () => {
        await replica.status.recorder.tick();
        expect(await spans()).toEqual([
          ['database', 'major_outage', 'check', began, ended],
          ['redis', 'degraded_performance', 'check', between, ended],
        ]);
      }, 10_000);
      await replica.status.stop();
      way.cut();
      await lost.destroy();
      await db.destroy();
      await remove();
    },
    60_000,
  );

  it('a stopping process does not wait for it', async () => {
    ({ db, close } = await openTestDatabase(pglite));
    const replica = await openReplica(db, clock);
    await close();
    await replica.status.stop();
    expect(replica.status.state().components).toHaveLength(2);
  });
});
