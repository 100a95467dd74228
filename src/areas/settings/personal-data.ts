import type { AreaPersonalData } from '../../platform/database/personal-data.ts';

/** Who changed a setting is in the audit log only. */
export const settingsPersonalData: AreaPersonalData = {
  area: 'settings',
  rows: [],
  namesNobody: {
    'settings.name': 'the name of a group of settings',
    'settings.picture': 'the logo of the brand',
    'settings.value':
      'public facts about the operator and rules of the service, entered by an admin',
  },
};
