import { z } from 'zod';
import { emailIdentity, emailKey } from '../../../lib/identifiers.ts';
import { multiLine } from '../../../lib/text/text-patterns.ts';
import { NextCursor } from '../../../platform/validation/paging-schemas.ts';
import { invitationStatuses } from './store.ts';

const time = z.iso.datetime();
const role = z.enum(['none', 'viewer', 'admin']);

export const InvitationParams = z.object({ id: z.uuid() });

export const InvitationFilters = z.strictObject({
  status: z.enum(invitationStatuses).optional().describe('Only invitations with this status.'),
  email: z
    .string()
    .max(320)
    .overwrite(emailKey)
    .optional()
    .describe('Only invitations to this email address.')
    .meta({ examples: ['grace@example.com'] }),
  q: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .describe('Any part of the email address.')
    .meta({ examples: ['grace'] }),
});
export type InvitationFilters = z.output<typeof InvitationFilters>;

export const InvitationListQuery = InvitationFilters.extend({
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(100)
    .default(20)
    .describe('Maximum invitations per page.'),
  cursor: z.uuid().optional().describe('The `next_cursor` from the previous page.'),
});

export const CreateInvitationBody = z
  .strictObject({
    email: z
      .string()
      .trim()
      .max(320)
      .refine((text) => emailIdentity(text) !== undefined, 'must be an email address')
      .describe('Email address of the person. The invitation is sent to it.'),
    role: role.default('none').describe('Role in the console that the person gets by accepting.'),
    note: z
      .string()
      .trim()
      .max(500)
      .regex(multiLine, 'must be text without control characters')
      .refine((text) => text.isWellFormed(), 'must be well-formed Unicode')
      .nullish()
      .describe('Personal note in the email, as plain text.'),
    expires_in_days: z
      .int()
      .min(1)
      .max(30)
      .default(7)
      .describe('Days until the invitation expires. Sending it again restarts them.'),
  })
  .meta({
    id: 'CreateInvitation',
    examples: [{ email: 'grace@example.com', role: 'viewer', note: 'Welcome to the team.' }],
  });
export type CreateInvitationBody = z.output<typeof CreateInvitationBody>;

const example = {
  id: '01986a2b-77c4-7e19-8f03-6d4b9a1e2c58',
  email: 'grace@example.com',
  role: 'viewer' as const,
  note: 'Welcome to the team.',
  status: 'pending' as const,
  invited_by: { kind: 'user' as const, id: '01986a2b-1111-7e19-8f03-6d4b9a1e2c58' },
  created_at: '2026-05-04T09:30:00.000Z',
  sent_at: '2026-05-04T09:30:00.000Z',
  times_sent: 1,
  expires_at: '2026-05-11T09:30:00.000Z',
  accepted_at: null,
  accepted_by: null,
  revoked_at: null,
};

export const InvitationView = z
  .object({
    id: z.uuid(),
    email: z.string().describe('In lowercase.'),
    role,
    note: z.string().nullable(),
    status: z.enum(invitationStatuses),
    invited_by: z
      .object({ kind: z.enum(['user', 'api_key']), id: z.string() })
      .describe('Who sent it last.'),
    created_at: time,
    sent_at: time.describe('When it was last sent.'),
    times_sent: z.int(),
    expires_at: time,
    accepted_at: time.nullable(),
    accepted_by: z.uuid().nullable().describe('The id of the user.'),
    revoked_at: time.nullable(),
  })
  .meta({
    id: 'Invitation',
    description: 'An invitation. Its link is only in the email.',
    examples: [example],
  });
export type InvitationView = z.output<typeof InvitationView>;

export const InvitationPage = z
  .object({ data: z.array(InvitationView).describe('Newest first.'), next_cursor: NextCursor })
  .meta({ id: 'InvitationList', description: 'A page of invitations, newest first.' });
export type InvitationPage = z.output<typeof InvitationPage>;

const token = z
  .string()
  .max(256)
  .default('')
  .meta({ examples: ['k3Jx9Qw2LmT7'] });
export const TokenQuery = z.object({ token: token.describe('Token from the link.') });
export const TokenForm = z.object({ token });
