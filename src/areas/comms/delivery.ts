import type { Logger } from 'pino';
import type { Clock } from '../../lib/clock.ts';
import { PermanentSendError, SendError } from './provider.ts';
import type { Providers } from './providers.ts';
import type { QueuedMessage } from './schemas.ts';
import type { DeliveryStore, Outcome } from './store.ts';

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
  send: (): Promise<{ reference?: string }> => Promise.reject(new PermanentSendError('not_configured')),
};

/** The failure without what a provider, or a mistake of ours, may have put into the error's text. */
function asFailure(error: unknown): SendError | PermanentSendError {
  if (error instanceof SendError || error instanceof PermanentSendError) return error;
  return new SendError(error instanceof Error ? error.name : 'unknown');
}

/** Makes the function that carries out one attempt at a queued message. */
export function createDelivery({ store, providers, clock, logger, attempts }: DeliveryOptions) {
  async function note({ id, channel, template }: QueuedMessage, outcome: Omit<Outcome, 'now'>): Promise<void> {
    const { status, attempts: attempt, provider, errorCode } = outcome;
    const facts = { delivery_id: id, channel, template, status, attempt, provider, error_code: errorCode };
    logger.info(facts, 'message delivery');
    // The attempt is over: a log that can't be written must neither send the message again nor hide why it failed.
    await store.note(id, { ...outcome, now: new Date(clock.now()) }).catch((error: unknown) => {
      logger.error({ err: error, delivery_id: id }, 'the delivery log could not be written');
    });
  }

  async function noteFailure(message: QueuedMessage, provider: string, failure: SendError | PermanentSendError, attempt: number): Promise<void> {
    const isOver = failure instanceof PermanentSendError || attempt >= attempts;
    await note(message, { status: isOver ? 'failed' : 'queued', attempts: attempt, provider, reference: null, errorCode: failure.code });
  }

  /** Sends the message unless that is settled or its time is over. Throws a failure when it should be, or can't be, tried again. */
  return async (message: QueuedMessage, attempt: number): Promise<void> => {
    if ((await store.status(message.id)) !== 'queued') return;
    const { name, send } = providers[message.channel] ?? unconfigured;
    if (clock.now() >= message.expiresAt) {
      await note(message, { status: 'expired', attempts: attempt - 1, provider: name, reference: null, errorCode: null });
      return;
    }
    try {
      const { reference = null } = await send(message);
      await note(message, { status: 'sent', attempts: attempt, provider: name, reference, errorCode: null });
    } catch (error) {
      const failure = asFailure(error);
      await noteFailure(message, name, failure, attempt);
      throw failure;
    }
  };
}
