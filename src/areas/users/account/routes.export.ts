import { Readable } from 'node:stream';
import { z } from 'zod';
import { attachment } from '../../../lib/net/header-text.ts';
import { limit } from '../../../platform/http/limits/rate-limit.ts';
import { originOf } from '../../../platform/http/requests/request-origin.ts';
import type { ZodApp } from '../../../platform/http/zod-app.ts';
import type { AccountRoutesOptions } from './routes.ts';
import { ExportView } from './schemas.ts';

const tags = ['account'];
const zip = z.any().meta({ type: 'string', format: 'binary', examples: ['PK…'] });

/** Makes a copy of the own data. */
export function exportRoutes(app: ZodApp, { exports, guards, clock }: AccountRoutesOptions): void {
  app.post(
    '/api/v1/users/me/export',
    {
      config: { rateLimit: limit({ max: 20, seconds: 300 }) },
      schema: {
        operationId: 'account.start_export',
        summary: 'Start a copy of your data',
        description:
          'A background job collects everything the service knows of you. You get a message ' +
          'when it is ready. While one is under way, or less than an hour old, it is ' +
          'returned instead.',
        tags,
        response: { 202: ExportView },
      },
    },
    async (request, reply) => {
      const { userId } = guards.sessionOf(request);
      return reply.code(202).send(await exports.start(userId, originOf(request, clock.now())));
    },
  );

  app.get(
    '/api/v1/users/me/export',
    {
      config: { rateLimit: limit({ max: 120, seconds: 60 }) },
      schema: {
        operationId: 'account.get_export',
        summary: 'Show the state of the copy of your data',
        description: 'How far the copy is, and how long its file is kept.',
        tags,
        response: { 200: ExportView },
      },
    },
    (request) => exports.state(guards.sessionOf(request).userId),
  );
}

/** Sends the file. For the fresh scope: a stolen old session must not get everything at once. */
export function exportFileRoute(
  app: ZodApp,
  { exports, guards, clock }: AccountRoutesOptions,
): void {
  app.get(
    '/api/v1/users/me/export/file',
    {
      config: { rateLimit: limit({ max: 20, seconds: 300 }) },
      schema: {
        operationId: 'account.get_export_file',
        summary: 'Download the copy of your data',
        description:
          'A zip with JSON and CSV files, for 24 hours after it was ready. Requires a sign-in ' +
          'within the last five minutes.',
        tags,
        errors: ['account.export_not_ready'],
        response: {
          200: {
            description: 'The zip. README.txt lists its files.',
            content: { 'application/zip': { schema: zip } },
          },
        },
      },
    },
    async (request, reply) => {
      const { userId } = guards.sessionOf(request);
      const { name, size, chunks } = await exports.file(userId, originOf(request, clock.now()));
      return reply
        .header('content-type', 'application/zip')
        .header('content-length', size)
        .header('content-disposition', attachment(name))
        .send(Readable.from(chunks));
    },
  );
}
