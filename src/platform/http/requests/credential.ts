import type { FastifyRequest } from 'fastify';

export interface Credential {
  token: string;
  /** True for a DPoP token: every use needs a proof of its key (RFC 9449). */
  isDpop: boolean;
}

/**
 * Returns the token of `Authorization: Bearer` (RFC 6750 §2.1) or `DPoP` (RFC 9449 §7.1); undefined
 * when the header is missing or has another scheme.
 */
export function credentialOf(request: FastifyRequest): Credential | undefined {
  const [, scheme, token = ''] =
    /^(bearer|dpop)(?: +(.*))?$/i.exec(request.headers.authorization ?? '') ?? [];
  return scheme === undefined ? undefined : { token, isDpop: scheme.toLowerCase() === 'dpop' };
}
