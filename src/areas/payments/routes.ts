import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { acceptBytes } from '../../platform/http/body-parsers.ts';
import { limit } from '../../platform/http/limits/rate-limit.ts';
import { WebhookAnswer } from './schemas.ts';
import type { Payments } from './service.ts';

/** The webhook exists at two paths, with the same behaviour. */
const webhooks = [
  { path: '/api/auth/webhooks/payments', operationId: 'auth.payment_webhook' },
  { path: '/auth/webhooks/payments', operationId: 'authShort.payment_webhook' },
] as const;

const bodyLimit = 256 * 1024;

// Fails open, because events can be stored without Redis.
const webhookLimit = limit({ max: 600, seconds: 60, failOpen: true, group: 'payment-webhook' });

/** Webhooks of the payment provider, authenticated by their signature. */
export const paymentRoutes: FastifyPluginAsyncZod<{ payments: Payments }> = async (
  app,
  { payments },
) => {
  acceptBytes(app);
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('cache-control', 'no-store');
    done();
  });

  for (const { path, operationId } of webhooks)
    app.post(
      path,
      {
        bodyLimit,
        config: { rateLimit: webhookLimit },
        schema: {
          operationId,
          summary: 'Receive a payment event',
          description:
            'A Stripe event, with its signature in the `Stripe-Signature` header. Stored ' +
            'before the response. Repeated events are stored once and get the same ' +
            'response.',
          tags: ['payments'],
          errors: [
            'payments.signature_invalid',
            'payments.event_invalid',
            'payments.not_configured',
          ],
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
          response: { 200: WebhookAnswer },
        },
      },
      (request) => {
        const { body, headers, ip: address, id: requestId } = request;
        const signature = headers['stripe-signature'];
        return payments.receive({
          body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
          signature: typeof signature === 'string' ? signature : undefined,
          address,
          requestId,
        });
      },
    );
};
