import type { FastifyReply } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { acceptForms } from '../../platform/http/body-parsers.ts';
import { acceptOneClick } from '../../platform/http/one-click.ts';
import { isNavigation } from '../../platform/http/requests/request-origin.ts';
import { answerWith, pagePolicy } from '../../platform/http/security.ts';
import type { ZodApp } from '../../platform/http/zod-app.ts';
import { navigationErrors } from '../../platform/ui/error-pages.tsx';
import { documentErrorPages } from '../../platform/ui/page-scope.ts';
import { type SitePage, sendPage } from '../../platform/ui/pages.tsx';
import { leavePage, leftPage } from './pages.tsx';
import { limits, orPage, page, tags } from './routes.options.ts';
import type { WaitlistPagesOptions } from './routes.pages.ts';
import { LeftView, TokenBody, TokenQuery } from './schemas.ts';
import { texts } from './texts/en.ts';

type Show = (reply: FastifyReply, page: SitePage) => FastifyReply;

function leaveRoutes(app: ZodApp, { waitlist }: WaitlistPagesOptions, show: Show): void {
  app.get(
    '/waitlist/leave',
    {
      config: limits.leave,
      schema: {
        operationId: 'waitlist.leave_page',
        summary: 'Page to leave the waitlist',
        description: 'The link at the end of every email opens this page. Its button deletes.',
        tags: ['pages', ...tags],
        querystring: TokenQuery,
        response: page,
      },
    },
    async (request, reply) => show(reply, leavePage(request.query.token)),
  );

  app.post(
    '/waitlist/leave',
    {
      config: limits.leave,
      schema: {
        operationId: 'waitlist.leave_by_link',
        summary: 'Leave the waitlist by link',
        description:
          'Mail programs send any body to the URL in the header (RFC 8058): with a token in the ' +
          'URL, the body is ignored.',
        tags,
        querystring: TokenQuery,
        consumes: ['application/json', 'application/x-www-form-urlencoded'],
        body: TokenBody.optional(),
        errors: ['waitlist.link_invalid'],
        response: { 200: orPage(LeftView) },
      },
    },
    async (request, reply) => {
      const given = request.body?.token ?? '';
      await waitlist.leave(given === '' ? request.query.token : given);
      return isNavigation(request, reply)
        ? show(reply, leftPage)
        : reply.send({ detail: 'You have left the waitlist.' });
    },
  );
}

/** Leaving by the link in emails: a page for people, and one click for mail programs (RFC 8058). */
export const waitlistLeavePages: FastifyPluginAsyncZod<WaitlistPagesOptions> = async (
  app,
  options,
) => {
  answerWith(app, {
    'content-security-policy': pagePolicy,
    'referrer-policy': 'same-origin',
    'cache-control': 'no-store',
  });
  acceptForms(app);
  acceptOneClick(app);
  documentErrorPages(app, 'for browsers');
  app.setErrorHandler(
    navigationErrors({
      layout: options.siteLayout,
      back: { href: '/waitlist', text: texts.join.back },
      placeOf: () => undefined,
    }),
  );
  leaveRoutes(app, options, (reply, content) => sendPage(reply, options.siteLayout(content)));
};
