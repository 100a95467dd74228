import { z } from 'zod';
import { limited } from '../../platform/operations/limits.ts';
import { operationsOf } from '../../platform/operations/operation.ts';
import { withShortPath } from '../../platform/operations/short-path.ts';
import type { PaymentContext } from './compose.ts';
import { WebhookResponse } from './schemas.ts';

const operation = operationsOf<PaymentContext>({
  scope: 'public',
  tag: 'payments',
  accepts: 'bytes',
  noStore: false,
  headers: { 'cache-control': 'no-store' },
});

/** Webhooks of the payment provider, authenticated by their signature. */
export const paymentOperations = withShortPath([
  operation({
    id: 'auth.payment_webhook',
    path: 'POST /api/auth/webhooks/payments',
    summary: 'Receive a payment event',
    description:
      'A Stripe event, with its signature in the `Stripe-Signature` header. Stored ' +
      'before the response. Repeated events are stored once and get the same response.',
    // Fails open, because events can be stored without Redis.
    limit: limited({ max: 600, seconds: 60, failOpen: true, group: 'payment-webhook' }),
    route: { bodyLimit: 256 * 1024 },
    schema: {
      rawBody: z.unknown().meta({
        examples: [
          {
            id: 'evt_1QvA2b',
            type: 'customer.subscription.updated',
            created: 1_777_887_000,
            data: { object: { id: 'sub_1QvA2b', status: 'active' } },
          },
        ],
      }),
    },
    output: WebhookResponse,
    errors: ['payments.signature_invalid', 'payments.event_invalid', 'payments.not_configured'],
    run({ payments }, _, { request: { body, headers, ip, id } }) {
      const signature = headers['stripe-signature'];
      return payments.receive({
        body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
        signature: typeof signature === 'string' ? signature : undefined,
        address: ip,
        requestId: id,
      });
    },
  }),
]);
