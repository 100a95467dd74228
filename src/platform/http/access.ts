import type { FastifyInstance } from 'fastify';
import { type Guard, scope } from './scopes.ts';
import type { ApiKeyScope } from '../../lib/access.ts';

type Register = (routes: FastifyInstance) => void | Promise<void>;

/** The guards of the areas that know people, API keys and devices. */
export interface AccessGuards {
  optional: () => Guard;
  sameOrigin: () => Guard;
  signedIn: () => Guard;
  fresh: () => Guard;
  requireScope: (name: ApiKeyScope) => Guard;
}

/**
 * Who may call a route: every route is registered in one of these scopes. Each takes the instance
 * to register in, and a function that registers.
 */
export function createScopes({
  guards,
  deviceGuards,
}: {
  guards: AccessGuards;
  deviceGuards: { clearedDevice: () => Guard };
}) {
  const clearedDevice = deviceGuards.clearedDevice();
  const as =
    (name: string, guard?: Guard) =>
    (app: FastifyInstance, register: Register): void =>
      scope(app, name, guard, register);

  return {
    /** Everybody. Nobody's credentials are looked at. */
    public: as('public'),

    /** Everybody. Credentials are looked at where there are some, and wrong ones are refused. */
    identified: as('public', guards.optional()),

    /** Everybody; what changes something has to come from a page of this origin. */
    sameOrigin: as('public', guards.sameOrigin()),

    /** People with a session. */
    signedIn: as('signed-in', guards.signedIn()),

    /** People who have signed in, or stepped up, within the last minutes. */
    fresh: as('fresh', guards.fresh()),

    /** API keys with this scope, and people who hold it on a cleared device. */
    withScope(name: ApiKeyScope, app: FastifyInstance, register: Register): void {
      scope(app, name, guards.requireScope(name), (keys) =>
        scope(keys, `${name}, cleared device`, clearedDevice, register),
      );
    },
  };
}

export type Scopes = ReturnType<typeof createScopes>;
