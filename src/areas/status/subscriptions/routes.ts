import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { sendFormAgain } from '../../../platform/ui/page-scope.ts';
import type { Layout } from '../../../platform/ui/pages.tsx';
import {
  configurePublicForms,
  HtmlPage,
  jsonOrPage,
  type PublicForms,
} from '../../../platform/ui/public-forms.ts';
import { addOneClickPages, addTokenPages } from '../../../platform/ui/token-pages.ts';
import { limit } from '../../../platform/http/limits/rate-limit.ts';
import {
  checkMailboxPage,
  confirmedPage,
  confirmPage,
  subscribeAgainPage,
  subscribePage,
  unsubscribedPage,
  unsubscribePage,
} from '../pages/page-subscribe.tsx';
import { subscriptionErrors } from './errors.ts';
import { texts } from '../texts/en.ts';
import type { Subscriptions } from './service.ts';

export interface SubscriptionRoutesOptions {
  subscriptions: Subscriptions;
  layout: Layout;
}

type Routes = Parameters<FastifyPluginAsyncZod<SubscriptionRoutesOptions>>[0];

const tags = ['status'];
const bodyLimit = 16 * 1024;
const consumes = ['application/json', 'application/x-www-form-urlencoded'];
const limits = {
  ask: { rateLimit: limit({ max: 10, seconds: 600, group: 'status-subscribe' }) },
  confirm: { rateLimit: limit({ max: 60, seconds: 300, group: 'status-confirm' }) },
  // Unsubscribing must work even while Redis is unavailable.
  end: { rateLimit: limit({ max: 120, seconds: 60, failOpen: true, group: 'status-unsubscribe' }) },
};

const SubscribeBody = z.object({
  email: z
    .string()
    .max(1024)
    .meta({ examples: ['ada@example.com'] }),
  website: z.string().max(1024).default('').describe('Leave it empty.'),
});
const askedText =
  'If this address is not subscribed yet, a message is on its way to it. ' +
  'Follow the link in it within 24 hours.';
const Asked = z.object({ detail: z.string() }).meta({
  id: 'RequestedStatusSubscription',
  description: 'The request was accepted. The response is the same for every address.',
  examples: [{ detail: askedText }],
});
const Done = z.object({ detail: z.string() }).meta({
  id: 'ChangedStatusSubscription',
  description: 'The subscription was changed.',
  examples: [{ detail: 'Subscribed.' }],
});

function subscribeRoute(
  app: Routes,
  { subscriptions, layout }: SubscriptionRoutesOptions,
  { showOr }: PublicForms,
): void {
  app.post(
    '/status/subscribe',
    {
      bodyLimit,
      config: limits.ask,
      schema: {
        operationId: 'status.subscribe',
        summary: 'Subscribe to status updates',
        description:
          'The response is the same for every address. Sends an email with a ' +
          'confirmation link: at most one every ten minutes, and five per day, to each ' +
          'address. A client can subscribe twenty times per day.',
        tags,
        consumes,
        body: SubscribeBody,
        errors: [
          'status.address_invalid',
          'status.email_not_configured',
          'status.too_many_subscriptions',
        ],
        response: { 202: jsonOrPage(Asked) },
      },
    },
    async (request, reply) => {
      const { email, website } = request.body;
      // Only bots fill in the hidden field: they get the same response, and no message is sent.
      if (website === '' && !(await subscriptions.subscribe(email, request.ip))) {
        const refusal = subscriptionErrors.address_invalid();
        return sendFormAgain(refusal, request, reply, () =>
          layout(subscribeAgainPage({ value: email, error: refusal.message })),
        );
      }
      void reply.code(202);
      return showOr(request, reply, checkMailboxPage, { detail: askedText });
    },
  );
}

function subscribePageRoute(app: Routes, { show }: PublicForms): void {
  app.get(
    '/status/subscribe',
    {
      config: limits.confirm,
      schema: {
        operationId: 'status.subscribe_page',
        summary: 'Subscription page',
        description: 'A form to subscribe to status updates by email.',
        tags,
        response: { 200: HtmlPage },
      },
    },
    async (_request, reply) => show(reply, subscribePage),
  );
}

const formsIn = (app: Routes, { layout }: SubscriptionRoutesOptions): PublicForms =>
  configurePublicForms(app, { layout, back: { href: '/status', text: texts.page.back } });

/** Subscribing by email, by HTML forms and by JSON. */
export const subscriptionRoutes: FastifyPluginAsyncZod<SubscriptionRoutesOptions> = async (
  app,
  options,
) => {
  const forms = formsIn(app, options);
  subscribePageRoute(app, forms);
  subscribeRoute(app, options, forms);
  addTokenPages(app, forms, {
    path: '/status/confirm',
    config: limits.confirm,
    page: {
      operationId: 'status.confirm_page',
      summary: 'Subscription confirmation page',
      description:
        'The link in the email opens this page. Only its button confirms the subscription.',
      tags,
      show: confirmPage,
    },
    action: {
      operationId: 'status.confirm',
      summary: 'Confirm a subscription',
      description: 'Accepts the token from the email. Repeating the call has no effect.',
      tags,
      errors: ['status.link_invalid'],
      run: options.subscriptions.confirm,
      done: confirmedPage,
      answer: { detail: 'Subscribed.' },
      output: Done,
    },
  });
};

/** Unsubscribing by the link in emails: a page, and one click for email clients (RFC 8058). */
export const unsubscriptionRoutes: FastifyPluginAsyncZod<SubscriptionRoutesOptions> = async (
  app,
  options,
) => {
  addOneClickPages(app, formsIn(app, options), {
    path: '/status/unsubscribe',
    config: limits.end,
    page: {
      operationId: 'status.unsubscribe_page',
      summary: 'Unsubscribe page',
      description:
        'The unsubscribe link in every email opens this page. Opening it does not ' +
        'unsubscribe; the button on the page does.',
      tags,
      show: unsubscribePage,
    },
    action: {
      operationId: 'status.unsubscribe',
      summary: 'Unsubscribe',
      description:
        'Accepts the token from any email to the subscriber, and deletes the address. ' +
        'Mail clients send any body to the URL in the header (RFC 8058): with a token in the ' +
        'URL, the body is ignored.',
      tags,
      errors: ['status.link_invalid'],
      run: options.subscriptions.unsubscribe,
      done: unsubscribedPage,
      answer: { detail: 'Unsubscribed.' },
      output: Done,
    },
  });
};
