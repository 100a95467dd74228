import { z } from 'zod';
import { QrCodeView } from '../../../areas/qr/schemas.ts';
import { AppError } from '../../../platform/errors/errors.ts';
import type { Requester } from '../../../platform/http/requests/requester.ts';
import type { ConsoleServices } from '../context.ts';
import { withQuery } from '../components/navigation.tsx';
import { asAttachment } from '../request-context.ts';
import { form } from '../routes.forms.ts';
import { page } from '../routes.pages.ts';
import { done } from '../schemas.ts';
import { qrFileRoutes } from './files/routes.files.ts';
import { qrLabelRoute } from './labels/routes.labels.ts';
import { qrLogoRoutes } from './logos/routes.logos.ts';
import { qrPage } from './qr-page.tsx';
import { qrPath } from './qr-view.ts';
import { shownPeriods } from './scans-part.tsx';

const id = z.uuid().toLowerCase();
const PageQuery = z.object({ id, done, period: z.enum(shownPeriods).default('30d') });
const PictureFile = z.object({ id, format: z.enum(['svg', 'png', 'pdf']) });
const RestoreForm = z.object({ id, target_id: z.string().regex(/^\d{1,18}$/) });
const types = { svg: 'image/svg+xml', png: 'image/png', pdf: 'application/pdf' } as const;
/** Pixels; tenths of a millimeter for PDF. */
const fileSizes = { svg: 600, png: 1200, pdf: 500 } as const;
const shownSize = 240;
const rows = 8;

type QrServices = Pick<ConsoleServices, 'qrCodes' | 'qr'>;

const findCode = async ({ qrCodes }: QrServices, codeId: string): Promise<QrCodeView> =>
  QrCodeView.parse(await qrCodes.service.get(codeId));

/** Undefined while the figures are unavailable. */
const statsOf = (
  { qr }: QrServices,
  { id: codeId, period }: z.output<typeof PageQuery>,
  by: Requester,
) =>
  qr.stats.get(codeId, { period, timezone: 'UTC', limit: rows }, by).catch((error: unknown) => {
    if (error instanceof AppError && error.status >= 500) return undefined;
    throw error;
  });

/** QR codes: the page of each, with its picture and its scans. */
const codeRoutes = [
  page({
    id: 'console.qr_code',
    path: '/api/svc/console/qr',
    summary: 'Console: QR code',
    query: PageQuery,
    errors: ['qr.not_found', 'qr.unreadable'],
    async show(context, query, { requester }) {
      const code = await findCode(context, query.id);
      const [svg, logos, stats, former] = await Promise.all([
        context.qr.pictures.draw(code, { format: 'svg', size: shownSize, title: code.name }),
        context.qr.logos.list(),
        code.dynamic ? statsOf(context, query, requester) : undefined,
        code.dynamic ? context.qr.targets.list(query.id) : [],
      ]);
      const { period, done: doneKey } = query;
      return qrPage({ code, svg: svg.toString(), logos, stats, period, former, done: doneKey });
    },
  }),
  page({
    id: 'console.qr_picture',
    path: '/api/svc/console/qr/picture',
    summary: 'Console: picture of a QR code',
    query: PictureFile,
    errors: ['qr.not_found', 'qr.unreadable', 'qr.busy'],
    async show(context, { id: codeId, format }, { reply }) {
      const code = await findCode(context, codeId);
      const size = fileSizes[format];
      const picture = await context.qr.pictures.draw(code, { format, size, title: code.name });
      void reply.header('content-type', types[format]);
      return asAttachment(reply, `${code.code}.${format}`).send(picture);
    },
  }),
  form({
    id: 'console.restore_qr_target',
    path: '/api/svc/console/qr/restore',
    summary: 'Form: restore a previous target',
    body: RestoreForm,
    run: ({ qr }, { id: codeId, target_id: target }, { by }) =>
      qr.targets.restore(codeId, target, by),
    to: ({ id: codeId }) => withQuery(qrPath, { id: codeId, done: 'restored' }),
  }),
];

/** All pages of QR codes. */
export const qrRoutes = [...codeRoutes, ...qrFileRoutes, qrLabelRoute, ...qrLogoRoutes];
