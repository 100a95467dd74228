/** How long the server counts as away after it could not be reached. */
const pauseMs = 500;

/**
 * Remembers that a server could not be reached, so that requests don't queue up to find that out
 * one by one: for half a second nobody tries, then one does, and the others follow once it got an
 * answer.
 */
export function createCircuitBreaker(now: () => number = () => performance.now()) {
  let openUntil: number | undefined;
  let isTrying = false;

  return {
    /** Whether to go and ask the server. Whoever is let through says what came of it. */
    mayTry(): boolean {
      if (openUntil === undefined) return true;
      if (isTrying || now() < openUntil) return false;
      isTrying = true;
      return true;
    },

    /** It gave no answer. */
    failed(): void {
      openUntil = now() + pauseMs;
      isTrying = false;
    },

    /** It answered, if only with a refusal. */
    succeeded(): void {
      openUntil = undefined;
      isTrying = false;
    },

    /** Whoever was let through did not come to ask: somebody else may. */
    abandoned(): void {
      isTrying = false;
    },
  };
}

export type CircuitBreaker = ReturnType<typeof createCircuitBreaker>;
