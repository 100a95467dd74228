import { z } from 'zod';

/** Where the next page of a list begins: the `cursor` to ask for. */
export const NextCursor = z
  .string()
  .nullable()
  .describe('Null on the last page.')
  .meta({ examples: [null] });
