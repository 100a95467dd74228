import { retryAfter } from '../../../platform/errors/errors.ts';
import { z } from 'zod';
import { emailIdentity } from '../../../lib/identifiers.ts';
import type { Clock } from '../../../lib/clock.ts';
import { uuidv7 } from '../../../lib/ids.ts';
import { parseSignedId, formatSignedId } from '../../../lib/secrets/signed-ids.ts';
import { createSeal } from '../../../lib/secrets/seal.ts';
import { sha256Hex } from '../../../lib/secrets/secrets.ts';
import { hourMs, minuteMs } from '../../../lib/durations.ts';
import type { Keys } from '../../../platform/crypto/keys.ts';
import type { Database } from '../../../platform/database/database.ts';
import { PermanentJobError } from '../../../platform/queues/permanent-job-error.ts';
import type { Queues } from '../../../platform/queues/queues.ts';
import type { Messages } from '../../comms/service.ts';
import { subscriptionErrors } from './errors.ts';
import { defineNotices, type Notice } from './notices.ts';
import { createSubscriptionTokens } from './tokens.ts';
import type { SubscriptionBudget } from './budget.ts';
import { subscriberStore } from './store.ts';

export interface SubscriptionsOptions {
  db: Database;
  messages: Pick<Messages, 'send'>;
  queues: Queues;
  keys: Keys;
  clock: Clock;
  /** Names of components, by their ids. */
  componentNames: (ids: readonly string[]) => string[];
  /** The public origin of the service. */
  baseOrigin: string;
  /** True when email is configured. */
  isOpen: boolean;
  /** Undefined: no limits. */
  budget: SubscriptionBudget | undefined;
}

const linkLifetimeHours = 24;
const resendIntervalMs = 10 * minuteMs;

const Task = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('ask'),
    sealed: z.string(),
    askedAt: z.number().describe('Unix ms.'),
  }),
  z.strictObject({ kind: z.literal('clean') }),
]);

type ConfirmationOptions = Pick<
  SubscriptionsOptions,
  'db' | 'messages' | 'queues' | 'keys' | 'clock' | 'baseOrigin'
>;

/** Defines the job that sends confirmation messages. Retries do not send duplicates. */
function defineConfirmations(options: ConfirmationOptions) {
  const { db, messages, queues, keys, clock, baseOrigin } = options;
  const seal = createSeal(keys('status-subscribers'));
  const tokens = createSubscriptionTokens(keys);

  async function sendConfirmation(email: string, askedAt: number): Promise<void> {
    const id = await subscriberStore.request(db, {
      id: uuidv7(askedAt),
      email,
      askedAt: new Date(askedAt),
      since: new Date(askedAt - resendIntervalMs),
    });
    if (id === undefined) return;
    const token = tokens.confirmation(id, askedAt);
    await subscriberStore.setConfirmHash(db, id, sha256Hex(token.proof));
    const url = new URL(`/status/confirm?token=${formatSignedId(token)}`, baseOrigin).href;
    await messages.send({
      channel: 'email',
      to: email,
      template: 'status_confirm',
      params: { url, hours: String(linkLifetimeHours) },
      key: `status-confirm:${id}:${askedAt}`,
      expiresAt: askedAt + hourMs,
    });
  }

  const job = queues.defineJob({
    name: 'status-subscriptions',
    schema: Task,
    options: {
      attempts: 4,
      concurrency: 4,
      keepDone: false,
      every: { ms: linkLifetimeHours * hourMs, payload: { kind: 'clean' } },
    },
    async process(task) {
      if (task.kind === 'clean')
        return subscriberStore.deleteUnconfirmed(
          db,
          new Date(clock.now() - linkLifetimeHours * hourMs),
        );
      const email = seal.open(task.sealed);
      // It was sealed with another AUTH_SECRET: retries can't succeed.
      if (email === undefined)
        throw new PermanentJobError('the address was sealed with another key');
      return sendConfirmation(email, task.askedAt);
    },
  });
  return (email: string) =>
    job.add({ kind: 'ask', sealed: seal.seal(email), askedAt: clock.now() });
}

/**
 * Email subscriptions to incidents and maintenance, with double opt-in and one-click unsubscribe.
 * Responses do not reveal whether an address is subscribed: a job checks that afterwards.
 */
export function createSubscriptions(options: SubscriptionsOptions) {
  const { db, keys, clock, isOpen, budget } = options;
  const tokens = createSubscriptionTokens(keys);
  const queueConfirmation = defineConfirmations(options);
  const queueNotice = defineNotices({ ...options, tokens });

  return {
    isOpen,

    /**
     * Queues a confirmation message, which is not sent if the address is subscribed or got one
     * recently. Returns false for an invalid email address. `address` is the client's IP address.
     * Throws `status.email_not_configured`, `.too_many_subscriptions`, and `request.unavailable`
     * without Redis.
     */
    async subscribe(text: string, address: string): Promise<boolean> {
      if (!isOpen) throw subscriptionErrors.email_not_configured();
      const identity = emailIdentity(text);
      if (identity === undefined) return false;
      const seconds = Math.ceil(((await budget?.ofClient(address)) ?? 0) / 1000);
      if (seconds > 0) throw subscriptionErrors.too_many_subscriptions(retryAfter(seconds));
      // The response must not reveal earlier requests for this mailbox.
      if ((await budget?.ofMailbox(identity.key)) !== false) await queueConfirmation(identity.key);
      return true;
    },

    /** Confirms a subscription by a token of the last 24 hours. Throws `status.link_invalid`. */
    async confirm(token: string): Promise<void> {
      const signedId = parseSignedId(token);
      const now = clock.now();
      const isDone =
        signedId !== undefined &&
        (await subscriberStore.confirm(db, {
          id: signedId.id,
          hash: sha256Hex(signedId.proof),
          since: new Date(now - linkLifetimeHours * hourMs),
          now: new Date(now),
        }));
      if (!isDone) throw subscriptionErrors.link_invalid();
    },

    /** Deletes the subscriber of this token. Throws `status.link_invalid`. */
    async unsubscribe(token: string): Promise<void> {
      const signedId = parseSignedId(token);
      if (signedId === undefined || !tokens.isUnsubscription(signedId))
        throw subscriptionErrors.link_invalid();
      await subscriberStore.delete(db, signedId.id);
    },

    /** Queues a job that sends an update to every subscriber, once. */
    async notifySubscribers(notice: Notice): Promise<void> {
      if (isOpen) await queueNotice(notice);
    },
  };
}

export type Subscriptions = ReturnType<typeof createSubscriptions>;
