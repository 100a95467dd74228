import { z } from 'zod';
import { AuditListQuery } from '../../../../areas/audit/schemas.ts';
import { BatchQuery } from '../../../../areas/qr/batches/schemas.ts';
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
import { asAttachment, type ConsoleRoute, redirectTo } from '../../request-context.ts';
import { withLineErrors } from '../../resources/import-problems.ts';
import { formOptions } from '../../route-options.ts';
import { page } from '../../routes.pages.ts';
import { done } from '../../schemas.ts';
import { hasStyle } from '../style/has-style.ts';
import { texts } from '../texts/en.ts';
import { filePage } from './file-page.tsx';
import { filePath } from './file-paths.ts';
import type { Uploaders } from './file-values.tsx';
import { filesPage } from './files-page.tsx';
import { filePreviewPage, maxFileLength, newFilePage } from './new-file-page.tsx';

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
  /** Without it, the rows are only checked and shown. */
  confirmed: z.literal('yes').optional(),
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

/** An unknown code with the style is a mistake in the form. */
function asMistake(error: unknown): unknown {
  return error instanceof AppError && error.code === 'qr.not_found'
    ? invalidForm(texts.newFile.styleUnknown)
    : error;
}

/** Reads a form that is larger than all others. */
const createRoute: ConsoleRoute = {
  path: '/api/svc/console/qr/files',
  add(app, context) {
    const { guards, qr, send } = context;
    const options = formOptions('console.create_qr_file', 'Form: create QR codes from a file', {
      body: NewFileForm,
    });
    app.post(
      '/api/svc/console/qr/files',
      { ...options, config: fileLimit, bodyLimit },
      async (request, reply) => {
        guards.requireFresh(request);
        const { rows, name, style_of: styleOf, confirmed } = request.body;
        if (rows.trim() === '') throw invalidForm(texts.newFile.empty);
        const query = parseForm(BatchQuery, {
          name: name.trim() === '' ? undefined : name,
          style_of: styleOf === '' ? undefined : styleOf,
        });
        const checked = <Result>(run: () => Promise<Result>): Promise<Result> =>
          withLineErrors(run).catch((error: unknown) => {
            throw asMistake(error);
          });
        if (confirmed === undefined) {
          const read = await checked(() => qr.batches.check(rows, query));
          const styled = await styledCodes(context, query.style_of);
          const view = { text: rows, rows: read, name: query.name, styled };
          return send(reply, filePreviewPage({ ...view, styleOf: query.style_of }));
        }
        const file = await checked(() => qr.batches.create(rows, query, requestActor(request)));
        return redirectTo(reply, filePath(file.id), { done: 'created' });
      },
    );
  },
};

/** Files of QR codes: what became of them, and a form for another one. */
export const qrFileRoutes = [
  page({
    id: 'console.qr_files',
    path: '/api/svc/console/qr/files',
    summary: 'Console: QR code files',
    async show(context) {
      const [files, uploaders] = await Promise.all([
        context.qr.batches.list(),
        uploadersOf(context),
      ]);
      return filesPage({ files, ...uploaders });
    },
  }),
  page({
    id: 'console.new_qr_file',
    path: '/api/svc/console/qr/files/new',
    summary: 'Console: create QR codes from a file',
    query: z.object({ style_of: id.optional() }),
    errors: ['qr.not_found'],
    async show({ guards, qrCodes }, { style_of: styleOf }, { request }) {
      guards.requireFresh(request);
      if (styleOf !== undefined) await qrCodes.service.get(styleOf);
      return newFilePage({ styleOf });
    },
  }),
  page({
    id: 'console.qr_file_example',
    path: '/api/svc/console/qr/files/example',
    summary: 'Console: example QR code file',
    show: async (_context, _input, { reply }) =>
      sendListExport(reply, {
        name: 'qr-codes',
        format: 'csv',
        columns: exampleColumns,
        readPage: async () => ({ data: [texts.newFile.exampleRow], next_cursor: null }),
      }),
  }),
  createRoute,
  page({
    id: 'console.qr_file',
    path: '/api/svc/console/qr/files/:id',
    summary: 'Console: QR code file',
    params: FileParams,
    query: z.object({ done }),
    errors: ['qr.batch_not_found'],
    async show(context, input) {
      const file = await context.qr.batches.get(input.id);
      return filePage({ file, done: input.done, ...(await uploadersOf(context, input.id)) });
    },
  }),
  page({
    id: 'console.qr_file_images',
    path: '/api/svc/console/qr/files/:id/images',
    summary: 'Console: pictures of a QR code file',
    params: FileParams,
    query: z.object({ format: z.enum(['svg', 'png']).default('svg') }),
    errors: ['qr.batch_not_found', 'qr.batch_running'],
    limit: fileLimit,
    async show({ qr }, { id: file, format }, { reply }) {
      const archive = await qr.prints.zip(file, { format, size: pictureSize });
      void reply.header('content-type', 'application/zip');
      return asAttachment(reply, `qr-codes-${file.slice(0, 8)}.zip`).send(archive);
    },
  }),
];
