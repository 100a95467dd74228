import { Readable } from 'node:stream';
import { attachment } from '../../lib/net/header-text.ts';
import { AppError } from '../../platform/errors/errors.ts';
import { limit } from '../../platform/http/limits/rate-limit.ts';
import { originOf } from '../../platform/http/requests/request-origin.ts';
import type { ZodApp } from '../../platform/http/zod-app.ts';
import { sendPage } from '../../platform/ui/pages.tsx';
import { confirmDeletionPage } from './data-pages.tsx';
import { redirectDone } from './redirect-done.ts';
import type { AccountRoutesOptions } from './routes.account.ts';
import { formSchema, pageSchema } from './schemas.ts';

const config = { rateLimit: limit({ max: 20, seconds: 300 }) };

/** Starts a copy of the data. */
export function exportForms(
  app: ZodApp,
  { ownAccount: { exports }, guards, clock }: AccountRoutesOptions,
): void {
  app.post(
    '/account/export',
    { config, schema: formSchema('account.export', 'a copy of the data') },
    async (request, reply) => {
      await exports.start(guards.sessionOf(request).userId, originOf(request, clock.now()));
      return redirectDone(reply, 'export_started');
    },
  );
}

/** Sends the copy of the data. In the fresh scope, like the REST route. */
export function exportFile(
  app: ZodApp,
  { ownAccount: { exports }, guards, clock }: AccountRoutesOptions,
): void {
  app.get(
    '/account/export/file',
    { config, schema: formSchema('account.export_file', 'download the copy of the data') },
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

/** Deletes the account, or keeps it. In the fresh scope. */
export function deletionForms(
  app: ZodApp,
  { ownAccount: { deletions }, guards, layout, clock }: AccountRoutesOptions,
): void {
  app.get(
    '/account/delete',
    {
      schema: pageSchema(
        'account.delete_page',
        'Page to delete your account',
        'What deleting means, and a button that does it in 14 days.',
      ),
    },
    async (_request, reply) => sendPage(reply, layout(confirmDeletionPage())),
  );

  app.post(
    '/account/delete',
    { config, schema: formSchema('account.schedule_deletion', 'delete the account') },
    async (request, reply) => {
      try {
        await deletions.request(guards.sessionOf(request), originOf(request, clock.now()));
        return await redirectDone(reply, 'deletion_scheduled');
      } catch (error) {
        if (!(error instanceof AppError && error.code === 'account.last_admin')) throw error;
        return sendPage(reply.code(409), layout(confirmDeletionPage({ isLastAdmin: true })));
      }
    },
  );

  app.post(
    '/account/keep',
    { config, schema: formSchema('account.cancel_deletion', 'keep the account') },
    async (request, reply) => {
      await deletions.cancel(guards.sessionOf(request), originOf(request, clock.now()));
      return redirectDone(reply, 'account_kept');
    },
  );
}
