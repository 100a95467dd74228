import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { AppError } from '../../../platform/errors/errors.ts';
import { leadsOn, sendFormAgain, sendPage } from '../../../platform/ui/page-scope.ts';
import { disconnectSignal } from '../../../platform/http/requester.ts';
import type {
  ApiKeyPage,
  ApiKeyView,
  CreateApiKeyBody,
  CreatedApiKeyView,
} from '../../../areas/api-keys/schemas.ts';
import {
  checked,
  formLimit,
  formRefused,
  FormValues,
  requireWord,
  textOf,
  valuesBelow,
} from '../form-values.ts';
import { keysPage, lifetimes, newKeyPage, type Refused } from './keys-page.ts';
import { changes, looks } from '../limits.ts';
import { withQuery } from '../parts.ts';
import type { ConsoleRoutesOptions } from '../operations/routes.overview.ts';
import { done, HtmlPage } from '../schemas.ts';
import { placeOf } from '../sections.ts';
import type { AuditActor } from '../../../areas/audit/service.ts';
import { eventStatuses, webhookPage, type WebhookView } from './webhook-page.ts';
import { dayMs } from '../../../lib/durations.ts';

/** The keys of programs, and what the payment provider reports. Each change is written to the audit log. */
export interface KeySource {
  list: (
    query: { limit: number; cursor?: string | undefined },
    signal: AbortSignal | undefined,
  ) => Promise<ApiKeyPage>;
  /** Throws `api_keys.not_found`. */
  get: (id: string) => Promise<ApiKeyView>;
  create: (body: CreateApiKeyBody, by: AuditActor) => Promise<CreatedApiKeyView>;
  revoke: (id: string, by: AuditActor) => Promise<unknown>;
  webhook: (
    query: { limit: number; cursor?: string | undefined; status?: WebhookView['status'] },
    signal: AbortSignal,
  ) => Promise<Omit<WebhookView, 'status' | 'cursor'>>;
  /** Throws `payments.not_failed`. */
  retry: (eventId: string, by: AuditActor) => Promise<void>;
  /** Of the REST call that makes a key. */
  newKey: z.ZodType<CreateApiKeyBody>;
  baseUrl: string;
  now: () => number;
}

export interface KeyRoutesOptions extends ConsoleRoutesOptions {
  keyDesk: KeySource;
}

type Routes = Parameters<FastifyPluginAsyncZod<KeyRoutesOptions>>[0];

const tags = ['pages'];
const home = placeOf('keys');
const perPage = 50;
const options = { ...formLimit, config: changes };
const leads = leadsOn(
  'Nobody is signed in, or the device is not cleared: to where that is solved.',
);
const Params = z.object({ id: z.uuid() });
const KeysQuery = z.object({
  cursor: z.uuid().optional().describe('Where the page before ended.'),
  done,
});
const status = z.enum(eventStatuses).optional();
const WebhookQuery = z.object({
  status: status.describe('Events in this status only.'),
  cursor: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe('Where the page before ended.')
    .meta({ examples: ['evt_1QmZ4x'] }),
  done,
});
const RetryForm = z.object({ id: z.string().min(1).max(255), status });

/** What the form asks for, as the REST call wants it. */
function newKeyOf(values: FormValues, now: number): unknown {
  const days = lifetimes.find(([value]) => value !== '' && value === textOf(values, 'days'))?.[0];
  return {
    name: textOf(values, 'name') ?? '',
    scopes: valuesBelow(values, 'scope.').map(([scope]) => scope),
    expires_at: days === undefined ? null : new Date(now + Number(days) * dayMs).toISOString(),
  };
}

interface Said {
  done?: string | undefined;
  refused?: Refused;
}
type Again = (request: FastifyRequest, refused: Refused) => Promise<string>;

