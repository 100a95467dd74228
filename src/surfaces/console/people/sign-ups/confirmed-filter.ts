import { texts as areaTexts } from '../../../../areas/signup/texts/en.ts';
import type { QuickFilter } from '../../resources/list-family.ts';
import { texts } from '../texts/en.ts';

const { set, unset } = areaTexts.signups.values.confirmed_at;

/** Sign-ups by whether their address is confirmed. */
export const confirmedFilter: QuickFilter = {
  member: 'confirmed',
  label: texts.signUp.filter.label,
  all: texts.signUp.filter.all,
  options: [
    ['true', set],
    ['false', unset],
  ],
};
