import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { storedUrl } from '../../../lib/net/public-url.ts';
import {
  parameterOf,
  forwardableParameters,
  queryOfRequest,
  withParameters,
} from '../../../lib/net/query-text.ts';
import { limit } from '../../../platform/http/limits/rate-limit.ts';
import { isPrefetch } from '../../../platform/http/requests/prefetch.ts';
import { isNavigation } from '../../../platform/http/requests/request-origin.ts';
import { changeResponseHeaders } from '../../../platform/http/security.ts';
import type { ZodApp } from '../../../platform/http/zod-app.ts';
import { configurePageScope } from '../../../platform/ui/page-scope.ts';
import { type Layout, sendPage } from '../../../platform/ui/pages.tsx';
import type { NfcContext } from '../compose.ts';
import { mirrorParameter } from '../sheet.ts';
import type { TagRow } from '../tables.ts';
import { texts } from '../texts/en.ts';
import { tapPage } from './pages.tsx';
import { TapParams, TapView } from './schemas.ts';
import type { CountedTap } from './service.ts';
import type { TapTokens } from './tokens.ts';

/** What taps are answered with. */
export interface TapContext extends NfcContext {
  visitorLayout: Layout;
}

const tokenParameter = 'tap_token';

/** What people get who tap a tag. */
export const tapRoutes: FastifyPluginAsyncZod<TapContext> = async (app, context) => {
  configurePageScope(app, {
    layout: context.visitorLayout,
    back: undefined,
    errorPages: 'for browsers',
    headings: texts.taps.headings,
    sentences: texts.taps.sentences,
  });
  // The URL holds the message of the tag, which no target needs to see.
  changeResponseHeaders(app, { 'referrer-policy': 'no-referrer' });
  tapRoute(app, context);
};

function tapRoute(app: ZodApp, { nfc: { taps, tapTokens }, visitorLayout }: TapContext): void {
  app.get(
    '/n/:code',
    {
      // Many people may tap from behind one address. Without Redis, tags still work.
      config: { rateLimit: limit({ max: 600, seconds: 60, failOpen: true }) },
      schema: {
        operationId: 'nfc.tap',
        summary: 'Tap an NFC tag',
        description:
          'The URL in a tag. The query is the message that the chip adds. A message of a ' +
          'tag with the mode `sun` is verified and counts once; HEAD requests and ' +
          'prefetches never count. Anything other than a new message of the tag is ' +
          'rejected with the same response. At most 600 requests a minute from one address.',
        tags: ['nfc'],
        params: TapParams,
        errors: ['nfc.unknown_code', 'nfc.inactive', 'nfc.tap_refused', 'nfc.keys_unreadable'],
        response: {
          200: {
            content: {
              'application/json': { schema: TapView },
              'text/html': { schema: z.string() },
            },
          },
          204: z.undefined().describe('For prefetches. Nothing was counted.'),
          302: z.undefined().describe('Redirects to the target of the tag.'),
        },
      },
    },
    async (request, reply) => {
      const { code } = request.params;
      if (request.method === 'HEAD' || isPrefetch(request.headers)) {
        await taps.check(code);
        return reply.code(request.method === 'HEAD' ? 200 : 204).send();
      }
      const query = queryOfRequest(request.raw.url);
      const tap = await taps.take(request, code, query);
      const { action, target } = tap.tag;
      if ((action === 'redirect' || action === 'token') && target !== null)
        return reply.redirect(await targetOf(tap, { target, query }, tapTokens), 302);
      if (action !== 'json' && isNavigation(request, reply))
        return sendPage(reply, visitorLayout(tapPage(tap)));
      return reply.send(viewOf(tap));
    },
  );
}

/** The target, with a token and with the query of the tap, as far as the tag says so. */
async function targetOf(
  { tag, tap }: CountedTap,
  { target, query }: { target: string; query: string },
  tapTokens: TapTokens,
): Promise<string> {
  const parameters = [];
  const url = storedUrl(target);
  if (tag.action === 'token' && tap.counter !== undefined) {
    const token = await tapTokens.sign({
      tagId: tag.id,
      uid: tap.uid ?? tag.uid,
      counter: tap.counter,
      audience: new URL(url).origin,
    });
    parameters.push(parameterOf(tokenParameter, token));
  }
  const signed = withParameters(url, parameters);
  return tag.forward_query
    ? withParameters(signed, forwardableParameters(query, ownParameters(tag)))
    : signed;
}

/** Parameters that are about the tap, and no business of the target. */
function ownParameters({ mode, parameters }: TagRow): ReadonlySet<string> {
  const names = Object.values(parameters ?? {}).filter((name) => name !== null);
  return new Set([tokenParameter, ...(mode === 'mirror' ? [mirrorParameter] : []), ...names]);
}

const viewOf = ({ tag, result, tap, at }: CountedTap): TapView => ({
  genuine: result === 'genuine',
  code: tag.code,
  name: tag.name,
  uid: tap.uid ?? null,
  counter: tap.counter ?? null,
  tamper: tap.tamper ?? null,
  tapped_at: at.toISOString(),
});
