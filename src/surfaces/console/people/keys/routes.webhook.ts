import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { requestActor } from '../../../../platform/http/requests/request-actor.ts';
import { disconnectSignal } from '../../../../platform/http/requests/requester.ts';
import { type ConsoleRoutesOptions, type ConsoleScope, redirectTo } from '../../request-context.ts';
import { form, page } from '../../route-options.ts';
import { done } from '../../schemas.ts';
import { eventStatuses, webhookPage, webhookPath } from './webhook-page.tsx';

const pageSize = 50;

const status = z.enum(eventStatuses).optional();
const WebhookQuery = z.object({
  status: status.describe('Only events with this status.'),
  cursor: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe('Cursor from the previous page.')
    .meta({ examples: ['evt_1QmZ4x'] }),
  done,
});
const RetryForm = z.object({ id: z.string().min(1).max(255), status });

function webhookPageRoute(
  app: ConsoleScope,
  { baseOrigin, services: { payments }, send }: ConsoleRoutesOptions,
): void {
  app.get(
    '/api/svc/console/keys/webhook',
    page('console.webhook', 'Console: payment webhook', {
      description:
        'Events from the payment provider and their results. For admins on an approved device.',
      querystring: WebhookQuery,
    }),
    async ({ query: { done: doneKey, ...query } }, reply) => {
      const signal = disconnectSignal(reply);
      const [{ data, next_cursor: next }, counts] = await Promise.all([
        payments.list({ ...query, limit: pageSize }, signal),
        payments.counts(signal),
      ]);
      const view = {
        events: data,
        next,
        counts,
        isConfigured: payments.isConfigured,
        url: `${baseOrigin}/api/auth/webhooks/payments`,
        status: query.status,
        cursor: query.cursor,
      };
      return send(reply, webhookPage(view, doneKey));
    },
  );
}

function retryEventRoute(
  app: ConsoleScope,
  { services: { payments } }: ConsoleRoutesOptions,
): void {
  app.post(
    '/api/svc/console/keys/webhook/retry',
    form('console.retry_payment_event', 'Form: handle a failed event again', { body: RetryForm }),
    async (request, reply) => {
      await payments.retry(request.body.id, requestActor(request));
      return redirectTo(reply, webhookPath, { done: 'retried', status: request.body.status });
    },
  );
}

/** The webhook of the payment provider. */
export const webhookRoutes: FastifyPluginAsyncZod<ConsoleRoutesOptions> = async (app, options) => {
  webhookPageRoute(app, options);
  retryEventRoute(app, options);
};
