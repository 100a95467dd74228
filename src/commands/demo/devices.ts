import { dayMs, minuteMs } from '../../lib/durations.ts';
import { isDisabled, type Person } from './people.ts';
import type { Step, Thread } from './stage.ts';
import type { Story } from './story.ts';

const path = '/api/auth/blackops';
const approve: Step = [
  25,
  `ADMIN POST ${path}/requests/:request_id/approve`,
  { number: ':number' },
];
const later = (20 * dayMs) / minuteMs;

/** What became of a request for approval by the end of the year. */
const fates = {
  waits: [],
  denied: [[50, `ADMIN POST ${path}/requests/:request_id/deny`, { note: 'Not one of ours.' }]],
  cleared: [approve],
  revoked: [approve, [later, `ADMIN DELETE /api/v1/users/:id/devices/:device_id`]],
  left: [approve, [later, `DELETE ${path}/devices`, { device_id: ':device_id' }]],
  suspended: [approve, [later, `ADMIN POST ${path}/devices/:device_id/suspend`]],
} as const satisfies Record<string, readonly Step[]>;

/**
 * Days from a request to the end of the year. What nobody decides expires in three days, and
 * approval in thirty without use. Customers ask one after the other.
 */
const requests: readonly (readonly [fate: keyof typeof fates, days: readonly number[]])[] = [
  ['cleared', Array.from({ length: 17 }, (_, index) => 1.6 + index * 1.7)],
  ['cleared', [37, 44, 52, 59, 66, 73, 80]],
  ['denied', [52, 31, 8]],
  ['revoked', [45, 25]],
  ['left', [65, 33]],
  ['suspended', [39, 23]],
  ['waits', [22, 10, ...[51, 30, 20, 9, 3.2, 0.6].map((hours) => hours / 24)]],
];
/** The staff's, by person. The very first one needs no approval. */
const ofStaff = [
  [0, 'waits', 360],
  [1, 'cleared', 84],
  [0, 'cleared', 28],
  [1, 'cleared', 24],
  [2, 'cleared', 19],
  [0, 'cleared', 12],
  [1, 'waits', 0.02],
] as const;
const reasons = ['New laptop', 'My phone', 'Replaces the old machine', 'Home office'];

/** Requests for approval and what became of them: devices in every state. */
export function deviceThreads(people: readonly Person[], { until }: Story): Thread[] {
  const customers = people.filter(
    ({ role, joinedAt }, index) =>
      role === undefined && !isDisabled(index) && joinedAt < until - 85 * dayMs,
  );
  const thread = (owner: Person, fate: keyof typeof fates, days: number): Thread => {
    const body = { fingerprint: `${owner.email} ${days}`, reason: reasons[Math.floor(days) % 5] };
    const at = Math.round(until - days * dayMs);
    const request: Step = [0, `POST ${path}/request-clearance`, body];
    const steps: Step[] = [[0, 'GET /api/v1/users/me'], request, ...fates[fate]];
    return { at, by: { ...owner, cookies: new Map() }, steps };
  };
  const all = requests.flatMap(([fate, days]) => days.map((each) => [fate, each] as const));
  const asked = all.flatMap(([fate, days], index) => {
    const owner = customers[index % customers.length];
    return owner === undefined ? [] : [thread(owner, fate, days)];
  });
  const staff = ofStaff.flatMap(([person, fate, days]) => {
    const owner = people[person];
    return owner === undefined ? [] : [thread(owner, fate, days)];
  });
  return [...staff, ...asked];
}
