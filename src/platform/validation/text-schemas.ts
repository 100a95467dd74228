import { z } from 'zod';
import { emailForm, isEmail, maxEmailLength, plainEmail } from '../../lib/identifiers.ts';
import { webUrlMessage } from '../../lib/net/public-url.ts';
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

/** The check of a web address for its own sake; where it may lead is judged by a service. */
export const webUrl = ({ value, issues }: z.core.ParsePayload<string>): void => {
  const message = webUrlMessage(value);
  if (message !== undefined) issues.push({ code: 'custom', input: value, message });
};

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
