import type { FastifyRequest } from 'fastify';
import { createScopes } from '../../src/platform/http/access.ts';

/** Scopes that let everybody in. `admit` runs before the routes of scopes of API keys. */
export function openScopes(admit: (request: FastifyRequest) => void = () => undefined) {
  const open = () => () => undefined;
  return createScopes({
    guards: {
      optional: open,
      sameOrigin: open,
      ownForms: open,
      signedIn: open,
      fresh: open,
      requireScope: () => admit,
    },
    deviceGuards: { clearedDevice: open },
    acceptIdempotencyKeys: () => undefined,
  });
}
