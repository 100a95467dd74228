import type { SessionUser } from '../../../areas/identity/sign-in/schemas.ts';
import { toSessionUser, toSessionView } from '../../../areas/identity/sign-in/views.ts';
import { toDeviceView } from '../../../areas/identity/devices/views.ts';
import { userActor } from '../../../platform/http/requests/request-actor.ts';
import type { GraphqlContext, NodeFinder, Resolvers } from '../context.ts';
import { graphqlErrors } from '../errors.ts';
import { rawIdOf } from './node-ids.ts';

const viewer = async (_root: unknown, _args: unknown, { access }: GraphqlContext) =>
  toSessionUser(await access().session());

async function ownSessions(_viewer: unknown, _args: unknown, context: GraphqlContext) {
  const { access, services } = context;
  const current = await access().session();
  const sessions = await services.sessions.list(current.userId);
  return sessions.map((session) => ({
    ...toSessionView(session, current.id),
    deviceId: session.device?.id,
  }));
}

async function ownDevices(_viewer: unknown, _args: unknown, { access, loaders }: GraphqlContext) {
  const { userId } = await access().session();
  const currentId = await access().deviceId();
  const devices = await loaders().devices.load(userId);
  return devices.map((device) => toDeviceView(device, currentId));
}

async function findDevice(id: string | undefined, context: GraphqlContext) {
  if (id === undefined) return undefined;
  const devices = await ownDevices(undefined, undefined, context);
  return devices.find(({ device_id: each }) => each === id);
}

async function endSession(
  _root: unknown,
  { id }: { id: string },
  { access, requestSource, services }: GraphqlContext,
) {
  const { userId } = await access().session();
  const sessionId = rawIdOf('Session', id);
  if (!(await services.sessions.endOwn(userId, sessionId, requestSource())))
    throw graphqlErrors.not_found();
  return { ended: 1 };
}

async function endSessions(
  _root: unknown,
  { keepCurrent }: { keepCurrent?: boolean | null },
  { access, requestSource, services: { devices, sessions } }: GraphqlContext,
) {
  const { userId, id } = await access().session();
  const from = requestSource();
  const ended = await sessions.endAllOwn(userId, from, keepCurrent === true ? id : undefined);
  if (keepCurrent !== true)
    await devices.management.revokeAll(userId, userActor(userId, from), 'signed_out_everywhere');
  return { ended };
}

/** The viewer with their sessions and devices, as from the routes under `/api/auth`. */
export const peopleResolvers = {
  Query: { viewer },
  Mutation: { endSession, endSessions },
  Viewer: {
    authTime: ({ auth_time: seconds }: SessionUser) => new Date(seconds * 1000).toISOString(),
    sessions: ownSessions,
    devices: ownDevices,
  },
  Session: {
    device: ({ deviceId }: { deviceId?: string }, _args: unknown, context: GraphqlContext) =>
      findDevice(deviceId, context),
  },
} satisfies Resolvers;

export const peopleNodes = {
  async Viewer(rawId, context) {
    const user = await viewer(undefined, undefined, context);
    return user.id === rawId ? user : undefined;
  },
  Session: async (rawId, context) =>
    (await ownSessions(undefined, undefined, context)).find(({ id }) => id === rawId),
  Device: findDevice,
} satisfies Record<string, NodeFinder>;
