import type { ChannelHistory } from '../../platform/bus/types.ts';
import type { Principal } from '../../platform/identity/identity.ts';
import { hasScope } from '../../lib/access.ts';

/** The paths of the WebSocket endpoints. */
export const endpoints = ['/ws/svc/', '/ws/analytics/', '/ws/status/'] as const;
export type Endpoint = (typeof endpoints)[number];

/** The verified identity of a client that subscribes or publishes. */
export interface Subject {
  principal: Principal | undefined;
  /** The device is cleared, or the principal is an API key. */
  isCleared: boolean;
}

export interface ChannelRule {
  /** Name in the documentation. */
  name: string;
  description: string;
  history: ChannelHistory;
  endpoints: readonly Endpoint[];
  /** `id` is the part of the channel name after the namespace. */
  maySubscribe: (subject: Subject, id: string) => boolean;
  mayPublish: (subject: Subject) => boolean;
  /** Subscribers may list each other, and get join and leave messages. */
  hasPresence: boolean;
}

const minute = 60_000;
const noHistory: ChannelHistory = { size: 0, ttlMs: 0 };
const anyone = () => true;
const nobody = () => false;
const identified = ({ principal }: Subject) => principal !== undefined;
const admins = ({ principal, isCleared }: Subject) => isCleared && hasScope(principal, 'admin');

const statusRule = {
  history: { size: 300, ttlMs: 24 * 60 * minute },
  endpoints,
  maySubscribe: anyone,
  mayPublish: nobody,
  hasPresence: false,
} as const;

/** Every channel. A key that ends in a colon is a namespace with one channel for each id. */
export const channelRules = {
  status: {
    name: 'status',
    description: 'Status of the service: components, incidents and maintenance.',
    ...statusRule,
  },
  'status:': {
    name: 'status:{component}',
    description: 'Status of one component.',
    ...statusRule,
  },
  test: {
    name: 'test',
    description: 'For testing. Signed-in users and API keys can publish.',
    history: { size: 1000, ttlMs: 10 * minute },
    endpoints,
    maySubscribe: anyone,
    mayPublish: identified,
    hasPresence: true,
  },
  'analytics:': {
    name: 'analytics:{site_id}',
    description: 'Live analytics for a site: events, counters and visitors.',
    history: noHistory,
    endpoints: ['/ws/svc/', '/ws/analytics/'],
    maySubscribe: ({ principal, isCleared }) => isCleared && hasScope(principal, 'analytics:read'),
    mayPublish: nobody,
    hasPresence: false,
  },
  'svc:': {
    name: 'svc:{user_id}',
    description: 'Changes to the sessions and devices of one user.',
    history: { size: 300, ttlMs: 60 * minute },
    endpoints: ['/ws/svc/'],
    maySubscribe: ({ principal }, id) => principal?.kind === 'user' && principal.id === id,
    mayPublish: nobody,
    hasPresence: true,
  },
  devices: {
    name: 'devices',
    description: 'Approval requests and the decisions on them.',
    history: { size: 300, ttlMs: 60 * minute },
    endpoints: ['/ws/svc/'],
    maySubscribe: admins,
    mayPublish: nobody,
    hasPresence: true,
  },
  contact: {
    name: 'contact',
    description: 'New messages from the contact form.',
    history: { size: 100, ttlMs: 60 * minute },
    endpoints: ['/ws/svc/'],
    maySubscribe: admins,
    mayPublish: nobody,
    hasPresence: false,
  },
  jobs: {
    name: 'jobs',
    description: 'Completed and failed background jobs.',
    history: noHistory,
    endpoints: ['/ws/svc/'],
    maySubscribe: admins,
    mayPublish: nobody,
    hasPresence: true,
  },
} as const satisfies Readonly<Record<string, ChannelRule>>;

const rules: ReadonlyMap<string, ChannelRule> = new Map(Object.entries(channelRules));

// No braces: in Redis keys they delimit hash tags.
const namePattern = /^([a-z]+:?)([^\s{}]{0,64})$/;

export interface Channel {
  rule: ChannelRule;
  /** The part after the namespace: the id of a component, site or user. */
  id: string;
}

/** Parses a channel name; undefined when no such channel exists. */
export function channelOf(name: string): Channel | undefined {
  const [, namespace = '', id = ''] = namePattern.exec(name) ?? [];
  const rule = rules.get(namespace);
  return rule === undefined || namespace.endsWith(':') === (id === '') ? undefined : { rule, id };
}

/** Returns how much history a channel keeps. */
export const historyOf = (name: string): ChannelHistory =>
  channelOf(name)?.rule.history ?? noHistory;
