import { z } from 'zod';
import { oneLine } from '../../lib/text/text-patterns.ts';

/** One line of text, trimmed. Lone surrogates are refused, because SQL would replace them. */
export const lineText = (maxLength: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(maxLength)
    .regex(oneLine, 'must be one line without control characters')
    .refine((text) => text.isWellFormed(), 'must be well-formed Unicode, without lone surrogates');
