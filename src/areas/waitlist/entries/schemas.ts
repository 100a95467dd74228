import { z } from 'zod';
import { emailIdentity } from '../../../lib/identifiers.ts';
import { lineText } from '../../../platform/validation/text-schemas.ts';
import { creditReasons } from '../referral-rules.ts';
import { metadata, name } from '../schemas.ts';
import { credits, entryStatuses, sources } from '../tables.ts';

const time = z.iso.datetime();
const id = z.uuid().toLowerCase();

const status = z.enum(entryStatuses);
const credit = z
  .enum(credits)
  .describe(
    'Whether the referrer gets points for this entry. `none`: nobody referred it. `waiting`: ' +
      'until the address is verified.',
  );

export const EntryView = z
  .object({
    id: z.uuid(),
    email: z.string().meta({ examples: ['ada@example.com'] }),
    name: z
      .string()
      .nullable()
      .meta({ examples: ['Ada Lovelace'] }),
    status,
    score: z.int().describe('Points for verified referrals.'),
    amount_referred: z.int(),
    referral_code: z.string().meta({ examples: ['k7tm4q2x'] }),
    referred_by: z.uuid().nullable().describe('The entry of the referrer.'),
    credit,
    credit_reasons: z.array(z.enum(creditReasons)).describe('Why credit was withheld.'),
    is_disposable: z.boolean().describe('Whether the mailbox is disposable.'),
    source: z.enum(sources).describe('How the person joined.'),
    network: z
      .string()
      .nullable()
      .describe('The network (/24 or /56) from which the person joined.')
      .meta({ examples: ['203.0.113.0/24'] }),
    consent_version: z
      .string()
      .nullable()
      .describe('Version of the consent text that was agreed to.')
      .meta({ examples: ['2026-01'] }),
    consent_at: time.nullable(),
    verified_at: time.nullable(),
    verified_network: z
      .string()
      .nullable()
      .describe('The network that opened the link.')
      .meta({ examples: ['203.0.113.0/24'] }),
    verified_because: z
      .string()
      .nullable()
      .describe('Why an admin marked it as verified.')
      .meta({ examples: [null] }),
    approved_at: time.nullable(),
    invited_at: time.nullable().describe('When the invitation was sent.'),
    denied_at: time.nullable(),
    joined_at: time.nullable(),
    metadata: z.record(z.string(), z.unknown()),
    created_at: time,
  })
  .meta({ id: 'WaitlistEntry', description: 'A person on the waitlist, for admins.' });
export type EntryView = z.output<typeof EntryView>;

export const EntryBody = z
  .strictObject({
    email: z
      .string()
      .max(1024)
      .refine(
        (text) => emailIdentity(text) !== undefined,
        'must be an email address, such as name@example.com',
      )
      .meta({ examples: ['ada@example.com'] }),
    name: name.optional(),
    verified_because: lineText(200)
      .optional()
      .describe(
        'Why the address counts as verified, such as `Customer since 2024`. Without it, the ' +
          'person gets a link to verify it.',
      ),
  })
  .meta({
    id: 'CreateWaitlistEntry',
    examples: [{ email: 'ada@example.com', verified_because: 'Customer since 2024' }],
  });
export type EntryBody = z.output<typeof EntryBody>;

export const EntryChangeBody = z
  .strictObject({
    name: name.nullable(),
    metadata,
    credit: z.enum(credits).describe('`granted` and `withheld` override the rules against abuse.'),
    status: z
      .enum(entryStatuses)
      .describe('`approved` approves the person, `denied` turns them down.'),
  })
  .partial()
  .meta({ id: 'UpdateWaitlistEntry', examples: [{ name: 'Ada King' }] });
export type EntryChangeBody = z.output<typeof EntryChangeBody>;

export const entryFilters = {
  status,
  credit,
  is_disposable: z.boolean().describe('Only disposable mailboxes, or only others.'),
  source: z.enum(sources),
  referred_by: id.describe('Only people referred by this entry.'),
};

const ids = z.array(id).min(1).max(1000);
const example = '01986a2b-77c4-7e19-8f03-6d4b9a1e2c58';

export const ApproveBody = z
  .union([
    z.strictObject({
      next: z
        .int()
        .min(1)
        .max(1000)
        .describe('Approves this many people, in the order of the list.'),
    }),
    z.strictObject({ ids: ids.describe('Approves these people.') }),
  ])
  .meta({ id: 'ApproveWaitlistEntries', examples: [{ next: 50 }, { ids: [example] }] });
export type ApproveBody = z.output<typeof ApproveBody>;

export const DenyBody = z
  .strictObject({ ids: ids.describe('Denies these people.') })
  .meta({ id: 'DenyWaitlistEntries', examples: [{ ids: [example] }] });

export const BatchView = z
  .object({
    id: z.uuid(),
    size: z.int().describe('People who were approved.'),
    left_out: z
      .int()
      .describe(
        'People who were skipped because their mailbox is disposable ' +
          '(`is_disposable`). They can be approved one by one.',
      ),
    invited: z.int().describe('People to whom the invitation was sent so far.'),
    done: z.boolean(),
    created_at: time,
  })
  .meta({ id: 'WaitlistBatch', description: 'People approved together, and their invitations.' });
export type BatchView = z.output<typeof BatchView>;

export const DeniedView = z
  .object({ denied: z.int().describe('People denied by this request.') })
  .meta({ id: 'DeniedWaitlistEntries', description: 'How many people were denied.' });
export const RebuiltView = z
  .object({ corrected: z.int().describe('Number of corrected scores.') })
  .meta({ id: 'RebuiltWaitlist', description: 'The scores were recomputed.' });

export const FiguresView = z
  .object({
    entries: z.object({
      pending: z.int(),
      verified: z.int(),
      approved: z.int(),
      denied: z.int(),
      joined: z.int(),
    }),
    verified_share: z
      .number()
      .nullable()
      .describe('Share of entries whose address was verified, 0 to 1.'),
    referrals: z.object({
      granted: z.int(),
      withheld: z
        .record(z.string(), z.int())
        .describe('By reason; a referral can have several.')
        .meta({ examples: [{ same_network: 3 }] }),
    }),
  })
  .meta({
    id: 'WaitlistFigures',
    description: 'Entries by status, and referrals with and without credit.',
  });
export type FiguresView = z.output<typeof FiguresView>;

export const EntryParams = z.object({ id });
