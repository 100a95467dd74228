import type { AreaPersonalData } from '../../platform/database/personal-data.ts';

export const deliverabilityPersonalData: AreaPersonalData = {
  area: 'deliverability',
  rows: [],
  namesNobody: { 'delivery_zones.name': 'the name of a zone' },
};
