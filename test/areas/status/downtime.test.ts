import { describe, expect, it } from 'vitest';
import { downtimeOf, subtract } from '../../../src/areas/status/recording/downtime.ts';
import type { Incident } from '../../../src/areas/status/incidents/incident-store.ts';
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

describe('a downtime of the service', () => {
  it('is an outage of every component, with a resolved incident', () => {
    const { incident, spans } = downtimeOf(
      { from: now - 3_900_000, to: now },
      ['database', 'redis'],
      [],
      now,
    )!;
    expect(spans).toEqual(
      ['database', 'redis'].map((componentId) => ({
        componentId,
        status: 'major_outage',
        beganAt: now - 3_900_000,
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
      createdAt: now - 3_900_000,
      source: 'downtime',
      components: ['database', 'redis'],
    });
    expect(incident.updates[0]?.body).toContain(
      'from Jun 1, 2026, 10:55 UTC to Jun 1, 2026, 12:00 UTC (1 hour 5 minutes)',
    );
  });

  it("accepts a postmortem, and can't be reopened", () => {
    const { incident } = downtimeOf({ from: now - 3_900_000, to: now }, ['database'], [], now)!;
    expect(nextState(incident, 'postmortem').event).toBe('incident.updated');
    expect(() => nextState(incident, 'investigating')).toThrow('stay resolved');
    expect(nextState({ ...incident, source: 'admin' }, 'investigating').event).toBe(
      'incident.updated',
    );
  });

  it('does not count during planned maintenance', () => {
    const found = downtimeOf(
      { from: now - 1000, to: now },
      ['database', 'redis'],
      [planned(now - 600, now - 300, ['database']), planned(0, now, ['redis'])],
      now,
    );
    expect(
      found?.spans.map(({ componentId, beganAt, endedAt }) => [componentId, beganAt, endedAt]),
    ).toEqual([
      ['database', now - 1000, now - 600],
      ['database', now - 300, now],
    ]);
    expect(found?.incident.components).toEqual(['database']);
    expect(
      downtimeOf(
        { from: now - 1000, to: now },
        ['database'],
        [planned(now - 1000, now, ['database'])],
        now,
      ),
    ).toBeUndefined();
  });

  it('does not count from when maintenance was started before its time', () => {
    const early: Incident = {
      ...planned(now + 60_000, now + 120_000, ['database']),
      status: 'in_progress',
      updates: [
        {
          id: 'x',
          status: 'in_progress',
          body: 'Early.',
          createdAt: now - 700,
          displayAt: now - 700,
        },
      ],
    };
    expect(
      downtimeOf({ from: now - 1000, to: now }, ['database'], [early], now)?.spans.map(
        ({ beganAt, endedAt }) => [beganAt, endedAt],
      ),
    ).toEqual([[now - 1000, now - 700]]);
  });

  it('is cut by overlaps on either side', () => {
    expect(subtract({ from: 10, to: 20 }, [])).toEqual([{ from: 10, to: 20 }]);
    expect(
      subtract({ from: 10, to: 20 }, [
        { from: 0, to: 12 },
        { from: 18, to: 30 },
        { from: 14, to: 15 },
      ]),
    ).toEqual([
      { from: 12, to: 14 },
      { from: 15, to: 18 },
    ]);
    expect(
      subtract({ from: 10, to: 20 }, [
        { from: 30, to: 40 },
        { from: 0, to: 5 },
      ]),
    ).toEqual([{ from: 10, to: 20 }]);
  });
});
