import { defineResource } from '../../../platform/resource/resource.ts';
import { texts } from '../texts/en.ts';
import { NfcAlarmChangeBody, nfcAlarmFilters, NfcAlarmView } from './schemas.ts';

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
  consolePage: 'nfc/alarms',
  texts: texts.alarms,
});
