import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { z } from 'zod';

/** A name, and what it is about, such as a user's id. */
const Signal = z.object({ name: z.string(), subject: z.string() });

/**
 * Something about a person's sessions, roles or devices has changed, or an API key was revoked. The
 * subject is the id of the user or key.
 */
export const identitySignal = 'identity';

/** Called with the subject; with undefined when signals may have been missed: check everything. */
export type SignalHandler = (subject: string | undefined) => void;

/** Undefined for anything else: topics are open to everything that shares the Redis. */
function parseSignal(text: string): z.output<typeof Signal> | undefined {
  try {
    return Signal.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Notes between replicas, which nobody keeps: whoever depends on them also checks at intervals. */
export function createSignals({
  redis,
  topic,
  logger,
}: {
  redis: Redis;
  topic: string;
  logger: Logger;
}) {
  const handlers = new Map<string, Set<SignalHandler>>();

  function tell(name: string, subject: string | undefined): void {
    for (const handler of handlers.get(name) ?? []) handler(subject);
  }

  return {
    topic,

    /** Tells this replica at once and the others over Redis. */
    send(name: string, subject: string): void {
      tell(name, subject);
      redis
        .publish(topic, JSON.stringify({ name, subject } satisfies z.input<typeof Signal>))
        .catch((error: unknown) =>
          logger.warn({ err: error, signal: name }, 'other replicas could not be told'),
        );
    },

    on(name: string, handler: SignalHandler): void {
      handlers.set(name, (handlers.get(name) ?? new Set()).add(handler));
    },

    receive(text: string): void {
      const signal = parseSignal(text);
      if (signal !== undefined) tell(signal.name, signal.subject);
    },

    /** Signals may have been missed. */
    reportGap: (): void => {
      for (const name of handlers.keys()) tell(name, undefined);
    },
  };
}

export type Signals = ReturnType<typeof createSignals>;
