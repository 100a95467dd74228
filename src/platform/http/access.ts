import type { FastifyInstance } from 'fastify';
import { type Guard, scope } from './scopes.ts';
import type { ApiKeyScope } from '../../lib/access.ts';

type Register = (routes: FastifyInstance) => void | Promise<void>;

/** The guards of the areas for users, API keys and devices. */
export interface AccessGuards {
  optional: () => Guard;
  sameOrigin: () => Guard;
  ownForms: () => Guard;
  signedIn: () => Guard;
  fresh: () => Guard;
  requireScope: (name: ApiKeyScope) => Guard;
}

/** The name of a route scope: for keys with a scope, and users with it on an approved device. */
export const approvedDevice = (name: ApiKeyScope): string => `${name}, approved device`;

/**
 * The scopes that every route is registered in, by who may call it. Each takes the instance to
 * register in and a function that registers the routes.
 */
export function createScopes({
  guards,
  deviceGuards,
  acceptIdempotencyKeys,
}: {
  guards: AccessGuards;
  deviceGuards: { clearedDevice: () => Guard };
  /** Makes the routes of a scope accept `Idempotency-Key`. */
  acceptIdempotencyKeys: (scope: FastifyInstance) => void;
}) {
  const clearedDevice = deviceGuards.clearedDevice();
  const scopeNamed =
    (name: string, guard?: Guard) =>
    (app: FastifyInstance, register: Register): void =>
      scope(app, name, guard, register);

  return {
    /** Any client. Credentials are ignored. */
    public: scopeNamed('public'),

    /** Any client. Credentials are optional, but invalid ones are refused. */
    identified: scopeNamed('public', guards.optional()),

    /** Any client. Requests that change data must come from a page of this origin. */
    sameOrigin: scopeNamed('public', guards.sameOrigin()),

    /**
     * Any client. Forms must come from a page of this origin, or of one that the route lists;
     * programs, which name no page, may send too.
     */
    forms: scopeNamed('public', guards.ownForms()),

    /** Users with a session. */
    signedIn: scopeNamed('signed-in', guards.signedIn()),

    /** Users who have signed in, or stepped up, within the last five minutes. */
    fresh: scopeNamed('fresh', guards.fresh()),

    /**
     * API keys with this scope, and users who have it, on an approved device. Changes accept an
     * `Idempotency-Key`.
     */
    withScope(name: ApiKeyScope, app: FastifyInstance, register: Register): void {
      scope(app, name, guards.requireScope(name), (keys) =>
        scope(keys, approvedDevice(name), clearedDevice, (cleared) => {
          acceptIdempotencyKeys(cleared);
          return register(cleared);
        }),
      );
    },

    /** Makes the routes of a scope accept `Idempotency-Key`. */
    acceptIdempotencyKeys,
  };
}

export type Scopes = ReturnType<typeof createScopes>;
