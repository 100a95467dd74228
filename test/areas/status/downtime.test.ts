import { describe, expect, it } from 'vitest';
import { downtimeOf, subtract } from '../../../src/areas/status/recording/downtime.ts';
import type { Incident } from '../../../src/areas/status/incidents/store.ts';
import { nextState } from '../../../src/areas/status/incidents/incident-states.ts';

const now = Date.UTC(2026, 5, 1, 12);
const planned = (from: number, to: number, components: string[]): Incident => ({
  id: '01900000-0000-7000-8000-000000000000',
  kind: 'maintenance',
  name: 'Move',
  status: 'scheduled',
  impact: 'maintenance',
  source: 'admin',
  createdAt: 0,
  updatedAt: 0,
  resolvedAt: null,
  scheduledFor: from,
  scheduledUntil: to,
  components,
  affected: components.map((id) => ({ id, status: 'under_maintenance' })),
  updates: [],
});

/** The downtime of some milliseconds until now. */
const downtime = (ms: number, components: string[], maintenances: Incident[] = []) =>
  downtimeOf({ from: now - ms, to: now }, components, maintenances, now);

describe('a downtime of the service', () => {
  it('is an outage of every component, with a resolved incident', () => {
    const from = now - 3_900_000;
    const { incident, spans } = downtime(3_900_000, ['database', 'redis'])!;
    expect(spans).toEqual(
      ['database', 'redis'].map((componentId) => ({
        componentId,
        status: 'major_outage',
        beganAt: from,
        endedAt: now,
        cause: 'downtime',
        incidentId: incident.id,
      })),
    );
    expect(incident).toMatchObject({
      kind: 'incident',
      name: 'Service outage',
      status: 'resolved',
      resolvedAt: now,
      createdAt: from,
      source: 'downtime',
      components: ['database', 'redis'],
    });
    expect(incident.updates[0]?.body).toContain(
      'from Jun 1, 2026, 10:55 UTC to Jun 1, 2026, 12:00 UTC (1 hour 5 minutes)',
    );
  });

  it("accepts a postmortem, and can't be reopened", () => {
    const { incident } = downtime(3_900_000, ['database'])!;
    expect(nextState(incident, 'postmortem').event).toBe('incident.updated');
    expect(() => nextState(incident, 'investigating')).toThrow('stay resolved');
    const ofAdmin = { ...incident, source: 'admin' as const };
    expect(nextState(ofAdmin, 'investigating').event).toBe('incident.updated');
  });

  it('does not count during planned maintenance', () => {
    const found = downtime(
      1000,
      ['database', 'redis'],
      [planned(now - 600, now - 300, ['database']), planned(0, now, ['redis'])],
    );
    expect(found?.spans).toMatchObject([
      { componentId: 'database', beganAt: now - 1000, endedAt: now - 600 },
      { componentId: 'database', beganAt: now - 300, endedAt: now },
    ]);
    expect(found?.incident.components).toEqual(['database']);
    expect(downtime(1000, ['database'], [planned(now - 1000, now, ['database'])])).toBeUndefined();
  });

  it('does not count from when maintenance was started before its time', () => {
    const times = { createdAt: now - 700, displayAt: now - 700 };
    const early: Incident = {
      ...planned(now + 60_000, now + 120_000, ['database']),
      status: 'in_progress',
      updates: [{ id: 'x', status: 'in_progress', body: 'Early.', ...times }],
    };
    expect(downtime(1000, ['database'], [early])?.spans).toMatchObject([
      { beganAt: now - 1000, endedAt: now - 700 },
    ]);
  });

  it('is cut by overlaps on either side', () => {
    const cut = (...overlaps: [from: number, to: number][]) =>
      subtract(
        { from: 10, to: 20 },
        overlaps.map(([from, to]) => ({ from, to })),
      ).map(({ from, to }) => `${from}–${to}`);
    expect(cut()).toEqual(['10–20']);
    expect(cut([0, 12], [18, 30], [14, 15])).toEqual(['12–14', '15–18']);
    expect(cut([30, 40], [0, 5])).toEqual(['10–20']);
  });
});
