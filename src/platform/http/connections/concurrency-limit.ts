import type { FastifyReply, FastifyRequest } from 'fastify';
import { clientKey } from '../../../lib/net/ip.ts';
import { createKeyedSemaphore } from '../../../lib/concurrency/keyed-semaphore.ts';
import { requestErrors } from '../../errors/errors.ts';

/** Concurrent and waiting requests of one address (an IPv4 address, an IPv6 /64). */
export const concurrencyLimits = {
  light: { running: 32, waiting: 1024 },
  /** Bodies compressed, over 16 KiB or of unknown length: they take milliseconds to read. */
  heavy: { running: 3, waiting: 256 },
  /** Requests of routes whose answer takes milliseconds to work out (`config.costly`). */
  costly: { running: 4, waiting: 256 },
};

const heavyBytes = 16 * 1024;

function isHeavy({ raw: { headers } }: FastifyRequest): boolean {
  return (
    headers['content-encoding'] !== undefined ||
    headers['transfer-encoding'] !== undefined ||
    Number(headers['content-length'] ?? 0) > heavyBytes
  );
}

type Weight = keyof typeof concurrencyLimits;

function weightOf(request: FastifyRequest): Weight {
  if (isHeavy(request)) return 'heavy';
  return request.routeOptions.config.costly === true ? 'costly' : 'light';
}

/** What lasts as long as its client likes has limits of its own, and probes are always answered. */
function isExempt({ raw, routeOptions: { config } }: FastifyRequest): boolean {
  // Node's parser says so of a handshake. The header by itself is anybody's, on any request.
  const isHandshake = 'upgrade' in raw && raw.upgrade === true;
  return isHandshake || config.longLived === true || config.whileClosing === true;
}

/**
 * Makes the function that lets requests in: those of one address a few at a time, so that the event
 * loop is never far from the requests of everybody else, however many connections one address
 * opens. The others wait; when too many wait, they are answered 429. Counted in this process,
 * because it is this process that they would slow down.
 */
export function createConcurrencyLimit() {
  const semaphores = {
    light: createKeyedSemaphore(concurrencyLimits.light),
    heavy: createKeyedSemaphore(concurrencyLimits.heavy),
    costly: createKeyedSemaphore(concurrencyLimits.costly),
  };

  return (request: FastifyRequest, reply: FastifyReply, enter: (error?: Error) => void): void => {
    if (isExempt(request)) {
      enter();
      return;
    }
    const semaphore = semaphores[weightOf(request)];
    const client = clientKey(request.ip);
    let isOver = false;
    const leave = (): void => {
      if (!isOver) semaphore.release(client);
      isOver = true;
    };
    const start = (): void => {
      reply.raw.once('close', leave).once('finish', leave);
      if (!request.raw.socket.destroyed) {
        enter();
        return;
      }
      // Nobody is there any more to read an answer, so none is worked out.
      leave();
      enter(requestErrors.invalid({ cause: new Error('the client left before its turn came') }));
    };
    if (!semaphore.acquire(client, start))
      enter(
        requestErrors.rate_limited({ headers: { 'retry-after': '1' }, extra: { retry_after: 1 } }),
      );
  };
}
