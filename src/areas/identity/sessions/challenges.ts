import { requestErrors } from '../../../platform/errors/errors.ts';
import type { ApiKeyScope } from '../../../lib/access.ts';
import { clearedSessionCookies } from './cookies.ts';

const challenge = 'Bearer realm="svc"';

/** RFC 6750 §3. */
export function unauthenticated(hadToken: boolean) {
  const error = hadToken ? `${challenge}, error="invalid_token"` : challenge;
  return requestErrors.unauthenticated({ headers: { 'www-authenticate': error } });
}

/** RFC 9449 §7.1. */
export const invalidBoundToken = () =>
  requestErrors.unauthenticated({
    headers: { 'www-authenticate': 'DPoP error="invalid_token", algs="ES256"' },
  });

/** Also removes the cookie of a session that has ended. */
export const staleCookie = (isHttps: boolean) =>
  requestErrors.unauthenticated({
    headers: {
      'www-authenticate': `${challenge}, error="invalid_token"`,
      'set-cookie': clearedSessionCookies(isHttps),
    },
  });

/** RFC 6750 §3.1. */
export const insufficientScope = (scope: ApiKeyScope) =>
  requestErrors.forbidden({
    headers: { 'www-authenticate': `${challenge}, error="insufficient_scope", scope="${scope}"` },
    extra: { required_scope: scope },
  });
