import { createHmac } from 'node:crypto';
import type { Logger } from 'pino';
import type { Clock } from '../../lib/clock.ts';
import { uuidv7 } from '../../lib/ids.ts';
import { createSeal } from '../../lib/seal.ts';
import type { Seal } from '../../lib/seal.ts';
import type { Keys } from '../../platform/keys.ts';
import { PermanentJobError } from '../../platform/queues/permanent-job-error.ts';
import type { Queues } from '../../platform/queues.ts';
import { createDelivery } from './delivery.ts';
import { commsErrors } from './errors.ts';
import type { Channel } from './provider.ts';
import type { Providers } from './providers.ts';
import { QueuedMessage, recipients, SealedMessage } from './schemas.ts';
import type { DeliveryStore } from './store.ts';
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

function openMessage(seal: Seal, sealed: string): QueuedMessage {
  const text = seal.open(sealed);
  // Another AUTH_SECRET sealed it: no attempt will open it.
  if (text === undefined) throw new PermanentJobError('the message was sealed with another key');
  return QueuedMessage.parse(JSON.parse(text));
}

/**
 * Short messages by SMS and e-mail, sent by jobs. A message is rendered once and waits as one sealed text, so every
 * attempt sends the same, and Redis never holds recipient or code in the clear.
 */
export function createMessages({ queues, store, providers, keys, clock, logger, appName }: MessagesOptions) {
  const seal = createSeal(keys('comms'));
  const deliver = createDelivery({ store, providers, clock, logger, attempts });
  const hash = (purpose: string, text: string) => createHmac('sha256', keys(purpose)).update(text).digest('hex');
  const job = queues.defineJob({
    name: 'comms-delivery',
    schema: SealedMessage,
    options: { attempts, concurrency: 10 },
    process: ({ sealed }, { attempt }) => deliver(openMessage(seal, sealed), attempt),
  });

  return {
    /**
     * Queues a message and gives the delivery's id; with a key that was sent before it gives that delivery and sends
     * nothing more. Throws `comms.not_configured`, `comms.recipient_invalid`, `request.unavailable` without Redis (then
     * the same key may be sent again), and a ZodError for parameters that don't fit the template.
     */
    async send({ channel, to, template, params, key, expiresAt }: Message): Promise<{ id: string }> {
      const provider = providers[channel];
      if (provider === undefined) throw commsErrors.not_configured();
      if (!recipients[channel].safeParse(to).success) throw commsErrors.recipient_invalid();
      const content = renderTemplate(template, channel, params, appName);
      const now = clock.now();
      const { id, status } = await store.enter({
        id: uuidv7(now), keyHash: hash('comms-key', key), channel, template, toHash: hash('comms-recipient', to),
        provider: provider.name, expiresAt: new Date(expiresAt), now: new Date(now),
      });
      const message: QueuedMessage = { id, channel, template, to, ...content, expiresAt };
      // Also for one that was entered before: its job may not have been added then. The id makes it one job.
      if (status === 'queued') await job.add({ sealed: seal.seal(JSON.stringify(message)) }, { id });
      return { id };
    },
  };
}

export type Messages = ReturnType<typeof createMessages>;
