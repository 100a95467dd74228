import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { sendFormAgain } from '../../../platform/ui/page-scope.ts';
import type { Layout } from '../../../platform/ui/pages.tsx';
import { configurePublicForms, HtmlPage, jsonOrPage } from '../../../platform/ui/public-forms.ts';
import { limit } from '../../../platform/http/limits/rate-limit.ts';
import { acceptOneClick } from '../../../platform/http/one-click.ts';
import {
  checkMailboxPage,
  confirmedPage,
  confirmPage,
  subscribeAgainPage,
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
type Forms = ReturnType<typeof configurePublicForms>;

const tags = ['status'];
const bodyLimit = 16 * 1024;
const consumes = ['application/json', 'application/x-www-form-urlencoded'];
const limits = {
  ask: { rateLimit: limit({ max: 10, seconds: 600, group: 'status-subscribe' }) },
  confirm: { rateLimit: limit({ max: 60, seconds: 300, group: 'status-confirm' }) },
  // Unsubscribing must work even while Redis is unavailable.
  end: { rateLimit: limit({ max: 120, seconds: 60, failOpen: true, group: 'status-unsubscribe' }) },
};

const token = z
  .string()
  .max(256)
  .default('')
  .meta({ examples: ['k3Jx9Qw2LmT7'] });
const TokenQuery = z.object({ token });
const TokenBody = z.object({
  token: token.meta({
    description: 'Token from the link. Can be sent in the query instead.',
  }),
});
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
  id: 'StatusSubscriptionAsked',
  description: 'The request was accepted. The response is the same for every address.',
  examples: [{ detail: askedText }],
});
const Done = z.object({ detail: z.string() }).meta({
  id: 'StatusSubscriptionChanged',
  description: 'The subscription was changed.',
  examples: [{ detail: 'Subscribed.' }],
});

function subscribeRoute(
  app: Routes,
  { subscriptions, layout }: SubscriptionRoutesOptions,
  { showOr }: Forms,
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

function confirmRoutes(
  app: Routes,
  { subscriptions }: SubscriptionRoutesOptions,
  { show, showOr }: Forms,
): void {
  app.get(
    '/status/confirm',
    {
      config: limits.confirm,
      schema: {
        operationId: 'status.confirm_page',
        summary: 'Subscription confirmation page',
        description:
          'The link in the email opens this page. Only its button confirms the subscription.',
        tags,
        querystring: TokenQuery,
        response: { 200: HtmlPage },
      },
    },
    async (request, reply) => show(reply, confirmPage(request.query.token)),
  );

  app.post(
    '/status/confirm',
    {
      bodyLimit,
      config: limits.confirm,
      schema: {
        operationId: 'status.confirm',
        summary: 'Confirm a subscription',
        description: 'Accepts the token from the email. Repeating the call has no effect.',
        tags,
        consumes,
        body: TokenBody,
        errors: ['status.link_invalid'],
        response: { 200: jsonOrPage(Done) },
      },
    },
    async (request, reply) => {
      await subscriptions.confirm(request.body.token);
      return showOr(request, reply, confirmedPage, { detail: 'Subscribed.' });
    },
  );
}

function unsubscribeRoutes(
  app: Routes,
  { subscriptions }: SubscriptionRoutesOptions,
  { show, showOr }: Forms,
): void {
  app.get(
    '/status/unsubscribe',
    {
      config: limits.end,
      schema: {
        operationId: 'status.unsubscribe_page',
        summary: 'Unsubscribe page',
        description:
          'The unsubscribe link in every email opens this page. Opening it does not ' +
          'unsubscribe; the button on the page does.',
        tags,
        querystring: TokenQuery,
        response: { 200: HtmlPage },
      },
    },
    async (request, reply) => show(reply, unsubscribePage(request.query.token)),
  );

  app.post(
    '/status/unsubscribe',
    {
      config: limits.end,
      schema: {
        operationId: 'status.unsubscribe',
        summary: 'Unsubscribe',
        description:
          'Accepts the token from any email to the subscriber, and deletes the address. ' +
          'Mail clients send any body to the URL in the header (RFC 8058): with a token in the ' +
          'URL, the body is ignored.',
        tags,
        querystring: TokenQuery,
        consumes,
        body: TokenBody.optional(),
        errors: ['status.link_invalid'],
        response: { 200: jsonOrPage(Done) },
      },
    },
    async (request, reply) => {
      const given = request.body?.token ?? '';
      await subscriptions.unsubscribe(given === '' ? request.query.token : given);
      return showOr(request, reply, unsubscribedPage, { detail: 'Unsubscribed.' });
    },
  );
}

const formsIn = (app: Routes, { layout }: SubscriptionRoutesOptions): Forms =>
  configurePublicForms(app, { layout, back: { href: '/status', text: texts.page.back } });

/** Subscribing by email, by HTML forms and by JSON. */
export const subscriptionRoutes: FastifyPluginAsyncZod<SubscriptionRoutesOptions> = async (
  app,
  options,
) => {
  const forms = formsIn(app, options);
  subscribeRoute(app, options, forms);
  confirmRoutes(app, options, forms);
};

/** Unsubscribing by the link in emails: a page, and one click for mail programs (RFC 8058). */
export const unsubscriptionRoutes: FastifyPluginAsyncZod<SubscriptionRoutesOptions> = async (
  app,
  options,
) => {
  const forms = formsIn(app, options);
  acceptOneClick(app);
  unsubscribeRoutes(app, options, forms);
};
