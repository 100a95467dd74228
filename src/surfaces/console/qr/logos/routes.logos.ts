import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { qrErrors } from '../../../../areas/qr/errors.ts';
import { maxLogoBytes } from '../../../../areas/qr/pictures/schemas.ts';
import { acceptFileForms } from '../../../../platform/http/body-parsers.ts';
import { readFormFile } from '../../../../platform/http/requests/form-file.ts';
import { requestActor } from '../../../../platform/http/requests/request-actor.ts';
import { invalidForm } from '../../forms.ts';
import { fileLimit } from '../../rate-limits.ts';
import { type ConsoleRoute, redirectTo } from '../../request-context.ts';
import { formOptions } from '../../route-options.ts';
import { form } from '../../routes.forms.ts';
import { page } from '../../routes.pages.ts';
import { done } from '../../schemas.ts';
import { logoChoices } from '../style/style-panel.tsx';
import { texts } from '../texts/en.ts';
import { logoNameOf, logosPath } from './logo-picture.tsx';
import { deleteLogoPage, logoCards, logosPage } from './logos-page.tsx';

/** Headers and boundaries of the form, beside the file. */
const formBytes = 16 * 1024;
/** Answers with the logos to choose from, or as cards, in place of a redirect to all of them. */
const UploadQuery = z.object({ part: z.enum(['choices', 'cards']).optional() });
const LogoParams = z.object({ id: z.uuid().toLowerCase() });

/** Its bytes never change. */
const sendPng = (reply: FastifyReply, png: Uint8Array): FastifyReply =>
  reply
    .header('content-type', 'image/png')
    .header('cache-control', 'private, max-age=86400, immutable')
    .send(Buffer.from(png));

/**
 * In its own instance, because only this form has a file. A script that uploads a logo for a style
 * gets the logos to choose from, with this one chosen; the page of logos gets all of them.
 */
const uploadRoute: ConsoleRoute = {
  path: '/api/svc/console/qr/logos',
  add(scope, { qr }) {
    scope.register(async (app) => {
      acceptFileForms(app);
      const options = formOptions('console.add_qr_logo', 'Form: upload a logo', {
        querystring: UploadQuery,
      });
      app.post(
        '/api/svc/console/qr/logos',
        { ...options, config: fileLimit, bodyLimit: maxLogoBytes + formBytes },
        async (request, reply) => {
          const file = await readFormFile(request.body, request.headers['content-type'], 'logo');
          if (file === undefined) throw invalidForm(texts.logos.missing);
          const name = logoNameOf(file.name);
          const logo = await qr.logos.add(file.bytes, requestActor(request), name);
          const { part } = UploadQuery.parse(request.query);
          if (part === undefined) return redirectTo(reply, logosPath, { done: 'added' });
          const logos = await qr.logos.list();
          const shown = part === 'cards' ? logoCards(logos) : logoChoices(logos, logo.id);
          return reply.type('text/html; charset=utf-8').send(shown);
        },
      );
    });
  },
};

/** Logos of QR codes. */
export const qrLogoRoutes = [
  page({
    id: 'console.qr_logos',
    path: '/api/svc/console/qr/logos',
    summary: 'Console: logos of QR codes',
    query: z.object({ done }),
    show: async ({ qr }, query) => logosPage({ logos: await qr.logos.list(), done: query.done }),
  }),
  page({
    id: 'console.qr_logo_picture',
    path: '/api/svc/console/qr/logos/:id/picture',
    summary: 'Console: picture of a logo',
    params: LogoParams,
    errors: ['qr.logo_not_found'],
    async show({ qr }, { id }, { reply }) {
      const logo = await qr.logos.find(id);
      if (logo === undefined) throw qrErrors.logo_not_found();
      return sendPng(reply, logo.png);
    },
  }),
  page({
    id: 'console.qr_logo_deletion',
    path: '/api/svc/console/qr/logos/:id/delete',
    summary: 'Console: form that deletes a logo',
    params: LogoParams,
    errors: ['qr.logo_not_found'],
    async show({ qr }, { id }) {
      const logo = (await qr.logos.list()).find((each) => each.id === id);
      if (logo === undefined) throw qrErrors.logo_not_found();
      return deleteLogoPage(logo);
    },
  }),
  form({
    id: 'console.delete_qr_logo',
    path: '/api/svc/console/qr/logos/:id/delete',
    summary: 'Form: delete a logo',
    params: LogoParams,
    word: texts.logos.word,
    run: ({ qr }, { id }, { by }) => qr.logos.delete(id, by),
    to: logosPath,
    done: 'deleted',
  }),
  uploadRoute,
];
