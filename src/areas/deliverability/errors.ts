import { defineErrors } from '../../platform/errors/errors.ts';

export const deliverabilityErrors = defineErrors('deliverability', {
  zone_not_found: [404, 'There is no delivery zone with this id.'],
  zone_exists: [409, 'There is a delivery zone of this country with this name.'],
  too_many_zones: [409, 'There can be 2000 delivery zones. Put what is served alike into one.'],
});
