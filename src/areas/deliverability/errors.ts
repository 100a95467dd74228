import { defineErrors } from '../../platform/errors/errors.ts';

export const deliverabilityErrors = defineErrors('deliverability', {
  zone_not_found: [404, 'No delivery zone has this id.'],
  zone_exists: [
    409,
    'This country already has a delivery zone with this name. Choose another name.',
  ],
  too_many_zones: [
    409,
    'You have reached the limit of 2,000 delivery zones. Combine zones with the same services.',
  ],
});
