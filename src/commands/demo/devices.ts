import { z } from 'zod';
import { deviceTimes } from '../../areas/identity/devices/approval/policy.ts';
import { deviceStore } from '../../areas/identity/devices/store.ts';
import { dayMs, hourMs, minuteMs } from '../../lib/durations.ts';
import { truncateAddress } from '../../lib/net/ip.ts';
import { askAs, openSession, type World } from './lives.ts';
import type { Person } from './people.ts';
import type { Act } from './stage.ts';
import { storyDays } from './story.ts';

/** What became of a request for approval: no decision, or who ended the approval. */
type Fate = 'waits' | 'denied' | 'cleared' | 'revoked by its owner' | 'revoked' | 'suspended';

/** The person, days from the request to the end of the year, and from the last use or decision. */
type DeviceStory = readonly [
  person: number,
  asked: number,
  fate: Fate,
  end?: number,
  note?: string,
];

const range = (length: number, each: (index: number) => DeviceStory) =>
  Array.from({ length }, (_, index) => each(index));

/** Devices in every state. The first three people are the two admins and the viewer. */
const deviceStories: readonly DeviceStory[] = [
  // The very first one needs no approval.
  [0, storyDays, 'waits'],
  [1, 350, 'cleared', 270],
  [0, 84, 'cleared'],
  [1, 61, 'cleared'],
  [2, 40, 'cleared'],
  [0, 12, 'cleared'],
  ...range(17, (index) => [3 + index, 4.2 + index * 4.6, 'cleared']),
  // Not used for a month: their approval has expired.
  ...range(5, (index) => [23 + index, 70 - index, 'cleared', 36 + index]),
  [30, 52, 'denied', 51.9, 'Nobody by that name works here.'],
  [31, 31, 'denied', 30.9, 'Please ask from your own machine.'],
  [32, 8, 'denied', 7.9, 'Wrong number given on the phone.'],
  [33, 65, 'revoked by its owner', 45],
  [34, 45, 'revoked', 25],
  [35, 33, 'revoked by its owner', 13],
  [36, 25, 'revoked', 5],
  [37, 23, 'suspended', 3],
  [38, 39, 'suspended', 19],
  // Not decided within three days.
  [39, 22, 'waits'],
  [40, 10, 'waits'],
  ...[51, 30, 20, 9, 3.2, 0.6].map((hours, index) => [43 + index, hours / 24, 'waits'] as const),
  [1, 0.02, 'waits'],
];

const reasons = ['New laptop', 'My phone', 'Replaces the old machine', 'Home office', undefined];
const Requested = z.object({
  device_id: z.string(),
  request_id: z.string().nullable(),
  number: z.string().nullable(),
});
const path = '/api/auth/blackops';

function actsOf(world: World, story: DeviceStory, owner: Person): Act[] {
  const { app, stage, clock, random } = world;
  const { until } = world.story;
  const [, asked, fate, end = 0, note] = story;
  const ended = Math.round(until - end * dayMs);
  const joinedAt = owner.signIns[0] ?? until;
  const askedAt = Math.round(
    Math.max(joinedAt + minuteMs, until - asked * dayMs - random.next() * 0.01 * dayMs),
  );
  const browser = { ...owner, cookies: new Map<string, string>() };
  const decidedAt = fate === 'denied' ? ended : askedAt + random.between(4, 190) * minuteMs;
  const [first = owner, second = owner] = world.people;
  // Admins may not decide on their own requests.
  const approver = owner.email === first.email ? second : first;
  let device: z.output<typeof Requested> = { device_id: '', request_id: '', number: '' };

  async function request(): Promise<void> {
    await openSession(world, browser);
    const body = { fingerprint: `${owner.email} ${asked}`, reason: random.pick(reasons) };
    device = Requested.parse(await stage.ask(`POST ${path}/request-clearance`, body, browser));
  }

  function decide(): Promise<unknown> {
    const decision = fate === 'denied' ? { note } : { number: device.number };
    const call = `${path}/requests/${device.request_id}/${fate === 'denied' ? 'deny' : 'approve'}`;
    return askAs(world, approver, `POST ${call}`, decision);
  }

  function use(): Promise<void> {
    const address = truncateAddress(owner.address) ?? null;
    const sighting = { at: new Date(clock.now()), address, country: null, browser_major: null };
    const { unused, absolute } = deviceTimes;
    return deviceStore.recordSighting(app.stores.db, device.device_id, sighting, unused, absolute);
  }

  function finish(): Promise<unknown> {
    const { device_id } = device;
    return fate === 'suspended'
      ? askAs(world, first, `POST ${path}/devices/${device_id}/suspend`)
      : fate === 'revoked'
        ? askAs(world, first, `DELETE /api/v1/users/${owner.id}/devices/${device_id}`)
        : askAs(world, owner, `DELETE ${path}/devices`, { device_id });
  }

  const acts: Act[] = [{ at: askedAt, play: request }];
  if (fate === 'waits') return acts;
  acts.push({ at: decidedAt, play: decide });
  if (fate === 'denied') return acts;
  for (let at = decidedAt + 20 * minuteMs; at < ended; at += (0.5 + random.around(4)) * dayMs)
    acts.push({ at: Math.round(at), play: use });
  return fate === 'cleared' ? acts : [...acts, { at: ended, play: finish }];
}

/** Devices request approval, are used, and end. Every few days, what is overdue expires. */
export function deviceActs(world: World): Act[] {
  const { app, people, story } = world;
  const isOld = ({ signIns: [joinedAt = story.until] }: Person) =>
    joinedAt < story.until - 85 * dayMs;
  const team = people.slice(0, 3);
  const owners = [
    ...team,
    ...people.slice(3).filter((each) => isOld(each) && each.disabledAt === Infinity),
  ];
  const acts = deviceStories.flatMap((each) => {
    const owner = owners[each[0] < 3 ? each[0] : 3 + (each[0] % (owners.length - 3))];
    return owner === undefined ? [] : actsOf(world, each, owner);
  });
  const sweep = () => app.services.devices.sweep.sweep();
  return [
    ...acts,
    ...Array.from({ length: storyDays / 5 }, (_, index) => ({
      at: story.from + 5 * (index + 1) * dayMs - hourMs,
      play: sweep,
    })),
  ];
}
