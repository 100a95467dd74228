import { z } from 'zod';
import { hasFourDigitYear } from '../../../lib/timestamps.ts';
import { SiteParams } from '../sites/schemas.ts';
import { instant } from '../../../platform/validation/instants.ts';
import { lineText } from '../../../platform/validation/text-schemas.ts';
import { NextCursor } from '../../../platform/validation/paging-schemas.ts';

const far = 'must be in the years 1 to 9999, UTC';
const edge = z
  .union([instant(), z.iso.date()])
  .refine((text) => hasFourDigitYear(Date.parse(text)), far)
  .optional();
const Instant = instant()
  .refine((text) => Date.parse(text) >= 0, 'must not be before 1970')
  .refine((text) => hasFourDigitYear(Date.parse(text)), far)
  .meta({ examples: ['2026-05-04T09:30:00Z'] });
const Text = lineText(200).meta({ examples: ['New prices'] });

export const AnnotationParams = SiteParams.extend({ id: z.uuid().describe('The annotation.') });

export const AnnotationListQuery = z.strictObject({
  from: edge.describe('First instant or UTC day, inclusive.'),
  to: edge.describe('Last instant or UTC day, exclusive.'),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(500)
    .default(100)
    .describe('Maximum annotations per page.'),
  cursor: z
    .string()
    .regex(
      /^\d{1,15}_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
      'must be the next_cursor of an answer',
    )
    .refine((text) => hasFourDigitYear(parseInt(text, 10)), 'must be the next_cursor of an answer')
    .optional()
    .describe('The `next_cursor` from the previous page.')
    .meta({ examples: ['1777887000000_01986a2b-77c4-7e19-8f03-6d4b9a1e2c58'] }),
});
export type AnnotationListQuery = z.output<typeof AnnotationListQuery>;

export const CreateAnnotationBody = z
  .strictObject({
    at: Instant.describe('Time of the annotation (RFC 3339).'),
    text: Text.describe('Text of the annotation.'),
  })
  .meta({
    id: 'CreateAnalyticsAnnotation',
    examples: [{ at: '2026-05-04T09:30:00Z', text: 'New prices' }],
  });
export type CreateAnnotationBody = z.output<typeof CreateAnnotationBody>;

export const UpdateAnnotationBody = z
  .strictObject({ at: Instant.optional(), text: Text.optional() })
  .meta({ id: 'UpdateAnalyticsAnnotation', examples: [{ text: 'New prices in Europe' }] });
export type UpdateAnnotationBody = z.output<typeof UpdateAnnotationBody>;

export const AnnotationView = z
  .object({
    id: z.uuid(),
    site_id: z.string(),
    at: z.iso.datetime(),
    text: z.string(),
    created_by: z.string().describe('The user or API key that created it.'),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({
    id: 'AnalyticsAnnotation',
    description: 'The annotation.',
    examples: [
      {
        id: '01986a2b-77c4-7e19-8f03-6d4b9a1e2c58',
        site_id: 'example.com',
        at: '2026-05-04T09:30:00.000Z',
        text: 'New prices',
        created_by: '01985f6e-3a10-7c41-9d52-5b8e2f7a1c04',
        created_at: '2026-05-04T10:15:00.000Z',
        updated_at: '2026-05-04T10:15:00.000Z',
      },
    ],
  });
export type AnnotationView = z.output<typeof AnnotationView>;

export const AnnotationPage = z
  .object({
    data: z.array(AnnotationView).describe('By time, newest first.'),
    next_cursor: NextCursor,
  })
  .meta({ id: 'AnalyticsAnnotationList', description: 'A page of annotations.' });
export type AnnotationPage = z.output<typeof AnnotationPage>;
