import type { FastifyRequest } from 'fastify';
import { maxLogoBytes } from '../../../../areas/qr/pictures/schemas.ts';
import { acceptFileForms } from '../../../../platform/http/body-parsers.ts';
import { limit } from '../../../../platform/http/limits/rate-limit.ts';
import { readFormWithFile } from '../../../../platform/http/requests/form-file.ts';
import { requestActor } from '../../../../platform/http/requests/request-actor.ts';
import { isNavigation } from '../../../../platform/http/requests/request-origin.ts';
import { type HttpCall, httpCall } from '../../../../platform/operations/call.ts';
import type { Html } from '../../../../lib/text/html.ts';
import type { ConsoleServices } from '../../context.ts';
import type { ConsolePage } from '../../layout.tsx';
import type { ConsoleRoute, ConsoleRoutesOptions } from '../../request-context.ts';
import { formBodyLimit, formOptions } from '../../route-options.ts';
import { FormValues } from '../../forms.ts';
import { typeOf } from '../contents/content-form.ts';
import type { Place } from '../create/new-form.ts';
import { codeIn, drawnPart } from './drawn-part.ts';
import { codePage } from '../code/code-page.tsx';
import { newQrPage } from '../create/new-page.tsx';
import { newQrView } from '../create/new-view.ts';
import { logoNameOf } from '../logos/logo-picture.tsx';
import { codePath, newQrPath } from '../qr-paths.ts';

/**
 * As fast as somebody types who never stops: the script waits a quarter of a second after a key.
 * Drawing and reading are limited besides: one picture of one person at a time.
 */
const previewLimit = { rateLimit: limit({ max: 240, seconds: 60, group: 'console-preview' }) };

type Services = Pick<ConsoleServices, 'qr' | 'qrCodes'> & Place;

async function readValues(request: FastifyRequest, { qr }: Services): Promise<FormValues> {
  if (!Buffer.isBuffer(request.body)) return FormValues.parse(request.body ?? {});
  const { 'content-type': type } = request.headers;
  const { file, values } = await readFormWithFile(request.body, type, 'logo_file');
  const fields = FormValues.parse(values);
  if (file === undefined) return fields;
  const logo = await qr.logos.add(file.bytes, requestActor(request), logoNameOf(file.name));
  return { ...fields, 'style.logo': logo.id };
}

/** The page of the form as it was filled in, with the picture. */
async function pageAgain(
  context: ConsoleRoutesOptions,
  values: FormValues,
  { call, preview }: { call: HttpCall; preview: Html },
): Promise<ConsolePage> {
  const id = codeIn(values);
  if (id !== undefined) {
    const page = await codePage(context, { id, tab: 'style', preview }, call);
    return { ...page, filled: { action: codePath(id, 'style'), values } };
  }
  const view = await newQrView(context, { type: typeOf(values) });
  const page = newQrPage({ ...view, preview });
  return { ...page, filled: { action: newQrPath, values } };
}

/**
 * Draws what a form describes: the script gets the part of the page with the picture, a browser
 * without scripts the page. Nothing is stored, except for a logo that is sent along.
 */
export const previewRoute: ConsoleRoute = {
  path: '/api/svc/console/qr/preview',
  add(scope, context) {
    scope.register(async (app) => {
      acceptFileForms(app);
      const options = formOptions('console.preview_qr', 'Form: draw a QR code', {});
      app.post(
        '/api/svc/console/qr/preview',
        { ...options, config: previewLimit, bodyLimit: maxLogoBytes + formBodyLimit },
        async (request, reply) => {
          const call = httpCall(request, reply);
          const values = await readValues(request, context);
          const part = await drawnPart(context, values, context.viewerOf(request).userId);
          if (isNavigation(request, reply))
            return context.send(reply, await pageAgain(context, values, { call, preview: part }));
          return reply.type('text/html; charset=utf-8').send(part);
        },
      );
    });
  },
};
