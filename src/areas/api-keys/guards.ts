import type { FastifyRequest } from 'fastify';
import { requestErrors } from '../../platform/errors.ts';
import { hasScope } from '../../platform/identity.ts';
import type { ApiKeyScope, Principal } from '../../platform/identity.ts';
import type { ApiKeys } from './service.ts';

const challenge = 'Bearer realm="svc"';

/** The token of `Authorization: Bearer` (RFC 6750 §2.1); undefined when the header is missing or of another scheme. */
function bearerToken(request: FastifyRequest): string | undefined {
  const match = /^bearer(?: +(.*))?$/i.exec(request.headers.authorization ?? '');
  return match === null ? undefined : match[1] ?? '';
}

function unauthenticated(hadToken: boolean) {
  const error = hadToken ? `${challenge}, error="invalid_token"` : challenge;
  return requestErrors.unauthenticated({ headers: { 'www-authenticate': error } });
}

function insufficientScope(scope: ApiKeyScope) {
  return requestErrors.forbidden({
    headers: { 'www-authenticate': `${challenge}, error="insufficient_scope", scope="${scope}"` },
    extra: { required_scope: scope },
  });
}

/** Guards (onRequest) that set `request.principal` from an API key. */
export function createKeyGuards(apiKeys: Pick<ApiKeys, 'authenticate'>) {
  async function identify(request: FastifyRequest): Promise<Principal | undefined> {
    const token = bearerToken(request);
    if (token === undefined) return undefined;
    const principal = await apiKeys.authenticate(token);
    if (principal === undefined) throw unauthenticated(true);
    return principal;
  }

  return {
    /** Lets only keys with the scope pass: else 401, or 403 `insufficient_scope` (RFC 6750 §3.1). */
    requireScope: (scope: ApiKeyScope) => async (request: FastifyRequest): Promise<void> => {
      const principal = await identify(request);
      if (principal === undefined) throw unauthenticated(false);
      if (!hasScope(principal, scope)) throw insufficientScope(scope);
      request.principal = principal;
    },

    /** Lets everybody pass, except with a key that is not valid: 401. */
    optional: () => (request: FastifyRequest): void | Promise<void> => {
      request.principal = undefined;
      if (request.headers.authorization === undefined) return undefined;
      return identify(request).then((principal) => void (request.principal = principal));
    },
  };
}

export type KeyGuards = ReturnType<typeof createKeyGuards>;
