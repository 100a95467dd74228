import fastifyRateLimit from '@fastify/rate-limit';
import type { RateLimitOptions } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import { clientKey } from '../../../lib/net/ip.ts';
import { withTimeout } from '../../../lib/concurrency/with-timeout.ts';
import { credentialOf } from '../requests/credential.ts';
import { requestErrors, retryAfter } from '../../errors/errors.ts';

export interface Limit {
  /** Maximum number of requests of one client, an IPv4 address or an IPv6 /64, in the window. */
  max: number;
  /** Length of the window in seconds. */
  seconds: number;
  /** Allows requests while Redis is unavailable. Otherwise they are answered with 503. */
  failOpen?: boolean;
  /** Routes of the same group share one counter. */
  group?: string;
  /** Like `max`, for requests with a token, which are counted separately. */
  withCredential?: number;
}

// The same rule as in the guards: what they ignore is no credential here either.
const hasCredential = (request: FastifyRequest): boolean => credentialOf(request) !== undefined;

/** The documented limit of a route: requests of one client in a window of seconds. */
export interface StatedLimit {
  max: number;
  max_with_credential?: number;
  seconds: number;
}

export interface StatedOptions extends RateLimitOptions {
  /** The limit, for the API reference. */
  stated: StatedLimit;
}

interface Counter {
  current: number;
  ttl: number;
}

type Script = (key: string, ...args: unknown[]) => Promise<[current: number, ttl: number]>;
type Callback = (error: Error | null, result?: [current: number, ttl: number]) => void;

const namespace = 'rate:';

/** Timeout for counting a request in Redis, in milliseconds. */
const countTimeoutMs = 500;

function throwTimeout(): never {
  throw new Error('Command timed out');
}

const groupMark = ' group ';

/** Removes the path from the counter keys of a group, so that its routes share one counter. */
function counterKey(key: string): string {
  const at = key.lastIndexOf(groupMark);
  return at < 0
    ? key
    : `${namespace}${key.slice(at + 1)} ${key.slice(key.lastIndexOf('-', at) + 1, at)}`;
}

/** The rate limit of a route: `config: { rateLimit: limit({ max: 10, seconds: 60 }) }`. */
export function limit({
  max,
  seconds,
  failOpen = false,
  group,
  withCredential,
}: Limit): StatedOptions {
  const stated = {
    max,
    seconds,
    ...(withCredential === undefined ? {} : { max_with_credential: withCredential }),
  };
  const limits =
    withCredential === undefined
      ? { max }
      : {
          max: (request: FastifyRequest) => (hasCredential(request) ? withCredential : max),
          keyGenerator: (request: FastifyRequest) =>
            hasCredential(request) ? `${clientKey(request.ip)} credential` : clientKey(request.ip),
        };
  return {
    stated,
    ...limits,
    timeWindow: seconds * 1000,
    skipOnError: failOpen,
    ...(group === undefined ? {} : { groupId: groupMark + group }),
  };
}

const isStated = (options: RateLimitOptions): options is StatedOptions => 'stated' in options;

/** Returns the documented limit of a route from its `config.rateLimit`. */
export const statedLimit = (
  options: RateLimitOptions | false | undefined,
): StatedLimit | undefined =>
  options !== undefined && options !== false && isStated(options) ? options.stated : undefined;

/** Maximum number of remembered exhausted limits. */
const maxClients = 20_000;

/**
 * Remembers exhausted limits until their window ends, so that refusing a client costs no round trip
 * to Redis.
 */
function createExhausted() {
  const windows = new LRUCache<string, { current: number; endsAt: number }>({
    max: maxClients,
  });
  return {
    find(key: string): [current: number, ttl: number] | undefined {
      const window = windows.get(key);
      if (window === undefined) return undefined;
      const left = window.endsAt - performance.now();
      return left > 0 ? [window.current, Math.ceil(left)] : undefined;
    },
    note(key: string, max: unknown, [current, ttl]: [current: number, ttl: number]): void {
      if (ttl > 0 && current > Number(max))
        windows.set(key, { current, endsAt: performance.now() + ttl });
    },
  };
}

/**
 * A Redis client with the two calls that the rate limiter's store makes. A plain client would queue
 * commands while disconnected and delay the request; here they fail at once, or after the timeout.
 */
function createCounterClient(redis: Redis): Record<string, unknown> {
  const client: Record<string, unknown> = {};
  const exhausted = createExhausted();
  client.defineCommand = (name: string, definition: { numberOfKeys: number; lua: string }) => {
    redis.defineCommand(name, definition);
    const script = (Reflect.get(redis, name) as Script).bind(redis);
    client[name] = (key: string, ...args: unknown[]) => {
      const done = args.pop() as Callback;
      const counter = counterKey(key);
      const known = exhausted.find(counter);
      if (known !== undefined) {
        done(null, known);
        return;
      }
      const count =
        redis.status === 'ready'
          ? withTimeout(script(counter, ...args), countTimeoutMs, throwTimeout)
          : Promise.reject(new Error('Connection is closed.'));
      count.then(
        (result) => {
          exhausted.note(counter, args[1], result);
          done(null, result);
        },
        (cause: unknown) => done(requestErrors.unavailable({ cause })),
      );
    };
  };
  return client;
}

function limitError(_request: unknown, { ttl }: Pick<Counter, 'ttl'>): Error {
  const seconds = Math.max(1, Math.ceil(ttl / 1000));
  return requestErrors.rate_limited(retryAfter(seconds));
}

/**
 * Counts requests in Redis for the routes that set `config.rateLimit`. Above the limit it answers
 * 429 with `Retry-After` and the `RateLimit-*` headers (draft-ietf-httpapi-ratelimit-headers).
 * Register it before the routes. `enabled: false` disables all limits.
 */
export async function rateLimit(
  app: FastifyInstance,
  { redis, enabled }: { redis: Redis; enabled: boolean },
): Promise<void> {
  if (!enabled) return;
  await app.register(fastifyRateLimit, {
    global: false,
    enableDraftSpec: true,
    redis: createCounterClient(redis),
    nameSpace: namespace,
    keyGenerator: (request) => clientKey(request.ip),
    errorResponseBuilder: limitError,
  });
}
