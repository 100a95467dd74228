import { limit } from '../../../platform/http/limits/rate-limit.ts';
import { originOf } from '../../../platform/http/requests/request-origin.ts';
import type { ZodApp } from '../../../platform/http/zod-app.ts';
import type { AccountRoutesOptions } from './routes.ts';
import { OwnAccount, ProfilePatch } from './schemas.ts';

const tags = ['account'];
const config = { rateLimit: limit({ max: 120, seconds: 60 }) };

/** Shows and changes the own profile. */
export function profileRoutes(
  app: ZodApp,
  { profiles, guards, clock }: AccountRoutesOptions,
): void {
  app.get(
    '/api/v1/users/me',
    {
      config,
      schema: {
        operationId: 'account.get',
        summary: 'Show your account',
        description: 'OpenID Connect claims of the account, and whether it will be deleted.',
        tags,
        errors: ['users.not_found'],
        response: { 200: OwnAccount },
      },
    },
    (request) => profiles.show(guards.sessionOf(request).userId),
  );

  app.patch(
    '/api/v1/users/me',
    {
      config,
      schema: {
        operationId: 'account.update',
        summary: 'Change your profile',
        description: 'Changes your name, language and time zone.',
        tags,
        body: ProfilePatch,
        errors: ['users.not_found'],
        response: { 200: OwnAccount },
      },
    },
    (request) =>
      profiles.change(
        guards.sessionOf(request).userId,
        request.body,
        originOf(request, clock.now()),
      ),
  );
}
