import { retryAfter } from '../../../platform/errors/errors.ts';
import { z } from 'zod';
import { emailIdentity } from '../../../lib/identifiers.ts';
import { uuidv7 } from '../../../lib/ids.ts';
import { parseSignedId, formatSignedId } from '../../../lib/secrets/signed-ids.ts';
import { createSeal } from '../../../lib/secrets/seal.ts';
import { sha256Hex } from '../../../lib/secrets/secrets.ts';
import { hourMs, minuteMs } from '../../../lib/durations.ts';
import { PermanentJobError } from '../../../platform/queues/permanent-job-error.ts';
import type { SubscriptionParts } from '../context.ts';
import { subscriptionErrors } from './errors.ts';
import { defineNotices, type Notice } from './notices.ts';
import { createSubscriptionTokens } from './tokens.ts';
import type { SubscriptionBudget } from './budget.ts';
import { subscriberStore } from './store.ts';

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

/**
 * Email subscriptions to incidents and maintenance, with double opt-in and one-click unsubscribe.
 * Responses do not reveal whether an address is subscribed: a job checks that afterwards.
 */
export function createSubscriptions({
  isOpen,
  budget,
  ...parts
}: SubscriptionParts & {
  /** True when email is configured. */
  isOpen: boolean;
  /** Undefined: no limits. */
  budget: SubscriptionBudget | undefined;
}) {
  const { db, messages, queues, keys, clock, baseOrigin } = parts;
  const seal = createSeal(keys('status-subscribers'));
  const tokens = createSubscriptionTokens(keys);
  const queueNotice = defineNotices({ ...parts, tokens });
  const job = queues.defineJob({
    name: 'status-subscriptions',
    schema: Task,
    options: {
      attempts: 4,
      concurrency: 4,
      keepDone: false,
      every: { ms: linkLifetimeHours * hourMs, payload: { kind: 'clean' } },
    },
    process,
  });
  return { isOpen, subscribe, confirm, unsubscribe, notifySubscribers };

  /**
   * Queues a confirmation message, which is not sent if the address is subscribed or got one
   * recently. Returns false for an invalid email address. `address` is the client's IP address.
   * Throws `status.email_not_configured`, `.too_many_subscriptions`, and `request.unavailable`
   * without Redis.
   */
  async function subscribe(text: string, address: string): Promise<boolean> {
    if (!isOpen) throw subscriptionErrors.email_not_configured();
    const identity = emailIdentity(text);
    if (identity === undefined) return false;
    const seconds = Math.ceil(((await budget?.ofClient(address)) ?? 0) / 1000);
    if (seconds > 0) throw subscriptionErrors.too_many_subscriptions(retryAfter(seconds));
    // The response must not reveal earlier requests for this mailbox.
    if ((await budget?.ofMailbox(identity.key)) !== false)
      await job.add({ kind: 'ask', sealed: seal.seal(identity.key), askedAt: clock.now() });
    return true;
  }

  /** Confirms a subscription by a token of the last 24 hours. Throws `status.link_invalid`. */
  async function confirm(token: string): Promise<void> {
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
  }

  /** Deletes the subscriber of this token. Throws `status.link_invalid`. */
  async function unsubscribe(token: string): Promise<void> {
    const signedId = parseSignedId(token);
    if (signedId === undefined || !tokens.isUnsubscription(signedId))
      throw subscriptionErrors.link_invalid();
    await subscriberStore.delete(db, signedId.id);
  }

  /** Queues a job that sends an update to every subscriber, once. */
  async function notifySubscribers(notice: Notice): Promise<void> {
    if (isOpen) await queueNotice(notice);
  }

  /** Sends a confirmation message, or deletes unconfirmed subscribers. */
  async function process(task: z.output<typeof Task>): Promise<void> {
    if (task.kind === 'clean')
      return subscriberStore.deleteUnconfirmed(
        db,
        new Date(clock.now() - linkLifetimeHours * hourMs),
      );
    const email = seal.open(task.sealed);
    // It was sealed with another AUTH_SECRET: retries can't succeed.
    if (email === undefined) throw new PermanentJobError('the address was sealed with another key');
    return sendConfirmation(email, task.askedAt);
  }

  /** Retries do not send duplicates. */
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
}

export type Subscriptions = ReturnType<typeof createSubscriptions>;
