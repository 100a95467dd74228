import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { AuditListQuery } from '../../../../areas/audit/schemas.ts';
import { BatchQuery, type QrBatchView } from '../../../../areas/qr/batches/schemas.ts';
import { QrCodeBody, QrCodeView } from '../../../../areas/qr/schemas.ts';
import { AppError } from '../../../../platform/errors/errors.ts';
import { requestActor } from '../../../../platform/http/requests/request-actor.ts';
import { importColumnsOf } from '../../../../platform/resource/entry-csv.ts';
import type { ExportColumns } from '../../../../platform/resource/list-file.ts';
import type { ConsoleServices } from '../../context.ts';
import { invalidForm, parseForm } from '../../forms.ts';
import { sendListExport } from '../../list-export.tsx';
import { readNames, userIdsIn } from '../../people/user-names.ts';
import { fileLimit } from '../../rate-limits.ts';
import {
  asAttachment,
  type ConsoleRoutesOptions,
  type ConsoleScope,
  redirectTo,
} from '../../request-context.ts';
import { namingLines } from '../../resources/import-problems.ts';
import { form, innerPage } from '../../route-options.ts';
import { done } from '../../schemas.ts';
import { hasStyle } from '../qr-view.ts';
import { texts } from '../texts/en.ts';
import { filePage } from './file-page.tsx';
import { filePath } from './file-paths.ts';
import type { Uploaders } from './file-values.tsx';
import { filesPage } from './files-page.tsx';
import { maxFileLength, newFilePage } from './new-file-page.tsx';

/** Every character may be percent-encoded. */
const bodyLimit = 3 * maxFileLength;
const pictureSize = 600;
const maxStyled = 100;

const id = z.uuid().toLowerCase();
const FileParams = z.object({ id });
const NewFileForm = z.object({
  rows: z.string().max(maxFileLength).default(''),
  name: z.string().max(1000).default(''),
  style_of: z.string().max(64).default(''),
});

type ExampleRow = Partial<Record<string, string>>;
const exampleColumns: ExportColumns<ExampleRow> = importColumnsOf(QrCodeBody).map((name) => [
  name,
  (row) => row[name] ?? null,
]);

type Services = ConsoleServices;

/** Who uploaded files, by the audit log. */
async function uploadersOf(services: Services, target?: string): Promise<Uploaders> {
  const { data } = await services.audit.list(
    AuditListQuery.parse({ action: 'qr.batch_created', target_id: target, limit: 100 }),
  );
  return {
    actors: new Map(data.map(({ target: file, actor }) => [file?.id ?? '', actor])),
    names: await readNames(services, userIdsIn(data)),
  };
}

/** The codes that changed last and have a style, and the one that was asked for. */
async function styledCodes({ qrCodes }: Services, wanted?: string): Promise<QrCodeView[]> {
  const { data } = await qrCodes.service.list({ limit: maxStyled, sort: '-updated_at' });
  const styled = data.map((code) => QrCodeView.parse(code)).filter(hasStyle);
  if (wanted === undefined || styled.some((code) => code.id === wanted)) return styled;
  return [QrCodeView.parse(await qrCodes.service.get(wanted)), ...styled];
}

function listRoute(app: ConsoleScope, { services, send }: ConsoleRoutesOptions): void {
  app.get(
    '/api/svc/console/qr/files',
    innerPage('console.qr_files', 'Console: files of QR codes', {}),
    async (_request, reply) => {
      const [files, uploaders] = await Promise.all([
        services.qr.batches.list(),
        uploadersOf(services),
      ]);
      return send(reply, filesPage({ files, ...uploaders }));
    },
  );
}

function newFileRoutes(app: ConsoleScope, { services, send }: ConsoleRoutesOptions): void {
  app.get(
    '/api/svc/console/qr/files/new',
    innerPage('console.new_qr_file', 'Console: create QR codes from a file', {
      querystring: z.object({ style_of: id.optional() }),
      errors: ['qr.not_found'],
    }),
    async (request, reply) => {
      services.guards.requireFresh(request);
      const { style_of: styleOf } = request.query;
      return send(reply, newFilePage({ styled: await styledCodes(services, styleOf), styleOf }));
    },
  );

  app.get(
    '/api/svc/console/qr/files/example',
    innerPage('console.qr_file_example', 'Console: example of a file of QR codes', {}),
    async (_request, reply) =>
      sendListExport(reply, {
        name: 'qr-codes',
        format: 'csv',
        columns: exampleColumns,
        readPage: async () => ({ data: [texts.newFile.exampleRow], next_cursor: null }),
      }),
  );
}

/** An unknown code with the style is a mistake in the form. */
function asMistake(error: unknown): unknown {
  return error instanceof AppError && error.code === 'qr.not_found'
    ? invalidForm(texts.newFile.styleUnknown)
    : error;
}

function createRoute(app: ConsoleScope, { services }: ConsoleRoutesOptions): void {
  const { guards, qr } = services;
  app.post(
    '/api/svc/console/qr/files',
    {
      ...form('console.create_qr_file', 'Form: create QR codes from a file', {
        body: NewFileForm,
      }),
      config: fileLimit,
      bodyLimit,
    },
    async (request, reply) => {
      guards.requireFresh(request);
      const { rows, name, style_of: styleOf } = request.body;
      if (rows.trim() === '') throw invalidForm(texts.newFile.empty);
      const query = parseForm(BatchQuery, {
        name: name.trim() === '' ? undefined : name,
        style_of: styleOf === '' ? undefined : styleOf,
      });
      const file: QrBatchView = await namingLines(() =>
        qr.batches.create(rows, query, requestActor(request)),
      ).catch((error: unknown) => {
        throw asMistake(error);
      });
      return redirectTo(reply, filePath(file.id), { done: 'created' });
    },
  );
}

function fileRoutes(app: ConsoleScope, { services, send }: ConsoleRoutesOptions): void {
  app.get(
    '/api/svc/console/qr/files/:id',
    innerPage('console.qr_file', 'Console: file of QR codes', {
      params: FileParams,
      querystring: z.object({ done }),
      errors: ['qr.batch_not_found'],
    }),
    async ({ params, query }, reply) => {
      const file = await services.qr.batches.get(params.id);
      const uploaders = await uploadersOf(services, params.id);
      return send(reply, filePage({ file, done: query.done, ...uploaders }));
    },
  );

  app.get(
    '/api/svc/console/qr/files/:id/images',
    {
      ...innerPage('console.qr_file_images', 'Console: pictures of a file of QR codes', {
        params: FileParams,
        querystring: z.object({ format: z.enum(['svg', 'png']).default('svg') }),
        errors: ['qr.batch_not_found', 'qr.batch_running'],
      }),
      config: fileLimit,
    },
    async ({ params, query: { format } }, reply) => {
      const archive = await services.qr.prints.zip(params.id, { format, size: pictureSize });
      void reply.header('content-type', 'application/zip');
      return asAttachment(reply, `qr-codes-${params.id.slice(0, 8)}.zip`).send(archive);
    },
  );
}

/** Files of QR codes: what became of them, and a form for another one. */
export const qrFileRoutes: FastifyPluginAsyncZod<ConsoleRoutesOptions> = async (app, options) => {
  listRoute(app, options);
  newFileRoutes(app, options);
  createRoute(app, options);
  fileRoutes(app, options);
};
