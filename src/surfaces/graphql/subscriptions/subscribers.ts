import { requestErrors, type AppError } from '../../../platform/errors/errors.ts';
import { hasScope } from '../../../platform/identity/identity.ts';
import { channelOf } from '../../../areas/realtime/channels.ts';
import { blackopsErrors } from '../../../areas/blackops/errors.ts';
import type { Identity } from '../../ws/identities.ts';
import type { Incident, Maintenance, Component } from '../../../areas/status/schemas.ts';
import { inCamelCase } from '../schema/camel-case.ts';
import { graphqlErrors } from '../errors.ts';
import type { Hear, Hearing, Told } from './subscription-iterator.ts';
import { toComponentNode, toIncidentNode, toMaintenanceNode } from '../schema/status-views.ts';

/** Who subscribes, by now. */
export interface SocketContext {
  identity: () => Identity;
  /** Keeps an eye on what somebody hears: it ends when they may not hear it any more. */
  watch: (hearing: Hearing, refusal: () => AppError | undefined) => void;
}

export interface SubscriberDeps {
  hear: Hear;
}

/** Begins a subscription, and makes its messages what the schema says. */
export interface Subscriber {
  subscribe: (root: unknown, args: never, context: SocketContext) => Promise<Hearing>;
  resolve: (told: Told) => object;
}

const envelopeOf = ({ id, time, type }: Told) => ({ eventId: id, time, type });

function toStatusEvent(told: Told): object {
  const { type, data } = told;
  // The status publishes these, and checks them by its own schemas.
  if (type.startsWith('incident.'))
    return {
      __typename: 'IncidentChanged',
      ...envelopeOf(told),
      incident: toIncidentNode(data as Incident),
    };
  if (type.startsWith('maintenance.'))
    return {
      __typename: 'MaintenanceChanged',
      ...envelopeOf(told),
      maintenance: toMaintenanceNode(data as Maintenance),
    };
  return {
    __typename: 'ComponentChanged',
    ...envelopeOf(told),
    component: toComponentNode(data as Component),
  };
}

const typeNames: Readonly<Partial<Record<string, string>>> = {
  'event.ingested': 'SiteEventStored',
  'counters.tick': 'SiteCounters',
  'visitors.active': 'SiteVisitors',
  'session.revoked': 'SessionsEnded',
  'device.updated': 'DeviceChanged',
};

const toPlainEvent = (told: Told): object => ({
  ...inCamelCase(told.data as object),
  __typename: typeNames[told.type],
  ...envelopeOf(told),
});
const isNamed = ({ type }: Told): boolean => typeNames[type] !== undefined;
const isOfStatus = ({ type }: Told): boolean => /^(?:component|incident|maintenance)\./.test(type);

/** What can be listened to: channels of the bus, by the rules of the sockets under `/ws/`. */
export function createSubscribers({ hear }: SubscriberDeps): Readonly<Record<string, Subscriber>> {
  /** Why somebody may not hear a channel, as the REST API would say it; undefined when they may. */
  function refusalOf(name: string, identity: Identity): AppError | undefined {
    const channel = channelOf(name);
    if (channel === undefined) return graphqlErrors.not_found();
    if (channel.rule.maySubscribe(identity, channel.about)) return undefined;
    const { principal, isCleared } = identity;
    if (principal === undefined || !name.startsWith('analytics:'))
      return requestErrors.unauthenticated();
    return hasScope(principal, 'analytics:read') && !isCleared
      ? blackopsErrors.device_not_cleared({ extra: { device_state: 'unknown' } })
      : requestErrors.forbidden({ extra: { required_scope: 'analytics:read' } });
  }

  async function listen(
    name: string,
    isWanted: (told: Told) => boolean,
    { identity, watch }: SocketContext,
  ): Promise<Hearing> {
    const refusal = () => refusalOf(name, identity());
    const refused = refusal();
    if (refused !== undefined) throw refused;
    const hearing = await hear(name, isWanted);
    // Something may have changed while Redis was asked.
    watch(hearing, refusal);
    return hearing;
  }

  function ownChannel({ identity }: SocketContext): string {
    const { principal } = identity();
    if (principal?.kind !== 'user') throw requestErrors.unauthenticated();
    return `svc:${principal.id}`;
  }

  return {
    statusChanged: {
      subscribe: (_root, _args, context) => listen('status', isOfStatus, context),
      resolve: toStatusEvent,
    },
    incidentChanged: {
      subscribe: (_root, _args, context) =>
        listen('status', ({ type }) => type.startsWith('incident.'), context),
      resolve: toStatusEvent,
    },
    siteActivity: {
      subscribe: (_root, { siteId }: { siteId: string }, context) =>
        listen(`analytics:${siteId}`, isNamed, context),
      resolve: toPlainEvent,
    },
    viewerChanged: {
      subscribe: async (_root, _args, context) => listen(ownChannel(context), isNamed, context),
      resolve: toPlainEvent,
    },
  };
}
