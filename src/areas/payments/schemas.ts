import { z } from 'zod';

const text = z.string().min(1).max(255);
const seconds = z.int().min(0).max(253_402_300_799);

/**
 * Members of every event. The id becomes a job id, so it must contain no colon, nor be a number.
 */
export const PaymentEvent = z.object({
  id: z.string().regex(/^[A-Za-z][\w.-]{0,254}$/),
  type: text,
  created: seconds.describe('Unix seconds.'),
  data: z.object({ object: z.record(z.string(), z.unknown()) }),
});
export type PaymentEvent = z.output<typeof PaymentEvent>;

/** The payload of a job. Contains no payment data. */
export const EventJob = z.strictObject({ id: z.string() });

export const WebhookResponse = z
  .object({ received: z.literal(true) })
  .meta({ id: 'WebhookResult', description: 'The event was received.' });
export type WebhookResponse = z.output<typeof WebhookResponse>;

// A member of an unexpected type counts as absent: the provider changes types between versions.
const optionalText = text.optional().catch(undefined);
const optionalSeconds = seconds.optional().catch(undefined);
/** An id, or the object itself if the provider was asked to expand it. */
const reference = z
  .union([text, z.object({ id: text }).transform(({ id }) => id)])
  .optional()
  .catch(undefined);
const metadata = z.object({ user_id: optionalText }).optional().catch(undefined);

/** A price with its names, or its id alone. */
const price = z
  .union([
    text.transform((id) => ({ id, lookup_key: undefined, nickname: undefined })),
    z.object({ lookup_key: optionalText, id: optionalText, nickname: optionalText }),
  ])
  .optional()
  .catch(undefined);

const Item = z.object({
  price,
  plan: price.describe('Name of prices before 2020; events still contain it.'),
  current_period_end: optionalSeconds,
});
export type SubscriptionItem = z.output<typeof Item>;

export const Subscription = z.object({
  id: text,
  status: text,
  customer: reference,
  customer_email: optionalText,
  metadata,
  client_reference_id: optionalText,
  items: z
    .object({ data: z.array(Item) })
    .optional()
    .catch(undefined),
  plan: price.describe('The price of a subscription that has one item, before 2020.'),
  current_period_end: optionalSeconds.describe(
    'Since Stripe’s API version 2025-03-31, the subscription items have this field.',
  ),
});
export type Subscription = z.output<typeof Subscription>;

export const CheckoutSession = z.object({
  customer: reference,
  customer_email: optionalText,
  customer_details: z.object({ email: optionalText }).optional().catch(undefined),
  metadata,
  client_reference_id: optionalText,
  subscription: reference,
  payment_status: optionalText,
});
export type CheckoutSession = z.output<typeof CheckoutSession>;

const SubscriptionDetails = z.object({ subscription: reference }).optional().catch(undefined);

export const Invoice = z.object({
  customer: reference,
  customer_email: optionalText,
  metadata,
  client_reference_id: optionalText,
  subscription: reference,
  parent: z
    .object({ subscription_details: SubscriptionDetails })
    .optional()
    .catch(undefined)
    .describe('Since Stripe’s API version 2025-03-31, contains the subscription.'),
});
export type Invoice = z.output<typeof Invoice>;