function keyForms(
  app: Routes,
  { consoleLayout, viewerOf, keyDesk }: KeyRoutesOptions,
  again: Again,
): void {
  app.post(
    '/',
    {
      ...options,
      schema: {
        operationId: 'console.make_key',
        summary: 'Form: make an API key',
        tags,
        hide: true,
        body: FormValues,
      },
    },
    async (request, reply) => {
      const { body } = request;
      const viewer = viewerOf(request);
      try {
        if (valuesBelow(body, 'scope.').length === 0)
          throw formRefused('Nothing was made. Tick what the key may do.');
        const made = await keyDesk.create(
          checked(keyDesk.newKey, newKeyOf(body, keyDesk.now())),
          viewer.by,
        );
        return await sendPage(reply, consoleLayout(newKeyPage(made, keyDesk.baseUrl), viewer));
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'console.form_invalid') throw error;
        const page = await again(request, {
          text: error.message,
          name: textOf(body, 'name') ?? '',
        });
        return sendFormAgain(error, request, reply, () => page);
      }
    },
  );

  app.post(
    '/:id/revoke',
    {
      ...options,
      schema: {
        operationId: 'console.revoke_key',
        summary: 'Form: revoke an API key',
        tags,
        hide: true,
        params: Params,
        body: FormValues,
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      requireWord(request.body, (await keyDesk.get(id)).name);
      await keyDesk.revoke(id, viewerOf(request).by);
      return reply.redirect(withQuery(home, { done: 'revoked' }), 303);
    },
  );
}

function webhookRoutes(app: Routes, { consoleLayout, viewerOf, keyDesk }: KeyRoutesOptions): void {
  app.get(
    '/webhook',
    {
      config: looks,
      schema: {
        operationId: 'console.webhook',
        summary: 'The console: payment webhook',
        description:
          'What the payment provider has reported, and what came of it. For admins on a cleared device.',
        tags,
        querystring: WebhookQuery,
        response: { 200: HtmlPage, ...leads },
      },
    },
    async (request, reply) => {
      const { status: only, cursor, done: what } = request.query;
      const view = await keyDesk.webhook(
        { status: only, cursor, limit: perPage },
        disconnectSignal(reply),
      );
      return sendPage(
        reply,
        consoleLayout(webhookPage({ ...view, status: only, cursor }, what), viewerOf(request)),
      );
    },
  );

  app.post(
    '/webhook/retry',
    {
      ...options,
      schema: {
        operationId: 'console.retry_event',
        summary: 'Form: handle a failed event again',
        tags,
        hide: true,
        body: RetryForm,
      },
    },
    async (request, reply) => {
      await keyDesk.retry(request.body.id, viewerOf(request).by);
      return reply.redirect(
        withQuery(`${home}/webhook`, { done: 'retried', status: request.body.status }),
        303,
      );
    },
  );
}

/** The keys of programs, and the webhook of the payment provider. */
export const keyDeskRoutes: FastifyPluginAsyncZod<KeyRoutesOptions> = async (app, parts) => {
  const { consoleLayout, viewerOf, keyDesk } = parts;

  async function shown(
    request: FastifyRequest,
    said: Said,
    cursor?: string,
    signal?: AbortSignal,
  ): Promise<string> {
    const page = await keyDesk.list({ limit: perPage, cursor }, signal);
    return consoleLayout(
      keysPage({ page, cursor, now: keyDesk.now(), baseUrl: keyDesk.baseUrl }, said),
      viewerOf(request),
    );
  }

  app.get(
    '/',
    {
      config: looks,
      schema: {
        operationId: 'console.keys',
        summary: 'The console: API keys',
        description:
          'The keys of programs, newest first, and a form to make one. For admins on a cleared device.',
        tags,
        querystring: KeysQuery,
        response: { 200: HtmlPage, ...leads },
      },
    },
    async (request, reply) =>
      sendPage(
        reply,
        await shown(
          request,
          { done: request.query.done },
          request.query.cursor,
          disconnectSignal(reply),
        ),
      ),
  );

  keyForms(app, parts, (request, refused) => shown(request, { refused }));
  webhookRoutes(app, parts);
};
