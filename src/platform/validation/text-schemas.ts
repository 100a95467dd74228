import { z } from 'zod';
import { oneLine } from '../../lib/text/text-patterns.ts';

/** Refuses lone surrogates, because SQL would replace them. */
export const wellFormed = (schema: z.ZodString): z.ZodString =>
  schema.refine(
    (text) => text.isWellFormed(),
    'must be well-formed Unicode, without lone surrogates',
  );

/** One line of text, trimmed and well-formed. */
export const lineText = (maxLength: number) =>
  wellFormed(
    z
      .string()
      .trim()
      .min(1)
      .max(maxLength)
      .regex(oneLine, 'must be one line without control characters'),
  );
