import { systemActor } from '../../../src/platform/http/requests/request-actor.ts';
import { describe, expect, it, vi } from 'vitest';
import { minuteMs } from '../../../src/lib/durations.ts';
import { openDatabase } from '../../../src/platform/database/database.ts';
import {
  availableEngines,
  engines,
  mainEngine,
  openTestDatabase,
  openWayTo,
} from '../../platform/database/engines.ts';
import { openReplica, type Replica, spansOf, useReplicas } from './replica.ts';
import { iso } from './support.ts';

const [, postgres] = engines;

describe.each(availableEngines)('the recorder on $name', (engine) => {
  const { clock, open, setTime, spans } = useReplicas(engine);
  const plan = (
    { status }: Replica,
    { afterMinutes, until }: { afterMinutes: number; until: number },
  ) =>
    status.maintenances.create(
      {
        name: 'Move',
        body: 'Soon',
        components: ['redis'],
        scheduled_for: iso(clock.now() + afterMinutes * minuteMs),
        scheduled_until: iso(clock.now() + until * minuteMs),
      },
      systemActor,
    );

  it('records results as spans with their times, and publishes each change once', async () => {
    const replica = await open();
    const began = clock.pass(minuteMs);
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
    clock.pass(3000);
    await replica.tick();
    await replica.tick();
    expect(await spans()).toEqual([['redis', 'major_outage', 'check', began, null]]);
    const ended = clock.pass(minuteMs);
    replica.found.redis = 'pass';
    await replica.check();
    clock.pass(4000);
    await replica.tick();
    expect(await spans()).toEqual([['redis', 'major_outage', 'check', began, ended]]);
    expect(replica.published).toHaveLength(4);
    expect(replica.day('redis')).toEqual({ major_outage: ended - began });
  });

  it('ignores checks during maintenance', async () => {
    const replica = await open();
    const { status } = replica;
    await plan(replica, { afterMinutes: 10, until: 20 });
    setTime(5);
    replica.found.redis = 'fail';
    await replica.check();
    await replica.tick();
    setTime(10, 2);
    await replica.tick();
    setTime(15);
    replica.found.redis = 'warn';
    await replica.check();
    await replica.tick();
    expect(status.summary()).toMatchObject({
      status: { indicator: 'maintenance' },
      components: [{ status: 'operational' }, { id: 'redis', status: 'under_maintenance' }],
    });
    setTime(20, 1);
    await replica.tick();
    setTime(25);
    await replica.tick();
    expect(replica.day('redis')).toEqual({
      major_outage: 5 * minuteMs,
      under_maintenance: 10 * minuteMs,
      degraded_performance: 5 * minuteMs,
    });
    expect(replica.noticed).toEqual(['Move: scheduled', 'Move: in_progress', 'Move: completed']);
    expect(
      replica.published
        .map(([, { type }]) => type)
        .filter((type) => type.startsWith('maintenance')),
    ).toEqual(['maintenance.scheduled', 'maintenance.started', 'maintenance.completed']);
  });

  it('runs on one of two replicas; the other takes over without recording an outage', async () => {
    const first = await open();
    const second = await open();
    expect(first.status.recorder.isHolder()).toBe(true);
    expect(second.status.recorder.isHolder()).toBe(false);
    for (const replica of [first, second]) replica.found.redis = 'fail';
    clock.pass(minuteMs / 10);
    for (const replica of [first, second]) await replica.check();
    for (const replica of [first, second]) await replica.tick();
    expect(await spans()).toHaveLength(1);
    expect(first.published).toHaveLength(2);
    expect(second.published).toEqual([]);
    // The first replica sends no more heartbeats.
    clock.pass(minuteMs);
    await second.tick();
    expect(second.status.recorder.isHolder()).toBe(true);
    await first.tick();
    expect(first.status.recorder.isHolder()).toBe(false);
    expect(await spans()).toHaveLength(1);
    expect(second.status.state().history).toEqual([]);
    await second.status.stop();
    await first.tick();
    expect(first.status.recorder.isHolder()).toBe(true);
  });

  it('shows changes of an admin on one replica to the others', async () => {
    const first = await open();
    const second = await open();
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
    expect(first.noticed).toEqual([]);
    expect(second.noticed).toEqual(['Slow: investigating']);
  });

  it('records the time without a process as an outage once, but not maintenance', async () => {
    const before = await open();
    await plan(before, { afterMinutes: 1, until: 600 });
    const from = clock.now();
    await before.status.stop();
    const to = clock.pass(60 * minuteMs);
    const [first, second] = [await open(), await open()];
    expect((await spans()).filter(([, , cause]) => cause === 'downtime')).toEqual([
      ['database', 'major_outage', 'downtime', from, to],
      ['redis', 'major_outage', 'downtime', from, from + minuteMs],
    ]);
    expect(first.status.state()).toMatchObject({
      indicator: 'maintenance',
      incidents: [],
      history: [{ name: 'Service outage', status: 'resolved', createdAt: from, resolvedAt: to }],
    });
    expect(second.status.state().history).toHaveLength(1);
    expect(first.noticed).toContain('Service outage: resolved');
    expect(second.noticed).toEqual([]);
    await Promise.all([first.status.stop(), second.status.stop()]);
    clock.pass(20_000);
    const third = await open();
    expect(third.status.state().history).toHaveLength(1);
  });
});

describe('without the database', () => {
  let now = Date.UTC(2026, 5, 1, 12);
  const clock = { now: () => now, pass: (ms: number) => (now += ms) };

  it.runIf(postgres.isAvailable)(
    'the state stays correct, and changes are written with their times afterwards',
    async () => {
      const { options, remove } = await postgres.prepare();
      if (!('url' in options)) throw new Error('no server');
      const db = await openDatabase(options);
      const way = await openWayTo(options.url);
      const lost = await openDatabase({ ...options, url: way.url });
      const replica = await openReplica(lost, clock);
      const [began, between, ended] = [now + minuteMs, now + 2 * minuteMs, now + 3 * minuteMs];
      now = began;
      way.cut();
      replica.found.database = 'fail';
      await replica.check();
      await replica.tick();
      expect(replica.status.summary()).toMatchObject({
        status: { indicator: 'major' },
        components: [{ id: 'database', status: 'major_outage' }, { status: 'operational' }],
      });
      expect(replica.published).toHaveLength(2);
      now = between;
      replica.found.redis = 'warn';
      await replica.check();
      await replica.tick();
      expect(await spansOf(db)).toEqual([]);
      now = ended;
      replica.found.database = 'pass';
      replica.found.redis = 'pass';
      await replica.check();
      await way.mend();
      await vi.waitFor(async () => {
        await replica.tick();
        expect(await spansOf(db)).toEqual([
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
    const { db, close } = await openTestDatabase(mainEngine);
    const replica = await openReplica(db, clock);
    await close();
    await replica.status.stop();
    expect(replica.status.state().components).toHaveLength(2);
  });
});
