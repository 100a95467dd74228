import type { AreaPersonalData } from '../../platform/database/personal-data.ts';

/** Who created or revoked a key is in the audit log only. */
export const apiKeysPersonalData: AreaPersonalData = {
  area: 'api-keys',
  rows: [],
  namesNobody: { 'api_keys.name': 'the name of a key, chosen by an admin' },
};
