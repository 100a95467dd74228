import { isIP } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiKeyScope } from '../../lib/access.ts';
import { AppError, requestErrors } from '../../platform/errors/errors.ts';
import { isLoopbackHost } from '../../platform/http/requests/local-request.ts';
import { requesterOf } from '../../platform/http/requests/requester.ts';
import type { Guard } from '../../platform/http/scopes.ts';
import { type Caller, isInScope } from './caller.ts';
import type { McpServices } from './context.ts';
import { mcpErrors } from './errors.ts';
import { hasSlash, metadataUrl } from './metadata.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the guard of the Model Context Protocol. */
    mcpCaller: Caller | undefined;
  }
}

/** DNS rebinding works with host names only, so IP addresses are allowed. */
const isAddress = (host: string): boolean => isIP(host.replace(/^\[(.*)\]$/, '$1')) !== 0;

/**
 * Creates the guard: it admits callers with an API key or token in the header, except from pages
 * of other sites, and ignores cookies. Throws `mcp.bad_host`, `mcp.bad_origin`,
 * `request.unauthenticated`, and the errors of the REST guards.
 */
export function createMcpGuard({ guards, deviceGuards, baseUrl }: McpServices): Guard {
  const clearedDevice = deviceGuards.clearedDevice();
  const ownName = new URL(baseUrl).hostname;
  const identify = guards.optional();

  // With DNS rebinding, Origin and Host match each other, but neither is our own.
  function refuseRebinding(request: FastifyRequest): void {
    const { host, hostname, headers } = request;
    if (hostname !== ownName && !isLoopbackHost(host) && !isAddress(hostname))
      throw mcpErrors.bad_host();
    if (headers.origin !== undefined && !guards.isOwnOrigin(request)) throw mcpErrors.bad_origin();
  }

  async function deviceRefusal(
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<AppError | undefined> {
    if (request.principal?.kind !== 'user') return undefined;
    try {
      await clearedDevice(request, reply);
      return undefined;
    } catch (error) {
      if (error instanceof AppError && error.status === 403) return error;
      throw error;
    }
  }

  return async (request, reply) => {
    refuseRebinding(request);
    await identify(request);
    const { principal } = request;
    if (principal === undefined) throw requestErrors.unauthenticated();
    request.mcpCaller = {
      principal,
      notCleared: await deviceRefusal(request, reply),
      address: request.ip,
      requestId: request.id,
      requester: requesterOf(request, reply),
    };
  };
}

/** The caller that the guard has authenticated. Throws `request.unauthenticated`. */
export function callerOf({ mcpCaller }: FastifyRequest): Caller {
  if (mcpCaller === undefined) throw requestErrors.unauthenticated();
  return mcpCaller;
}

/** Throws `request.forbidden` without the scope (RFC 6750 §3.1). Does not check the device. */
export function requireScope(scope: ApiKeyScope | undefined, caller: Caller): void {
  if (isInScope(scope, caller)) return;
  const challenge = `Bearer realm="svc", error="insufficient_scope", scope="${scope ?? ''}"`;
  throw requestErrors.forbidden({
    headers: { 'www-authenticate': challenge },
    extra: { required_scope: scope },
  });
}

/** Adds the URL of the metadata to the challenge of a 401 or 403 (RFC 9728 §5.1). */
export function withMetadata(error: unknown, { url }: FastifyRequest, baseUrl: string): unknown {
  if (!(error instanceof AppError) || (error.status !== 401 && error.status !== 403)) return error;
  const { status, code, message, extra, cause } = error;
  const challenge =
    error.headers['www-authenticate'] ?? (status === 401 ? 'Bearer realm="svc"' : undefined);
  if (typeof challenge !== 'string') return error;
  const metadata = `resource_metadata="${metadataUrl(baseUrl, hasSlash(url))}"`;
  const scope = challenge.includes('scope=') ? '' : ', scope="analytics:read"';
  const headers = { ...error.headers, 'www-authenticate': `${challenge}, ${metadata}${scope}` };
  return new AppError(status, code, message, { headers, extra, cause });
}
