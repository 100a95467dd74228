import { logoContentId } from '../../platform/ui/mail/mail.tsx';
import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { namesType } from '../../lib/net/accept.ts';
import type { Development } from '../../platform/http/development.ts';
import { requestErrors } from '../../platform/errors/errors.ts';
import type { Layout } from '../../platform/ui/pages.tsx';
import { pagePolicy } from '../../platform/http/security.ts';
import type { ZodApp } from '../../platform/http/zod-app.ts';
import { outboxPage } from './pages.tsx';
import type { Outbox, OutboxMessage } from './outbox.ts';
import { OutboxQuery, OutboxView } from './schemas.ts';

/** What the outbox is shown with. */
export interface OutboxContext {
  outbox: Outbox;
  layout: Layout;
  development: Pick<Development, 'isOn' | 'allows'>;
}

/** Pages show a mail in a frame. */
const outboxPolicy = `${pagePolicy}; frame-src 'self'`;

/** Messages that were not sent, in development only. Elsewhere the path responds 404. */
export const outboxRoutes: FastifyPluginAsyncZod<OutboxContext> = async (app, options) => {
  const { development } = options;
  if (!development.isOn) return;

  app.addHook('onRequest', (request, reply, done) => {
    if (development.allows(request)) {
      reply.headers({ 'cache-control': 'no-store', vary: 'accept' });
      done();
    } else done(requestErrors.not_found());
  });

  showOutbox(app, options);
  showMail(app, options);
};

function showOutbox(app: ZodApp, { outbox, layout }: OutboxContext): void {
  app.get(
    '/dev/outbox',
    {
      schema: {
        operationId: 'comms.outbox',
        summary: 'Get the outbox',
        description:
          'The newest 500 messages that would have been sent. Development only, from this ' +
          'machine only.',
        tags: ['comms'],
        hide: true,
        querystring: OutboxQuery,
        response: {
          200: {
            content: {
              'application/json': { schema: OutboxView },
              'text/html': { schema: z.string() },
            },
          },
        },
      },
    },
    async (request, reply) => {
      const { to, id } = request.query;
      const view = { messages: outbox.list(to).map(toView) };
      if (!acceptsHtml(request)) return view;
      // Not by `changeResponseHeaders`: a refusal must look like a path that does not exist.
      void reply.header('content-security-policy', outboxPolicy).type('text/html; charset=utf-8');
      return layout(outboxPage(outbox.list(to), { to, id }));
    },
  );
}

/**
 * Inline styles, as email clients allow them. The sandbox keeps the email from scripts and from the
 * origin of the service.
 */
const mailPolicy =
  "sandbox allow-popups; default-src 'none'; img-src data:; style-src 'unsafe-inline'; " +
  "form-action 'none'; base-uri 'none'; frame-ancestors 'self'";

function showMail(app: ZodApp, { outbox }: OutboxContext): void {
  app.get(
    '/dev/outbox/:id/html',
    {
      schema: {
        operationId: 'comms.outbox_html',
        summary: 'Get the HTML part of an email',
        description:
          'An email in the outbox, displayed as in an email client. Only in development ' +
          'and from this machine.',
        tags: ['comms'],
        hide: true,
        params: z.object({ id: z.string().max(64) }),
        response: { 200: { content: { 'text/html': { schema: z.string() } } } },
      },
    },
    async (request, reply) => {
      const { html: render, logo } = outbox.find(request.params.id) ?? {};
      const html = render?.();
      if (html === undefined) throw requestErrors.not_found();
      void reply
        .headers({ 'content-security-policy': mailPolicy, 'x-robots-tag': 'noindex' })
        .type('text/html; charset=utf-8');
      const picture = `data:image/png;base64,${logo?.toString('base64') ?? ''}`;
      return html.replaceAll(`cid:${logoContentId}`, picture);
    },
  );
}

function toView(message: OutboxMessage): OutboxView['messages'][number] {
  const { id, channel, to, subject, text, createdAt } = message;
  return { id, channel, to, subject, text, created_at: new Date(createdAt).toISOString() };
}

const acceptsHtml = (request: FastifyRequest) => namesType(request.headers.accept, 'text/html');
