import { identitySignal } from '../../platform/bus/signals.ts';
import type { Resources } from '../../platform/resources.ts';
import type { Audit } from '../audit/service.ts';
import { createApiKeys } from './service.ts';
import { createApiKeyStore } from './store.ts';

const revokedKeySignal = 'api_key_revoked';

/** API keys. On a revocation every replica clears its cache and closes the key's sockets. */
export function composeApiKeys({ config, clock, db, bus }: Resources, { audit }: { audit: Audit }) {
  const apiKeys = createApiKeys({
    store: createApiKeyStore(db),
    clock,
    audit,
    adminKey: config.ADMIN_API_KEY,
    onRevoked(id) {
      bus.signal(revokedKeySignal, id);
      bus.signal(identitySignal, id);
    },
  });
  bus.onSignal(revokedKeySignal, apiKeys.forget);
  return { apiKeys };
}
