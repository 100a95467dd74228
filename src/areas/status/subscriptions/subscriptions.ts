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
import { subscriptionErrors } from './subscription-errors.ts';
import { defineNotices, type Notice } from './subscription-notices.ts';
import { createSubscriptionTokens } from './subscription-tokens.ts';
import type { SubscriptionBudget } from './budget.ts';
import { subscriberStore } from './subscribers.ts';

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
  /** Whether e-mail can be sent. */
  isOpen: boolean;
  /** Undefined: nothing is counted. */
  budget: SubscriptionBudget | undefined;
}

const linkHours = 24;
const pauseMs = 10 * minuteMs;

const Task = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('ask'),
    sealed: z.string(),
    askedAt: z.number().describe('Unix ms.'),
  }),
  z.strictObject({ kind: z.literal('clean') }),
]);

type AskingOptions = Pick<
  SubscriptionsOptions,
  'db' | 'messages' | 'queues' | 'keys' | 'clock' | 'baseOrigin'
>;

/** Sends one message to confirm the address with, though it may be repeated. */
function defineAsking({ db, messages, queues, keys, clock, baseOrigin }: AskingOptions) {
  const seal = createSeal(keys('status-subscribers'));
  const tokens = createSubscriptionTokens(keys);

  async function ask(email: string, askedAt: number): Promise<void> {
    const id = await subscriberStore.ask(db, {
      id: uuidv7(askedAt),
      email,
      askedAt: new Date(askedAt),
      since: new Date(askedAt - pauseMs),
    });
    if (id === undefined) return;
    const token = tokens.confirmation(id, askedAt);
    await subscriberStore.setConfirmHash(db, id, sha256Hex(token.proof));
    const url = new URL(`/status/confirm?token=${formatSignedId(token)}`, baseOrigin).href;
    await messages.send({
      channel: 'email',
      to: email,
      template: 'status_confirm',
      params: { url, hours: String(linkHours) },
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
      every: { ms: linkHours * hourMs, payload: { kind: 'clean' } },
    },
    async process(task) {
      if (task.kind === 'clean')
        return subscriberStore.forgetUnconfirmed(db, new Date(clock.now() - linkHours * hourMs));
      const email = seal.open(task.sealed);
      // Another AUTH_SECRET sealed it: no attempt will open it.
      if (email === undefined)
        throw new PermanentJobError('the address was sealed with another key');
      return ask(email, task.askedAt);
    },
  });
  return (email: string) =>
    job.add({ kind: 'ask', sealed: seal.seal(email), askedAt: clock.now() });
}

/**
 * Updates about incidents and maintenance by e-mail. Nobody gets any before they have confirmed it
 * from their mailbox, and each message ends it in one click. Whether an address is known is never
 * told: a job looks, after the answer.
 */
export function createSubscriptions(options: SubscriptionsOptions) {
  const { db, keys, clock, isOpen, budget } = options;
  const tokens = createSubscriptionTokens(keys);
  const queueAsking = defineAsking(options);
  const queueNotice = defineNotices({ ...options, tokens });

  return {
    isOpen,

    /**
     * Sends a message to confirm the address with, unless it is subscribed or had one just now.
     * False when the text is no address. Throws `status.email_not_configured`,
     * `.too_many_subscriptions`, and `request.unavailable` without Redis.
     */
    async ask(text: string, address: string): Promise<boolean> {
      if (!isOpen) throw subscriptionErrors.email_not_configured();
      const identity = emailIdentity(text);
      if (identity === undefined) return false;
      const retryAfter = Math.ceil(((await budget?.ofClient(address)) ?? 0) / 1000);
      if (retryAfter > 0)
        throw subscriptionErrors.too_many_subscriptions({
          headers: { 'retry-after': String(retryAfter) },
          extra: { retry_after: retryAfter },
        });
      // Nobody is told whether somebody has asked for this mailbox before.
      if ((await budget?.ofMailbox(identity.key)) !== false) await queueAsking(identity.key);
      return true;
    },

    /** Subscribes whoever got this token in the last 24 hours. Throws `status.link_invalid`. */
    async confirm(token: string): Promise<void> {
      const shown = parseSignedId(token);
      const now = clock.now();
      const isDone =
        shown !== undefined &&
        (await subscriberStore.confirm(db, {
          id: shown.id,
          hash: sha256Hex(shown.proof),
          since: new Date(now - linkHours * hourMs),
          now: new Date(now),
        }));
      if (!isDone) throw subscriptionErrors.link_invalid();
    },

    /** Forgets whoever got this token. Throws `status.link_invalid`. */
    async unsubscribe(token: string): Promise<void> {
      const shown = parseSignedId(token);
      if (shown === undefined || !tokens.isUnsubscription(shown))
        throw subscriptionErrors.link_invalid();
      await subscriberStore.delete(db, shown.id);
    },

    /** Tells every subscriber of an update, by a job: nobody twice of the same. */
    async notifySubscribers(notice: Notice): Promise<void> {
      if (isOpen) await queueNotice(notice);
    },
  };
}

export type Subscriptions = ReturnType<typeof createSubscriptions>;
