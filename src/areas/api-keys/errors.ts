import { defineErrors } from '../../platform/errors/errors.ts';

export const apiKeyErrors = defineErrors('api_keys', {
  not_found: [404, 'No API key has this id.'],
  expiry_past: [400, 'The expiry date (expires_at) must be in the future.'],
});
