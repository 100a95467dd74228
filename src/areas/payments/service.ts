import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Clock } from '../../lib/clock.ts';
import { pageById } from '../../lib/keyset-page.ts';
import type { AppError } from '../../platform/errors/errors.ts';
import type { Queues } from '../../platform/queues/queues.ts';
import type { Audit, AuditActor } from '../audit/service.ts';
import { paymentErrors } from './errors.ts';
import { readEvent } from './event.ts';
import type { Handling } from './handling.ts';
import { definePaymentJobs } from './jobs.ts';
import { isHandled } from './plan-change.ts';
import type { WebhookAnswer } from './schemas.ts';
import { isSigned } from './signature.ts';
import type { EventStatus, ListedEvent, PaymentStore } from './store.ts';

export interface Delivery {
  /** The body as it came. */
  body: Buffer;
  /** The value of `Stripe-Signature`. */
  signature: string | undefined;
  address: string;
  requestId: string;
}

export interface PaymentsOptions {
  store: PaymentStore;
  handling: Handling;
  queues: Queues;
  audit: Audit;
  clock: Clock;
  logger: Logger;
  /** Any of them may have signed. Undefined: nothing is taken. */
  secrets: readonly string[] | undefined;
}

export interface PlanView {
  /** Null until the provider has named it. */
  plan: string | null;
  /** The provider's status of the subscription. */
  status: string;
  currentPeriodEnd: Date | null;
}

/** What the payment provider reports, each event once, and the plans that come of it. */
export function createPayments({
  store,
  handling,
  queues,
  audit,
  clock,
  logger,
  secrets,
}: PaymentsOptions) {
  const job = definePaymentJobs(queues, handling);

  async function refuse({ address, requestId }: Delivery, error: AppError): Promise<never> {
    await audit.record({
      action: 'webhook.refused',
      outcome: 'denied',
      reason: error.code,
      actor: { kind: 'anonymous' },
      address,
      requestId,
    });
    throw error;
  }

  /** The event is stored: whatever keeps its job from being added, the sweep comes to it. */
  async function enqueue(id: string, jobId = id): Promise<void> {
    await job.add({ id }, { id: jobId }).catch((error: unknown) => {
      logger.warn({ err: error, event_id: id }, 'a payment event waits for the sweep');
    });
  }

  return {
    /**
     * Stores a signed event and queues its handling; one that is there already changes nothing. Throws
     * `payments.not_configured`, `payments.signature_invalid`, `payments.event_invalid`.
     */
    async receive(delivery: Delivery): Promise<WebhookAnswer> {
      if (secrets === undefined) throw paymentErrors.not_configured();
      const { body, signature, address, requestId } = delivery;
      const now = clock.now();
      if (!isSigned({ header: signature, body, secrets, now }))
        return refuse(delivery, paymentErrors.signature_invalid());
      const reading = readEvent(body);
      if (reading === undefined) return refuse(delivery, paymentErrors.event_invalid());
      const {
        event: { id, type, created },
        payload,
      } = reading;
      const settled = isHandled(type)
        ? { status: 'pending' as const, processed_at: null }
        : { status: 'ignored' as const, processed_at: new Date(now) };
      const { isNew, status } = await store.enter({
        id,
        type,
        created: new Date(created * 1000),
        received_at: new Date(now),
        payload,
        error_code: null,
        ...settled,
      });
      if (isNew) {
        await audit.record({
          action: 'webhook.received',
          actor: { kind: 'system' },
          target: { kind: 'payment_event', id },
          address,
          requestId,
          details: { event_id: id, type },
        });
      }
      if (status === 'pending') await enqueue(id);
      return { received: true };
    },

    /** Whether anything is taken. */
    isConfigured: secrets !== undefined,

    /** A page of events, those that came last first. `cursor` is the `next_cursor` of the page before. */
    async list(
      {
        limit,
        cursor,
        status,
      }: { limit: number; cursor?: string | undefined; status?: EventStatus | undefined },
      signal?: AbortSignal,
    ): Promise<{ data: ListedEvent[]; next_cursor: string | null }> {
      return pageById(await store.list(limit + 1, { status, after: cursor }, signal), limit);
    },

    /** How many events there are in each status. */
    async counts(signal?: AbortSignal): Promise<Record<EventStatus, number>> {
      const rows = await store.countByStatus(signal);
      const countOf = (status: EventStatus): number =>
        rows.find((row) => row.status === status)?.count ?? 0;
      return {
        pending: countOf('pending'),
        failed: countOf('failed'),
        ignored: countOf('ignored'),
        done: countOf('done'),
      };
    },

    /** Handles a failed event again, in the background. Throws `payments.not_failed`. */
    async retry(id: string, by: AuditActor): Promise<void> {
      const event = await store.reopen(id);
      if (event === undefined) throw paymentErrors.not_failed();
      await audit.record({
        action: 'webhook.retried',
        ...by,
        target: { kind: 'payment_event', id },
        details: { type: event.type },
      });
      // Its first job may still be kept, and another with its id would be none.
      await enqueue(id, randomUUID());
    },

    /** What the person pays for; undefined without a plan. */
    async planOf(userId: string): Promise<PlanView | undefined> {
      const found = await store.plan(userId);
      if (found === undefined) return undefined;
      const { plan, status, currentPeriodEnd } = found;
      return { plan, status, currentPeriodEnd };
    },

    /** Handles the events whose job is missing; a job does it every minute. */
    sweep: (): Promise<void> => handling.sweep(),
  };
}

export type Payments = ReturnType<typeof createPayments>;
