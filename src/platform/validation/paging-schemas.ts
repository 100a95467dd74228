import { z } from 'zod';

/** The `cursor` of the next page of a list. */
export const NextCursor = z
  .string()
  .nullable()
  .describe('Null on the last page.')
  .meta({ examples: [null] });
