import { z } from 'zod';
import { page } from '../routes.pages.ts';
import { writePage } from './write-page.tsx';

const WriteQuery = z.object({ id: z.uuid().toLowerCase() });

/** The page that writes a tag, for admins. */
export const nfcWriteRoute = page({
  id: 'console.write_nfc_tag',
  path: '/api/svc/console/nfc/write',
  summary: 'Console: write to an NFC tag',
  query: WriteQuery,
  errors: ['nfc.tag_not_found'],
  show: async ({ nfc }, { id }) =>
    writePage({ tag: await nfc.tags.get(id), sheet: await nfc.encoding.ndef(id) }),
});
