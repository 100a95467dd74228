import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../lib/clock.ts';
import { clientKey } from '../../../lib/net/ip.ts';
import { requestErrors, retryAfter } from '../../errors/errors.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Charges a body's decoded bytes to its sender. Throws 429 `request.rate_limited`. */
    chargeBody: (request: FastifyRequest, bytes: number) => void;
  }
}

const mebibyte = 1024 ** 2;

/** Body bytes per minute of one client: size and refill rate of its token bucket. */
export const bodyBytesPerMinute = { open: 64 * mebibyte, keyed: 1024 * mebibyte };

interface Bucket {
  left: number;
  at: number;
}

/**
 * Counts bytes for each client. `take` returns 0 when they are granted, else the seconds to wait.
 */
export function createByteBuckets({ clock, max = 20_000 }: { clock: Clock; max?: number }) {
  const buckets = new LRUCache<string, Bucket>({ max });

  return function take(client: string, bytes: number, perMinute: number): number {
    const now = clock.now();
    const { left: before, at } = buckets.get(client) ?? { left: perMinute, at: now };
    const left = Math.min(perMinute, before + (Math.max(0, now - at) * perMinute) / 60_000);
    const isEnough = left >= Math.min(bytes, perMinute);
    buckets.set(client, { left: isEnough ? left - bytes : left, at: now });
    return isEnough
      ? 0
      : Math.max(1, Math.ceil(((Math.min(bytes, perMinute) - left) * 60) / perMinute));
  };
}

/**
 * Registers `chargeBody`, which limits bodies by their decoded size: a small gzip that expands to a
 * large body costs as much CPU as a large body. The limit protects the CPU of this process, so each
 * process counts for itself. Keys that may write events get sixteen times as much.
 */
export function registerByteRateLimit(
  app: FastifyInstance,
  { clock, enabled }: { clock: Clock; enabled: boolean },
): void {
  const take = createByteBuckets({ clock });
  app.decorate('chargeBody', (request, bytes) => {
    if (!enabled) return;
    const isKeyed = app.mayWriteInBulk(request.principal);
    const client = `${clientKey(request.ip)}${isKeyed ? ' key' : ''}`;
    const seconds = take(
      client,
      bytes,
      isKeyed ? bodyBytesPerMinute.keyed : bodyBytesPerMinute.open,
    );
    if (seconds > 0) throw requestErrors.rate_limited(retryAfter(seconds));
  });
}
