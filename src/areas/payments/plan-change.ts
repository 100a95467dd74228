import { z } from 'zod';
import { CheckoutSession, Invoice, Subscription, type SubscriptionItem } from './schemas.ts';

/** Hints at the user that an event is about, the most reliable first. */
export interface CustomerHints {
  /** User ids that we gave to the provider. */
  userIds: string[];
  customerId: string | undefined;
  emails: string[];
}

/** The state of a subscription according to an event. Null where the event does not say. */
export interface PlanChange {
  plan: string | null;
  status: string;
  /**
   * Whether the status is inferred from a payment; one reported by the subscription overrides it.
   */
  isInferred: boolean;
  currentPeriodEnd: Date | null;
  customerId: string | null;
  subscriptionId: string;
  eventCreated: Date;
}

export type ParsedEvent =
  | { kind: 'change'; change: PlanChange; hints: CustomerHints }
  | { kind: 'unrelated' }
  | { kind: 'unknown plan' }
  | { kind: 'invalid' };

/** The members, of any object, that hint at a user. */
interface BillingObject {
  customer?: string | undefined;
  customer_email?: string | undefined;
  customer_details?: { email?: string | undefined } | undefined;
  metadata?: { user_id?: string | undefined } | undefined;
  client_reference_id?: string | undefined;
}

const isKnown = (seconds: number | undefined): seconds is number => seconds !== undefined;
const isText = (text: string | undefined): text is string => text !== undefined;
const isUuid = (text: string | undefined): text is string => z.uuid().safeParse(text).success;

function hintsOf({
  customer,
  customer_email: email,
  customer_details: details,
  metadata,
  client_reference_id: reference,
}: BillingObject): CustomerHints {
  return {
    userIds: [metadata?.user_id, reference].filter(isUuid),
    customerId: customer,
    emails: [email, details?.email].filter(isText),
  };
}

/** Returns the plan of a price by its names at the provider; undefined if no plan has it. */
type PlanOfPrice = (names: readonly string[]) => string | undefined;

/** The names of an item's price, the most specific first. */
const namesOf = ({ price, plan }: SubscriptionItem): string[] =>
  [price, plan].flatMap((each) => [each?.lookup_key, each?.id, each?.nickname]).filter(isText);

/**
 * Finds the item that makes the plan: the first whose price belongs to one. Others are seats, usage
 * and the like, which may stand before it.
 */
function readItems({ items, plan }: Subscription, planOfPrice: PlanOfPrice) {
  const all = [...(items?.data ?? []), { price: undefined, plan, current_period_end: undefined }];
  const named = all.map((item) => ({ item, names: namesOf(item) }));
  const plans = named.map(({ item, names }) => ({ item, plan: planOfPrice(names) }));
  const found = plans.find((each) => each.plan !== undefined);
  return {
    plan: found?.plan,
    hasPrice: named.some(({ names }) => names.length > 0),
    end: [found?.item, ...all].map((item) => item?.current_period_end).find(isKnown),
  };
}

function readSubscription(
  object: unknown,
  eventCreated: Date,
  planOfPrice: PlanOfPrice,
  isOver: boolean,
): ParsedEvent {
  const { success, data } = Subscription.safeParse(object);
  if (!success) return { kind: 'invalid' };
  const { plan, hasPrice, end: itemEnd } = readItems(data, planOfPrice);
  // Whatever the plan was, it ends.
  if (plan === undefined && hasPrice && !isOver) return { kind: 'unknown plan' };
  const end = data.current_period_end ?? itemEnd;
  const change: PlanChange = {
    plan: plan ?? null,
    status: isOver ? 'canceled' : data.status,
    isInferred: false,
    currentPeriodEnd: end === undefined ? null : new Date(end * 1000),
    customerId: data.customer ?? null,
    subscriptionId: data.id,
    eventCreated,
  };
  return { kind: 'change', change, hints: hintsOf(data) };
}

/** An event about a subscription's payment, without the subscription itself. */
function readPayment(
  object: BillingObject,
  subscriptionId: string | undefined,
  status: string,
  eventCreated: Date,
  isInferred: boolean,
): ParsedEvent {
  // A one-off payment has no plan.
  if (subscriptionId === undefined) return { kind: 'unrelated' };
  const change: PlanChange = {
    plan: null,
    status,
    isInferred,
    currentPeriodEnd: null,
    customerId: object.customer ?? null,
    subscriptionId,
    eventCreated,
  };
  return { kind: 'change', change, hints: hintsOf(object) };
}

const statusByPayment = new Map([
  ['paid', 'active'],
  ['no_payment_required', 'trialing'],
]);

function readCheckout(object: unknown, created: Date): ParsedEvent {
  const { success, data } = CheckoutSession.safeParse(object);
  if (!success) return { kind: 'invalid' };
  return readPayment(
    data,
    data.subscription,
    statusByPayment.get(data.payment_status ?? '') ?? 'incomplete',
    created,
    true,
  );
}

function readFailedInvoice(object: unknown, created: Date): ParsedEvent {
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

type Reader = (object: unknown, created: Date, planOfPrice: PlanOfPrice) => ParsedEvent;

const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['customer.subscription.created', (...event) => readSubscription(...event, false)],
  ['customer.subscription.updated', (...event) => readSubscription(...event, false)],
  ['customer.subscription.deleted', (...event) => readSubscription(...event, true)],
  ['checkout.session.completed', readCheckout],
  ['invoice.payment_failed', readFailedInvoice],
]);

/** Whether events of this type affect plans. */
export const isHandled = (type: string): boolean => readers.has(type);

/**
 * Reads an event. `unrelated`: not about a plan; `invalid`: the object does not match the type;
 * `unknown plan`: no plan has its price.
 */
export function readPlanChange(
  type: string,
  object: unknown,
  created: Date,
  planOfPrice: PlanOfPrice,
): ParsedEvent {
  return readers.get(type)?.(object, created, planOfPrice) ?? { kind: 'unrelated' };
}
