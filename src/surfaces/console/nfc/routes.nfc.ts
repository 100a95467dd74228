import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { consolePath } from '../../../lib/site-paths.ts';
import type { ConsoleRoutesOptions } from '../request-context.ts';
import { innerPage } from '../route-options.ts';
import { writePage } from './write-page.tsx';

const WriteQuery = z.object({ id: z.uuid().toLowerCase() });

/** The page that writes a tag, for admins. */
export const nfcWriteRoutes: FastifyPluginAsyncZod<ConsoleRoutesOptions> = async (
  app,
  { services: { nfc }, send },
) => {
  app.get(
    `${consolePath}nfc/write`,
    innerPage('console.write_nfc_tag', 'Console: write to an NFC tag', {
      querystring: WriteQuery,
      errors: ['nfc.tag_not_found'],
    }),
    async ({ query: { id } }, reply) => {
      const [tag, sheet] = [await nfc.tags.get(id), await nfc.encoding.ndef(id)];
      return send(reply, writePage({ tag, sheet }));
    },
  );
};
