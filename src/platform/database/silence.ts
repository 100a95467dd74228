export interface SilenceDetectorOptions {
  /** Milliseconds without a response on any connection after which the server is probed. */
  silenceMs: number;
  /** Probes the server on a new connection. Never rejects. */
  isReachable: () => Promise<boolean>;
  now?: () => number;
}

interface PendingStatement {
  since: number;
  fail: (error: Error) => void;
}

// Has the fields of a system socket error, so that the start also retries for such a server.
const noAnswer = () =>
  Object.assign(new Error('PostgreSQL gives no answer, not even on a new connection'), {
    code: 'ETIMEDOUT',
    syscall: 'read',
  });

/**
 * Detects a server that has stopped answering on all connections and probes it. If the probe
 * succeeds, the statements are only slow and continue; if not, all of them fail together instead of
 * each at its own timeout.
 */
export function createSilenceDetector({
  silenceMs,
  isReachable,
  now = () => performance.now(),
}: SilenceDetectorOptions) {
  const pendingStatements = new Set<PendingStatement>();
  let heardAt = now();
  let timer: NodeJS.Timeout | undefined;
  let isProbing = false;

  /** When the current silence began; undefined while no statement is waiting. */
  function silentSince(): number | undefined {
    // A set iterates in insertion order.
    const [oldest] = pendingStatements;
    return oldest === undefined ? undefined : Math.max(oldest.since, heardAt);
  }

  function watch(): void {
    const since = silentSince();
    if (since === undefined || timer !== undefined || isProbing) return;
    timer = setTimeout(() => void check(), Math.max(0, since + silenceMs - now()));
    timer.unref();
  }

  async function check(): Promise<void> {
    timer = undefined;
    const since = silentSince();
    if (since !== undefined && now() - since >= silenceMs) await probe();
    watch();
  }

  async function probe(): Promise<void> {
    const probedAt = now();
    isProbing = true;
    const hasAnswered = await isReachable();
    isProbing = false;
    if (hasAnswered) heardAt = now();
    else if (heardAt < probedAt) for (const { fail } of pendingStatements) fail(noAnswer());
  }

  return {
    /** The server sent a response. */
    heard(): void {
      heardAt = now();
    },

    /** Settles with `answer`. Rejects earlier when the server is found to be silent. */
    async watched<T>(answer: Promise<T>): Promise<T> {
      return new Promise((resolve, reject) => {
        const statement = { since: now(), fail: reject };
        pendingStatements.add(statement);
        watch();
        answer.finally(() => pendingStatements.delete(statement)).then(resolve, reject);
      });
    },
  };
}

export type SilenceDetector = ReturnType<typeof createSilenceDetector>;
