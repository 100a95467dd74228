import { spanStore } from '../../../areas/status/recording/span-store.ts';
import { siteComponents, targetOf } from '../status-components.ts';
import { type Interval } from './story.ts';
import type { Act } from './timeline.ts';
import { adminOf, type World } from '../world.ts';
import { dayMs, hourMs, minuteMs } from '../../../lib/durations.ts';

type UpdateInput = Parameters<World['app']['services']['status']['incidents']['createUpdate']>[1];

/** An incident and its updates, each some minutes after `from`. */
function incidentActs(
  world: World,
  from: number,
  opening: Parameters<World['app']['services']['status']['incidents']['create']>[0],
  updates: readonly (readonly [minutes: number, update: UpdateInput])[],
): Act[] {
  const { incidents } = world.app.services.status;
  let id = '';
  return [
    {
      at: from,
      play: async () => {
        ({ id } = await incidents.create(opening, adminOf(world)));
      },
    },
    ...updates.map(([minutes, update]): Act => ({
      at: from + minutes * minuteMs,
      play: () => incidents.createUpdate(id, update, adminOf(world)),
    })),
  ];
}

function outageActs(world: World, { from, to }: Interval): Act[] {
  const minutes = (to - from) / minuteMs;
  return incidentActs(
    world,
    from,
    {
      name: 'Orders cannot be paid',
      status: 'investigating',
      impact: undefined,
      body: 'Payments fail at the last step of the checkout. We are looking into it.',
      components: [
        { id: 'checkout', status: 'major_outage' },
        { id: 'shop', status: 'degraded_performance' },
      ],
    },
    [
      [
        23,
        {
          status: 'identified',
          body:
            'A certificate of our payment provider has expired on one of our machines. ' +
            'We are replacing it.',
        },
      ],
      [
        minutes - 20,
        {
          status: 'monitoring',
          body: 'Payments go through again. We are watching them.',
          components: [{ id: 'checkout', status: 'partial_outage' }],
        },
      ],
      [
        minutes,
        {
          status: 'resolved',
          body: 'All payments of the last 20 minutes went through. Carts were kept.',
        },
      ],
      [
        minutes + 47 * 60,
        {
          status: 'postmortem',
          body:
            'From 11:07 to 13:21 UTC nobody could pay.\n\n' +
            'Cause: a pinned intermediate certificate ran out, ' +
            'and the check that should have warned us looked at another host.\n\n' +
            'What we changed: certificates are no longer pinned, ' +
            'and the check follows the way that a payment takes.',
        },
      ],
    ],
  );
}

function slowActs(world: World, { from, to }: Interval): Act[] {
  return incidentActs(
    world,
    from,
    {
      name: 'Figures are slow',
      status: 'investigating',
      impact: undefined,
      body: 'Dashboards take up to ten seconds. Events are stored as usual.',
      components: [{ id: 'analytics', status: 'degraded_performance' }],
    },
    [
      [
        17,
        {
          status: 'identified',
          body:
            'An export of a whole year and a compaction ran at the same time. ' +
            'The export was moved into the night.',
        },
      ],
      [
        (to - from) / minuteMs,
        {
          status: 'resolved',
          body: 'Dashboards answer in well under a second again. Nothing was lost.',
        },
      ],
    ],
  );
}

/** Announced three days before. The service starts and completes it automatically. */
function maintenanceActs(world: World, { from, to }: Interval): Act[] {
  const { maintenances } = world.app.services.status;
  let id = '';
  const systemUpdate = (status: 'in_progress' | 'completed', body: string) => () =>
    maintenances.createSystemUpdate(
      id,
      { status, body },
      { at: () => world.clock.now(), onlyIf: () => true },
    );
  return [
    {
      at: from - 3 * dayMs,
      play: async () => {
        ({ id } = await maintenances.create(
          {
            name: 'Database upgrade',
            body:
              'We move to a new version of the database. ' +
              'Signing in may fail for a minute or two; events are stored all the time.',
            components: ['database'],
            scheduled_for: new Date(from).toISOString(),
            scheduled_until: new Date(to).toISOString(),
          },
          adminOf(world),
        ));
      },
    },
    {
      at: from,
      play: systemUpdate(
        'in_progress',
        'Scheduled maintenance is in progress. We will say here when it is completed.',
      ),
    },
    { at: to, play: systemUpdate('completed', 'The scheduled maintenance is completed.') },
  ];
}

function announceNext(world: World, { from, to }: Interval): Act {
  return {
    at: world.story.until - 26 * hourMs,
    play: () =>
      world.app.services.status.maintenances.create(
        {
          name: 'New payment provider',
          body:
            'Orders can be placed all the time. For some minutes only ' +
            'payment by invoice is offered.',
          components: ['checkout'],
          scheduled_for: new Date(from).toISOString(),
          scheduled_until: new Date(to).toISOString(),
        },
        adminOf(world),
      ),
  };
}

/** Inserts short failures as the recorder does: checks cannot run in the past. */
async function insertSpans({ app, random, story }: World): Promise<void> {
  const spans = [
    ['realtime', 71, 6],
    ['redis', 55, 2],
    ['shop', 39, 11],
    ['jobs', 28, 4],
    ['checkout', 12, 7],
    ['shop', 6, 3],
  ] as const;
  await spanStore.insert(
    app.stores.db,
    spans.map(([componentId, daysAgo, minutes]) => {
      const beganAt = Math.round(story.until - daysAgo * dayMs - random.next() * 12 * hourMs);
      return {
        componentId,
        status: 'degraded_performance',
        beganAt,
        endedAt: beganAt + minutes * minuteMs,
        cause: 'check',
        incidentId: null,
      } as const;
    }),
  );
}

/** Inserts the response times of the last 48 hours, summed as the recorder does. */
async function insertResponseTimes({ app, random, story }: World): Promise<void> {
  const meanMs = { database: 1.1, redis: 0.6, shop: 41, checkout: 96 };
  const hours = Array.from(
    { length: 48 },
    (_, index) => Math.floor(story.until / hourMs - index) * hourMs,
  );
  await spanStore.addResponseTimes(
    app.stores.db,
    Object.entries(meanMs).flatMap(([componentId, ms]) =>
      hours.map((hour) => {
        const count = componentId === 'shop' || componentId === 'checkout' ? 60 : 1800;
        return { componentId, hour, count, sumMs: count * ms * (0.85 + random.next() * 0.4) };
      }),
    ),
  );
}

/** Components, incidents, maintenance and recorded failures. `base` is the service's address. */
export function statusActs(world: World, base: string): Act[] {
  const { from, outage, slowFigures, maintenance, nextMaintenance, until } = world.story;
  const target = targetOf(base);
  const create = siteComponents.map((component, index): Act => ({
    at: from + 2 * dayMs + index * minuteMs,
    play: () =>
      world.app.services.status.components.create(
        { ...component, source: 'http', target },
        adminOf(world),
      ),
  }));
  return [
    ...create,
    ...outageActs(world, outage),
    ...slowActs(world, slowFigures),
    ...maintenanceActs(world, maintenance),
    announceNext(world, nextMaintenance),
    { at: until - 2 * minuteMs, play: () => insertSpans(world) },
    { at: until - minuteMs, play: () => insertResponseTimes(world) },
  ];
}
