import { createHmac } from 'node:crypto';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Clock } from '../../lib/clock.ts';
import { uuidv7 } from '../../lib/ids.ts';
import { createSeal } from '../../lib/secrets/seal.ts';
import type { Seal } from '../../lib/secrets/seal.ts';
import { createBatching } from '../../platform/batching.ts';
import type { Keys } from '../../platform/crypto/keys.ts';
import { PermanentJobError } from '../../platform/queues/permanent-job-error.ts';
import type { Queues } from '../../platform/queues/queues.ts';
import { createDelivery, lostMs } from './delivery.ts';
import { commsErrors } from './errors.ts';
import type { Channel } from './provider.ts';
import type { Providers } from './providers.ts';
import { QueuedMessage, recipients, SealedMessages } from './schemas.ts';
import type { DeliveryStore, Entered, NewDelivery } from './store.ts';
import { renderTemplate } from './templates.ts';
import type { TemplateName } from './templates.ts';

export interface Message {
  channel: Channel;
  /** An E.164 number or an e-mail address. */
  to: string;
  template: TemplateName;
  params: Record<string, string>;
  /** Idempotency key: one delivery for each, for as long as the log is kept (30 days). */
  key: string;
  /** Unix ms after which the message is not sent any more. */
  expiresAt: number;
}

export interface MessagesOptions {
  queues: Queues;
  store: DeliveryStore;
  providers: Providers;
  keys: Keys;
  clock: Clock;
  logger: Logger;
  /** What messages call the product. */
  appName: string;
}

const attempts = 4;
const mostTogether = 20;

/** A message on its way into the queue. */
interface Entry {
  delivery: NewDelivery;
  message: QueuedMessage;
}

function openMessages(seal: Seal, sealed: string): QueuedMessage[] {
  const text = seal.open(sealed);
  // Another AUTH_SECRET sealed it: no attempt will open it.
  if (text === undefined) throw new PermanentJobError('the messages were sealed with another key');
  return z.array(QueuedMessage).parse(JSON.parse(text));
}

/** Those that no job has: new ones, and such as seem to have lost theirs. */
function jobless(entries: readonly Entry[], entered: readonly Entered[]): QueuedMessage[] {
  return entries.flatMap(({ delivery, message }, at) => {
    const now = entered[at];
    if (now?.status !== 'queued') return [];
    return now.isNew || delivery.now.getTime() - now.enteredAt.getTime() >= lostMs
      ? [{ ...message, id: now.id, enteredAt: now.enteredAt.getTime() }]
      : [];
  });
}

/**
 * Short messages by SMS and e-mail, sent by jobs. A message is rendered once and waits in a sealed text, so every
 * attempt sends the same, and Redis never holds recipient or code in the clear. Messages that come together share a job.
 */
export function createMessages({
  queues,
  store,
  providers,
  keys,
  clock,
  logger,
  appName,
}: MessagesOptions) {
  const seal = createSeal(keys('comms'));
  const deliver = createDelivery({ store, providers, clock, logger, attempts });
  const hash = (purpose: string, text: string) =>
    createHmac('sha256', keys(purpose)).update(text).digest('hex');
  const job = queues.defineJob({
    name: 'comms-delivery',
    schema: SealedMessages,
    options: { attempts, concurrency: 10, keepDone: false },
    process: ({ sealed }, context) => deliver(openMessages(seal, sealed), context),
  });

  async function queue(
    messages: readonly QueuedMessage[],
    added: readonly string[],
  ): Promise<void> {
    try {
      await job.add({ sealed: seal.seal(JSON.stringify(messages)) });
    } catch (error) {
      await store.withdraw(added).catch(() => undefined);
      throw error;
    }
  }

  const entries = createBatching(
    async (together: readonly Entry[]): Promise<{ id: string }[]> => {
      const entered = await store.enter(together.map(({ delivery }) => delivery));
      const messages = jobless(together, entered);
      if (messages.length > 0)
        await queue(
          messages,
          entered.filter(({ isNew }) => isNew).map(({ id }) => id),
        );
      return entered.map(({ id }) => ({ id }));
    },
    { most: mostTogether },
  );

  return {
    /**
     * Queues a message and gives the delivery's id; with a key that was sent before it gives that delivery and sends
     * nothing more. Throws `comms.not_configured`, `comms.recipient_invalid`, `request.unavailable` without Redis (then
     * the same key may be sent again), and a ZodError for parameters that don't fit the template.
     */
    async send({
      channel,
      to,
      template,
      params,
      key,
      expiresAt,
    }: Message): Promise<{ id: string }> {
      const provider = providers[channel];
      if (provider === undefined) throw commsErrors.not_configured();
      if (!recipients[channel].safeParse(to).success) throw commsErrors.recipient_invalid();
      const content = renderTemplate(template, channel, params, appName);
      const now = clock.now();
      const id = uuidv7(now);
      return entries.add({
        delivery: {
          id,
          keyHash: hash('comms-key', key),
          channel,
          template,
          toHash: hash('comms-recipient', to),
          provider: provider.name,
          expiresAt: new Date(expiresAt),
          now: new Date(now),
        },
        message: { id, channel, template, to, ...content, expiresAt, enteredAt: now },
      });
    },
  };
}

export type Messages = ReturnType<typeof createMessages>;
