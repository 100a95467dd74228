import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { limit } from '../../../platform/http/limits/rate-limit.ts';
import { requestActor } from '../../../platform/http/requests/request-actor.ts';
import { noStore } from '../../../platform/http/security.ts';
import type { Guards } from '../../identity/sessions/guards.ts';
import { MasterKeyList } from '../schemas.ts';
import type { MasterKeys } from './master-keys.ts';

export interface KeyRoutesOptions {
  nfcMasterKeys: MasterKeys;
  guards: Pick<Guards, 'requireFresh'>;
}

const tags = ['nfc'];
const read = { rateLimit: limit({ max: 120, seconds: 60, failOpen: true }) };
const change = { rateLimit: limit({ max: 10, seconds: 600 }) };

/** The master keys that keys of tags are derived from, for admins. They are never shown. */
export const masterKeyRoutes: FastifyPluginAsyncZod<KeyRoutesOptions> = async (
  app,
  { nfcMasterKeys, guards },
) => {
  noStore(app);

  app.get(
    '/api/v1/nfc/keys',
    {
      config: read,
      schema: {
        operationId: 'nfcKeys.list',
        summary: 'List the versions of the master key',
        description: 'Newest first, with the number of tags that have each. Keys are not shown.',
        tags,
        response: { 200: MasterKeyList },
      },
    },
    async () => ({ data: await nfcMasterKeys.list() }),
  );

  app.post(
    '/api/v1/nfc/keys/rotate',
    {
      config: change,
      schema: {
        operationId: 'nfcKeys.rotate',
        summary: 'Make a new master key',
        description:
          'For tags that are encoded from now on. The others keep verifying with the version in ' +
          'their chip until they are re-encoded. Requires a sign-in within the last five ' +
          'minutes. ' +
          'Send an `Idempotency-Key` header to retry safely.',
        tags,
        errors: ['auth.step_up_required'],
        response: { 200: MasterKeyList },
      },
    },
    async (request) => {
      guards.requireFresh(request);
      await nfcMasterKeys.rotate(requestActor(request));
      return { data: await nfcMasterKeys.list() };
    },
  );
};
