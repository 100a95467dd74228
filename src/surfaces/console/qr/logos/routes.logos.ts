import type { FastifyReply } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { qrErrors } from '../../../../areas/qr/errors.ts';
import { maxLogoBytes } from '../../../../areas/qr/pictures/schemas.ts';
import { UpdateQrCodeBody } from '../../../../areas/qr/schemas.ts';
import { acceptFileForms } from '../../../../platform/http/body-parsers.ts';
import { readFormFile } from '../../../../platform/http/requests/form-file.ts';
import { requestActor } from '../../../../platform/http/requests/request-actor.ts';
import { asForm, FormValues, idOf, invalidForm, requireWord, textOf } from '../../forms.ts';
import { fileLimit } from '../../rate-limits.ts';
import { type ConsoleRoutesOptions, type ConsoleScope, redirectTo } from '../../request-context.ts';
import { form, innerPage } from '../../route-options.ts';
import { done } from '../../schemas.ts';
import { qrPath } from '../qr-view.ts';
import { texts } from '../texts/en.ts';
import { logosPath } from './logo-picture.tsx';
import { logosPage } from './logos-page.tsx';

/** Headers and boundaries of the form, beside the file. */
const formBytes = 16 * 1024;
const LogoParams = z.object({ id: z.uuid().toLowerCase() });

/** Its bytes never change. */
const sendPng = (reply: FastifyReply, png: Uint8Array): FastifyReply =>
  reply
    .header('content-type', 'image/png')
    .header('cache-control', 'private, max-age=86400, immutable')
    .send(Buffer.from(png));

function pageRoutes(app: ConsoleScope, { services: { qr }, send }: ConsoleRoutesOptions) {
  app.get(
    '/api/svc/console/qr/logos',
    innerPage('console.qr_logos', 'Console: logos of QR codes', {
      querystring: z.object({ done }),
    }),
    async ({ query }, reply) =>
      send(reply, logosPage({ logos: await qr.logos.list(), done: query.done })),
  );

  app.get(
    '/api/svc/console/qr/logos/:id/picture',
    innerPage('console.qr_logo_picture', 'Console: picture of a logo', {
      params: LogoParams,
      errors: ['qr.logo_not_found'],
    }),
    async ({ params }, reply) => {
      const logo = await qr.logos.find(params.id);
      if (logo === undefined) throw qrErrors.logo_not_found();
      return sendPng(reply, logo.png);
    },
  );
}

function formRoutes(app: ConsoleScope, { services }: ConsoleRoutesOptions): void {
  const { qr, qrCodes } = services;

  app.post(
    '/api/svc/console/qr/logos/:id/delete',
    form('console.delete_qr_logo', 'Form: delete a logo', {
      params: LogoParams,
      body: FormValues,
    }),
    async (request, reply) => {
      requireWord(request.body, texts.logos.word);
      await qr.logos.delete(request.params.id, requestActor(request));
      return redirectTo(reply, logosPath, { done: 'deleted' });
    },
  );

  app.post(
    '/api/svc/console/qr/logos/choose',
    form('console.choose_qr_logo', 'Form: choose the logo of a QR code', { body: FormValues }),
    async (request, reply) => {
      const id = idOf(request.body);
      const style = { logo: textOf(request.body, 'logo') ?? null };
      const changes = UpdateQrCodeBody.parse({ style });
      await asForm(async () => qrCodes.service.update?.(id, changes, requestActor(request)));
      return redirectTo(reply, qrPath, { id, done: 'logo_saved' });
    },
  );
}

/** In its own plugin, because only this form has a file. */
const uploadRoute: FastifyPluginAsyncZod<ConsoleRoutesOptions> = async (
  app,
  { services: { qr } },
) => {
  acceptFileForms(app);
  app.post(
    '/api/svc/console/qr/logos',
    {
      ...form('console.add_qr_logo', 'Form: upload a logo', {}),
      config: fileLimit,
      bodyLimit: maxLogoBytes + formBytes,
    },
    async (request, reply) => {
      const file = await readFormFile(request.body, request.headers['content-type'], 'logo');
      if (file === undefined) throw invalidForm(texts.logos.missing);
      await qr.logos.add(file, requestActor(request));
      return redirectTo(reply, logosPath, { done: 'added' });
    },
  );
};

/** Logos of QR codes. */
export const qrLogoRoutes: FastifyPluginAsyncZod<ConsoleRoutesOptions> = async (app, options) => {
  pageRoutes(app, options);
  formRoutes(app, options);
  app.register(uploadRoute, options);
};
