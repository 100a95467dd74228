import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { CreateApiKeyBody } from '../../../../areas/api-keys/schemas.ts';
import { dayMs } from '../../../../lib/durations.ts';
import { AppError } from '../../../../platform/errors/errors.ts';
import { requestActor } from '../../../../platform/http/requests/request-actor.ts';
import { disconnectSignal } from '../../../../platform/http/requests/requester.ts';
import {
  FormValues,
  invalidForm,
  parseForm,
  requireWord,
  textOf,
  textsWithPrefix,
} from '../../forms.ts';
import { type ConsoleRoutesOptions, type ConsoleScope, redirectTo } from '../../request-context.ts';
import { form, page } from '../../route-options.ts';
import { cursor, done } from '../../schemas.ts';
import { sectionPath } from '../../sections.ts';
import { texts } from '../texts/en.ts';
import { keysPage, type KeysView, lifetimes, newKeyPage } from './keys-page.tsx';

const pageSize = 50;

const Params = z.object({ id: z.uuid() });

async function readKeys(
  { baseOrigin, clock, services: { apiKeys } }: ConsoleRoutesOptions,
  after?: string,
  signal?: AbortSignal,
): Promise<KeysView> {
  const list = await apiKeys.list({ limit: pageSize, cursor: after }, signal);
  return { page: list, cursor: after, now: clock.now(), baseUrl: baseOrigin };
}

/** Converts the form for a new key to the API's body. Throws `console.form_invalid`. */
function newKeyBody(values: FormValues, now: number): CreateApiKeyBody {
  const scopes = textsWithPrefix(values, 'scope.').map(([scope]) => scope);
  if (scopes.length === 0) throw invalidForm(texts.keys.create.noScope);
  const days = lifetimes.find(([value]) => value !== '' && value === textOf(values, 'days'))?.[0];
  return parseForm(CreateApiKeyBody, {
    name: textOf(values, 'name') ?? '',
    scopes,
    expires_at: days === undefined ? null : new Date(now + Number(days) * dayMs).toISOString(),
  });
}

function keysPageRoute(app: ConsoleScope, options: ConsoleRoutesOptions): void {
  app.get(
    '/api/svc/console/keys',
    page('console.keys', 'Console: API keys', {
      description:
        'API keys, newest first, and a form to create one. For admins on an approved device.',
      querystring: z.object({ cursor, done }),
    }),
    async ({ query }, reply) => {
      const view = await readKeys(options, query.cursor, disconnectSignal(reply));
      return options.send(reply, keysPage(view, { done: query.done }));
    },
  );
}

/** Responds with the key, which is shown only once. */
function createKeyRoute(app: ConsoleScope, options: ConsoleRoutesOptions): void {
  const { baseOrigin, clock, services, send, sendAgain } = options;
  app.post(
    '/api/svc/console/keys',
    form('console.create_api_key', 'Form: make an API key', { body: FormValues }),
    async (request, reply) => {
      try {
        const body = newKeyBody(request.body, clock.now());
        const created = await services.apiKeys.create(body, requestActor(request));
        return await send(reply, newKeyPage(created, baseOrigin));
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'console.form_invalid') throw error;
        const refused = { text: error.message, name: textOf(request.body, 'name') ?? '' };
        return sendAgain(error, reply, keysPage(await readKeys(options), { refused }));
      }
    },
  );
}

function revokeKeyRoute(app: ConsoleScope, { services: { apiKeys } }: ConsoleRoutesOptions): void {
  app.post(
    '/api/svc/console/keys/:id/revoke',
    form('console.revoke_api_key', 'Form: revoke an API key', {
      params: Params,
      body: FormValues,
    }),
    async (request, reply) => {
      const { id } = request.params;
      requireWord(request.body, (await apiKeys.get(id)).name);
      await apiKeys.revoke(id, requestActor(request));
      return redirectTo(reply, sectionPath('keys'), { done: 'revoked' });
    },
  );
}

/** The API keys of programs. */
export const keyRoutes: FastifyPluginAsyncZod<ConsoleRoutesOptions> = async (app, options) => {
  keysPageRoute(app, options);
  createKeyRoute(app, options);
  revokeKeyRoute(app, options);
};
