import { z } from 'zod';
import { apiKeyScopes } from '../../../../lib/access.ts';
import { dayMs } from '../../../../lib/durations.ts';
import { type FormValues, invalidForm, textOf, textsWithPrefix } from '../../forms.ts';
import { form } from '../../routes.forms.ts';
import { page } from '../../routes.pages.ts';
import { cursor, done } from '../../schemas.ts';
import { sectionPath } from '../../sections.ts';
import { texts } from '../texts/en.ts';
import { createdKeyPage, keyChoices, NewKeyForm, newKeyPage, revokeKeyPage } from './key-pages.tsx';
import { keysPage } from './keys-page.tsx';

const pageSize = 50;
const params = z.object({ id: z.uuid() });

const Choice = z.enum(['send', 'read', 'both', 'all']);

/** The scopes of the chosen kind, and those that are given one by one. */
function scopesIn(values: FormValues): string[] {
  const { data: choice } = Choice.safeParse(textOf(values, 'allows'));
  const single = textsWithPrefix(values, 'scope.').map(([scope]) => scope);
  return [...(choice === undefined ? [] : keyChoices[choice]), ...single];
}

/** The API keys of programs. */
export const keyRoutes = [
  page({
    id: 'console.keys',
    path: '/api/svc/console/keys',
    summary: 'Console: API keys',
    description: 'API keys, newest first. For admins on an approved device.',
    query: z.object({ cursor, done }),
    async show({ apiKeys, clock, baseOrigin }, query, { signal }) {
      const list = await apiKeys.list({ limit: pageSize, cursor: query.cursor }, signal);
      const view = { page: list, cursor: query.cursor, now: clock.now(), baseUrl: baseOrigin };
      return keysPage(view, query.done);
    },
  }),
  page({
    id: 'console.new_api_key',
    path: '/api/svc/console/keys/new',
    summary: 'Console: create an API key',
    show: ({ baseOrigin }) => newKeyPage(baseOrigin),
  }),
  page({
    id: 'console.revoking_api_key',
    path: '/api/svc/console/keys/:id/revoke',
    summary: 'Console: revoke an API key',
    params,
    show: async ({ apiKeys }, { id }) => revokeKeyPage(await apiKeys.get(id)),
  }),
  form({
    id: 'console.create_api_key',
    path: '/api/svc/console/keys',
    summary: 'Form: create an API key',
    body: NewKeyForm.extend({ scopes: z.array(z.enum(apiKeyScopes)) }),
    read: (values) => ({
      scopes: scopesIn(values),
    }),
    async run({ apiKeys, clock, baseOrigin }, { name, scopes, days }, { by }) {
      if (scopes.length === 0) throw invalidForm(texts.keys.create.noScope);
      const ends = days === null ? null : new Date(clock.now() + Number(days) * dayMs);
      const body = { name, scopes, expires_at: ends?.toISOString() ?? null };
      return createdKeyPage(await apiKeys.create(body, by), baseOrigin);
    },
    // The key is shown only once.
    to: (_, created) => created,
  }),
  form({
    id: 'console.revoke_api_key',
    path: '/api/svc/console/keys/:id/revoke',
    summary: 'Form: revoke an API key',
    params,
    run: ({ apiKeys }, { id }, { by }) => apiKeys.revoke(id, by),
    to: sectionPath('keys'),
    done: 'revoked',
  }),
];
