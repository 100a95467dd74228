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

/** A device that has requested clearance. */
interface RequestedDevice {
  deviceId: string;
  requestId: string | undefined;
  number: string | undefined;
}

const sweepMs = 20_000;

function signalsOf(world: World, person: Person): DeviceSignals {
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

/** Writes the device's number into the reason, because the demo has no owner to ask. */
async function addNumberToReason({ app }: World, requestId: string, reason: string): Promise<void> {
  await app.stores.db
    .updateTable('clearance_requests')
    .set({ reason })
    .where('id', '=', requestId)
    .execute();
}

/** Signs in and requests clearance, so that the audit log has both. */
async function requestClearance(
  world: World,
  { owner, reason, verdict }: DeviceStory,
): Promise<RequestedDevice> {
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
    signalsOf(world, owner),
  );
  if (request !== undefined && verdict === 'waits')
    await addNumberToReason(
      world,
      request.id,
      `${reason ?? 'My own machine'}. It shows ${request.number}.`,
    );
  return { deviceId: device.id, requestId: request?.id, number: request?.number };
}

/** Decides as the other admin: admins may not decide on their own requests. */
async function decide(
  world: World,
  { owner }: DeviceStory,
  { requestId = '', number }: RequestedDevice,
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

/** Records a use through the store: a request would need the device's cookie. */
function recordUse(world: World, owner: Person, deviceId: string): Promise<void> {
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
    const { address, requestId, begun: authTime } = originFor(world, person);
    return {
      actor: { kind: 'user' as const, id: idOf(world, person) },
      address,
      requestId,
      authTime,
    };
  };
  if (how === 'suspended') await management.suspend(deviceId, 'all', by(admin), 'admin');
  else if (how === 'revoked_by_admin') await management.revoke(deviceId, 'all', by(admin), 'admin');
  else await management.revoke(deviceId, { userId: idOf(world, owner) }, by(owner), 'owner');
}

/** When the clearance or the request expires. The service checks every minute. */
function expiryOf({ askedAt, verdict, seen }: DeviceStory): number {
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
  let requested: RequestedDevice | undefined;
  const withDevice = (work: (requested: RequestedDevice) => Promise<unknown>) => () =>
    requested === undefined ? undefined : work(requested);
  const acts: Act[] = [
    {
      at: askedAt,
      play: async () => {
        requested = await requestClearance(world, story);
      },
    },
  ];
  if (typeof verdict === 'object')
    acts.push({
      at: verdict.at,
      play: withDevice((known) => decide(world, story, known, verdict.isApproved, verdict.note)),
    });
  for (const time of seen)
    acts.push({
      at: time,
      play: withDevice(({ deviceId }) => recordUse(world, story.owner, deviceId)),
    });
  if (end !== undefined)
    acts.push({
      at: end.at,
      play: withDevice(({ deviceId }) => finish(world, story, deviceId, end.how)),
    });
  acts.push({
    at: expiryOf(story) + sweepMs,
    play: () => world.app.services.devices.sweep.sweep(),
  });
  return acts.filter((act) => act.at <= until);
}

/** Devices that request clearance: approved, denied, expired, suspended, removed or waiting. */
export const deviceActs = (world: World): Act[] =>
  deviceStoriesOf(world.random, world.story, world.people).flatMap((story) => actsOf(world, story));
