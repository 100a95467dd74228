import pLimit from 'p-limit';
import type { Logger } from 'pino';
import type { Clock } from '../../lib/clock.ts';
import type { JobContext } from '../../platform/queues/types.ts';
import { PermanentSendError, SendError } from './provider.ts';
import type { Providers } from './providers.ts';
import type { QueuedMessage } from './schemas.ts';
import type { DeliveryStore, Outcome } from './store.ts';

/** After this long a delivery that still waits is queued once more: the process that entered it may have died before it did. */
export const lostMs = 60_000;

export interface DeliveryOptions {
  store: DeliveryStore;
  providers: Providers;
  clock: Clock;
  logger: Logger;
  /** How often a message is tried in all. */
  attempts: number;
}

/** For messages that were queued by a process that had a provider. */
const unconfigured = {
  name: 'none',
  send: (): Promise<{ reference?: string }> =>
    Promise.reject(new PermanentSendError('not_configured')),
};

/** Messages that one process hands over at a time, whatever its jobs hold: mail servers refuse more connections. */
const sendsAtOnce = 10;

const nothing = { claimed: new Set<string>(), busy: new Set<string>() };

/** The failure without what a provider, or a mistake of ours, may have put into the error's text. */
function asFailure(error: unknown): SendError | PermanentSendError {
  if (error instanceof SendError || error instanceof PermanentSendError) return error;
  return new SendError(error instanceof Error ? error.name : 'unknown');
}

/** Makes the function that carries out one attempt at queued messages. */
export function createDelivery({ store, providers, clock, logger, attempts }: DeliveryOptions) {
  const limit = pLimit(sendsAtOnce);

  async function note(
    { id, channel, template }: QueuedMessage,
    outcome: Omit<Outcome, 'id' | 'now'>,
  ): Promise<void> {
    const { status, attempts: attempt, provider, errorCode } = outcome;
    const facts = {
      delivery_id: id,
      channel,
      template,
      status,
      attempt,
      provider,
      error_code: errorCode,
    };
    logger.info(facts, 'message delivery');
    // The attempt is over: a log that can't be written must neither send the message again nor hide why it failed.
    await store.note({ id, ...outcome, now: new Date(clock.now()) }).catch((error: unknown) => {
      logger.error({ err: error, delivery_id: id }, 'the delivery log could not be written');
    });
  }

  async function noteFailure(
    message: QueuedMessage,
    provider: string,
    failure: SendError | PermanentSendError,
    attempt: number,
  ): Promise<void> {
    const isOver = failure instanceof PermanentSendError || attempt >= attempts;
    await note(message, {
      status: isOver ? 'failed' : 'queued',
      attempts: attempt,
      provider,
      reference: null,
      errorCode: failure.code,
    });
  }

  async function expire(message: QueuedMessage, attempt: number): Promise<undefined> {
    const { name } = providers[message.channel] ?? unconfigured;
    await note(message, {
      status: 'expired',
      attempts: attempt - 1,
      provider: name,
      reference: null,
      errorCode: null,
    });
  }

  /** Gives the failure, if it was one. */
  async function sendOne(
    message: QueuedMessage,
    attempt: number,
  ): Promise<SendError | PermanentSendError | undefined> {
    const { name, send } = providers[message.channel] ?? unconfigured;
    try {
      const { reference = null } = await limit(() => send(message));
      await note(message, {
        status: 'sent',
        attempts: attempt,
        provider: name,
        reference,
        errorCode: null,
      });
      return undefined;
    } catch (error) {
      const failure = asFailure(error);
      await noteFailure(message, name, failure, attempt);
      return failure;
    }
  }

  /**
   * Sends the messages, except those that are settled or whose time is over. Throws a failure when one should be tried
   * again, or, if there is none such, when one can't be. At the first try of a young message nobody else can be at it;
   * any other is claimed.
   */
  return async (
    messages: readonly QueuedMessage[],
    { attempt, isRestarted }: Pick<JobContext, 'attempt' | 'isRestarted'>,
  ): Promise<void> => {
    const now = clock.now();
    const [live, late] = [
      messages.filter(({ expiresAt }) => now < expiresAt),
      messages.filter(({ expiresAt }) => now >= expiresAt),
    ];
    const doubtful = live.filter(
      ({ enteredAt }) => attempt > 1 || isRestarted || now >= enteredAt + lostMs / 2,
    );
    const { claimed, busy } =
      doubtful.length === 0
        ? nothing
        : await store.claim(
            doubtful.map(({ id }) => id),
            attempt,
            new Date(now),
          );
    const ours = live.filter((message) => claimed.has(message.id) || !doubtful.includes(message));
    const results = await Promise.all([
      ...ours.map((message) => sendOne(message, attempt)),
      ...late.map((message) => expire(message, attempt)),
    ]);
    const failures = results.filter((failure) => failure !== undefined);
    const again =
      failures.find((failure) => failure instanceof SendError) ??
      (busy.size > 0 ? new SendError('busy') : undefined);
    const failure = again ?? failures[0];
    if (failure !== undefined) throw failure;
  };
}
