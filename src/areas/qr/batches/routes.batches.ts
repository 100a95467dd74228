import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { acceptText } from '../../../platform/http/body-parsers.ts';
import { requestActor } from '../../../platform/http/requests/request-actor.ts';
import type { ZodApp } from '../../../platform/http/zod-app.ts';
import { importColumnsOf } from '../../../platform/resource/entry-csv.ts';
import { resourceLimits } from '../../../platform/resource/resource-limits.ts';
import { QrCodeBody } from '../schemas.ts';
import type { Batches } from './batches.ts';
import {
  BatchParams,
  BatchQuery,
  maxBatchRows,
  QrBatchesView,
  QrBatchView,
} from './schemas.batches.ts';

export interface BatchRoutesOptions {
  qrBatches: Batches;
}

const tags = ['qr-batches'];
const bodyLimit = 8 * 1024 * 1024;
const columns = importColumnsOf(QrCodeBody).join(',');

function createRoute(app: ZodApp, { qrBatches }: BatchRoutesOptions): void {
  app.post(
    '/api/v1/qr-batches',
    {
      bodyLimit,
      config: resourceLimits.file,
      schema: {
        operationId: 'qrCodes.create_batch',
        summary: 'Create codes from a file',
        description:
          `A CSV file with a header of \`${columns}\` and at most ` +
          `${maxBatchRows.toLocaleString('en-US')} rows. If a row is invalid, nothing is ` +
          'created, and `loc` has the number of its line. A job creates the codes; ' +
          '`qrCodes.get_batch` shows its progress.',
        tags,
        consumes: ['text/csv'],
        querystring: BatchQuery,
        body: z.string().meta({ examples: [`${columns}\r\n`] }),
        errors: ['qr.not_found'],
        response: { 202: QrBatchView },
      },
    },
    async (request, reply) => {
      const { body, query } = request;
      const batch = await qrBatches.create(body, query, requestActor(request));
      return reply.code(202).send(batch);
    },
  );
}

function readRoutes(app: ZodApp, { qrBatches }: BatchRoutesOptions): void {
  app.get(
    '/api/v1/qr-batches',
    {
      config: resourceLimits.read,
      schema: {
        operationId: 'qrCodes.list_batches',
        summary: 'List files of codes',
        description: 'The last fifty files, newest first, and how many codes are created so far.',
        tags,
        response: { 200: QrBatchesView },
      },
    },
    async () => ({ data: await qrBatches.list() }),
  );

  app.get(
    '/api/v1/qr-batches/:id',
    {
      config: resourceLimits.read,
      schema: {
        operationId: 'qrCodes.get_batch',
        summary: 'Get a file of codes',
        description: 'How many of its codes are created so far, and which rows failed.',
        tags,
        params: BatchParams,
        errors: ['qr.batch_not_found'],
        response: { 200: QrBatchView },
      },
    },
    (request) => qrBatches.get(request.params.id),
  );
}

/** Files of codes, for admins. In its own plugin, because only these routes accept CSV. */
export const batchRoutes: FastifyPluginAsyncZod<BatchRoutesOptions> = async (app, options) => {
  acceptText(app, ['text/csv']);
  createRoute(app, options);
  readRoutes(app, options);
};
