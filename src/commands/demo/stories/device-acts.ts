import { randomBytes } from 'node:crypto';
import { deviceTimes } from '../../../areas/blackops/clearance/policy.ts';
import type { DeviceSignals } from '../../../areas/blackops/recognition/signals.ts';
import { traitsOf } from '../../../areas/blackops/recognition/risk.ts';
import { deviceStore } from '../../../areas/blackops/store.ts';
import { truncateAddress } from '../../../lib/net/ip.ts';
import { type DeviceStory, deviceStoriesOf } from './device-stories.ts';
import type { Person } from '../people.ts';
import type { Act } from './timeline.ts';
import { idOf, originFor, type World } from '../world.ts';

/** A device on its way: its ids are known once it has asked. */
interface Asked {
  deviceId: string;
  requestId: string | undefined;
  number: string | undefined;
}

const sweepMs = 20_000;

function presentedBy(world: World, person: Person): DeviceSignals {
  return {
    ...originFor(world, person),
    cookie: undefined,
    proof: async () => undefined,
    isSafe: false,
    country: person.country,
    traits: () => traitsOf(person.userAgent),
    from: randomBytes(32).toString('base64url'),
  };
}

/** Writes the owner's number into the reason, as nobody can be asked for it in the demo. */
async function tellNumber({ app }: World, requestId: string, reason: string): Promise<void> {
  await app.stores.db
    .updateTable('clearance_requests')
    .set({ reason })
    .where('id', '=', requestId)
    .execute();
}

/** Signs in and asks for clearance. The sign-in opens the session, so the log has both. */
async function ask(world: World, { owner, reason, verdict }: DeviceStory): Promise<Asked> {
  const { signIn, sessions, devices } = world.app.services;
  const proved = {
    ...originFor(world, owner),
    identity: { kind: 'email', key: owner.email, value: owner.email } as const,
    amr: ['otp'],
  };
  const outcome = await signIn.asCookie(proved);
  const session =
    outcome.mfa === undefined ? await sessions.find(outcome.session.cookie, 'cookie') : undefined;
  if (session === undefined) throw new Error('the owner of a device could not be signed in');
  const application = {
    fingerprintHash: devices.fingerprintHash(owner.email),
    deviceId: undefined,
    name: undefined,
    reason,
  };
  const { device, request } = await devices.requestClearance(
    session,
    application,
    presentedBy(world, owner),
  );
  if (request !== undefined && verdict === 'waits')
    await tellNumber(
      world,
      request.id,
      `${reason ?? 'My own machine'}. It shows ${request.number}.`,
    );
  return { deviceId: device.id, requestId: request?.id, number: request?.number };
}

/** The other admin decides: nobody does on requests of their own. */
async function decide(
  world: World,
  { owner }: DeviceStory,
  { requestId = '', number }: Asked,
  isApproved: boolean,
  note: string | undefined,
): Promise<void> {
  const [first, second] = world.people;
  const admin = owner === first ? second : first;
  if (admin === undefined) return;
  const userId = idOf(world, admin);
  const { address, requestId: id } = originFor(world, admin);
  await world.app.services.devices.decisions.decide(
    requestId,
    { isApproved, number, note },
    { actor: { kind: 'user', id: userId }, userId, deviceId: undefined, address, requestId: id },
  );
}

/** Notes a use by the service's own statement: a request would need the device's cookie. */
function see(world: World, owner: Person, deviceId: string): Promise<void> {
  const sighting = {
    at: new Date(world.clock.now()),
    address: truncateAddress(owner.address) ?? null,
    country: owner.country,
    browser_major: traitsOf(owner.userAgent).browserMajor,
  };
  return deviceStore.recordSighting(
    world.app.stores.db,
    deviceId,
    sighting,
    deviceTimes.unused,
    deviceTimes.absolute,
  );
}

async function finish(
  world: World,
  { owner }: DeviceStory,
  deviceId: string,
  how: NonNullable<DeviceStory['end']>['how'],
): Promise<void> {
  const { management } = world.app.services.devices;
  const [admin = owner] = world.people;
  const by = (person: Person) => {
    const { address, requestId } = originFor(world, person);
    return { actor: { kind: 'user' as const, id: idOf(world, person) }, address, requestId };
  };
  if (how === 'suspended') await management.suspend(deviceId, 'all', by(admin), 'admin');
  else if (how === 'revoked_by_admin') await management.revoke(deviceId, 'all', by(admin), 'admin');
  else await management.revoke(deviceId, { userId: idOf(world, owner) }, by(owner), 'owner');
}

/** When the clearance or the request ends by itself: the service looks every minute. */
function endOf({ askedAt, verdict, seen }: DeviceStory): number {
  if (verdict === 'waits') return askedAt + deviceTimes.request;
  const clearedAt = verdict === 'nobody_asked' ? askedAt : verdict.at;
  return Math.min(
    (seen.at(-1) ?? clearedAt) + deviceTimes.unused,
    clearedAt + deviceTimes.absolute,
  );
}

function actsOf(world: World, story: DeviceStory): Act[] {
  const { askedAt, verdict, seen, end } = story;
  const { until } = world.story;
  let asked: Asked | undefined;
  const withDevice = (work: (asked: Asked) => Promise<unknown>) => () =>
    asked === undefined ? undefined : work(asked);
  const acts: Act[] = [
    {
      at: askedAt,
      play: async () => {
        asked = await ask(world, story);
      },
    },
  ];
  if (typeof verdict === 'object')
    acts.push({
      at: verdict.at,
      play: withDevice((known) => decide(world, story, known, verdict.isApproved, verdict.note)),
    });
  for (const time of seen)
    acts.push({ at: time, play: withDevice(({ deviceId }) => see(world, story.owner, deviceId)) });
  if (end !== undefined)
    acts.push({
      at: end.at,
      play: withDevice(({ deviceId }) => finish(world, story, deviceId, end.how)),
    });
  acts.push({ at: endOf(story) + sweepMs, play: () => world.app.services.devices.sweep.sweep() });
  return acts.filter((act) => act.at <= until);
}

/** Devices that ask for clearance, get it or don't, expire, are suspended or removed, or wait. */
export const deviceActs = (world: World): Act[] =>
  deviceStoriesOf(world.random, world.story, world.people).flatMap((story) => actsOf(world, story));
