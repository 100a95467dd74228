import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { QrCodeView } from '../../../areas/qr/schemas.ts';
import { AppError } from '../../../platform/errors/errors.ts';
import { requestActor } from '../../../platform/http/requests/request-actor.ts';
import { type Requester, requesterOf } from '../../../platform/http/requests/requester.ts';
import type { ConsoleServices } from '../context.ts';
import { FormValues, parseForm } from '../forms.ts';
import {
  asAttachment,
  type ConsoleRoutesOptions,
  type ConsoleScope,
  redirectTo,
} from '../request-context.ts';
import { form, innerPage } from '../route-options.ts';
import { done } from '../schemas.ts';
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

function pageRoutes(app: ConsoleScope, { services, send }: ConsoleRoutesOptions): void {
  app.get(
    '/api/svc/console/qr',
    innerPage('console.qr_code', 'Console: QR code', {
      querystring: PageQuery,
      errors: ['qr.not_found', 'qr.unreadable'],
    }),
    async (request, reply) => {
      const { query } = request;
      const code = await findCode(services, query.id);
      const [svg, logos, stats, former] = await Promise.all([
        services.qr.pictures.draw(code, { format: 'svg', size: shownSize, title: code.name }),
        services.qr.logos.list(),
        code.dynamic ? statsOf(services, query, requesterOf(request, reply)) : undefined,
        code.dynamic ? services.qr.targets.list(query.id) : [],
      ]);
      const { period } = query;
      return send(
        reply,
        qrPage({ code, svg: svg.toString(), logos, stats, period, former, done: query.done }),
      );
    },
  );

  app.get(
    '/api/svc/console/qr/picture',
    innerPage('console.qr_picture', 'Console: picture of a QR code', {
      querystring: PictureFile,
      errors: ['qr.not_found', 'qr.unreadable', 'qr.busy'],
    }),
    async ({ query: { id: codeId, format } }, reply) => {
      const code = await findCode(services, codeId);
      const size = fileSizes[format];
      const picture = await services.qr.pictures.draw(code, { format, size, title: code.name });
      return asAttachment(
        reply.header('content-type', types[format]),
        `${code.code}.${format}`,
      ).send(picture);
    },
  );
}

/** QR codes: the page of each, with its picture and its scans. */
export const qrConsoleRoutes: FastifyPluginAsyncZod<ConsoleRoutesOptions> = async (
  app,
  options,
) => {
  pageRoutes(app, options);

  app.post(
    '/api/svc/console/qr/restore',
    form('console.restore_qr_target', 'Form: restore a former target', { body: FormValues }),
    async (request, reply) => {
      const body = parseForm(RestoreForm, request.body);
      await options.services.qr.targets.restore(body.id, body.target_id, requestActor(request));
      return redirectTo(reply, qrPath, { id: body.id, done: 'restored' });
    },
  );
};
