import { z } from 'zod';
import { emailIdentity } from '../../../lib/identifiers.ts';
import type { Clock } from '../../../lib/clock.ts';
import { uuidv7 } from '../../../lib/ids.ts';
import { parseSignedId, formatSignedId } from '../../../lib/secrets/signed-ids.ts';
import { createSeal } from '../../../lib/secrets/seal.ts';
import { sha256Hex } from '../../../lib/secrets/secrets.ts';
import { hourMs, minuteMs } from '../../../lib/durations.ts';
import type { Keys } from '../../../platform/crypto/keys.ts';
import { PermanentJobError } from '../../../platform/queues/permanent-job-error.ts';
import type { Queues } from '../../../platform/queues/queues.ts';
import type { Messages } from '../../comms/service.ts';
import { subscriptionErrors } from './subscription-errors.ts';
import { defineNotices, type Notice } from './subscription-notices.ts';
import { createSubscriptionTokens } from './subscription-tokens.ts';
import type { SubscriptionBudget } from './subscription-budget.ts';
import type { SubscriberStore } from './subscribers.ts';

export interface SubscriptionsOptions {
  store: SubscriberStore;
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
  'store' | 'messages' | 'queues' | 'keys' | 'clock' | 'baseOrigin'
>;

/**
 * The job that sends what an address has to be confirmed with. It may be repeated: it sends one
 * message.
 */
function defineAsking({ store, messages, queues, keys, clock, baseOrigin }: AskingOptions) {
  const seal = createSeal(keys('status-subscribers'));
  const tokens = createSubscriptionTokens(keys);

  async function ask(email: string, askedAt: number): Promise<void> {
    const id = await store.ask({
      id: uuidv7(askedAt),
      email,
      askedAt: new Date(askedAt),
      since: new Date(askedAt - pauseMs),
    });
    if (id === undefined) return;
    const token = tokens.confirmation(id, askedAt);
    await store.setConfirmHash(id, sha256Hex(token.proof));
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
        return store.forgetUnconfirmed(new Date(clock.now() - linkHours * hourMs));
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
  const { store, keys, clock, isOpen, budget } = options;
  const tokens = createSubscriptionTokens(keys);
  const queueAsking = defineAsking(options);
  const queueNotice = defineNotices({ ...options, tokens });

  return {
    isOpen,

    /**
     * Sends a message to confirm the address with, unless it is subscribed or had one in the last
     * ten minutes. False when the text is no address. A mailbox gets at most five a day, and a
     * client may ask for twenty. Throws `status.email_not_configured`, `.too_many_subscriptions`,
     * and `request.unavailable` without Redis.
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
      // Whoever asks is not told: whether somebody has asked for this mailbox before is not their
      // business.
      if ((await budget?.ofMailbox(identity.key)) !== false) await queueAsking(identity.key);
      return true;
    },

    /** Subscribes whoever got this token in the last 24 hours. Throws `status.link_invalid`. */
    async confirm(token: string): Promise<void> {
      const shown = parseSignedId(token);
      const now = clock.now();
      const isDone =
        shown !== undefined &&
        (await store.confirm({
          id: shown.id,
          hash: sha256Hex(shown.proof),
          since: new Date(now - linkHours * hourMs),
          now: new Date(now),
        }));
      if (!isDone) throw subscriptionErrors.link_invalid();
    },

    /**
     * Forgets whoever got this token; who is forgotten already, too. Throws `status.link_invalid`.
     */
    async unsubscribe(token: string): Promise<void> {
      const shown = parseSignedId(token);
      if (shown === undefined || !tokens.isUnsubscription(shown))
        throw subscriptionErrors.link_invalid();
      await store.delete(shown.id);
    },

    /**
     * Tells every subscriber of an update, by a job. The same update again tells nobody twice. Does
     * nothing where no e-mail is sent.
     */
    async notifySubscribers(notice: Notice): Promise<void> {
      if (isOpen) await queueNotice(notice);
    },
  };
}

export type Subscriptions = ReturnType<typeof createSubscriptions>;
