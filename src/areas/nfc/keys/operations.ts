import { limited } from '../../../platform/operations/limits.ts';
import { operationsOf } from '../../../platform/operations/operation.ts';
import type { NfcContext } from '../compose.ts';
import { MasterKeyList } from '../schemas.ts';

const operation = operationsOf<NfcContext>({ scope: 'admin', tag: 'nfc' });

/** The master keys that keys of tags are derived from, for admins. They are never shown. */
export const masterKeyOperations = [
  operation({
    id: 'nfcKeys.list',
    path: 'GET /api/v1/nfc/keys',
    summary: 'List master key versions',
    description: 'Newest first, with the number of tags that use each. Keys are not shown.',
    output: MasterKeyList,
    run: async ({ nfc }) => ({ data: await nfc.masterKeys.list() }),
  }),
  operation({
    id: 'nfcKeys.rotate',
    path: 'POST /api/v1/nfc/keys/rotate',
    summary: 'Create a new master key',
    description:
      'Applies to tags that are encoded from then on. All others keep using the version in ' +
      'their chip until they are re-encoded. Requires a sign-in within the last five ' +
      'minutes. Send an `Idempotency-Key` header to retry safely.',
    limit: limited({ max: 10, seconds: 600 }),
    output: MasterKeyList,
    errors: ['auth.step_up_required'],
    async run({ nfc: { masterKeys } }, _, { by }) {
      await masterKeys.rotate(by);
      return { data: await masterKeys.list() };
    },
  }),
];
