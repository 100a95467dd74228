import { hasScope, type Principal } from '../../platform/identity/identity.ts';
import type { ChannelHistory } from '../../platform/bus/types.ts';

/** The three sockets. */
export const endpoints = ['/ws/svc/', '/ws/analytics/', '/ws/status/'] as const;
export type Endpoint = (typeof endpoints)[number];

/** Who listens, as far as it has been proved. */
export interface Subject {
  principal: Principal | undefined;
  /** It comes from a device that may do what admins do, or is no person. */
  isCleared: boolean;
}

export interface ChannelRule {
  /** What it is called in the documentation. */
  name: string;
  description: string;
  history: ChannelHistory;
  endpoints: readonly Endpoint[];
  maySubscribe: (subject: Subject, about: string) => boolean;
  mayPublish: (subject: Subject) => boolean;
  /** Who listens is known to the others who do. */
  hasPresence: boolean;
}

const minute = 60_000;
const nothing: ChannelHistory = { size: 0, ttlMs: 0 };
const everybody = () => true;
const nobody = () => false;
const identified = ({ principal }: Subject) => principal !== undefined;
const admins = ({ principal, isCleared }: Subject) => isCleared && hasScope(principal, 'admin');

/**
 * Every channel there is; those with `:` are families, one channel for each of what they are about.
 */
export const channelRules = {
  status: {
    name: 'status',
    description: 'How the service is: components, incidents, maintenance.',
    history: { size: 300, ttlMs: 24 * 60 * minute },
    endpoints,
    maySubscribe: everybody,
    mayPublish: nobody,
    hasPresence: false,
  },
  'status:': {
    name: 'status:{component}',
    description: 'One component of it.',
    history: { size: 300, ttlMs: 24 * 60 * minute },
    endpoints,
    maySubscribe: everybody,
    mayPublish: nobody,
    hasPresence: false,
  },
  test: {
    name: 'test',
    description: 'For trying things out. Who is signed in may publish.',
    history: { size: 1000, ttlMs: 10 * minute },
    endpoints,
    maySubscribe: everybody,
    mayPublish: identified,
    hasPresence: true,
  },
  'analytics:': {
    name: 'analytics:{site_id}',
    description: 'What happens on a site at this moment: events, counters, visitors.',
    history: nothing,
    endpoints: ['/ws/svc/', '/ws/analytics/'],
    maySubscribe: ({ principal, isCleared }) => isCleared && hasScope(principal, 'analytics:read'),
    mayPublish: nobody,
    hasPresence: false,
  },
  'svc:': {
    name: 'svc:{user_id}',
    description: 'What concerns one person: sessions and devices.',
    history: { size: 300, ttlMs: 60 * minute },
    endpoints: ['/ws/svc/'],
    maySubscribe: ({ principal }, about) => principal?.kind === 'user' && principal.id === about,
    mayPublish: nobody,
    hasPresence: true,
  },
  devices: {
    name: 'devices',
    description: 'Devices that ask for clearance, and what becomes of them.',
    history: { size: 300, ttlMs: 60 * minute },
    endpoints: ['/ws/svc/'],
    maySubscribe: admins,
    mayPublish: nobody,
    hasPresence: true,
  },
  jobs: {
    name: 'jobs',
    description: 'Background jobs that end.',
    history: nothing,
    endpoints: ['/ws/svc/'],
    maySubscribe: admins,
    mayPublish: nobody,
    hasPresence: true,
  },
} as const satisfies Readonly<Record<string, ChannelRule>>;

const rules: ReadonlyMap<string, ChannelRule> = new Map(Object.entries(channelRules));

// No braces: they mean something in the names of Redis' keys.
const nameForm = /^([a-z]+:?)([^\s{}]{0,64})$/;

export interface Channel {
  rule: ChannelRule;
  /** What follows the colon. */
  about: string;
}

/** The channel of this name; undefined when there is none. */
export function channelOf(name: string): Channel | undefined {
  const [, family = '', about = ''] = nameForm.exec(name) ?? [];
  const rule = rules.get(family);
  return rule === undefined || family.endsWith(':') === (about === '')
    ? undefined
    : { rule, about };
}

/** How a channel's messages are kept. */
export const historyOf = (name: string): ChannelHistory => channelOf(name)?.rule.history ?? nothing;
