import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { clientKey } from '../../../lib/net/ip.ts';
import { createKeyedSemaphore } from '../../../lib/concurrency/keyed-semaphore.ts';
import { requestErrors, retryAfter } from '../../errors/errors.ts';

/** Maximum number of running and waiting requests of one address (an IPv4 address or IPv6 /64). */
export const concurrencyLimits = {
  light: { running: 32, waiting: 1024 },
  /** Pages (`config.errorPages`, unknown paths): rendering one takes up to a millisecond. */
  page: { running: 8, waiting: 1024 },
  /**
   * Bodies that are compressed, over 16 KiB or of unknown length: reading them takes milliseconds.
   */
  heavy: { running: 3, waiting: 256 },
  /** Routes whose answer takes milliseconds to compute (`config.costly`). */
  costly: { running: 4, waiting: 256 },
  /** Requests of a client to a route that has just refused it. */
  refused: { running: 8, waiting: 1024 },
};

/**
 * A client that was refused with 429 at a route, and asks again there, waits in a lane of its own:
 * refusing at full rate takes no time from others, and none from the client's other requests.
 */
const refusals = {
  /** How long a refusal in that lane counts as running: milliseconds. */
  heldMs: 100,
  /** How long after the last refusal further requests take the lane: milliseconds. */
  rememberedMs: 5000,
  /** The number of remembered clients and routes. */
  max: 20_000,
};

const heavyBytes = 16 * 1024;

function isHeavy({ raw: { headers } }: FastifyRequest): boolean {
  return (
    headers['content-encoding'] !== undefined ||
    headers['transfer-encoding'] !== undefined ||
    Number(headers['content-length'] ?? 0) > heavyBytes
  );
}

type Lane = keyof typeof concurrencyLimits;

function laneOf(request: FastifyRequest): Lane {
  if (isHeavy(request)) return 'heavy';
  const { costly, errorPages } = request.routeOptions.config;
  if (costly === true) return 'costly';
  return errorPages === undefined && !request.is404 ? 'light' : 'page';
}

/**
 * Exempts long-lived connections, which have their own limits, and probes, which are always
 * answered.
 */
function isExempt({ raw, routeOptions: { config } }: FastifyRequest): boolean {
  // Node's parser sets this for a handshake. The header alone proves nothing: any request may have
  // it.
  const isHandshake = 'upgrade' in raw && raw.upgrade === true;
  return isHandshake || config.longLived === true || config.whileClosing === true;
}

/**
 * Creates the function that admits requests. Only a few requests of one address run concurrently,
 * so that one address cannot delay all others, however many connections it opens. Further requests
 * are queued, and answered with 429 when the queue is full. Counted per process, because it
 * protects the event loop of this process.
 */
export function createConcurrencyLimit() {
  const semaphores = {
    light: createKeyedSemaphore(concurrencyLimits.light),
    page: createKeyedSemaphore(concurrencyLimits.page),
    heavy: createKeyedSemaphore(concurrencyLimits.heavy),
    costly: createKeyedSemaphore(concurrencyLimits.costly),
    refused: createKeyedSemaphore(concurrencyLimits.refused),
  };
  const refusedAt = new LRUCache<string, true>({ max: refusals.max, ttl: refusals.rememberedMs });

  return (request: FastifyRequest, reply: FastifyReply, proceed: (error?: Error) => void): void => {
    if (isExempt(request)) {
      proceed();
      return;
    }
    const client = clientKey(request.ip);
    const place = `${client} ${request.method} ${request.routeOptions.url ?? ''}`;
    const lane = laneOf(request);
    const isRefused = lane !== 'heavy' && refusedAt.has(place);
    const semaphore = semaphores[isRefused ? 'refused' : lane];
    let isReleased = false;
    const release = (): void => {
      if (!isReleased) semaphore.release(client);
      isReleased = true;
    };
    const finish = (): void => {
      if (reply.statusCode === 429) refusedAt.set(place, true);
      if (reply.statusCode === 429 && isRefused) setTimeout(release, refusals.heldMs).unref();
      else release();
    };
    const start = (): void => {
      reply.raw.once('finish', finish).once('close', () => {
        if (!reply.raw.writableFinished) release();
      });
      if (!request.raw.socket.destroyed) {
        proceed();
        return;
      }
      // The client has disconnected, so no response is computed.
      release();
      proceed(requestErrors.invalid({ cause: new Error('the client left before its turn came') }));
    };
    if (!semaphore.acquire(client, start)) proceed(requestErrors.rate_limited(retryAfter(1)));
  };
}
