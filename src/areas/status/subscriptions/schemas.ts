import { z } from 'zod';
import { NextCursor } from '../../../platform/validation/paging-schemas.ts';
import { pageQuery, time } from '../schemas.fields.ts';

export const SubscriberListQuery = z.strictObject({
  email: z
    .string()
    .trim()
    .max(320)
    .optional()
    .describe('Only this email address.')
    .meta({ examples: ['ada@example.com'] }),
  ...pageQuery,
});
export const SubscriberPage = z
  .object({
    data: z
      .array(
        z.object({
          id: z.uuid(),
          email: z.string().meta({ examples: ['ada@example.com'] }),
          created_at: time,
          confirmed_at: time
            .nullable()
            .describe('Null until the subscription is confirmed. Until then no updates are sent.'),
        }),
      )
      .describe('Newest first.'),
    next_cursor: NextCursor,
    total: z.int().describe('Total number of confirmed subscribers.'),
  })
  .meta({ id: 'StatusSubscriberList', description: 'A page of subscribers.' });
