import { z } from 'zod';

/** The response of a page, for the API reference. */
export const HtmlPage = { content: { 'text/html': { schema: z.string() } } };

/** The key of the notice that the page shows first. */
export const done = z
  .string()
  .max(40)
  .optional()
  .describe('The action just completed, for the notice on the page.')
  .meta({ examples: ['saved'] });

/** Sealed search terms: see `search-terms.ts`. */
export const find = z
  .string()
  .max(1500)
  .optional()
  .describe('Encrypted search terms, from the form.')
  .meta({ examples: ['q8Xn2LrTVb0eY5kD1mZc'] });

/** `next_cursor` of the previous page, if it is an id. */
export const cursor = z.uuid().optional().describe('Cursor from the previous page.');

/** A field that may be empty: forms send an empty string for it. */
export const emptyable = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .literal('')
    .or(schema)
    .transform((value): z.output<Schema> | undefined => (value === '' ? undefined : value))
    .optional();
