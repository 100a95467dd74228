import { isIP } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Development } from '../../platform/process/development.ts';
import { AppError, requestErrors } from '../../platform/errors/errors.ts';
import type { ApiKeyScope } from '../../lib/access.ts';
import { isLoopbackHost } from '../../platform/http/local-request.ts';
import { requesterOf } from '../../platform/http/requester.ts';
import type { Guard } from '../../platform/http/scopes.ts';
import type { Guards } from '../../areas/auth/guards.ts';
import { type Caller, isInScope } from './caller.ts';
import { mcpErrors } from './errors.ts';
import { hasSlash, metadataUrl } from './metadata.ts';

export interface AuthorizationDeps {
  guards: Pick<Guards, 'optional' | 'isOwnOrigin'>;
  /** The guard of what needs a cleared device. */
  clearedDevice: Guard;
  /** Public URL of the service, without a slash at its end. */
  baseUrl: string;
  /** True for requests of the conformance suite, which has no credential. */
  allowsAnonymous: Development['allows'];
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the entrance of the Model Context Protocol. */
    mcpCaller: Caller | undefined;
  }
}

/** An address can't be rebound: only names can lead elsewhere than where the page believes. */
const isAddress = (host: string): boolean => isIP(host.replace(/^\[(.*)\]$/, '$1')) !== 0;

/** Who may send messages: a key or token in the header, from no page of another site. Cookies are not looked at. */
export function createAuthorization({
  guards,
  clearedDevice,
  baseUrl,
  allowsAnonymous,
}: AuthorizationDeps) {
  const ownName = new URL(baseUrl).hostname;
  const identify = guards.optional();

  function refuseRebinding(request: FastifyRequest): void {
    // With DNS rebinding (a name of a page that comes to lead to this machine) Origin and Host agree, but with nothing of ours.
    if (
      request.hostname !== ownName &&
      !isLoopbackHost(request.host) &&
      !isAddress(request.hostname)
    )
      throw mcpErrors.bad_host();
    if (request.headers.origin !== undefined && !guards.isOwnOrigin(request))
      throw mcpErrors.bad_origin();
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

  return {
    /** Throws `mcp.bad_host`, `mcp.bad_origin`, `request.unauthenticated`, and what the guards of REST throw. */
    guard: async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      refuseRebinding(request);
      await identify(request);
      if (request.principal === undefined && !allowsAnonymous(request))
        throw requestErrors.unauthenticated();
      request.mcpCaller = {
        principal: request.principal,
        notCleared: await deviceRefusal(request, reply),
        address: request.ip,
        requestId: request.id,
        questioner: requesterOf(request, reply),
      };
    },

    callerOf({ mcpCaller }: FastifyRequest): Caller {
      if (mcpCaller === undefined) throw requestErrors.unauthenticated();
      return mcpCaller;
    },

    /** Throws `request.forbidden` where the scope is missing (RFC 6750 §3.1). A device that is not cleared is told of by the tool. */
    requireScope(scope: ApiKeyScope | undefined, caller: Caller): void {
      if (isInScope(scope, caller)) return;
      throw requestErrors.forbidden({
        headers: {
          'www-authenticate': `Bearer realm="svc", error="insufficient_scope", scope="${scope ?? ''}"`,
        },
        extra: { required_scope: scope },
      });
    },

    /** The same error, whose challenge says where the metadata are (RFC 9728 §5.1). */
    withMetadata(error: unknown, { url }: FastifyRequest): unknown {
      if (!(error instanceof AppError) || (error.status !== 401 && error.status !== 403))
        return error;
      const challenge =
        error.headers['www-authenticate'] ??
        (error.status === 401 ? 'Bearer realm="svc"' : undefined);
      if (typeof challenge !== 'string') return error;
      const scope = challenge.includes('scope=') ? '' : ', scope="analytics:read"';
      const headers = {
        ...error.headers,
        'www-authenticate': `${challenge}, resource_metadata="${metadataUrl(baseUrl, hasSlash(url))}"${scope}`,
      };
      return new AppError(error.status, error.code, error.message, {
        headers,
        extra: error.extra,
        cause: error.cause,
      });
    },
  };
}

export type Authorization = ReturnType<typeof createAuthorization>;
