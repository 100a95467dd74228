import type { BrandReader } from '../../platform/brand/brand.ts';
import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Guards } from '../../areas/identity/sessions/guards.ts';
import { safeRedirect } from '../../lib/net/safe-redirect.ts';
import { themeFormPath } from '../../lib/site-paths.ts';
import { acceptForms } from '../../platform/http/body-parsers.ts';
import { clearedCookieHeader, setCookieHeader } from '../../platform/http/cookies.ts';
import { sendCacheable } from '../../platform/http/etag.ts';
import { limit } from '../../platform/http/limits/rate-limit.ts';
import { varyOn } from '../../platform/http/vary.ts';
import { redirectResponse } from '../../platform/ui/page-scope.ts';
import {
  themeCookie,
  themeOf,
  themePath,
  themes,
  themeStyle,
  type Visitor,
} from '../../platform/ui/theme.ts';

export interface ThemeRoutesOptions {
  /** The public origin of the service. */
  baseOrigin: string;
}

const yearSeconds = 31_536_000;
const ThemeForm = z
  .object({
    theme: z.enum(themes).describe('`system` follows the device.'),
    return_to: z
      .string()
      .max(2048)
      .optional()
      .describe('Path of the page to go back to. Default: the page that sent the form.'),
  })
  .meta({ examples: [{ theme: 'dark', return_to: '/status' }] });

export interface ThemeStyleOptions {
  brand: BrandReader;
  guards: Pick<Guards, 'peek'>;
}

/** Who asks. A store that is away must not take the colours of the page with it. */
async function visitorOf(
  request: FastifyRequest,
  { peek }: ThemeStyleOptions['guards'],
): Promise<Visitor> {
  const principal = await peek(request).catch(() => undefined);
  if (principal?.kind !== 'user') return 'unknown';
  return principal.roles.length > 0 ? 'console' : 'signed in';
}

/** The style sheet that chooses light or dark by a cookie, and has the accent of the brand. */
export const themeStyleRoute: FastifyPluginAsyncZod<ThemeStyleOptions> = async (
  app,
  { brand, guards },
) => {
  app.get(
    themePath,
    {
      schema: {
        operationId: 'theme.style',
        summary: 'Stylesheet for the chosen theme',
        tags: ['pages'],
        hide: true,
      },
    },
    async (request, reply) => {
      varyOn(reply, 'cookie');
      const visitor = await visitorOf(request, guards);
      return sendCacheable(request, reply, {
        content: themeStyle(themeOf(request.headers.cookie), brand(), visitor),
        type: 'text/css; charset=utf-8',
        cacheControl: visitor === 'unknown' ? 'no-cache' : 'private, no-cache',
      });
    },
  );
};

/** The path and query of the page that sent the form; undefined for pages of other origins. */
function senderOf({ headers }: FastifyRequest, baseOrigin: string): string | undefined {
  const { referer } = headers;
  return referer?.startsWith(`${baseOrigin}/`) ? referer.slice(baseOrigin.length) : undefined;
}

/** The form that chooses light or dark. */
export const themeFormRoute: FastifyPluginAsyncZod<ThemeRoutesOptions> = async (
  app,
  { baseOrigin },
) => {
  const isHttps = baseOrigin.startsWith('https:');
  acceptForms(app);
  app.post(
    themeFormPath,
    {
      bodyLimit: 4096,
      config: {
        rateLimit: limit({ max: 60, seconds: 60, failOpen: true, group: 'theme' }),
      },
      schema: {
        operationId: 'theme.choose',
        summary: 'Choose the theme',
        description:
          'Stores the choice in a cookie for a year. `system` removes the cookie, so ' +
          'pages use the device’s theme again.',
        tags: ['pages'],
        consumes: ['application/x-www-form-urlencoded'],
        body: ThemeForm,
        response: redirectResponse('Back to the page.'),
      },
    },
    async (request, reply) => {
      const { theme, return_to: returnTo } = request.body;
      const cookie =
        theme === 'system'
          ? clearedCookieHeader(themeCookie, isHttps)
          : setCookieHeader(themeCookie, theme, { isHttps, maxAgeSeconds: yearSeconds });
      return reply
        .header('set-cookie', cookie)
        .header('cache-control', 'no-store')
        .redirect(safeRedirect(returnTo ?? senderOf(request, baseOrigin), baseOrigin), 303);
    },
  );
};
