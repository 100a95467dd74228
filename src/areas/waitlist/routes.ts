import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { allowOrigins } from '../../platform/http/cross-origin.ts';
import type { ZodApp } from '../../platform/http/zod-app.ts';
import { noStore } from '../../platform/http/security.ts';
import { bodyLimit, limits, tags } from './routes.options.ts';
import {
  JoinBody,
  JoinView,
  LeaderboardView,
  LeftView,
  OwnEntryView,
  StatsView,
  TokenBody,
  TokenHeaders,
  VerifiedView,
} from './schemas.ts';
import type { Waitlist } from './service.ts';

export interface WaitlistRoutesOptions {
  waitlist: Waitlist;
  /** Origins of the websites with the embedded form. */
  waitlistOrigins: readonly string[];
}

export const joined = {
  status: 'pending' as const,
  detail:
    'An email is on its way to this address. Follow the link in it within 24 hours. If the ' +
    'address is on the list already, the email leads to its place.',
};

function joinRoute(app: ZodApp, waitlist: Waitlist): void {
  app.post(
    '/api/v2/waitlist',
    {
      bodyLimit,
      config: limits.join,
      schema: {
        operationId: 'waitlist.join',
        summary: 'Join the waitlist',
        description:
          'The response is the same for every address, and is sent before it is looked up. ' +
          'Sends an email with a link to verify the address: at most one in ten minutes, and ' +
          'after three unused links one a day. At most 10 requests in ten minutes from one ' +
          'client.',
        tags,
        body: JoinBody,
        errors: ['waitlist.email_not_configured'],
        response: { 200: JoinView },
      },
    },
    async (request) => {
      await waitlist.join(request.body, { address: request.ip, source: 'api' });
      return joined;
    },
  );
}

function verifyRoute(app: ZodApp, waitlist: Waitlist): void {
  app.post(
    '/api/v2/waitlist/verify',
    {
      bodyLimit,
      config: limits.verify,
      schema: {
        operationId: 'waitlist.verify',
        summary: 'Verify an email address',
        description:
          'Accepts the token from the email, which works once, and returns the entry with its ' +
          'position and a secret token for `GET /api/v2/waitlist/me`.',
        tags,
        body: TokenBody,
        errors: ['waitlist.link_invalid'],
        response: { 200: VerifiedView },
      },
    },
    async (request) => {
      const { token } = request.body;
      const verified = await waitlist.verify(token, { address: request.ip });
      return { ...verified.entry, token: verified.token };
    },
  );
}

function ownRoutes(app: ZodApp, waitlist: Waitlist): void {
  app.get(
    '/api/v2/waitlist/me',
    {
      config: limits.read,
      schema: {
        operationId: 'waitlist.me',
        summary: 'Get your entry',
        description:
          'The entry of a person, who sends the secret token in the header `Waitlist-Token`. ' +
          'The position is computed at each request.',
        tags,
        headers: TokenHeaders,
        errors: ['waitlist.token_invalid'],
        response: { 200: OwnEntryView },
      },
    },
    (request) => waitlist.me(request.headers['waitlist-token']),
  );

  app.post(
    '/api/v2/waitlist/leave',
    {
      bodyLimit,
      config: limits.leave,
      schema: {
        operationId: 'waitlist.leave',
        summary: 'Leave the waitlist',
        description:
          'Accepts the token from the link at the end of any email, and deletes the entry. ' +
          'Repeating the call has no effect.',
        tags,
        body: TokenBody,
        errors: ['waitlist.link_invalid'],
        response: { 200: LeftView },
      },
    },
    async (request) => {
      await waitlist.leave(request.body.token);
      return { detail: 'You have left the waitlist.' };
    },
  );
}

function figureRoutes(app: ZodApp, waitlist: Waitlist): void {
  app.get(
    '/api/v2/waitlist/leaderboard',
    {
      config: limits.read,
      schema: {
        operationId: 'waitlist.leaderboard',
        summary: 'Show the leaderboard',
        description: 'The ten people with the most verified referrals, with masked names.',
        tags,
        errors: ['waitlist.leaderboard_off'],
        response: { 200: LeaderboardView },
      },
    },
    () => waitlist.leaderboard(),
  );

  app.get(
    '/api/v2/waitlist/stats',
    {
      config: limits.read,
      schema: {
        operationId: 'waitlist.stats',
        summary: 'Show the size of the waitlist',
        description:
          'Public. Admins get more from `GET /api/v2/waitlist/entries/stats`. At most a ' +
          'second old.',
        tags,
        response: { 200: StatsView },
      },
    },
    async () => ({ total: (await waitlist.figures()).total }),
  );
}

/** The API of people on the waitlist. */
export const waitlistRoutes: FastifyPluginAsyncZod<WaitlistRoutesOptions> = async (
  app,
  { waitlist, waitlistOrigins },
) => {
  noStore(app);
  app.register(async (embeddable: ZodApp) => {
    allowOrigins(embeddable, waitlistOrigins);
    joinRoute(embeddable, waitlist);
  });
  verifyRoute(app, waitlist);
  ownRoutes(app, waitlist);
  figureRoutes(app, waitlist);
};
