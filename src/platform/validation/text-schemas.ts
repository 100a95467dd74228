import { z } from 'zod';
import { emailForm, isEmail, maxEmailLength, plainEmail } from '../../lib/identifiers.ts';
import { withoutDirections } from '../../lib/text/pasted.ts';
import { oneLine } from '../../lib/text/text-patterns.ts';

/** Refuses lone surrogates, because SQL would replace them. */
export const wellFormed = (schema: z.ZodString): z.ZodString =>
  schema.refine(
    (text) => text.isWellFormed(),
    'must be well-formed Unicode, without lone surrogates',
  );

/** One line of text, trimmed, without the marks of direction that were pasted with it. */
export const trimmedLine = (maxLength: number): z.ZodString =>
  z
    .string()
    .overwrite(withoutDirections)
    .trim()
    .max(maxLength)
    .regex(oneLine, 'must be one line without control characters');

/** One line of text, at least a character, well-formed. */
export const lineText = (maxLength: number): z.ZodString =>
  wellFormed(trimmedLine(maxLength).min(1));

/** An email address by the rule of `isEmail`. Becomes plain, with its domain in punycode. */
export const emailAddress = () =>
  z
    .string()
    .max(1024)
    .overwrite(plainEmail)
    .max(maxEmailLength)
    .check(z.email({ pattern: emailForm }), ({ issues, value }) => {
      if (issues.length === 0 && !isEmail(value))
        issues.push({ code: 'invalid_format', format: 'email', input: value });
    });
