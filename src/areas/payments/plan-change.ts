import { z } from 'zod';
import { CheckoutSession, Invoice, Subscription } from './schemas.ts';

/** Whom an event may be about, the surest sign first. */
export interface Signs {
  /** Ids of ours that were given to the provider. */
  userIds: string[];
  customerId: string | undefined;
  emails: string[];
}

/** What an event says of a subscription. Null: it does not say. */
export interface PlanChange {
  plan: string | null;
  status: string;
  /** The status was concluded from a payment: one that the subscription itself has given stands above it. */
  isConcluded: boolean;
  currentPeriodEnd: Date | null;
  customerId: string | null;
  subscriptionId: string;
  eventCreated: Date;
}

export type Reading =
  | { kind: 'change'; change: PlanChange; signs: Signs }
  | { kind: 'unrelated' }
  | { kind: 'invalid' };

interface Facts {
  customer?: string | undefined;
  customer_email?: string | undefined;
  customer_details?: { email?: string | undefined } | undefined;
  metadata?: { user_id?: string | undefined } | undefined;
  client_reference_id?: string | undefined;
}

const isText = (text: string | undefined): text is string => text !== undefined;
const isUuid = (text: string | undefined): text is string => z.uuid().safeParse(text).success;

function signsOf({
  customer,
  customer_email: email,
  customer_details: details,
  metadata,
  client_reference_id: reference,
}: Facts): Signs {
  return {
    userIds: [metadata?.user_id, reference].filter(isUuid),
    customerId: customer,
    emails: [email, details?.email].filter(isText),
  };
}

function readSubscription(object: unknown, eventCreated: Date, isOver: boolean): Reading {
  const { success, data } = Subscription.safeParse(object);
  if (!success) return { kind: 'invalid' };
  const item = data.items?.data[0];
  const { lookup_key: key, id, nickname } = item?.price ?? {};
  const end = data.current_period_end ?? item?.current_period_end;
  const change: PlanChange = {
    plan: key ?? id ?? nickname ?? null,
    status: isOver ? 'canceled' : data.status,
    isConcluded: false,
    currentPeriodEnd: end === undefined ? null : new Date(end * 1000),
    customerId: data.customer ?? null,
    subscriptionId: data.id,
    eventCreated,
  };
  return { kind: 'change', change, signs: signsOf(data) };
}

/** An event that tells of a subscription's payment without the subscription itself. */
function readPayment(
  facts: Facts,
  subscriptionId: string | undefined,
  status: string,
  eventCreated: Date,
  isConcluded: boolean,
): Reading {
  // A single payment: no plan comes of it.
  if (subscriptionId === undefined) return { kind: 'unrelated' };
  const change: PlanChange = {
    plan: null,
    status,
    isConcluded,
    currentPeriodEnd: null,
    customerId: facts.customer ?? null,
    subscriptionId,
    eventCreated,
  };
  return { kind: 'change', change, signs: signsOf(facts) };
}

const statusOfPayment = new Map([
  ['paid', 'active'],
  ['no_payment_required', 'trialing'],
]);

function readCheckout(object: unknown, created: Date): Reading {
  const { success, data } = CheckoutSession.safeParse(object);
  if (!success) return { kind: 'invalid' };
  return readPayment(
    data,
    data.subscription,
    statusOfPayment.get(data.payment_status ?? '') ?? 'incomplete',
    created,
    true,
  );
}

function readFailedInvoice(object: unknown, created: Date): Reading {
  const { success, data } = Invoice.safeParse(object);
  if (!success) return { kind: 'invalid' };
  return readPayment(
    data,
    data.subscription ?? data.parent?.subscription_details?.subscription,
    'past_due',
    created,
    false,
  );
}

type Reader = (object: unknown, created: Date) => Reading;

const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['customer.subscription.created', (object, created) => readSubscription(object, created, false)],
  ['customer.subscription.updated', (object, created) => readSubscription(object, created, false)],
  ['customer.subscription.deleted', (object, created) => readSubscription(object, created, true)],
  ['checkout.session.completed', readCheckout],
  ['invoice.payment_failed', readFailedInvoice],
]);

/** True for the types of events that plans are made from. */
export const isHandled = (type: string): boolean => readers.has(type);

/** What an event of this type says. `unrelated`: nothing about a plan; `invalid`: its object is not what the type promises. */
export function readChange(type: string, object: unknown, created: Date): Reading {
  return readers.get(type)?.(object, created) ?? { kind: 'unrelated' };
}
