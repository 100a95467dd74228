import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Clock } from '../../../../lib/clock.ts';
import { limit } from '../../../../platform/http/limits/rate-limit.ts';
import { originOf } from '../../../../platform/http/requests/request-origin.ts';
import { configurePageScope } from '../../../../platform/ui/page-scope.ts';
import { type Layout, sendPage } from '../../../../platform/ui/pages.tsx';
import { UndoForm, UndoQuery } from '../schemas.ts';
import { texts } from '../texts/en.ts';
import { type ContactUndos, undoPath } from './undo.ts';
import { undonePage, undoPage } from './undo-pages.tsx';

export interface ContactUndoPageOptions {
  ownAccount: { contactUndos: Pick<ContactUndos, 'undo'> };
  layout: Layout;
  clock: Clock;
}

const tags = ['pages'];
const config = { rateLimit: limit({ max: 30, seconds: 300, group: 'undo-change' }) };
const bodyLimit = 4096;

/** The page that the link in a message about a change opens. It needs no sign-in. */
export const contactUndoRoutes: FastifyPluginAsyncZod<ContactUndoPageOptions> = async (
  app,
  { ownAccount: { contactUndos }, layout, clock },
) => {
  const { page } = texts.undo;
  configurePageScope(app, {
    layout,
    back: { href: '/contact', text: page.contact },
    headings: { 'account.undo_invalid': page.invalidTitle, 'account.undo_taken': page.takenTitle },
    sentences: { 'account.undo_invalid': page.invalid, 'account.undo_taken': page.taken },
  });

  app.get(
    undoPath,
    {
      config,
      schema: {
        operationId: 'account.undo_change_page',
        summary: 'Page to undo an email address or phone number change',
        description:
          'Opens from the message to the old address or number. Opening the page changes ' +
          'nothing and looks nothing up, so link scanners can’t undo. It looks the same for ' +
          'every token.',
        tags,
        querystring: UndoQuery,
        response: { 200: { content: { 'text/html': { schema: z.string() } } } },
      },
    },
    async ({ query: { token } }, reply) => sendPage(reply, layout(undoPage(token))),
  );

  app.post(
    undoPath,
    {
      bodyLimit,
      config,
      schema: {
        operationId: 'account.undo_change',
        summary: 'Form: undo an email address or phone number change',
        tags,
        hide: true,
        body: UndoForm,
        errors: ['account.undo_invalid', 'account.undo_taken'],
      },
    },
    async (request, reply) => {
      const kind = await contactUndos.undo(request.body.token, originOf(request, clock.now()));
      return sendPage(reply, layout(undonePage(kind)));
    },
  );
};
