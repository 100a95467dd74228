import type { SessionRecord } from '../../../areas/auth/session-records.ts';
import type { Session } from '../../../areas/auth/sessions.ts';
import { toSessionUser, toSessionView } from '../../../areas/auth/views.ts';
import { toDeviceView } from '../../../areas/blackops/views.ts';
import type { GraphContext, GraphqlServices, NodeFinder, Resolver, Resolvers } from '../context.ts';
import { type CamelCased, inCamelCase } from './camel-case.ts';
import { graphqlErrors } from '../errors.ts';
import { rawIdOf, toNodeId } from './node-ids.ts';

type DeviceNode = Omit<CamelCased<ReturnType<typeof toDeviceView>>, 'deviceId'> & {
  __typename: 'Device';
  id: string;
  deviceId: string;
};
type SessionNode = Omit<CamelCased<ReturnType<typeof toSessionView>>, 'id'> & {
  __typename: 'Session';
  id: string;
  sessionId: string;
  onDevice: string | undefined;
};

/** Who asks, their sessions and devices: as `/api/auth/me`, `/api/auth/sessions` and `/api/auth/blackops/devices` give them. */
export function createPeopleResolvers({ sessions, devices, audit }: GraphqlServices) {
  function toSession(record: SessionRecord, current: Session): SessionNode {
    const { id, ...view } = inCamelCase(toSessionView(record, current.id));
    return {
      __typename: 'Session',
      ...view,
      id: toNodeId('Session', id),
      sessionId: id,
      onDevice: record.device?.id,
    };
  }

  async function ownSessions({ access }: GraphContext): Promise<SessionNode[]> {
    const current = await access().session();
    return (await sessions.list(current.userId)).map((record) => toSession(record, current));
  }

  async function ownDevices({ access, loaders }: GraphContext): Promise<DeviceNode[]> {
    const { userId } = await access().session();
    const currentId = await access().deviceId();
    const all = await loaders().devicesOf(userId);
    return all.map((device) => ({
      __typename: 'Device',
      ...inCamelCase(toDeviceView(device, currentId)),
      id: toNodeId('Device', device.id),
    }));
  }

  async function viewer({ access }: GraphContext) {
    const session = await access().session();
    const { id, auth_time: authTime, ...claims } = toSessionUser(session);
    return {
      __typename: 'Viewer',
      ...inCamelCase(claims),
      id: toNodeId('Viewer', id),
      userId: id,
      authTime: new Date(authTime * 1000).toISOString(),
    };
  }

  const endSession: Resolver<unknown, { id: string }, { ended: number }> = async (
    _root,
    { id },
    { access, asker },
  ) => {
    const { userId } = await access().session();
    const sessionId = rawIdOf('Session', id);
    if (!(await sessions.end(userId, sessionId))) throw graphqlErrors.not_found();
    await audit.record({
      action: 'session.revoked',
      actor: { kind: 'user', id: userId },
      target: { kind: 'session', id: sessionId },
      ...asker(),
    });
    return { ended: 1 };
  };

  const endSessions: Resolver<
    unknown,
    { keepCurrent?: boolean | null },
    { ended: number }
  > = async (_root, { keepCurrent }, { access, asker }) => {
    const { userId, id } = await access().session();
    const ended = await sessions.endAll(userId, keepCurrent === true ? id : undefined);
    if (keepCurrent !== true)
      await devices.management.revokeAll(
        userId,
        { actor: { kind: 'user', id: userId }, ...asker() },
        'signed_out_everywhere',
      );
    await audit.record({
      action: 'session.revoked_all',
      actor: { kind: 'user', id: userId },
      target: { kind: 'user', id: userId },
      ...asker(),
    });
    return { ended };
  };

  const deviceOf: Resolver<SessionNode, unknown, DeviceNode | undefined> = async (
    { onDevice },
    _args,
    context,
  ) =>
    onDevice === undefined
      ? undefined
      : (await ownDevices(context)).find(({ deviceId }) => deviceId === onDevice);

  const findViewer: NodeFinder = async (rawId, context) => {
    const me = await viewer(context);
    return me.userId === rawId ? me : undefined;
  };

  return {
    resolvers: {
      Query: { viewer: (_root: unknown, _args: unknown, context: GraphContext) => viewer(context) },
      Viewer: {
        sessions: (_viewer: unknown, _args: unknown, context: GraphContext) => ownSessions(context),
        devices: (_viewer: unknown, _args: unknown, context: GraphContext) => ownDevices(context),
      },
      Session: { device: deviceOf },
      Mutation: { endSession, endSessions },
    } satisfies Resolvers,
    nodes: {
      Viewer: findViewer,
      Session: async (rawId, context) =>
        (await ownSessions(context)).find(({ sessionId }) => sessionId === rawId),
      Device: async (rawId, context) =>
        (await ownDevices(context)).find(({ deviceId }) => deviceId === rawId),
    } satisfies Record<string, NodeFinder>,
  };
}
