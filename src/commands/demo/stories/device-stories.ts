import type { Person } from '../people.ts';
import type { Random } from '../random.ts';
import type { Story } from './story.ts';
import { dayMs, hourMs } from '../../../lib/durations.ts';

/** The history of a device. */
export interface DeviceStory {
  owner: Person;
  /** When its owner requested clearance, Unix ms. */
  askedAt: number;
  reason: string | undefined;
  /** `nobody_asked`: cleared without a decision. `waits`: not decided yet. */
  verdict: { at: number; isApproved: boolean; note: string | undefined } | 'nobody_asked' | 'waits';
  /** When it was used afterwards, Unix ms. */
  seen: readonly number[];
  end: { at: number; how: 'revoked_by_owner' | 'revoked_by_admin' | 'suspended' } | undefined;
}

const reasons = [
  'New laptop',
  'My phone',
  'Replaces the old machine',
  'Home office',
  undefined,
  undefined,
];

/** Times of use, every few days from shortly after `from` to `until`. */
function uses(random: Random, from: number, until: number): number[] {
  const times: number[] = [];
  for (let time = from + 20 * 60_000; time < until; time += (0.5 + random.around(4)) * dayMs)
    times.push(Math.round(time));
  return times;
}

interface StoryContext {
  random: Random;
  /** When the story ends, Unix ms. */
  until: number;
}

const createStory = (
  { random }: StoryContext,
  owner: Person,
  askedAt: number,
  more: Partial<DeviceStory> = {},
): DeviceStory => ({
  owner,
  askedAt,
  reason: random.pick(reasons),
  verdict: 'waits',
  seen: [],
  end: undefined,
  ...more,
});

function approved(
  context: StoryContext,
  owner: Person,
  daysAgo: number,
  { usedUntil = context.until, end }: { usedUntil?: number; end?: DeviceStory['end'] } = {},
): DeviceStory {
  const { random, until } = context;
  const askedAt = Math.round(until - daysAgo * dayMs - random.next() * 9 * hourMs);
  const at = askedAt + random.between(4, 190) * 60_000;
  return createStory(context, owner, askedAt, {
    verdict: { at, isApproved: true, note: undefined },
    seen: uses(random, at, end?.at ?? usedUntil),
    end,
  });
}

const within = ({ random, until }: StoryContext, daysAgo: number): number =>
  Math.round(until - (daysAgo - random.next() * 0.4) * dayMs);

function denied(context: StoryContext, owner: Person, daysAgo: number, note: string): DeviceStory {
  const askedAt = within(context, daysAgo);
  const at = askedAt + context.random.between(20, 200) * 60_000;
  return createStory(context, owner, askedAt, { verdict: { at, isApproved: false, note } });
}

const ended = (
  context: StoryContext,
  owner: Person,
  daysAgo: number,
  how: NonNullable<DeviceStory['end']>['how'],
): DeviceStory =>
  approved(context, owner, daysAgo + 20, { end: { at: within(context, daysAgo), how } });

/** People whose account is old enough for a device with a long history. */
const eligibleOwners = (people: readonly Person[], until: number): Person[] =>
  people.filter(
    ({ signIns, disabledAt }) =>
      disabledAt === undefined && (signIns[0] ?? until) < until - 85 * dayMs,
  );

/** Returns devices in every state. The first three people are the two admins and the viewer. */
export function deviceStoriesOf(
  random: Random,
  { from, until }: Story,
  [first, second, viewer, ...others]: readonly Person[],
): DeviceStory[] {
  if (first === undefined || second === undefined || viewer === undefined) return [];
  const owners = eligibleOwners(others, until);
  const ownerAt = (index: number): Person => owners[index % Math.max(1, owners.length)] ?? viewer;
  const t = { random, until };
  return [
    createStory(t, first, (first.signIns[0] ?? from) + 60_000, { verdict: 'nobody_asked' }),
    approved(t, second, 350, { usedUntil: until - 270 * dayMs }),
    approved(t, first, 84),
    approved(t, second, 61),
    approved(t, viewer, 40),
    approved(t, first, 12),
    ...Array.from({ length: 17 }, (_, index) => approved(t, ownerAt(index), 4 + index * 4.6)),
    // Not used for a month: their clearance has expired.
    ...Array.from({ length: 5 }, (_, index) =>
      approved(t, ownerAt(20 + index), 70 - index, {
        usedUntil: until - (36 + index) * dayMs,
      }),
    ),
    denied(t, ownerAt(27), 52, 'Nobody by that name works here.'),
    denied(t, ownerAt(28), 31, 'Please ask from your own machine.'),
    denied(t, ownerAt(29), 8, 'Wrong number given on the phone.'),
    ended(t, ownerAt(30), 45, 'revoked_by_owner'),
    ended(t, ownerAt(31), 25, 'revoked_by_admin'),
    ended(t, ownerAt(32), 13, 'revoked_by_owner'),
    ended(t, ownerAt(33), 5, 'revoked_by_admin'),
    ended(t, ownerAt(34), 3, 'suspended'),
    ended(t, ownerAt(35), 19, 'suspended'),
    // Not decided within three days.
    ...[22, 10].map((days, index) =>
      createStory(t, ownerAt(36 + index), Math.round(until - (days + random.next()) * dayMs)),
    ),
    ...[51, 30, 20, 9, 3.2, 0.6].map((hours, index) =>
      createStory(
        t,
        ownerAt(40 + index),
        Math.round(until - (hours - random.next() * 0.2) * hourMs),
      ),
    ),
    createStory(t, second, until - 25 * 60_000, { reason: 'New tablet' }),
  ];
}
