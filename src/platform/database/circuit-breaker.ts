/** Milliseconds that the circuit stays open after a failed connection. */
const pauseMs = 500;

/**
 * Remembers that the server is unreachable, so that requests fail at once instead of each waiting
 * for its own connection timeout. After half a second one request may probe the server; the others
 * may follow once it has got a response.
 */
export function createCircuitBreaker(now: () => number = () => performance.now()) {
  let openUntil: number | undefined;
  let isProbing = false;

  return {
    /**
     * True when the caller may connect. It must then report the outcome by one of the calls below.
     */
    mayTry(): boolean {
      if (openUntil === undefined) return true;
      if (isProbing || now() < openUntil) return false;
      isProbing = true;
      return true;
    },

    /** The server did not answer. */
    failed(): void {
      openUntil = now() + pauseMs;
      isProbing = false;
    },

    /** The server answered, even if with an error. */
    succeeded(): void {
      openUntil = undefined;
      isProbing = false;
    },

    /** The permitted caller gave up before it reached the server: another caller may probe. */
    abandoned(): void {
      isProbing = false;
    },
  };
}

export type CircuitBreaker = ReturnType<typeof createCircuitBreaker>;
