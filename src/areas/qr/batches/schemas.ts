import { z } from 'zod';
import { lineText } from '../../../platform/validation/text-schemas.ts';
import { exampleId, idParams } from '../schemas.ts';

/** The most rows of a file. */
export const maxBatchRows = 5000;

const count = z.int();
const time = z.iso.datetime();

export const BatchParams = idParams('file');

export const BatchFailures = z.array(
  z.object({ line: count.describe('Line of the file.'), code: z.string(), detail: z.string() }),
);

export const QrBatchView = z
  .object({
    id: z.uuid(),
    name: z.string().nullable().describe('For your own reference. Null: none was given.'),
    status: z.enum(['running', 'done']),
    total: count.describe('Rows in the file.'),
    done: count.describe('Rows processed so far, including failed ones.'),
    failed: count,
    errors: BatchFailures.describe('The first hundred failed rows, with the reason.'),
    created_at: time,
    finished_at: time.nullable(),
  })
  .meta({
    id: 'QrBatch',
    description: 'A file of QR codes, and how many of them have been created so far.',
    examples: [
      {
        id: exampleId,
        name: 'tables.csv',
        status: 'running',
        total: 5000,
        done: 1250,
        failed: 1,
        errors: [{ line: 17, code: 'qr.code_taken', detail: 'Another QR code has this link.' }],
        created_at: '2026-05-04T10:15:00.000Z',
        finished_at: null,
      },
    ],
  });
export type QrBatchView = z.output<typeof QrBatchView>;

export const QrBatchesView = z
  .object({ data: z.array(QrBatchView) })
  .meta({ id: 'QrBatchList', description: 'The last fifty files, newest first.' });

export const BatchQuery = z.strictObject({
  style_of: z
    .uuid()
    .toLowerCase()
    .optional()
    .describe('Gives the codes the style of this one.')
    .meta({ examples: [exampleId] }),
  name: lineText(200)
    .optional()
    .describe('A name for the file, for your own reference.')
    .meta({ examples: ['tables.csv'] }),
});
export type BatchQuery = z.output<typeof BatchQuery>;
