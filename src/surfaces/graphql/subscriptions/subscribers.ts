import { blackopsErrors } from '../../../areas/identity/devices/errors.ts';
import { channelOf } from '../../../areas/realtime/channels.ts';
import { type AppError, requestErrors } from '../../../platform/errors/errors.ts';
import { hasScope } from '../../../lib/access.ts';
import type { Identity } from '../../ws/clients/identities.ts';
import { graphqlErrors } from '../errors.ts';
import type { BusMessage, SubscriptionIterator } from './subscription-iterator.ts';

/** The context of subscriptions: the socket that carries them. */
export interface SocketContext {
  /** The current identity of its client. */
  identity: () => Identity;
  /**
   * Subscribes to a channel. `refusalOf` runs again when the identity changes; an error that it
   * returns ends the subscription. Rejects with that error, and while Redis is unavailable.
   */
  subscribe: (
    channel: string,
    isWanted: (message: BusMessage) => boolean,
    refusalOf: (identity: Identity) => AppError | undefined,
  ) => Promise<SubscriptionIterator>;
}

/** Starts a subscription, and converts its messages to events of the schema. */
export interface Subscriber {
  subscribe: (args: never, context: SocketContext) => Promise<SubscriptionIterator>;
  resolve: (message: BusMessage) => object;
}

/** The error for a client that may not subscribe to a channel; undefined if it may. */
function refusalOf(name: string, identity: Identity): AppError | undefined {
  const channel = channelOf(name);
  if (channel === undefined) return graphqlErrors.not_found();
  if (channel.rule.maySubscribe(identity, channel.id)) return undefined;
  const { principal, isCleared } = identity;
  if (principal === undefined || !name.startsWith('analytics:'))
    return requestErrors.unauthenticated();
  return hasScope(principal, 'analytics:read') && !isCleared
    ? blackopsErrors.device_not_cleared({ extra: { device_state: 'unknown' } })
    : requestErrors.forbidden({ extra: { required_scope: 'analytics:read' } });
}

const subscribeTo = (
  channel: string,
  isWanted: (message: BusMessage) => boolean,
  context: SocketContext,
) => context.subscribe(channel, isWanted, (identity) => refusalOf(channel, identity));

const envelopeOf = ({ id, time, type }: BusMessage) => ({ eventId: id, time, type });

function toStatusEvent(message: BusMessage): object {
  const { type, data } = message;
  const event = envelopeOf(message);
  if (type.startsWith('incident.'))
    return { __typename: 'IncidentChanged', ...event, incident: data };
  if (type.startsWith('maintenance.'))
    return { __typename: 'MaintenanceChanged', ...event, maintenance: data };
  return { __typename: 'ComponentChanged', ...event, component: data };
}

const isStatusEvent = ({ type }: BusMessage): boolean =>
  /^(?:component|incident|maintenance)\./.test(type);

const typeNames: Readonly<Partial<Record<string, string>>> = {
  'event.ingested': 'SiteEventStored',
  'counters.tick': 'SiteCounters',
  'visitors.active': 'SiteVisitors',
  'session.revoked': 'SessionsEnded',
  'device.updated': 'DeviceChanged',
};

const toEvent = (message: BusMessage): object => ({
  ...(message.data as object),
  ...envelopeOf(message),
  __typename: typeNames[message.type],
});

const hasType = ({ type }: BusMessage): boolean => typeNames[type] !== undefined;

async function subscribeToViewer(_args: unknown, context: SocketContext) {
  const { principal } = context.identity();
  if (principal?.kind !== 'user') throw requestErrors.unauthenticated();
  return subscribeTo(`svc:${principal.id}`, hasType, context);
}

/** The fields of `Subscription`, with the channel rules of the sockets under `/ws/`. */
export const subscribers = {
  statusChanged: {
    subscribe: (_args, context) => subscribeTo('status', isStatusEvent, context),
    resolve: toStatusEvent,
  },
  incidentChanged: {
    subscribe: (_args, context) =>
      subscribeTo('status', ({ type }) => type.startsWith('incident.'), context),
    resolve: toStatusEvent,
  },
  siteActivity: {
    subscribe: ({ siteId }: { siteId: string }, context) =>
      subscribeTo(`analytics:${siteId}`, hasType, context),
    resolve: toEvent,
  },
  viewerChanged: { subscribe: subscribeToViewer, resolve: toEvent },
} satisfies Readonly<Record<string, Subscriber>>;
