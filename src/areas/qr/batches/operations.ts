import { z } from 'zod';
import { operationsOf } from '../../../platform/operations/operation.ts';
import { importColumnsOf } from '../../../platform/resource/entry-csv.ts';
import { resourceLimits } from '../../../platform/resource/resource-limits.ts';
import type { QrContext } from '../compose.ts';
import { QrCodeBody } from '../schemas.ts';
import { BatchParams, BatchQuery, maxBatchRows, QrBatchesView, QrBatchView } from './schemas.ts';

const columns = importColumnsOf(QrCodeBody).join(',');

const operation = operationsOf<QrContext>({
  scope: 'admin',
  tag: 'qr-batches',
  limit: resourceLimits.read,
  accepts: ['text/csv'],
  noStore: false,
});

/** Files of codes, for admins. */
export const batchOperations = [
  operation({
    id: 'qrCodes.create_batch',
    path: 'POST /api/v1/qr-batches',
    summary: 'Create codes from a file',
    description:
      `A CSV file with a header of \`${columns}\` and at most ` +
      `${maxBatchRows.toLocaleString('en-US')} rows. If a row is invalid, nothing is ` +
      'created, and `loc` has the number of its line. A job creates the codes; ' +
      '`qrCodes.get_batch` shows its progress.',
    limit: resourceLimits.file,
    route: { bodyLimit: 8 * 1024 * 1024 },
    schema: {
      consumes: ['text/csv'],
      body: z.string().meta({ examples: [`${columns}\r\n`] }),
    },
    query: BatchQuery,
    output: QrBatchView,
    status: 202,
    errors: ['qr.not_found'],
    run: ({ qr }, query, { request, by }) =>
      qr.batches.create(z.string().parse(request.body), query, by),
  }),
  operation({
    id: 'qrCodes.list_batches',
    path: 'GET /api/v1/qr-batches',
    summary: 'List files of codes',
    description: 'The last fifty files, newest first, with their progress.',
    output: QrBatchesView,
    run: async ({ qr }) => ({ data: await qr.batches.list() }),
  }),
  operation({
    id: 'qrCodes.get_batch',
    path: 'GET /api/v1/qr-batches/:id',
    summary: 'Get a file of codes',
    description: 'Its progress, and which rows failed.',
    params: BatchParams,
    output: QrBatchView,
    errors: ['qr.batch_not_found'],
    run: ({ qr }, { id }) => qr.batches.get(id),
  }),
];
