import { z } from 'zod';
import { multiLine } from '../../../lib/text/text-patterns.ts';

const time = z.iso.datetime();
const userId = z.uuid().describe('The id of the admin; null once that account is deleted.');

export const FactorResetParams = z.object({
  // Lower case like stored ids, because it is compared with the caller's id.
  id: z.uuid().toLowerCase().describe('The id of the user.'),
});

export const RequestFactorResetBody = z
  .strictObject({
    reason: z
      .string()
      .trim()
      .min(1)
      .max(500)
      .regex(multiLine, 'must be text without control characters')
      .refine((text) => text.isWellFormed(), 'must be well-formed Unicode')
      .describe(
        'The reason, and how you verified the person’s identity. Shown to admins, and to ' +
          'the user in exports.',
      ),
  })
  .meta({
    id: 'RequestFactorReset',
    examples: [{ reason: 'Lost phone and backup codes. I recognized her on a video call.' }],
  });

export const ApproveFactorResetBody = z
  .strictObject({
    id: z
      .uuid()
      .toLowerCase()
      .optional()
      .describe('The id of the reset to approve, so that you approve the one that you reviewed.'),
  })
  .meta({
    id: 'ApproveFactorReset',
    examples: [{ id: '01986a2b-77c4-7e19-8f03-6d4b9a1e2c58' }],
  });

export const FactorResetView = z
  .object({
    id: z.uuid(),
    user_id: z.uuid(),
    status: z
      .enum(['requested', 'approved', 'completing', 'completed', 'canceled', 'expired'])
      .describe('`completing` lasts for a moment: the factors are gone, the sessions are ending.'),
    reason: z.string(),
    requested_by: userId.nullable(),
    requested_at: time,
    expires_at: time.describe('When the request expires unless it is approved.'),
    approved_by: userId.nullable(),
    approved_at: time.nullable(),
    takes_effect_at: time.nullable().describe('24 hours after the approval. Null before it.'),
    ended_at: time.nullable().describe('When it was completed, canceled or expired.'),
    canceled_by: z
      .uuid()
      .nullable()
      .describe('The id of the person who canceled it, if they were signed in.'),
    cancel_reason: z
      .enum(['admin', 'user', 'link', 'factor_used', 'admin_lost', 'user_disabled'])
      .nullable()
      .describe(
        '`admin` and `user`: one of them canceled it. `link`: the link in the messages was ' +
          'used. `factor_used`: the user used or added a second factor. `admin_lost`: one of ' +
          'the two admins lost the role. `user_disabled`: the account was suspended.',
      ),
  })
  .meta({
    id: 'FactorReset',
    description: 'The 2FA reset of the user.',
    examples: [
      {
        id: '01986a2b-77c4-7e19-8f03-6d4b9a1e2c58',
        user_id: '01986a2b-1111-7e19-8f03-6d4b9a1e2c58',
        status: 'approved',
        reason: 'Lost phone and backup codes. I recognized her on a video call.',
        requested_by: '01986a2b-2222-7e19-8f03-6d4b9a1e2c58',
        requested_at: '2026-05-04T09:30:00.000Z',
        expires_at: '2026-05-11T09:30:00.000Z',
        approved_by: '01986a2b-3333-7e19-8f03-6d4b9a1e2c58',
        approved_at: '2026-05-04T10:00:00.000Z',
        takes_effect_at: '2026-05-05T10:00:00.000Z',
        ended_at: null,
        canceled_by: null,
        cancel_reason: null,
      },
    ],
  });
export type FactorResetView = z.output<typeof FactorResetView>;

const token = z
  .string()
  .max(256)
  .default('')
  .meta({ examples: ['k3Jx9Qw2LmT7'] });
export const CancelTokenQuery = z.object({ token: token.describe('Token from the link.') });
export const CancelTokenForm = z.object({ token });
