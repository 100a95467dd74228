import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { z } from 'zod';
import { clientKey } from '../../lib/net/ip.ts';
import type { Seal } from '../../lib/secrets/seal.ts';
import { sha256Hex } from '../../lib/secrets/secrets.ts';
import { requestErrors } from '../errors/errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True for routes that accept an `Idempotency-Key`. */
    isIdempotent?: boolean;
  }
  interface FastifyRequest {
    /** The first request with an `Idempotency-Key`, whose response is kept. */
    idempotentRecord: IdempotentRecord | undefined;
  }
}

interface IdempotentRecord {
  owner: 'known' | 'anonymous';
  redisKey: string;
  fingerprint: string;
}

export interface IdempotencyDeps {
  redis: Redis;
  /** Responses can hold secrets, so that they are stored encrypted. */
  seal: Seal;
  logger: Logger;
}

/** How long a request may run before its key is free again, should the process die: seconds. */
const leaseSeconds = 60;
/** How long a response is kept, in seconds; shorter for clients that anybody can be. */
const keptSeconds = { known: 24 * 60 * 60, anonymous: 60 * 60 };
const maxKeptChars = { known: 256 * 1024, anonymous: 4096 };

const keyPattern = /^[\x21-\x7e]{1,255}$/;
const quotedPattern = /^"((?:[^"\\]|\\["\\])*)"$/;
const changes = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

const StoredResponse = z.object({ status: z.int(), type: z.string(), body: z.string() });
type StoredResponse = z.output<typeof StoredResponse>;

/** Reads the header: a string in quotes (RFC 8941 §3.3.3), or without them as most clients send. */
function readKey(header: string | string[]): string {
  const text = String(header);
  const [, quoted] = quotedPattern.exec(text) ?? [];
  const key = quoted?.replace(/\\(["\\])/g, '$1') ?? text;
  // A quote that does not close is more likely a mistake than a part of the key.
  const isBroken = quoted === undefined && text.includes('"');
  if (isBroken || !keyPattern.test(key)) throw requestErrors.idempotency_key_invalid();
  return key;
}

const ownerOf = ({ principal, ip }: FastifyRequest): string =>
  principal === undefined ? `address ${clientKey(ip)}` : `${principal.kind} ${principal.id}`;

const digestOf = (body: unknown): string =>
  Buffer.isBuffer(body) ? sha256Hex(body) : JSON.stringify(body ?? null);

function recordOf(request: FastifyRequest, key: string): IdempotentRecord {
  const { method, url, body, principal } = request;
  return {
    owner: principal === undefined ? 'anonymous' : 'known',
    redisKey: `idempotency:${sha256Hex(`${ownerOf(request)}\n${key}`)}`,
    fingerprint: sha256Hex(`${method} ${url}\n${digestOf(body)}`),
  };
}

/**
 * Returns undefined for the first request with its key, otherwise its kept response. Throws
 * `request.idempotency_key_reused`, `.idempotency_in_progress`.
 */
function createClaims({ redis, seal }: IdempotencyDeps) {
  return async ({
    redisKey,
    fingerprint,
  }: IdempotentRecord): Promise<StoredResponse | undefined> => {
    const isFirst = await redis.set(redisKey, fingerprint, 'EX', leaseSeconds, 'NX');
    if (isFirst !== null) return undefined;
    const [stored = '', sealed] = ((await redis.get(redisKey)) ?? '').split(' ');
    if (stored !== '' && stored !== fingerprint) throw requestErrors.idempotency_key_reused();
    const text = sealed === undefined ? undefined : seal.open(sealed);
    if (text === undefined)
      throw requestErrors.idempotency_in_progress({ headers: { 'retry-after': '1' } });
    return StoredResponse.parse(JSON.parse(text));
  };
}

/** Responses that a retry should not get again: failures, limits, and a missing or old sign-in. */
const isPassing = (status: number): boolean => status >= 500 || [401, 403, 429].includes(status);

function createResponseStore({ redis, seal, logger }: IdempotencyDeps) {
  return async (
    { owner, redisKey, fingerprint }: IdempotentRecord,
    reply: FastifyReply,
    payload: unknown,
  ): Promise<void> => {
    const { statusCode: status } = reply;
    try {
      const isKept = typeof payload === 'string' && payload.length <= maxKeptChars[owner];
      if (!isKept || isPassing(status)) {
        await redis.del(redisKey);
        return;
      }
      const type = String(reply.getHeader('content-type') ?? 'application/json');
      const sealed = seal.seal(JSON.stringify({ status, type, body: payload }));
      await redis.set(redisKey, `${fingerprint} ${sealed}`, 'EX', keptSeconds[owner]);
    } catch (error) {
      // The change is made, so that the client gets its response; a retry is refused for a minute.
      logger.warn({ err: error, request_id: reply.request.id }, 'a response was not kept');
    }
  };
}

/**
 * Returns a function that makes the routes of a scope accept `Idempotency-Key`
 * (draft-ietf-httpapi-idempotency-key-header-07): a repeated request gets the first response again,
 * for 24 hours, or for one hour without signing in. A key belongs to its principal or address.
 * Without Redis, requests with a key are
 * answered with 503 and change nothing. Should the process die between a change and its response,
 * the key is free again after a minute.
 */
export function createIdempotency(deps: IdempotencyDeps) {
  const claim = createClaims(deps);
  const keep = createResponseStore(deps);

  return (scope: FastifyInstance): void => {
    scope.addHook('onRoute', (route) => {
      if (![route.method].flat().some((method) => changes.has(method))) return;
      const codes = ['key_invalid', 'key_reused', 'in_progress'];
      route.config = {
        ...route.config,
        isIdempotent: true,
        errors: [
          ...(route.config?.errors ?? []),
          ...codes.map((code) => `request.idempotency_${code}`),
        ],
      };
    });
    scope.addHook('preHandler', async (request, reply) => {
      const header = request.headers['idempotency-key'];
      if (header === undefined || request.routeOptions.config.isIdempotent !== true) return;
      const record = recordOf(request, readKey(header));
      const kept = await claim(record);
      if (kept === undefined) {
        request.idempotentRecord = record;
        return;
      }
      void reply.header('idempotency-replayed', 'true').type(kept.type);
      await reply.code(kept.status).send(kept.body);
    });
    scope.addHook('onSend', async (request, reply, payload) => {
      if (request.idempotentRecord !== undefined)
        await keep(request.idempotentRecord, reply, payload);
      return payload;
    });
  };
}
