import { limit } from '../../../platform/http/limits/rate-limit.ts';
import { originOf } from '../../../platform/http/requests/request-origin.ts';
import type { ZodApp } from '../../../platform/http/zod-app.ts';
import type { AccountRoutesOptions } from './routes.ts';
import { DeletionView } from './schemas.ts';

const tags = ['account'];
const config = { rateLimit: limit({ max: 20, seconds: 300 }) };

/** Deletes the own account in 14 days, or keeps it. For the fresh scope. */
export function deletionRoutes(
  app: ZodApp,
  { deletions, guards, clock }: AccountRoutesOptions,
): void {
  app.post(
    '/api/v1/users/me/deletion',
    {
      config,
      schema: {
        operationId: 'account.delete',
        summary: 'Delete your account in 14 days',
        description:
          'Ends all other sessions. Until then you can sign in and keep the account. Requires a ' +
          'sign-in within the last five minutes.',
        tags,
        errors: ['account.last_admin', 'second_factor.aal2_required', 'users.review_account'],
        response: { 200: DeletionView },
      },
    },
    async (request) => {
      const session = guards.sessionOf(request);
      const dueAt = await deletions.request(session, originOf(request, clock.now()));
      return { deletion_due_at: dueAt.toISOString() };
    },
  );

  app.delete(
    '/api/v1/users/me/deletion',
    {
      config,
      schema: {
        operationId: 'account.keep',
        summary: 'Keep your account',
        description:
          'Cancels the deletion. Requires a sign-in within the last five minutes, so that an old ' +
          'session that somebody else holds cannot cancel it.',
        tags,
        errors: ['second_factor.aal2_required', 'users.review_account'],
        response: { 200: DeletionView },
      },
    },
    async (request) => {
      await deletions.cancel(guards.sessionOf(request), originOf(request, clock.now()));
      return { deletion_due_at: null };
    },
  );
}
