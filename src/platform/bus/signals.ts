import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { z } from 'zod';

/** The name of a signal and its subject, such as a user's id. */
const Signal = z.object({ name: z.string(), subject: z.string() });

/**
 * A user's sessions, roles or devices have changed, or an API key was revoked. The subject is the
 * id of the user or key.
 */
export const identitySignal = 'identity';

/** Called with the subject, or with undefined when signals may have been lost: check everything. */
export type SignalHandler = (subject: string | undefined) => void;

/** Returns undefined for invalid text: any client of the same Redis can publish to the topic. */
function parseSignal(text: string): z.output<typeof Signal> | undefined {
  try {
    return Signal.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Fire-and-forget messages between replicas. A handler must also poll, as a signal can be lost. */
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

  return { topic, send, on, receive, reportGap };

  /** Sends a signal to this replica at once and to the others over Redis. */
  function send(name: string, subject: string): void {
    dispatch(name, subject);
    redis
      .publish(topic, JSON.stringify({ name, subject } satisfies z.input<typeof Signal>))
      .catch((error: unknown) =>
        logger.warn({ err: error, signal: name }, 'other replicas could not be notified'),
      );
  }

  function on(name: string, handler: SignalHandler): void {
    handlers.set(name, (handlers.get(name) ?? new Set()).add(handler));
  }

  function receive(text: string): void {
    const signal = parseSignal(text);
    if (signal !== undefined) dispatch(signal.name, signal.subject);
  }

  /** Calls every handler with undefined: signals may have been lost. */
  function reportGap(): void {
    for (const name of handlers.keys()) dispatch(name, undefined);
  }

  function dispatch(name: string, subject: string | undefined): void {
    for (const handler of handlers.get(name) ?? []) handler(subject);
  }
}
