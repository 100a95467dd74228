import type { AreaPersonalData } from '../../platform/database/personal-data.ts';

/** Scans are events of a site, without who it was. */
export const qrPersonalData: AreaPersonalData = {
  area: 'qr',
  rows: [],
  namesNobody: {
    'qr_batches.name': 'the name of a file',
    'qr_codes.name': 'the name of a code',
    'qr_logos.name': 'the name of a picture',
  },
};
