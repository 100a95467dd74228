import { operationsOf } from '../../platform/operations/operation.ts';
import { TokenBody } from '../../platform/ui/token-pages.ts';
import type { WaitlistContext } from './compose.ts';
import { bodyLimit, limits } from './limits.ts';
import {
  JoinBody,
  JoinView,
  LeaderboardView,
  LeftView,
  OwnEntryView,
  StatsView,
  TokenHeaders,
  VerifiedView,
} from './schemas.ts';

const operation = operationsOf<WaitlistContext>({
  scope: 'public',
  tag: 'waitlist',
  isIdempotent: true,
});

export const joined = {
  status: 'pending' as const,
  detail:
    'An email is on its way to this address. Follow the link in it within 24 hours. If the ' +
    'address is on the list already, the email leads to its place.',
};
export const left = { detail: 'You have left the waitlist.' };

/** Joining, which pages of other websites may call too. */
export const joinOperation = operation({
  id: 'waitlist.join',
  path: 'POST /api/v2/waitlist',
  summary: 'Join the waitlist',
  description:
    'The response is the same for every address, and is sent before it is looked up. Sends ' +
    'an email with a link to verify the address: at most one in ten minutes, and after ' +
    'three unused links one a day. At most 10 requests in ten minutes from one client.',
  limit: limits.join,
  route: { bodyLimit },
  body: JoinBody,
  output: JoinView,
  errors: ['waitlist.email_not_configured'],
  async run({ waitlist }, body, { request }) {
    await waitlist.join(body, { address: request.ip, source: 'api' });
    return joined;
  },
});

/** What people on the waitlist can do, and its public figures. */
export const waitlistOperations = [
  operation({
    id: 'waitlist.verify',
    path: 'POST /api/v2/waitlist/verify',
    summary: 'Verify an email address',
    description:
      'Accepts the token from the email, which works once, and returns the entry with its ' +
      'position and a secret token for `GET /api/v2/waitlist/me`.',
    limit: limits.verify,
    route: { bodyLimit },
    body: TokenBody,
    output: VerifiedView,
    errors: ['waitlist.link_invalid'],
    async run({ waitlist }, { token }, { request }) {
      const verified = await waitlist.verify(token, { address: request.ip });
      return { ...verified.entry, token: verified.token };
    },
  }),
  operation({
    id: 'waitlist.me',
    path: 'GET /api/v2/waitlist/me',
    summary: 'Get your entry',
    description:
      'The entry of a person, who sends the secret token in the header `Waitlist-Token`. The ' +
      'position is computed at each request.',
    limit: limits.read,
    schema: { headers: TokenHeaders },
    output: OwnEntryView,
    errors: ['waitlist.token_invalid'],
    run: ({ waitlist }, _input, { request }) =>
      waitlist.me(TokenHeaders.parse(request.headers)['waitlist-token']),
  }),
  operation({
    id: 'waitlist.leave',
    path: 'POST /api/v2/waitlist/leave',
    summary: 'Leave the waitlist',
    description:
      'Accepts the token from the link at the end of any email, and deletes the entry. ' +
      'Repeating the call has no effect.',
    limit: limits.leave,
    route: { bodyLimit },
    body: TokenBody,
    output: LeftView,
    errors: ['waitlist.link_invalid'],
    async run({ waitlist }, { token }) {
      await waitlist.leave(token);
      return left;
    },
  }),
  operation({
    id: 'waitlist.leaderboard',
    path: 'GET /api/v2/waitlist/leaderboard',
    summary: 'Get the leaderboard',
    description: 'The ten people with the most verified referrals, with masked names.',
    limit: limits.read,
    output: LeaderboardView,
    errors: ['waitlist.leaderboard_off'],
    run: ({ waitlist }) => waitlist.leaderboard(),
  }),
  operation({
    id: 'waitlist.stats',
    path: 'GET /api/v2/waitlist/stats',
    summary: 'Get the size of the waitlist',
    description:
      'Public. Admins get more from `GET /api/v2/waitlist/entries/stats`. The number is at most ' +
      'one second old.',
    limit: limits.read,
    output: StatsView,
    run: async ({ waitlist }) => ({ total: (await waitlist.figures()).total }),
  }),
];
