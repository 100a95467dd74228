import type { BrandReader } from '../../../platform/brand/brand.ts';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Clock } from '../../../lib/clock.ts';
import type { AuthMount } from '../../../platform/operations/short-path.ts';
import { acceptForms } from '../../../platform/http/body-parsers.ts';
import type { Layout } from '../../../platform/ui/pages.tsx';
import { limit } from '../../../platform/http/limits/rate-limit.ts';
import { originOf } from '../../../platform/http/requests/request-origin.ts';
import { pagePolicy } from '../../../platform/http/security.ts';
import type { FirstAdmin } from './first-admin.ts';
import { EmailBody, SetupParams } from './schemas.ts';
import { setupPage } from './setup-page.tsx';

export interface SetupRoutesOptions {
  firstAdmin: FirstAdmin;
  brand: BrandReader;
  layout: Layout;
  clock: Clock;
  mount: AuthMount;
}

const tags = ['auth'];
const config = { rateLimit: limit({ max: 30, seconds: 300, group: 'first-admin' }) };

/** The link that the first start prints. Responds 404 once it is used or expired. */
export const setupRoutes: FastifyPluginAsyncZod<SetupRoutesOptions> = async (
  app,
  { firstAdmin, brand, layout, clock, mount },
) => {
  acceptForms(app);

  app.get(
    mount.at('/api/auth/setup/:token'),
    {
      config,
      schema: {
        operationId: mount.named('auth.setup_page'),
        summary: 'First-admin setup page',
        description: 'Viewing the page does not use up the link.',
        tags,
        hide: true,
        params: SetupParams,
        response: { 200: { content: { 'text/html': { schema: z.string() } } } },
      },
    },
    async (request, reply) => {
      await firstAdmin.check(request.params.token);
      void reply
        .headers({ 'cache-control': 'no-store', 'content-security-policy': pagePolicy })
        .type('text/html; charset=utf-8');
      return layout(setupPage(brand().name));
    },
  );

  app.post(
    mount.at('/api/auth/setup/:token'),
    {
      config,
      schema: {
        operationId: mount.named('auth.setup'),
        summary: 'Become the first admin',
        description: 'Works once, with the link printed at startup.',
        tags,
        hide: true,
        params: SetupParams,
        body: EmailBody,
      },
    },
    async (request, reply) => {
      const { key, value } = request.body.email;
      const outcome = await firstAdmin.accept(
        request.params.token,
        { kind: 'email', key, value },
        request.headers.cookie,
        originOf(request, clock.now()),
      );
      void reply.header('cache-control', 'no-store');
      if (outcome.mfa === undefined) void reply.header('set-cookie', outcome.setCookies);
      return reply.redirect(outcome.mfa === undefined ? '/account/devices' : '/login', 303);
    },
  );
};
