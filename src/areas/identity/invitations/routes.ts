import type { BrandReader } from '../../../platform/brand/brand.ts';
import type { FastifyReply } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Clock } from '../../../lib/clock.ts';
import { accountPath, consolePath } from '../../../lib/site-paths.ts';
import { limit } from '../../../platform/http/limits/rate-limit.ts';
import { originOf } from '../../../platform/http/requests/request-origin.ts';
import type { ZodApp } from '../../../platform/http/zod-app.ts';
import {
  allowScript,
  configurePageScope,
  redirectResponse,
} from '../../../platform/ui/page-scope.ts';
import { type Layout, sendPage } from '../../../platform/ui/pages.tsx';
import type { MfaDue } from '../sign-in/service.ts';
import type { Guards } from '../sessions/guards.ts';
import type { Sessions } from '../sessions/service.ts';
import type { Acceptance, Offer } from './acceptance.ts';
import { acceptPage, otherAccountPage } from './pages.tsx';
import { TokenForm, TokenQuery } from './schemas.ts';
import { texts } from './texts/en.ts';

export interface InvitationPageOptions {
  acceptance: Acceptance;
  guards: Pick<Guards, 'peek'>;
  sessions: Pick<Sessions, 'endOwn'>;
  brand: BrandReader;
  visitorLayout: Layout;
  clock: Clock;
  /** The Set-Cookie headers that delete the session cookies. */
  clearedCookies: string[];
  /** The form for the second factor. */
  secondFactorPage: (mfa: MfaDue, next: string) => string;
}

type Visitor = Awaited<ReturnType<Guards['peek']>>;

const tags = ['pages'];
const config = { rateLimit: limit({ max: 60, seconds: 300, group: 'invitation' }) };
const html = { 200: { content: { 'text/html': { schema: z.string() } } } };
const form = (operationId: string, summary: string) => ({
  operationId,
  summary: `Form: ${summary}`,
  tags,
  hide: true,
  body: TokenForm,
});

const userIdOf = (visitor: Visitor): string | undefined =>
  visitor?.kind === 'user' ? visitor.id : undefined;

/** Creates the function that sends the page of an offer: 403 while another account is signed in. */
const createOfferSender =
  ({ brand, visitorLayout: layout }: InvitationPageOptions) =>
  (reply: FastifyReply, offer: Offer, token: string): FastifyReply =>
    offer.isOtherAccount
      ? sendPage(reply.code(403), layout(otherAccountPage(offer, token)))
      : sendPage(reply, layout(acceptPage(offer, token, brand().name)));

function showRoute(app: ZodApp, options: InvitationPageOptions): void {
  const { acceptance, guards } = options;
  const sendOffer = createOfferSender(options);
  app.get(
    '/invitation',
    {
      config,
      schema: {
        operationId: 'invitations.page',
        summary: 'Invitation page',
        description:
          'Asks the person to accept. Opening the page changes nothing, so link scanners can’t ' +
          'accept. Returns 403 while another account is signed in.',
        tags,
        querystring: TokenQuery,
        errors: ['invitations.link_invalid'],
        response: html,
      },
    },
    async (request, reply) => {
      const { token } = request.query;
      const offer = await acceptance.offer(token, userIdOf(await guards.peek(request)));
      return sendOffer(reply, offer, token);
    },
  );
}

function acceptRoute(app: ZodApp, options: InvitationPageOptions): void {
  const { acceptance, guards, clock, secondFactorPage } = options;
  const sendOffer = createOfferSender(options);
  app.post(
    '/invitation',
    {
      config,
      schema: {
        ...form('invitations.accept', 'accept an invitation'),
        response: {
          ...html,
          ...redirectResponse('Signed in: redirect to the console or account.'),
        },
      },
    },
    async (request, reply) => {
      const { token } = request.body;
      const userId = userIdOf(await guards.peek(request));
      const offer = await acceptance.offer(token, userId);
      if (offer.isOtherAccount) return sendOffer(reply, offer, token);
      const { role, outcome } = await acceptance.accept(token, {
        userId,
        cookieHeader: request.headers.cookie,
        from: originOf(request, clock.now()),
      });
      const next = role === null ? accountPath : consolePath;
      if (outcome?.mfa !== undefined) {
        if (outcome.mfa.methods.includes('passkey')) allowScript(reply);
        return sendPage(reply, secondFactorPage(outcome.mfa, next));
      }
      if (outcome !== undefined) void reply.header('set-cookie', outcome.setCookies);
      return reply.redirect(next, 303);
    },
  );
}

function switchRoute(app: ZodApp, options: InvitationPageOptions): void {
  const { acceptance, guards, sessions, clock, clearedCookies } = options;
  const sendOffer = createOfferSender(options);
  app.post(
    '/invitation/switch',
    { config, schema: form('invitations.switch', 'sign out to accept an invitation') },
    async (request, reply) => {
      const { token } = request.body;
      const offer = await acceptance.offer(token, undefined);
      const visitor = await guards.peek(request);
      if (visitor?.kind === 'user')
        await sessions.endOwn(visitor.id, visitor.sessionId, originOf(request, clock.now()));
      // Rendered here: a redirect would put the token into another URL.
      return sendOffer(reply.header('set-cookie', clearedCookies), offer, token);
    },
  );
}

/** The page that the link of an invitation opens. */
export const invitationPageRoutes: FastifyPluginAsyncZod<InvitationPageOptions> = async (
  app,
  options,
) => {
  configurePageScope(app, {
    layout: options.visitorLayout,
    back: { href: '/login', text: texts.errors.back },
    headings: { 'invitations.link_invalid': texts.errors.linkTitle },
    sentences: { 'invitations.link_invalid': texts.errors.link },
  });
  showRoute(app, options);
  acceptRoute(app, options);
  switchRoute(app, options);
};
