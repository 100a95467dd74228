import pLimit from 'p-limit';
import type { JobContext } from '../../platform/queues/types.ts';
import type { CommsParts } from './compose.ts';
import { PermanentSendError, type Provider, type Rendered, SendError } from './provider.ts';
import type { QueuedMessage } from './schemas.ts';
import type { Outcome } from './store.ts';
import { renderTemplate } from './templates.ts';

/**
 * Age in ms after which a waiting delivery is queued again, because the process that entered it may
 * have died before queueing it.
 */
export const lostMs = 60_000;

/** The maximum of attempts per message. */
export const maxAttempts = 4;

/** Concurrent sends per process, over all jobs: mail servers limit connections. */
const maxConcurrentSends = 10;

type Failure = SendError | PermanentSendError;

/** For messages queued by a process that had a provider, on one that has none. */
const unconfigured: Provider = {
  name: 'none',
  send: () => Promise.reject(new PermanentSendError('not_configured')),
};

const noClaims = { claimed: new Set<string>(), busy: new Set<string>() };

/** Creates the function that makes one attempt at queued messages. */
export function createDelivery({
  store,
  providers,
  clock,
  logger,
  brand,
}: Pick<CommsParts, 'store' | 'providers' | 'clock' | 'logger' | 'brand'>) {
  const limited = pLimit(maxConcurrentSends);
  return deliver;

  /**
   * Sends the messages, except those that are settled or expired. If some fail, throws a retryable
   * failure, or a permanent one if there is no other. No other process can be sending a young
   * message at its first attempt; all other messages are claimed first.
   */
  async function deliver(
    messages: readonly QueuedMessage[],
    { attempt, isRestarted }: Pick<JobContext, 'attempt' | 'isRestarted'>,
  ): Promise<void> {
    const now = clock.now();
    const live = messages.filter(({ expiresAt }) => now < expiresAt);
    const expired = messages.filter(({ expiresAt }) => now >= expiresAt);
    const contested = live.filter(
      ({ enteredAt }) => attempt > 1 || isRestarted || now >= enteredAt + lostMs / 2,
    );
    const ids = contested.map(({ id }) => id);
    const { claimed, busy } =
      ids.length === 0 ? noClaims : await store.claim(ids, attempt, new Date(now));
    const ours = live.filter((message) => claimed.has(message.id) || !contested.includes(message));
    const results = await Promise.all([
      ...ours.map((message) => send(message, attempt)),
      ...expired.map((message) => expire(message, attempt)),
    ]);
    const failures = results.filter((failure) => failure !== undefined);
    if (busy.size > 0) failures.push(new SendError('busy'));
    const failure = failures.find((each) => each instanceof SendError) ?? failures[0];
    if (failure !== undefined) throw failure;
  }

  /** Sends a message once. Returns the failure, if any. */
  async function send(message: QueuedMessage, attempt: number): Promise<Failure | undefined> {
    const provider = providerOf(message);
    const tried = { attempts: attempt, provider: provider.name };
    try {
      const { reference = null } = await limited(() => provider.send(render(message)));
      await record(message, { ...tried, status: 'sent', reference, errorCode: null });
      return undefined;
    } catch (error) {
      const failure = toFailure(error);
      const isFinal = failure instanceof PermanentSendError || attempt >= maxAttempts;
      const status = isFinal ? 'failed' : 'queued';
      await record(message, { ...tried, status, reference: null, errorCode: failure.code });
      return failure;
    }
  }

  function render({ id, channel, template, params, to, thread }: QueuedMessage): Rendered {
    return { id, channel, to, thread, ...renderTemplate(template, channel, params, brand()) };
  }

  /** Records that the message has expired. */
  async function expire(message: QueuedMessage, attempt: number): Promise<undefined> {
    const provider = providerOf(message).name;
    const none = { reference: null, errorCode: null };
    await record(message, { status: 'expired', attempts: attempt - 1, provider, ...none });
  }

  async function record(
    { id, channel, template }: QueuedMessage,
    outcome: Omit<Outcome, 'id' | 'now'>,
  ): Promise<void> {
    const { status, attempts: attempt, provider, errorCode: error_code } = outcome;
    const fields = { delivery_id: id, channel, template, status, attempt, provider, error_code };
    logger.info(fields, 'message delivery');
    // A failed write must neither cause a second send nor hide the outcome of this one.
    await store.note({ id, ...outcome, now: new Date(clock.now()) }).catch((error: unknown) => {
      logger.error({ err: error, delivery_id: id }, 'the delivery log could not be written');
    });
  }

  function providerOf({ channel }: QueuedMessage): Provider {
    return providers[channel] ?? unconfigured;
  }
}

/** Drops the error's text, which a provider or a bug may have filled with private data. */
function toFailure(error: unknown): Failure {
  if (error instanceof SendError || error instanceof PermanentSendError) return error;
  return new SendError(error instanceof Error ? error.name : 'unknown');
}
