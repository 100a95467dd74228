import type { FastifyInstance } from 'fastify';
import { type OperationServices, registerOperations } from '../../platform/operations/register.ts';
import { resourceOperations } from '../../platform/resource/operations.ts';
import { encodingOperations } from './encoding/operations.ts';
import { masterKeyOperations } from './keys/operations.ts';
import { jwksOperations } from './taps/operations.ts';
import { type TapContext, tapRoutes } from './taps/routes.ts';

/** NFC tags: taps for everybody, tags, alarms and keys for admins. */
export function registerNfc(app: FastifyInstance, services: TapContext & OperationServices): void {
  app.describeTag('nfc', 'NFC tags, their taps, keys and alarms.');
  services.scopes.public(app, (everybody) => {
    everybody.register(tapRoutes, services);
  });
  registerOperations(app, services, [
    ...jwksOperations,
    ...resourceOperations(services.nfcTags),
    ...resourceOperations(services.nfcAlarms),
    ...encodingOperations,
    ...masterKeyOperations,
  ]);
}
