import { defineResource } from '../../platform/resource/resource.ts';
import { NfcAlarmChangeBody, nfcAlarmFilters, NfcAlarmView } from './alarms/schemas.ts';
import { NfcTagBody, NfcTagChangeBody, nfcTagFilters, NfcTagView } from './schemas.ts';
import { texts } from './texts/en.ts';

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
  searches: 'name, code and UID',
  notFound: 'nfc.tag_not_found',
  errors: {
    create: ['nfc.code_taken', 'nfc.uid_taken'],
    update: ['nfc.uid_taken', 'nfc.uid_fixed'],
  },
  detailsOnly: ['page_text', 'parameters'],
  columns: ['name', 'code', 'chip', 'mode', 'taps', 'last_tapped_at', 'active'],
  tones: { mode: { sun: 'ok', mirror: 'warn' } },
  entryLink: { path: 'nfc/write', text: texts.tags.write },
  texts: texts.tags,
});

/** Alarms about taps, for admins. */
export const nfcAlarmResource = defineResource({
  name: 'nfcAlarms',
  type: 'NfcAlarm',
  path: '/api/v1/nfc/alarms',
  tag: 'nfc',
  scope: 'admin',
  view: NfcAlarmView,
  update: NfcAlarmChangeBody,
  canDelete: false,
  filters: nfcAlarmFilters,
  sorts: ['-last_at'],
  columns: ['kind', 'tag_name', 'count', 'last_at', 'hour', 'resolved', 'created_at'],
  notFound: 'nfc.alarm_not_found',
  tones: {
    kind: { forged: 'bad', cloned: 'bad', unknown_uid: 'bad', replayed: 'warn', opened: 'warn' },
  },
  texts: texts.alarms,
});
