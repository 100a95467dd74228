import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Clock } from '../../../lib/clock.ts';
import { memoizeByObjects } from '../../../lib/memoize.ts';
import { requestErrors } from '../../../platform/errors/errors.ts';
import { type Cacheable, sendCacheable } from '../../../platform/http/etag.ts';
import type { ZodApp } from '../../../platform/http/zod-app.ts';
import { allowScript, configurePageScope } from '../../../platform/ui/page-scope.ts';
import type { Layout, Page } from '../../../platform/ui/pages.tsx';
import type { Brand, BrandReader } from '../../../platform/brand/brand.ts';
import type { StatusState } from '../model.ts';
import { texts } from '../texts/en.ts';
import { historyPage, incidentPage, statusPage } from './pages.tsx';

export interface StatusPageRoutesOptions {
  status: { state: () => StatusState };
  subscriptions: { isOpen: boolean };
  layout: Layout;
  brand: BrandReader;
  clock: Clock;
}

const tags = ['pages', 'status'];
const cacheControl = 'public, max-age=30, stale-while-revalidate=60';
const type = 'text/html; charset=utf-8';
const answers = {
  200: { content: { 'text/html': { schema: z.string() } } },
  304: z.undefined().describe('Not modified.'),
};

/** Renders a page once for each state and brand. */
function memoizedPage(
  make: (state: StatusState) => Page,
  { layout, brand, status }: Pick<StatusPageRoutesOptions, 'layout' | 'brand' | 'status'>,
) {
  const pageOf = memoizeByObjects<StatusState, Brand, Cacheable>((state) => ({
    content: layout(make(state)),
    type,
    cacheControl,
  }));
  return () => pageOf(status.state(), brand());
}

function incidentRoute(app: ZodApp, { status, layout }: StatusPageRoutesOptions): void {
  app.get(
    '/status/incidents/:id',
    {
      schema: {
        operationId: 'statusPages.incident',
        summary: 'Incident page',
        description: 'All updates to an incident or maintenance window.',
        tags,
        params: z.object({
          id: z.string().meta({ examples: ['01986a2b-77c4-7e19-8f03-6d4b9a1e2c58'] }),
        }),
        errors: ['request.not_found'],
        response: answers,
      },
    },
    async (request, reply) => {
      const state = status.state();
      const incident = [...state.incidents, ...state.maintenances, ...state.history].find(
        ({ id }) => id === request.params.id,
      );
      if (incident === undefined)
        throw requestErrors.not_found({
          detail: 'There is no such incident, or it is older than 90 days.',
        });
      const content = layout(incidentPage(incident, state));
      return sendCacheable(request, allowScript(reply), { content, type, cacheControl });
    },
  );
}

/** Public pages, cacheable for 30 seconds. */
export const statusPageRoutes: FastifyPluginAsyncZod<StatusPageRoutesOptions> = async (
  app,
  options,
) => {
  const { subscriptions, layout, clock } = options;
  configurePageScope(app, {
    layout,
    back: { href: '/status', text: texts.page.back },
    sentences: { 'request.not_found': texts.incident.notFound },
    isPublic: true,
  });
  const statusOf = memoizedPage(
    (state) => statusPage(state, { canSubscribe: subscriptions.isOpen, now: clock.now() }),
    options,
  );
  const historyOf = memoizedPage(historyPage, options);

  app.get(
    '/status',
    {
      schema: {
        operationId: 'statusPages.status',
        summary: 'Status page',
        description: 'Current status, open incidents and history. Updates itself while it is open.',
        tags,
        response: answers,
      },
    },
    async (request, reply) => sendCacheable(request, allowScript(reply), statusOf()),
  );

  app.get(
    '/status/history',
    {
      schema: {
        operationId: 'statusPages.history',
        summary: 'Incident history page',
        description: 'Resolved incidents and completed maintenance from the last 90 days.',
        tags,
        response: answers,
      },
    },
    async (request, reply) => sendCacheable(request, reply, historyOf()),
  );

  incidentRoute(app, options);
};
