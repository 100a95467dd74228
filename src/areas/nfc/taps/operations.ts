import { operationsOf } from '../../../platform/operations/operation.ts';
import type { NfcContext } from '../compose.ts';
import { JwksView } from './schemas.ts';

const operation = operationsOf<NfcContext>({ scope: 'public', tag: 'nfc', noStore: false });

/** The key that verifies tokens. */
export const jwksOperations = [
  operation({
    id: 'nfc.jwks',
    path: 'GET /.well-known/nfc-jwks.json',
    summary: 'Get the public keys for tap tokens',
    description:
      'The JWK Set for verifying tap tokens (EdDSA). A token is valid for 60 seconds and ' +
      'for the origin of its target.',
    output: JwksView,
    run({ nfc }, _, { reply }) {
      void reply.header('cache-control', 'public, max-age=300');
      return nfc.tapTokens.jwks();
    },
  }),
];
