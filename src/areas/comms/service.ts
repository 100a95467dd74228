import { createHmac } from 'node:crypto';
import { uuidv7 } from '../../lib/ids.ts';
import { createSeal, type Seal } from '../../lib/secrets/seal.ts';
import { createBatcher } from '../../platform/database/batcher.ts';
import { PermanentJobError } from '../../platform/queues/permanent-job-error.ts';
import type { CommsParts } from './compose.ts';
import { createDelivery, lostMs, maxAttempts } from './delivery.ts';
import { commsErrors } from './errors.ts';
import type { Channel } from './provider.ts';
import {
  MailThread,
  type QueuedMessage,
  QueuedMessages,
  recipients,
  SealedMessages,
} from './schemas.ts';
import type {
  DeliveryCount,
  DeliveryStatus,
  EnteredDelivery,
  LoggedDelivery,
  NewDelivery,
} from './store.ts';
import { type TemplateName, templateParams, type TemplateParams } from './templates/params.ts';

export interface Message<Name extends TemplateName = TemplateName> {
  channel: Channel;
  /** An E.164 number or an email address. */
  to: string;
  template: Name;
  params: TemplateParams[Name];
  /** Which of the messages of this template it is, for the log: `device_removed`. */
  about?: string;
  /** Idempotency key: one delivery per key, for as long as the log is kept (30 days). */
  key: string;
  /** Unix ms after which the message is not sent anymore. */
  expiresAt: number;
  /** For an email of a conversation. */
  thread?: MailThread;
}

const maxPerJob = 20;

/** A message to be queued, and its record in the delivery log. */
interface Queued {
  delivery: NewDelivery;
  message: QueuedMessage;
}

/**
 * Short messages by SMS and email, sent by jobs. A message is queued sealed, so that Redis never
 * holds a recipient or code in plain text.
 */
export function createMessages(parts: CommsParts) {
  const { queues, providers, keys, clock, store } = parts;
  const seal = createSeal(keys('comms'));
  const deliver = createDelivery(parts);
  const job = queues.defineJob({
    name: 'comms-delivery',
    schema: SealedMessages,
    options: { attempts: maxAttempts, concurrency: 10, keepDone: false },
    process: ({ sealed }, context) => deliver(openMessages(seal, sealed), context),
  });
  // Concurrent messages share a job.
  const batches = createBatcher(queueAll, { maxItems: maxPerJob });

  return {
    /** The HMAC by which the delivery log names a recipient. */
    recipientHash: (to: string): string => hash('comms-recipient', to),

    /**
     * Whether a message could be sent, without sending it. Throws `comms.not_configured`,
     * `comms.recipient_invalid`.
     */
    check: (message: Pick<Message, 'channel' | 'to'>): void => void providerFor(message),

    /** The newest messages to these numbers and addresses; those older than 30 days are gone. */
    listTo: (
      recipients: readonly string[],
      limit: number,
      signal?: AbortSignal,
    ): Promise<LoggedDelivery[]> =>
      store.listTo(
        recipients.map((to) => hash('comms-recipient', to)),
        limit,
        signal,
      ),

    /** How many messages were queued since this time, by channel and status. */
    countSince: (time: Date, signal?: AbortSignal): Promise<DeliveryCount[]> =>
      store.countSince(time, signal),

    /** The states of deliveries by id; those older than 30 days are left out. */
    statesOf: (ids: readonly string[]): Promise<ReadonlyMap<string, DeliveryStatus>> =>
      store.statesOf(ids),

    send,
  };

  /**
   * Queues a message and returns the delivery's id. With a key that was used before, returns that
   * delivery and sends nothing. Throws `comms.not_configured`, `comms.recipient_invalid`,
   * `request.unavailable` without Redis (the key can then be used again), and a ZodError for
   * parameters that don't fit the template, or malformed headers.
   */
  async function send<Name extends TemplateName>(sent: Message<Name>): Promise<{ id: string }> {
    const { channel, to, template, params, about, key, expiresAt, thread } = sent;
    const provider = providerFor({ channel, to });
    // The job parses them again, but an error there would reach no caller.
    templateParams[template].parse(params);
    const now = clock.now();
    const id = uuidv7(now);
    return batches.add({
      delivery: {
        id,
        keyHash: hash('comms-key', key),
        channel,
        template: about === undefined ? template : `${template}.${about}`,
        toHash: hash('comms-recipient', to),
        provider: provider.name,
        expiresAt: new Date(expiresAt),
        now: new Date(now),
      },
      message: {
        ...{ id, channel, template, params, to, expiresAt, enteredAt: now },
        ...(thread === undefined ? {} : { thread: MailThread.parse(thread) }),
      },
    });
  }

  /** Enters messages in the log and queues them. */
  async function queueAll(sent: readonly Queued[]): Promise<{ id: string }[]> {
    const entered = await store.enter(sent.map(({ delivery }) => delivery));
    const messages = withoutJob(sent, entered);
    const newIds = entered.filter(({ isNew }) => isNew).map(({ id }) => id);
    if (messages.length > 0)
      await job
        .add({ sealed: seal.seal(JSON.stringify(messages)) })
        .catch(async (error: unknown) => {
          await store.withdraw(newIds).catch(() => undefined);
          throw error;
        });
    return entered.map(({ id }) => ({ id }));
  }

  function providerFor({ channel, to }: Pick<Message, 'channel' | 'to'>): { name: string } {
    const provider = providers[channel];
    if (provider === undefined) throw commsErrors.not_configured();
    if (!recipients[channel].safeParse(to).success) throw commsErrors.recipient_invalid();
    return provider;
  }

  function hash(purpose: string, text: string): string {
    return createHmac('sha256', keys(purpose)).update(text).digest('hex');
  }
}

export type Messages = ReturnType<typeof createMessages>;

function openMessages(seal: Seal, sealed: string): QueuedMessage[] {
  const text = seal.open(sealed);
  // Sealed with another AUTH_SECRET: no retry can open it.
  if (text === undefined) throw new PermanentJobError('the messages were sealed with another key');
  return QueuedMessages.parse(JSON.parse(text));
}

/** The messages that need a job: new ones, and those whose job seems to be lost. */
function withoutJob(sent: readonly Queued[], entered: readonly EnteredDelivery[]): QueuedMessage[] {
  return sent.flatMap(({ delivery, message }, index) => {
    const stored = entered[index];
    if (stored?.status !== 'queued') return [];
    const { id, enteredAt, isNew } = stored;
    const isLost = delivery.now.getTime() - enteredAt.getTime() >= lostMs;
    return isNew || isLost ? [{ ...message, id, enteredAt: enteredAt.getTime() }] : [];
  });
}
