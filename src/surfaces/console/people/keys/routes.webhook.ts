import { z } from 'zod';
import { withQuery } from '../../components/navigation.tsx';
import { form } from '../../routes.forms.ts';
import { page } from '../../routes.pages.ts';
import { done } from '../../schemas.ts';
import { eventStatuses, webhookPage, webhookPath } from './webhook-page.tsx';

const pageSize = 50;
const status = z.enum(eventStatuses).optional();
const eventId = z.string().min(1).max(255);

/** The webhook of the payment provider. */
export const webhookRoutes = [
  page({
    id: 'console.webhook',
    path: '/api/svc/console/keys/webhook',
    summary: 'Console: payment webhook',
    description:
      'Events from the payment provider and their results. For admins on an approved device.',
    query: z.object({
      status: status.describe('Only events with this status.'),
      cursor: eventId
        .optional()
        .describe('Cursor from the previous page.')
        .meta({ examples: ['evt_1QmZ4x'] }),
      done,
    }),
    async show({ payments, baseOrigin }, { done: doneKey, ...query }, { signal }) {
      const { status: only, cursor } = query;
      const [{ data, next_cursor: next }, counts] = await Promise.all([
        payments.list({ ...query, limit: pageSize }, signal),
        payments.counts(signal),
      ]);
      const { isConfigured } = payments;
      const url = `${baseOrigin}/api/auth/webhooks/payments`;
      const view = { events: data, next, counts, isConfigured, url, status: only, cursor };
      return webhookPage(view, doneKey);
    },
  }),
  form({
    id: 'console.retry_payment_event',
    path: '/api/svc/console/keys/webhook/retry',
    summary: 'Form: retry a failed event',
    body: z.object({ id: eventId, status }),
    run: ({ payments }, { id }, { by }) => payments.retry(id, by),
    to: (input) => withQuery(webhookPath, { done: 'retried', status: input.status }),
  }),
];
