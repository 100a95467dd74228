import { defineErrors } from '../../platform/errors/errors.ts';

export const apiKeyErrors = defineErrors('api_keys', {
  not_found: [404, 'There is no API key with this id.'],
  expiry_past: [400, 'The expiry (expires_at) must lie in the future.'],
});
