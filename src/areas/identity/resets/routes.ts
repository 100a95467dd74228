import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Clock } from '../../../lib/clock.ts';
import { limit } from '../../../platform/http/limits/rate-limit.ts';
import { originOf } from '../../../platform/http/requests/request-origin.ts';
import { configurePageScope } from '../../../platform/ui/page-scope.ts';
import { type Layout, sendPage } from '../../../platform/ui/pages.tsx';
import { factorResetErrors } from './errors.ts';
import { canceledPage, cancelPage } from './pages.tsx';
import { CancelTokenForm, CancelTokenQuery } from './schemas.ts';
import type { FactorResets } from './service.ts';
import { texts } from './texts/en.ts';

export interface FactorResetPageOptions {
  factorResets: Pick<FactorResets, 'cancelByLink'>;
  layout: Layout;
  clock: Clock;
}

const tags = ['pages'];
const bodyLimit = 4096;
const config = { rateLimit: limit({ max: 60, seconds: 300, group: 'factor-reset' }) };

/** The token of a link, as `hmacText` writes it: 32 bytes in base64url. */
const tokenPattern = /^[\w-]{43}$/;

/**
 * Throws `factor_resets.link_incomplete` for a token that no link has. Otherwise a link that was
 * cut off would be answered as if it had canceled something.
 */
function requireWhole(token: string): void {
  if (!tokenPattern.test(token)) throw factorResetErrors.link_incomplete();
}

/** The page that the link in messages opens. It needs no sign-in, which may be impossible. */
export const factorResetPageRoutes: FastifyPluginAsyncZod<FactorResetPageOptions> = async (
  app,
  { factorResets, layout, clock },
) => {
  configurePageScope(app, { layout, back: { href: '/login', text: texts.page.back } });

  app.get(
    '/account/factor-reset',
    {
      config,
      schema: {
        operationId: 'factorResets.page',
        summary: '2FA reset cancellation page',
        description:
          'Asks the person to cancel. Opening the page changes nothing and looks nothing ' +
          'up, so link scanners can’t cancel. It looks the same for every complete token.',
        tags,
        querystring: CancelTokenQuery,
        errors: ['factor_resets.link_incomplete'],
        response: { 200: { content: { 'text/html': { schema: z.string() } } } },
      },
    },
    async ({ query: { token } }, reply) => {
      requireWhole(token);
      return sendPage(reply, layout(cancelPage(token)));
    },
  );

  app.post(
    '/account/factor-reset',
    {
      bodyLimit,
      config,
      schema: {
        operationId: 'factorResets.cancel',
        summary: 'Form: cancel a 2FA reset',
        tags,
        hide: true,
        body: CancelTokenForm,
        errors: ['factor_resets.link_incomplete'],
      },
    },
    async (request, reply) => {
      const { token } = request.body;
      requireWhole(token);
      await factorResets.cancelByLink(token, originOf(request, clock.now()));
      return sendPage(reply, layout(canceledPage));
    },
  );
};
