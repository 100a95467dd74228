import { defineResource } from '../../../platform/resource/resource.ts';
import { NfcTagBody, NfcTagChangeBody, nfcTagFilters, NfcTagView } from '../schemas.ts';
import { texts } from '../texts/en.ts';

/** NFC tags, for admins. */
export const nfcTagResource = defineResource({
  name: 'nfcTags',
  type: 'NfcTag',
  path: '/api/v1/nfc/tags',
  tag: 'nfc',
  scope: 'admin',
  view: NfcTagView,
  create: NfcTagBody,
  update: NfcTagChangeBody,
  filters: nfcTagFilters,
  sorts: ['-created_at', 'name', '-taps'],
  searches: 'name, code, UID and target',
  notFound: 'nfc.tag_not_found',
  errors: {
    create: ['nfc.code_taken', 'nfc.uid_taken'],
    update: ['nfc.uid_taken', 'nfc.uid_fixed'],
  },
  detailsOnly: ['page_text', 'parameters'],
  columns: ['name', 'code', 'chip', 'mode', 'taps', 'last_tapped_at', 'active'],
  tones: { mode: { sun: 'ok', mirror: 'warn' } },
  consolePage: 'nfc',
  texts: texts.tags,
});
