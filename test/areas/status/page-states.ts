import type {
  ComponentState,
  ComponentStatus,
  DayState,
  IncidentState,
  StatusState,
  UpdateState,
} from '../../../src/areas/status/model.ts';

export const dayMs = 86_400_000;
const hourMs = 3_600_000;
const minuteMs = 60_000;

/** Default time of the states. */
export const noon = Date.UTC(2026, 10, 22, 12, 0);

const dayText = (at: number) => new Date(at).toISOString().slice(0, 10);

/** The last days, oldest first; `trouble` overrides days by their distance from today. */
export function daysUntil(
  now: number,
  trouble: (back: number) => Omit<DayState, 'day'> | undefined = () => undefined,
  count = 90,
): DayState[] {
  return Array.from({ length: count }, (_none, at) => {
    const back = count - 1 - at;
    return {
      day: dayText(now - back * dayMs),
      ...(trouble(back) ?? { worst: 'operational', ms: {} }),
    };
  });
}

const times = (now: number, seed: number) =>
  Array.from({ length: 48 }, (_none, at) => ({
    at: Math.floor(now / hourMs) * hourMs - (47 - at) * hourMs,
    ms: 12 + seed + 8 * Math.abs(Math.sin(at / 4 + seed)) + (at === 30 ? 40 : 0),
  }));

export function component(
  id: string,
  changes: Partial<ComponentState> = {},
  now = noon,
): ComponentState {
  return {
    id,
    name: id,
    description: null,
    group: null,
    position: 1,
    status: 'operational',
    onlyShowIfDegraded: false,
    createdAt: now - 200 * dayMs,
    updatedAt: now - dayMs,
    days: daysUntil(now),
    uptime: 100,
    responseTimes: [],
    ...changes,
  };
}

let made = 0;
const newId = () => `018f0000-0000-7000-8000-${String((made += 1)).padStart(12, '0')}`;

export const update = (status: UpdateState['status'], body: string, at: number): UpdateState => ({
  id: newId(),
  status,
  body,
  createdAt: at,
  displayAt: at,
});

export function incident(
  name: string,
  changes: Partial<IncidentState> = {},
  now = noon,
): IncidentState {
  return {
    id: newId(),
    kind: 'incident',
    name,
    status: 'investigating',
    impact: 'major',
    components: [],
    createdAt: now - hourMs,
    updatedAt: now - hourMs,
    resolvedAt: null,
    scheduledFor: null,
    scheduledUntil: null,
    updates: [update('investigating', 'We are looking into it.', now - hourMs)],
    ...changes,
  };
}

export function maintenance(
  name: string,
  changes: Partial<IncidentState> = {},
  now = noon,
): IncidentState {
  const from = now + dayMs;
  return incident(
    name,
    {
      kind: 'maintenance',
      status: 'scheduled',
      impact: 'maintenance',
      scheduledFor: from,
      scheduledUntil: from + 2 * hourMs,
      updates: [update('scheduled', 'Sign-in may be slow for some minutes.', now - hourMs)],
      ...changes,
    },
    now,
  );
}

export function stateOf(changes: Partial<StatusState> = {}, now = noon): StatusState {
  return {
    indicator: 'none',
    description: 'All Systems Operational',
    components: [],
    incidents: [],
    maintenances: [],
    history: [],
    updatedAt: now - 3 * minuteMs,
    ...changes,
  };
}

const parts: readonly (readonly [id: string, name: string, group: string])[] = [
  ['website', 'Website', 'For people'],
  ['sign-in', 'Sign-in', 'For people'],
  ['mail', 'Email delivery', 'For people'],
  ['api', 'HTTP API', 'For programs'],
  ['realtime', 'Realtime channels', 'For programs'],
  ['events', 'Event intake', 'For programs'],
  ['exports', 'Exports', 'For programs'],
  ['records', 'Records', 'Inside'],
  ['sessions', 'Sessions', 'Inside'],
  ['jobs', 'Background jobs', 'Inside'],
];

/**
 * Ten operational components with 48 hours of response times, and one minor past problem.
 */
