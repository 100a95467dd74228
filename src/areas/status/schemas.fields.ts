import { z } from 'zod';
import { multiLine } from '../../lib/text/text-patterns.ts';
import { instant } from '../../platform/validation/instants.ts';
import { trimmedLine } from '../../platform/validation/text-schemas.ts';

export const name = trimmedLine(200).min(1);

/** The text of an update. */
export const updateText = z
  .string()
  .trim()
  .min(1)
  .max(10_000)
  .regex(multiLine, 'must have no control characters except line breaks')
  .describe('Plain text; blank lines separate paragraphs.');

export const time = z.iso.datetime();

const [earliest, latest] = [Date.UTC(2000), Date.UTC(2100)];
/** A time sent by a client. */
export const statusTime = instant().refine(
  (text) => Date.parse(text) >= earliest && Date.parse(text) < latest,
  'must be in the years 2000 to 2099',
);

/** Query parameters of all lists. */
export const pageQuery = {
  limit: z.coerce.number().int().min(1).max(100).default(20).describe('Maximum entries per page.'),
  cursor: z.uuid().optional().describe('The `next_cursor` from the previous page.'),
};

export const UuidParams = z.object({ id: z.uuid() });

export const DeletedView = z.object({ deleted: z.literal(true), id: z.string() }).meta({
  id: 'DeletedStatusRecord',
  description: 'The id of the deleted record.',
  examples: [{ deleted: true, id: '01986a2b-77c4-7e19-8f03-6d4b9a1e2c58' }],
});
