import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { storedUrl } from '../../../lib/net/public-url.ts';
import {
  parameterOf,
  passedOn,
  queryOfRequest,
  withParameters,
} from '../../../lib/net/query-text.ts';
import { mirrorParameter } from '../encoding/sheet.ts';
import { limit } from '../../../platform/http/limits/rate-limit.ts';
import { isPrefetch } from '../../../platform/http/requests/prefetch.ts';
import { isNavigation } from '../../../platform/http/requests/request-origin.ts';
import { answerWith } from '../../../platform/http/security.ts';
import type { ZodApp } from '../../../platform/http/zod-app.ts';
import { configurePageScope } from '../../../platform/ui/page-scope.ts';
import { type SiteLayout, sendPage } from '../../../platform/ui/pages.tsx';
import { texts } from '../texts/en.ts';
import { tapPage } from './pages.tsx';
import { JwksView, TapParams, TapView } from './schemas.ts';
import type { CountedTap, Taps } from './service.ts';
import type { TagRow } from '../tables.ts';
import type { TapTokens } from './tokens.ts';

/** A tap that counted, for whoever records it. */
interface RecordedTap {
  code: string;
  siteId: string | null;
  result: CountedTap['result'];
}

/** Stores that a tap has happened. Resolves once that is durable. */
export type RecordTap = (request: FastifyRequest, tap: RecordedTap) => Promise<void>;

export interface TapRoutesOptions {
  nfcTaps: Taps;
  nfcTapTokens: TapTokens;
  recordTap: RecordTap;
  siteLayout: SiteLayout;
}

const tags = ['nfc'];
const tokenParameter = 'tap_token';

/** The names that the message of a tag has, used or not. */
function namesOf(parameters: TagRow['parameters']): string[] {
  if (parameters === null) return [];
  const { picc_data: picc, uid, counter, file_data: data, mac, joined } = parameters;
  return [picc, uid, counter, data, mac, ...(joined === null ? [] : [joined])];
}

/** Parameters that are about the tap, and no business of the target. */
const ownParameters = ({ mode, parameters }: TagRow): ReadonlySet<string> =>
  new Set([
    tokenParameter,
    ...(mode === 'mirror' ? [mirrorParameter] : []),
    ...namesOf(parameters),
  ]);

/** Adds the query of a tap to its target, without its message, if the tag passes it on. */
const withQueryOfTap = (target: string, tag: TagRow, query: string): string =>
  tag.forward_query ? withParameters(target, passedOn(query, ownParameters(tag))) : target;

const viewOf = ({ tag, result, tap, at }: CountedTap): TapView => ({
  genuine: result === 'genuine',
  code: tag.code,
  name: tag.name,
  uid: tap.uid ?? null,
  counter: tap.counter ?? null,
  tamper: tap.tamper ?? null,
  tapped_at: at.toISOString(),
});

const queryOf = ({ raw }: FastifyRequest): string => queryOfRequest(raw.url);

async function withToken(
  target: string,
  { tag, tap }: CountedTap,
  { nfcTapTokens }: TapRoutesOptions,
): Promise<string> {
  if (tag.action !== 'token' || tap.counter === undefined) return target;
  const token = await nfcTapTokens.sign({
    tagId: tag.id,
    uid: tap.uid ?? tag.uid,
    counter: tap.counter,
    audience: new URL(target).origin,
  });
  return withParameters(target, [parameterOf(tokenParameter, token)]);
}

const targetOf = async (
  tap: CountedTap,
  { target, query }: { target: string; query: string },
  options: TapRoutesOptions,
): Promise<string> =>
  withQueryOfTap(await withToken(storedUrl(target), tap, options), tap.tag, query);

function tapRoute(app: ZodApp, options: TapRoutesOptions): void {
  const { nfcTaps, recordTap, siteLayout } = options;

  async function answer(tap: CountedTap, request: FastifyRequest, reply: FastifyReply) {
    const { action, target } = tap.tag;
    if ((action === 'redirect' || action === 'token') && target !== null)
      return reply.redirect(await targetOf(tap, { target, query: queryOf(request) }, options), 302);
    if (action !== 'json' && isNavigation(request, reply))
      return sendPage(reply, siteLayout(tapPage(tap)));
    return reply.send(viewOf(tap));
  }

  app.get(
    '/n/:code',
    {
      // Many people may tap from behind one address. Without Redis, tags still work.
      config: { rateLimit: limit({ max: 600, seconds: 60, failOpen: true }) },
      schema: {
        operationId: 'nfc.tap',
        summary: 'Tap an NFC tag',
        description:
          'The URL in a tag. The query is the message that the chip adds. A message of a tag ' +
          'with the mode `sun` is verified and counts once; HEAD requests and prefetches never ' +
          'count. ' +
          'Everything but a new message of the tag is refused with the same answer. At most ' +
          '600 requests a minute from one address.',
        tags,
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
          302: z.undefined().describe('To the target of the tag.'),
        },
      },
    },
    async (request, reply) => {
      const { code } = request.params;
      if (request.method === 'HEAD' || isPrefetch(request.headers)) {
        await nfcTaps.check(code);
        return reply.code(request.method === 'HEAD' ? 200 : 204).send();
      }
      const tap = await nfcTaps.take({
        code,
        query: queryOf(request),
        address: request.ip,
      });
      await recordTap(request, { code, siteId: tap.tag.site_id, result: tap.result });
      return answer(tap, request, reply);
    },
  );
}

/** What people get who tap a tag. */
export const tapRoutes: FastifyPluginAsyncZod<TapRoutesOptions> = async (app, options) => {
  configurePageScope(app, {
    layout: options.siteLayout,
    back: { href: '/', text: texts.taps.back },
    errorPages: 'for browsers',
    sentences: {
      'nfc.tap_refused': texts.taps.refused,
      'nfc.inactive': texts.taps.inactive,
      'nfc.unknown_code': texts.taps.unknown,
      'nfc.keys_unreadable': texts.taps.unreadable,
    },
  });
  // The URL holds the message of the tag, which no target needs to see.
  answerWith(app, { 'referrer-policy': 'no-referrer' });
  tapRoute(app, options);
};

/** The key that verifies tokens. */
export const jwksRoute: FastifyPluginAsyncZod<Pick<TapRoutesOptions, 'nfcTapTokens'>> = async (
  app,
  { nfcTapTokens },
) => {
  app.get(
    '/.well-known/nfc-jwks.json',
    {
      config: { rateLimit: limit({ max: 120, seconds: 60, failOpen: true }) },
      schema: {
        operationId: 'nfc.jwks',
        summary: 'Get the keys of tap tokens',
        description:
          'The JWK Set that verifies the tokens of taps (EdDSA). A token is valid for 60 seconds ' +
          'and for the origin of its target.',
        tags,
        response: { 200: JwksView },
      },
    },
    async (_request, reply) =>
      reply.header('cache-control', 'public, max-age=300').send(await nfcTapTokens.jwks()),
  );
};
