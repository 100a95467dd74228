import type { FastifyReply } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { attachment } from '../../../lib/net/header-text.ts';
import { resourceLimits } from '../../../platform/resource/resource-limits.ts';
import { BatchParams } from '../batches/schemas.batches.ts';
import type { Prints } from './prints.ts';
import { SheetBody, ZipQuery } from './schemas.pictures.ts';

export interface PrintRoutesOptions {
  prints: Prints;
}

const tags = ['qr-pictures'];
const binary = z.any().meta({ type: 'string', format: 'binary', examples: ['…'] });
const errors = ['qr.batch_not_found', 'qr.batch_running'] as const;

const asFile = (reply: FastifyReply, type: string, name: string): FastifyReply =>
  reply
    .header('content-type', type)
    .header('content-disposition', attachment(name))
    .header('cache-control', 'private, no-store');

/** Files with many codes, for admins. */
export const printRoutes: FastifyPluginAsyncZod<PrintRoutesOptions> = async (app, { prints }) => {
  app.post(
    '/api/v1/qr-codes/sheet',
    {
      config: resourceLimits.file,
      schema: {
        operationId: 'qrCodes.print_sheet',
        summary: 'Print a sheet of codes',
        description:
          'A PDF with the codes on labels or in a grid, their names and short links below them. ' +
          'At most 500 codes. Print it at 100 %, without fitting it to the page.',
        tags,
        body: SheetBody,
        errors: [...errors],
        response: {
          200: { description: 'The sheet.', content: { 'application/pdf': { schema: binary } } },
        },
      },
    },
    async (request, reply) => {
      const sheet = await prints.sheet(request.body);
      return asFile(reply, 'application/pdf', 'qr-codes.pdf').send(sheet);
    },
  );

  app.get(
    '/api/v1/qr-batches/:id/images.zip',
    {
      config: resourceLimits.file,
      schema: {
        operationId: 'qrCodes.get_batch_images',
        summary: 'Get the pictures of a file of codes',
        description: 'A zip archive with a picture for each code, named after it.',
        tags,
        params: BatchParams,
        querystring: ZipQuery,
        errors: [...errors],
        response: {
          200: { description: 'The archive.', content: { 'application/zip': { schema: binary } } },
        },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const archive = await prints.zip(id, request.query);
      return asFile(reply, 'application/zip', `qr-codes-${id.slice(0, 8)}.zip`).send(archive);
    },
  );
};
