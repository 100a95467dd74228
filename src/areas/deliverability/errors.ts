import { defineErrors } from '../../platform/errors/errors.ts';

export const deliverabilityErrors = defineErrors('deliverability', {
  zone_not_found: [404, 'No delivery zone has this id.'],
  zone_exists: [
    409,
    'This country already has a delivery zone with this name. Choose another name.',
  ],
  too_many_zones: [
    409,
    'The limit of 2,000 delivery zones has been reached. Combine zones that have the same services.',
  ],
});
