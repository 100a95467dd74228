export interface SilenceDetectorOptions {
  /** How long the server may say nothing to anybody before it is asked. Milliseconds. */
  silenceMs: number;
  /** Asks the server on a connection of its own whether it is there. Never rejects. */
  isReachable: () => Promise<boolean>;
  now?: () => number;
}

interface UnderWay {
  since: number;
  giveUp: (error: Error) => void;
}

// As the system says it of a socket, so that a start also waits for such a server.
const noAnswer = () =>
  Object.assign(new Error('PostgreSQL gives no answer, not even on a new connection'), {
    code: 'ETIMEDOUT',
    syscall: 'read',
  });

/**
 * Notices that a server is silent to everybody. It is asked then whether it is there: if so, its
 * statements are slow and go on; if not, all of them are given up together instead of each at its
 * own time limit.
 */
export function createSilenceDetector({
  silenceMs,
  isReachable,
  now = () => performance.now(),
}: SilenceDetectorOptions) {
  const underWay = new Set<UnderWay>();
  let heardAt = now();
  let timer: NodeJS.Timeout | undefined;
  let isAsking = false;

  /** Since when somebody waits and nobody has heard anything; undefined when nobody waits. */
  function silentSince(): number | undefined {
    // A set gives its oldest member first.
    const [oldest] = underWay;
    return oldest === undefined ? undefined : Math.max(oldest.since, heardAt);
  }

  function watch(): void {
    const since = silentSince();
    if (since === undefined || timer !== undefined || isAsking) return;
    timer = setTimeout(() => void check(), Math.max(0, since + silenceMs - now()));
    timer.unref();
  }

  async function check(): Promise<void> {
    timer = undefined;
    const since = silentSince();
    if (since !== undefined && now() - since >= silenceMs) await askServer();
    watch();
  }

  async function askServer(): Promise<void> {
    const askedAt = now();
    isAsking = true;
    const isAnswered = await isReachable();
    isAsking = false;
    if (isAnswered) heardAt = now();
    else if (heardAt < askedAt) for (const { giveUp } of underWay) giveUp(noAnswer());
  }

  return {
    /** The server said something. */
    heard(): void {
      heardAt = now();
    },

    /** Passes an answer on. Rejects when the server is found to be silent before it comes. */
    async watched<T>(answer: Promise<T>): Promise<T> {
      return new Promise((resolve, reject) => {
        const statement = { since: now(), giveUp: reject };
        underWay.add(statement);
        watch();
        answer.finally(() => underWay.delete(statement)).then(resolve, reject);
      });
    },
  };
}

export type SilenceDetector = ReturnType<typeof createSilenceDetector>;
