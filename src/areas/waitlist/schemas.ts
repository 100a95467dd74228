import { z } from 'zod';
import { linkToken } from '../../platform/ui/token-pages.ts';
import { lineText } from '../../platform/validation/text-schemas.ts';
import { entryStatuses } from './tables.ts';

const time = z.iso.datetime();
const maxMetadata = 20;

export const name = lineText(200)
  .describe('Name of the person.')
  .meta({ examples: ['Ada Lovelace'] });

/** Facts that the website adds, such as a campaign. */
export const metadata = z
  .record(
    z.string().regex(/^[\w.-]{1,64}$/, 'must be letters, digits, dots, dashes and underscores'),
    z.union([lineText(500).or(z.literal('')), z.number(), z.boolean(), z.null()]),
  )
  .refine((values) => Object.keys(values).length <= maxMetadata, {
    message: `must have at most ${maxMetadata} members`,
  })
  .describe(`Your own data: at most ${maxMetadata} strings of 500 characters, numbers or booleans.`)
  .meta({ examples: [{ campaign: 'launch' }] });

const referralCode = z
  .string()
  .trim()
  .max(32)
  .regex(/^[\w-]*$/, 'must be letters, digits, dashes and underscores')
  .describe('The code of the person who referred this one. An unknown code is ignored.')
  .meta({ examples: ['4k7mz1q9xw'] });

export const JoinBody = z
  .object({
    email: z
      .string()
      .max(1024)
      .describe('Email address. A link to verify it is sent to it.')
      .meta({ examples: ['ada@example.com'] }),
    name: name.optional(),
    referral_code: referralCode.optional(),
    metadata: metadata.optional(),
    consent: z
      .boolean()
      .optional()
      .describe('Must be true: the person agrees to get emails about the waitlist.'),
    website: z.string().max(1024).optional().describe('Leave empty. A honeypot for bots.'),
  })
  .meta({
    id: 'JoinWaitlist',
    examples: [{ email: 'ada@example.com', name: 'Ada Lovelace', consent: true }],
  });
export type JoinBody = z.output<typeof JoinBody>;

export const JoinView = z
  .object({
    status: z.literal('pending'),
    detail: z.string().meta({ examples: ['Follow the link in the email within 24 hours.'] }),
  })
  .meta({
    id: 'JoinedWaitlist',
    description: 'The request was accepted. The response is the same for every address.',
  });

const status = z
  .enum(entryStatuses)
  .describe(
    '`pending`: the address is not verified. `verified`: waiting. `approved`: invited. ' +
      '`denied`: will not be invited. `joined`: has signed in.',
  );

const ownMembers = {
  id: z.uuid(),
  status,
  position: z
    .int()
    .nullable()
    .describe('Position in line: 1 is next. Null for people who are not waiting.'),
  ahead: z.int().nullable().describe('People ahead of this one.'),
  total: z.int().describe('People who are waiting.'),
  next_referral_gain: z
    .int()
    .nullable()
    .describe('Places that the next verified referral moves the person up. Null: not waiting.'),
  referral_code: z.string().meta({ examples: ['4k7mz1q9xw'] }),
  referral_link: z.url().meta({ examples: ['https://svc.example/waitlist?ref=4k7mz1q9xw'] }),
  amount_referred: z.int().describe('Verified referrals that moved the person up.'),
  created_at: time,
};

export const OwnEntryView = z
  .object(ownMembers)
  .meta({ id: 'WaitlistOwnEntry', description: 'A waitlist entry, as its owner sees it.' });
export type OwnEntryView = z.output<typeof OwnEntryView>;

export const VerifiedView = z
  .object({
    ...ownMembers,
    token: z
      .string()
      .describe('The person’s secret token, for `GET /api/v2/waitlist/me`.')
      .meta({ examples: ['01986a2b-77c4-7e19-8f03-6d4b9a1e2c58.k3Jx9Qw2LmT7'] }),
  })
  .meta({ id: 'VerifiedWaitlistEntry', description: 'The verified entry, and its secret token.' });

export const TokenHeaders = z.object({
  'waitlist-token': linkToken.describe('Token from the status link in an email, after the `#`.'),
});

export const LeaderboardView = z
  .object({
    data: z.array(
      z.object({
        rank: z.int().meta({ examples: [1] }),
        name: z
          .string()
          .nullable()
          .describe('Masked; null for people without a name.')
          .meta({ examples: ['A•••'] }),
        amount_referred: z.int(),
      }),
    ),
  })
  .meta({ id: 'WaitlistLeaderboard', description: 'The ten people with the most referrals.' });

export const StatsView = z
  .object({
    total: z
      .int()
      .nullable()
      .describe('People who are waiting; null if the operator keeps it private (WAITLIST_TOTAL).'),
  })
  .meta({ id: 'WaitlistStats', description: 'The size of the waitlist.' });

const shownText = z.string().max(64).default('').catch('');
export const PageQuery = z.object({ ref: shownText.describe('Referral code, from the link.') });
export const LeftView = z
  .object({ detail: z.string().meta({ examples: ['You have left the waitlist.'] }) })
  .meta({ id: 'LeftWaitlist', description: 'The entry was deleted.' });
