import type { AreaPersonalData } from '../../platform/database/personal-data.ts';

export const nfcPersonalData: AreaPersonalData = {
  area: 'nfc',
  rows: [],
  namesNobody: { 'nfc_tags.name': 'the name of a tag' },
};
