import { z } from 'zod';

/** The answer of a page, for the reference. */
export const HtmlPage = { content: { 'text/html': { schema: z.string() } } };

/** Names a sentence that is said first: what was just done. */
export const done = z
  .string()
  .max(40)
  .optional()
  .describe('Names what was just done, which the page then says.');

/** The word that was typed to confirm what can't be undone. */
export const confirm = z.string().max(300).default('');

/** Words that were searched for, as an address has them: sealed. */
export const find = z
  .string()
  .max(1500)
  .optional()
  .describe('What was searched for, sealed by the form that was sent.');

/** A value of a form that may be left out: forms send an empty text then. */
export const orNone = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .literal('')
    .or(schema)
    .transform((value): z.output<Schema> | undefined => (value === '' ? undefined : value))
    .optional();