export function goodDay(now = noon): StatusState {
  const blip = (back: number): Omit<DayState, 'day'> | undefined =>
    back === 9
      ? { worst: 'degraded_performance', ms: { degraded_performance: 25 * minuteMs } }
      : undefined;
  return stateOf(
    {
      components: parts.map(([id, name, group], at) =>
        component(
          id,
          {
            name,
            group,
            position: at + 1,
            responseTimes: times(now, at),
            ...(at === 1
              ? {
                  days: daysUntil(now, blip),
                  description: 'Codes by SMS and email, passkeys and sessions.',
                }
              : {}),
          },
          now,
        ),
      ),
      history: [
        incident(
          'Codes by email came late',
          {
            status: 'resolved',
            impact: 'minor',
            components: ['sign-in'],
            createdAt: now - 9 * dayMs,
            updatedAt: now - 9 * dayMs + 25 * minuteMs,
            resolvedAt: now - 9 * dayMs + 25 * minuteMs,
            updates: [
              update(
                'resolved',
                'Codes arrive at once again. A mail server of our provider had been slow.',
                now - 9 * dayMs + 25 * minuteMs,
              ),
              update('investigating', 'Codes by email come some minutes late.', now - 9 * dayMs),
            ],
          },
          now,
        ),
      ],
    },
    now,
  );
}

const worsts: readonly ComponentStatus[] = [
  'major_outage',
  'partial_outage',
  'degraded_performance',
  'under_maintenance',
];
const paragraph =
  'Requests of some customers fail with 503 since one of the stores was cut off from the ' +
  'rest. We have moved them to another one, and watch the error rate fall. ';

/**
 * Ten components with problems on each of 90 days, open incidents with long timelines, and a long
 * history.
 */
export function veryBadDay(now = noon): StatusState {
  const trouble =
    (seed: number) =>
    (back: number): Omit<DayState, 'day'> => {
      const worst = worsts[(back * 7 + seed * 3) % 4] ?? 'major_outage';
      return {
        worst: worst,
        ms: {
          [worst]: (((back * 13 + seed * 31) % 300) + 5) * minuteMs,
          degraded_performance: (((back * 17 + seed) % 90) + 1) * minuteMs,
        },
      };
    };
  const ids = parts.map(([id]) => id);
  const long = (name: string, at: number) =>
    incident(
      name,
      {
        status: 'identified',
        impact: at % 2 === 0 ? 'critical' : 'major',
        components: ids.slice(at, at + 4),
        createdAt: now - (at + 5) * hourMs,
        updatedAt: now - at * 10 * minuteMs,
        updates: Array.from({ length: 8 }, (_none, each) =>
          update(
            each < 4 ? 'identified' : 'investigating',
            `${paragraph.repeat(1 + (each % 2))}\n\n` +
              `The next update comes by ${20 - each}:30 UTC. Ticket ${at}-${each}.`,
            now - at * 10 * minuteMs - each * 30 * minuteMs,
          ),
        ),
      },
      now,
    );
  return stateOf(
    {
      indicator: 'critical',
      description: 'Major System Outage',
      components: parts.map(([id, name, group], at) =>
        component(
          id,
          {
            name,
            group,
            position: at + 1,
            status: worsts[at % 4] ?? 'major_outage',
            uptime: 91.237 + at,
            days: daysUntil(now, trouble(at)),
            responseTimes: times(now, at * 100),
            description: 'What people and programs see of it.',
          },
          now,
        ),
      ),
      incidents: [
        'Requests fail',
        'Sign-in is slow',
        'Exports do not finish',
        'Messages of the realtime channels are lost',
        'Events are taken late',
      ].map(long),
      maintenances: [
        maintenance(
          'Move to other machines',
          {
            status: 'in_progress',
            scheduledFor: now - hourMs,
            scheduledUntil: now + hourMs,
            components: ['records', 'jobs'],
          },
          now,
        ),
        maintenance('New version of the record store', { components: ['records'] }, now),
      ],
      history: Array.from({ length: 40 }, (_none, at) =>
        incident(
          `Outage number ${40 - at}`,
          {
            status: 'resolved',
            impact: 'major',
            components: ids.slice(at % 6, (at % 6) + 3),
            createdAt: now - (at + 1) * dayMs,
            updatedAt: now - at * dayMs,
            resolvedAt: now - (at + 1) * dayMs + 77 * minuteMs,
            updates: [
              update(
                'resolved',
                `${paragraph}All is well again since ${at % 24}:00.`,
                now - at * dayMs,
              ),
              update('investigating', 'We look into it.', now - (at + 1) * dayMs),
            ],
          },
          now,
        ),
      ),
    },
    now,
  );
}
