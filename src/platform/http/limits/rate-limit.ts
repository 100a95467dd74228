import fastifyRateLimit from '@fastify/rate-limit';
import type { RateLimitOptions } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import { clientKey } from '../../../lib/net/ip.ts';
import { withTimeout } from '../../../lib/concurrency/with-timeout.ts';
import { credentialOf } from '../requests/credential.ts';
import { requestErrors } from '../../errors/errors.ts';

export interface Limit {
  /** Requests that one client, an IPv4 address or an IPv6 /64, may make in the window. */
  max: number;
  /** Length of the window. */
  seconds: number;
  /** Let requests pass while Redis is away. Without it they are answered 503. */
  failOpen?: boolean;
  /** Routes of one group share their count. */
  group?: string;
  /** As `max`, for requests with a token, which are counted apart. */
  withCredential?: number;
}

// What guards take for none is none here either.
const hasCredential = (request: FastifyRequest): boolean => credentialOf(request) !== undefined;

/** Requests of one client in a window of seconds; with tokens, `max_with_credential`. */
export interface StatedLimit {
  max: number;
  max_with_credential?: number;
  seconds: number;
}

interface StatedOptions extends RateLimitOptions {
  /** What the options say, for the reference. */
  stated: StatedLimit;
}

interface Counter {
  current: number;
  ttl: number;
}

type Script = (key: string, ...args: unknown[]) => Promise<[current: number, ttl: number]>;
type Callback = (error: Error | null, result?: [current: number, ttl: number]) => void;

const namespace = 'rate:';

/** Milliseconds Redis gets to count a request. */
const countingTimeoutMs = 500;

function timedOut(): never {
  throw new Error('Command timed out');
}

const groupMark = ' group ';

/** Removes the path from counters of a group, so that a client has one for all of them. */
function counterKey(key: string): string {
  const at = key.lastIndexOf(groupMark);
  return at < 0
    ? key
    : `${namespace}${key.slice(at + 1)} ${key.slice(key.lastIndexOf('-', at) + 1, at)}`;
}

/** Settings of one route: `config: { rateLimit: limit({ max: 10, seconds: 60 }) }`. */
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
  const apart =
    withCredential === undefined
      ? { max }
      : {
          max: (request: FastifyRequest) => (hasCredential(request) ? withCredential : max),
          keyGenerator: (request: FastifyRequest) =>
            hasCredential(request) ? `${clientKey(request.ip)} credential` : clientKey(request.ip),
        };
  return {
    stated,
    ...apart,
    timeWindow: seconds * 1000,
    skipOnError: failOpen,
    ...(group === undefined ? {} : { groupId: groupMark + group }),
  };
}

const isStated = (options: RateLimitOptions): options is StatedOptions => 'stated' in options;

/** The limit of a route, from its `config.rateLimit`. */
export const statedLimit = (
  options: RateLimitOptions | false | undefined,
): StatedLimit | undefined =>
  options !== undefined && options !== false && isStated(options) ? options.stated : undefined;

/** Clients whose exhausted limits are remembered. */
const maxClients = 20_000;

/**
 * Limits that are used up stay so until their window ends: this process remembers them, so that
 * refusing a client costs no trip to Redis however often it asks.
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
 * The two calls that the rate limiter's Redis store makes. A client that is not connected would
 * keep commands for later, and the request with them; here they fail at once, or at the deadline.
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
          ? withTimeout(script(counter, ...args), countingTimeoutMs, timedOut)
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

function exceeded(_request: unknown, { ttl }: Pick<Counter, 'ttl'>): Error {
  const seconds = Math.max(1, Math.ceil(ttl / 1000));
  return requestErrors.rate_limited({
    headers: { 'retry-after': String(seconds) },
    extra: { retry_after: seconds },
  });
}

/**
 * Counts requests in Redis for the routes that set `config.rateLimit`, and answers 429 with
 * `Retry-After` and the `RateLimit-*` headers (draft-ietf-httpapi-ratelimit-headers) above the
 * limit. Register it before the routes. `enabled: false` lifts all limits.
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
    errorResponseBuilder: exceeded,
  });
}
