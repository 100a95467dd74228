import type { Person } from './people.ts';
import type { Random } from './random.ts';
import { type Story } from './story.ts';
import { dayMs, hourMs } from '../../lib/durations.ts';

/** What becomes of a device. */
export interface DeviceStory {
  owner: Person;
  /** When its owner asked for clearance, Unix ms. */
  askedAt: number;
  reason: string | undefined;
  /** Undefined: nobody had to be asked. */
  verdict: { at: number; isApproved: boolean; note: string | undefined } | 'nobody_asked' | 'waits';
  /** When it was used afterwards. */
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

/** Every few days, from shortly after `from` up to `until`. */
function uses(random: Random, from: number, until: number): number[] {
  const times: number[] = [];
  for (let time = from + 20 * 60_000; time < until; time += (0.5 + random.around(4)) * dayMs)
    times.push(Math.round(time));
  return times;
}

/**
 * Devices in every state, as they are at the story's end. Pure. `staff` are the two admins and the
 * viewer, in this order.
 */
export function deviceStoriesOf(
  random: Random,
  story: Story,
  [first, second, viewer, ...others]: readonly Person[],
): DeviceStory[] {
  if (first === undefined || second === undefined || viewer === undefined) return [];
  const { until } = story;
  // Who asks has signed in before.
  const askers = others.filter(
    ({ signIns, disabledAt }) =>
      disabledAt === undefined && (signIns[0] ?? until) < until - 85 * dayMs,
  );
  const asker = (index: number): Person => askers[index % Math.max(1, askers.length)] ?? viewer;
  const ask = (owner: Person, askedAt: number, more: Partial<DeviceStory>): DeviceStory => ({
    owner,
    askedAt,
    reason: random.pick(reasons),
    verdict: 'waits',
    seen: [],
    end: undefined,
    ...more,
  });

  const approved = (
    owner: Person,
    daysAgo: number,
    { usedUntil = until, end }: { usedUntil?: number; end?: DeviceStory['end'] } = {},
  ): DeviceStory => {
    const askedAt = Math.round(until - daysAgo * dayMs - random.next() * 9 * hourMs);
    const at = askedAt + random.between(4, 190) * 60_000;
    return ask(owner, askedAt, {
      verdict: { at, isApproved: true, note: undefined },
      seen: uses(random, at, end?.at ?? usedUntil),
      end,
    });
  };

  const denied = (owner: Person, daysAgo: number, note: string): DeviceStory => {
    const askedAt = Math.round(until - (daysAgo - random.next() * 0.4) * dayMs);
    return ask(owner, askedAt, {
      verdict: { at: askedAt + random.between(20, 200) * 60_000, isApproved: false, note },
    });
  };

  const ended = (
    index: number,
    daysAgo: number,
    how: 'revoked_by_owner' | 'revoked_by_admin' | 'suspended',
  ): DeviceStory =>
    approved(asker(index), daysAgo + 20, {
      end: { at: Math.round(until - (daysAgo - random.next() * 0.4) * dayMs), how },
    });

  return [
    ask(first, (first.signIns[0] ?? story.from) + 60_000, { verdict: 'nobody_asked', seen: [] }),
    approved(second, 350, { usedUntil: until - 270 * dayMs }),
    approved(first, 84),
    approved(second, 61),
    approved(viewer, 40),
    approved(first, 12, {}),
    ...Array.from({ length: 17 }, (_, index) => approved(asker(index), 4 + index * 4.6)),
    // Not used for a month: their clearance has ended.
    ...Array.from({ length: 5 }, (_, index) =>
      approved(asker(20 + index), 70 - index, { usedUntil: until - (36 + index) * dayMs }),
    ),
    denied(asker(27), 52, 'Nobody by that name works here.'),
    denied(asker(28), 31, 'Please ask from your own machine.'),
    denied(asker(29), 8, 'Wrong number given on the phone.'),
    ended(30, 45, 'revoked_by_owner'),
    ended(31, 25, 'revoked_by_admin'),
    ended(32, 13, 'revoked_by_owner'),
    ended(33, 5, 'revoked_by_admin'),
    ended(34, 3, 'suspended'),
    ended(35, 19, 'suspended'),
    // Asked, and nobody has answered in three days.
    ...[22, 10].map((days, index) =>
      ask(asker(36 + index), Math.round(until - (days + random.next()) * dayMs), {}),
    ),
    ...[51, 30, 20, 9, 3.2, 0.6].map((hours, index) =>
      ask(asker(40 + index), Math.round(until - (hours - random.next() * 0.2) * hourMs), {}),
    ),
    ask(second, until - 25 * 60_000, { reason: 'New tablet' }),
  ];
}
