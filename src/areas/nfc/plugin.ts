import type { FastifyInstance } from 'fastify';
import { type OperationServices, registerOperations } from '../../platform/operations/register.ts';
import { resourceOperations } from '../../platform/resource/operations.ts';
import type { SiteLayout } from '../../platform/ui/pages.tsx';
import type { Guards } from '../identity/sessions/guards.ts';
import type { NfcServices } from './compose.ts';
import { encodingRoutes } from './encoding/routes.ts';
import { masterKeyRoutes } from './keys/routes.ts';
import { jwksRoute, tapRoutes } from './taps/routes.ts';

interface NfcOptions extends NfcServices, OperationServices {
  guards: Pick<Guards, 'requireFresh'>;
  siteLayout: SiteLayout;
}

/** NFC tags: taps for everybody, tags, alarms and keys for admins. */
export function registerNfc(app: FastifyInstance, options: NfcOptions): void {
  app.describeTag('nfc', 'NFC tags, their taps, keys and alarms.');
  const { scopes, nfcTags, nfcAlarms } = options;
  scopes.public(app, (everybody) => {
    everybody.register(tapRoutes, options);
    everybody.register(jwksRoute, options);
  });
  registerOperations(app, options, [
    ...resourceOperations(nfcTags),
    ...resourceOperations(nfcAlarms),
  ]);
  scopes.withScope('admin', app, (admins) => {
    admins.register(encodingRoutes, options);
    admins.register(masterKeyRoutes, options);
  });
}
