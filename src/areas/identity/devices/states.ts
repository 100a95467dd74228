/** The states of a device. `unknown` devices never requested approval and are not stored. */
export const deviceStates = [
  'unknown',
  'pending',
  'cleared',
  'expired',
  'suspended',
  'denied',
  'revoked',
] as const;
export type DeviceState = (typeof deviceStates)[number];

/** `risk` is a risk rule, `timer` the background sweep. */
type TransitionActor = 'owner' | 'admin' | 'system' | 'risk' | 'timer';

export interface Transition {
  from: readonly DeviceState[];
  to: DeviceState;
  by: readonly TransitionActor[];
  /** When it happens, in a few words, for the guide and docs/guides/device-states.svg. */
  when: string;
}

/**
 * All transitions between states. `revoked` is final: a new enrolment is a new device.
 */
export const transitions = {
  request: {
    from: ['unknown', 'expired'],
    to: 'pending',
    by: ['owner'],
    when: 'requests approval',
  },
  bootstrap: {
    from: ['unknown'],
    to: 'cleared',
    by: ['system'],
    when: 'first device of the first admin',
  },
  approve: { from: ['pending'], to: 'cleared', by: ['admin'], when: 'another admin approves' },
  deny: { from: ['pending'], to: 'denied', by: ['admin'], when: 'another admin denies' },
  time_out: {
    from: ['pending'],
    to: 'expired',
    by: ['timer'],
    when: 'no decision for 72 hours',
  },
  suspend: {
    from: ['cleared'],
    to: 'suspended',
    by: ['owner', 'admin', 'risk'],
    when: 'risk rule, owner or admin',
  },
  restore: {
    from: ['suspended'],
    to: 'cleared',
    by: ['owner', 'admin'],
    when: 'second factor, or an admin',
  },
  expire: {
    from: ['cleared'],
    to: 'expired',
    by: ['timer'],
    when: '30 days unused, or 90 days old',
  },
  revoke: {
    from: ['pending', 'cleared', 'expired', 'suspended', 'denied'],
    to: 'revoked',
    by: ['owner', 'admin', 'system'],
    when: 'removed for good',
  },
} as const satisfies Readonly<Record<string, Transition>>;

export type TransitionName = keyof typeof transitions;

/** True when a device in the state `from` may make the transition. */
export function isAllowed(name: TransitionName, from: DeviceState): boolean {
  const states: readonly DeviceState[] = transitions[name].from;
  return states.includes(from);
}

/** From weakest to strongest. A device with a fingerprint alone can't be cleared. */
export const bindings = ['fingerprint', 'cookie', 'key', 'webauthn'] as const;
export type Binding = (typeof bindings)[number];

/** True when `binding` is at least as strong as `least`. */
export const isAtLeast = (binding: Binding, least: Binding): boolean =>
  bindings.indexOf(binding) >= bindings.indexOf(least);
