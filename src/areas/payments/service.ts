import { randomUUID } from 'node:crypto';
import { pageById } from '../../lib/keyset-page.ts';
import type { AppError } from '../../platform/errors/errors.ts';
import { systemActor } from '../../platform/http/requests/request-actor.ts';
import type { AuditActor } from '../audit/service.ts';
import type { PaymentParts } from './compose.ts';
import { paymentErrors } from './errors.ts';
import { createEventHandler } from './event-handler.ts';
import { definePaymentJobs } from './jobs.ts';
import { parseEvent } from './parse-event.ts';
import { isHandled } from './plan-change.ts';
import type { Plan } from './plan-merge.ts';
import type { WebhookResponse } from './schemas.ts';
import { isSigned } from './signature.ts';
import type { EventStatus } from './store.ts';

interface Delivery {
  /** The body as received. */
  body: Buffer;
  /** The value of `Stripe-Signature`. */
  signature: string | undefined;
  address: string;
  requestId: string;
}

interface EventListQuery {
  limit: number;
  cursor?: string | undefined;
  status?: EventStatus | undefined;
}

/** A user's plan, as pages show it. */
export type PlanView = Pick<Plan, 'plan' | 'status' | 'currentPeriodEnd'>;

/** Events of the payment provider, each handled once, and the plans that result from them. */
export function createPayments(parts: PaymentParts) {
  const { store, queues, audit, clock, logger } = parts;
  // Any of these may have signed an event. If undefined, events are refused.
  const { PAYMENTS_WEBHOOK_SECRET: secrets } = parts.config;
  const handler = createEventHandler(parts);
  const job = definePaymentJobs(queues, handler);

  return {
    /** Whether events are accepted. */
    isConfigured: secrets !== undefined,
    receive,
    list,
    counts,
    retry,
    planOf,
    /** Handles the events whose job was lost. A job calls this every minute. */
    sweep: handler.sweep,
  };

  /**
   * Stores a signed event and queues its handling; a repeated event changes nothing. Throws
   * `payments.not_configured`, `payments.signature_invalid`, `payments.event_invalid`.
   */
  async function receive(delivery: Delivery): Promise<WebhookResponse> {
    const now = clock.now();
    const { event, payload } = await verify(delivery, now);
    const { id, type, created } = event;
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
      const { address, requestId } = delivery;
      await audit.record({
        ...systemActor,
        action: 'webhook.received',
        target: { kind: 'payment_event', id },
        address,
        requestId,
        details: { event_id: id, type },
      });
    }
    if (status === 'pending') await enqueue(id);
    return { received: true };
  }

  /** Last received first. `cursor` is the `next_cursor` of the previous page. */
  async function list({ limit, cursor, status }: EventListQuery, signal?: AbortSignal) {
    return pageById(await store.list(limit + 1, { status, after: cursor }, signal), limit);
  }

  /** The number of events in each status. */
  async function counts(signal?: AbortSignal): Promise<Record<EventStatus, number>> {
    const found = { pending: 0, failed: 0, ignored: 0, done: 0 };
    for (const { status, count } of await store.countByStatus(signal)) found[status] = count;
    return found;
  }

  /** Handles a failed event again, in the background. Throws `payments.not_failed`. */
  async function retry(id: string, by: AuditActor): Promise<void> {
    const event = await store.reopen(id);
    if (event === undefined) throw paymentErrors.not_failed();
    await audit.record({
      action: 'webhook.retried',
      ...by,
      target: { kind: 'payment_event', id },
      details: { type: event.type },
    });
    // With its own id: the first job may still be stored, and adding it again would do nothing.
    await enqueue(id, randomUUID());
  }

  /** The user's plan; undefined without one. */
  async function planOf(userId: string): Promise<PlanView | undefined> {
    const found = await store.plan(userId);
    if (found === undefined) return undefined;
    const { plan, status, currentPeriodEnd } = found;
    return { plan, status, currentPeriodEnd };
  }

  async function verify(delivery: Delivery, now: number) {
    if (secrets === undefined) throw paymentErrors.not_configured();
    const { body, signature: header } = delivery;
    if (!isSigned({ header, body, secrets, now }))
      return refuse(delivery, paymentErrors.signature_invalid());
    return parseEvent(body) ?? refuse(delivery, paymentErrors.event_invalid());
  }

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

  /** The event is stored, so if its job can't be added, the sweep handles it. */
  async function enqueue(id: string, jobId = id): Promise<void> {
    await job.add({ id }, { id: jobId }).catch((error: unknown) => {
      logger.warn({ err: error, event_id: id }, 'a payment event waits for the sweep');
    });
  }
}
