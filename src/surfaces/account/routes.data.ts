import { Readable } from 'node:stream';
import { attachment } from '../../lib/net/header-text.ts';
import { AppError } from '../../platform/errors/errors.ts';
import { limit as rateLimit } from '../../platform/http/limits/rate-limit.ts';
import type { ZodApp } from '../../platform/http/zod-app.ts';
import { confirmDeletionPage } from './data-pages.tsx';
import { formSchema } from './schemas.ts';
import { type AccountContext, form, page, redirectDone, visitOf } from './routes.visits.ts';

const limit = { rateLimit: rateLimit({ max: 20, seconds: 300 }) };

/** Starts a copy of the data. */
export const exportForm = form({
  path: '/account/export',
  id: 'account.export',
  summary: 'a copy of the data',
  limit,
  run: ({ ownAccount }, { session, from }) => ownAccount.exports.start(session.userId, from),
  done: 'export_started',
});

/** Sends the copy of the data. In the fresh scope, like the REST route. */
export function addExportFile(app: ZodApp, context: AccountContext): void {
  app.get(
    '/account/export/file',
    { config: limit, schema: formSchema('account.export_file', 'download the copy of the data') },
    async (request, reply) => {
      const { session, from } = visitOf(context, request, reply);
      const file = await context.ownAccount.exports.file(session.userId, from);
      return reply
        .header('content-type', 'application/zip')
        .header('content-length', file.size)
        .header('content-disposition', attachment(file.name))
        .send(Readable.from(file.chunks));
    },
  );
}

/** Deletes the account, or keeps it. In the fresh scope. */
export const deletionRoutes = [
  page({
    path: '/account/delete',
    id: 'account.delete_page',
    summary: 'Page to delete your account',
    contents: 'What deleting means, and a button that does it in 14 days.',
    show: async ({ account }, { session }) => confirmDeletionPage(await account.view(session)),
  }),
  form({
    path: '/account/delete',
    id: 'account.schedule_deletion',
    summary: 'delete the account',
    limit,
    run: async ({ account, ownAccount }, { session, from, reply, send }) => {
      try {
        await ownAccount.deletions.request(session, from);
        return await redirectDone(reply, 'deletion_scheduled');
      } catch (error) {
        if (!(error instanceof AppError && error.code === 'account.last_admin')) throw error;
        return send(confirmDeletionPage(await account.view(session), { isLastAdmin: true }), 409);
      }
    },
  }),
  form({
    path: '/account/keep',
    id: 'account.cancel_deletion',
    summary: 'keep the account',
    limit,
    run: ({ ownAccount }, { session, from }) => ownAccount.deletions.cancel(session, from),
    done: 'account_kept',
  }),
];
